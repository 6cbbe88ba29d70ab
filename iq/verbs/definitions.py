"""`iq def`, `iq sym`: definitions by name, checked against the live file before they are shown."""

from __future__ import annotations

from fnmatch import fnmatchcase

from iq.errors import UsageError
from iq.index.scope import matcher
from iq.index.session import Session
from iq.plan.legs.paths import fuzzy
from iq.plan.legs.symbols import lookup
from iq.types import KINDS, Answer, Item, Line, Request, Symbol
from iq.verbs import near
from iq.verbs.window import after, dress


def item(session: Session, path: str, symbol: Symbol) -> Item:
    """A definition as an answer: its signature is the line shown."""
    return Item(path, symbol.line, symbol.end, f"{symbol.qualified} ({symbol.kind})", symbol.doc, (Line(symbol.name_line, symbol.signature),))


def define(session: Session, request: Request) -> Answer:
    """Where a name is defined: `name`, `Class.method`, `path::Name`."""
    scope = session.resolved(request.scope)
    store, level = session.level()
    found = [row for row in lookup(store, request.text, matcher(scope)) if _is_live(session, *row)]
    items = [item(session, path, symbol) for path, symbol in _important(found)]
    shown = dress(after(items, request.output), request.output, lambda entry: _context(session, entry, request.output.context))
    # A question whose identifier is not defined goes on to prose and looks for its hint only there.
    hint = near.names(store.names(), request.text) if not items and request.verb == "def" else ""
    files = len({i.path for i in items})
    return Answer("def", request.text, "symbol", tuple(shown), len(items), files, level.coverage, level.notes, unit="definitions", hint=hint)


def symbols(session: Session, request: Request) -> Answer:
    """Definitions whose name a glob or a fuzzy pattern fits."""
    kind = request.options.get("kind")
    if kind and kind not in KINDS:
        raise UsageError(f"unknown kind '{kind}'; known: {', '.join(KINDS)}")
    scope = session.resolved(request.scope)
    store, level = session.level()
    inside = matcher(scope)
    rows = [(path, symbol) for path, file_class, language, symbol in store.all_symbols() if inside(path, file_class, language) and kind in (None, symbol.kind)]
    pattern = request.text
    if any(letter in pattern for letter in "*?["):
        lower = pattern.lower()
        rows = [row for row in rows if fnmatchcase(row[1].name.lower(), lower) or fnmatchcase(row[1].qualified.lower(), lower)]
    else:
        order = {name: at for at, (_, name) in enumerate(fuzzy(sorted({row[1].name for row in rows}), pattern))}
        rows = sorted((row for row in rows if row[1].name in order), key=lambda row: (order[row[1].name], row[0], row[1].line))
    items = [item(session, path, symbol) for path, symbol in rows]
    hint = "" if items else near.names(store.names(), pattern)
    files = len({i.path for i in items})
    return Answer(
        "sym", pattern, "symbol", tuple(after(items, request.output)), len(items), files, level.coverage, level.notes, unit="symbols", hint=hint
    )


# Kinds that people mean first when a name has several definitions.
_WEIGHT = {"class": 0, "interface": 0, "trait": 0, "struct": 0, "enum": 0, "type": 1, "function": 1, "method": 2, "macro": 2}


def _important(found: list[tuple[str, Symbol]]) -> list[tuple[str, Symbol]]:
    from iq.index.classes import classify

    return sorted(found, key=lambda row: (classify(row[0]) != "src", _WEIGHT.get(row[1].kind, 3), row[1].container.count("."), row[0], row[1].line))


def _is_live(session: Session, path: str, symbol: Symbol) -> bool:
    """Whether the file still has the name on that line."""
    rows = session.rows(path)
    return len(rows) >= symbol.name_line and symbol.name.split(".")[-1].strip("#.[]")[:8] in rows[symbol.name_line - 1]


def _context(session: Session, entry: Item, context: int | None) -> Item:
    if not context:
        return entry
    from dataclasses import replace

    rows = session.rows(entry.path)
    line = entry.lines[0].number
    first, last = max(1, line - context), min(len(rows), line + context)
    return replace(entry, lines=tuple(Line(n, rows[n - 1], n == line) for n in range(first, last + 1)))

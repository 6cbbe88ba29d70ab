"""`iq refs`: every use of a name, live, each told apart by syntax."""

from __future__ import annotations

from collections import Counter

from iq.errors import UsageError
from iq.index import live, text
from iq.index.classes import classify
from iq.index.grep import Pattern, search
from iq.index.languages import detect
from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.usage import USES, uses
from iq.types import Answer, Coverage, Item, Line, Request
from iq.verbs import near
from iq.verbs.window import after, dress, likely, with_label

# Uses are listed by the class of their file: what the program does comes before what is said about it.
ORDER = ("src", "tests", "examples", "config", "docs", "history", "generated", "vendored")


def run(session: Session, request: Request) -> Answer:
    kind = request.options.get("kind")
    if kind and kind not in USES:
        raise UsageError(f"unknown kind '{kind}'; known: {', '.join(USES)}")
    scope = session.resolved(request.scope)
    name = request.text.replace("()", "").strip()
    for separator in ("::", ".", "#", "->"):
        name = name.rpartition(separator)[2]
    pattern = Pattern(name, literal=True, word=True, case="sensitive")
    found = search(session.root, pattern, matcher(scope), scope.ignored, session.workspace.tracked, scope.within, session.rules(scope.ignored))
    counts: Counter[str] = Counter()
    items: list[Item] = []
    by_path: dict[str, list[tuple[int, str]]] = {}
    for match in found.matches:
        by_path.setdefault(match.path, []).append((match.line, match.text))
    for path, lines in sorted(by_path.items(), key=lambda row: (ORDER.index(classify(row[0])), row[0])):
        loaded = live.load(session.root, path)
        kinds: dict[int, list[str]] = {}
        if loaded is not None:
            for use in uses(detect(path, loaded.source[:4096]), loaded, name):
                kinds.setdefault(use.line, []).append(use.kind)
            rows = text.lines(loaded.content)
            lines = [(line, rows[line - 1]) for line in sorted(kinds)]
        for line, content in lines:
            mine = kinds.get(line, ["read"])
            counts.update(mine)
            if kind is None or kind in mine:
                items.append(Item(path, line, line, "", ", ".join(dict.fromkeys(mine)), (Line(line, content),)))
    rest = after(items, request.output)
    session.foresee([(item.path, item.start) for item in rest[: likely(request.output)]])
    shown = dress(rest, request.output, lambda item: with_label(item, _name(session, item)))
    summary = " · ".join(f"{counts[use]} {use}" for use in USES if counts[use])
    notes: tuple[str, ...] = (f"uses: {summary}",) if summary else ()
    if items and name != request.text.replace("()", "").strip():
        notes += (f"of every '{name}': whose it is, is not told apart",)
    hint = "" if counts else near.names(session.level()[0].names(), name)
    return Answer(
        "refs", name, "symbol", tuple(shown), len(items), len({i.path for i in items}), Coverage(0, found.skipped), notes, unit="lines", hint=hint
    )


def _name(session: Session, item: Item) -> str:
    symbol = session.enclosing(item.path, item.start)
    return f"{symbol.qualified} ({symbol.kind})" if symbol else ""

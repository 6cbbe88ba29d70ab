"""`iq read`, `iq context`, `iq outline`: one place of the live tree, printed."""

from __future__ import annotations

import re

from iq.errors import ScopeError, UsageError
from iq.frozen import replace
from iq.index.live import locate
from iq.index.scope import matcher
from iq.index.session import Session
from iq.plan.legs.symbols import lookup
from iq.types import Answer, Coverage, Item, Line, Request
from iq.verbs import near
from iq.verbs.window import after

_RANGE = re.compile(r"^(?P<path>.+?):(?P<start>\d+)(?:-(?P<end>\d+))?$")


def read(session: Session, request: Request) -> Answer:
    """The body of a definition, or lines of a file: `NAME`, `PATH::NAME`, `PATH:12-40`, `PATH`."""
    text = request.text
    if (match := _RANGE.match(text)) and "::" not in text:
        path = locate(session.root, session.cwd, match["path"])
        rows = _rows(session, path)
        start, end = int(match["start"]), int(match["end"] or match["start"])
        _check(path, start, end, rows)
        return _answer("read", request, [_item(path, start, min(end, len(rows)), rows, "")])
    if "::" not in text and ("/" in text or "." in text):
        try:
            path = locate(session.root, session.cwd, text)
        except ScopeError:
            path = ""
        if path:
            rows = _rows(session, path)
            return _answer("read", request, [_item(path, 1, len(rows), rows, "")] if rows else [])
    store, level = session.level()
    found = lookup(store, text, matcher(session.resolved(request.scope)))
    items = []
    for path, symbol in found:
        fresh = next((s for s in session.outline(path) if s.qualified == symbol.qualified and s.kind == symbol.kind), None)
        if fresh is not None:
            items.append(_item(path, fresh.line, fresh.end, session.rows(path), f"{fresh.qualified} ({fresh.kind})"))
    if not items and "::" not in text:
        # `Makefile` and `LICENSE` look like names; a path that is none says so.
        try:
            path = locate(session.root, session.cwd, text)
        except ScopeError:
            if "/" in text:
                raise
        else:
            rows = _rows(session, path)
            items = [_item(path, 1, len(rows), rows, "")] if rows else []
    hint = "" if items else near.files(level.tree.paths, text) or near.names(store.names(), text)
    return replace(_answer("read", request, items, level.coverage, level.notes), hint=hint)


def context(session: Session, request: Request) -> Answer:
    """The definition around `PATH:LINE`; `-C n` grows it by n lines either way."""
    match = _RANGE.match(request.text)
    if match is None:
        raise UsageError(f"'{request.text}' is no PATH:LINE; write it as src/app.py:40")
    path = locate(session.root, session.cwd, match["path"])
    rows = _rows(session, path)
    line = int(match["start"])
    _check(path, line, line, rows)
    symbol = session.enclosing(path, line)
    grow = request.output.context or 0
    around = 10 + grow
    start, end = (symbol.line - grow, symbol.end + grow) if symbol else (line - around, line + around)
    return _answer("context", request, [_item(path, max(1, start), min(len(rows), end), rows, f"{symbol.qualified} ({symbol.kind})" if symbol else "", line)])


def outline(session: Session, request: Request) -> Answer:
    """The skeleton of a file: signatures with their first doc line."""
    path = locate(session.root, session.cwd, request.text)
    items = [
        Item(path, s.line, s.end, "", s.doc, (Line(s.name_line, "  " * s.container.count(".") + ("  " if s.container else "") + s.signature),))
        for s in session.outline(path)
    ]
    seen: dict[str, Item] = {}
    for item in items:
        seen.setdefault(item.anchor, item)
    return Answer(
        "outline", request.text, "path", tuple(after(list(seen.values()), request.output)), len(seen), 1 if seen else 0, Coverage(1), unit="definitions"
    )


def _rows(session: Session, path: str) -> list[str]:
    rows = session.rows(path)
    if not rows and session.file_exists(path):
        import os

        if os.path.getsize(os.path.join(session.root, path)):
            raise ScopeError(f"'{path}' is binary or too large to print; search in it with `iq find`")
    return rows


def _check(path: str, start: int, end: int, rows: list[str]) -> None:
    if not 1 <= start <= end or start > len(rows):
        raise UsageError(f"'{path}' has lines 1-{len(rows)}; {start}-{end} is no range of them")


def _item(path: str, start: int, end: int, rows: list[str], label: str, mark: int | None = None) -> Item:
    return Item(path, start, end, label, "", tuple(Line(n, rows[n - 1], mark is None or n == mark) for n in range(start, min(end, len(rows)) + 1)))


def _answer(verb: str, request: Request, items: list[Item], coverage: Coverage | None = None, notes: tuple[str, ...] = ()) -> Answer:
    return Answer(
        verb, request.text, "body", tuple(after(items, request.output)), len(items), len({i.path for i in items}), coverage or Coverage(1), notes, unit="bodies"
    )

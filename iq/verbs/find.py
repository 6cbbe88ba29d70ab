"""`iq find`: every line that a pattern matches, live and complete."""

from __future__ import annotations

from iq.frozen import replace
from iq.index.grep import Pattern, search
from iq.index.scope import matcher, restricts
from iq.index.session import Session
from iq.types import Answer, Coverage, Item, Line, Request
from iq.verbs.window import WIDTH, after, dress, fitting, likely


def run(session: Session, request: Request) -> Answer:
    scope = session.resolved(request.scope)
    pattern = Pattern(
        request.text, bool(request.options.get("literal")), bool(request.options.get("word")), "sensitive" if request.options.get("case") else "smart"
    )
    inside = matcher(scope)
    found = search(session.root, pattern, inside, scope.ignored, session.workspace.tracked, scope.within, session.rules(scope.ignored),
                   None if request.output.count or request.output.files_only else session.peek)  # fmt: skip
    # Where matches are many, most cannot be shown: no item is made of those.
    most = None if request.output.after else fitting(request.output)
    items = [Item(m.path, m.line, m.line, "", "", (Line(m.line, _around(m.text, m.column)),)) for m in found.matches[:most]]
    beyond = len(found.matches) - len(items)
    files = len({match.path for match in found.matches})
    items = after(items, request.output)
    session.foresee([(item.path, item.start) for item in items[: likely(request.output)]])
    shown = dress(items, request.output, lambda item: _labelled(session, item, request.output.context))
    notes = (f"ran as {found.ran}",) + (("searched part of the workspace",) if restricts(scope) else ())
    coverage = Coverage(0, found.skipped, "live")
    return Answer("find", request.text, found.ran.split(",")[0], tuple(shown), len(found.matches), files, coverage, notes, unit="lines", beyond=beyond)


def _around(text: str, column: int) -> str:
    """A long line from shortly before its first match; where even ripgrep has cut it, where the match would be."""
    if column <= WIDTH:
        return text
    if column > len(text):
        return f"… (column {column} of a line of over {len(text)} characters)"
    return "… " + text[column - WIDTH // 4 :]


def _labelled(session: Session, item: Item, context: int | None) -> Item:
    symbol = session.enclosing(item.path, item.start)
    item = replace(item, label=f"{symbol.qualified} ({symbol.kind})" if symbol else "")
    if context:
        rows = session.rows(item.path)
        first, last = max(1, item.start - context), min(len(rows), item.start + context)
        item = replace(item, lines=tuple(Line(n, rows[n - 1], n == item.start) for n in range(first, last + 1)) or item.lines)
    return item

"""`iq files`: files by name, loosely or by glob."""

from __future__ import annotations

from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.walk import walk
from iq.plan.legs import paths
from iq.types import Answer, Coverage, Item, Request
from iq.verbs import near
from iq.verbs.window import after


def run(session: Session, request: Request) -> Answer:
    scope = session.resolved(request.scope)
    tree = walk(session.root, scope.ignored, session.workspace.tracked)
    inside = matcher(scope)
    candidates = [path for path in tree.paths if inside(path, None, None)]
    # A star is in no file's name: the pattern is a glob.
    exact = bool(request.options.get("exact")) or "*" in request.text
    found = paths.exact(candidates, request.text) if exact else [path for _, path in paths.fuzzy(candidates, request.text)]
    items = [Item(path, 0, 0) for path in found]
    skipped = {why: count for why, count in (("secret", tree.floored), ("unreadable", len(tree.unreadable))) if count}
    return Answer(
        "files",
        request.text,
        "glob" if exact else "fuzzy",
        tuple(after(items, request.output)),
        len(items),
        len(items),
        Coverage(len(tree.paths), skipped),
        unit="files",
        hint="" if items or exact else near.files(candidates, request.text),
    )

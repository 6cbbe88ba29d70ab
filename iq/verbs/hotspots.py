"""`iq hotspots`: the files that are both branched and often changed, with both counts to check."""

from __future__ import annotations

import os
from collections.abc import Sequence

from iq.errors import StorageError, UsageError
from iq.index.blame import ignored_revisions
from iq.index.churn import BULK
from iq.index.commits import counted, touches
from iq.index.hotspots import ASIDE, Spot, ranked
from iq.index.repository import needed
from iq.index.scope import matcher, resolve
from iq.index.session import Session
from iq.index.when import age, day, since
from iq.types import Answer, Coverage, Item, Request
from iq.verbs.treemap import MARK, Leaf, page
from iq.verbs.window import after

# Without --since.
WINDOW = "1y"


def run(session: Session, request: Request) -> Answer:
    scope = session.resolved(request.scope)
    if request.text:
        from dataclasses import replace

        scope = replace(scope, within=(*scope.within, *resolve((request.text,), session.root, session.cwd)))
    asked = str(request.options.get("since") or WINDOW)
    repository = needed(session.root)
    start = since(asked, session.now, repository)
    store, level = session.level()
    repository, store, filled = session.history(start)
    end = session.now
    rows = list(touches(store, start, until=session.now))
    notes = list(filled.notes)
    if not rows and not request.options.get("since") and repository.head:
        repository, store, filled = session.history()
        end = max((touch.commit.time for touch in touches(store)), default=session.now)
        start = since(WINDOW, end, repository)
        rows = list(touches(store, start))
        notes.append(f"nothing was committed in {WINDOW}; this is the last year with commits, up to {day(end)}")
    scoped = matcher(scope)

    def inside(path: str, file_class: str, language: str) -> bool:
        return scoped(path, file_class, language) and (file_class not in ASIDE or bool(scope.only))

    found = ranked(store, rows, start, end, ignored_revisions(repository), inside)
    spots, plain, bulk = found.spots, found.plain, found.bulk
    counts = counted(store, start)
    notes.append(f"since {day(start)}: {counts['commits']} commits, of which {counts['merges']} merges and {bulk} of over {BULK} files or listed as reformats "
                 "are not counted")  # fmt: skip
    if not repository.work:
        notes.append("a bare repository has no files in which branches could be counted")
    if plain:
        notes.append(f"{plain} changed files have nothing that branches")
    if spots:
        notes.append("commits × branches (ifs, loops, cases, handlers, short circuits); ↑ ↓ the later half of the time against the earlier")
    if name := request.options.get("html"):
        notes.append(_write(session, str(name), spots, f"{os.path.basename(session.root)}: hotspots since {day(start)}"))
    items = [Item(spot.path, 0, 0, "", _told(spot, session.now)) for spot in spots]
    held = {"changes of secrets": counts["held"]} if counts["held"] else {}
    coverage = Coverage(level.coverage.searched, {**level.coverage.skipped, **held}, level.coverage.fresh)
    query = request.text or f"since {asked}"
    return Answer("hotspots", query, "history", tuple(after(items, request.output)), len(items), len(items), coverage, (*level.notes, *notes), unit="files")


def _told(spot: Spot, now: int) -> str:
    mine = spot.churn
    who = len(mine.authors or ())
    worst = f" · most in {spot.worst[0]}:{spot.worst[1]} ({spot.worst[2]})" if spot.worst else ""
    commits = f"{mine.commits} commit{'s' if mine.commits != 1 else ''}"
    lines = f"+{mine.added} −{mine.removed} by {who}, last {age(mine.last, now)} ago"
    return f"{mine.trend} {commits} × {spot.branches} branches = {spot.score} · {lines}{worst}"


def _write(session: Session, name: str, spots: Sequence[Spot], title: str) -> str:
    """Writes the page; raises UsageError where a file that is no such page stands in its place."""
    target = os.path.join(session.cwd, name)
    try:
        if os.path.lexists(target):
            with open(target, "rb") as file:
                if os.path.islink(target) or not file.read(len(MARK) + 64).startswith(MARK.encode()):
                    raise UsageError(f"--html '{name}' is there and is no page of iq; name another file")
        leaves = [Leaf(spot.path, spot.branches, spot.churn.commits, _told(spot, session.now)) for spot in spots]
        with open(target, "w", encoding="utf-8") as file:
            file.write(page(title, leaves))
    except OSError as error:
        raise StorageError(f"--html '{name}' cannot be written: {error.strerror}; name another place") from error
    return f"{len(spots)} files drawn in {name}"

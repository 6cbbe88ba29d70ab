"""`iq hotspots`: the files that are both branched and often changed, with both counts to check."""

from __future__ import annotations

import os
from dataclasses import dataclass

from iq.errors import StorageError, UsageError
from iq.index.blame import ignored_revisions
from iq.index.churn import BULK, Churn, churn
from iq.index.commits import counted, touches
from iq.index.repository import needed
from iq.index.scope import matcher, resolve
from iq.index.session import Session
from iq.index.store import Store, from_db
from iq.index.when import age, day, since
from iq.types import Answer, Coverage, Item, Request
from iq.verbs.treemap import MARK, Leaf, page
from iq.verbs.window import after

# Without --since.
WINDOW = "1y"

# Not counted unless --only asks for them: nobody refactors them, and tests follow what they test.
ASIDE = frozenset({"generated", "vendored"})


@dataclass(frozen=True, slots=True)
class Spot:
    """One file with its two factors; `worst` is its most branched definition as (name, line, branches)."""

    path: str
    branches: int
    churn: Churn
    worst: tuple[str, int, int] | None

    @property
    def score(self) -> int:
        return self.branches * self.churn.commits


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
    changed, bulk = churn(rows, start, end, ignored_revisions(repository))
    inside = matcher(scope)
    spots, plain = [], 0
    for path, file_class, language, branches, worst in _complexity(store):
        if not inside(path, file_class, language) or (file_class in ASIDE and not scope.only) or path not in changed:
            continue
        if branches:
            spots.append(Spot(path, branches, changed[path], worst))
        else:
            plain += 1
    spots.sort(key=lambda spot: (-spot.score, spot.path))
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


def _complexity(store: Store) -> list[tuple[str, str, str, int, tuple[str, int, int] | None]]:
    """(path, class, language, branches, most branched definition) of every indexed file."""
    worst: dict[int, tuple[str, int, int]] = {}
    # The innermost of equals: a class counts what its methods count.
    for file, line, name, branches in store.db.execute(
        "SELECT c.file, c.line, c.name, c.branches FROM complexity c JOIN symbols s ON s.file = c.file AND s.line = c.line "
        "WHERE c.line > 0 AND s.kind IN ('function', 'method', 'test', 'route', 'macro') ORDER BY c.file, c.branches, c.line"
    ):
        worst[int(file)] = (str(name), int(line), int(branches))
    rows = store.db.execute(
        "SELECT f.id, f.path, f.class, f.language, coalesce(c.branches, 0) FROM files f LEFT JOIN complexity c ON c.file = f.id AND c.line = 0 "
        "WHERE f.skipped = ''"
    )
    return [(from_db(path), str(file_class), str(language), int(branches), worst.get(int(file))) for file, path, file_class, language, branches in rows]


def _told(spot: Spot, now: int) -> str:
    mine = spot.churn
    who = len(mine.authors or ())
    worst = f" · most in {spot.worst[0]}:{spot.worst[1]} ({spot.worst[2]})" if spot.worst else ""
    commits = f"{mine.commits} commit{'s' if mine.commits != 1 else ''}"
    lines = f"+{mine.added} −{mine.removed} by {who}, last {age(mine.last, now)} ago"
    return f"{mine.trend} {commits} × {spot.branches} branches = {spot.score} · {lines}{worst}"


def _write(session: Session, name: str, spots: list[Spot], title: str) -> str:
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

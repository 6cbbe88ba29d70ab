"""How often was a file changed, and by how much, in a span of time? Counted for the path it has at the end of the span.

Left out, and counted apart: merges, commits of more than BULK files and those that `.git-blame-ignore-revs` lists (reformats,
licence years, moved trees: they say nothing about the files in them).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from iq.index.commits import Touch

# Files of a commit above which it is taken as one sweep over the tree. In click, flask, hono, gin, cobra, axum, redis and gson
# that is .2 to 2.5 % of the commits: version bumps, javadoc, formatters, vendored code.
BULK = 30

# More than this many times as often in the later half of the span as in the earlier one is a rise, and the other way round a fall.
RISE = 1.5


@dataclass(slots=True)
class Churn:
    """One file: commits, lines that came and went, in how many of the commits each half of the span, who."""

    commits: int = 0
    added: int = 0
    removed: int = 0
    early: int = 0
    late: int = 0
    last: int = 0
    authors: set[str] | None = None

    @property
    def trend(self) -> str:
        """`↑`, `↓` or `→`: by commits in the later half of the span against the earlier; two commits are no trend."""
        if self.commits < 3:
            return "→"
        if self.late > RISE * self.early:
            return "↑"
        return "↓" if self.early > RISE * self.late else "→"


def churn(rows: Iterable[Touch], start: int, end: int, ignored: Collection[str] = ()) -> tuple[dict[str, Churn], int]:
    """Churn by path from touches between two times, newest first as `touches` gives them; and how many commits were too big or listed."""
    middle = (start + end) // 2
    found: dict[str, Churn] = {}
    today: dict[str, str] = {}
    bulk = 0
    for group in _commits(rows):
        big = len(group) > BULK or group[0].commit.sha in ignored
        bulk += big
        renamed = {}
        for row in group:
            path = today.get(row.path, row.path)
            if row.old:
                renamed[row.old] = path
            if big:
                continue
            mine = found.setdefault(path, Churn(authors=set()))
            mine.commits += 1
            mine.added += row.added or 0
            mine.removed += row.removed or 0
            mine.last = max(mine.last, row.commit.time)
            if row.commit.time > middle:
                mine.late += 1
            else:
                mine.early += 1
            if mine.authors is not None:
                mine.authors.add(row.commit.email)
        today.update(renamed)
    return found, bulk


def _commits(rows: Iterable[Touch]) -> Iterable[list[Touch]]:
    """The touches of each commit, which stand together."""
    group: list[Touch] = []
    for row in rows:
        if group and group[0].commit.sha != row.commit.sha:
            yield group
            group = []
        group.append(row)
    if group:
        yield group

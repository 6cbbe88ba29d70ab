"""Who wrote what is left of a file, and are they still about?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from iq.index.blame import blame
from iq.index.commits import read
from iq.index.repository import Repository
from iq.index.store import Store
from iq.index.text import lines
from iq.index.when import UNITS

# An owner without a commit anywhere in the repository for this long is said to be away (seconds).
AWAY = UNITS["y"] // 2


@dataclass(frozen=True, slots=True)
class Left:
    """Of `whole` lines with text that a file has from its commits, `lines` are by people who are away: `names`, most lines first."""

    lines: int
    whole: int
    names: tuple[str, ...]

    @property
    def share(self) -> float:
        return self.lines / self.whole if self.whole else 0.0


def about(store: Store, now: int) -> frozenset[str]:
    """Addresses of the people who have committed lately; facts of the commits since AWAY before `now` are enough for it."""
    rows = store.db.execute("SELECT DISTINCT a.email FROM commits c JOIN authors a ON a.id = c.author WHERE c.time >= ?", (now - AWAY,))
    return frozenset(str(email) for (email,) in rows)


def left(repository: Repository, path: str, content: str, present: Collection[str]) -> Left:
    """How much of a file, whose text now is `content`, is by people none of whose addresses is in `present`."""
    origins = blame(repository, path, content, moves=False)
    counts = Counter(origin.sha for origin, row in zip(origins, lines(content), strict=True) if origin.sha and row.strip())
    people = Counter[tuple[str, str]]()
    for sha, commit in read(repository, list(counts)).items():
        people[commit.author, commit.email] += counts[sha]
    away = sorted((row for row in people.items() if row[0][1] not in present), key=lambda row: (-row[1], row[0]))
    return Left(sum(count for _, count in away), sum(people.values()), tuple(dict.fromkeys(name for (name, _), _ in away)))

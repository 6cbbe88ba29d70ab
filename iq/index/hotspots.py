"""Which files are both branched and often changed? Commits × branches, counted from facts of commits and the syntax of today."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from iq.index.churn import Churn, churn
from iq.index.commits import Touch
from iq.index.store import Store, from_db

# Classes not counted unless they are asked for: nobody refactors them.
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


@dataclass(frozen=True, slots=True)
class Spots:
    """Spots, the hottest first; changed files that have nothing that branches; commits too big or listed as reformats to be counted."""

    spots: tuple[Spot, ...]
    plain: int
    bulk: int


def ranked(store: Store, rows: Iterable[Touch], start: int, end: int, ignored: Collection[str], inside: Callable[[str, str, str], bool]) -> Spots:
    """Spots from the touches between two times; `inside` takes a path with its class and language."""
    changed, bulk = churn(rows, start, end, ignored)
    spots, plain = [], 0
    for path, file_class, language, branches, worst in _complexity(store):
        if path not in changed or not inside(path, file_class, language):
            continue
        if branches:
            spots.append(Spot(path, branches, changed[path], worst))
        else:
            plain += 1
    return Spots(tuple(sorted(spots, key=lambda spot: (-spot.score, spot.path))), plain, bulk)


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

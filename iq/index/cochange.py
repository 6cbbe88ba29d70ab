"""Which files change together? Read from commits: what a commit touched, under the names those files have today.

Merges and commits that touch more than `MAX_FILES` say nothing of what belongs together and are left out. What a commit
touched never changes, so it is kept in the index by commit and read again from there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

from iq.floor.paths import floored

if TYPE_CHECKING:
    import pygit2

    from iq.index.store import Store

# Commits looked at, newest first: five years of a busy library, .3 s to read the first time.
MAX_COMMITS = 2000

# A commit over this many files is a reformatting, a release or a move (files).
MAX_FILES = 50

# A commit this many commits ago counts half: what belongs together drifts with the code.
HALF_LIFE = 500

# What was worked on lately is worked on next: the last commits, and after how many the effect has halved.
LATELY, LATELY_HALF = 40, 8

# Imagined commits of a file that touched nothing else: two changes together are no law.
PRIOR = 1.0


@dataclass(frozen=True, slots=True)
class Change:
    """One commit: the files it touched by their names after it, and renames as (before, after)."""

    commit: str
    files: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Together:
    """How two files changed together: `score` and `back` are the decayed shares of the first and of the second one's commits."""

    path: str
    score: float
    back: float
    count: int
    of: int


def read(repo: pygit2.Repository, store: Store | None = None, limit: int = MAX_COMMITS) -> list[Change]:
    """Commits behind HEAD, newest first, merges aside; empty where there is no commit yet.

    With a store, only commits it has not seen are taken apart; they are written to it where that is possible.
    """
    if repo.is_empty or repo.head_is_unborn:
        return []
    known = _stored(store) if store is not None else {}
    found: list[Change] = []
    fresh: list[Change] = []
    for commit in _walk(repo):
        if len(found) == limit:
            break
        if len(commit.parent_ids) > 1:
            continue
        name = str(commit.id)
        change = known.get(name)
        if change is None:
            change = of(repo, commit)
            if change is None:
                continue
            fresh.append(change)
        found.append(change)
    if store is not None and fresh:
        _keep(store, fresh)
    return found


def _walk(repo: pygit2.Repository) -> Iterator[pygit2.Commit]:
    """Commits behind HEAD, newest first, up to the first that is not there."""
    import pygit2

    try:
        yield from repo.walk(repo.head.target, pygit2.enums.SortMode.TOPOLOGICAL | pygit2.enums.SortMode.TIME)
    except (KeyError, pygit2.GitError):
        return


def of(repo: pygit2.Repository, commit: pygit2.Commit) -> Change | None:
    """What one commit touched; None where its parent is not here (a shallow clone ends there)."""
    import pygit2

    try:
        if commit.parent_ids:
            diff = repo[commit.parent_ids[0]].peel(pygit2.Commit).tree.diff_to_tree(commit.tree, swap=False)
        else:
            return Change(str(commit.id), ())
    except (KeyError, pygit2.GitError):
        return None
    if len(diff) > MAX_FILES * 2:
        return Change(str(commit.id), ())
    kinds = {delta.status for delta in diff.deltas}
    added, deleted = pygit2.enums.DeltaStatus.ADDED, pygit2.enums.DeltaStatus.DELETED
    if added in kinds and deleted in kinds:
        diff.find_similar()
    files, renamed = [], []
    for delta in diff.deltas:
        after = os.fsdecode(delta.new_file.raw_path)
        before = os.fsdecode(delta.old_file.raw_path)
        if delta.status == pygit2.enums.DeltaStatus.RENAMED:
            renamed.append((before, after))
        files.append(after or before)
    return Change(str(commit.id), tuple(sorted(files)), tuple(renamed))


def _stored(store: Store) -> dict[str, Change]:
    found = {}
    for name, files, renamed in store.db.execute("SELECT oid, files, renamed FROM changes"):
        pairs = _split(renamed)
        found[name] = Change(name, tuple(_split(files)), tuple(zip(pairs[::2], pairs[1::2], strict=True)))
    return found


def _split(value: bytes) -> list[str]:
    return [os.fsdecode(part) for part in value.split(b"\0")] if value else []


def _keep(store: Store, changes: Sequence[Change]) -> None:
    """Writes what commits touched; where the index cannot be written now, the next question reads the commits again."""
    import apsw

    rows = [(c.commit, b"\0".join(map(os.fsencode, c.files)), b"\0".join(os.fsencode(path) for pair in c.renamed for path in pair)) for c in changes]
    try:
        with store.db:
            store.db.executemany("INSERT OR IGNORE INTO changes VALUES (?, ?, ?)", rows)
    except (apsw.BusyError, apsw.ReadOnlyError, apsw.FullError, apsw.IOError):
        return


class History:
    """Commits as sets of today's files, with weights; answers what changed together with a file."""

    def __init__(self, changes: Iterable[Change], half_life: float = HALF_LIFE) -> None:
        self.commits: list[tuple[tuple[str, ...], float]] = []
        self.touching: dict[str, list[int]] = {}
        self.renamed: dict[str, str] = {}
        for age, change in enumerate(changes):
            files = tuple(dict.fromkeys(self.today(path) for path in change.files))
            for before, after in change.renamed:
                self.renamed.setdefault(before, self.today(after))
            if not files or len(files) > MAX_FILES:
                continue
            weight = 0.5 ** (age / half_life) / log2(1 + len(files))
            for path in files:
                self.touching.setdefault(path, []).append(len(self.commits))
            self.commits.append((files, weight))

    def today(self, path: str) -> str:
        """The name today of what an older commit called `path`."""
        return self.renamed.get(path, path)

    def together(self, path: str) -> list[Together]:
        """Files that changed with `path`, strongest first; nothing that never surfaces."""
        mine = self.touching.get(path, [])
        whole = self._weight(path)
        sums: dict[str, float] = {}
        counts: dict[str, int] = {}
        for at in mine:
            files, weight = self.commits[at]
            for other in files:
                if other != path:
                    sums[other] = sums.get(other, 0.0) + weight
                    counts[other] = counts.get(other, 0) + 1
        rows = [
            Together(other, total / (whole + PRIOR), total / (self._weight(other) + PRIOR), counts[other], len(mine))
            for other, total in sums.items()
            if not floored(other)
        ]
        return sorted(rows, key=lambda row: (-row.score, -row.count, row.path))

    def _weight(self, path: str) -> float:
        return sum(self.commits[at][1] for at in self.touching.get(path, ()))

    def often(self) -> Iterator[tuple[str, float]]:
        """(path, decayed share of all commits that touch it), in no order."""
        total = sum(weight for _, weight in self.commits) or 1.0
        for path in self.touching:
            yield path, self._weight(path) / total

    def lately(self) -> dict[str, float]:
        """path -> how much of the last commits went to it: work comes in runs over the same files."""
        found: dict[str, float] = {}
        for age, (files, _) in enumerate(self.commits[:LATELY]):
            for path in files:
                found[path] = found.get(path, 0.0) + 0.5 ** (age / LATELY_HALF) / len(files)
        return found

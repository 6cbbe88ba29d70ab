"""Which changes add or remove a text? Those after which a file holds it more or less often than before.

A line that only moves inside its file is no such change; one that moves to another file is one in each. A literal is looked for by
the git binary where there is one (`git diff-tree -S`), a regular expression, in Python's syntax, always through libgit2: git's own
dialects of regular expressions would give another answer. Both count in bytes, case matters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from iq.index.commits import Touch
from iq.index.facts import BATCH, RENAME_LIMIT
from iq.index.patches import content, entry
from iq.index.repository import Repository
from iq.types import Progress

# Counts of this many versions are remembered: what a commit leaves behind is what the next one on the file finds.
REMEMBERED = 200_000


@dataclass(frozen=True, slots=True)
class Needle:
    """What is looked for, as bytes: a literal, or an expression."""

    literal: bytes
    expression: re.Pattern[bytes] | None = None

    def count(self, data: bytes) -> int:
        if self.expression is None:
            return data.count(self.literal)
        return sum(1 for _ in self.expression.finditer(data))

    def holds(self, line: str) -> bool:
        raw = line.encode("utf-8", "surrogateescape")
        return self.literal in raw if self.expression is None else self.expression.search(raw) is not None


def pickaxe(repository: Repository, candidates: Sequence[Touch], needle: Needle, progress: Progress | None = None) -> list[Touch]:
    """The candidates whose change is one, in their order; `candidates` stand commit by commit, as `touches` gives them."""
    texts = [touch for touch in candidates if touch.added is not None]
    found = by_git(repository, texts, needle, progress)
    return by_libgit2(repository, texts, needle, progress) if found is None else found


def by_git(repository: Repository, candidates: Sequence[Touch], needle: Needle, progress: Progress | None = None) -> list[Touch] | None:
    """The answer of git, or None where it cannot be asked."""
    # git takes the pattern as an argument, which cannot hold a NUL.
    if not repository.binary or needle.expression is not None or b"\0" in needle.literal:
        return None
    shas = list(dict.fromkeys(touch.commit.sha for touch in candidates))
    changed: set[tuple[str, str]] = set()
    for at in range(0, len(shas), BATCH):
        out = repository.run(
            ("diff-tree", "--stdin", "--root", "-r", "--name-only", "-z", "--find-renames=50%", f"-l{RENAME_LIMIT}", "--ignore-submodules=all", "--no-ext-diff",
             "--no-textconv", b"-S" + needle.literal),
            "".join(sha + "\n" for sha in shas[at : at + BATCH]).encode(),
        )  # fmt: skip
        if out is None:
            return None
        changed.update(_pairs(repository, out, set(shas[at : at + BATCH])))
        if progress:
            progress(min(at + BATCH, len(shas)), len(shas), "commits")
    return [touch for touch in candidates if (touch.commit.sha, touch.path) in changed]


def _pairs(repository: Repository, out: bytes, shas: set[str]) -> Iterator[tuple[str, str]]:
    sha = ""
    for field in out.split(b"\0"):
        # A path that reads like the id of a commit of this batch does not exist.
        if len(field) in (40, 64) and (name := field.decode("latin-1")) in shas:
            sha = name
        elif field and (path := repository.inside(field)) is not None:
            yield sha, path


def by_libgit2(repository: Repository, candidates: Sequence[Touch], needle: Needle, progress: Progress | None = None) -> list[Touch]:
    """The same answer without git: each version's occurrences are counted once."""
    import pygit2

    counts: dict[str, int] = {}

    def count(commit: pygit2.Commit, path: str) -> int:
        oid = entry(commit, os.fsencode(repository.outside(path)))
        if oid is None:
            return 0
        key = str(oid)
        if key not in counts:
            if len(counts) >= REMEMBERED:
                counts.clear()
            counts[key] = needle.count(content(repository, oid) or b"")
        return counts[key]

    found = []
    for at, touch in enumerate(candidates):
        commit = repository.git[touch.commit.sha].peel(pygit2.Commit)
        before = count(commit.parents[0], touch.old or touch.path) if commit.parent_ids else 0
        if before != count(commit, touch.path):
            found.append(touch)
        if progress and at % 1000 == 999:
            progress(at + 1, len(candidates), "changes")
    if progress and len(candidates) >= 1000:
        progress(len(candidates), len(candidates), "changes")
    return found

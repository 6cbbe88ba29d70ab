"""Which files did a commit change, and by how many lines? Asked of the git binary or of libgit2, with the same answer.

A commit is compared with its parent, a root with nothing; a merge, and a commit whose parents a shallow clone lacks, changes no
file here. Renames are files of which at least half is kept, looked for among RENAME_LIMIT files a side. Submodules are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from iq.index.repository import Repository

# Files a side among which renames are looked for, git's own default; the work is its square.
RENAME_LIMIT = 1000

# Commits a run of git: small enough to lose little by an interruption, large enough that starting it (5 ms, its caches cold) costs little.
BATCH = 1000


@dataclass(frozen=True, slots=True)
class Change:
    """One file of a commit: `old` is its path before a rename; lines are None for binary files."""

    path: bytes
    old: bytes | None
    added: int | None
    removed: int | None


def changes(repository: Repository, commits: Sequence[str]) -> Iterator[tuple[str, list[Change] | None]]:
    """Each commit with its changes by path, in the given order; None where objects of it are missing."""
    for at in range(0, len(commits), BATCH):
        batch = commits[at : at + BATCH]
        found = by_git(repository, batch)
        if found is None:
            for sha in batch:
                yield sha, by_libgit2(repository, sha)
        else:
            yield from ((sha, found.get(sha, [])) for sha in batch)


def by_git(repository: Repository, commits: Sequence[str]) -> dict[str, list[Change]] | None:
    """The changes of some commits from `git diff-tree`, or None where git cannot be asked."""
    out = repository.run(
        ("diff-tree", "--stdin", "--root", "-r", "--numstat", "-z", "--find-renames=50%", f"-l{RENAME_LIMIT}", "--diff-algorithm=myers",
         "--ignore-submodules=all", "--no-ext-diff", "--no-textconv"),
        "".join(sha + "\n" for sha in commits).encode(),
    )  # fmt: skip
    if out is None:
        return None
    found: dict[str, list[Change]] = {}
    mine: list[Change] = []
    fields = iter(out.split(b"\0"))
    for field in fields:
        counts = field.split(b"\t", 2)
        if len(counts) < 3:
            if field:
                mine = found.setdefault(field.decode("ascii"), [])
            continue
        added, removed = (None if count == b"-" else int(count) for count in counts[:2])
        if counts[2]:
            mine.append(Change(counts[2], None, added, removed))
        else:
            old = next(fields)
            mine.append(Change(next(fields), old, added, removed))
    return {sha: _ordered(rows) for sha, rows in found.items()}


def by_libgit2(repository: Repository, sha: str) -> list[Change] | None:
    """The changes of one commit from libgit2, or None where objects of it are missing."""
    import pygit2
    from pygit2.enums import DeltaStatus, DiffFind, DiffOption, FileMode

    flags = DiffOption.IGNORE_SUBMODULES
    try:
        commit = repository.git[sha].peel(pygit2.Commit)
        if commit.parent_ids and sha not in repository.shallow:
            diff = commit.parents[0].tree.diff_to_tree(commit.tree, flags=flags)
        else:
            diff = commit.tree.diff_to_tree(flags=flags, swap=True)
        diff.find_similar(DiffFind.FIND_RENAMES, rename_threshold=50, rename_limit=RENAME_LIMIT)
        rows = []
        for patch in diff:
            if patch is None:
                continue
            delta = patch.delta
            if FileMode.COMMIT in (delta.old_file.mode, delta.new_file.mode):
                continue
            _, added, removed = patch.line_stats
            binary = delta.is_binary
            old = delta.old_file.raw_path if delta.status == DeltaStatus.RENAMED else None
            rows.append(Change(delta.new_file.raw_path, old, None if binary else added, None if binary else removed))
    except (pygit2.GitError, KeyError, ValueError):
        return None
    return _ordered(rows)


def _ordered(rows: list[Change]) -> list[Change]:
    """By path, each once: a file that became a link is told as one gone and one new."""
    found: dict[bytes, Change] = {}
    for row in rows:
        if (other := found.get(row.path)) is not None:
            binary = row.added is None or other.added is None
            row = Change(row.path, row.old or other.old, None if binary else (row.added or 0) + (other.added or 0),
                         None if binary else (row.removed or 0) + (other.removed or 0))  # fmt: skip
        found[row.path] = row
    return [found[path] for path in sorted(found)]

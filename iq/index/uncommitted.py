"""What differs from the last commit: staged, unstaged and untracked files, with their hunks in lines of today."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from iq.index.patches import Hunk, content, hunks, of_libgit2
from iq.index.repository import Repository, shown

if TYPE_CHECKING:
    import pygit2


@dataclass(frozen=True, slots=True)
class Work:
    """One file of one state; `status` is added, modified, deleted, renamed or untracked. `old` is its path before a rename."""

    state: str
    status: str
    path: str
    old: str | None
    hunks: tuple[Hunk, ...]


def uncommitted(repository: Repository) -> Iterator[Work]:
    """Staged, then unstaged, then untracked, each by path; nothing in a bare repository. Floored and outside paths are left out.

    The new side of a staged hunk counts in lines of git's index.
    """
    if not repository.work:
        return
    import pygit2
    from pygit2.enums import DiffFind, DiffOption

    flags = DiffOption.IGNORE_SUBMODULES
    index = repository.git.index
    if repository.head:
        staged = repository.git[repository.head].peel(pygit2.Commit).tree.diff_to_index(index, flags=flags)
        staged.find_similar(DiffFind.FIND_RENAMES)
        yield from _rows(repository, staged, "staged")
    else:
        yield from _first(repository, index)
    extra = DiffOption.INCLUDE_UNTRACKED | DiffOption.RECURSE_UNTRACKED_DIRS
    work = index.diff_to_workdir(flags=flags | extra, context_lines=0)
    # A file that was moved without telling git is one gone and one untracked until they are compared.
    work.find_similar(DiffFind.FIND_RENAMES | DiffFind.FIND_FOR_UNTRACKED)
    rows = list(_rows(repository, work, "unstaged"))
    yield from (row for row in rows if row.status != "untracked")
    yield from (row for row in rows if row.status == "untracked")


def _first(repository: Repository, index: pygit2.Index) -> Iterator[Work]:
    """Before the first commit everything in the index is new."""
    for entry in index:
        if (path := shown(repository, os.fsencode(entry.path))) is not None and entry.mode != 0o160000:
            yield Work("staged", "added", path, None, tuple(hunks(b"", content(repository, entry.id) or b"")))


def _rows(repository: Repository, diff: pygit2.Diff, state: str) -> Iterator[Work]:
    from pygit2.enums import DeltaStatus, FileMode

    words = {DeltaStatus.ADDED: "added", DeltaStatus.DELETED: "deleted", DeltaStatus.RENAMED: "renamed", DeltaStatus.UNTRACKED: "untracked",
             DeltaStatus.CONFLICTED: "in conflict"}  # fmt: skip
    for patch in diff:
        if patch is None:
            continue
        delta = patch.delta
        if FileMode.COMMIT in (delta.old_file.mode, delta.new_file.mode):
            continue
        # Linked worktrees and nested repositories are told as one untracked folder.
        if (path := shown(repository, delta.new_file.raw_path)) is None or path.endswith("/"):
            continue
        old = shown(repository, delta.old_file.raw_path) if delta.status == DeltaStatus.RENAMED else None
        status = words.get(delta.status, "modified")
        yield Work("untracked" if status == "untracked" else state, status, path, old, tuple(part for hunk in patch.hunks for part in of_libgit2(hunk)))

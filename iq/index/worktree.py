"""What git says of the workspace: its repository, what is uncommitted, what differs from a revision. Works without a git binary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from iq.errors import StorageError, ToolError, UsageError
from iq.index.repository import Repository, open_repository, shown

if TYPE_CHECKING:
    import pygit2

# Changed files that are taken apart; more is a merge or a move, and the rest is counted (files).
MAX_EDITED = 300

# Text of changed lines kept for one file (lines).
MAX_LINES = 2000


@dataclass(frozen=True, slots=True)
class Edited:
    """A changed file by its path under the workspace. `lines` are changed ones in today's numbers, `texts` what came and went.

    `status` is added, modified, deleted, renamed or untracked.
    """

    path: str
    status: str
    lines: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()
    before: str = ""


def opened(root: str) -> tuple[Repository | None, str]:
    """The repository around the workspace, or why there is none whose work tree could differ from it."""
    try:
        repository = open_repository(root)
        if repository is None:
            return None, "no git repository here"
        # Read here, so that one that is broken is told once: an answer without history is better than none.
        return (repository, "") if repository.work and repository.head is not None else (None, "the git repository here is bare: it has no work tree")
    except ToolError as error:
        return None, f"the git repository cannot be read: {error}"


def edited(repository: Repository, revision: str | None = None) -> tuple[list[Edited], int]:
    """Files that differ from HEAD, or from a revision, or between two (`A..B`), by path; and how many were too many.

    Raises UsageError for a revision that is none, StorageError where the repository lacks what the comparison needs.
    """
    import pygit2

    try:
        return _differing(repository, revision)
    except (pygit2.GitError, KeyError) as error:
        raise StorageError(f"the git repository cannot be compared: {error}; name paths instead: iq impact src/app.py") from error


def _differing(repository: Repository, revision: str | None) -> tuple[list[Edited], int]:
    import pygit2

    repo, options = repository.git, pygit2.enums.DiffOption
    if revision is None:
        untracked = options.INCLUDE_UNTRACKED | options.RECURSE_UNTRACKED_DIRS | options.SHOW_UNTRACKED_CONTENT
        base = repo.head.peel(pygit2.Tree) if not repo.head_is_unborn else repo[repo.TreeBuilder().write()].peel(pygit2.Tree)
        diff = base.diff_to_workdir(untracked, 0)
    elif ".." in revision:
        one, _, other = revision.partition("..")
        first, second = _commit(repo, one or "HEAD"), _commit(repo, other.lstrip(".") or "HEAD")
        if other.startswith(".") and (base_id := repo.merge_base(first.id, second.id)) is not None:
            first = repo[base_id].peel(pygit2.Commit)
        diff = first.tree.diff_to_tree(second.tree, context_lines=0)
    else:
        diff = _commit(repo, revision).tree.diff_to_workdir(options.NORMAL, 0)
    diff.find_similar()
    found: list[Edited] = []
    more = 0
    for patch in diff:
        if patch is None:
            continue
        row = _edited(repository, patch)
        if row is None:
            continue
        if len(found) == MAX_EDITED:
            more += 1
        else:
            found.append(row)
    return sorted(found, key=lambda row: row.path), more


def _edited(repository: Repository, patch: pygit2.Patch) -> Edited | None:
    import pygit2

    delta = patch.delta
    kinds = pygit2.enums.DeltaStatus
    names = {kinds.ADDED: "added", kinds.DELETED: "deleted", kinds.RENAMED: "renamed", kinds.UNTRACKED: "untracked", kinds.COPIED: "added"}
    path = shown(repository, delta.new_file.raw_path or delta.old_file.raw_path)
    commit = pygit2.enums.FileMode.COMMIT
    if path is None or commit in (delta.new_file.mode, delta.old_file.mode):
        return None
    lines: list[int] = []
    texts: list[str] = []
    for hunk in patch.hunks:
        if len(lines) < MAX_LINES:
            lines.extend(range(max(1, hunk.new_start), max(1, hunk.new_start) + max(1, hunk.new_lines)))
        for line in hunk.lines:
            if len(texts) < MAX_LINES and line.origin in "+-":
                texts.append(line.raw_content.decode("utf-8", "replace"))
    was = shown(repository, delta.old_file.raw_path) or ""
    return Edited(path, names.get(delta.status, "modified"), tuple(lines[:MAX_LINES]), tuple(texts), was if was != path else "")


def _commit(repo: pygit2.Repository, revision: str) -> pygit2.Commit:
    import pygit2

    try:
        return repo.revparse_single(revision).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise UsageError(f"'{revision}' is no revision of this repository; name a commit, branch or tag, such as HEAD~1 or main") from error


def states(repository: Repository) -> Sequence[str]:
    """What limits an answer from this history, in words: shallow, no commit yet, detached."""
    found = []
    if not repository.head:
        found.append("no commit yet: history says nothing")
    elif repository.git.head_is_detached:
        found.append(f"detached at {repository.head[:10]}")
    if repository.shallow:
        found.append("shallow clone: older history is missing")
    return found

"""What is being changed here, which files change together with it, and whose are they? Read from git, where there is one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from iq.index.repository import Repository, shown
from iq.index.worktree import opened

if TYPE_CHECKING:
    from pygit2 import Diff

# Commits that are looked back through: what changed together longer ago says little (commits).
DEPTH = 300

# A commit of more files than this is a sweep, in which nothing belongs together (files).
SWEEP = 30

# Files that changed together with those under review at least so often, and how many are kept.
TOGETHER = 2
NEAR = 20

# Changed spans that are looked at: a larger change is a release, not a review (spans).
SPANS = 500


@dataclass(frozen=True, slots=True)
class Change:
    """`spans` are (path, first, last line) as the tree is now; `near` files by how often they changed with them; `owners` (name, commits)."""

    what: str
    spans: tuple[tuple[str, int, int], ...] = ()
    near: tuple[str, ...] = ()
    owners: tuple[tuple[str, int], ...] = ()


def look(root: str) -> Change:
    """The uncommitted change of a work tree, else its last commit; empty, with the reason, where git knows none."""
    import pygit2

    found, why = opened(root)
    if found is None:
        return Change(why)
    repository = found.git
    if not found.head:
        return Change("nothing is committed here")
    try:
        option = pygit2.enums.DiffOption
        untracked = option.INCLUDE_UNTRACKED | option.RECURSE_UNTRACKED_DIRS | option.SHOW_UNTRACKED_CONTENT
        diff = repository.diff("HEAD", context_lines=0, flags=untracked)
        what, spans = "uncommitted changes", _spans(diff, found)
        if not spans:
            head = repository.head.peel(pygit2.Commit)
            # Without a parent everything is new: the empty tree against it, the other way round.
            diff = head.parents[0].tree.diff_to_tree(head.tree, context_lines=0) if head.parents else head.tree.diff_to_tree(swap=True, context_lines=0)
            what, spans = f"commit {str(head.id)[:7]}", _spans(diff, found)
        near, owners = _together(found, {path for path, _, _ in spans})
    except pygit2.GitError as error:
        return Change(f"git cannot be read: {error}")
    return Change(what, spans, near, owners)


def _spans(diff: Diff, repository: Repository) -> tuple[tuple[str, int, int], ...]:
    spans = []
    for patch in diff:
        if patch is None:
            continue
        path = shown(repository, patch.delta.new_file.raw_path)
        # A note is about the code; it is not what is reviewed.
        if path is None or path.startswith(".iq/") or patch.delta.is_binary:
            continue
        for hunk in patch.hunks:
            first = max(1, hunk.new_start)
            spans.append((path, first, first + max(0, hunk.new_lines - 1)))
            if len(spans) >= SPANS:
                return tuple(spans)
    return tuple(spans)


def _together(repository: Repository, paths: set[str]) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    """Files that changed in the same commits, and the authors of those commits."""
    import pygit2

    files: Counter[str] = Counter()
    people: Counter[str] = Counter()
    for at, commit in enumerate(repository.git.walk(repository.head, pygit2.enums.SortMode.TOPOLOGICAL)):
        if at >= DEPTH:
            break
        if len(commit.parents) > 1:
            continue  # a merge repeats what its sides changed
        try:
            deltas = list((commit.parents[0].tree.diff_to_tree(commit.tree) if commit.parents else commit.tree.diff_to_tree(swap=True)).deltas)
        except (KeyError, pygit2.GitError):
            break  # a shallow clone ends here
        touched = {path for delta in deltas if (path := shown(repository, delta.new_file.raw_path)) is not None}
        if not touched & paths or len(touched) > SWEEP:
            continue
        people[commit.author.name or "?"] += 1
        files.update(touched - paths)
    near = sorted((path for path, count in files.items() if count >= TOGETHER), key=lambda path: (-files[path], path))
    return tuple(near[:NEAR]), tuple(sorted(people.items(), key=lambda row: (-row[1], row[0]))[:3])

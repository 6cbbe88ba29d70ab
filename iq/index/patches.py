"""Which lines differ between two versions of a file, and where is a line of an old version today?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from iq.index.repository import Repository
from iq.index.text import decode

if TYPE_CHECKING:
    import pygit2

# Larger versions are not compared line by line (bytes): generated files and data, at 50 MB/s.
MAX_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that went and lines that came in their place. With none on a side, `start` is the line before the gap there."""

    old_start: int
    removed: tuple[str, ...]
    new_start: int
    added: tuple[str, ...]

    @property
    def signed(self) -> Iterator[tuple[str, int, str]]:
        """(`-` or `+`, line number on its own side, text), what went first."""
        for at, text in enumerate(self.removed):
            yield "-", self.old_start + at, text
        for at, text in enumerate(self.added):
            yield "+", self.new_start + at, text


def hunks(old: bytes, new: bytes, ends: bool = True) -> list[Hunk]:
    """The differences in order, without context; empty for binary or very large content. Without `ends`, CR before LF counts nothing."""
    if old == new or max(len(old), len(new)) > MAX_BYTES or b"\0" in old[:8000] or b"\0" in new[:8000]:
        return []
    import pygit2
    from pygit2.enums import DiffOption

    flag = DiffOption.FORCE_TEXT if ends else DiffOption.FORCE_TEXT | DiffOption.IGNORE_WHITESPACE_EOL
    patch = pygit2.Patch.create_from(old, new, flag=flag, context_lines=0)
    return [part for hunk in patch.hunks for part in of_libgit2(hunk)]


def of_libgit2(hunk: pygit2.DiffHunk) -> Iterator[Hunk]:
    """A hunk without its context, which not every call of libgit2 can be told to leave out: one hunk for each run of changes."""
    removed: list[str] = []
    added: list[str] = []
    # Lines before the next one on either side; a side without lines starts at the line before, so at its own end.
    old = hunk.old_start - (1 if hunk.old_lines else 0)
    new = hunk.new_start - (1 if hunk.new_lines else 0)
    for line in (*hunk.lines, None):
        if line is not None and line.origin == "-":
            removed.append(_text(line.raw_content))
        elif line is not None and line.origin == "+":
            added.append(_text(line.raw_content))
        elif line is None or line.origin == " ":
            if removed or added:
                yield Hunk(old + 1 if removed else old, tuple(removed), new + 1 if added else new, tuple(added))
                old, new = old + len(removed), new + len(added)
                removed, added = [], []
            old, new = old + 1, new + 1


def _text(raw: bytes) -> str:
    raw = raw.removesuffix(b"\n").removesuffix(b"\r")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class Shift:
    """Maps lines of an old version to a new one, given the hunks between them."""

    def __init__(self, between: Sequence[Hunk]) -> None:
        self._hunks = between
        # A gap's start is the line before it, which stays where it is.
        self._starts = [hunk.old_start if hunk.removed else hunk.old_start + 1 for hunk in between]
        self._moved = [0]
        for hunk in between:
            self._moved.append(self._moved[-1] + len(hunk.added) - len(hunk.removed))

    def line(self, old: int) -> tuple[int, bool]:
        """The line's place in the new version and whether it is still there; a lost line's place is where it was, at least 1."""
        at = bisect_right(self._starts, old)
        if at:
            hunk = self._hunks[at - 1]
            if hunk.removed and old < hunk.old_start + len(hunk.removed):
                return max(1, hunk.new_start), False
        return max(1, old + self._moved[at]), True


def blob(repository: Repository, commit: pygit2.Commit, path: str) -> bytes | None:
    """A file of the workspace as a commit holds it, or None where it does not or its content is missing."""
    import os

    found = entry(commit, os.fsencode(repository.outside(path)))
    return None if found is None else content(repository, found)


def entry(commit: pygit2.Commit, raw: bytes) -> pygit2.Oid | None:
    """The id of a file in a commit's tree, or None where there is no such file."""
    import pygit2

    try:
        tree = commit.tree
        parts = raw.split(b"/")
        for at, part in enumerate(parts):
            # A name that is no UTF-8 cannot be asked for; entries give their raw names.
            name = _name(part)
            found = tree[name] if name is not None else next(row for row in tree if row.raw_name == part)
            if at == len(parts) - 1:
                return found.id if isinstance(found, pygit2.Blob) else None
            if not isinstance(found, pygit2.Tree):
                return None
            tree = found
    except (KeyError, StopIteration, pygit2.GitError, ValueError):
        return None
    return None


def _name(part: bytes) -> str | None:
    try:
        return part.decode("utf-8")
    except UnicodeDecodeError:
        return None


def content(repository: Repository, oid: pygit2.Oid) -> bytes | None:
    """A blob's bytes, or None where it is missing."""
    import pygit2

    try:
        found = repository.git[oid]
    except (KeyError, pygit2.GitError):
        return None
    return found.data if isinstance(found, pygit2.Blob) else None


def versions(repository: Repository, sha: str, path: str, old: str | None) -> tuple[bytes | None, bytes | None]:
    """A file before and after a commit; None where it was not there (or, for a commit without parents on this machine, unknown)."""
    import pygit2

    commit = repository.git[sha].peel(pygit2.Commit)
    before = None
    if commit.parent_ids and sha not in repository.shallow:
        before = blob(repository, commit.parents[0], old or path)
    return before, blob(repository, commit, path)


def readable(data: bytes | None) -> bool:
    """Whether content is text that lines can be shown of."""
    return data is not None and len(data) <= MAX_BYTES and decode(data) is not None

"""Which commit gave a line its text? Not the one that only moved or reformatted it.

The last commit that touched each line comes from the git binary (`git blame`) or from libgit2, with the same answer. On top of it, here:
a commit is passed over for a line where it is listed in `.git-blame-ignore-revs`, where the line differs from one that went in the
same place by white space only, and where a run of lines with it was moved (BLOCK letters and digits at least, as in `git blame -M`).
The line that went is then asked about in turn, in the parent.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from iq.index import facts
from iq.index.patches import Hunk, blob, hunks, versions
from iq.index.repository import Repository, shown
from iq.index.text import decode, lines

# Letters and digits that a run of lines needs to be told as moved rather than as alike by chance; the default of `git blame -M`.
BLOCK = 20

# A commit of more files is not searched for where a line came from.
MOVED_AMONG = 40

# Two runs of lines whose lengths multiply to more are not compared (lines²): repeated lines make that quadratic, 1 s here.
COMPARED = 1_000_000

# Commits that are passed over for one line at most.
DEPTH = 30

# Where projects list the commits that only reformat, at the root of the repository.
IGNORE_FILE = ".git-blame-ignore-revs"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line is from: the commit, path and line in it, and (commit, why) of those passed over, newest first. No sha: uncommitted."""

    sha: str
    path: str
    line: int
    skipped: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Open:
    """A line that is still asked about: `at` is its place in the answer."""

    at: int
    line: int
    skipped: tuple[tuple[str, str], ...]


def blame(repository: Repository, path: str, live: str, first: int = 1, last: int | None = None, moves: bool = True) -> list[Origin]:
    """The origin of each line of `live`, the file's text now, from `first` to `last`.

    Without `moves`, white space is left to the engine (`-w`) and only listed commits are passed over: each commit that is passed
    over costs another walk through history, which a whole file of thousands of lines and commits cannot pay.
    """
    import pygit2

    rows = lines(live)
    last = min(last or len(rows), len(rows))
    found: list[Origin] = [Origin("", path, line) for line in range(first, last + 1)]
    if not repository.head:
        return found
    head = repository.git[repository.head].peel(pygit2.Commit)
    old = blob(repository, head, path)
    if old is None:
        return found
    asked = []
    back = _back(hunks(_text(old), live.encode(), ends=False))
    for at, line in enumerate(range(first, last + 1)):
        if (then := back(line)) is not None:
            asked.append(_Open(at, then, ()))
    ignored = ignored_revisions(repository)
    known: dict[str, _Moves] = {}
    waiting = [(repository.head, path, asked)] if asked else []
    while waiting:
        rev, place, group = waiting.pop()
        again: dict[tuple[str, str], list[_Open]] = {}
        for entry, (sha, origin, line) in zip(group, touched(repository, rev, place, [entry.line for entry in group], blanks=moves), strict=True):
            step = None
            if (moves or sha in ignored) and len(entry.skipped) < DEPTH:
                if sha not in known:
                    known[sha] = _Moves(repository, sha, sha in ignored)
                step = known[sha].source(origin, line)
            if step is None:
                found[entry.at] = Origin(sha, origin, line, entry.skipped)
            else:
                parent, source, number, why = step
                again.setdefault((parent, source), []).append(_Open(entry.at, number, (*entry.skipped, (sha, why))))
        waiting += [(parent, source, rest) for (parent, source), rest in again.items()]
    return found


def ignored_revisions(repository: Repository) -> frozenset[str]:
    """The commits that `.git-blame-ignore-revs` of the work tree, or of HEAD in a bare repository, lists in full."""
    import pygit2

    try:
        if repository.work:
            with open(os.path.join(repository.work, IGNORE_FILE), encoding="utf-8", errors="replace") as file:
                text = file.read(1 << 20)
        else:
            found = repository.git[repository.head].peel(pygit2.Tree)[IGNORE_FILE]
            text = found.data.decode("utf-8", "replace") if isinstance(found, pygit2.Blob) else ""
    except (OSError, KeyError, ValueError, pygit2.GitError):
        return frozenset()
    return frozenset(re.findall(r"^\s*([0-9a-f]{40}|[0-9a-f]{64})\b", text, re.MULTILINE))


def touched(repository: Repository, rev: str, path: str, asked: Sequence[int], blanks: bool = True) -> list[tuple[str, str, int]]:
    """(commit, path in it, line in it) of the last commit that touched each asked line of the file at `rev`; paths are the workspace's.

    Without `blanks` a change of white space does not touch a line.
    A path that may not surface ends the walk: the line then counts as from the commit that brought it in.
    """
    found = by_git(repository, rev, path, asked, blanks)
    if found is None:
        found = by_libgit2(repository, rev, path, asked, blanks)
    return [found.get(line, (rev, path, line)) for line in asked]


def by_git(repository: Repository, rev: str, path: str, asked: Sequence[int], blanks: bool = True) -> dict[int, tuple[str, str, int]] | None:
    ranges: list[str | bytes] = [] if blanks else ["-w"]
    for low, high in runs(asked):
        ranges += ["-L", f"{low},{high}"]
    out = repository.run(("blame", "--incremental", "--ignore-revs-file=", *ranges, rev, "--", os.fsencode(repository.outside(path))))
    if out is None:
        return None
    found: dict[int, tuple[str, str, int]] = {}
    sha, old, new, count = "", 0, 0, 0
    for row in out.split(b"\n"):
        if head := _HEAD.fullmatch(row):
            sha, old, new, count = head[1].decode(), int(head[2]), int(head[3]), int(head[4])
        elif row.startswith(b"filename "):
            origin = shown(repository, _unquote(row[9:]))
            for at in range(count):
                found[new + at] = (sha, origin or path, old + at)
    return found


_HEAD = re.compile(rb"([0-9a-f]{40,64}) (\d+) (\d+) (\d+)")


def _unquote(name: bytes) -> bytes:
    """A path as git prints it: in quotes with C escapes where it holds a quote, a backslash or a control character."""
    if not (name.startswith(b'"') and name.endswith(b'"') and len(name) > 1):
        return name
    letters = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
    return re.sub(rb"\\([0-7]{3}|.)", lambda m: bytes([int(m[1], 8)]) if len(m[1]) == 3 else letters.get(m[1], m[1]), name[1:-1])


def by_libgit2(repository: Repository, rev: str, path: str, asked: Sequence[int], blanks: bool = True) -> dict[int, tuple[str, str, int]]:
    """The same answer without git, slower: libgit2 walks all commits."""
    import pygit2
    from pygit2.enums import BlameFlag

    flags = BlameFlag.NORMAL if blanks else BlameFlag.IGNORE_WHITESPACE
    found: dict[int, tuple[str, str, int]] = {}
    name = repository.outside(path)
    for low, high in runs(asked):
        try:
            answer = repository.git.blame(name, flags, newest_commit=rev, min_line=low, max_line=high)
        except (pygit2.GitError, KeyError, ValueError, UnicodeEncodeError):
            continue
        for hunk in answer:
            origin = shown(repository, os.fsencode(hunk.orig_path)) if hunk.orig_path else None
            for at in range(hunk.lines_in_hunk):
                found[hunk.final_start_line_number + at] = (str(hunk.final_commit_id), origin or path, hunk.orig_start_line_number + at)
    return found


def runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of neighbours among numbers."""
    low = high = -1
    for number in sorted(set(numbers)):
        if number != high + 1:
            if low > 0:
                yield low, high
            low = number
        high = number
    if low > 0:
        yield low, high


def _text(data: bytes) -> bytes:
    decoded = decode(data)
    return decoded.source if decoded else data


def _squeezed(text: str) -> str:
    return "".join(text.split())


class _Moves:
    """What one commit did to lines: which of those that came are only reformatted or moved ones that went."""

    def __init__(self, repository: Repository, sha: str, ignored: bool) -> None:
        import pygit2

        self.repository = repository
        self.sha = sha
        self.ignored = ignored
        commit = repository.git[sha].peel(pygit2.Commit)
        # A merge chose between lines, and a commit without parents has nothing to move from.
        one = len(commit.parent_ids) == 1 and sha not in repository.shallow
        self.parent = str(commit.parent_ids[0]) if one else ""
        self._sources: dict[str, dict[int, tuple[str, int, str]]] = {}
        self._files: list[tuple[str, str, list[Hunk]]] | None = None

    def source(self, path: str, line: int) -> tuple[str, str, int, str] | None:
        """(parent, path, line, why) that a line really is from, or None where this commit gave it its text."""
        if not self.parent:
            return None
        if path not in self._sources:
            self._sources[path] = self._read(path)
        found = self._sources[path].get(line)
        return None if found is None else (self.parent, *found)

    def _read(self, path: str) -> dict[int, tuple[str, int, str]]:
        mine = next((row for row in self._changed() if row[0] == path), None)
        if mine is None:
            return {}
        _, old, own = mine
        found: dict[int, tuple[str, int, str]] = {}
        for hunk in own:
            for added, removed in _same(hunk.added, hunk.removed):
                found[hunk.new_start + added] = (old, hunk.old_start + removed, "white space")
            if self.ignored:
                _guess(hunk, old, found)
        went = [(place, row.old_start, row.removed) for _, place, rows in self._changed() for row in rows if row.removed]
        for hunk in own:  # after all hunks: a move may cross them
            rest = [at for at in range(len(hunk.added)) if hunk.new_start + at not in found]
            if sum(map(str.isalnum, "".join(hunk.added))) < BLOCK or not rest:
                continue
            for place, start, gone in went:
                for low, other, size in _blocks(hunk.added, gone):
                    for at in range(size):
                        if hunk.new_start + low + at not in found:
                            found[hunk.new_start + low + at] = (place, start + other + at, "moved" if place == old else f"moved from {place}")
        return found

    def _changed(self) -> list[tuple[str, str, list[Hunk]]]:
        """(path, path before, hunks) of each file that may surface; none for a commit of very many files."""
        if self._files is None:
            # One commit: starting git would cost more than it saves.
            rows = facts.by_libgit2(self.repository, self.sha) or []
            self._files = []
            for row in rows if len(rows) <= MOVED_AMONG or self.ignored else ():
                path, old = shown(self.repository, row.path), shown(self.repository, row.old) if row.old else None
                if path is None or (row.old and old is None) or row.added is None:
                    continue
                before, then = versions(self.repository, self.sha, path, old)
                self._files.append((path, old or path, hunks(_text(before or b""), _text(then or b""))))
        return self._files


def _same(added: Sequence[str], removed: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places of lines that are the same but for white space, in order; blank lines follow their neighbours."""
    if not added or not removed or len(added) * len(removed) > COMPARED:
        return
    matcher = SequenceMatcher(None, [_squeezed(row) for row in added], [_squeezed(row) for row in removed], autojunk=False)
    for block in matcher.get_matching_blocks():
        if any(_squeezed(row) for row in added[block.a : block.a + block.size]):
            yield from ((block.a + at, block.b + at) for at in range(block.size))


def _blocks(added: Sequence[str], removed: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """(place, place, length) of the runs that both hold, long enough to be a move."""
    if len(added) * len(removed) > COMPARED:
        return
    matcher = SequenceMatcher(None, [_squeezed(row) for row in added], [_squeezed(row) for row in removed], autojunk=False)
    for block in matcher.get_matching_blocks():
        if sum(map(str.isalnum, "".join(added[block.a : block.a + block.size]))) >= BLOCK:
            yield block.a, block.b, block.size


def _guess(hunk: Hunk, old: str, found: dict[int, tuple[str, int, str]]) -> None:
    """For a commit to be ignored, the rest of a hunk's lines are from the lines most like them, else from the same height."""
    then = [set(re.findall(r"\w+", row)) for row in hunk.removed]
    for at, row in enumerate(hunk.added):
        number = hunk.new_start + at
        if number in found or not hunk.removed:
            continue
        words = set(re.findall(r"\w+", row))
        alike = [(-len(words & others), abs(n * len(hunk.added) - at * len(hunk.removed)), n) for n, others in enumerate(then)]
        found[number] = (old, hunk.old_start + min(alike)[2], "listed to be ignored")
    for number in range(hunk.new_start, hunk.new_start + len(hunk.added)):
        if number in found:
            found[number] = (*found[number][:2], "listed to be ignored")


def _back(between: Sequence[Hunk]) -> Callable[[int], int | None]:
    """Leads from a line of the new version to that of the old one, or None where it is new."""
    starts = [(hunk.new_start if hunk.added else hunk.new_start + 1, len(hunk.added), len(hunk.removed)) for hunk in between]

    def place(line: int) -> int | None:
        moved = 0
        for start, added, removed in starts:
            if line < start:
                break
            if line < start + added:
                return None
            moved += removed - added
        return line + moved

    return place

"""Which files are in the workspace? One answer for every verb.

`rg --files` walks with git's ignore rules (nested, negated, `info/exclude`, global excludes); hidden files are in. On top
of it: `.iqignore` at the root takes files out, files that git tracks are in even where a pattern matches them, rules that
ripgrep reads otherwise than git are followed exactly (`ignores`), linked worktrees and whatever the floor holds back are
out, links are not followed.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from iq.errors import StorageError
from iq.floor.paths import floored
from iq.frozen import dataclass
from iq.index.command import rule_flags
from iq.index.ignores import Beyond, Look
from iq.index.rg import Ripgrep, files
from iq.index.root import NAME, find_git


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a workspace in path order, how many the floor held back, how many links git tracks, what was unreadable."""

    paths: tuple[str, ...]
    floored: int = 0
    links: int = 0
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """What narrows ripgrep's own walk: flags for it, a test for each path it prints, and a look at what it would get wrong."""

    flags: tuple[str, ...]
    keep: Callable[[str], bool]
    look: Look | None

    def misled(self, root: str, within: tuple[str, ...]) -> bool:
        """Whether ripgrep's walk of `within` is known not to do: outside of a repository it reads no ignore files above what it is given."""
        if self.look is None or self.look.exact_before:
            return self.look is not None
        return self.look.git is None and any(os.path.exists(os.path.join(root, folder, NAME)) for path in within for folder in _folders(path))

    def settle(self) -> Beyond:
        """What to add to ripgrep's walk or put in its place; waits for the look."""
        return self.look.settle() if self.look is not None else Beyond()


def rules(root: str, ignored: bool = False, cache: str | None = None) -> Rules:
    """The rules of the workspace at `root`; with `ignored`, only the floor and worktrees are left of them.

    `cache` is a file that remembers what the ignore files and git's index say for as long as they are unchanged.
    """
    git = find_git(root)
    worktrees = tuple(path + "/" for path in _worktrees(root, git))
    dropped = [] if ignored else _iqignore(root)

    def keep(path: str) -> bool:
        return not (worktrees and path.startswith(worktrees)) and not _dropped(path, dropped) and not floored(path)

    flags = rule_flags(git is not None, ignored)
    return Rules(flags, keep, None if ignored else Look(root, git, flags, cache))


def walk(root: str, ignored: bool = False, cache: str | None = None, note: bool = False) -> Tree:
    """Every file of the workspace; raises StorageError where the root itself cannot be read.

    With `note`, what the next look at the ignore files can be spared is remembered.
    """
    if not os.path.isdir(root):
        raise StorageError(f"workspace '{root}' is not a folder; name one with --root")
    chosen = rules(root, ignored, cache)
    run = Ripgrep(["--files", "--null", *chosen.flags, "--", root])
    cut = len(root.rstrip("/")) + 1
    found = {path[cut:].replace(os.sep, "/") for path in files(run, root)}
    beyond = chosen.settle()
    if note and chosen.look:
        chosen.look.note()
    if beyond.exact and chosen.look:
        found = set(chosen.look.listing())
    kept = {path for path in found if chosen.keep(path)}
    held = sum(1 for path in found - kept if floored(path))
    kept.update(path for path in beyond.extra if chosen.keep(path) and is_file(root, path))
    unreadable = tuple(line.removeprefix("rg: ").split(": ")[0] for line in run.errors.splitlines() if line.startswith("rg: "))
    return Tree(tuple(sorted(kept)), held, beyond.links, unreadable)


def _folders(path: str) -> list[str]:
    """The folders above a path, the root as `""`."""
    parts = path.split("/")
    return ["/".join(parts[:at]) for at in range(len(parts))]


def is_file(root: str, path: str) -> bool:
    """Whether a tracked path is there, and no link."""
    place = os.path.join(root, path)
    return os.path.isfile(place) and not os.path.islink(place)


def _worktrees(root: str, git: tuple[str, str] | None) -> list[str]:
    """Linked worktrees of the repository that lie inside the workspace: the same code a second time."""
    if git is None:
        return []
    common = git[1]
    try:
        with open(os.path.join(common, "commondir"), encoding="utf-8") as file:
            common = os.path.normpath(os.path.join(common, file.read().strip()))
    except OSError:
        pass
    found = []
    try:
        names = os.listdir(os.path.join(common, "worktrees"))
    except OSError:
        return []
    for name in sorted(names):
        try:
            with open(os.path.join(common, "worktrees", name, "gitdir"), encoding="utf-8", errors="surrogateescape") as file:
                place = os.path.dirname(file.read().strip())
        except OSError:
            continue
        inside = os.path.relpath(os.path.realpath(place), os.path.realpath(root))
        if inside != "." and not inside.startswith(".."):
            found.append(inside.replace(os.sep, "/"))
    return found


def _iqignore(root: str) -> list[tuple[bool, Callable[[str], object]]]:
    """The lines of `.iqignore` as (takes out, test), in file order; the last that fits decides, as in gitignore."""
    place = os.path.join(root, ".iqignore")
    if not os.path.isfile(place):
        return []  # a pipe would be waited for
    try:
        with open(place, encoding="utf-8", errors="surrogateescape") as file:
            rows = file.read().splitlines()
    except OSError:
        return []
    from iq.index.globs import glob

    found: list[tuple[bool, Callable[[str], object]]] = []
    for row in rows:
        row = row.strip()
        if row and not row.startswith("#"):
            found.append((not row.startswith("!"), glob(row.removeprefix("!")).fullmatch))
    return found


def _dropped(path: str, rows: list[tuple[bool, Callable[[str], object]]]) -> bool:
    out = False
    for takes_out, test in rows:
        if test(path):
            out = takes_out
    return out

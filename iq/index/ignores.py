"""What do the ignore files ask for that ripgrep would not do by itself?

Three things: files that git tracks are in though a pattern matches them; lines that ripgrep reads otherwise than git are
followed exactly; an exclude file that only the repository's own configuration names counts. Repositories inside of the workspace
have rules and tracked files of their own. The look at the ignore files is a ripgrep of its own that runs beside the search, so that
it costs no waiting.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence

from iq.frozen import dataclass
from iq.index import folders
from iq.index.kept import keep, recall, stamped
from iq.index.rg import Ripgrep, ignore_files
from iq.index.rg import files as listing
from iq.index.root import NAME, exclude_file, find_git

# Paths on one command line (bytes): Linux takes 2 MB with the environment, macOS 1 MB, Windows 32 kB.
COMMAND_BYTES = 200_000 if os.name != "nt" else 20_000

_LINK = 0o120000

_EXCLUDES = rb'(?im)^[ \t]*excludesfile[ \t]*=[ \t]*"?[ \t]*(\S+?)[ \t]*"?[ \t\r]*$'


@dataclass(frozen=True, slots=True)
class Beyond:
    """What to add to ripgrep's walk: tracked files it leaves out, how many links git tracks; `exact`: its walk will not do."""

    extra: tuple[str, ...] = ()
    links: int = 0
    exact: bool = False


class Look:
    """A look at the ignore files of a workspace, under way from the moment it is made until `settle`."""

    def __init__(self, root: str, git: tuple[str, str] | None, flags: Sequence[str], cache: str | None) -> None:
        """`git` is the work tree around `root` and its folder; `cache` remembers the outcome beside the stamps of what was read."""
        self.root, self.git, self.flags, self.cache = root, git, tuple(flags), cache
        self._settled: Beyond | None = None
        self._common, self._hidden = _excludes(git)
        self._kept = self._recall()
        # Whether the last look found that ripgrep's walk will not do; a search that trusts it saves one run, a search that does not is right too.
        self.exact_before = self._kept[1:2] == ["1"]
        self._began = time.time_ns()
        # The ignore files and what they held, where none can have come since.
        self._noted = folders.unchanged(self._folders, root) if cache and not self.exact_before else None
        self._run = None if self._noted else self._start()
        self._rules = ""
        self._files: list[str] = []

    def settle(self) -> Beyond:
        """Waits for the look to end."""
        if self._settled is None:
            self._settled = self._look()
        return self._settled

    def note(self) -> None:
        """Remembers the folders of the workspace, so that the next look need not list its ignore files; costs a walk through them."""
        worn = self._noted is not None and self._noted.read > folders.READ
        if self.cache and (self._run or worn) and not self.settle().exact:
            from iq.index import gitignore

            folders.note(self._folders, self.root, self._rules, self._files, gitignore.folders(self.root, self._tree(), self._common), self._began)

    def _start(self) -> Ripgrep:
        run = Ripgrep(ignore_files(self.flags, self.root))
        run.start()
        return run

    def _look(self) -> Beyond:
        self._files = self._noted.files if self._noted else []
        counted = self._counted(self._files)
        if not self._noted or self._noted.rules != stamps(counted):  # other rules lead to other folders
            self._run = self._run or self._start()
            self._files = sorted(os.path.dirname(path) if os.path.basename(path) == "HEAD" else path for path in listing(self._run, self.root))
            counted = self._counted(self._files)
        self._rules = stamps(counted)
        repositories = self._repositories()
        stamp = " ".join([self.root, stamps(os.path.join(folder, "index") for _, folder in repositories), self._rules])
        if self._kept[:1] == [stamp]:
            return Beyond(tuple(self._kept[3:]), int(self._kept[2]), self.exact_before)
        entries = [entry for git in repositories for entry in self._entries(*git)]
        # Git follows no link to an ignore file and ripgrep does; one that is not tracked is seen at the root and above it alone.
        linked = [os.path.join(self.root, path) for path, mode in entries if mode == _LINK and path.rpartition("/")[2] == NAME]
        linked += [os.path.join(self.root, NAME), *_above(self.root, self.git)]
        exact = self._hidden or not all(map(_plain, counted)) or any(map(os.path.islink, linked)) or self._overruled() or any(map(_unread, repositories))
        extra, links = self._tracked(entries, exact)
        self._remember((stamp, "1" if exact else "0", str(links), *extra))
        return Beyond(extra, links, exact)

    def _counted(self, files: Sequence[str]) -> list[str]:
        """The files whose lines count, those that lie outside of the workspace too."""
        rules = [path for path in files if not _is_git(path)]
        inside = [os.path.realpath(path) for path in files if _is_git(path) and os.path.lexists(path)]
        rules += [os.fsdecode(exclude_file(os.fsencode(path))) for path in inside]
        return [*rules, os.path.join(self.root, NAME), *_above(self.root, self.git), *self._common, *_own_exclude(self.git)]

    def _repositories(self) -> list[tuple[str, str]]:
        """The repository around the workspace and those inside, as work tree and git folder; linked worktrees of the first aside."""
        inside = [found for path in self._files if _is_git(path) and (found := find_git(os.path.dirname(path))) and os.path.lexists(path)]
        own = _own_exclude(self.git)
        return [*([self.git] if self.git else []), *(git for git in dict.fromkeys(inside) if _own_exclude(git) != own)]

    def _overruled(self) -> bool:
        """Whether a repository lies below an ignore file where there is none around: outside of git, ripgrep holds it against that file too."""
        inside = [os.path.dirname(path) + os.sep for path in self._files if _is_git(path)]
        rules = [os.path.dirname(path) + os.sep for path in self._files if not _is_git(path)]
        return self.git is None and any(top != folder and top.startswith(folder) for top in inside for folder in rules)

    @property
    def _folders(self) -> str:
        return f"{self.cache}-folders"

    def _tree(self) -> tuple[str, str]:
        """The work tree and its git folder; without a repository, the workspace as if it were one."""
        return self.git or (os.path.realpath(self.root), os.path.join(self.root, ".git"))

    def listing(self, within: Sequence[str] = ()) -> Iterator[str]:
        """Files that git's rules leave in, of the workspace or under the paths given, which themselves may be ignored."""
        from iq.index import gitignore

        for path in within or ("",):
            place = os.path.join(self.root, path)
            if path and not os.path.isdir(place):
                yield path
                continue
            prefix = path + "/" if path else ""
            for name in gitignore.listing(place, self._tree(), self._common):
                yield prefix + name

    def _entries(self, top: str, folder: str) -> list[tuple[str, int]]:
        """What the repository of a work tree tracks under the root, by path and mode."""
        if not os.path.exists(os.path.join(folder, "index")):
            return []
        import pygit2

        class Index(pygit2.Index):
            def __del__(self) -> None:
                if hasattr(self, "_index"):  # pygit2 1.21 frees what a damaged index never gave it
                    super().__del__()

        try:
            index = Index(os.path.join(folder, "index"))
            entries = [(entry.path, entry.mode) for entry in index]
        except (pygit2.GitError, OSError):
            return []  # an index git itself cannot read adds nothing
        root = os.path.realpath(self.root)
        if root != top and top.startswith(root.rstrip(os.sep) + os.sep):
            below = os.path.relpath(top, root).replace(os.sep, "/")
            return [(f"{below}/{path}", mode) for path, mode in entries]
        prefix = os.path.relpath(root, top).replace(os.sep, "/")
        prefix = "" if prefix == "." else prefix + "/"
        return [(path[len(prefix) :], mode) for path, mode in entries if path.startswith(prefix)]

    def _tracked(self, entries: Sequence[tuple[str, int]], exact: bool) -> tuple[tuple[str, ...], int]:
        """Files that git tracks although a pattern matches them, and the number of links it tracks."""
        tracked = {path for path, mode in entries if mode in (0o100644, 0o100755)}
        if not entries:
            return (), 0
        seen = set(self.listing() if exact else listed(self.root, self.flags))
        return tuple(sorted(tracked - seen)), sum(1 for _, mode in entries if mode == _LINK)

    def _recall(self) -> list[str]:
        kept = recall(self.cache) if self.cache else None
        return kept if kept is not None and len(kept) >= 3 and kept[2].isdigit() else []

    def _remember(self, kept: Sequence[str]) -> None:
        if self.cache:
            keep(self.cache, kept)


def listed(root: str, flags: Sequence[str]) -> Iterator[str]:
    """The files that ripgrep's own walk finds, under the root."""
    cut = len(root.rstrip("/")) + 1
    for path in listing(Ripgrep(["--files", "--null", *flags, "--", root]), root):
        yield path[cut:].replace(os.sep, "/")


def batches(paths: Sequence[str]) -> Iterator[list[str]]:
    """Paths in groups that fit on a command line."""
    group: list[str] = []
    size = 0
    for path in paths:
        size += len(os.fsencode(path)) + 1
        if group and size > COMMAND_BYTES:
            yield group
            group, size = [], len(os.fsencode(path)) + 1
        group.append(path)
    if group:
        yield group


def stamps(paths: Iterable[str]) -> str:
    """What changes whenever one of the files is written, replaced or gone, or what a link leads to, as an exclude file kept elsewhere."""
    return " ".join(f"{path} {stamped(path)} {stamped(os.path.realpath(path)) if os.path.islink(path) else ''}" for path in paths)


def _is_git(path: str) -> bool:
    return os.path.basename(path) == ".git"


def _unread(git: tuple[str, str]) -> bool:
    """Whether the exclude file of a repository counts and ripgrep does not find it: it knows linked worktrees, but no submodules."""
    if os.path.isdir(os.path.join(git[0], ".git")) or os.path.exists(os.path.join(git[1], "commondir")):
        return False
    from iq.index import gitignore

    return gitignore.has_rules(*_own_exclude(git))


def _plain(path: str) -> bool:
    from iq.index import gitignore

    try:
        with open(path, "rb") as file:
            return gitignore.plain(file.read())
    except OSError:
        return True


def _above(root: str, git: tuple[str, str] | None) -> Iterator[str]:
    """Ignore files of the folders between the top of the work tree and the root."""
    place = os.path.realpath(root)
    while git and place != git[0] and (parent := os.path.dirname(place)) != place:
        place = parent
        yield os.path.join(place, NAME)


def outside(root: str, git: tuple[str, str] | None) -> list[str]:
    """Ignore files that count in the workspace and may lie outside of it."""
    return [*_above(root, git), *_excludes(git)[0], *_own_exclude(git)]


def _own_exclude(git: tuple[str, str] | None) -> list[str]:
    """The exclude file of the repository, which its linked worktrees share."""
    return [os.fsdecode(exclude_file(os.fsencode(git[1])))] if git else []


def _excludes(git: tuple[str, str] | None) -> tuple[list[str], bool]:
    """The exclude file that holds for every repository, if there is one, and whether ripgrep does not know of it.

    Ripgrep reads the user's own configuration only, git that of the repository before it and that of the machine behind it.
    """
    home = os.path.expanduser("~")
    settings = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
    own = [os.path.join(os.path.dirname(os.path.dirname(exclude)), "config") for exclude in _own_exclude(git)]
    for path in (*own, os.path.join(home, ".gitconfig"), os.path.join(settings, "config"), "/etc/gitconfig"):
        try:
            with open(path, "rb") as file:
                text = file.read()
        except OSError:
            continue
        if b"excludesfile" not in text.lower():
            continue
        import re

        if found := re.findall(_EXCLUDES, text):
            return [os.path.expanduser(os.fsdecode(found[-1]))], path in own or path == "/etc/gitconfig"
    return [os.path.join(settings, "ignore")], False

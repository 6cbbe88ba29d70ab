"""Which git repository does a workspace belong to, and how is its history read?

libgit2 reads everything; a git binary is asked for the same facts where that is faster. Both only read: no hook, filter,
textconv or fetch ever runs. A linked worktree, a submodule, a detached head and a bare folder are repositories like any other;
an empty one has no head.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from iq.errors import ToolError, UsageError
from iq.floor.paths import floored
from iq.index.root import find_git

if TYPE_CHECKING:
    import pygit2

# Settings of a repository or a person that would change what git prints, or make it run something.
_PLAIN = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false", "-c", "diff.noprefix=false", "-c", "color.ui=never",
    "-c", "core.attributesFile=/dev/null", "-c", "log.showSignature=false", "-c", "diff.indentHeuristic=false",
)  # fmt: skip


@dataclass(frozen=True)
class Repository:
    """`prefix` is the workspace's folder inside the repository, with a `/` at its end, or empty; `work` is empty for a bare one."""

    git: pygit2.Repository
    root: str
    work: str
    prefix: str

    @cached_property
    def head(self) -> str:
        """The commit that is checked out, or empty where there is none yet. Raises ToolError where HEAD cannot be read."""
        import pygit2

        try:
            return "" if self.git.head_is_unborn else str(self.git.head.peel(pygit2.Commit).id)
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise ToolError(f"HEAD of '{self.git.path}' cannot be read: {error}; `git fsck` tells more") from error

    @cached_property
    def common(self) -> str:
        """The folder of the objects, which linked worktrees share."""
        try:
            with open(os.path.join(self.git.path, "commondir"), encoding="utf-8") as file:
                return os.path.normpath(os.path.join(self.git.path, file.read().strip()))
        except OSError:
            return self.git.path

    @cached_property
    def shallow(self) -> frozenset[str]:
        """Commits whose parents a shallow clone has cut off."""
        try:
            with open(os.path.join(self.common, "shallow"), encoding="ascii") as file:
                return frozenset(file.read().split())
        except (OSError, UnicodeDecodeError):
            return frozenset()

    @cached_property
    def partial(self) -> bool:
        """Whether objects were left on a server: git would go and fetch them, libgit2 says that they are missing."""
        names = {entry.name.lower() for entry in self.git.config}
        return "extensions.partialclone" in names or any(name.startswith("remote.") and name.endswith(".promisor") for name in names)

    @cached_property
    def binary(self) -> str:
        """The git binary, or empty: `IQ_GIT_PATH` names one or, when empty, turns it off; a partial clone is never given to it."""
        if self.partial:
            return ""
        given = os.environ.get("IQ_GIT_PATH")
        return (shutil.which("git") if given is None else given and shutil.which(given)) or ""

    def inside(self, raw: bytes) -> str | None:
        """A path of the repository as one of the workspace, or None where it lies outside of it."""
        path = os.fsdecode(raw)
        return path[len(self.prefix) :] if path.startswith(self.prefix) else None

    def outside(self, path: str) -> str:
        """A path of the workspace as one of the repository."""
        return self.prefix + path

    def run(self, words: Sequence[str | bytes], stdin: bytes = b"") -> bytes | None:
        """What git prints for `words`, or None where there is no git or it failed: the caller then asks libgit2."""
        if not self.binary:
            return None
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment |= {"LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
        environment |= {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_LITERAL_PATHSPECS": "1"}
        place = ["--git-dir", self.git.path, *(["--work-tree", self.work] if self.work else [])]
        try:
            done = subprocess.run([self.binary, *place, *_PLAIN, *words], input=stdin, capture_output=True, check=False, env=environment, cwd=self.work or None)
        except OSError:
            return None
        return done.stdout if done.returncode == 0 else None


def open_repository(root: str) -> Repository | None:
    """The repository around a workspace, or None outside of any. Raises ToolError for one that cannot be read."""
    found = find_git(root)
    place = found[0] if found else root if _bare(root) else ""
    if not place:
        return None
    import pygit2

    # libgit2 runs nothing that a repository's owner could have planted, so a foreign owner is no reason to refuse.
    pygit2.option(pygit2.enums.Option.SET_OWNER_VALIDATION, 0)
    try:
        git = pygit2.Repository(place)
    except (pygit2.GitError, KeyError, ValueError) as error:
        raise ToolError(f"the repository of '{place}' cannot be opened: {error}; history needs a repository that libgit2 reads") from error
    if found is None or git.is_bare:
        return Repository(git, root, "", "")
    prefix = os.path.relpath(os.path.realpath(root), os.path.realpath(place)).replace(os.sep, "/")
    return Repository(git, root, place, "" if prefix == "." else prefix + "/")


def needed(root: str) -> Repository:
    """The repository around a workspace; raises UsageError outside of any."""
    found = open_repository(root)
    if found is None:
        raise UsageError(f"'{root}' is in no git repository, so it has no history; name one with --root")
    return found


def shown(repository: Repository, raw: bytes) -> str | None:
    """A path of the repository as one that may surface: of the workspace and not floored; else None."""
    path = repository.inside(raw)
    # The whole path is judged: the workspace may be a folder inside a secret one.
    return None if path is None or floored(path) or floored(os.fsdecode(raw)) else path


def _bare(root: str) -> bool:
    return os.path.isfile(os.path.join(root, "HEAD")) and os.path.isdir(os.path.join(root, "objects")) and os.path.isdir(os.path.join(root, "refs"))

"""Where is the workspace, and where does its index live?"""

from __future__ import annotations

import os

from iq.errors import StorageError, UsageError
from iq.frozen import dataclass
from iq.index.root import around

# The format of the index, part of its file name: two versions of iq at work on one tree never touch each other's.
SCHEMA_VERSION = 10

# What SQLite keeps in the file to tell whose it is: "iqIX".
APPLICATION_ID = 0x69714958


@dataclass(frozen=True, slots=True)
class Workspace:
    """`root` is absolute; `local` holds the index and caches, under the root or, where that is read-only, the user's cache."""

    root: str
    local: str

    @property
    def database(self) -> str:
        return os.path.join(self.local, f"index-{SCHEMA_VERSION}.db")

    @property
    def tracked(self) -> str:
        """Cache file of walk.rules."""
        return os.path.join(self.local, "tracked")


def find(start: str, given: str | None = None) -> Workspace:
    """The workspace of a folder: `given`, else IQ_ROOT, else the nearest parent with `.iq/` or a git work tree, else itself."""
    named = given or os.environ.get("IQ_ROOT")
    if named:
        root = os.path.abspath(named)
        if not os.path.isdir(root):
            raise UsageError(f"workspace root '{named}' is not a folder; give one with --root or unset IQ_ROOT")
    else:
        root = around(start)
    return Workspace(root, _local(root))


def _local(root: str) -> str:
    inside = os.path.join(root, ".iq", "local")
    if os.path.isdir(inside) and os.access(inside, os.W_OK):
        return inside
    existing = next(place for place in (os.path.join(root, ".iq"), root) if os.path.isdir(place))
    if os.access(existing, os.W_OK):
        return inside
    from hashlib import blake2b

    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "iq", blake2b(os.fsencode(root), digest_size=8).hexdigest())


def prepare(workspace: Workspace) -> None:
    """Makes the local folder, which ignores itself; raises StorageError where that fails."""
    try:
        os.makedirs(workspace.local, exist_ok=True)
        ignore = os.path.join(workspace.local, ".gitignore")
        if not os.path.exists(ignore):
            with open(ignore, "w", encoding="utf-8") as file:
                file.write("*\n")
    except OSError as error:
        raise StorageError(f"index folder '{workspace.local}' cannot be written: {error.strerror}; set XDG_CACHE_HOME or free space") from error

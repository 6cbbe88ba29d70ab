"""Where do the engine of a workspace and its clients meet? A folder of the user's own, and in it a name made of the workspace's path.

    <name>.sock   the Unix socket, where those exist and the path is short enough for one
    <name>.port   else: the port on loopback and a token that every request must show
    <name>.lock   held by the engine for as long as it lives
    <name>.spawn  touched when an engine is started, so that fifty first calls start one

Part of the thin client's way: nothing is imported here that the interpreter has not loaded anyway, but for a hash.
"""

import os
import sys

# A socket's path is at most 108 bytes on Linux, 104 on macOS, with the final NUL.
PATH_BYTES = 100

# The folder that holds the package: two installations of one version are two.
HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def folder() -> str:
    """`IQ_RUNTIME_DIR`, else `iq` in the runtime folder of the session, else one of the user's own in the temporary folder."""
    given = os.environ.get("IQ_RUNTIME_DIR")
    if given:
        return os.path.abspath(given)
    session = os.environ.get("XDG_RUNTIME_DIR")
    if session and os.path.isdir(session):
        return os.path.join(session, "iq")
    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return os.path.join(os.environ.get("TMPDIR") or os.environ.get("TEMP") or "/tmp", f"iq-{user}")


# What of the environment changes an answer, besides IQ_*; and what of IQ_* each call brings, or only says where.
_SETTINGS = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "TZ")
_OWN = ("IQ_FEATURES", "IQ_ROOT", "IQ_RESIDENT", "IQ_RUNTIME_DIR", "IQ_IDLE_SECONDS")


def settings() -> dict[str, str]:
    """What of this process's environment an engine must share to give its answers."""
    return {name: value for name, value in os.environ.items() if name in _SETTINGS or (name.startswith("IQ_") and name not in _OWN)}


def private(path: str) -> bool:
    """Whether a folder is there, is no link, and nobody else can look into it: what lies in another's folder is not trusted."""
    try:
        stat = os.lstat(path)
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return os.path.isdir(path)
    return stat.st_mode & 0o170000 == 0o040000 and stat.st_uid == os.getuid() and not stat.st_mode & 0o077


def meeting(root: str) -> str:
    """The path that all files of a workspace's engine begin with."""
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return os.path.join(folder(), blake2b(os.fsencode(os.path.realpath(root)), digest_size=8).hexdigest())


def sockets(meeting: str) -> bool:
    """Whether a Unix socket can stand at this place; else loopback serves."""
    return sys.platform != "win32" and len(os.fsencode(meeting)) + 5 <= PATH_BYTES

"""Starting an engine behind the caller's back: detached, at most one, never from the folder that is searched."""

from __future__ import annotations

import os
import sys
import time

from iq.errors import IqError
from iq.host import place
from iq.host.client import SPAWN_SECONDS, Away, connect
from iq.index.workspace import find

# Workspaces whose engine this process has started: `iq serve start` does so before it is parsed, and tells afterwards.
_started: set[str] = set()

# The socket stands before the parser, the verbs and the index are imported.
CODE = (
    f"import sys; sys.path[0] = {place.HOME!r}; from iq.host.server import main\n"
    "def opened():\n from iq.cli import opened\n return opened(sys.argv[1])\n"
    "main(sys.argv[1], opened)"
)


def start(root: str) -> bool:
    """Starts the engine of a workspace unless one answers, was started a moment ago, or there is no index; whether it did."""
    if root in _started:
        return True
    started = _start(root)
    if started:
        _started.add(root)
    return started


def _start(root: str) -> bool:
    try:
        if not os.path.exists(find(root, root).database) or not claim(root):
            return False
    except (IqError, OSError):
        return False
    words = [sys.executable, "-c", CODE, root]
    log = place.meeting(root) + ".log"
    if hasattr(os, "posix_spawn"):
        nothing = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in (0, 1)]
        nothing.append((os.POSIX_SPAWN_OPEN, 2, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        try:
            os.posix_spawn(sys.executable, words, os.environ, file_actions=nothing, setsid=True)
            return True
        except (NotImplementedError, OSError):
            pass
    import subprocess

    with open(log, "wb") as sink:
        subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=sink, start_new_session=True)
    return True


def claim(root: str) -> bool:
    """Whether this caller is to start the engine: none answers and nobody tried within SPAWN_SECONDS."""
    meeting = place.meeting(root)
    os.makedirs(os.path.dirname(meeting), 0o700, exist_ok=True)
    if not place.private(os.path.dirname(meeting)):
        return False
    try:
        link, _ = connect(root)
        link.close()
        return False
    except Away:
        pass
    mark = meeting + ".spawn"
    try:
        if time.time() - os.stat(mark).st_mtime < SPAWN_SECONDS:
            return False
        os.unlink(mark)
    except FileNotFoundError:
        pass
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True

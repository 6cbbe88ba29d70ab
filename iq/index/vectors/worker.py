"""The process that embeds behind a query: detached, at low priority, one a workspace. `python -m iq.index.vectors.worker ROOT`."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from iq.index.workspace import Workspace

# A worker that failed is not started again for this long (s): the cause is seldom gone by the next question.
PAUSE = 60

# Lowest priority there is: whatever else runs goes first.
NICE = 19

# How often a worker that is done looks whether a query has indexed something meanwhile, and the wait between (s).
LOOKS = 3
WAIT = 1.0


def log(workspace: Workspace) -> str:
    """The file that says why the last worker failed; empty after one that did not."""
    return os.path.join(workspace.local, "embed.log")


def failure(workspace: Workspace) -> str:
    """Why the last worker failed, empty where it did not."""
    try:
        with open(log(workspace), encoding="utf-8", errors="replace") as file:
            rows = file.read().strip().splitlines()
    except OSError:
        return ""
    return rows[-1] if rows else ""


def start(workspace: Workspace) -> bool:
    """Starts a worker unless IQ_EMBED is 0, one runs, or one failed a moment ago; whether it did. Never waits, never raises."""
    if os.environ.get("IQ_EMBED") == "0":
        return False
    try:
        if failure(workspace) and time.time() - os.path.getmtime(log(workspace)) < PAUSE:
            return False
        with _alone(workspace) as free:
            if not free:
                return False
        with open(log(workspace), "wb") as sink:
            # In the folder of iq itself: `-m` looks in the current one first, and what lies in a workspace must never run.
            subprocess.Popen(
                [sys.executable, "-m", "iq.index.vectors.worker", workspace.root, workspace.local],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=sink, start_new_session=True, cwd=_home(),
            )  # fmt: skip
    except OSError:
        return False
    return True


def running(workspace: Workspace) -> bool:
    """Whether a worker holds the workspace."""
    try:
        with _alone(workspace) as free:
            return not free
    except OSError:
        return False


class _alone:
    """The worker's lock, held while the block runs; yields whether it was free."""

    def __init__(self, workspace: Workspace) -> None:
        self._path = os.path.join(workspace.local, "embed.lock")

    def __enter__(self) -> bool:
        self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            import fcntl

            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows
            import msvcrt

            try:
                msvcrt.locking(self._handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
            except OSError:
                return False
        except BlockingIOError:
            return False
        return True

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)


def _home() -> str:
    """The folder that holds the package."""
    import iq

    return os.path.dirname(os.path.dirname(os.path.abspath(iq.__file__)))


def main(root: str, local: str) -> int:
    """Embeds until nothing waits; 1 with one line on stderr where that fails."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    workspace = Workspace(root, local)
    with _alone(workspace) as free:
        if not free:
            return 0
        import apsw

        from iq.errors import IqError
        from iq.index.vectors.embed import embed
        from iq.index.vectors.table import VectorsUnavailable
        from iq.models.embedder import load
        from iq.models.files import ModelError

        try:
            embedder = load(threads=max(1, (os.cpu_count() or 2) - 1))
            for look in range(LOOKS):
                embed(workspace, embedder)
                if look < LOOKS - 1:
                    time.sleep(WAIT)
        except (IqError, ModelError, VectorsUnavailable, apsw.Error, OSError) as error:
            print(f"{error or type(error).__name__}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))

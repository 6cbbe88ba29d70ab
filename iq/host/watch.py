"""Has anything changed since the last look? Events are hints: what they say leads to a look at the tree, never to a conclusion about a file.

Before each answer a cookie is written into the workspace's own folder and waited for. Events come in order, so when it has
come, so has everything before it (.3 ms); where it does not come, the tree is looked at.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from typing import Protocol

from iq.index.ignores import outside, stamps
from iq.index.root import find_git

# The cookie comes behind all events before it, so behind those of a whole checkout; longer than this (ms) it is not waited for. The first one has longer.
COOKIE_MS = 200
FIRST_MS = 2000

# One wait (ms). watchfiles empties its list when a wait ends without an event, and what came in that very moment is lost (4 of 150 cookies at 3 ms on a
# busy machine): so a wait is long against the .3 ms that a cookie takes, and one that ends in vain means a look. It is waited for awake, since the
# shortest sleep makes 2.6 ms of it.
AWAKE_MS = 25

# What changes without an event (a file mapped into memory, something mounted over a folder) is found after this long at the latest (s).
TRUST = 30.0

# Where others can change files without this machine's kernel hearing of it, or events are known to go missing.
REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "vboxsf", "overlay", "afs", "ceph", "glusterfs", "lustre", "drvfs", "fuse"})


class Events(Protocol):
    """What watchfiles offers: changes as (kind, path), or a word where there are none."""

    def watch(self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: None) -> object: ...


class Watcher:
    """The events of one workspace. `mode` says how changes are found, `changed` whether there were any since `seen`."""

    def __init__(self, root: str, local: str, make: Callable[[str], Events] | None = None) -> None:
        self.root, self.local = os.path.realpath(root), os.path.realpath(local)
        self._cookie = ""
        self._cookies = 0
        self._events: Events | None = None
        self._dirty, self._looked, self._count = True, 0.0, 0
        self.heard = time.monotonic()
        self._outside = self._signature()
        self.mode = "looking at each question: the index lies outside of the workspace"
        if not self.local.startswith(self.root.rstrip(os.sep) + os.sep):
            return
        if kind := remote(self.root):
            self.mode = f"looking at each question: events are not to be relied on ({kind})"
            return
        try:
            self._events = make(self.root) if make else _native(self.root, self.local)
        except Exception as error:  # an OSError, a type of watchfiles, or one for a library that is not installed
            self.mode = f"looking at each question: no events ({str(error).splitlines()[0][:100] if str(error) else type(error).__name__})"
            return
        self.mode = "events"
        until = time.monotonic() + FIRST_MS / 1000
        while not (come := self._settle()) and time.monotonic() < until:
            pass
        if not come:
            self._events = None
            self.mode = "looking at each question: no events come"

    def changed(self) -> bool:
        """Whether anything may have changed since `seen` was called last."""
        outside = self._signature()
        if outside != self._outside:
            self._outside, self._dirty = outside, True
        if self._events is None or time.monotonic() - self._looked > TRUST or not self._settle():
            self._dirty = True
        return self._dirty

    def seen(self) -> None:
        """Notes that the tree is looked at from now on: what comes later is a change."""
        self._dirty, self._looked = False, time.monotonic()

    def drain(self) -> bool:
        """Takes what events there are, without waiting; whether the workspace has changed and been quiet since the last call."""
        if self._events is None:
            return False
        before = self._count
        self._take(1)
        return self._dirty and before == self._count

    def close(self) -> None:
        self._events = None

    def _settle(self) -> bool:
        """Waits until every event up to now has come; False where that cannot be known."""
        # A name of its own each time: making one file is several events, and the last of them may come after the next question.
        self._cookies += 1
        self._cookie = os.path.join(self.local, f"cookie-{os.getpid()}-{self._cookies}")
        try:
            os.close(os.open(self._cookie, os.O_CREAT | os.O_WRONLY, 0o600))
        except OSError:
            return False  # a full disk, a folder that is gone
        try:
            until = time.monotonic() + COOKIE_MS / 1000
            while (come := self._take(AWAKE_MS, 0)) is False and time.monotonic() < until:
                pass
        finally:
            with contextlib.suppress(OSError):
                os.unlink(self._cookie)
        return bool(come)

    def _take(self, timeout: int, step: int = 1) -> bool | None:
        """Reads one group of events, looking every `step` ms; whether the cookie is among them, None where none came in time."""
        if self._events is None:
            return None
        try:
            found = self._events.watch(1, step, timeout, None)
        except Exception:  # the watching thread has died: from now on without events
            self._events, self.mode = None, "looking at each question: events have ended"
            return None
        if not isinstance(found, set):
            return None
        come = False
        inside = self.local + os.sep
        for _, path in found:
            if path == self._cookie:
                come = True
            elif not path.startswith(inside) and path != self.local:
                self._dirty = True
                self._count += 1
                self.heard = time.monotonic()
        return come

    def _signature(self) -> tuple[object, ...]:
        """State of the files outside of the workspace that decide which of its files count."""
        home = os.path.expanduser("~")
        settings = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
        paths = [os.path.join(home, ".gitconfig"), os.path.join(settings, "config"), os.path.join(settings, "ignore"), "/etc/gitconfig"]
        git = find_git(self.root)
        if git:
            paths += [os.path.join(git[1], name) for name in ("index", "HEAD", "config")]
        paths += outside(self.root, git)
        # With the paths: a configuration that comes to name another exclude file is a change.
        return git, stamps(paths)


def _native(root: str, local: str) -> Events:
    if sys.platform == "linux":
        from iq.host.inotify import Tree

        return Tree(root, local)
    from watchfiles._rust_notify import RustNotify

    return RustNotify([root], False, False, 300, True, True)


def remote(root: str, table: str = "/proc/self/mountinfo") -> str:
    """The kind of file system under a folder where it is one of REMOTE, else empty. Mounts inside of the folder count too."""
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as file:
            rows = [row.split() for row in file]
    except OSError:
        return ""
    best, found = "", ""
    for row in rows:
        at = row[4].replace("\\040", " ") if len(row) > 6 else ""
        if "-" not in row or not at:
            continue
        kind = row[row.index("-") + 1]
        far = kind if kind in REMOTE or kind.startswith("fuse.") else ""
        prefix = at.rstrip("/") + "/"
        if (root + "/").startswith(prefix) and len(at) >= len(best):
            best, found = at, far
        elif prefix.startswith(root.rstrip("/") + "/") and far:
            return far
    return found

"""One engine that stays: what it keeps from call to call, and when it looks at the tree again. One caller at a time."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from iq.errors import IqError
from iq.frozen import replace
from iq.host.watch import Watcher
from iq.index.session import Session
from iq.index.workspace import prepare
from iq.types import Call, Reply

Answering = Callable[[Call], Reply]


class Gone(Exception):
    """The workspace was moved or deleted under the engine."""


class Resident:
    """A session that is kept level; `answering` makes replies with it. Not safe for two threads at a time."""

    def __init__(self, session: Session, answering: Answering, watcher: Watcher | None = None, later: bool = False) -> None:
        """With `later`, files are watched from `warm` on; a call before that looks at the tree."""
        self.session, self._answering = session, answering
        with contextlib.suppress(IqError):  # a call that needs the index says so
            prepare(session.workspace)
        self.watcher = watcher or (None if later else Watcher(session.root, session.workspace.local))
        self._root = _identity(session.root)
        self.answered = 0
        self.looked = 0

    def answer(self, call: Call) -> Reply:
        """The reply to a call, from a tree that is as it is now. Raises Gone, or InputWanted as the answering function does."""
        self._attend(call.cwd)
        self.answered += 1
        return self._answering(replace(call, host="by the resident engine") if call.host == "in process" else call)

    def rest(self) -> bool:
        """Between calls: brings the index level where files have changed and it has become quiet; whether it did. Raises Gone."""
        if _identity(self.session.root) != self._root:
            raise Gone(self.session.root)
        if self.watcher is None or not self.watcher.drain():
            return False
        self._attend(self.session.cwd)
        try:
            self.session.level()
        except IqError:
            return False  # the next caller meets it, and is told
        return True

    def warm(self) -> None:
        """Watches the files, opens the index and brings it level."""
        self.watcher = self.watcher or Watcher(self.session.root, self.session.workspace.local)
        self._attend(self.session.cwd)
        self.session.level()

    def _attend(self, cwd: str) -> None:
        if _identity(self.session.root) != self._root:
            raise Gone(self.session.root)
        changed = self.watcher is None or self.watcher.changed()
        if self.session.attend(cwd, not changed):
            self.looked += 1
        if changed and self.watcher:
            # From here on, since a change during the look may or may not be seen by it.
            self.watcher.seen()


def _identity(root: str) -> tuple[int, int]:
    try:
        stat = os.stat(root)
    except OSError:
        return 0, 0
    return stat.st_dev, stat.st_ino


def memory() -> int:
    """Resident memory of this process in bytes, 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0

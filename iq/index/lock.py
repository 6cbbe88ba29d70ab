"""One writer at a time: a lock file that the operating system releases when its holder dies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from iq.errors import IndexBusyError


@contextmanager
def writing(path: str, wait: bool) -> Iterator[None]:
    """Holds the writer's lock. Without `wait`, raises IndexBusyError at once where another process has it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except ImportError:  # Windows
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except BlockingIOError as error:
            raise IndexBusyError("another iq is bringing the index level") from error
        yield
    finally:
        os.close(handle)

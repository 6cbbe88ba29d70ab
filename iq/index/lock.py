"""One writer at a time: a lock file that the operating system releases when its holder dies."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from iq.errors import IndexBusyError


@contextmanager
def writing(path: str, wait: bool, patience: float = 0.0) -> Iterator[None]:
    """Holds the writer's lock. Without `wait`, raises IndexBusyError where another process has it for longer than `patience` seconds."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            import fcntl

            until = time.monotonic() + patience
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
                    break
                except BlockingIOError:
                    if time.monotonic() >= until:
                        raise
                    time.sleep(0.01)
        except ImportError:  # Windows
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except BlockingIOError as error:
            raise IndexBusyError("another iq is bringing the index level") from error
        yield
    finally:
        os.close(handle)

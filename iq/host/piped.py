"""The question on stdin: a trace is long, and quoting it for a shell is painful."""

from __future__ import annotations

import sys

from iq.plan.classify import MAX_PASTE


def read() -> bytes:
    """As much of stdin as a question may hold, and one byte more, so that what is beyond is said to be cut."""
    if sys.stdin.isatty():
        sys.stderr.write("iq: reading the question from the terminal; end it with Ctrl-D\n")
    return sys.stdin.buffer.read(4 * MAX_PASTE + 1)  # a letter takes up to four bytes

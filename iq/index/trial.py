"""Does a grammar survive this source? Asked of another process, so that only that one ends.

`python -m iq.index.trial` reads a row `LANGUAGE LENGTH` and so many bytes, parses them, and writes a row; it ends with its input. One
such process serves a process of iq from the first source that needs it on.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from threading import Timer

# A source is given up after this (seconds of wall time; once, and again per MB): the parser's own limit is not looked at inside of a
# scanner, and error recovery can take minutes there.
SECONDS = 10.0

# Answers kept: an open file is parsed again for each question about it.
KEPT = 256

_process: subprocess.Popen[bytes] | None = None
_owner = 0


@lru_cache(maxsize=KEPT)
def survives(language: str, source: bytes) -> bool:
    """Whether parsing ends, in time and without ending its process."""
    process = _started()
    if process is None or process.stdin is None or process.stdout is None:
        return False
    timer = Timer(SECONDS * (1 + len(source) / 1_000_000), process.kill)
    timer.start()
    try:
        process.stdin.write(b"%s %d\n" % (language.encode(), len(source)) + source)
        process.stdin.flush()
        alive = process.stdout.readline() == b"parsed\n"
    except OSError:
        alive = False
    finally:
        timer.cancel()
        timer.join()  # whoever counts threads before a fork counts none of ours
    if not alive:
        _end()
    return alive


def _started() -> subprocess.Popen[bytes] | None:
    """The process, started if there is none; one that was there before a fork belongs to the parent."""
    global _process, _owner
    if _process is not None and _owner == os.getpid() and _process.poll() is None:
        return _process
    try:
        # In the folder of iq itself: `-m` looks in the current one first, and what lies in a workspace must never run.
        command = [sys.executable, "-m", "iq.index.trial"]
        _process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=_home())
    except OSError:
        return None
    _owner = os.getpid()
    return _process


def _end() -> None:
    global _process
    if _process is not None:
        _process.kill()
        _process.wait()
        for pipe in (_process.stdin, _process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what it was still to be sent
                    continue
    _process = None


def _home() -> str:
    """The folder that holds the package."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main() -> int:
    from tree_sitter import Parser

    from iq.index.trees import grammar, read

    while row := sys.stdin.buffer.readline():
        language, length = row.split()
        read(Parser(grammar(language.decode())), sys.stdin.buffer.read(int(length)))
        sys.stdout.buffer.write(b"parsed\n")
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What is worth remembering between calls, in small files of the local folder: stamps of files, and lists that are kept whole or not at all."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# A file changed this shortly before a look may change again under the same time stamp (ns); twice what FAT's clock takes.
RACY_NS = 4_000_000_000

# Stands at the end of what is kept, which a full disk may cut; no path ends in a slash.
_WHOLE = "whole/"


def keep(place: str, parts: Iterable[str]) -> None:
    """Replaces the list kept in a file in one step, or leaves it, where the folder cannot be written: then the next call looks again."""
    own = f"{place}-{os.getpid()}"
    try:
        with open(own, "wb") as file:
            file.write(os.fsencode("\0".join((*parts, _WHOLE))))
        os.replace(own, place)
    except OSError:
        pass


def recall(place: str) -> list[str] | None:
    """The list that `keep` was given last; None where there is none or not all of it."""
    try:
        with open(place, "rb") as file:
            parts = os.fsdecode(file.read()).split("\0")
    except OSError:
        return None
    return parts if parts.pop() == _WHOLE else None


def stamped(full: str) -> str:
    """What changes whenever a file is written or replaced; `gone` where there is none."""
    try:
        stat = os.lstat(full)
    except OSError:
        return "gone"
    return f"{stat.st_mode} {stat.st_ino} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"

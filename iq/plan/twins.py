"""Which files say the same as another, and which of them speaks for both?

A platform copy (`win/pipe.c` beside `unix/pipe.c`, `fs_windows.go` beside `fs_unix.go`) and an older version (`v3/` beside
`v4/`) match a question as well as their twin does. Unless the question names one, the twin stands for both.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from iq.index.store import About

# What the copy that nobody asked for is worth. Set on the semble and commitloc sets: flat from .7 to .85.
PLATFORM_COPY = 0.8
OLDER_VERSION = 0.6

# Copies share the terms of their top-level names to this part (Jaccard), if they have as many.
ALIKE = 0.9
LEAST_NAMES = 5

# Names of platforms in folders and file suffixes; the first family stands for the second where both are there.
POSIX = ("unix", "posix", "linux", "nix", "notwin", "other", "others")
WINDOWS = ("win", "windows", "win32", "w32", "nt")
_PLATFORM = re.compile(rf"(?:^|(?<=[/._-]))(?:{'|'.join(WINDOWS)})(?=[/.])", re.IGNORECASE)
_VERSION = re.compile(r"(?:^|(?<=/))v(\d{1,3})(?=/)", re.IGNORECASE)

# Higher versions that are looked for beside one.
_AHEAD = 3


def platform_twins(path: str) -> list[str]:
    """Paths that would make this one the Windows copy: the platform named POSIX, or, as a suffix, not named at all."""
    found = []
    for hit in _PLATFORM.finditer(path):
        before, after = path[: hit.start()], path[hit.end() :]
        found += [before + name + after for name in POSIX]
        if before and before[-1] in "._-":
            found.append(before[:-1] + after)
    return found


def newer_folders(path: str) -> list[str]:
    """Folders, ending in `/`, that would make this path an older version."""
    found = []
    for hit in _VERSION.finditer(path):
        letter = hit.group()[0]
        found += [f"{path[: hit.start()]}{letter}{int(hit.group(1)) + step}/" for step in range(1, _AHEAD + 1)]
    return found


def leaders(ranked: Sequence[str], about: Mapping[str, About]) -> dict[str, str]:
    """path -> the better ranked file that it copies: the same bytes, or the same file name and nearly the same names defined."""
    found: dict[str, str] = {}
    by_hash: dict[bytes, str] = {}
    by_name: dict[str, list[str]] = {}
    for path in ranked:
        file = about[path]
        if file.hash and file.hash in by_hash:
            found[path] = by_hash[file.hash]
            continue
        rivals = by_name.setdefault(path.rpartition("/")[2], [])
        leader = next((rival for rival in rivals if _alike(file.names, about[rival].names)), None)
        if leader is not None:
            found[path] = leader
            continue
        rivals.append(path)
        if file.hash:
            by_hash[file.hash] = path
    return found


def _alike(left: frozenset[str], right: frozenset[str]) -> bool:
    return min(len(left), len(right)) >= LEAST_NAMES and len(left & right) >= ALIKE * len(left | right)


def factors(paths: Iterable[str], words: Collection[str], files: Collection[str], folders: Collection[str]) -> Mapping[str, float]:
    """path -> what a copy is worth beside its twin; only those below 1.

    `words` are the question's, lower case; `files` and `folders` those candidates of `platform_twins` and `newer_folders`
    that exist.
    """
    asked_windows = any(word in words for word in WINDOWS)
    found = {}
    for path in paths:
        value = 1.0
        if not asked_windows and any(twin in files for twin in platform_twins(path)):
            value *= PLATFORM_COPY
        if any(folder in folders for folder in newer_folders(path)) and not any(hit.group().lower() in words for hit in _VERSION.finditer(path)):
            value *= OLDER_VERSION
        if value != 1.0:
            found[path] = value
    return found

"""Which files are embedded first? Those that their users touch and name: recent in git, sources that much imports; tests and docs after."""

from __future__ import annotations

import os
import re
from collections import Counter

from iq.index.store import CHUNK_BITS, Store, from_db

# Commits looked back for recent files: about a month of a busy repository, .1 s to read.
COMMITS = 50

# Commits that touch more files than this say nothing about any of them (files).
WIDE = 50

_TIERS = {"src": 1, "config": 2, "examples": 2, "tests": 3, "docs": 4}
_STEM = re.compile(r"[^\w-]+")


def pending(store: Store, root: str) -> list[int]:
    """Files that have chunks without a vector, in the order in which they are to be embedded."""
    rows = store.db.execute("SELECT DISTINCT c.id >> ? FROM chunks c LEFT JOIN embedded e ON e.chunk = c.id WHERE e.chunk IS NULL", (CHUNK_BITS,))
    waiting = {int(row[0]) for row in rows}
    if not waiting:
        return []
    files = [
        (int(row[0]), from_db(row[1]), str(row[2]), int(row[3]))
        for row in store.db.execute("SELECT f.id, f.path, f.class, f.mtime FROM files f WHERE f.skipped = ''")
        if int(row[0]) in waiting
    ]
    defines = {int(row[0]): int(row[1]) for row in store.db.execute("SELECT file, count(*) FROM symbols GROUP BY file")}
    imported = Counter(part for row in store.db.execute("SELECT module FROM imports") for part in _STEM.split(str(row[0]))[-1:])
    touched = recent(root)

    def key(file: tuple[int, str, str, int]) -> tuple[int, int, int, int, int, str]:
        number, path, file_class, mtime = file
        stem = os.path.splitext(os.path.basename(path))[0]
        tier = _TIERS.get(file_class, 5)
        fresh = touched.get(path, len(touched))
        return 0 if path in touched and tier <= 2 else tier, fresh, -imported[stem], -defines.get(number, 0), -mtime, path

    return [file[0] for file in sorted(files, key=key)]


def recent(root: str) -> dict[str, int]:
    """path -> rank, newest first, of files changed in the work tree or in the last commits; empty without git."""
    try:
        import pygit2
    except ImportError:
        return {}
    found: dict[str, int] = {}
    try:
        repository = pygit2.Repository(root)
        if repository.workdir is None or os.path.realpath(repository.workdir) != os.path.realpath(root) or repository.head_is_unborn:
            return {}
        for path, state in repository.status(untracked_files="no").items():
            if state != pygit2.GIT_STATUS_IGNORED:
                found.setdefault(path, len(found))
        for at, commit in enumerate(repository.walk(repository.head.target)):
            if at >= COMMITS:
                break
            if len(commit.parents) == 1:
                paths = [delta.new_file.path for delta in repository.diff(commit.parents[0], commit).deltas]
                for path in paths if len(paths) <= WIDE else ():
                    found.setdefault(path, len(found))
    except (pygit2.GitError, KeyError, OSError):
        return found
    return found

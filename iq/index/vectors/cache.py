"""Vectors of passages in the user's cache, shared by all workspaces and worktrees: a branch switch or a rebuild embeds nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import apsw

from iq.models.files import cache_home

# Rows kept, oldest out: 450 bytes each, so at most 450 MB. A tenth goes at once, for each removal rewrites the index.
MAX_ROWS = 1_000_000

BUSY_MS = 5000

_SCHEMA = (
    # id counts up, so the lowest is the oldest. vector: int8, turned.
    "CREATE TABLE IF NOT EXISTS passages (id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB UNIQUE NOT NULL, vector BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS space (name TEXT NOT NULL)",
)


def place() -> str:
    """The cache's file: under IQ_CACHE_DIR, else the user's cache."""
    return os.path.join(os.environ.get("IQ_CACHE_DIR") or cache_home(), "vectors.db")


class Cache:
    """One space's vectors by passage hash. A cache that cannot be used holds nothing: it only saves time."""

    def __init__(self, space: str, path: str | None = None, most: int = MAX_ROWS) -> None:
        self.most = most
        self._db = _open(path or place(), space)

    def get(self, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """hash -> vector, of those that are there."""
        found: dict[bytes, bytes] = {}
        if self._db is None:
            return found
        try:
            for at in range(0, len(hashes), 500):
                some = hashes[at : at + 500]
                marks = ", ".join("?" * len(some))
                for row in self._db.execute(f"SELECT hash, vector FROM passages WHERE hash IN ({marks})", tuple(some)):
                    found[bytes(row[0])] = bytes(row[1])
        except apsw.Error:
            self.close()
        return found

    def put(self, vectors: Mapping[bytes, bytes]) -> None:
        if self._db is None:
            return
        try:
            with self._db:
                self._db.executemany("INSERT OR IGNORE INTO passages (hash, vector) VALUES (?, ?)", tuple(vectors.items()))
                count = next(int(row[0]) for row in self._db.execute("SELECT count(*) FROM passages"))
                if count > self.most:
                    excess = count - self.most + self.most // 10
                    self._db.execute("DELETE FROM passages WHERE id IN (SELECT id FROM passages ORDER BY id LIMIT ?)", (excess,))
        except apsw.Error:
            self.close()

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None


def _open(path: str, space: str) -> apsw.Connection | None:
    """The cache's connection, its rows of another space gone; None where it cannot be used. A damaged one is made anew."""
    for _ in range(2):
        db = None
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            db = apsw.Connection(path)
            db.set_busy_timeout(BUSY_MS)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            with db:
                for statement in _SCHEMA:
                    db.execute(statement)
                known = [str(row[0]) for row in db.execute("SELECT name FROM space")]
                if known != [space]:
                    db.execute("DELETE FROM passages")
                    db.execute("DELETE FROM space")
                    db.execute("INSERT INTO space (name) VALUES (?)", (space,))
            return db
        except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
            if db is not None:
                db.close()
            for suffix in ("-wal", "-shm", ""):
                if os.path.exists(path + suffix):
                    os.unlink(path + suffix)
        except (OSError, apsw.Error):
            if db is not None:
                db.close()
            return None
    return None

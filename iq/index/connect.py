"""Opening, making and putting away the file of an index."""

from __future__ import annotations

import os
import time

import apsw

from iq.index.workspace import APPLICATION_ID, SCHEMA_VERSION

SCHEMA = os.path.join(os.path.dirname(__file__), "schema.sql")

# A reader waits this long for a lock before it gives up (ms); in WAL mode readers only meet one while a log is reset.
BUSY_MS = 5000


class Foreign(Exception):
    """The file is another program's, or another format's; the message is for the user."""


def connect(path: str) -> apsw.Connection:
    """A connection to an index, which is made where there is none. While another process makes the database, SQLite may say busy at once, whatever the timeout.

    Raises Foreign for a file that this version did not make, and what apsw raises.
    """
    until = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            return _made(path)
        except (apsw.BusyError, apsw.LockedError, apsw.SchemaChangeError):
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _made(path: str) -> apsw.Connection:
    db = apsw.Connection(path)
    try:
        db.set_busy_timeout(BUSY_MS)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -65536")
        mark, version = db.pragma("application_id"), db.pragma("user_version")
        empty = db.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
        if empty:
            with db:
                if db.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
                    with open(SCHEMA, encoding="utf-8") as file:
                        db.execute(file.read())
                    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        elif mark != APPLICATION_ID:
            raise Foreign("the index file was not made by iq; it was set aside")
        elif version != SCHEMA_VERSION:
            raise Foreign(f"the index has format {version}, this iq reads {SCHEMA_VERSION}; it is built anew")
        db.execute("SELECT count(*) FROM meta").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def set_aside(path: str) -> None:
    """Moves a database that is not usable out of the way; its write-ahead log goes."""
    for suffix in ("-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    if os.path.exists(path):
        os.replace(path, path + ".broken")


def drop(path: str) -> bool:
    """Removes the database with its logs; whether there was one."""
    there = os.path.exists(path)
    for suffix in ("", "-wal", "-shm", ".broken"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    return there

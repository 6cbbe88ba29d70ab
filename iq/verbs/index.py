"""`iq index status|rebuild|drop`: the life of an index that is otherwise invisible."""

from __future__ import annotations

import os

from iq.errors import UsageError
from iq.index.session import Session
from iq.index.store import drop
from iq.types import Answer, Coverage, Request


def run(session: Session, request: Request) -> Answer:
    action = request.text or "status"
    path = session.workspace.database
    if action == "drop":
        there = drop(path)
        note = f"dropped {path}" if there else f"there was no index at {path}"
        return Answer("index", action, "index", (), 1, 0, Coverage(), (note,), unit="")
    if action == "rebuild":
        drop(path)
    elif action != "status":
        raise UsageError(f"unknown action '{action}'; known: status, rebuild, drop")
    store, level = session.level()
    chunks, symbols = store.count("chunks"), store.count("symbols")
    languages = store.db.execute(
        "SELECT language, count(*) FROM files WHERE skipped = '' AND language != '' GROUP BY language ORDER BY 2 DESC, 1 LIMIT 8"
    ).fetchall()
    notes = (
        f"index {path}, {os.path.getsize(path) / 1e6:.1f} MB",
        f"{chunks} chunks, {symbols} symbols, {level.changed} files re-read now",
        "languages: " + ", ".join(f"{name} {count}" for name, count in languages),
        *level.notes,
    )
    return Answer("index", action, "index", (), level.coverage.searched or 1, level.coverage.searched, level.coverage, notes, unit="files")

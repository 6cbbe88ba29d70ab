"""`iq index status|embed|rebuild|drop`: the life of an index that is otherwise invisible."""

from __future__ import annotations

import os

from iq.errors import IqError, StorageError, UsageError
from iq.index.connect import drop
from iq.index.session import Session
from iq.index.store import Store, from_db
from iq.types import Answer, Coverage, Request

# Files without syntax that are named.
UNPARSED = 3


def run(session: Session, request: Request) -> Answer:
    action = request.text or "status"
    path = session.workspace.database
    if action == "drop":
        there = drop(path)
        note = f"dropped {path}" if there else f"there was no index at {path}"
        return Answer("index", action, "index", (), 1, 0, Coverage(), (note,), unit="")
    if action == "rebuild":
        drop(path)
    elif action not in ("status", "embed"):
        raise UsageError(f"unknown action '{action}'; known: status, embed, rebuild, drop")
    store, level = session.level()
    if action == "embed":
        embed(session)
    chunks, symbols = store.count("chunks"), store.count("symbols")
    languages = store.db.execute(
        "SELECT language, count(*) FROM files WHERE skipped = '' AND language != '' GROUP BY language ORDER BY 2 DESC, 1 LIMIT 8"
    ).fetchall()
    notes = (
        f"index {path}, {sum(os.path.getsize(p) for p in (path, path + '-wal') if os.path.exists(p)) / 1e6:.1f} MB",
        f"{chunks} chunks, {symbols} symbols, {level.changed} files re-read now",
        *(["languages: " + ", ".join(f"{name} {count}" for name, count in languages)] if languages else []),
        *_unparsed(store),
        _vectors(session, store),
        *level.notes,
    )
    searched = level.coverage.searched
    # Of nothing it is a status all the same, and no failure.
    return Answer("index", action, "index", (), searched or 1, searched, level.coverage, notes, unit="files" if searched else "")


def embed(session: Session) -> None:
    """Gives every chunk its vector, in this process and to the end. Raises IqError where that cannot be."""
    import apsw

    from iq.index.vectors.embed import embed as run_to_the_end
    from iq.index.vectors.table import VectorsUnavailable
    from iq.models.embedder import load
    from iq.models.files import ModelError

    try:
        run_to_the_end(session.workspace, load(), session.embedding)
    except (ModelError, VectorsUnavailable) as error:
        raise IqError(str(error)) from error
    except apsw.FullError as error:
        raise StorageError("the disk is full: vectors need 400 bytes a chunk; free space and go on with `iq index embed`") from error
    except apsw.Error as error:
        raise StorageError(f"vectors cannot be written: {error}; go on with `iq index embed`") from error


def _unparsed(store: Store) -> tuple[str, ...]:
    """What has no syntax though its language has a grammar, and the first of it."""
    paths = [from_db(row[0]) for row in store.db.execute("SELECT path FROM files WHERE unparsed != '' ORDER BY path")]
    if not paths:
        return ()
    shown = ", ".join(paths[:UNPARSED]) + (" …" if len(paths) > UNPARSED else "")
    return (f"{len(paths)} file{'s' * (len(paths) != 1)} searched as text alone, the grammar gave up: {shown}",)


def _vectors(session: Session, store: Store) -> str:
    from iq.index.vectors import table, worker
    from iq.models import files

    done, total = table.share(store)
    rows = [f"vectors {100 * done // max(total, 1)} %: {done} of {total} chunks"]
    if not files.present("embedder"):
        rows.append(f"no embedder; `{files.REMEDY}` brings it")
    elif done < total:
        failed = worker.failure(session.workspace)
        idle = f"stopped: {failed}" if failed else "the next question goes on, or `iq index embed`"
        rows.append("being made now" if worker.running(session.workspace) else idle)
    return ", ".join(rows)

"""Vectors in the index: which space they are of, which chunks have one, adding and reading them. SQL of their tables."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import apsw

from iq.index.store import Store

if TYPE_CHECKING:
    import numpy


class VectorsUnavailable(Exception):
    """sqlite-vec cannot be loaded; the message says why."""


def attach(store: Store) -> None:
    """Loads vec0 into a connection, once, by its file: `import sqlite_vec` pulls numpy, 92 ms against 24. Raises VectorsUnavailable."""
    if getattr(store, "vec0", False):
        return
    spec = find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise VectorsUnavailable("sqlite-vec is not installed; reinstall iq")
    try:
        store.db.enable_load_extension(True)
        store.db.load_extension(os.path.join(spec.submodule_search_locations[0], "vec0"))
        store.db.enable_load_extension(False)
    except (apsw.Error, AttributeError) as error:
        raise VectorsUnavailable(f"sqlite-vec cannot be loaded: {error}") from error
    store.vec0 = True


def space(store: Store) -> str:
    """The space of the stored vectors, empty where there are none."""
    row = store.db.execute("SELECT name FROM vector_space").fetchone()
    return str(row[0]) if row else ""


def turn(store: Store) -> numpy.ndarray:
    """The rotation that stored vectors have gone through."""
    import numpy

    row = store.db.execute("SELECT width, rotation FROM vector_space").fetchone()
    assert row is not None
    return numpy.frombuffer(row[1], numpy.float32).reshape(int(row[0]), int(row[0]))


def width(store: Store) -> int:
    """Dimensions of the stored vectors, 0 where there are none."""
    row = store.db.execute("SELECT width FROM vector_space").fetchone()
    return int(row[0]) if row else 0


def revision(store: Store) -> tuple[str, int]:
    """Changes whenever a vector comes or goes."""
    row = store.db.execute("SELECT name, revision FROM vector_space").fetchone()
    return (str(row[0]), int(row[1])) if row else ("", 0)


def begin(store: Store, name: str, rotation: numpy.ndarray) -> None:
    """Makes the tables for a space; vectors of another go. The caller holds the writer's lock."""
    attach(store)
    with store.db:
        if space(store) == name:
            return
        empty(store)
        store.db.execute(f"CREATE VIRTUAL TABLE chunk_vectors USING vec0 (vector int8[{len(rotation)}] distance_metric=cosine)")
        store.db.execute("INSERT INTO vector_space (name, width, rotation, revision) VALUES (?, ?, ?, 0)", (name, len(rotation), rotation.tobytes()))


def empty(store: Store) -> None:
    """Forgets all vectors."""
    store.db.execute("DELETE FROM vector_space")
    store.db.execute("DELETE FROM embedded")
    store.db.execute("DROP TABLE IF EXISTS chunk_vectors")


def add(store: Store, vectors: Mapping[int, bytes]) -> None:
    """Adds int8 vectors by chunk id; those that are there stay."""
    there = {int(row[0]) for chunk in vectors for row in store.db.execute("SELECT chunk FROM embedded WHERE chunk = ?", (chunk,))}
    rows = [(chunk, vector) for chunk, vector in vectors.items() if chunk not in there]
    store.db.executemany("INSERT INTO chunk_vectors (rowid, vector) VALUES (?, vec_int8(?))", rows)
    store.db.executemany("INSERT INTO embedded (chunk) VALUES (?)", [(chunk,) for chunk, _ in rows])
    store.db.execute("UPDATE vector_space SET revision = revision + 1")


def remove(store: Store, chunks: Sequence[int]) -> None:
    """Removes vectors by chunk id. Without sqlite-vec all are forgotten, for a later chunk may bear the id of one of these."""
    try:
        attach(store)
    except VectorsUnavailable:
        store.db.execute("DELETE FROM vector_space")
        store.db.execute("DELETE FROM embedded")
        return
    store.db.executemany("DELETE FROM chunk_vectors WHERE rowid = ?", [(chunk,) for chunk in chunks])
    store.db.executemany("DELETE FROM embedded WHERE chunk = ?", [(chunk,) for chunk in chunks])
    store.db.execute("UPDATE vector_space SET revision = revision + 1")


def share(store: Store) -> tuple[int, int]:
    """(chunks with a vector, chunks)."""
    return store.count("embedded"), store.count("chunks")

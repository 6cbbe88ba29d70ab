"""Nearest neighbours over every chunk: the int8 rows of vec0 as one matrix, or vec0 itself. Both yield the same ids.

Measured on one machine, ms (10k / 30k / 100k rows): vec0 for the best 10 8 / 24 / 82, for the best 1,000 33 / 101 / 382;
reading the matrix 10 / 31 / 180, multiplying it .4 / 2 / 10. So vec0 answers where only a few are wanted and nothing is in
memory; the score of files, which needs every cosine, is always worth reading the matrix for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from iq.index.store import CHUNK_BITS, Store, from_db
from iq.index.vectors import table
from iq.models.matmul import product

if TYPE_CHECKING:
    import numpy

# Up to this many rows vec0 is asked, unless the matrix is in memory anyway (rows).
EXACT_ROWS = 30_000

# vec0 keeps its best in a list that it shifts: beyond this many it is slower than reading the matrix (neighbours).
EXACT_BEST = 50


@dataclass(frozen=True, slots=True)
class Matrix:
    """All vectors in order of chunk id: int8 rows and their Euclidean lengths. `revision` says of which state.

    The rows of file `owners[i]`, whose path is `paths[owners[i]]`, begin at `starts[i]`.
    """

    revision: tuple[str, int]
    chunks: numpy.ndarray
    rows: numpy.ndarray
    lengths: numpy.ndarray
    owners: numpy.ndarray
    starts: numpy.ndarray
    paths: Mapping[int, str]

    def cosines(self, query: numpy.ndarray) -> numpy.ndarray:
        """float32 cosine of every row to an int8 vector, to the bit what vec0 computes."""
        import numpy

        if not len(self.rows):
            return numpy.zeros(0, numpy.float32)
        dots = product(self.rows, query[:, None])[:, 0].astype(numpy.float64)
        length = numpy.sqrt(float((query.astype(numpy.int64) ** 2).sum()))
        found: numpy.ndarray = 1 - (1 - dots / numpy.maximum(self.lengths * length, 1e-12)).astype(numpy.float32)
        return found


def matrix(store: Store) -> Matrix:
    """The matrix of an index; read anew only where vectors came or went since."""
    import numpy

    revision = table.revision(store)
    if isinstance(store.matrix, Matrix) and store.matrix.revision == revision:
        return store.matrix
    chunks, rows = [numpy.zeros(0, numpy.int64)], []
    width = table.width(store)
    stored = store.db.execute(
        "SELECT c.size, c.validity, c.rowids, v.vectors FROM chunk_vectors_chunks c JOIN chunk_vectors_vector_chunks00 v ON v.rowid = c.rowid"
    )
    for size, validity, ids, vectors in stored:
        valid = numpy.unpackbits(numpy.frombuffer(validity, numpy.uint8), bitorder="little")[: int(size)].astype(bool)
        chunks.append(numpy.frombuffer(ids, numpy.int64)[: len(valid)][valid])
        rows.append(numpy.frombuffer(vectors, numpy.int8).reshape(-1, width)[: len(valid)][valid])
    every = numpy.concatenate(chunks)
    order = numpy.argsort(every, kind="stable")
    block = numpy.ascontiguousarray(numpy.concatenate(rows)[order]) if rows else numpy.zeros((0, width), numpy.int8)
    lengths = numpy.sqrt(numpy.einsum("ij,ij->i", block, block, dtype=numpy.int32).astype(numpy.float64))
    owners, starts = numpy.unique(every[order] >> CHUNK_BITS, return_index=True)
    paths = {int(row[0]): from_db(row[1]) for row in store.db.execute("SELECT id, path FROM files WHERE skipped = ''")}
    store.matrix = Matrix(revision, every[order], block, lengths, owners, starts, paths)
    return store.matrix


def knn(store: Store, query: numpy.ndarray, k: int, files: Collection[int] | None = None, exact: bool | None = None) -> list[tuple[int, float]]:
    """The `k` chunks nearest to a float32 unit vector as (chunk, cosine), nearest first, ties by chunk id.

    Only chunks of `files` take part in the search, where given. `exact` forces vec0 or the matrix; else size decides.
    """
    from iq.index.vectors.quantise import quantise

    table.attach(store)
    asked = quantise(query[None, :], table.turn(store))[0]
    if exact is None:
        exact = store.matrix is None and k <= EXACT_BEST and store.count("embedded") <= EXACT_ROWS
    return _vec0(store, asked, k, files) if exact else _product(store, asked, k, files)


def _vec0(store: Store, query: numpy.ndarray, k: int, files: Collection[int] | None) -> list[tuple[int, float]]:
    # One more than asked, so that a tie at the end is seen: which of its members vec0 keeps is chance, so the matrix breaks it.
    wanted = min(k + 1, 4096)
    if files is None:
        rows = store.db.execute("SELECT rowid, distance FROM chunk_vectors WHERE vector MATCH vec_int8(?) AND k = ?", (query.tobytes(), wanted))
    else:
        store.db.execute("CREATE TEMP TABLE IF NOT EXISTS wanted_files (id INTEGER PRIMARY KEY)")
        store.db.execute("DELETE FROM wanted_files")
        store.db.executemany("INSERT OR IGNORE INTO wanted_files VALUES (?)", [(file,) for file in files])
        rows = store.db.execute(
            "SELECT rowid, distance FROM chunk_vectors WHERE vector MATCH vec_int8(?) AND k = ? "
            "AND rowid IN (SELECT e.chunk FROM wanted_files w JOIN embedded e ON e.chunk >= w.id << ? AND e.chunk < (w.id + 1) << ?)",
            (query.tobytes(), wanted, CHUNK_BITS, CHUNK_BITS),
        )
    found = sorted(((int(row[0]), float(row[1])) for row in rows), key=lambda row: (row[1], row[0]))
    if len(found) > k > 0 and found[k][1] == found[k - 1][1]:
        return _product(store, query, k, files)
    return [(chunk, 1 - distance) for chunk, distance in found[:k]]


def _product(store: Store, query: numpy.ndarray, k: int, files: Collection[int] | None) -> list[tuple[int, float]]:
    import numpy

    every = matrix(store)
    cosines, chunks = every.cosines(query), every.chunks
    if files is not None:
        inside = numpy.isin(chunks >> CHUNK_BITS, numpy.fromiter(files, numpy.int64, len(files)))
        cosines, chunks = cosines[inside], chunks[inside]
    if k < len(cosines):
        # Everything as near as the k-th, so that a tie there is broken by id as well.
        edge = numpy.partition(cosines, len(cosines) - k)[len(cosines) - k]
        near = numpy.flatnonzero(cosines >= edge)
        cosines, chunks = cosines[near], chunks[near]
    order = numpy.lexsort((chunks, -cosines))[:k]
    return [(int(chunks[at]), float(cosines[at])) for at in order]

"""Giving every chunk its vector: from the cache where the passage is known, from the embedder otherwise. Can stop anywhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from iq.index import live, text
from iq.index.lock import writing
from iq.index.store import CHUNK_BITS, Store, from_db
from iq.index.vectors import order, table
from iq.index.vectors.cache import Cache
from iq.index.vectors.passage import name, passage
from iq.index.vectors.quantise import NAME, quantise, rotation
from iq.index.workspace import Workspace
from iq.models.embedder import Embedder

# Passages between two commits: enough to sort them by length, little enough that a kill loses a few seconds of work.
GROUP = 128


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk that waits: `file` and `stamp` are checked again before its vector is written."""

    chunk: int
    file: int
    stamp: bytes
    text: str
    hash: bytes


def space_of(embedder: Embedder) -> str:
    """The vector space: model, pooling, normalisation, passage length and quantiser."""
    return f"{embedder.space}·{NAME}"


def embed(workspace: Workspace, embedder: Embedder, progress: Callable[[int, int], None] | None = None) -> int:
    """Embeds what waits, to the end; returns how many chunks got a vector. The index is not brought level first.

    The writer's lock is held only while a group is written, never while the model runs. Raises VectorsUnavailable,
    ModelError, StorageError, and apsw.Error where the index cannot be written.
    """
    store, _ = Store.open(workspace.database)
    inode = os.stat(workspace.database).st_ino
    lock = os.path.join(workspace.local, "lock")
    turn = rotation(embedder.embed(["width"]).shape[1])
    key = space_of(embedder)
    cache = Cache(key)
    done = 0
    try:
        with writing(lock, wait=True):
            table.begin(store, key, turn)
        for group in _groups(store, workspace.root):
            vectors = _vectors(group, embedder, cache, turn)
            # A rebuilt index is another file; what was made so far is in the cache.
            if not os.path.exists(workspace.database) or os.stat(workspace.database).st_ino != inode:
                return done
            with writing(lock, wait=True):
                with store.db:
                    if table.space(store) != key:
                        return done
                    live_files = _stamps(store, {piece.file for piece in group})
                    table.add(store, {piece.chunk: vectors[piece.hash] for piece in group if live_files.get(piece.file) == piece.stamp})
            done += len(group)
            if progress:
                progress(*table.share(store))
        return done
    finally:
        cache.close()
        store.close()


def _vectors(group: list[Piece], embedder: Embedder, cache: Cache, turn: object) -> dict[bytes, bytes]:
    """hash -> int8 vector of every passage of a group."""
    found = cache.get([piece.hash for piece in group])
    texts = {piece.hash: piece.text for piece in group if piece.hash not in found}
    if texts:
        rows = quantise(embedder.embed(list(texts.values())), turn)  # type: ignore[arg-type]
        new = {digest: row.tobytes() for digest, row in zip(texts, rows, strict=True)}
        cache.put(new)
        found.update(new)
    return found


def _groups(store: Store, root: str) -> Iterator[list[Piece]]:
    """Waiting chunks with their passages in groups. A file that is no longer what was indexed is left for after the next update."""
    group: list[Piece] = []
    for file in order.pending(store, root):
        group += _pieces(store, root, file)
        while len(group) >= GROUP:
            yield group[:GROUP]
            group = group[GROUP:]
    if group:
        yield group


def _pieces(store: Store, root: str, file: int) -> list[Piece]:
    row = store.db.execute("SELECT path, hash FROM files WHERE id = ?", (file,)).fetchone()
    if row is None:
        return []
    path, stamp = from_db(row[0]), bytes(row[1])
    loaded = live.load(root, path)
    if loaded is None:
        return []
    rows = text.lines(loaded.content)
    low, high = file << CHUNK_BITS, (file + 1) << CHUNK_BITS
    if not _unchanged(root, path, stamp):
        return []
    waiting = store.db.execute(
        "SELECT c.id, c.start, c.end, c.symbol FROM chunks c LEFT JOIN embedded e ON e.chunk = c.id "
        "WHERE c.id >= ? AND c.id < ? AND e.chunk IS NULL ORDER BY c.id",
        (low, high),
    )
    pieces = []
    for chunk, start, end, symbol in waiting:
        body = passage(path, str(symbol), rows[int(start) - 1 : int(end)])
        pieces.append(Piece(int(chunk), file, stamp, body, name(body)))
    return pieces


def _unchanged(root: str, path: str, stamp: bytes) -> bool:
    from hashlib import blake2b

    try:
        with open(os.path.join(root, path), "rb") as file:
            return blake2b(file.read(), digest_size=16).digest() == stamp
    except OSError:
        return False


def _stamps(store: Store, files: set[int]) -> dict[int, bytes]:
    marks = ", ".join("?" * len(files))
    return {int(row[0]): bytes(row[1]) for row in store.db.execute(f"SELECT id, hash FROM files WHERE id IN ({marks})", tuple(files))}

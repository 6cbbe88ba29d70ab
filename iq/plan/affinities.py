"""Where the affinities of chunks to intents are kept, how they get there, and how a ranking reads them.

Three float16 columns an intent, cut at files, so that a file that is read again takes its rows along and an intent that is
edited touches its own column only (see plan.lens). What turns text into vectors and where the vectors of chunks are is
given by the caller: this module needs no model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b

import numpy as np

from iq.index.store import CHUNK_BITS, Store, to_db
from iq.plan import lens
from iq.plan.lens import Matrix, Moments
from iq.types import Intent

# Texts to unit vectors, (texts, dimensions).
Embed = Callable[[Sequence[str]], Matrix]

# Ids of files to (id, vectors of its chunks in order); files without vectors are left out.
Vectors = Callable[[Sequence[int]], Iterable[tuple[int, Matrix]]]

# The corpus's moments are taken anew once it has grown or shrunk by this share; every column is filled again then.
DRIFT = 0.2

# Share of the chunks that need vectors before a corpus is known well enough; the others follow.
ENOUGH = 0.9

# Files whose vectors are in memory together while columns are filled.
BATCH = 2000


def fill(store: Store, intents: Sequence[Intent], space: str, embed: Embed, vectors: Vectors) -> int:
    """Brings the columns level with the intents and the files; returns how many (intent, file) rows were written.

    `space` names the encoder: another one starts anew. Only intents whose texts changed are embedded. The caller holds the
    write lock.
    """
    files = [int(str(row[0])) for row in store.db.execute("SELECT id FROM files WHERE skipped = '' ORDER BY id")]
    corpus, anew = _corpus(store, space, files, vectors)
    if corpus is None:
        return 0
    kept = {str(row[0]): bytes(row[1]) for row in store.db.execute("SELECT intent, digest FROM lenses")}  # type: ignore[arg-type]
    names = {intent.name for intent in intents}
    written = 0
    with store.db:
        for name in kept.keys() - names if not anew else kept.keys():
            _forget(store, name)
        for intent in intents:
            digest = _digest(intent, space)
            if anew or kept.get(intent.name) != digest:
                _forget(store, intent.name)
                weights = lens.functionals([embed([text for text in (intent.description, *intent.exemplars) if text.strip()])], corpus)[0]
                store.db.execute("INSERT INTO lenses (intent, digest, weights) VALUES (?, ?, ?)", (intent.name, digest, weights.tobytes()))
        weights_of = _weights(store, len(corpus.mean))
        have: dict[int, set[str]] = {}
        for intent_name, file in store.db.execute("SELECT intent, file FROM affinities"):
            have.setdefault(int(str(file)), set()).add(str(intent_name))
        todo = [file for file in files if not names <= have.get(file, set())]
        for start in range(0, len(todo), BATCH):
            for file, rows in vectors(todo[start : start + BATCH]):
                for name in sorted(names - have.get(file, set())):
                    column = lens.columns(rows, weights_of[name], corpus)
                    store.db.execute("INSERT INTO affinities (intent, file, columns) VALUES (?, ?, ?)", (name, file, column.tobytes()))
                    written += 1
    return written


def log_posteriors(
    store: Store, name: str, places: Sequence[tuple[str, int]], priors: Mapping[str, Sequence[float]] | None = None
) -> list[float | None] | None:
    """log p_I of chunks, given as (path, first line), for one intent; None for a chunk without affinities, None at all where there are no columns.

    `priors` are class priors, intent -> one value a place, added to the affinities before the softmax.
    """
    corpus = _stored_corpus(store)
    if corpus is None:
        return None
    weights = _weights(store, len(corpus.mean))
    names = sorted(weights)
    if name not in weights:
        return None
    at = _positions(store, places)
    files = sorted({file for file, _ in at.values()})
    marks = ", ".join("?" * len(files))
    columns: dict[tuple[str, int], np.ndarray] = {}
    for intent, file, blob in store.db.execute(f"SELECT intent, file, columns FROM affinities WHERE file IN ({marks})", tuple(files)):
        columns[str(intent), int(str(file))] = np.frombuffer(bytes(blob), dtype=np.float16).reshape(-1, 3)  # type: ignore[arg-type]
    rows, owners = [], []
    for number, place in enumerate(places):
        file, position = at.get(place, (-1, -1))
        found = [columns.get((intent, file)) for intent in names]
        if all(column is not None and position < len(column) for column in found):
            rows.append([column[position] for column in found if column is not None])
            owners.append(number)
    if not rows:
        return None
    logits = lens.WEIGHT * lens.affinities(np.array(rows, dtype=np.float16), np.stack([weights[intent] for intent in names]), corpus) / lens.TEMPERATURE
    if priors is not None:
        logits = logits + np.array([[priors[intent][number] if intent in priors else 0.0 for intent in names] for number in owners], dtype=np.float32)
    result: list[float | None] = [None] * len(places)
    for number, value in zip(owners, lens.log_posterior(logits, names.index(name)), strict=True):
        result[number] = float(value)
    return result


def _corpus(store: Store, space: str, files: Sequence[int], vectors: Vectors) -> tuple[Moments | None, bool]:
    """The moments in force, and whether they were just taken anew."""
    count = store.count("chunks")
    old = _stored_corpus(store)
    row = store.db.execute("SELECT space, chunks FROM lens_corpus").fetchone()
    if old is not None and row is not None and str(row[0]) == space and abs(count - int(str(row[1]))) <= DRIFT * int(str(row[1])):
        return old, False
    total, summed, squared = 0, 0.0, 0.0
    for start in range(0, len(files), BATCH):
        for _, rows in vectors(files[start : start + BATCH]):
            total += len(rows)
            summed = summed + rows.sum(axis=0, dtype=np.float64)
            squared = squared + rows.T @ rows
    if not total:
        return None, False
    mean = np.asarray(summed / total, dtype=np.float32)
    covariance = np.asarray(squared / total - np.outer(mean, mean), dtype=np.float32)
    with store.db:
        store.db.execute("DELETE FROM lens_corpus")
        store.db.execute("INSERT INTO lens_corpus VALUES (?, ?, ?, ?)", (space, count, mean.tobytes(), covariance.tobytes()))
    return Moments(total, mean, covariance), True


def _stored_corpus(store: Store) -> Moments | None:
    row = store.db.execute("SELECT chunks, mean, covariance FROM lens_corpus").fetchone()
    if row is None:
        return None
    mean = np.frombuffer(bytes(row[1]), dtype=np.float32)  # type: ignore[arg-type]
    return Moments(int(str(row[0])), mean, np.frombuffer(bytes(row[2]), dtype=np.float32).reshape(len(mean), len(mean)))  # type: ignore[arg-type]


def _weights(store: Store, size: int) -> dict[str, Matrix]:
    rows = store.db.execute("SELECT intent, weights FROM lenses")
    return {str(row[0]): np.frombuffer(bytes(row[1]), dtype=np.float32).reshape(3, size) for row in rows}  # type: ignore[arg-type]


def _positions(store: Store, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], tuple[int, int]]:
    """(path, first line) -> (file id, position of the chunk in it)."""
    found = {}
    for path in sorted({path for path, _ in places}):
        rows = store.db.execute(
            "SELECT f.id, c.id, c.start FROM files f JOIN chunks c ON c.id >= f.id << 16 AND c.id < (f.id + 1) << 16 WHERE f.path = ?", (to_db(path),)
        )
        for file, chunk, start in rows:
            found[path, int(str(start))] = (int(str(file)), int(str(chunk)) & ((1 << CHUNK_BITS) - 1))
    return found


def _forget(store: Store, name: str) -> None:
    store.db.execute("DELETE FROM affinities WHERE intent = ?", (name,))
    store.db.execute("DELETE FROM lenses WHERE intent = ?", (name,))


def _digest(intent: Intent, space: str) -> bytes:
    return blake2b("\0".join((space, intent.description, *intent.exemplars)).encode(), digest_size=16).digest()


def level(store: Store, intents: Sequence[Intent]) -> bool:
    """Fills from the vectors of the index and the model on disk, once most vectors are there; whether columns are level now.

    Costs two small reads where neither vectors nor intents changed since. The caller holds the write lock.
    """
    from iq.index.vectors import table
    from iq.index.vectors.embed import space_of
    from iq.index.vectors.matrix import matrix
    from iq.models import embedder

    done, total = table.share(store)
    if not total or done < ENOUGH * total:
        return False
    state = "·".join(map(str, (*table.revision(store), *(_digest(intent, "").hex() for intent in intents))))
    if store.meta("affinities") == state:
        return True
    model = embedder.loaded()
    if isinstance(model, str) or table.space(store) != space_of(model):
        return False
    table.attach(store)
    every, back = matrix(store), table.turn(store).T
    ends = [*every.starts[1:].tolist(), len(every.rows)]
    # A row's position is its chunk's, so only a file whose every chunk has its vector counts.
    chunks = {int(str(row[0])): int(str(row[1])) for row in store.db.execute("SELECT id >> 16, count(*) FROM chunks GROUP BY 1")}
    place = {
        int(owner): slice(int(start), end)
        for owner, start, end in zip(every.owners, every.starts, ends, strict=True)
        if end - int(start) == chunks.get(int(owner))
    }

    def vectors(files: Sequence[int]) -> Iterable[tuple[int, Matrix]]:
        # Turned back: the diagonal of a covariance, which Fisher's discriminant uses, is not that of the turned one.
        for file in files:
            if file in place:
                rows = every.rows[place[file]].astype(np.float32) @ back
                yield file, rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)

    fill(store, intents, space_of(model), model.embed, vectors)
    store.set_meta("affinities", state)
    return True

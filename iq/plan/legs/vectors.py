"""The vector leg: what means the same in other words. Never waits for vectors that are not there yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import apsw

from iq.frozen import replace
from iq.index.scope import matcher, restricts
from iq.index.store import CHUNK_BITS, Store, from_db
from iq.index.vectors import table
from iq.index.vectors.embed import space_of
from iq.index.vectors.matrix import matrix
from iq.index.vectors.quantise import quantise
from iq.models import embedder, files
from iq.models.embedder import Embedder
from iq.models.files import ModelError
from iq.types import Hit, Scope

if TYPE_CHECKING:
    import numpy

# Weight of the mean of a file's best two cosines, scaled between the median and the maximum over files. Against no vectors: semble +.007,
# iq-bench +.010, commitloc +.017, paraphrase recall@10 +.40. The best cosine beside it added nothing: .3 and .7 cost
# commitloc .004, equal parts more. Flat from .6 to 1.
NEAR = 1.0

# Files the leg hands to fusion: as many as fusion keeps.
FILES = 100


# Weight of a span's own scaled cosine beside its lexical score, the best of which is 1, when the spans of a file are ordered:
# chunk nDCG@10 of semble .836 at 0, .844 at .3 and .6, .850 at 1.
SPAN = 1.0

# Spans of a file that nearness alone proposes.
SPANS = 2


@dataclass(frozen=True, slots=True)
class Dense:
    """Best chunk of each of the nearest files, what nearness adds to the score of a file, and what the user should know.

    Of those files, `near` has the nearest SPANS chunks. `scaled` holds, for each of the sorted `chunks`, its cosine between that of the
    median file's best, 0, and the best of all, 1.
    `signals`: `cosine` of the nearest chunk, `rise` of that above the median chunk, `embedded` share of the chunks.
    """

    hits: list[Hit] = field(default_factory=list)
    terms: Mapping[str, float] = field(default_factory=dict)
    near: Mapping[str, Sequence[Hit]] = field(default_factory=dict)
    chunks: numpy.ndarray | None = None
    scaled: numpy.ndarray | None = None
    notes: tuple[str, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)

    def blend(self, by_file: Mapping[str, list[Hit]], top: float) -> dict[str, list[Hit]]:
        """The spans of each file by lexical score over `top` plus SPAN times scaled cosine, best first; scores are of that sum."""
        spans = {path: {hit.chunk: hit for hit in (*self.near.get(path, ()), *by_file.get(path, ()))} for path in {**by_file, **self.near}}
        scaled = self.of([chunk for mine in spans.values() for chunk in mine])
        found = {}
        for path, mine in spans.items():
            scored = [replace(hit, score=hit.score / top + SPAN * scaled[chunk]) for chunk, hit in mine.items()]
            found[path] = sorted(scored, key=lambda hit: (-hit.score, hit.start))
        return found

    def of(self, chunks: Sequence[int]) -> dict[int, float]:
        """The scaled cosine of each of some chunks, 0 of those without a vector."""
        if self.chunks is None or self.scaled is None or not len(self.chunks):
            return dict.fromkeys(chunks, 0.0)
        at = self.chunks.searchsorted(chunks).clip(max=len(self.chunks) - 1)
        return dict(zip(chunks, ((self.chunks[at] == chunks) * self.scaled[at]).tolist(), strict=True))


def leg(store: Store, text: str, scope: Scope, given: Embedder | None = None) -> Dense:
    """The files of a scope by cosine to a question; empty with a note where models or vectors are missing."""
    if given is None and not files.present("embedder"):
        return Dense(notes=(f"no models, so only words count, not meaning; `{files.REMEDY}` brings them",))
    done, total = table.share(store)
    if not total:
        return Dense()
    if not done:
        return Dense(notes=("vectors 0 %: meaning does not count until they are made",))
    model = given or embedder.loaded()
    if isinstance(model, str):
        return Dense(notes=(f"{model}; only words count, not meaning",))
    if table.space(store) != space_of(model):
        return Dense(notes=("vectors 0 %: those here are of another model and are made anew",))
    try:
        query = model.embed([text], query=True)[0]
        found = _search(store, query, scope, done / total)
    except (ModelError, table.VectorsUnavailable, apsw.SQLError) as error:
        return Dense(notes=(f"{error}; only words count, not meaning",))
    note = (f"vectors {100 * done // total} %: the rest is being made",) if done < total else ()
    return replace(found, notes=note)


def _search(store: Store, query: numpy.ndarray, scope: Scope, share: float) -> Dense:
    import numpy

    every = matrix(store)
    cosines, chunks = every.cosines(quantise(query[None, :], table.turn(store))[0]), every.chunks
    owners, starts, paths = every.owners, every.starts, every.paths
    if restricts(scope):
        paths = _paths(store, scope)
        inside = numpy.isin(chunks >> CHUNK_BITS, numpy.fromiter(paths, numpy.int64, len(paths)))
        cosines, chunks = cosines[inside], chunks[inside]
        owners, starts = numpy.unique(chunks >> CHUNK_BITS, return_index=True)
    if not len(chunks):
        return Dense()
    best = numpy.maximum.reduceat(cosines, starts)
    # The first chunk that is its file's best; without it the maximum is the second best, of files that have two.
    tops = numpy.flatnonzero(cosines == numpy.repeat(best, numpy.diff([*starts, len(cosines)])))
    first = tops[numpy.searchsorted(tops, starts)]
    others = cosines.copy()
    others[first] = -numpy.inf
    second = numpy.maximum.reduceat(others, starts)
    pair = numpy.where(numpy.isinf(second), best, (best + second) / 2)
    # While only some files have vectors, their term weighs as much as they are of the whole: the nearest of the first few
    # is not near. Files without any have that of the median, 0.
    worth = share * NEAR * _scaled(pair)
    order = numpy.lexsort((owners, -best))[:FILES]
    terms = {paths[owner]: value for owner, value in zip(owners.tolist(), worth.tolist(), strict=True) if value > 0 and owner in paths}
    ends = [*starts[1:], len(cosines)]
    middle, most = float(numpy.median(best)), float(best.max())
    scaled = share * numpy.clip((cosines - middle) / max(most - middle, 1e-9), 0, None)
    rows: list[int] = []
    for at in order.tolist():
        if owners[at] in paths:
            first_row = int(starts[at])
            rows += (first_row + numpy.argsort(-cosines[first_row : int(ends[at])], kind="stable")[:SPANS]).tolist()
    above = dict(zip(chunks[rows].tolist(), scaled[rows].tolist(), strict=True))
    hits: list[Hit] = []
    near: dict[str, list[Hit]] = {}
    for hit in _hits(store, list(above), paths):
        if hit.path not in near:
            hits.append(hit)
        near.setdefault(hit.path, []).extend([hit] if above[hit.chunk] > 0 else [])
    nearest = float(best.max())
    signals = {"cosine": nearest, "rise": nearest - float(numpy.median(cosines)), "embedded": share}
    return Dense(hits, terms, near, chunks, scaled, signals=signals)


def _scaled(values: numpy.ndarray) -> numpy.ndarray:
    """0 at the median and below, 1 at the maximum."""
    import numpy

    middle, top = float(numpy.median(values)), float(values.max())
    if top <= middle:
        return numpy.zeros(len(values))
    scaled: numpy.ndarray = numpy.clip((values - middle) / (top - middle), 0, 1)
    return scaled


def _paths(store: Store, scope: Scope) -> dict[int, str]:
    """file -> path of the files in scope."""
    inside = matcher(scope)
    rows = store.db.execute("SELECT id, path, class, language FROM files WHERE skipped = ''")
    return {int(row[0]): from_db(row[1]) for row in rows if inside(from_db(row[1]), str(row[2]), str(row[3]))}


def _hits(store: Store, chunks: Sequence[int], paths: Mapping[int, str]) -> list[Hit]:
    """Chunks as hits without a score, in the order given."""
    marks = ", ".join("?" * len(chunks))
    rows = store.db.execute(f"SELECT id, start, end, symbol, kind FROM chunks WHERE id IN ({marks})", tuple(chunks))
    found = {int(row[0]): Hit(paths[int(row[0]) >> CHUNK_BITS], int(row[1]), int(row[2]), 0.0, str(row[3]), str(row[4]), chunk=int(row[0])) for row in rows}
    return [found[chunk] for chunk in chunks if chunk in found]

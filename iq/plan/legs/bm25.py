"""The full-text leg: candidates from FTS5, re-scored with BM25F, over chunks and over whole files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import apsw

from iq.index.store import CHUNK_BITS, Store, from_db
from iq.plan.score import Statistics, bm25f
from iq.types import Hit

# Chunks that FTS5's own bm25() proposes; re-scoring only these loses .004 nDCG@10 against re-scoring all.
CANDIDATES = 300

# A term in more of the chunks than this proposes none while rarer ones are left: its postings are what makes a sentence
# slow (180 ms with them, 19 without, over 350k chunks). In fewer chunks than LARGE every term proposes: leaving the common
# ones out of the score cost .04 nDCG@10 on the semble set.
COMMON = 0.10
LARGE = 5000

# With quotas a walk down the ranked chunks ends after this many, full or not: each costs a look at its file (rows).
DEPTH = 5000

Inside = Callable[[str, str | None, str | None], bool]


def _counts(api: apsw.FTS5ExtensionApi, /, *_: object) -> str:
    """Auxiliary function: per phrase and column the occurrences, then the column lengths, as decimal numbers."""
    columns = range(api.column_count)
    numbers = [len(places) for phrase in range(api.phrase_count) for places in api.phrase_locations(phrase)]
    numbers += [api.column_size(column) for column in columns]
    return " ".join(map(str, numbers))


def register(store: Store) -> None:
    """Makes the auxiliary function known to a connection."""
    store.db.register_fts5_function("iq_counts", _counts)


def frequencies(store: Store, terms: list[str]) -> dict[str, int]:
    """Chunks that hold each term; terms that no chunk holds are left out."""
    marks = ", ".join("?" * len(terms))
    return {str(term): int(count) for term, count in store.db.execute(f"SELECT term, doc FROM chunk_vocabulary WHERE term IN ({marks})", tuple(terms))}


def leg(store: Store, terms: list[str], inside: Inside, fielded: bool = True, quotas: Mapping[str, int] | None = None) -> tuple[list[Hit], dict[str, float]]:
    """Chunks that hold query terms, best first, and the whole-file score of each file among them.

    With `fielded` off, FTS5's own bm25() orders both. With `quotas`, each file class proposes up to its own number of
    units, so that the tests and documents that an intent asks for are there even where code fills the first hundreds.
    """
    found = frequencies(store, terms)
    count = store.count("chunks")
    kept = [term for term in terms if term in found]
    if not kept:
        return [], {}
    common = [term for term in kept if count >= LARGE and found[term] > COMMON * count]
    rare = [term for term in kept if term not in common]
    # With common terms, `rare AND (rare OR common)`: the rare terms propose, and the postings of the common ones are
    # only skipped through, yet they count in the score. Their phrases come last.
    match = _any(kept) if not common or not rare else f"({_any(rare)}) AND ({_any(rare)} OR {_any(common)})"
    skip = len(rare) if common and rare else 0
    kept = [*rare, *common]
    wanted = [_Quotas(store, inside, quotas, shift) if quotas else None for shift in (CHUNK_BITS, 0)]
    chunks = _scored(store, "chunk_terms", match, kept, skip, found, count, fielded, wanted[0])
    files = _scored(store, "file_terms", match, kept, skip, found, count, fielded, wanted[1])
    marks = ", ".join("?" * len(chunks))
    details = {
        int(row[0]): (int(row[1]), int(row[2]), str(row[3]), str(row[4]), tuple(str(row[5]).split()))
        for row in store.db.execute(f"SELECT id, start, end, symbol, kind, names FROM chunks WHERE id IN ({marks})", tuple(chunks))
    }
    paths = _paths(store, {chunk >> CHUNK_BITS for chunk in chunks} | set(files), inside)
    hits = []
    for chunk, score in chunks.items():
        if (path := paths.get(chunk >> CHUNK_BITS)) is not None and chunk in details:
            start, end, symbol, kind, names = details[chunk]
            hits.append(Hit(path, start, end, score, symbol, kind, names))
    hits.sort(key=lambda hit: (-hit.score, hit.path, hit.start))
    return hits, {paths[file]: score for file, score in files.items() if file in paths}


def _any(terms: list[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)


class _Quotas:
    """Says of each proposed unit whether its file's class still has room; `shift` turns a row id into that of its file."""

    def __init__(self, store: Store, inside: Inside, quotas: Mapping[str, int], shift: int) -> None:
        self.store, self.inside, self.shift = store, inside, shift
        self.left = dict(quotas)
        self._classes: dict[int, str] = {}

    def take(self, rowid: int) -> bool:
        file = rowid >> self.shift
        if file not in self._classes:
            row = self.store.db.execute("SELECT path, class, language FROM files WHERE id = ?", (file,)).fetchone()
            self._classes[file] = str(row[1]) if row and self.inside(from_db(row[0]), str(row[1]), str(row[2])) else ""
        name = self._classes[file]
        if self.left.get(name, 0) < 1:
            return False
        self.left[name] -= 1
        return True


def _scored(
    store: Store, table: str, match: str, terms: list[str], skip: int, found: dict[str, int], count: int, fielded: bool, quotas: _Quotas | None
) -> dict[int, float]:
    score = f"iq_counts({table})" if fielded else f"-bm25({table})"
    depth = CANDIDATES
    if quotas is not None:
        depth = DEPTH
        store.db.create_scalar_function("iq_wanted", quotas.take, 1)  # type: ignore[arg-type]
        score = f"CASE WHEN iq_wanted(rowid) THEN {score} END"
    proposed = []
    for rowid, value in store.db.execute(f"SELECT rowid, {score} FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT ?", (match, depth)):
        if value is not None:
            proposed.append((int(rowid), value))
        elif quotas is not None and not any(quotas.left.values()):
            break
    if not fielded:
        return {rowid: float(value) for rowid, value in proposed}
    units = []
    for rowid, packed in proposed:
        numbers = [int(number) for number in str(packed).split(" ")]
        phrases = [numbers[at : at + 4] for at in range(0, len(numbers) - 4, 4)]
        counts = phrases if not skip else phrases[:skip] + phrases[2 * skip :]
        units.append((rowid, counts, numbers[-4:]))
    statistics = _statistics(store, table, terms, found, count)
    return {rowid: bm25f(counts, lengths, statistics) for rowid, counts, lengths in units}


def _statistics(store: Store, table: str, terms: list[str], found: dict[str, int], count: int) -> Statistics:
    """Mean field lengths come from FTS5's own averages record, a varint list: rows, then terms a column."""
    row = store.db.execute(f"SELECT block FROM {table}_data WHERE id = 1").fetchone()
    numbers, value = [], 0
    for byte in row[0] if row else b"":
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(value)
            value = 0
    rows, sizes = (numbers[0], numbers[1:5]) if len(numbers) >= 5 else (0, [0, 0, 0, 0])
    return Statistics(count, tuple(size / rows if rows else 0.0 for size in sizes), tuple(found[term] for term in terms))


def _paths(store: Store, files: set[int], inside: Inside) -> dict[int, str]:
    marks = ", ".join("?" * len(files))
    rows = store.db.execute(f"SELECT id, path, class, language FROM files WHERE id IN ({marks})", tuple(files))
    return {int(row[0]): from_db(row[1]) for row in rows if inside(from_db(row[1]), str(row[2]), str(row[3]))}

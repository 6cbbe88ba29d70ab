"""The full-text leg: candidates from FTS5, re-scored with BM25F, over chunks and over whole files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import apsw

from iq.index.store import CHUNK_BITS, Store, from_db
from iq.plan.score import Scorer, Statistics, bm25f
from iq.types import Hit

# Chunks that FTS5's own bm25() proposes; re-scoring only these loses .004 nDCG@10 against re-scoring all.
CANDIDATES = 300

# A term in more of the chunks than this proposes none while rarer ones are left: its postings are what makes a sentence
# slow (180 ms with them, 19 without, over 350k chunks). In fewer chunks than LARGE every term proposes: leaving the common
# ones out of the score cost .04 nDCG@10 on the semble set.
COMMON = 0.10
LARGE = 5000

# With quotas the walk down the proposed units ends after this many, full or not (rows).
DEPTH = 5000

Inside = Callable[[str, str | None, str | None], bool]


def frequencies(store: Store, terms: list[str]) -> dict[str, int]:
    """Chunks that hold each term; terms that no chunk holds are left out."""
    marks = ", ".join("?" * len(terms))
    return {str(term): int(count) for term, count in store.db.execute(f"SELECT term, doc FROM chunk_vocabulary WHERE term IN ({marks})", tuple(terms))}


def leg(
    store: Store, terms: Mapping[str, float], inside: Inside | None, fielded: bool = True, quotas: Mapping[str, int] | None = None
) -> tuple[list[Hit], dict[str, float]]:
    """Chunks that hold query terms, best first, and the whole-file score of each file among them.

    `terms` have weights, 1 where the question itself asks; `inside` restricts the files while they are proposed, so that a
    narrow scope loses nothing to a wide one. With `fielded` off, FTS5's own bm25() orders both. With `quotas`, each file
    class proposes up to its own number of units, so that the tests and documents that an intent asks for are there even
    where code fills the first hundreds.
    """
    found = frequencies(store, list(terms))
    count, _ = store.totals("chunk_terms")
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
    where = ""
    if inside is not None:
        rows = store.db.execute("SELECT id, path, class, language FROM files")
        allowed = {int(row[0]) for row in rows if inside(from_db(row[1]), str(row[2]), str(row[3]))}

        def in_scope(*file: object) -> bool:
            return file[0] in allowed

        store.db.create_scalar_function("iq_inside", in_scope, 1)
        where = "AND iq_inside(rowid >> {bits})"
    weights = {term: terms[term] for term in kept}

    def scored(table: str, bits: int) -> dict[int, float]:
        score = f"{'iq_bm25f' if fielded else '-bm25'}({table})"
        if fielded:
            scorer = bm25f(_statistics(store, table, kept, found, count), list(weights.values()))
            store.db.register_fts5_function("iq_bm25f", _auxiliary(scorer, [*range(skip), *range(2 * skip, len(kept) + skip)]))
        left = dict(quotas or {})
        if quotas is not None:
            score = _limited(store, score, left, bits)
        proposed = {}
        depth = CANDIDATES if quotas is None else DEPTH
        query = f"SELECT rowid, {score} FROM {table} WHERE {table} MATCH ? {where.format(bits=bits)} ORDER BY rank LIMIT ?"
        for row in store.db.execute(query, (match, depth)):
            if row[1] is not None:
                proposed[int(row[0])] = float(row[1])
            elif not any(left.values()):
                break
        return proposed

    chunks, files = scored("chunk_terms", CHUNK_BITS), scored("file_terms", 0)
    marks = ", ".join("?" * len(chunks))
    details = {
        int(row[0]): (int(row[1]), int(row[2]), str(row[3]), str(row[4]), tuple(str(row[5]).split()))
        for row in store.db.execute(f"SELECT id, start, end, symbol, kind, names FROM chunks WHERE id IN ({marks})", tuple(chunks))
    }
    paths = _paths(store, {chunk >> CHUNK_BITS for chunk in chunks} | set(files))
    hits = []
    for chunk, score in chunks.items():
        if chunk in details:
            start, end, symbol, kind, names = details[chunk]
            hits.append(Hit(paths[chunk >> CHUNK_BITS], start, end, score, symbol, kind, names, chunk))
    hits.sort(key=lambda hit: (-hit.score, hit.path, hit.start))
    return hits, {paths[file]: score for file, score in files.items()}


def _auxiliary(scorer: Scorer, phrases: list[int]) -> Callable[..., float]:
    """The FTS5 function that scores one unit; `phrases` are those of the match that stand for the question's terms."""

    def score(api: apsw.FTS5ExtensionApi, /, *_: object) -> float:
        columns = range(api.column_count)
        return scorer([[len(places) for places in api.phrase_locations(phrase)] for phrase in phrases], [api.column_size(column) for column in columns])

    return score


def _limited(store: Store, score: str, left: dict[str, int], bits: int) -> str:
    """The score of units whose file's class still has room in `left`, NULL of the others; it takes the room."""
    classes = {int(str(row[0])): str(row[1]) for row in store.db.execute("SELECT id, class FROM files")}

    def take(*row: object) -> bool:
        name = classes.get(int(str(row[0])) >> bits, "")
        if left.get(name, 0) < 1:
            return False
        left[name] -= 1
        return True

    store.db.create_scalar_function("iq_wanted", take, 1)
    return f"CASE WHEN iq_wanted(rowid) THEN {score} END"


def _any(terms: list[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)


def _statistics(store: Store, table: str, terms: list[str], found: dict[str, int], count: int) -> Statistics:
    rows, sizes = store.totals(table)
    return Statistics(count, tuple(size / rows if rows else 0.0 for size in sizes), tuple(found[term] for term in terms))


def _paths(store: Store, files: set[int]) -> dict[int, str]:
    marks = ", ".join("?" * len(files))
    return {int(row[0]): from_db(row[1]) for row in store.db.execute(f"SELECT id, path FROM files WHERE id IN ({marks})", tuple(files))}

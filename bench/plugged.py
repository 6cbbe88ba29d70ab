"""iq's own scoring in the form that the Vaswani check calls: the one place to change when their signatures do."""

from __future__ import annotations

from collections.abc import Mapping

from bench.vaswani import Bm25, Collection, Expand, Ranked
from iq.plan import rm3, score


def scoring() -> tuple[Bm25, Expand]:
    return bm25, expand


def stored_length(length: int) -> int:
    """Lucene keeps a document's length in one byte: exact below 40, then four significant bits (SmallFloat.byte4ToInt)."""
    if length < 40:
        return length
    rest = length - 24
    shift = max(0, rest.bit_length() - 4)
    return (rest >> shift << shift) + 24


def bm25(terms: Mapping[str, float], documents: Collection, k1: float, b: float) -> Ranked:
    known = [term for term in terms if term in documents.postings]
    frequencies = [len(documents.postings[term]) for term in known]
    weights = [terms[term] for term in known]
    average = documents.average
    holding = sorted({document for term in known for document in documents.postings[term]})
    found = []
    for document in holding:
        counts = [documents.postings[term].get(document, 0) for term in known]
        found.append((document, score.bm25(counts, stored_length(documents.lengths[document]), average, len(documents.lengths), frequencies, k1, b, weights)))
    return sorted(found, key=lambda row: (-row[1], int(row[0])))


def expand(terms: Mapping[str, float], first: Ranked, documents: Collection, units: int, added: int, original: float) -> Mapping[str, float]:
    feedback = [(documents.counts[document], value) for document, value in first[:units]]
    return rm3.expand(terms, feedback, lambda term: len(documents.postings[term]) / len(documents.lengths), added, original)

"""BM25 and RM3 as Anserini computes them, written here from its formulas, prove the loading, the analysis and MAP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import log

import pytest

from bench import vaswani
from bench.porter import stem
from bench.vaswani import K1, B, Collection, Ranked

# Anserini, Rm3Reranker: a feedback term has 2 to 20 letters or digits and is in at most a tenth of the documents.
SHORTEST, LONGEST, COMMON = 2, 20, 0.1


def stored_length(length: int) -> int:
    """Lucene keeps a document's length in one byte: exact below 40, then four significant bits (SmallFloat.byte4ToInt)."""
    if length < 40:
        return length
    rest = length - 24
    shift = max(0, rest.bit_length() - 4)
    return (rest >> shift << shift) + 24


def bm25(terms: Mapping[str, float], documents: Collection, k1: float, b: float) -> Ranked:
    """weight · ln(1 + (N − df + .5)/(df + .5)) · tf / (tf + k1 · (1 − b + b · length/average)) (Lucene, BM25Similarity)."""
    n, average = len(documents.lengths), documents.average
    scores: dict[str, float] = {}
    for term, weight in terms.items():
        found = documents.postings.get(term, {})
        idf = log(1 + (n - len(found) + 0.5) / (len(found) + 0.5))
        for document, tf in found.items():
            norm = k1 * (1 - b + b * stored_length(documents.lengths[document]) / average)
            scores[document] = scores.get(document, 0.0) + weight * idf * tf / (tf + norm)
    return sorted(scores.items(), key=lambda row: (-row[1], int(row[0])))[:1000]


def rm3(terms: Mapping[str, float], ranked: Ranked, documents: Collection, depth: int, size: int, original: float) -> Mapping[str, float]:
    """P(w) ∝ sum over feedback documents of score · tf(w)/norm, the best `size`, mixed with the query (Abdul-Jaleel et al., 2004).

    A document is first cut to its `size` most frequent terms, ties by spelling, and `norm` is the sum of their tf. Found
    from the reference weights: only so are all 930 feedback terms and their weights the same.
    """
    model: dict[str, float] = {}
    for document, score in ranked[:depth]:
        usable_terms = {term: tf for term, tf in documents.terms_of(document).items() if usable(term, documents)}
        kept = dict(sorted(usable_terms.items(), key=lambda row: (-row[1], row[0]))[:size])
        for term, tf in kept.items():
            model[term] = model.get(term, 0.0) + score * tf / sum(kept.values())
    best = dict(sorted(model.items(), key=lambda row: (-row[1], row[0]))[:size])
    weights = {term: original * weight / sum(terms.values()) for term, weight in terms.items()}
    for term, weight in best.items():
        weights[term] = weights.get(term, 0.0) + (1 - original) * weight / sum(best.values())
    return weights


def usable(term: str, documents: Collection) -> bool:
    return SHORTEST <= len(term) <= LONGEST and term.isascii() and term.isalnum() and len(documents.postings[term]) / len(documents.lengths) <= COMMON


documents = cache(vaswani.collection)


@cache
def checked() -> vaswani.Check:
    return vaswani.check(bm25, rm3)


def test_the_collection_is_whole() -> None:
    found = documents()
    assert len(found.lengths) == 11_429
    assert len(vaswani.queries()) == len(vaswani.qrels()) == len(vaswani.reference()) == 93
    assert sum(len(relevant) for relevant in vaswani.qrels().values()) == 2_083


def test_queries_are_analysed_as_the_reference_has_them() -> None:
    for row in vaswani.reference():
        assert dict(Counter(vaswani.analyse(vaswani.queries()[row.id]))) == row.terms, row.id


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("agreed", "agre"), ("plastered", "plaster"), ("motoring", "motor"),
        ("sing", "sing"), ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("happy", "happi"),
        ("relational", "relat"), ("conditional", "condit"), ("digitizer", "digit"), ("vietnamization", "vietnam"), ("formalize", "formal"),
        ("electrical", "electr"), ("goodness", "good"), ("adjustment", "adjust"), ("adoption", "adopt"), ("probate", "probat"),
        ("cease", "ceas"), ("controll", "control"), ("roll", "roll"), ("is", "is"),
    ],
)  # fmt: skip
def test_stems_of_porters_own_examples(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_bm25_gives_the_reference_its_scores() -> None:
    """The top 20 of all 93 queries, printed to four digits."""
    for row in vaswani.reference():
        ours = dict(bm25(row.terms, documents(), K1, B))
        assert all(ours[document] == pytest.approx(score, abs=1e-4) for document, score in row.bm25), row.id


def test_rm3_gives_the_reference_its_terms_and_weights() -> None:
    for row in vaswani.reference()[:20]:
        ours = rm3(row.terms, bm25(row.terms, documents(), K1, B), documents(), 10, 10, 0.5)
        assert ours == pytest.approx(row.feedback, abs=1e-5), row.id


def test_map_is_the_published_one() -> None:
    assert checked().map_bm25 == pytest.approx(vaswani.MAP_BM25, abs=1e-4)
    assert checked().map_rm3 == pytest.approx(vaswani.MAP_RM3, abs=1e-4)
    assert checked().agreement == 1.0
    assert checked().passes
    assert vaswani.text(checked()).endswith("passes")


def test_a_scorer_that_is_off_fails() -> None:
    def blind(terms: Mapping[str, float], found: Collection, k1: float, b: float) -> Ranked:
        return [(document, 1.0) for document in list(found.lengths)[:1000]]

    def unexpanded(terms: Mapping[str, float], ranked: Ranked, found: Collection, depth: int, size: int, original: float) -> Mapping[str, float]:
        return {term: original * weight / sum(terms.values()) for term, weight in terms.items()}

    found = vaswani.check(blind, unexpanded)
    assert not found.passes
    assert found.agreement == 0.0
    assert vaswani.text(found).endswith("FAILS")


def test_a_term_that_feedback_did_not_raise_is_not_a_feedback_term() -> None:
    assert vaswani.fed({"a": 0.25, "b": 0.30, "c": 0.2}, {"a": 1.0, "b": 1.0}) == {"b", "c"}


def test_a_query_that_was_not_run_counts_zero() -> None:
    perfect = {query: [(document, 1.0) for document in sorted(relevant)] for query, relevant in vaswani.qrels().items()}
    assert vaswani.mean_average_precision(perfect) == pytest.approx(1.0)
    del perfect["1"]
    assert vaswani.mean_average_precision(perfect) == pytest.approx(92 / 93)

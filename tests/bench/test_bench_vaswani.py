"""iq's own BM25 and RM3 against Anserini's scores, feedback terms and weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache

import pytest

from bench import vaswani
from bench.plugged import bm25, expand
from bench.porter import stem
from bench.vaswani import K1, B, Collection, Ranked

documents = cache(vaswani.collection)


@cache
def checked() -> vaswani.Check:
    return vaswani.check(bm25, expand)


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
        ours = expand(row.terms, bm25(row.terms, documents(), K1, B), documents(), 10, 10, 0.5)
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

"""Feedback terms and their weights; agreement with Anserini is tests/bench/test_bench_vaswani."""

from __future__ import annotations

import pytest

from iq.plan.rm3 import expand


def test_question_and_feedback_share_the_weight() -> None:
    weights = expand({"retri": 1.0}, [({"backoff": 3, "retri": 1}, 2.0)], lambda term: 0.01)
    assert weights == pytest.approx({"retri": 0.5 + 0.5 / 4, "backoff": 0.5 * 3 / 4})


def test_what_is_everywhere_is_not_added() -> None:
    assert expand({"a1": 1.0}, [({"self": 9, "jitter": 1}, 1.0)], lambda term: 0.9 if term == "self" else 0.0) == pytest.approx({"a1": 0.5, "jitter": 0.5})


def test_nothing_to_learn_from() -> None:
    assert expand({"a1": 2.0}, [], lambda term: 0.0) == {"a1": 0.5}
    assert expand({}, [({"x": 1}, 1.0)], lambda term: 0.0) == {}


def test_a_unit_is_cut_before_it_is_normalised() -> None:
    """Long units would spread their weight over words that never enter."""
    assert expand({"q1": 1.0}, [({"aa": 2, "bb": 1, "cc": 1}, 1.0)], lambda term: 0.0, added=1)["aa"] == pytest.approx(0.5)

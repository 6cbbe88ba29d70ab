"""Fusion and scores, by arithmetic."""

from __future__ import annotations

import math

import pytest

from iq.plan.fuse import rrf
from iq.plan.score import Statistics, bm25, bm25f, idf
from iq.types import Hit


def hits(*paths: str) -> list[Hit]:
    return [Hit(path, 1, 1, 1.0) for path in paths]


def test_reciprocal_ranks_add_up() -> None:
    fused = rrf({"a": hits("x", "y"), "b": hits("y")})
    assert [c.path for c in fused] == ["y", "x"]
    assert fused[0].score == 1 / 62 + 1 / 61
    assert fused[0].ranks == {"a": 2, "b": 1}


def test_one_leg_keeps_its_order_and_a_file_counts_once() -> None:
    assert [c.path for c in rrf({"a": hits("x", "x", "z", "y")})] == ["x", "z", "y"]
    assert rrf({"a": hits("x", "x", "z")})[1].score == 1 / 62


def test_ties_go_by_path() -> None:
    assert [c.path for c in rrf({"a": hits("b"), "b": hits("a")})] == ["a", "b"]


def test_bm25f_by_hand() -> None:
    """One term, twice in the path field of average length: 4·2 = 8 weighted occurrences over k1 1.6."""
    statistics = Statistics(10, (5.0, 1.0, 100.0, 10.0), (2,))
    assert bm25f(statistics)([[2, 0, 0, 0]], [5, 1, 100, 10]) == pytest.approx(idf(10, 2) * 8 / 9.6)


def test_bm25_by_hand() -> None:
    assert bm25([3], 10, 10.0, 4, [1]) == pytest.approx(math.log(1 + 3.5 / 1.5) * 3 / (0.9 + 3))

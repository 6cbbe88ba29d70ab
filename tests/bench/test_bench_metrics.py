from __future__ import annotations

from math import log2

import pytest

from bench import metrics
from bench.datasets import Target
from bench.metrics import Place, Unit


def units(*places: str) -> list[Unit]:
    """`a:1-9` is a chunk, `a` a whole file, `a:1-9 a:20-29` one unit with two spans."""

    def place(word: str) -> Place:
        path, _, span = word.partition(":")
        start, _, end = span.partition("-")
        return Place(path, int(start or 0), int(end or start or 0))

    return [tuple(place(word) for word in unit.split()) for unit in places]


A, B, C = Target("src/a.py"), Target("src/b.py"), Target("src/c.py")
SECOND, THIRD, FOURTH = 1 / log2(3), 1 / 2, 1 / log2(5)


@pytest.mark.parametrize(
    ("place", "target", "met"),
    [
        pytest.param("src/a.py:1-9", A, True, id="path"),
        pytest.param("lib/src/a.py:1-9", A, True, id="the result's path is longer"),
        pytest.param("a.py", A, True, id="the target's path is longer"),
        pytest.param("src/aa.py", Target("a.py"), False, id="a suffix starts at a slash"),
        pytest.param("a:1-9", Target("a", 9, 12), True, id="one shared line"),
        pytest.param("a:1-8", Target("a", 9, 12), False, id="next to it"),
        pytest.param("a", Target("a", 9, 12), False, id="a file says no line"),
    ],
)
def test_a_place_meets_a_target(place: str, target: Target, met: bool) -> None:
    assert metrics.meets(units(place)[0][0], target) is met


@pytest.mark.parametrize(
    ("ranking", "targets", "expected"),
    [
        pytest.param(["src/a.py:1-9"], [A], 1.0, id="first"),
        pytest.param(["x", "src/a.py"], [A], SECOND, id="second"),
        pytest.param(["src/a.py", "x", "src/b.py"], [A, B], (1 + THIRD) / (1 + SECOND), id="first and third of two"),
        pytest.param(["src/a.py:1-9", "src/a.py:10-19"], [A], 1.0, id="only the first chunk of a file counts"),
        pytest.param(["a:1-9"], [Target("a", 1, 2), Target("a", 3, 4)], 1 / (1 + SECOND), id="two targets in one chunk count once"),
        pytest.param(["x"] * 10 + ["src/a.py"], [A], 0.0, id="rank 11"),
        pytest.param([], [A], 0.0, id="nothing found"),
        pytest.param(["src/a.py"], [], 0.0, id="nothing to find"),
    ],
)
def test_ndcg_in_sembles_form(ranking: list[str], targets: list[Target], expected: float) -> None:
    assert metrics.ndcg(units(*ranking), targets) == pytest.approx(expected, abs=1e-12)


def test_the_ideal_has_no_more_ranks_than_k() -> None:
    many = [Target(f"{number}") for number in range(12)]
    assert metrics.ndcg(units(*(str(number) for number in range(12))), many) == pytest.approx(1.0)


def test_the_file_once_form_gives_a_file_one_rank_and_ignores_spans() -> None:
    ranking = units("x:1-2", "x:3-4", "src/a.py:1-2")
    assert metrics.ndcg(ranking, [A]) == THIRD
    assert metrics.ndcg_files(ranking, [Target("src/a.py", 50, 60), Target("src/a.py", 70, 80)]) == SECOND


@pytest.mark.parametrize(
    ("ranking", "targets", "expected"),
    [
        pytest.param(["f:1-5", "g:7-7"], [Target("g", 5, 9)], SECOND, id="anchor within its tolerance"),
        pytest.param(["f:1-1 f:40-40"], [Target("f", 40, 40)], 1.0, id="any span of the group"),
        pytest.param(["f:1-9"], [Target("f", 1, 2), Target("f", 3, 4)], 1.0, id="two anchors at rank 1 gain 2 of 1.63: cut at 1"),
        pytest.param(["x", "f:1-9"], [Target("f", 1, 2), B], SECOND / (1 + SECOND), id="one of two"),
    ],
)
def test_ndcg_over_anchors(ranking: list[str], targets: list[Target], expected: float) -> None:
    assert metrics.ndcg_anchors(units(*ranking), targets) == pytest.approx(expected, abs=1e-12)


# octocode's own worked example: DCG = 2/log2(3) + 1/log2(4), IDCG = 2 + 1/log2(3).
EXAMPLE = [Target("fileA", 10, 50, 2), Target("fileB", 20, 30, 1)]


def test_graded_ndcg_on_octocodes_worked_example() -> None:
    ranking = units("fileC:1-10", "fileA:30-60", "fileB:25-35")
    expected = (2 * SECOND + THIRD) / (2 + SECOND)
    assert metrics.ndcg_graded(ranking, EXAMPLE) == pytest.approx(expected)
    assert metrics.ndcg_octocode(ranking, EXAMPLE) == pytest.approx(expected)
    assert round(expected, 2) == 0.67
    assert metrics.recall(ranking, EXAMPLE, 10) == 1.0
    assert metrics.mrr(ranking, EXAMPLE) == 0.5
    assert metrics.hit(ranking, EXAMPLE, 1) == 0.0
    assert metrics.hit(ranking, EXAMPLE, 5) == 1.0


def test_a_target_split_over_two_chunks_is_credited_once_or_as_published() -> None:
    ranking = units("fileA:10-20", "fileA:21-50", "fileB:20-30")
    assert metrics.ndcg_graded(ranking, EXAMPLE) == pytest.approx((2 + THIRD) / (2 + SECOND))
    assert metrics.ndcg_octocode(ranking, EXAMPLE) == pytest.approx((2 + 2 * SECOND + THIRD) / (2 + SECOND))
    assert metrics.ndcg_octocode(ranking, EXAMPLE) > 1


@pytest.mark.parametrize(
    ("k", "recall", "mrr", "accuracy"),
    [pytest.param(1, 0.0, 0.0, 0.0, id="1"), pytest.param(2, 0.5, 0.5, 0.0, id="2"), pytest.param(4, 1.0, 0.5, 1.0, id="4")],
)
def test_recall_mrr_and_accuracy_at_k(k: int, recall: float, mrr: float, accuracy: float) -> None:
    ranking = units("x", "src/a.py", "y", "src/b.py")
    assert metrics.recall(ranking, [A, B], k) == recall
    assert metrics.mrr(ranking, [A, B], k) == mrr
    assert metrics.accuracy(ranking, [A, B], k) == accuracy


@pytest.mark.parametrize(
    ("ranked", "relevant", "expected"),
    [
        pytest.param("abc", "a", 1.0, id="first"),
        pytest.param("xaxb", "ab", (1 / 2 + 2 / 4) / 2, id="ranks 2 and 4"),
        pytest.param("a", "ab", 1 / 2, id="one was not ranked"),
        pytest.param("xyz", "a", 0.0, id="none"),
        pytest.param("abc", "", 0.0, id="nothing is relevant"),
    ],
)
def test_average_precision(ranked: str, relevant: str, expected: float) -> None:
    assert metrics.average_precision(list(ranked), set(relevant)) == expected


def test_share_met_looks_at_all_places_at_once() -> None:
    assert metrics.share_met([Place("src/a.py", 1, 1), Place("x", 1, 1)], [A, B]) == 0.5
    assert metrics.share_met([], [A]) == 0.0

from __future__ import annotations

import pytest

from bench.stats import bootstrap, compare, percentile, sign_test


def test_a_bootstrap_is_the_same_digit_for_digit() -> None:
    values = [0.1, 0.9, 0.4, 1.0, 0.0, 0.7]
    assert bootstrap(values) == bootstrap(values)
    assert bootstrap(values, seed=1) != bootstrap(values, seed=2)


def test_a_bootstrap_of_equal_values_has_no_width() -> None:
    found = bootstrap([0.5] * 20)
    assert (found.mean, found.low, found.high) == (0.5, 0.5, 0.5)


def test_a_bootstrap_is_near_the_normal_interval() -> None:
    """100 coins: the mean is .5, its standard error .05, so the interval is about .5 ± .098."""
    found = bootstrap([0.0, 1.0] * 50)
    assert found.mean == 0.5
    assert found.low == pytest.approx(0.402, abs=0.012)
    assert found.high == pytest.approx(0.598, abs=0.012)


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [
        pytest.param(0, 0, 1.0, id="all tied"),
        pytest.param(5, 5, 1.0, id="even"),
        pytest.param(5, 0, 2 / 32, id="five to none: 2 · 1/2^5"),
        pytest.param(8, 2, 2 * (1 + 10 + 45) / 1024, id="eight to two"),
        pytest.param(2, 8, 2 * (1 + 10 + 45) / 1024, id="the same from the other side"),
    ],
)
def test_sign_test(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p)


def test_a_comparison_counts_query_by_query() -> None:
    found = compare([0.5, 0.5, 0.5, 1.0], [1.0, 0.0, 0.5 + 1e-12, 1.0])
    assert (found.wins, found.losses, found.ties) == (1, 1, 2)
    assert found.delta.mean == pytest.approx(0.0)
    assert found.p == 1.0


def test_unequal_sequences_are_refused() -> None:
    with pytest.raises(ValueError, match="1 scores cannot be paired with 2"):
        compare([0.0], [0.0, 1.0])


@pytest.mark.parametrize(("share", "value"), [(0.5, 5), (0.95, 10), (0.0, 1), (1.0, 10)])
def test_percentile_is_the_nearest_rank(share: float, value: float) -> None:
    assert percentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], share) == value


def test_a_percentile_of_nothing_is_zero() -> None:
    assert percentile([], 0.5) == 0.0

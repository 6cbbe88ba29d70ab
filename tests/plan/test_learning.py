"""Learning from marks: it moves where it should, and nothing that one query, noise or spite can do moves it."""

from __future__ import annotations

import random

import pytest

from iq.plan.learning import FACTORS, QUERIES, Judged, learn, value
from iq.plan.suggest import groups


def query(name, wrong, right):
    """Two candidates, (base z, log p, evidence) each; the second is the useful one."""
    return Judged(name, ((*wrong, 0), (*right, 1)))


# The useful place has less prior and more evidence: it wins once β is large enough against λ.
EVIDENT = [query(f"q{n}", (1.0, -0.2, 0.0), (0.0, -1.0, 1.0)) for n in range(12)]


def test_value_by_hand():
    judged = Judged("q", ((3.0, 0.0, 0.0, 0), (2.0, 0.0, 0.0, 1), (1.0, 0.0, 0.0, 1)))
    assert value(judged, 1, 1) == 1 / 2
    assert value(Judged("q", ((3.0, 0.0, 0.0, 0), (2.0, 0.0, 0.0, -1))), 1, 1) == 1 - 1 / 2
    assert value(Judged("q", ((3.0, 0.0, 0.0, 0),)), 1, 1) == 0


def test_it_learns_what_all_marks_say():
    outcome = learn(EVIDENT, 2.0, 2.0)
    assert outcome.factors is not None
    prior, evidence = outcome.factors
    assert evidence / prior > 1 and max(FACTORS) >= evidence and min(FACTORS) <= prior
    assert outcome.after == 1.0 and outcome.before == 0.5


def test_too_few_queries_teach_nothing():
    outcome = learn(EVIDENT[: QUERIES - 1], 2.0, 2.0)
    assert outcome.factors is None and f"{QUERIES} are needed" in outcome.why


def test_queries_without_a_marked_candidate_do_not_count():
    unmarked = [Judged(f"u{n}", ((1.0, 0.0, 0.0, 0),)) for n in range(20)]
    assert learn([*unmarked, *EVIDENT[:3]], 2.0, 2.0).factors is None


def test_contradictory_marks_teach_nothing():
    opposite = [query(f"o{n}", (0.0, -1.0, 1.0), (1.0, -0.2, 0.0)) for n in range(12)]
    assert learn([*EVIDENT, *opposite], 2.0, 2.0).factors is None


def test_noise_teaches_nothing_nearly_always():
    learned = 0
    for seed in range(60):
        draw = random.Random(seed)
        noise = [
            Judged(f"q{n}", tuple((draw.gauss(0, 1), draw.uniform(-3, 0), draw.random(), int(at == 3)) for at in range(12))) for n in range(20)
        ]  # fmt: skip
        learned += learn(noise, 2.0, 2.0).factors is not None
    assert learned <= 3


def test_weights_that_are_right_already_stay():
    right = [query(f"q{n}", (0.0, -1.0, 0.0), (1.0, -0.2, 1.0)) for n in range(20)]
    assert learn(right, 2.0, 2.0).factors is None


def test_the_change_is_bounded_however_much_more_would_help():
    far = [query(f"q{n}", (2.5, 0.0, 0.0), (0.0, 0.0, 1.0)) for n in range(20)]
    outcome = learn(far, 1.0, 2.0)
    assert outcome.factors is not None and max(outcome.factors) <= 1.5


@pytest.mark.parametrize(
    ("queries", "names"),
    [
        (["where is the cache filled", "cache eviction order", "is the cache shared"], ["cache"]),
        (["cache", "cache", "cache"], []),
        (["cache fill", "parse dates"], []),
        (["", " ", "?"], []),
        ([], []),
    ],
)
def test_groups_of_questions(queries, names):
    assert [group.name for group in groups(queries, set())] == names


def test_a_taken_name_is_not_proposed():
    queries = ["where is the cache filled", "cache eviction order", "is the cache shared"]
    (group,) = groups(queries, {"cache"})
    assert group.name != "cache" and group.name.startswith("cache-")
    assert set(group.queries) == set(queries)

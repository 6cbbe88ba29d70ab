"""The gate as a pure function of named signals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iq.floor.weak import CALIBRATED, VERDICTS, WORDS, Calibration, Gate, judge

# topic: level = known - 1, shut below 0; first: level = lead, shut below 2.
PLAIN = Calibration(Gate({"known": 1.0}, -1.0, 0.0), Gate({"lead": 1.0}, 0.0, 2.0), clear=0.5)
PARTIAL = Calibration(PLAIN.topic, PLAIN.first, PLAIN.clear, whole=False)


@pytest.mark.parametrize(
    ("signals", "calibration", "defined", "verdict"),
    [
        pytest.param({"known": 2.0, "lead": 3.0}, PLAIN, False, "confident", id="on topic and far ahead"),
        pytest.param({"known": 2.0, "lead": 2.0}, PLAIN, False, "confident", id="a floor is reached by what equals it"),
        pytest.param({"known": 2.0, "lead": 1.9}, PLAIN, False, "ambiguous", id="on topic, others near"),
        pytest.param({"known": 1.4, "lead": 9.0}, PLAIN, False, "ambiguous", id="far ahead, but perhaps off topic"),
        pytest.param({"known": 1.4, "lead": 9.0}, PLAIN, True, "confident", id="far ahead, and on topic for its identifier"),
        pytest.param({"known": 2.0, "lead": 1.9}, PARTIAL, False, "unjudged", id="words alone cannot say that it is on topic"),
        pytest.param({"known": 2.0, "lead": 2.1}, PARTIAL, False, "confident", id="words alone can be sure"),
        pytest.param({"known": 0.9, "lead": 9.0}, PLAIN, False, "weak", id="far ahead of the others and still off topic"),
        pytest.param({"known": 0.9, "lead": 9.0}, PARTIAL, False, "weak", id="words alone can say off topic"),
        pytest.param({"known": 0.9, "lead": 9.0}, PLAIN, True, "confident", id="an identifier that is defined here is on topic"),
        pytest.param({"known": 0.9, "lead": 0.0}, PLAIN, True, "ambiguous", id="defined, others near"),
        pytest.param({"known": 2.0}, PLAIN, False, "unjudged", id="no lead measured: neither sure nor doubtful"),
        pytest.param({"known": 0.0}, PLAIN, False, "weak", id="no lead measured, and off topic"),
        pytest.param({"lead": 9.0}, PLAIN, False, "unjudged", id="a topic that was not measured"),
        pytest.param({}, PLAIN, True, "unjudged", id="nothing measured"),
        pytest.param({"known": 2.0, "lead": 3.0}, None, False, "unjudged", id="no calibration of this model"),
    ],
)
def test_judge(signals: dict[str, float], calibration: Calibration | None, defined: bool, verdict: str) -> None:
    assert judge(signals, calibration, defined) == verdict


@given(st.dictionaries(st.sampled_from(["known", "lead", "text"]), st.floats(-1e6, 1e6)), st.sampled_from([PLAIN, PARTIAL, None]))
def test_what_is_defined_here_is_never_weak(signals: dict[str, float], calibration: Calibration | None) -> None:
    assert judge(signals, calibration, defined=True) != "weak"
    assert judge(signals, calibration) in VERDICTS


@given(st.floats(-10, 10), st.floats(0.01, 10))
def test_more_of_a_good_signal_never_lowers_the_verdict(lead: float, more: float) -> None:
    order = ["ambiguous", "confident"]
    assert order.index(judge({"known": 2.0, "lead": lead + more}, PLAIN)) >= order.index(judge({"known": 2.0, "lead": lead}, PLAIN))


def test_a_level_is_a_sum() -> None:
    assert Gate({"a": 2.0, "b": -0.5}, 1.0, 0.0).level({"a": 3.0, "b": 4.0, "c": 9.0}) == 1.0 + 2.0 * 3.0 - 0.5 * 4.0
    assert Gate({"a": 2.0}, 1.0, 0.0).level({"b": 1.0}) is None


def test_the_built_in_calibrations_lean_the_right_way() -> None:
    """Whatever they are fitted to: more of a signal of the topic speaks for the topic, and only models make a judgement whole."""
    assert WORDS in CALIBRATED and not CALIBRATED[WORDS].whole
    for name, one in CALIBRATED.items():
        assert one.whole == (name != WORDS)
        assert all(weight > 0 for key, weight in one.topic.weights.items() if key in ("known", "text", "cosine")), name
        assert one.first.weights["margin"] > 0 and math.isfinite(one.first.floor)

"""Gates fitted to made-up signals whose answer is known."""

from __future__ import annotations

from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest

from bench import calibrate, calibrated
from bench.__main__ import main
from bench.observed import Observation
from bench.stats import proportion
from iq.floor.weak import judge

REPOS = ("a", "b", "c", "d")


def rows() -> list[Observation]:
    """On topic known and cosine are near 1, off topic near 0; the first file is right where it leads."""
    random = np.random.default_rng(7)
    found = []
    for at in range(400):
        off, right = at % 2 == 0, at % 10 != 1
        near = 0.15 if off else 0.85
        signals = {name: float(near + random.normal(0, 0.1)) for name in ("known", "text", "names", "cosine", "rise", "unusual", "probability")}
        ahead = 0.8 if right else 0.1
        signals |= {"lead": float(ahead + random.normal(0, 0.15)), "margin": float(ahead + random.normal(0, 0.15))}
        found.append(
            Observation(f"q{at}", "noanswer" if off else "semble", REPOS[at // 2 % 4], off, 0 if off else 1 if right else 3, "", False, signals, signals)
        )
    return found


def test_a_logistic_finds_the_weights_that_made_the_data() -> None:
    random = np.random.default_rng(3)
    x = random.normal(0, 2, (20_000, 2))
    y = (random.random(20_000) < 1 / (1 + np.exp(-(0.5 + 1.0 * x[:, 0] - 2.0 * x[:, 1])))).astype(float)
    weights, bias = calibrate.logistic(x, y, np.ones(len(y)))
    assert weights == pytest.approx([1.0, -2.0], abs=0.08) and bias == pytest.approx(0.5, abs=0.08)


def test_a_floor_is_where_the_mean_probability_is_sure() -> None:
    """Probabilities .99, .98, .97, .5: means .99, .985, .98, .86, so the third level is the floor."""
    levels = [log(p / (1 - p)) for p in (0.98, 0.5, 0.99, 0.97)]
    assert calibrate.floor_of(levels) == round(log(0.97 / 0.03), 2)
    assert calibrate.floor_of([0.0, -1.0]) == 1.0  # nothing is sure: above all


def test_a_fit_tells_the_two_apart() -> None:
    form = calibrate.FORMS["meaning"]
    fitted = calibrate.fit(rows(), form)
    found = [(row, judge(form.of(row), fitted)) for row in rows()]
    assert sum(verdict == "weak" for row, verdict in found if row.off) >= 199
    assert sum(verdict == "weak" for row, verdict in found if row.good) <= 2
    sure = [row for row, verdict in found if verdict == "confident"]
    assert len(sure) > 100 and sum(row.first == 1 for row in sure) >= 0.97 * len(sure)
    assert fitted.clear >= fitted.topic.floor


def test_no_repository_is_judged_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    real = calibrate.fit

    def watched(given: list[Observation], form: calibrate.Form) -> object:
        seen.append({row.repo for row in given})
        return real(given, form)

    monkeypatch.setattr(calibrate, "fit", watched)
    every = rows()
    found = calibrate.held_out(every, calibrate.FORMS["meaning"], [frozenset("ac"), frozenset("bd")])
    assert seen == [{"b", "d"}, {"a", "c"}] and len(found) == len(every)


def test_halves_are_apart_and_the_same_each_time() -> None:
    drawn = calibrate.halves(rows())
    assert drawn == calibrate.halves(rows()) and len(drawn) == calibrate.DRAWS
    assert all(len(one) == len(other) == 2 and one | other == set(REPOS) for one, other in drawn)


def test_figures_count_by_hand() -> None:
    """Two off-topic questions, one weak; three answers: right and confident, wrong and confident, exact and ambiguous."""
    off, fine, wrong = rows()[0], rows()[3], rows()[1]
    exact = replace(fine, exact="ambiguous", words=None, signals=None)
    judged = [calibrate.Judged(off, "weak"), calibrate.Judged(off, "confident"), calibrate.Judged(fine, "confident"), calibrate.Judged(wrong, "confident")]
    assert (fine.first, wrong.first) == (1, 3)
    assert calibrate.figures([*judged, calibrate.Judged(exact, "ambiguous")]) == [(1, 2), (0, 2), (2, 3), (1, 2), (2, 2), (1, 2), (1, 2)]


def test_repositories_of_one_kind_only_cannot_be_split() -> None:
    with pytest.raises(ValueError, match="more repositories"):
        calibrate.report([replace(row, repo="off" if row.off else "on") for row in rows()])


def test_nothing_found_counts_as_weak_and_exact_answers_as_they_are() -> None:
    nothing = replace(rows()[0], words={}, signals={})
    exact = replace(rows()[1], exact="confident", words=None, signals=None)
    every = [*rows(), replace(nothing, id="n"), replace(exact, id="e")]
    verdicts = {one.row.id: one.verdict for one in calibrate.held_out(every, calibrate.FORMS["meaning"], [frozenset("ac"), frozenset("bd")])}
    assert verdicts["n"] == calibrate.NOTHING and verdicts["e"] == "confident"


def test_the_verb_reads_what_was_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`--save` makes what was fitted the calibration of the models that are here."""
    from iq.models import calibration
    from tests import tiny_onnx

    monkeypatch.setenv("IQ_MODEL_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("IQ_CACHE_DIR", str(tmp_path / "cache"))
    tiny_onnx.embedder(tmp_path / "models/embedder")
    tiny_onnx.reranker(tmp_path / "models/reranker")
    calibrated.write(rows(), tmp_path / "seen.jsonl")
    assert calibrated.read(tmp_path / "seen.jsonl") == rows()
    assert main(["calibrate", "--json", str(tmp_path / "seen.jsonl"), "--save"]) == 0
    out = capsys.readouterr().out
    assert "| meaning | " in out and "| meaning, semble | " in out and "meaning = Calibration(Gate(" in out
    found, note = calibration.calibration(dense=True, read=False)
    assert note == "" and found == calibrate.fit(rows(), calibrate.FORMS["meaning"])


@pytest.mark.parametrize(("hits", "count", "low", "high"), [(0, 100, 0.0, 0.037), (100, 100, 0.963, 1.0), (50, 100, 0.404, 0.596), (0, 0, 0.0, 1.0)])
def test_a_proportion_has_a_width_even_at_its_ends(hits: int, count: int, low: float, high: float) -> None:
    """Wilson at 0 of n: z² / (n + z²) = 3.84 / 103.84."""
    found = proportion(hits, count)
    assert found.low == pytest.approx(low, abs=5e-4) and found.high == pytest.approx(high, abs=5e-4)

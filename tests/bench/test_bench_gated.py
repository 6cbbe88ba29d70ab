"""What the table of `iq-bench gate` counts, and that its questions are asked plain and under each intent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench import gated
from bench.gated import PLAIN, Gated


def row(**facts: object) -> Gated:
    return Gated(**{"config": "words", "intent": "test", "off": False, "good": True, "first": 1, "verdict": "unjudged", "kept": False, **facts})  # type: ignore[arg-type]


def test_figures_by_hand() -> None:
    rows = [
        row(off=True, good=False, first=0, verdict="weak"),
        row(off=True, good=False, first=0),
        row(verdict="weak"),
        row(verdict="confident", kept=True),
        row(verdict="confident", first=2),
        row(good=False, first=0, kept=True),
    ]
    assert gated.figures(rows) == [(1, 2), (1, 3), (2, 4), (1, 2), (2, 4), (1, 2)]
    assert gated.report([*rows, row(intent="debug")]).count("\n") == 3, "a row for each intent under the head"


def test_every_question_is_asked_plain_and_under_each_intent(cached, files, cases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IQ_MODEL_DIR", str(tmp_path / "none"))
    asked = [replace(case, query=f"where is the {case.query} of the tree") for case in cases]
    asked.append(replace(cases[0], id="off", query="quarterly revenue of zebras", targets=()))
    said: list[str] = []
    found = gated.ask(asked, ("implement", "test"), cached(files), said.append)
    assert [(one.config, one.intent) for one in found[:6]] == [(config, name) for config in gated.CONFIGS for name in (PLAIN, "implement", "test")]
    assert len(found) == 3 * 2 * 3 and said == ["owner/name@ffffffffffff src: 3 questions"]
    assert {one.off for one in found[:12]} == {False} and {one.off for one in found[12:]} == {True}
    assert all(one.good and one.first for one in found[:3]) and not any(one.good or one.first for one in found[12:])
    assert {one.verdict for one in found[12:]} == {"weak"}
    assert not any(one.kept for one in found if one.intent == PLAIN and one.verdict != "confident")
    assert gated.ask(asked, ("test",), tmp_path / "nowhere", said.append) == [] and "not in the cache" in said[-1]

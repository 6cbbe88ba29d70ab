"""Intents: the formula by hand, evidence, cues, and that `none` leaves no trace."""

from __future__ import annotations

import math

import pytest

from iq.engine import Engine
from iq.features import DEFAULTS
from iq.plan import cues, evidence, intents
from iq.plan.evidence import Seen
from iq.plan.route import route
from iq.types import CLASSES, Chosen, Query, Scope

FILES = {
    "src/bar.py": """class ProgressBar:
    def update(self, n):
        if n < 0:
            raise ProgressError("progress bar cannot go back")
        self.n = n


class ProgressError(Exception):
    pass
""",
    "src/use.py": """from bar import ProgressBar, ProgressError


def main():
    try:
        ProgressBar().update(-1)
    except ProgressError:
        return 1
""",
    "tests/test_bar.py": """from bar import ProgressBar


def test_progress_bar_updates():
    assert ProgressBar().update(1) is None


def test_other():
    assert 1
""",
    "docs/bar.md": "# Guide\n\n## Progress bar\n\nUse `ProgressBar` to show progress.\n\n## Colours\n\nThey are nice.\n",
    "CHANGES.md": "# Changes\n\n## 2.0\n\n- Drop old Pythons.\n- Add `ProgressBar`, a progress bar.\n- Fix a typo.\n\n## 1.0\n\n- First release.\n",
    "pyproject.toml": '[project]\nname = "bar"\n\n[tool.progress]\nbar = "wide"\n',
}


@pytest.fixture
def engine(workspace):
    place = workspace(FILES)
    return Engine.open(place.root)


@pytest.mark.parametrize(
    ("intent", "path"),
    [
        ("implement", "src/bar.py"),
        ("test", "tests/test_bar.py"),
        ("understand", "docs/bar.md"),
        ("configure", "pyproject.toml"),
        ("history", "CHANGES.md"),
    ],
)
def test_an_intent_brings_its_class_first(engine, intent, path):
    assert engine.rank("progress bar", intent=intent).chunks[0].path == path


def test_debug_finds_the_line_that_raises_not_the_definition(engine):
    first = engine.rank("progress error", intent="debug").chunks[0]
    assert (first.path, first.symbol) in {("src/use.py", "main"), ("src/bar.py", "ProgressBar.update")}


def test_none_is_the_ranking_without_class_factors_bit_for_bit(engine):
    for text in ("progress bar", "where is progress error raised", "ProgressBar", "which version added the bar"):
        assert engine.rank(text, intent="none") == engine.rank(text, features=DEFAULTS - {"classprior", "intent"})


def test_the_feature_off_leaves_no_trace(engine):
    off = DEFAULTS - {"intent"}
    text = "which version added the progress bar"
    assert engine.rank(text, features=off, intent="history") == engine.rank(text, features=off)
    assert engine.rank(text) != engine.rank(text, features=off)


def test_no_intent_is_the_plain_ranking(engine):
    assert engine.rank("progress bar") == engine.rank("progress bar", features=DEFAULTS - {"intent"})


def test_the_score_is_the_sum_of_its_terms(engine):
    for intent, beta in (("test", 2.0), ("debug", 4.0)):
        for candidate in engine.rank("progress bar", intent=intent).chunks:
            base, prior, told = (candidate.boosts[name] for name in ("base z", "log p", "evidence"))
            assert candidate.score == base + 3.0 * prior + beta * told


def test_base_is_standardised_over_the_pool(engine):
    values = [candidate.boosts["base z"] for candidate in engine.rank("progress bar", intent="debug").chunks]
    assert sum(values) == pytest.approx(0, abs=1e-9)
    assert sum(value**2 for value in values) / len(values) == pytest.approx(1)


def test_posterior_by_hand():
    """p = ε/K + (1 − ε) · e^C / Σ e^C over the six intents."""
    total = math.exp(0) + math.exp(-3) + math.exp(-2) + math.exp(-2.5) + math.exp(0) + math.exp(-4)
    assert intents.posterior("implement", "src", 0.02) == pytest.approx(0.02 / 6 + 0.98 / total)
    assert intents.posterior("test", "vendored", 0.02) == pytest.approx(1 / 6)
    for name in CLASSES:
        assert sum(intents.posterior(intent, name, 0.02) for intent in intents.C) == pytest.approx(1)


def seen(file_class="src", names=(), symbol="", lines=(), linked=0.0):
    return Seen("a.py", file_class, names, symbol, tuple(lines), linked)


@pytest.mark.parametrize(
    ("name", "asked", "chunk", "value"),
    [
        ("implement", "progress bar", seen(names=("ProgressBar",)), 2 / 3),
        ("implement", "as view", seen(names=("as_view",)), 2 / 3),
        ("implement", "progress bar", seen("tests", names=("ProgressBar",)), 0),
        ("test", "progress bar width", seen("tests", names=("test_progress_bar",)), 1 / 3),
        ("test", "progress bar", seen("tests", linked=1.0), 1),
        ("test", "progress bar", seen("src", names=("test_progress_bar",), linked=1.0), 0),
        ("understand", "progress bar", seen("docs", linked=1.0), 1),
        ("understand", "progress bar", seen("history", linked=1.0), 0),
        ("debug", "bad value", seen(lines=["raise BadValue(x)"]), 1),
        ("debug", "bad value", seen(lines=["x = BadValue(x)"]), 0),
        ("debug", "bad value", seen(lines=["raise Bad(", "value)"]), 0),
        ("debug", "bad value", seen(names=("BadValue",), lines=["raise BadValue(x)"]), 1 - 2 / 3),
        ("debug", "bad value", seen("tests", lines=["raise BadValue(x)"]), 0),
        ("history", "bad value", seen(lines=["raise BadValue(x)"]), 0),
        ("debug", "", seen(lines=["raise X"]), 0),
    ],
)
def test_evidence(name, asked, chunk, value):
    assert evidence.of(name, evidence.ask(asked), chunk) == pytest.approx(value)


def test_neighbouring_words_are_asked_for_as_one():
    assert evidence.ask("as view of it").joined == ("asview", "viewof", "asviewof", "viewofit", "asviewofit")
    assert "progressbar" in intents.asked_terms("progress bar")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("why does the parser crash on empty input", "debug"),
        ("where is NoSuchOption raised", "debug"),
        ("traceback in the pager", "debug"),
        ("which version removed the parser", "history"),
        ("changelog for colours", "history"),
        ("when was the progress bar added", "history"),
        ("tests for the progress bar", "test"),
        ("how is the pager tested", "test"),
        ("docs for the pager", "understand"),
        ("guide on writing a plugin", "understand"),
        ("how do I add a command", ""),
        ("release workflow", "configure"),
        ("implementation of the pager", "implement"),
        # Silent: nothing betrays a purpose, or the words are those of any question about code.
        ("how does the pager work", ""),
        ("where are options parsed", ""),
        ("progress bar", ""),
        ("parse the config file", ""),
        ("raise an error for unknown options", ""),
        ("", ""),
        # A change that is described, and a report that mentions a traceback in passing.
        ("Preserve traceback when exception is raised in sync dependency", ""),
        ("Add tox configuration", ""),
        ("how to implement a watcher", ""),
        ("the pager is slow " * 12 + "traceback", ""),
        # Two fire: history and test win, two others cancel out.
        ("how do I find which version added colours", "history"),
        ("tutorial on reading a traceback", ""),
        ("changelog for the tests for colours", ""),
    ],
)
def test_cues(text, name):
    found = cues.infer(text, lambda term: False)
    assert (found.name if found else "") == name
    if found:
        assert found.how == "inferred" and found.why


def test_what_happens_over_time_is_history_whatever_names_are_made_of():
    found = cues.infer("which version of it removed the parser", lambda term: True)
    assert found is not None and found.name == "history"
    assert cues.infer("which version option is printed", lambda term: True) is None


def test_a_cue_word_that_names_are_made_of_does_not_count():
    assert cues.infer("release workflow", lambda term: term == "workflow") is None


def test_an_intent_replaces_the_code_prior():
    query = Query("prose", "x")
    assert "classprior" not in route(query, Scope(), DEFAULTS, Chosen("test", "declared")).features
    assert route(query, Scope(), DEFAULTS, Chosen("none", "declared")).intent is None
    assert "classprior" in route(query, Scope(), DEFAULTS).features

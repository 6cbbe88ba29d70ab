"""The cross-encoder's pass: what it reads, that it orders nothing, and what happens without it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from iq.features import DEFAULTS
from iq.index.session import Session
from iq.index.store import Store
from iq.index.workspace import find
from iq.models.files import ModelError
from iq.plan import pipeline, rerank
from iq.plan.classify import classify
from iq.plan.route import route
from iq.types import Candidate, Ranking, Scope

BODY = '''class HTTPServer{0}:
    def retryCall(self, value_{0}):
        """Calls once more.

        At length.
        """
        return value_{0}
'''
FILES = {f"src/part{n}.py": BODY.format(n) for n in range(8)}


class Counting:
    """Probability .1 for the first passage, .2 for the second …; remembers what it was asked."""

    hash = "counting"

    def __init__(self, error: str = "") -> None:
        self.asked: list[tuple[str, list[str], int]] = []
        self.error = error

    def score(self, question: str, passages: Sequence[str], limit: int) -> list[float]:
        self.asked.append((question, list(passages), limit))
        if self.error:
            raise ModelError(self.error)
        return [(at + 1) / 10 for at in range(len(passages))]


@pytest.fixture
def store(workspace) -> Store:
    place = workspace(FILES)
    return Session(find(str(place.root), str(place.root)), str(place.root)).level()[0]


def ranked(store: Store, question: str = "where are calls made once more in the server part") -> Ranking:
    return pipeline.run(store, route(classify(question), Scope(), DEFAULTS - {"vectors"}))


def test_a_passage_begins_with_natural_words(store: Store) -> None:
    found = rerank.passage(store, Candidate("src/part3.py", 2, 7, 1.0, "HTTPServer3.retryCall", "method"))
    assert found.splitlines()[:4] == ["http server 3 retry call", "Calls once more.", "src part 3", "def retryCall(self, value_3):"]


def test_files_without_a_span_are_read_from_their_start(store: Store) -> None:
    assert rerank.passage(store, Candidate("src/part3.py", 0, 0, 1.0)).splitlines()[:2] == ["src part 3", "class HTTPServer3:"]


def test_probabilities_come_to_the_first_files_and_the_order_stays(store: Store) -> None:
    before, model = ranked(store), Counting()
    after = rerank.rerank(store, "a question", before, model)
    assert [c.path for c in after.files] == [c.path for c in before.files]
    assert [c.score for c in after.chunks] == [c.score for c in before.chunks]
    assert [c.boosts.get("rerank") for c in after.files[:6]] == [0.1, 0.2, 0.3, 0.4, 0.5, None]
    assert len(model.asked[0][1]) == rerank.DEPTH and model.asked[0][2] == rerank.TOKENS


def test_a_long_question_leaves_room_for_the_passage(store: Store) -> None:
    model = Counting()
    rerank.rerank(store, "word " * 5000, ranked(store), model)
    assert len(model.asked[0][0]) == rerank.QUESTION


def test_a_file_that_is_gone_gets_no_probability(store: Store, workspace) -> None:
    from pathlib import Path

    before = ranked(store)
    (Path(store.meta("root")) / before.files[0].path).unlink()
    after = rerank.rerank(store, "a question", before, Counting())
    assert "rerank" not in after.files[0].boosts and after.files[1].boosts["rerank"] == 0.1


def test_without_a_reranker_the_ranking_says_so(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("IQ_MODEL_DIR", str(tmp_path / "none"))
    before = ranked(store)
    after = rerank.rerank(store, "a question", before)
    assert after.files == before.files and "iq models install" in after.notes[-1]
    failing = rerank.rerank(store, "a question", before, Counting("it broke"))
    assert failing.files == before.files and "it broke" in failing.notes[-1]


def test_a_moved_workspace_is_read_where_it_is_now(workspace, tmp_path) -> None:
    place = workspace(FILES)
    Session(find(str(place.root), str(place.root)), str(place.root)).level()[0].close()
    place.root.rename(tmp_path / "moved")
    root = str(tmp_path / "moved")
    store = Session(find(root, root), root).level()[0]
    assert rerank.passage(store, Candidate("src/part3.py", 2, 7, 1.0, "HTTPServer3.retryCall", "method"))


def test_on_the_command_line(workspace, tiny) -> None:
    ws = tiny(workspace({"a.py": "def remove_color(x):\n    pass\n", "b.py": "def open_socket(x):\n    pass\n"}))
    code, out, _ = ws.iq("where is the color removed", "--features=+rerank,-vectors", "--explain", env={**ws.environment(), "IQ_EMBED": "0"})
    assert code == 0 and "rerank 0." in out

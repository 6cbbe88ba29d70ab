"""The query log and the marks: capped, floored, never in the way of an answer."""

from __future__ import annotations

import pytest

from iq.index import journal, learned
from iq.index.journal import Asked, Mark
from iq.index.workspace import Workspace


@pytest.fixture
def place(tmp_path):
    return Workspace(str(tmp_path), str(tmp_path / ".iq/local"))


def test_questions_are_kept_in_order(place):
    journal.note(place, Asked("where is x", "debug"))
    journal.note(place, Asked("wo ist x? 何"))
    assert journal.queries(place) == [Asked("where is x", "debug"), Asked("wo ist x? 何")]
    assert (journal.os.path.exists(place.local + "/.gitignore")) is True


def test_the_log_is_capped(place):
    for n in range(journal.CAP + journal.CAP // 5):
        journal.note(place, Asked(f"q{n}"))
    kept = journal.queries(place)
    assert len(kept) == journal.CAP and kept[-1].query == f"q{journal.CAP + journal.CAP // 5 - 1}"
    with open(place.local + "/queries.jsonl") as file:
        assert sum(1 for _ in file) <= journal.CAP + journal.CAP // 10


@pytest.mark.parametrize(
    "query",
    [
        "what is in .env",
        "who reads `config/.env.production`?",
        "secrets/server.key",
        "~/.ssh/id_rsa",
        "AKIA1234567890ABCDEFGHIJ99 is where",
        "password = hunter2",
        "api_key: abc",
        "-----BEGIN RSA",
        "a\nb",
        "x" * 301,
    ],
)
def test_what_is_not_kept(place, query):
    journal.note(place, Asked(query))
    assert journal.queries(place) == []


def test_a_log_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    journal.note(Workspace(str(tmp_path), str(tmp_path / "file/local")), Asked("q"))


def test_half_lines_and_other_things_are_skipped(place):
    journal.note(place, Asked("q"))
    with open(place.local + "/queries.jsonl", "a") as file:
        file.write('{"query": "half\n[1]\n"text"\n{"other": 1}\n')
    assert journal.queries(place) == [Asked("q")]


def test_a_later_mark_replaces_an_earlier_one(place):
    one = Mark("q", "test", "a.py:1-2", True)
    assert journal.mark(place, [one, one]) == 0
    assert journal.mark(place, [Mark("q", "test", "a.py:1-2", False)]) == 1
    assert journal.marks(place) == [Mark("q", "test", "a.py:1-2", False)]


def test_ten_thousand_marks_of_one_question_are_capped(place):
    journal.mark(place, [Mark("q", "test", f"a.py:{n}-{n}", True) for n in range(10_000)])
    assert len(journal.marks(place)) == journal.CAP


def test_learned_weights_can_be_taken_back(place):
    assert learned.revert(place) is None
    learned.save(place, {"test": (2.0, 3.0)})
    learned.save(place, {"test": (2.0, 3.0), "debug": (1.0, 1.0)})
    assert learned.weights(place)["debug"] == (1.0, 1.0)
    assert learned.revert(place) == {"test": (2.0, 3.0)}
    assert learned.revert(place) == {}
    assert learned.weights(place) == {} and learned.revert(place) is None


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"test": 1}]', '[{"test": [1]}]', '{"test": [1, 2]}', "null"])
def test_a_damaged_file_of_weights_is_none(place, text):
    learned.save(place, {"test": (2.0, 3.0)})
    with open(place.local + "/learned.json", "w") as file:
        file.write(text)
    assert learned.weights(place) == {}

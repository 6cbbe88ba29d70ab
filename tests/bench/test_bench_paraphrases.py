"""No question of `paraphrase` shares a word with what answers it: held by the stored terms, and those by the corpora where they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import paraphrases
from bench.corpora import default_cache, place, recorded
from bench.datasets import DATA, Corpus, rows

ROWS = list(rows(paraphrases.QUERIES))


def test_every_question_has_the_terms_of_its_target() -> None:
    assert paraphrases.kept().keys() == {row["id"] for row in ROWS} and len(ROWS) == 42


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_question_shares_no_word_with_its_target(row: dict) -> None:
    target = paraphrases.kept()[row["id"]]
    assert len(target) > 5, "a definition, its path and its name have more words"
    assert paraphrases.shared(row["query"], target) == []


def test_a_shared_word_is_seen_through_its_form_and_its_case() -> None:
    target = frozenset({"option", "parseopt", "pars"})
    assert paraphrases.shared("How are OPTIONS parsed?", target) == ["option", "pars"]
    assert paraphrases.shared("what is in your way", frozenset({"what", "way"})) == ["what", "way"], "stop words stay where nothing else is left"


def test_a_span_that_lost_its_definition_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\ndef told():\n    return 'plainly'\n")
    row = {"id": "one", "path": "a.py", "symbol": "told", "start": 2, "end": 3}
    assert paraphrases.read(tmp_path, row) == {"def", "told", "return", "plainli", "a", "py"}
    with pytest.raises(ValueError, match=r"one: a\.py:1-1 does not hold 'told'"):
        paraphrases.read(tmp_path, row | {"start": 1, "end": 1})


def test_the_stored_terms_are_those_of_the_corpora(request: pytest.FixtureRequest) -> None:
    """Rewritten by `--update-golden`, which needs all four repositories (`iq-bench corpora --set paraphrase`)."""
    cache, found = default_cache(), {}
    for row in ROWS:
        corpus = Corpus(row["slug"], row["sha"])
        if recorded(cache, corpus) is not None:
            found[row["id"]] = paraphrases.read(place(cache, corpus), row)
    if request.config.getoption("--update-golden"):
        assert len(found) == len(ROWS), "iq-bench corpora --set paraphrase brings what is missing"
        lines = (json.dumps({"id": name, "terms": " ".join(sorted(target))}, ensure_ascii=False) + "\n" for name, target in found.items())
        (DATA / paraphrases.TARGETS).write_text("".join(lines), "utf-8")
    if not found:
        pytest.skip("no corpus of paraphrase is in the cache: iq-bench corpora --set paraphrase")
    kept = paraphrases.kept()
    assert {name: sorted(target ^ kept[name]) for name, target in found.items() if target != kept[name]} == {}

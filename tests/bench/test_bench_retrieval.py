from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import log2
from pathlib import Path

import pytest

from bench import retrieval
from bench.datasets import Case, Corpus, Target
from bench.engine import Kit, answer_units
from bench.metrics import Place
from bench.printed import read
from bench.results import Results, save
from bench.results import read as read_results
from bench.scoring import HEADLINES, SCORERS
from iq.types import Answer, Coverage, Item

SECOND = 1 / log2(3)

Cached = Callable[[Mapping[str, str]], Path]


def scores(results: Results, config: str = "") -> dict[str, Mapping[str, float]]:
    return {row.id: row.scores for run in results.runs if run.config == config for row in run.rows}


def test_each_case_is_scored_on_the_indexed_folder(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    """docs/c.py would win `apple`, but the corpus's root is src; a.py holds pear twice, so b.py comes second for it."""
    results = retrieval.run(cases, ["", "+reverse"], kit, cached(files))
    assert {id: row["file ndcg@10"] for id, row in scores(results).items()} == {"a": 1.0, "b": SECOND}
    assert {id: row["file ndcg@10"] for id, row in scores(results, "+reverse").items()} == {"a": SECOND, "b": 1.0}
    assert [run.features for run in results.runs] == [("words",), ("reverse", "words")]


def test_paths_are_relative_to_the_repository(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    elsewhere = replace(cases[0], targets=(Target("docs/a.py"),))
    assert scores(retrieval.run([elsewhere], [""], kit, cached(files)))["a"]["file ndcg@10"] == 0.0


def test_spans_are_enforced_on_chunks_only(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    missed = replace(cases[0], targets=(Target("src/a.py", 5, 9),))
    row = scores(retrieval.run([missed], [""], kit, cached(files)))["a"]
    assert (row["file ndcg@10"], row["chunk ndcg@10"]) == (1.0, 0.0)


def test_a_capsule_is_read_at_each_budget(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    """The fake prints one file for every 500 tokens; b.py is its second file for `pear`."""
    found = scores(retrieval.run(cases, [""], kit, cached(files)))
    assert [found["b"][f"shown@{budget}"] for budget in (500, 1000, 2000)] == [0.0, 1.0, 1.0]
    assert [found["a"][f"code@{budget}"] for budget in (500, 1000, 2000)] == [1.0, 1.0, 1.0]
    assert found["a"]["tokens"] > 0
    assert "tokens" not in scores(retrieval.run(cases, [""], kit, cached(files), capsules=False))["a"]


def test_a_configuration_without_its_model_is_skipped_by_name(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    results = retrieval.run(cases, ["", "vectors"], kit, cached(files))
    assert [(run.config, run.skipped, len(run.rows)) for run in results.runs] == [("", "", 2), ("vectors", "no model.onnx", 0)]


def test_a_corpus_that_is_not_there_is_named(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    absent = replace(cases[1], corpus=Corpus("owner/gone", "0" * 40))
    results = retrieval.run([cases[0], absent], [""], kit, cached(files))
    assert [row.id for row in results.runs[0].rows] == ["a"]
    assert results.missing == {"owner/gone@000000000000": "not in the cache; 1 cases left out: iq-bench corpora"}


def test_an_index_is_new_once_and_again_when_dropped(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    cache = cached(files)
    assert [retrieval.run(cases, [""], kit, cache, fresh=fresh).corpora[0].fresh for fresh in (False, False, True)] == [True, False, True]


def test_the_same_run_gives_the_same_scores(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    cache = cached(files)
    first, second = (retrieval.run(cases, ["", "+reverse"], kit, cache, repeat=2) for _ in range(2))
    assert [(row.id, row.scores) for run in first.runs for row in run.rows] == [(row.id, row.scores) for run in second.runs for row in run.rows]


def test_rows_keep_the_order_of_the_cases(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    results = retrieval.run(tuple(reversed(cases)), [""], kit, cached(files))
    assert [row.id for row in results.runs[0].rows] == ["b", "a"]


def test_an_exact_verb_is_scored_by_its_answer(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    exact = replace(cases[1], set="exact", verb="find", category="find")
    row = scores(retrieval.run([exact], [""], kit, cached(files)))["b"]
    assert (row["anchor recall@1"], row["anchor recall@5"], row["anchor mrr@10"]) == (0.0, 1.0, 0.5)


def test_a_question_without_an_answer_is_scored_by_the_verdict(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...]) -> None:
    nothing = replace(cases[0], id="n", set="noanswer", query="quince", targets=())
    something = replace(nothing, id="s", query="apple")
    found = scores(retrieval.run([nothing, something], [""], kit, cached(files)))
    assert found == {"n": {"weak": 1.0}, "s": {"weak": 0.0}}


def test_results_survive_their_file(kit: Kit, cached: Cached, files: Mapping[str, str], cases: tuple[Case, ...], tmp_path: Path) -> None:
    results = retrieval.run(cases, ["", "vectors"], kit, cached(files), command="iq-bench retrieval", commit="abc")
    save(results, tmp_path / "runs/one.json")
    assert read_results(tmp_path / "runs/one.json") == results


def test_every_set_scores_its_headline_metrics(cases: tuple[Case, ...]) -> None:
    for name, scorer in SCORERS.items():
        assert set(HEADLINES[name]) <= set(scorer(replace(cases[0], set=name), (), ())), name


def test_units_of_an_answer_are_its_files_then_what_is_related() -> None:
    items = (Item("a.py", 3, 5), Item("b.py", 1, 1), Item("a.py", 9, 9))
    answer = Answer("def", "x", "symbol", items, 3, 2, Coverage(), related=("called from c.py:7", "nothing", "test t.py:1-4"))
    assert answer_units(answer, "src") == [
        (Place("src/a.py", 3, 5), Place("src/a.py", 9, 9)),
        (Place("src/b.py", 1, 1),),
        (Place("src/c.py", 7, 7),),
        (Place("src/t.py", 1, 4),),
    ]


CAPSULE = """\
iq: where is x.py:1 — 41 hits in 9 files · prose · verdict confident
answer: src/parser.py:222-223 · OptionParser.parse_args (method) · def rank 1, bm25 rank 2
candidates: src/core.py:1180 · src/b.py:5-9 · …
related: called from src/core.py:1093 · test tests/test_parser.py:18
more: iq "x" --after other.py:9
──── src/parser.py ────
 222  def parse_args(self, args):
 223      return other.py:77
 …
 240  end
──── src/core.py · 2 of 3 ────
1180: x = 1
"""


def test_a_capsule_is_read_as_its_reader_sees_it() -> None:
    """The question and the next page are not answers; a path inside code is code."""
    shown = read(CAPSULE, "lib")
    assert shown.code == (Place("lib/src/parser.py", 222, 223), Place("lib/src/parser.py", 240, 240), Place("lib/src/core.py", 1180, 1180))
    assert [(place.path, place.start, place.end) for place in shown.anchors] == [
        ("lib/src/parser.py", 222, 223),
        ("lib/src/core.py", 1180, 1180),
        ("lib/src/b.py", 5, 9),
        ("lib/src/core.py", 1093, 1093),
        ("lib/tests/test_parser.py", 18, 18),
    ]


@pytest.mark.parametrize(("budget", "kept"), [(3, "a b\nc\n"), (2, "a b\n"), (1, ""), (9, "a b\nc\nd\n")])
def test_a_capsule_over_its_budget_is_cut_at_a_line(budget: int, kept: str) -> None:
    assert retrieval.cut("a b\nc\nd\n", budget, lambda text: len(text.split())) == kept


def test_a_configuration_whose_model_is_absent_or_broken_is_named(tmp_path, monkeypatch) -> None:
    from bench.opened import lacking, models
    from tests import tiny_onnx

    monkeypatch.setenv("IQ_MODEL_DIR", str(tmp_path))
    assert lacking(frozenset({"bm25"})) == "" and models() == {}
    assert "vectors needs the embedder" in lacking(frozenset({"bm25", "vectors"})) and "iq models install" in lacking(frozenset({"rerank"}))
    tiny_onnx.embedder(tmp_path / "embedder")
    assert lacking(frozenset({"vectors"})) == "" and len(models()["embedder"]) == 64
    (tmp_path / "embedder/tokenizer.json").unlink()
    assert "tokenizer.json" in lacking(frozenset({"vectors"}))

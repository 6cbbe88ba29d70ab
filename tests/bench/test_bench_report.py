from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench import ablate, report, rivals, tables
from bench.__main__ import main
from bench.chart import Bar, Group, svg
from bench.datasets import load
from bench.engine import Kit
from bench.results import Results, Row, Run, read, save

QUARTERS = (0.25, 0.5, 0.75, 1.0)


def row(id: str, score: float, repo: str = "click", category: str = "symbol") -> Row:
    return Row(id, "commitloc", repo, category, {"file ndcg@10": score, "recall@1": score}, 2.0)


def results(*runs: Run) -> Results:
    return Results(command="iq-bench retrieval", commit="abc", models={}, tokenizer="estimate", runs=runs)


BASE = Run(
    "", ("bm25", "rm3"), tuple(row(str(at), score, repo) for at, (score, repo) in enumerate(zip(QUARTERS, ["click", "click", "flask", "flask"], strict=True)))
)
WORSE = replace(BASE, config="-rm3", rows=tuple(replace(one, scores={"file ndcg@10": one.scores["file ndcg@10"] / 2}) for one in BASE.rows))
SKIPPED = Run("+vectors", skipped="no model.onnx")


@pytest.mark.parametrize(("value", "text"), [(0.8891, ".889"), (1.0, "1.000"), (0.0, ".000"), (412.4, "412"), (None, "–"), (-0.25, "-.250"), (10.05, "10.050")])
def test_numbers(value: float | None, text: str) -> None:
    assert tables.number(value) == text


def test_a_headline_has_mean_interval_and_latency() -> None:
    text = tables.headline(results(BASE, SKIPPED), "commitloc")
    assert text.splitlines()[0] == "| configuration | n | file ndcg@10 | 95 % | recall@1 | recall@5 | recall@10 | mrr@10 | p50 ms | p95 ms |"
    assert text.splitlines()[2].startswith("| default | 4 | .625 | ")
    assert text.splitlines()[2].endswith("| .625 | – | – | – | 2.0 | 2.0 |")
    assert "| `+vectors` | skipped: no model.onnx |" in text


def test_a_breakdown_weights_by_query() -> None:
    text = tables.breakdown(results(BASE), "commitloc", "repo")
    assert text.splitlines()[0] == "| file ndcg@10 | click (2) | flask (2) |"
    assert text.splitlines()[2] == "| default | .375 | .875 |"
    assert tables.breakdown(results(BASE), "commitloc", "category") == "", "one category is no breakdown"


def test_a_configuration_stands_against_the_first() -> None:
    lines = tables.against(results(BASE, WORSE, SKIPPED), "commitloc").splitlines()
    assert lines[2] == "| default | .625 | – | – | – | – |"
    assert lines[3].startswith("| `-rm3` | .312 | −.312 | −")
    assert lines[3].endswith("| 0/4/0 | .125 |"), "p = 2/2^4"
    assert lines[4] == "| `+vectors` | skipped: no model.onnx | – | – | – | – |"


def test_only_queries_that_both_have_are_paired() -> None:
    found = tables.paired(BASE, replace(WORSE, rows=WORSE.rows[1:]), "commitloc", "file ndcg@10", 1)
    assert found is not None
    assert found.losses == 3
    assert tables.paired(BASE, WORSE, "commitloc", "recall@1", 1) is None


def test_an_ablation_has_a_row_a_feature_and_a_leg() -> None:
    assert ablate.configs({"symbols": True, "bm25": True, "rm3": True, "vectors": False}) == {
        "full": "",
        "without symbols": "-symbols",
        "without bm25": "-bm25",
        "without rm3": "-rm3",
        "with vectors": "+vectors",
        "only symbols": "symbols",
        "only bm25": "bm25",
        "only vectors": "vectors",
    }


def test_an_ablation_without_models_leaves_their_stages_off() -> None:
    assert ablate.configs({"bm25": True, "rm3": True, "vectors": True}, ("vectors",)) == {
        "full": "-vectors",
        "without bm25": "-vectors,-bm25",
        "without rm3": "-vectors,-rm3",
        "only bm25": "bm25",
    }


def test_an_ablation_prints_its_labels() -> None:
    text = ablate.text(results(BASE, WORSE), {"full": "", "without rm3": "-rm3"})
    assert text.startswith("### commitloc\n\n| configuration | file ndcg@10 |")
    assert "| without rm3 | .31" in text


def test_published_figures_are_weighted_by_the_queries_at_hand() -> None:
    ours = [Row(case.id, "semble", case.repo, case.category, {"file ndcg@10": 1.0}, 1.0) for case in load(("semble",))]
    found = {rival.name: rival for rival in rivals.semble(ours)}
    assert len(found) == 15
    assert {metric: round(value, 3) for metric, value in found["semble"].figures.items()} == {"chunk ndcg@10": 0.853}
    assert list(found["colgrep"].figures) == ["file ndcg@10"]
    one = [row for row in ours if row.repo == "click"]
    assert next(rival.figures["chunk ndcg@10"] for rival in rivals.semble(one) if rival.name == "semble") == found["semble"].by_repo["click"] == 1.0
    assert rivals.semble([]) == ()


def test_rivals_stand_in_the_tables() -> None:
    ours = Run("", (), tuple(Row(case.id, "semble", case.repo, case.category, {"file ndcg@10": 0.5, "tokens": 9.0}, 1.0) for case in load(("semble",))))
    assert "| semble (ranks chunks) | published | – | – | .853 |" in tables.headline(results(ours), "semble")
    assert "| probe (ranks files) | published | .497 | – | – |" in tables.headline(results(ours), "semble")
    by_repo = tables.breakdown(results(ours), "semble", "repo").splitlines()
    assert by_repo[0].startswith("| file ndcg@10 / chunk ndcg@10 | axum (20) | click (20) |")
    assert [line.split(" | ")[0] for line in by_repo[2:5]] == ["| default: file ndcg@10", "| default: chunk ndcg@10", "| coderankembed-hybrid (ranks chunks)"]
    assert "| semble (published, all 1,251 queries) | – | – | – | .685 | .849 | .937 | – |" in tables.capsules(results(ours), "semble")


def test_a_chart_is_whole_xml_and_the_same_each_time() -> None:
    groups = [Group("a < b", (Bar("iq & co", 0.5, 0.4, 0.6), Bar("rival", 1.2, ours=False)))]
    text = svg("title", groups)
    assert text == svg("title", groups)
    root = ElementTree.fromstring(text)
    bars = [element for element in root.iter() if element.tag.endswith("rect")]
    assert [(bar.get("class"), bar.get("width")) for bar in bars] == [("ours", "215.0"), ("rival", "430.0")]


def test_a_report_is_made_from_files_alone(tmp_path: Path) -> None:
    save(results(BASE, WORSE), tmp_path / "runs/one.json")
    assert main(["report", str(tmp_path / "runs/one.json"), "--out", str(tmp_path)]) == 0
    page = (tmp_path / "tables.md").read_text("utf-8")
    assert "## one" in page
    assert "| command | `iq-bench retrieval` |" in page
    assert "Against the first configuration" in page
    ElementTree.fromstring((tmp_path / "chart.svg").read_text("utf-8"))


def test_compare_pairs_two_files_and_guards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    save(results(BASE), before)
    save(results(replace(WORSE, config="")), after)
    assert main(["compare", str(before), str(after)]) == 0
    assert "| 0/4/0 | .125 |" in capsys.readouterr().out
    assert main(["compare", str(before), str(after), "--guard"]) == 1
    assert main(["compare", str(after), str(before), "--guard"]) == 0
    assert main(["compare", str(before), str(after), "--config", "bm25"]) == 2
    assert "has no configuration 'bm25'" in capsys.readouterr().err


def test_retrieval_writes_what_it_prints(
    kit: Kit, cached: Callable[[Mapping[str, str]], Path], files: Mapping[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No corpus of click is in this cache: the run says so, writes an empty result and exits 1."""
    cache = cached(files)
    words = ["retrieval", "--set", "semble", "--repo", "click", "--config", "", "--json", str(tmp_path / "out.json"), "--cache", str(cache)]
    assert main(words, lambda: kit) == 1
    said = capsys.readouterr()
    assert "Skipped: pallets/click@04ef3a6f473d: not in the cache" in said.out
    stored = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert stored["command"].startswith("iq-bench retrieval --set semble --repo click --config ''")
    assert read(tmp_path / "out.json").runs[0].features == ("words",)


def test_a_wrong_name_is_a_message_not_a_trace(kit: Kit, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieval", "--repo", "clack", "--cache", str(tmp_path)], lambda: kit) == 2
    assert "asked of 'clack'" in capsys.readouterr().err


def test_the_section_of_a_run_names_what_it_needs_to_be_run_again() -> None:
    text = report.section(replace(results(BASE), models={"bge.onnx": "6" * 64}))
    assert "| models | bge.onnx 666666666666 |" in text
    assert "| seed | " in text


def test_a_compressed_run_reads_as_it_was_saved(tmp_path: Path) -> None:
    save(results(BASE, WORSE), tmp_path / "run.json.gz")
    assert read(tmp_path / "run.json.gz") == results(BASE, WORSE)
    assert (tmp_path / "run.json.gz").read_bytes()[:2] == b"\x1f\x8b"

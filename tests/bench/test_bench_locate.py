"""The simulated readers: what each sees, in order, and what that costs."""

from __future__ import annotations

from pathlib import Path

from bench.datasets import Case, Corpus, Target
from bench.locate import Cost, at_level, report, spent, with_grep, with_iq
from bench.metrics import Place
from iq.engine import Engine

CORPUS = Corpus("a/b", "0" * 40)


def case(query: str, *targets: Target) -> Case:
    return Case("x", "iq-bench", "b", query, "q", targets, CORPUS)


def test_a_reader_pays_for_each_step_up_to_the_one_that_answers() -> None:
    steps = [(10, []), (20, [Place("a.py", 1, 5)]), (30, [Place("b.py", 1, 9)]), (40, [Place("b.py", 10, 20)])]
    assert spent(iter(steps), case("q", Target("b.py"))) == 60
    assert spent(iter(steps), case("q", Target("b.py", 15, 16))) == 100
    assert spent(iter(steps), case("q", Target("a.py", 6, 9))) is None


def test_the_share_that_is_found() -> None:
    costs = [10, None, 30, 20]
    assert [at_level(costs, level) for level in (0.25, 0.5, 0.75, 1.0)] == [10, 20, 30, None]
    table = report("words", [Cost("a", 10, 100), Cost("b", 20, None)])
    assert "| 50% | 10 | 100 | 10.0 |" in table
    assert "found at all: 2 with iq, 1 with grep; where both found (1): mean 10 against 100, ratio 10.0" in table


def test_readers_on_a_tree(tmp_path: Path) -> None:
    (tmp_path / ".iq").mkdir()
    (tmp_path / "retry.py").write_text("def retry(request):\n    return request\n")
    (tmp_path / "noise.txt").write_text("retry requests\n" * 50)
    asked = case("where is a request sent by retry?", Target("retry.py", 1, 2))
    engine = Engine.open(tmp_path, cwd=str(tmp_path))
    mine = list(with_iq(engine, asked, len))
    assert any(place.path == "retry.py" for place in mine[0][1])
    listed, *opened = list(with_grep(tmp_path, asked, len))
    assert listed[1] == []
    assert {place.path for _, places in opened for place in places} == {"retry.py", "noise.txt"}
    assert spent(iter(mine), asked) == mine[0][0]

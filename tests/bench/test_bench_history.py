"""The history bench over a repository made here: cases, answers as of the parent, figures by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench import history, imports
from bench.history import Subject, outcome, score


@pytest.mark.parametrize(
    ("named", "truth", "expected"),
    [
        ([], {"a"}, (0, 0, 0)),
        (["b"], {"a"}, (0, 0, 0)),
        (["a"], {"a"}, (1, 1, 1)),
        (["a", "b"], {"a", "c", "d"}, (1 / 2, 1 / 3, 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))),
    ],
)
def test_a_score_by_hand(named: list[str], truth: set[str], expected: tuple[float, float, float]) -> None:
    assert score(named, frozenset(truth)) == pytest.approx(expected)


def test_means_and_empty_answers() -> None:
    found, each = outcome([(["a"], frozenset("a")), ([], frozenset("b"))])
    assert (found.f1, found.empty, each) == (0.5, 0.5, [1.0, 0.0])


@pytest.fixture
def repository(tmp_path: Path, commit: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """core and its test change together five times; then a new file comes, which nobody could have named."""
    root = tmp_path / "a+b" / "repo"
    commit(root, {"core.py": "def f(): ...\n", "test_core.py": "import core\n", "other.py": "", "README.md": ""})
    for n in range(5):
        commit(root, {"core.py": f"def f(): return {n}\n", "test_core.py": f"import core\ncore.f() == {n}\n"})
        commit(root, {"other.py": f"x = {n}\n"})
    commit(root, {"core.py": "def f(): return 9\n", "test_core.py": "import core\ncore.f() == 9\n", "new.py": "import core\n"})
    monkeypatch.setattr(history, "EARLIER", 2)
    return root


def test_a_case_is_seen_as_of_its_parent(repository: Path) -> None:
    subject = Subject("a/b", str(repository))
    case = subject.partner_cases()[0]
    assert case.at == 0 and {case.shown} | case.truth == {"core.py", "test_core.py"}
    assert "new.py" not in subject.past(0).blobs
    assert len(subject.history(0).touching["core.py"]) == 5
    assert set(history.ours(subject, case)) == case.truth
    (first, *_) = subject.test_cases()
    assert first.shown == "core.py" and history.tests_named(subject, first)[0] == "test_core.py"


def test_the_report_names_every_predictor(repository: Path) -> None:
    text = history.text("Made here", history.run([Subject("a/b", str(repository))], 3))
    for name in ("iq", *history.PREDICTORS, *history.TEST_PREDICTORS):
        assert f"| {name} |" in text
    assert "| a/b | 3 | 1.000 |" in text


def test_imports_are_judged_by_the_interpreter(tmp_path: Path, commit: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The truth comes from `ast` and the path finder; a submodule is told from a name, the standard library is not ours."""
    root = tmp_path / "x+y" / "repo"
    commit(root, {"src/p/__init__.py": "", "src/p/m.py": "from . import n\nfrom p import n as k, thing\nimport os\n", "src/p/n.py": "", "broken.py": "def (\n"})
    monkeypatch.setattr(imports, "PYTHON", (("x/y", ("src", "")),))
    rows = list(imports.python(tmp_path, lambda line: None))
    assert [(row.place, sorted(row.true)) for row in rows] == [
        ("src/p/m.py:1", ["src/p/n.py"]),
        ("src/p/m.py:2", ["src/p/__init__.py", "src/p/n.py"]),
        ("src/p/m.py:3", []),
    ]
    assert all(row.said == row.true for row in rows)
    assert "| python | x/y | 3 | 1.000 | 1.000 | 100.0% |" in imports.table(rows, 0)


def test_a_missing_mirror_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    assert history.main(tmp_path, (), 3, said.append) == "" and len(said) == 6
    assert list(imports.labelled(tmp_path, said.append)) == []

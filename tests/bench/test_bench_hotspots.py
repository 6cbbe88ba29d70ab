"""The figures by hand, and one case from a repository whose every commit is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import hotspots
from bench.hotspots import Case, fixes, is_fix, ranks, scores, spearman
from iq.index.commits import Touch
from iq.types import Commit
from tests.repositories import Built


def test_ranks_share_ties() -> None:
    assert ranks([10, 30, 10, 20]).tolist() == [1.5, 4, 1.5, 3]


def test_spearman_by_hand() -> None:
    assert spearman([1, 2, 3], [2, 4, 9]) == pytest.approx(1)
    assert spearman([1, 2, 3], [9, 4, 2]) == pytest.approx(-1)
    # d = (0, 1, 1): 1 - 6 · 2 / (3 · 8)
    assert spearman([1, 2, 3], [1, 3, 2]) == pytest.approx(0.5)
    assert spearman([1, 1, 1], [1, 2, 3]) == 0


@pytest.mark.parametrize(
    ("subject", "fix"),
    [
        ("Fix crash on empty input", True),
        ("bugfix: leak", True),
        ("prefix all names", False),
        ("fix typo", False),
        ("Fix failing tests", False),
        ("Add x", False),
    ],
)
def test_what_a_fix_is(subject: str, fix: bool) -> None:
    assert is_fix(subject) == fix


def test_fixes_go_back_through_renames() -> None:
    def touch(sha: str, subject: str, path: str, old: str | None = None) -> Touch:
        return Touch(Commit(sha, 0, "", "", subject), path, old, 1, 1)

    rows = [touch("4", "fix c", "c.py"), touch("3", "move", "c.py", "b.py"), touch("2", "fix b", "b.py"), touch("1", "fix and move", "b.py", "a.py")]
    assert fixes(rows) == {"a.py": 3}


def test_scores_of_a_case() -> None:
    case = Case("r", "2026-01-01", {f"f{n}": (n, 1, n) for n in range(12)})
    found = scores(case, hotspots.PREDICTORS["hotspots"])
    assert found["spearman"] == pytest.approx(1)
    assert found["fixes@10"] == pytest.approx((66 - 1) / 66)
    assert scores(case, hotspots.PREDICTORS["complexity"])["spearman"] == 0


def test_a_case_from_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hotspots, "MIN_FILES", 2)
    monkeypatch.setattr(hotspots, "MIN_FIXED", 1)
    monkeypatch.setattr(hotspots, "YEARS", 1)
    code = "def f(a):\n    if a:\n        return 1\n"
    built = Built(tmp_path / "mirror" / "o+n" / "repo", bare=True)
    built.commit("start", {"a.py": code, "b.py": code + code, "tests/test_a.py": code, "README.md": "#\n"}, days=800)
    built.commit("more", {"a.py": code + "# 1\n"}, days=500)
    built.commit("move", {"a.py": None, "lib.py": code + "# 1\n"}, days=300)
    built.commit("fix crash", {"lib.py": code + "# 2\n"}, days=200)
    built.commit("end", {"b.py": code}, days=1)
    (case,) = hotspots.cases("o/n", built.root, tmp_path / "place")
    assert case.files == {"a.py": (1, 1, 1), "b.py": (0, 2, 0)}
    runs, missing = hotspots.run(tmp_path / "mirror", ("o/n", "no/where"), lambda line: None)
    assert missing == {"no/where": "no no+where/repo in the mirror"}
    assert [run.rows[0].scores["spearman"] for run in runs] == pytest.approx([1, 1, -1])
    assert "hotspots over complexity" in hotspots.report(runs)

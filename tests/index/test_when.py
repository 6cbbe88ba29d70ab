"""--since: every form, and what is said where none fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from iq.errors import UsageError
from iq.index.repository import needed
from iq.index.when import age, day, since
from tests.repositories import DAY, NOW, Built

ROWS = [
    ("2d", NOW - 2 * DAY),
    ("12h", NOW - DAY // 2),
    ("3w", NOW - 21 * DAY),
    ("12m", NOW - 365 * DAY),
    ("1y", NOW - 365 * DAY),
    ("999999y", 0),
    ("2026-01-31", 1_769_817_600),
    ("2026-01", 1_767_225_600),
    ("2026-01-31T12:00", 1_769_817_600 + DAY // 2),
    ("2026-01-31T12:00:00+02:00", 1_769_817_600 + DAY // 2 - 7200),
    ("2026-01-31T12:00:00Z", 1_769_817_600 + DAY // 2),
    ("HEAD~1", NOW - 9 * DAY),
    ("v1", NOW - 9 * DAY),
]


@pytest.mark.parametrize(("text", "moment"), ROWS, ids=[text for text, _ in ROWS])
def test_forms(text: str, moment: int, tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    first = repo.commit("one", {"a": "1\n"}, days=9)
    repo.git.references.create("refs/tags/v1", first)
    repo.commit("two", {"a": "2\n"}, days=1)
    assert since(text, NOW, needed(str(repo.root))) == moment


@pytest.mark.parametrize("text", ["yesterday", "2 days", "2x", "-3d", "2026-02-30", "2026-13", "", "v9", "HEAD:a", "2d\0", "٣d"])
def test_a_bad_value_names_itself_and_the_forms(text: str, tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    repo.commit("one", {"a": "1\n"}, days=9)
    with pytest.raises(UsageError) as error:
        since(text, NOW, needed(str(repo.root)))
    assert text.strip() in str(error.value) and "2d, 3w, 6m, 1y" in str(error.value)


def test_ages_and_days() -> None:
    ages = [age(NOW - passed, NOW) for passed in (-5, 60, 3 * 3600, 3 * DAY, 20 * DAY, 100 * DAY, 1000 * DAY)]
    assert ages == ["0min", "1min", "3h", "3d", "2w", "3mo", "2y"]
    assert day(NOW) == "2026-03-01" and day(1 << 60) == "????-??-??"

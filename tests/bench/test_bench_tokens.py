from __future__ import annotations

from pathlib import Path

import pytest

from bench import tokens


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("def hello", 2, id="a space belongs to the word after it"),
        pytest.param("implementation", 2, id="eight letters a token"),
        pytest.param("a\n    b", 4, id="a line break and an indent"),
        pytest.param("12345", 2, id="three digits a token"),
        pytest.param("snake_case", 3, id="an underscore"),
        pytest.param("é", 1, id="a letter outside ASCII"),
    ],
)
def test_the_estimate(text: str, count: int) -> None:
    assert tokens.estimate(text) == count


def test_without_the_vocabulary_the_estimate_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    assert tokens.counter(tmp_path) == ("estimate", tokens.estimate)

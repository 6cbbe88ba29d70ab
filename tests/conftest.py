"""Options and fixtures that every test folder shares."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files; the diff is the review")


@pytest.fixture
def golden(request: pytest.FixtureRequest):
    """Compares text with a golden file, or rewrites the file under --update-golden."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            return
        assert path.is_file(), f"no golden file {path.name}: run pytest --update-golden and review it"
        assert text == path.read_text("utf-8")

    return check

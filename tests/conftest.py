"""Options and fixtures that every test folder shares."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent

# Where whoever runs the tests has models, if that is not the default: for the tests that are about the real ones.
USERS_MODELS = os.environ.get("IQ_MODEL_DIR")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files; the diff is the review")


def pytest_configure(config: pytest.Config) -> None:
    """Tests in process see no models and no settings of whoever runs them; what is left here steers tests, not iq."""
    for name in [name for name in os.environ if name.startswith("IQ_") and name not in ("IQ_BENCH_CACHE", "IQ_KILL_ROUNDS")]:
        del os.environ[name]
    os.environ["IQ_MODEL_DIR"] = str(CHECKOUT / "no models")


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


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace on disk and the real command line over it, in a process of its own."""

    root: Path
    home: Path

    @property
    def models(self) -> Path:
        """Where this place's calls look for models; there are none until a test puts some."""
        return self.home / "iq" / "models"

    def environment(self) -> dict[str, str]:
        """What a call sees of the outside: its own cache, this checkout, no setting of the person who runs the tests."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("IQ_")}
        return {**kept, "PYTHONPATH": str(CHECKOUT), "XDG_CACHE_HOME": str(self.home), "NO_COLOR": "1", "IQ_RESIDENT": "off"}

    def start(self, *args: str | bytes, **how: object) -> subprocess.Popen[bytes]:
        """A call that runs on its own; `how` goes to Popen."""
        command = [sys.executable, "-c", "import sys; from iq.cli import main; sys.exit(main())", *args]
        return subprocess.Popen(command, **{"cwd": self.root, "env": self.environment(), "stdout": -1, "stderr": -1, **how})  # type: ignore[call-overload,no-any-return]

    def iq(self, *args: str | bytes, **how: object) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of one call."""
        process = self.start(*args, **how)
        out, err = process.communicate(timeout=120)
        return process.returncode, out.decode("utf-8"), err.decode("utf-8")


@pytest.fixture
def workspace(tmp_path: Path) -> Callable[..., Place]:
    """Makes a workspace of `{path: text or bytes}`; a second call on the same test makes another."""
    made = count()

    def make(files: Mapping[str, str | bytes] | None = None) -> Place:
        root = tmp_path / f"ws{next(made)}"
        (root / ".iq").mkdir(parents=True)
        for path, content in (files or {}).items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        return Place(root, tmp_path / "cache")

    return make


@pytest.fixture
def tiny() -> Callable[[Place], Place]:
    """Puts models of a few kilobytes into a place; see tiny_onnx."""

    def put(place: Place) -> Place:
        from tests import tiny_onnx

        tiny_onnx.embedder(place.models / "embedder")
        tiny_onnx.reranker(place.models / "reranker")
        return place

    return put


@pytest.fixture
def commit() -> Callable[..., str]:
    """Commits `{path: text, bytes, or None to remove}` to the repository at a folder, which is made if there is none."""

    def make(root: Path, files: Mapping[str, str | bytes | None], message: str = "a change") -> str:
        import pygit2

        repo = pygit2.Repository(str(root)) if (root / ".git").exists() else pygit2.init_repository(str(root))
        for path, content in files.items():
            target = root / path
            if content is None:
                target.unlink()
                repo.index.remove(path)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        repo.index.add_all()
        repo.index.write()
        who = pygit2.Signature("A", "a@example.com", 1_700_000_000, 0)
        parents = [] if repo.head_is_unborn else [repo.head.target]
        return str(repo.create_commit("HEAD", who, who, message, repo.index.write_tree(), parents))

    return make

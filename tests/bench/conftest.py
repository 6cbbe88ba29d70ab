"""A corpus in a cache folder and an engine that counts words, in the place of the real ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench import corpora
from bench.datasets import Case, Corpus, Target
from bench.engine import Kit
from iq.types import Answer, Candidate, Coverage, Item, Output, Ranking, Request, Scope

CORPUS = Corpus("owner/name", "f" * 40, "src")


@dataclass(frozen=True, slots=True)
class Words:
    """Files ranked by how often they hold a word of the question; the feature `reverse` turns the order round."""

    root: Path

    def level(self) -> None:
        (self.root / ".iq/local").mkdir(parents=True, exist_ok=True)

    def rank(self, text: str, *, scope: Scope = Scope(), features: frozenset[str] | None = None) -> Ranking:  # noqa: B008, RUF100
        words = set(text.lower().split())
        found = []
        for file in sorted(self.root.rglob("*.py")):
            lines = file.read_text("utf-8").splitlines()
            counts = [sum(word in words for word in re.findall(r"\w+", line.lower())) for line in lines]
            if score := sum(counts):
                best = counts.index(max(counts)) + 1
                found.append(Candidate(file.relative_to(self.root).as_posix(), best, best, float(score)))
        found.sort(key=lambda row: (-row.score, row.path))
        if "reverse" in (features or ()):
            found.reverse()
        return Ranking(files=tuple(found), chunks=tuple(found))

    def answer(self, request: Request) -> Answer:
        files = self.rank(request.text, scope=request.scope, features=request.features).files
        items = tuple(Item(file.path, file.start, file.end) for file in files)
        return Answer(request.verb, request.text, "prose", items, len(items), len(items), Coverage())


@dataclass(frozen=True, slots=True)
class Text:
    text: str


def render(answer: Answer, output: Output) -> Text:
    """One group a file until the budget, at ten tokens a file."""
    groups = [f"──── {item.path} ────\n {item.start}  a line of it" for item in answer.items[: output.budget // 500]]
    return Text("\n".join([f"iq: {answer.query}", *groups]))


def parse(spec: str) -> frozenset[str]:
    """`words` is on by itself, `reverse` is not."""
    return {"": frozenset({"words"}), "+reverse": frozenset({"words", "reverse"}), "-words": frozenset()}.get(spec, frozenset(spec.split(",")))


@pytest.fixture
def kit() -> Kit:
    return Kit(
        open=Words,
        parse=parse,
        render=render,
        defaults={"words": True, "reverse": False},
        lacking=lambda features: "no model.onnx" if "vectors" in features else "",
    )


@pytest.fixture
def cached(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """A cache that holds CORPUS with the given files."""

    def make(files: Mapping[str, str]) -> Path:
        folder = corpora.place(tmp_path / "cache", CORPUS)
        for path, text in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        folder.with_suffix(".json").write_text(json.dumps({"tree": CORPUS.tree, "source": "mirror", "exact": True, "reason": "", "absent": []}))
        return tmp_path / "cache"

    return make


@pytest.fixture
def cases() -> tuple[Case, ...]:
    """Two questions: `apple` is answered by the first file in the words' order, `pear` by the second."""
    return (
        Case("a", "semble", "name", "apple", "symbol", (Target("src/a.py"),), CORPUS),
        Case("b", "semble", "name", "pear", "semantic", (Target("src/b.py", 1, 1),), CORPUS),
    )


@pytest.fixture
def files() -> Mapping[str, str]:
    return {"src/a.py": "apple apple pear pear\n", "src/b.py": "pear\napple\n", "docs/c.py": "apple apple apple apple\n"}

"""Rankings of small workspaces, each stage seen by itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from iq.engine import Engine
from iq.features import parse
from iq.frozen import replace
from iq.plan import pipeline
from iq.plan.classify import classify
from iq.plan.counterfactual import owed
from iq.plan.legs.bm25 import CANDIDATES
from iq.plan.route import route
from iq.types import Chosen, Intent, Scope


def engine(root: Path, files: Mapping[str, str]) -> Engine:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    return Engine.open(root)


def files(ranked) -> list[str]:
    return [candidate.path for candidate in ranked.files]


def test_a_narrow_scope_loses_nothing_to_a_wide_one(tmp_path: Path) -> None:
    """The scope was applied to the first candidates of the whole workspace, so a page behind 300 of them was never found."""
    many = {f"src/m{n:03}.py": f"def retry_{n}():\n    'retry retry retry'\n" for n in range(CANDIDATES + 50)}
    iq = engine(tmp_path, {**many, "docs/page.md": "# Other\n\n" + "words " * 300 + "retry\n"})
    assert files(iq.rank("retry policy", scope=Scope(only=("docs",)))) == ["docs/page.md"]
    assert files(iq.rank("retry policy", scope=Scope(within=("docs",)))) == ["docs/page.md"]


@pytest.mark.parametrize(
    ("question", "first"),
    [("open a named pipe", "src/unix/pipe.c"), ("open a named pipe on windows", "src/win/pipe.c")],
    ids=["posix stands for both", "unless the question says"],
)
def test_platform_copies(tmp_path: Path, question: str, first: str) -> None:
    body = "/* opens a named pipe */\nint uv_pipe_open(void) {\n  return 0;\n}\n"
    iq = engine(tmp_path, {"src/win/pipe.c": body + "/* open a named pipe, named pipe */\n", "src/unix/pipe.c": body})
    assert files(iq.rank(question))[0] == first


@pytest.mark.parametrize(("question", "first"), [("parse a schema", "v4/schema.ts"), ("parse a schema in v3", "v3/schema.ts")])
def test_older_versions(tmp_path: Path, question: str, first: str) -> None:
    body = "export function parseSchema(text: string) {\n  return text;\n}\n"
    iq = engine(tmp_path, {"v3/schema.ts": body + "// parse a schema\n", "v4/schema.ts": body})
    assert files(iq.rank(question))[0] == first


def test_a_version_without_a_newer_one_is_as_good_as_any(tmp_path: Path) -> None:
    iq = engine(tmp_path, {"v3/schema.ts": "export function parseSchema() {}\n"})
    assert "twin" not in iq.rank("parse schema").files[0].boosts


def test_the_test_of_a_function_stands_behind_it(tmp_path: Path) -> None:
    source = "pub fn normalize_url(url: &str) -> String {\n    url.into()\n}\n\n#[cfg(test)]\nmod tests {\n"
    source += '    #[test]\n    fn test_normalize_url() {\n        normalize_url("url url"); // normalize url\n    }\n}\n' + "// filler\n" * 300
    spans = engine(tmp_path, {"src/a.rs": source}).rank("normalize a url").chunks
    assert spans[0].symbol == "normalize_url"


def test_reciprocal_ranks_alone_where_sums_are_off(tmp_path: Path) -> None:
    iq = engine(tmp_path, {"a.py": "def retry():\n    pass\n", "b.py": "retry = 1\n"})
    for candidate in iq.rank("retry loop", features=parse("-scoresum")).files:
        assert candidate.score == pytest.approx(sum(1 / (60 + rank) for rank in candidate.ranks.values()))


def test_feedback_finds_what_the_question_does_not_say(tmp_path: Path) -> None:
    """One file holds the word; its other words lead to a second."""
    files_ = {
        "a.py": "def reconnect():\n    backoff(jitter)\n    backoff(jitter)\n",
        "b.py": "def wait():\n    jitter = 3\n    backoff = jitter * 2\n",
        **{f"m{n}.py": f"def f{n}(value):\n    return other_{n}\n" for n in range(40)},
    }
    iq = engine(tmp_path, files_)
    assert files(iq.rank("reconnect please", features=parse("-rm3"))) == ["a.py"]
    assert files(iq.rank("reconnect please"))[:2] == ["a.py", "b.py"]


def test_copies_are_one_place_with_its_twins(tmp_path: Path) -> None:
    body = "def open_session():\n    pass\n\n\ndef close_session():\n    pass\n"
    near = "def open_session():\n    pass\n\n\ndef close_session():\n    return 1\n\n\ndef retry_session_later():\n    pass\n"
    iq = engine(tmp_path, {"a/session.py": body, "b/other.py": body, "c/session.py": near, "d/session.py": near + "\n# changed\n"})
    ranked = iq.rank("how is a session opened and closed, and tried later").files
    groups = {frozenset((c.path, *c.twins)) for c in ranked}
    assert frozenset({"a/session.py", "b/other.py"}) in groups  # the same bytes
    assert frozenset({"c/session.py", "d/session.py"}) in groups  # the same name, the same definitions
    assert len(ranked) == 2
    assert len(iq.rank("how is a session opened and closed, and tried later", features=parse("-twins")).files) == 4


def test_each_place_names_the_stage_that_holds_it_up(tmp_path: Path) -> None:
    tests = "def test_parse_words():\n    parse_words(parse_words)\n    # words parse words\n"
    iq = engine(tmp_path, {"src/a.py": "def parse_words(text):\n    return text\n", "tests/test_a.py": tests, "src/b.py": "words = 1\n"})
    question = "where are words parsed"
    store, _ = iq.session.level()
    plan = route(classify(question), Scope(), parse(None))
    now = files(iq.rank(question))
    debts = owed(store, plan, pipeline.run(store, plan))
    assert now[0] == "src/a.py" and "src/a.py" in debts
    for path, (feature, rank) in debts.items():
        without = files(iq.rank(question, features=parse(f"-{feature}")))
        assert rank == (without.index(path) + 1 if path in without else 0)
        assert rank == 0 or rank > now.index(path) + 1


def test_the_instruction_of_an_intent_stands_before_the_question_that_is_embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    iq = engine(tmp_path, {"a.py": "def retry():\n    pass\n"})
    store, _ = iq.session.level()
    asked: list[str] = []
    monkeypatch.setattr(pipeline.vectors, "leg", lambda store, text, scope: asked.append(text) or pipeline.vectors.Dense())
    lens = Intent("security", "what protects", (), "Find what guards:", (), (), ())
    for chosen in (None, Chosen("security", "declared", lens=lens), Chosen("security", "declared", lens=replace(lens, instruction=""))):
        pipeline.run(store, route(classify("how is retry limited"), Scope(), parse(None), chosen))
    assert asked == ["how is retry limited", "Find what guards: how is retry limited", "how is retry limited"]

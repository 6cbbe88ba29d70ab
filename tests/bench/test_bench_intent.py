"""The intent bench: metrics by hand, the generator on a small tree, the grid with a fake encoder."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed")

from bench import intent, intentdb, intentgen, metrics  # noqa: E402
from bench.datasets import Case, Corpus, Target  # noqa: E402


@pytest.mark.parametrize(
    ("own", "other", "delta", "followir"),
    [
        (1, 3, 1 - 1 / 3, 1 - 1 / 3),
        (2, 2, 0, 0),
        (3, 1, 1 / 3 - 1, 1 / 3 - 1),
        (10, 20, 1 / 10 - 1 / 20, 1 - 10 / 20),
        (20, 10, 1 / 20 - 1 / 10, 10 / 20 - 1),
        (1, None, 1, 1),
        (None, 4, -1 / 4, -1),
        (None, None, 0, 0),
    ],
)
def test_pmrr_by_hand(own, other, delta, followir):
    assert metrics.pmrr(own, other) == pytest.approx(delta)
    assert metrics.pmrr_followir(own, other) == pytest.approx(followir)


def test_robustness_is_the_mean_of_the_worst():
    assert metrics.robustness({"a": [1.0, 0.5], "b": [0.25], "c": []}) == (0.5 + 0.25) / 2
    assert metrics.robustness({}) == 0


TREE = {
    "src/bar.py": 'class ProgressBar:\n    """Draws how far a long task has come."""\n\n\ndef other():\n    pass\n',
    "src/use.py": "from bar import ProgressBar\n\n\ndef main():\n    try:\n        go()\n    except ProgressBar:\n        pass\n",
    "tests/test_bar.py": "def test_bar():\n    assert ProgressBar()\n",
    "docs/bar.md": "# Bars\n\nUse `ProgressBar`.\n",
    "CHANGES.md": "# 2.0\n\n- Drop.\n- Add `ProgressBar`.\n  It draws.\n\n- Fix.\n",
    "pyproject.toml": '[dependency-groups]\ndev = [\n    "pytest-xdist>=3",\n]\n',
    "docs/dev.md": "# Development\n\nRun it with pytest-xdist.\n",
}


@pytest.fixture
def tree(tmp_path):
    for path, text in TREE.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return str(tmp_path)


def test_the_generator_finds_every_purpose(tree):
    cases = intentgen.generate(tree, "bar", "abc")
    found = {(case["symbol"], case["intent"]): [(gold["path"], gold["line"], gold["end"]) for gold in case["gold"]] for case in cases}
    assert found["ProgressBar", "implement"][0][0] == "src/bar.py"
    assert found["ProgressBar", "test"][0][0] == "tests/test_bar.py"
    assert found["ProgressBar", "understand"][0][0] == "docs/bar.md"
    assert found["ProgressBar", "debug"][0][0] == "src/use.py"
    assert found["ProgressBar", "history"] == [("CHANGES.md", 4, 5)]
    assert found["pytest-xdist", "configure"][0][0] == "pyproject.toml"
    assert found["pytest-xdist", "understand"][0][0] == "docs/dev.md"
    assert {case["query"] for case in cases} == {"progress bar", "pytest xdist"}
    assert {case["sentence"] for case in cases if case["symbol"] == "ProgressBar"} == {"Draws how far a long task has come."}
    assert intentgen.generate(tree, "bar", "abc") == cases


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        ("Returns the bar. Or not.", ""),
        ("Returns the bar of it. Or not.", "Returns the bar of it."),
        ("// SetArgs sets arguments for it.", "SetArgs sets arguments for it."),
        ("", ""),
        ("Short.", ""),
    ],
)
def test_sentence(doc, sentence):
    assert intentgen.sentence(doc) == sentence


def test_a_wrong_intent_is_never_the_right_one_and_always_the_same():
    for name in intent.CLASS:
        for number in range(20):
            case = Case(f"{name}-{number}", "intent-code", "r", "q", name, (Target("a"),), Corpus("o/r", "f" * 40))
            assert intent.wrong(case) != name and intent.wrong(case) == intent.wrong(case)
    wrongs = {intent.wrong(Case(f"x{n}", "s", "r", "q", "test", (), Corpus("o/r", "f" * 40))) for n in range(50)}
    assert wrongs == set(intent.CLASS) - {"test"}


def words(texts):
    """A fake encoder: words hashed to directions, so that texts that share words are near."""
    size = 64
    rows = np.zeros((len(texts), size), dtype=np.float32)
    for at, text in enumerate(texts):
        for word in text.lower().replace(",", " ").replace(".", " ").split():
            rows[at, sum(map(ord, word)) % size] += 1
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)


@pytest.mark.parametrize(("name", "cases", "intents"), [("easy", 25, 6), ("hard", 48, 4)])
def test_a_track_has_the_paired_cases(name, cases, intents):
    data = intentdb.track(name, words)
    assert (len(data.cases), len(data.intents)) == (cases, intents)
    assert all(case["paired"] for case in data.cases)
    grid = intentdb.text(data)
    assert "| plain | " in grid and "| lens | " in grid and "+.000" in grid


def test_training_of_the_topic_under_test_is_left_out():
    """The training pairs name the documents they are judged on."""
    data = intentdb.track("hard", words)
    corpus = intentdb.lens.moments(data.vectors)
    generator = np.random.default_rng(0)
    first, second = (intentdb.affinities(data, corpus, "learned", held, generator) for held in ("groupby", "async"))
    assert not np.allclose(first, second)
    everything = sum(len(rows) for rows in data.training.values())
    own = sum(where == "groupby" for rows in data.training.values() for where, _ in rows)
    assert (everything, own) == (96, 8)


def test_plain_has_no_intent_in_it():
    data = intentdb.track("easy", words)
    ranks = intentdb.ranked(data, "plain")
    for (query, _), ids in ranks.items():
        assert all(other == ids for (asked, _), other in ranks.items() if asked == query)

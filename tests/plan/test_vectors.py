"""The vector leg: scaled terms, scopes, part of the vectors, none, and no trace where it is off."""

from __future__ import annotations

import numpy
import pytest

from iq.features import DEFAULTS
from iq.index.session import Session
from iq.index.store import Store
from iq.index.vectors import table
from iq.index.vectors.embed import embed
from iq.index.workspace import find
from iq.plan import pipeline
from iq.plan.classify import classify
from iq.plan.legs import vectors
from iq.plan.route import route
from iq.types import Scope
from tests.fakes import Hashed

NAMES = ("apple", "banana", "cherry", "damson", "elder", "fig", "grape")


@pytest.fixture
def store(workspace, monkeypatch: pytest.MonkeyPatch, tmp_path) -> Store:
    monkeypatch.setenv("IQ_CACHE_DIR", str(tmp_path / "shared"))
    sources = {f"src/{name}.py": f"def {name}():\n    return {name} + {name}\n" for name in NAMES}
    place = workspace({**sources, "tests/test_fig.py": "def test_fig():\n    fig()\n"})
    ws = find(str(place.root), str(place.root))
    found = Session(ws, str(place.root)).level()[0]
    embed(ws, Hashed())
    return found


def test_scaling_is_0_at_the_median_and_1_at_the_maximum() -> None:
    assert vectors._scaled(numpy.array([0.1, 0.2, 0.3, 0.7, 0.5])).tolist() == pytest.approx([0, 0, 0, 1, 0.5])
    assert vectors._scaled(numpy.array([0.4, 0.4])).tolist() == [0, 0]


def test_the_nearest_file_gets_both_weights_and_half_get_nothing(store: Store) -> None:
    found = vectors.leg(store, "cherry", Scope(), Hashed())
    assert found.hits[0].path == "src/cherry.py" and found.hits[0].start == 1
    assert found.terms["src/cherry.py"] == pytest.approx(vectors.NEAR)
    assert len(found.terms) <= 4 and found.notes == ()


def test_a_scope_is_searched_by_itself(store: Store) -> None:
    """Scaled within the scope: the nearest there gets all, however far it is."""
    found = vectors.leg(store, "cherry", Scope(only=("tests",)), Hashed())
    assert [hit.path for hit in found.hits] == ["tests/test_fig.py"]
    found = vectors.leg(store, "cherry", Scope(not_globs=("cherry.py",)), Hashed())
    assert "src/cherry.py" not in {hit.path for hit in found.hits} | set(found.terms)
    assert vectors.leg(store, "cherry", Scope(globs=("nothing",)), Hashed()).hits == []


def test_while_half_have_vectors_the_terms_weigh_half(store: Store) -> None:
    """The nearest of the first few files must not push away a file that has no vector yet."""
    files = store.files()
    gone = [files[f"src/{name}.py"].id << 16 for name in NAMES[:4]]
    with store.db:
        table.remove(store, gone)
    done, total = table.share(store)
    found = vectors.leg(store, "grape", Scope(), Hashed())
    assert found.terms["src/grape.py"] == pytest.approx(vectors.NEAR * done / total)
    assert "src/apple.py" not in found.terms
    assert found.notes == (f"vectors {100 * done // total} %: the rest is being made",)


def test_vectors_of_another_space_are_not_asked(store: Store) -> None:
    found = vectors.leg(store, "cherry", Scope(), Hashed("other"))
    assert not found.hits and "another model" in found.notes[0]


def test_an_empty_index_says_nothing(workspace) -> None:
    place = workspace({})
    store = Session(find(str(place.root), str(place.root)), str(place.root)).level()[0]
    assert vectors.leg(store, "cherry", Scope(), Hashed()) == vectors.Dense()


def test_no_words_in_common_and_still_found(workspace, tiny) -> None:
    """`erase ansi` means `remove color` to the tiny model; no word of the question is in the workspace."""
    ws = tiny(workspace({"a.py": "def remove_color(x):\n    pass\n", "b.py": "def open_socket(x):\n    pass\n", "c.py": "def walk_tree(x):\n    pass\n"}))
    quiet = {**ws.environment(), "IQ_EMBED": "0"}
    assert ws.iq("erase the ansi", env=quiet)[0] == 1
    assert ws.iq("index", "embed", env=quiet)[0] == 0
    code, out, _ = ws.iq("erase the ansi", env=quiet)
    assert code == 0 and "answer: a.py:1-2 · remove_color (function) · vectors rank 1" in out


def test_off_it_leaves_no_trace(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors.embedder, "loaded", Hashed)
    monkeypatch.setattr(vectors.files, "present", lambda role: True)
    plan = route(classify("where is the cherry made"), Scope(), DEFAULTS)
    on = pipeline.run(store, plan)
    assert any("vectors" in c.ranks for c in on.files) and any("vectors" in c.boosts for c in on.files)
    off = pipeline.run(store, route(classify("where is the cherry made"), Scope(), DEFAULTS - {"vectors"}))
    assert off.files and not any("vectors" in c.ranks or "vectors" in c.boosts for c in off.files) and off.notes == ()

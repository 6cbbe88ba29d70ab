"""Stored affinities: level with intents and files, a column an intent, and felt by the ranking."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed")

from iq.engine import Engine  # noqa: E402
from iq.index import live, text  # noqa: E402
from iq.plan import affinities, lens  # noqa: E402
from iq.plan.intents import BUILT_IN, LENS_PRIOR  # noqa: E402
from iq.types import Intent  # noqa: E402

FILES = {
    "locks.py": "def guard(value):\n    # password token permission check\n    return value\n",
    "paint.py": "def guard(value):\n    # colour brush canvas draw\n    return value\n",
    "other.py": "def run(value):\n    # nothing of note\n    return value\n",
}
SECURITY = Intent("security", "password token permission check")
PAINT = Intent("paint", "colour brush canvas draw")
SIZE = 128


def embed(texts):
    """Words hashed to directions: texts that share words are near."""
    rows = np.full((len(texts), SIZE), 1e-3, dtype=np.float32)
    for at, written in enumerate(texts):
        for word in "".join(letter if letter.isalnum() else " " for letter in written.lower()).split():
            rows[at, sum(ord(letter) * (7 + place) for place, letter in enumerate(word)) % SIZE] += 1
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Shelf:
    """The vectors of an engine's chunks, embedded from the live files; counts the files it was asked for."""

    def __init__(self, engine):
        self.engine, self.asked = engine, []

    def __call__(self, files):
        store, _ = self.engine.session.level()
        for file in files:
            (path,) = store.db.execute("SELECT path FROM files WHERE id = ?", (file,)).fetchone()
            rows = text.lines(live.load(self.engine.session.root, path).content)
            spans = store.db.execute("SELECT start, end FROM chunks WHERE id >> 16 = ? ORDER BY id", (file,)).fetchall()
            self.asked.append(path)
            if spans:
                yield file, embed(["\n".join(rows[start - 1 : end]) for start, end in spans])


@pytest.fixture
def engine(workspace):
    place = workspace(FILES)
    found = Engine.open(place.root)
    found.level()
    return found


def put(engine, *intents):
    with open(engine.session.root + "/.iq/intents.toml", "w") as file:
        file.writelines(f'[{intent.name}]\ndescription = "{intent.description}"\n' for intent in intents)


def fill(engine, *intents, shelf=None):
    store, _ = engine.session.level()
    return affinities.fill(store, [*BUILT_IN.values(), *intents], "fake", embed, shelf or Shelf(engine))


def test_the_ranking_feels_what_an_intent_is_about(engine):
    put(engine, SECURITY, PAINT)
    engine.level()
    before = [engine.rank("guard value", intent=name).chunks[0].path for name in ("security", "paint")]
    fill(engine, SECURITY, PAINT)
    after = [engine.rank("guard value", intent=name).chunks[0].path for name in ("security", "paint")]
    assert after == ["locks.py", "paint.py"] and before != after
    assert LENS_PRIOR == lens.PRIOR


def test_a_second_fill_does_nothing(engine):
    assert fill(engine, SECURITY) > 0
    shelf = Shelf(engine)
    assert fill(engine, SECURITY, shelf=shelf) == 0 and shelf.asked == []


def rows(engine):
    store, _ = engine.session.level()
    return {(intent, file): bytes(blob) for intent, file, blob in store.db.execute("SELECT intent, file, columns FROM affinities")}


def test_an_edited_intent_touches_its_own_column_only(engine):
    fill(engine, SECURITY, PAINT)
    before = rows(engine)
    assert fill(engine, Intent("security", "brush"), PAINT) == len({file for _, file in before})
    after = rows(engine)
    assert {key for key in before if before[key] != after[key]} <= {key for key in before if key[0] == "security"}
    assert any(before[key] != after[key] for key in before)


def test_an_intent_that_is_gone_takes_its_column_along(engine):
    fill(engine, SECURITY, PAINT)
    fill(engine, PAINT)
    assert {name for name, _ in rows(engine)} == {*BUILT_IN, "paint"}


def test_an_edited_file_is_filled_again_and_no_other(engine):
    fill(engine, SECURITY)
    with open(engine.session.root + "/paint.py", "w") as file:
        file.write("def guard(value):\n    # password password password\n    return value\n")
    engine.level()
    shelf = Shelf(engine)
    assert fill(engine, SECURITY, shelf=shelf) == len(BUILT_IN) + 1
    assert shelf.asked == ["paint.py"]


def test_another_encoder_starts_anew(engine):
    fill(engine, SECURITY)
    store, _ = engine.session.level()
    assert affinities.fill(store, [SECURITY], "other", embed, Shelf(engine)) == 3
    assert {name for name, _ in rows(engine)} == {"security"}


def test_without_vectors_nothing_is_stored_and_the_ranking_stands(engine):
    put(engine, SECURITY)
    engine.level()
    store, _ = engine.session.level()
    assert affinities.fill(store, [SECURITY], "fake", embed, lambda files: []) == 0
    assert len(engine.rank("guard value", intent="security").chunks) == 3

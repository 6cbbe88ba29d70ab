"""Vectors in the index and the cache: added, replaced, emptied, searched by two paths that agree."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

from iq.index.store import CHUNK_BITS, Store
from iq.index.vectors import table
from iq.index.vectors.cache import Cache
from iq.index.vectors.matrix import knn, matrix
from iq.index.vectors.quantise import quantise, rotation

WIDTH = 64


def unit(count: int, seed: int = 0, width: int = WIDTH) -> numpy.ndarray:
    rows = numpy.random.default_rng(seed).standard_normal((count, width)).astype(numpy.float32)
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def fill(store: Store, vectors: numpy.ndarray, per_file: int = 10) -> list[int]:
    """`per_file` chunks in each file; the ids."""
    turn = rotation(vectors.shape[1])
    table.begin(store, "test", turn)
    ids = [((at // per_file + 1) << CHUNK_BITS) + at % per_file for at in range(len(vectors))]
    with store.db:
        table.add(store, {chunk: row.tobytes() for chunk, row in zip(ids, quantise(vectors, turn), strict=True)})
    return ids


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(str(tmp_path / "index.db"))[0]


@pytest.mark.parametrize("files", [None, [3, 4, 77], [], [9999]], ids=["all", "three files", "no file", "unknown file"])
@pytest.mark.parametrize("k", [1, 10, 300])
def test_both_paths_yield_the_same_ids(store: Store, k: int, files: list[int] | None) -> None:
    fill(store, unit(3000))
    for query in unit(20, seed=1):
        first, second = knn(store, query, k, files, exact=True), knn(store, query, k, files, exact=False)
        assert [row[0] for row in first] == [row[0] for row in second]
        assert [row[1] for row in first] == pytest.approx([row[1] for row in second], abs=1e-6)
        assert len(first) == min(k, 3000 if files is None else 30 if files == [3, 4, 77] else 0)


def test_ties_go_by_id_on_both_paths(store: Store) -> None:
    fill(store, numpy.repeat(unit(3), 50, axis=0))
    for query in unit(5, seed=2):
        first, second = knn(store, query, 60, exact=True), knn(store, query, 60, exact=False)
        assert [row[0] for row in first] == [row[0] for row in second]


def test_size_decides_which_path_answers(store: Store) -> None:
    fill(store, unit(100))
    knn(store, unit(1)[0], 5)
    assert store.matrix is None, "a few neighbours of a few rows are vec0's"
    knn(store, unit(1)[0], 100)
    assert store.matrix is not None


def test_filters_act_during_the_search(store: Store) -> None:
    """The nearest 50 chunks all lie outside the filter; those inside are found all the same."""
    near = numpy.repeat(unit(1), 50, axis=0)
    fill(store, numpy.concatenate([near, unit(20, seed=3)]))
    for exact in (True, False):
        assert [chunk >> CHUNK_BITS for chunk, _ in knn(store, unit(1)[0], 10, [6], exact=exact)] == [6] * 10


def test_recall_of_int8_against_float32(store: Store) -> None:
    """Vectors with a few dimensions that carry far more than the rest, as those of small encoders do: without the rotation .9."""
    scale = numpy.ones(WIDTH, numpy.float32)
    scale[[3, 17]] = 12
    vectors = unit(4000) * scale
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    queries = unit(50, seed=4) * scale
    queries /= numpy.linalg.norm(queries, axis=1, keepdims=True)
    ids = fill(store, vectors)
    plain = quantise(vectors, numpy.eye(WIDTH, dtype=numpy.float32)).astype(numpy.float32)
    plain /= numpy.linalg.norm(plain, axis=1, keepdims=True)
    kept, without = [], []
    for query in queries:
        best = {ids[at] for at in numpy.argsort(-(vectors @ query))[:10]}
        kept.append(len(best & {chunk for chunk, _ in knn(store, query, 10)}) / 10)
        without.append(len(best & {ids[at] for at in numpy.argsort(-(plain @ query))[:10]}) / 10)
    assert numpy.mean(kept) >= 0.97 and numpy.mean(kept) > numpy.mean(without)


def test_a_rotation_is_orthogonal_and_the_same_each_time() -> None:
    turn = rotation(48)
    assert numpy.allclose(turn @ turn.T, numpy.eye(48), atol=1e-5)
    assert (turn == rotation(48)).all()


def test_removed_vectors_are_gone_and_a_matrix_in_memory_notices(store: Store) -> None:
    ids = fill(store, unit(30))
    assert len(matrix(store).rows) == 30
    other = Store.open(store.path)[0]
    with other.db:
        table.remove(other, ids[:10])
    assert len(matrix(store).rows) == 20 and store.count("embedded") == 20
    assert not {chunk for chunk, _ in knn(store, unit(1)[0], 30, exact=True)} & set(ids[:10])


def test_removing_a_file_removes_its_vectors_without_the_extension_loaded(store: Store) -> None:
    ids = fill(store, unit(30))
    fresh = Store.open(store.path)[0]
    with fresh.db:
        fresh.remove(1)
    assert {chunk for chunk, _ in knn(store, unit(1)[0], 30)} == set(ids[10:])


def test_without_sqlite_vec_a_removal_forgets_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids are used again: a vector left behind would speak for another chunk."""
    fill(store, unit(30))
    fresh = Store.open(store.path)[0]
    monkeypatch.setattr(table, "find_spec", lambda name: None)
    with fresh.db:
        fresh.remove(1)
    assert table.share(fresh) == (0, 0) and table.space(fresh) == ""
    monkeypatch.undo()
    fill(store, unit(10))
    assert store.count("embedded") == 10


def test_another_space_empties_the_table_once(store: Store) -> None:
    fill(store, unit(30))
    table.begin(store, "test", rotation(WIDTH))
    assert store.count("embedded") == 30
    table.begin(store, "other", rotation(32))
    assert store.count("embedded") == 0 and table.width(store) == 32


def test_the_cache_keeps_one_space_and_its_newest_rows(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "vectors.db")
    cache = Cache("a", path, most=20)
    cache.put({bytes([n]): b"v" for n in range(20)})
    assert len(cache.get([bytes([n]) for n in range(20)])) == 20
    cache.put({b"new": b"v"})
    there = cache.get([*(bytes([n]) for n in range(20)), b"new"])
    assert b"new" in there and len(there) == 18 and bytes([0]) not in there
    cache.close()
    assert Cache("a", path).get([b"new"]) == {b"new": b"v"}
    assert Cache("b", path).get([b"new"]) == {}
    assert Cache("a", path).get([b"new"]) == {}


def test_a_damaged_or_forbidden_cache_only_costs_time(tmp_path: Path) -> None:
    path = tmp_path / "vectors.db"
    path.write_bytes(b"no database" * 500)
    cache = Cache("a", str(path))
    cache.put({b"x": b"v"})
    assert cache.get([b"x"]) == {b"x": b"v"}
    (tmp_path / "file").write_text("")
    blocked = Cache("a", str(tmp_path / "file" / "vectors.db"))
    blocked.put({b"x": b"v"})
    assert blocked.get([b"x"]) == {}

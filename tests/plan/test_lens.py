"""The lens by hand, against the definition written out, and at the size it has to bear."""

from __future__ import annotations

import time

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed")

from iq.plan import lens  # noqa: E402


def unit(rows):
    rows = np.asarray(rows, dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def example(seed=0, chunks=200, size=16, intents=4):
    draw = np.random.default_rng(seed)
    return unit(draw.standard_normal((chunks, size))), [unit(draw.standard_normal((3, size))) for _ in range(intents)]


def by_definition(vectors, texts):
    """Z as the docstring of the module says it, with nothing taken apart."""

    def z(values):
        return (values - values.mean(axis=0)) / values.std(axis=0)

    means = np.stack([rows.mean(axis=0) for rows in texts]).astype(np.float64)
    vectors = vectors.astype(np.float64)
    centred = vectors - vectors.mean(axis=0)
    cover = centred.T @ centred / len(vectors)
    apart = means - means.mean(axis=0)
    shrunk = 0.5 * cover + 0.5 * np.trace(cover) / len(cover) * np.eye(len(cover))
    cosine = vectors @ (means / np.linalg.norm(means, axis=1, keepdims=True)).T
    fisher = centred @ (apart / np.diag(cover)).T
    lda = centred @ np.linalg.solve(shrunk, apart.T)
    return z(z(cosine) + z(fisher) + z(lda))


def stored(vectors, texts):
    corpus = lens.moments(vectors)
    weights = lens.functionals(texts, corpus)
    return np.stack([lens.columns(vectors, row, corpus) for row in weights], axis=1), weights, corpus


def test_affinities_are_those_of_the_definition():
    vectors, texts = example()
    columns, weights, corpus = stored(vectors, texts)
    found = lens.affinities(columns, weights, corpus)
    assert columns.dtype == np.float16
    assert np.abs(found - by_definition(vectors, texts)).max() < 0.01  # float16 has three digits


def test_the_columns_of_an_intent_do_not_depend_on_the_others():
    vectors, texts = example()
    all_columns, _, _ = stored(vectors, texts)
    some, _, _ = stored(vectors, [texts[2], texts[0]])
    assert np.array_equal(some[:, 0], all_columns[:, 2]) and np.array_equal(some[:, 1], all_columns[:, 0])


def test_a_part_of_the_corpus_has_the_affinities_it_has_in_the_whole():
    vectors, texts = example()
    columns, weights, corpus = stored(vectors, texts)
    assert np.array_equal(lens.affinities(columns[5:9], weights, corpus), lens.affinities(columns, weights, corpus)[5:9])


def test_posterior_by_hand():
    logits = np.log(np.array([[1.0, 3.0], [4.0, 4.0]], dtype=np.float32))
    assert np.allclose(lens.log_posterior(logits, 1, floor=0.02), np.log([0.01 + 0.98 * 0.75, 0.01 + 0.98 * 0.5]))


def test_one_intent_alone_says_nothing():
    vectors, texts = example(intents=1)
    columns, weights, corpus = stored(vectors, texts)
    assert np.allclose(lens.log_posterior(lens.affinities(columns, weights, corpus), 0), 0, atol=1e-6)


def test_vectors_that_are_all_alike_have_no_affinity_and_no_nan():
    vectors, texts = np.tile(unit([[1.0, 2.0, 2.0]]), (5, 1)), [unit([[1.0, 0.0, 0.0]]), unit([[0.0, 1.0, 0.0]])]
    columns, weights, corpus = stored(vectors, texts)
    assert np.isfinite(lens.affinities(columns, weights, corpus)).all()
    with pytest.raises(ValueError, match="no vectors"):
        lens.moments(vectors[:0])


def test_registering_an_intent_over_100k_chunks_is_one_product():
    """The aim is 2 s on two quiet cores; a busy machine has twice that."""
    draw = np.random.default_rng(1)
    vectors = unit(draw.standard_normal((100_000, 384), dtype=np.float32))
    texts = [unit(draw.standard_normal((5, 384), dtype=np.float32)) for _ in range(7)]
    corpus = lens.moments(vectors)
    started = time.process_time()
    weights = lens.functionals(texts, corpus)
    column = lens.columns(vectors, weights[0], corpus)
    assert time.process_time() - started < 4
    assert column.shape == (100_000, 3)

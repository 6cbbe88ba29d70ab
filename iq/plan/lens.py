"""How much does a chunk belong to an intent that is known by a few sentences only?

Three discriminants of a chunk's vector d, each z-scored over the corpus, summed and z-scored again, are its affinity Z_k(d)
for the intent k with text vectors T_k of mean m_k:

    cosine   d · m_k / |m_k|
    Fisher   (d − µ) · diag(S)⁻¹ (m_k − m)             S is the corpus's covariance, µ its mean, m the mean of all m_k
    LDA      (d − µ) · S_h⁻¹ (m_k − m)                 S_h is S shrunk half-way to the identity of its scale

All three are linear in d, so registering an intent is one product of the vectors with three columns, and no model reads a
chunk again. The columns of one intent hold its own m_k only; m is taken off when they are combined, so that an edit of one
intent leaves the columns of the others as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

# How far the covariance goes to the scaled identity: with a few thousand chunks of 384 dimensions it is near singular.
SHRINKAGE = 0.5

# λ (also plan.intents.LENS_PRIOR), τ, w and ε of a registered intent, chosen on the easy track of the intent database: top-1 1.00 and
# p-MRR .89 there, on its plateau (τ .75-1, λ 2); the hard track had no say.
PRIOR = 2.0
TEMPERATURE = 0.75
WEIGHT = 1.0
FLOOR = 0.01

# Keeps a dimension that never varies from dividing by nothing.
TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Moments:
    """Of the chunk vectors of a corpus: how many, their mean and covariance."""

    count: int
    mean: Matrix
    covariance: Matrix


def moments(vectors: Matrix) -> Moments:
    """Raises ValueError where there are no vectors."""
    if not len(vectors):
        raise ValueError("no vectors: the moments of a corpus need at least one chunk")
    mean = vectors.mean(axis=0)
    centred = vectors - mean
    return Moments(len(vectors), mean, centred.T @ centred / len(vectors))


def functionals(texts: Sequence[Matrix], corpus: Moments) -> Matrix:
    """The three weight vectors of every intent, (intents, 3, dimensions), from the unit vectors of its texts."""
    means = np.stack([rows.mean(axis=0) for rows in texts])
    scale = np.trace(corpus.covariance) / len(corpus.mean)
    shrunk = (1 - SHRINKAGE) * corpus.covariance + SHRINKAGE * (scale + TINY) * np.eye(len(corpus.mean), dtype=np.float32)
    cosine = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), TINY)
    fisher = means / (np.diag(corpus.covariance) + TINY)
    lda = np.linalg.solve(shrunk, means.T).T
    return np.stack([cosine, fisher, lda], axis=1).astype(np.float32)


def columns(vectors: Matrix, weights: Matrix, corpus: Moments) -> NDArray[np.float16]:
    """The stored columns of one intent, (chunks, 3), from its three weight vectors; in units of their spread over the corpus."""
    own = (vectors - corpus.mean) @ weights.T
    return np.asarray(own / spreads(weights, corpus), dtype=np.float16)


def spreads(weights: Matrix, corpus: Moments) -> Matrix:
    """Standard deviation over the corpus of each functional, in closed form: √(wᵀ S w)."""
    variance = np.einsum("...i,ij,...j->...", weights, corpus.covariance, weights)
    return np.maximum(np.sqrt(np.maximum(variance, 0.0)), TINY).astype(np.float32)


def affinities(stored: NDArray[np.float16], weights: Matrix, corpus: Moments) -> Matrix:
    """Z of chunks for all intents, (chunks, intents), from their stored columns (chunks, intents, 3) and the intents' weights.

    The z-scores are those over the whole corpus whatever part of it the chunks are: means are 0, since vectors were
    centred, and spreads are closed forms.
    """
    raw = stored.astype(np.float32) * spreads(weights, corpus)
    contrast = np.array([0.0, 1.0, 1.0], dtype=np.float32)[None, :, None]
    compared = weights - contrast * weights.mean(axis=0, keepdims=True)
    raw = raw - contrast[:, :, 0] * raw.mean(axis=1, keepdims=True)
    scaled = compared / spreads(compared, corpus)[..., None]
    total = (raw / spreads(compared, corpus)).sum(axis=2)
    return np.asarray(total / spreads(scaled.sum(axis=1), corpus), dtype=np.float32)


def log_posterior(logits: Matrix, at: int, floor: float = FLOOR) -> Matrix:
    """log p_I of every chunk for the intent in column `at`: log(ε/K + (1 − ε) · softmax over intents)."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    share = shifted[:, at] / shifted.sum(axis=1)
    return np.asarray(np.log(floor / logits.shape[1] + (1 - floor) * share), dtype=np.float32)

"""Unit vectors to int8 and the rotation that comes before: recall@10 of int8 against float32 is .95 without, .98 with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy

# The rotation is drawn from this seed; part of the vector space.
SEED = 1

# What this module does to a vector, in the name of the space.
NAME = f"int8·rotation {SEED}"


def rotation(width: int) -> numpy.ndarray:
    """A random orthogonal float32 matrix, the same for every workspace: Q of the QR of a Gaussian one, diagonal of R positive.

    Single dimensions of an embedder carry far larger values than the rest, which would set the step for all; turned, all are alike.
    """
    import numpy

    q, r = numpy.linalg.qr(numpy.random.default_rng(SEED).standard_normal((width, width)))
    return (q * numpy.sign(numpy.diag(r))).astype(numpy.float32)


def quantise(vectors: numpy.ndarray, turn: numpy.ndarray) -> numpy.ndarray:
    """Rows turned and scaled so that the largest value of each is 127; cosines do not see the scale."""
    import numpy

    turned = vectors @ turn
    top = numpy.maximum(numpy.abs(turned).max(axis=1, keepdims=True), 1e-12)
    return numpy.rint(turned * (127 / top)).astype(numpy.int8)

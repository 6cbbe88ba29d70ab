"""BM25 and BM25F. Statistics are arguments, never read here, so that shards of an index can share them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# path, symbols, body, comments: a comment says what its unit does in the asker's words, so it counts as the code does. At .7
# with lengths at .6, octocode lost .011 by spans, and semble, iq-bench and commitloc stood still.
WEIGHTS = (4.0, 3.0, 1.0, 1.0)
B = (0.3, 0.3, 0.45, 0.45)
K1 = 1.6


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of a collection: units N, mean length of each field in terms, units that hold each query term."""

    count: int
    lengths: tuple[float, ...]
    frequencies: tuple[int, ...]


def idf(count: int, frequency: int) -> float:
    """ln(1 + (N - df + .5) / (df + .5)), never negative. (Robertson & Zaragoza 2009; Lucene's form.)"""
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


# (counts[term][field], lengths[field]) of a unit -> its score.
Scorer = Callable[[Sequence[Sequence[int]], Sequence[int]], float]


def bm25f(statistics: Statistics, weights: Sequence[float] | None = None) -> Scorer:
    """The BM25F of units: counts[term][field] occurrences, lengths[field] terms, weights[term] in the question (1).

    tf' = sum over fields of w_f · tf_f / (1 - b_f + b_f · len_f / mean_f); score = sum of weight · idf · tf' / (k1 + tf').
    (Zaragoza et al., TREC 2004.)
    """
    asked = weights or [1.0] * len(statistics.frequencies)
    values = [weight * idf(statistics.count, frequency) for weight, frequency in zip(asked, statistics.frequencies, strict=True)]
    fields = [(weight, 1 - b, b / mean if mean else 0.0) for weight, b, mean in zip(WEIGHTS, B, statistics.lengths, strict=True)]

    def score(counts: Sequence[Sequence[int]], lengths: Sequence[int]) -> float:
        path, symbols, body, comments = [weight / (least + slope * length) for (weight, least, slope), length in zip(fields, lengths, strict=True)]
        total = 0.0
        for value, (in_path, in_symbols, in_body, in_comments) in zip(values, counts, strict=True):
            if weighted := in_path * path + in_symbols * symbols + in_body * body + in_comments * comments:
                total += value * weighted / (K1 + weighted)
        return total

    return score


def bm25(
    counts: Sequence[int],
    length: int,
    mean: float,
    count: int,
    frequencies: Sequence[int],
    k1: float = 0.9,
    b: float = 0.4,
    weights: Sequence[float] | None = None,
) -> float:
    """Plain BM25 of one unit: counts[term] occurrences in `length` terms. (Robertson et al. 1994; idf as in Lucene.)"""
    norm = k1 * (1 - b + b * (length / mean if mean else 1.0))
    rows = zip(counts, frequencies, weights or [1.0] * len(counts), strict=True)
    return sum(weight * idf(count, frequency) * tf / (norm + tf) for tf, frequency, weight in rows if tf)

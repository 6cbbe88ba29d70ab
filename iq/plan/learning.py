"""Do the marks that people gave say that an intent's weights should differ here?

λ and β of one intent, never the class priors, may move within a factor of 1.5 of what is shipped. Each query has one weight
however many marks it has. New weights are taken only if, chosen without a query, they do better on that query often enough:
the leave-one-out gain in reciprocal rank is at least 1.64 standard errors above zero, wins exceed losses by three, and so many
wins would be rare by chance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Queries that an intent needs marks of: fewer cannot show 1.64 standard errors of anything.
QUERIES = 8

# The weights that are tried, as factors of what is shipped; the outermost bound what can be learned.
FACTORS = (1 / 1.5, 1 / 1.2, 1.0, 1.2, 1.5)

# One-sided 95 %.
ERRORS = 1.64
LEAD = 3

# Reciprocal ranks are skewed, so on noise the rule above alone learns in 11 % of the runs; wins that many must be rare too.
CHANCE = 0.05


@dataclass(frozen=True, slots=True)
class Judged:
    """One query's candidates as (base z, log p, evidence, mark): 1 useful, -1 not, 0 unmarked."""

    query: str
    candidates: tuple[tuple[float, float, float, int], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`factors` of (λ, β) that were learned, or None with the reason why not."""

    factors: tuple[float, float] | None
    why: str
    queries: int
    before: float = 0.0
    after: float = 0.0


def value(judged: Judged, prior: float, evidence: float) -> float:
    """1 / rank of the first useful candidate; where none is useful, 1 less 1 / rank of the first that is not."""
    order = sorted(judged.candidates, key=lambda row: -(row[0] + prior * row[1] + evidence * row[2]))
    for mark in (1, -1):
        for rank, row in enumerate(order, 1):
            if row[3] == mark:
                return 1 / rank if mark == 1 else 1 - 1 / rank
    return 0.0


def learn(judged: Sequence[Judged], prior: float, evidence: float) -> Outcome:
    """`prior` and `evidence` are the shipped λ and β. Queries without a marked candidate say nothing and are left out."""
    kept = [one for one in judged if any(row[3] for row in one.candidates)]
    if len(kept) < QUERIES:
        return Outcome(None, f"{len(kept)} queries with marks; {QUERIES} are needed", len(kept))
    grid = [(left, right) for left in FACTORS for right in FACTORS]
    scores: Mapping[tuple[float, float], list[float]] = {pair: [value(one, prior * pair[0], evidence * pair[1]) for one in kept] for pair in grid}
    now = scores[1.0, 1.0]
    gains = []
    for at in range(len(kept)):
        best = _best(grid, {pair: sum(row) - row[at] for pair, row in scores.items()})
        gains.append(scores[best][at] - now[at])
    mean = sum(gains) / len(gains)
    error = math.sqrt(sum((gain - mean) ** 2 for gain in gains) / max(len(gains) - 1, 1) / len(gains))
    wins, losses = sum(gain > 1e-9 for gain in gains), sum(gain < -1e-9 for gain in gains)
    before = sum(now) / len(now)
    if mean <= 0 or mean < ERRORS * error or wins - losses < LEAD or chance(wins, losses) > CHANCE:
        why = f"no better by more than chance: gain {mean:+.3f} ± {error:.3f}, {wins} won, {losses} lost"
        return Outcome(None, why, len(kept), before, before + mean)
    best = _best(grid, {pair: sum(row) for pair, row in scores.items()})
    return Outcome(best, f"gain {mean:+.3f} ± {error:.3f}, {wins} won, {losses} lost", len(kept), before, sum(scores[best]) / len(kept))


def chance(wins: int, losses: int) -> float:
    """The probability of so many wins or more where both are equally likely (one-sided sign test, ties left out)."""
    n = wins + losses
    return sum(math.comb(n, k) for k in range(wins, n + 1)) / 2**n


def _best(grid: Sequence[tuple[float, float]], totals: Mapping[tuple[float, float], float]) -> tuple[float, float]:
    """The pair of the highest total; of equals the one that changes least, then the smaller."""
    return min(grid, key=lambda pair: (-round(totals[pair], 9), abs(math.log(pair[0])) + abs(math.log(pair[1])), pair))

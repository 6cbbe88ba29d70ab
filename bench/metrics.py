"""One function a metric: ranked places against the targets of a case, one query at a time.

A ranking is a sequence of *units*, best first; a unit is what one rank holds: a chunk, or a file with the spans shown of
it. All paths are relative to the repository. Means over queries are taken by the caller.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.datasets import Target


@dataclass(frozen=True, slots=True)
class Place:
    """Where a result points: lines `start..end`, inclusive; `start` 0 means the file as a whole."""

    path: str
    start: int = 0
    end: int = 0


Unit = tuple[Place, ...]


def same_path(found: str, wanted: str) -> bool:
    """Equal, or one a suffix of the other at a `/` (semble, benchmarks/data.py `path_matches`)."""
    return found == wanted or found.endswith("/" + wanted) or wanted.endswith("/" + found)


def meets(place: Place, target: Target) -> bool:
    """The path matches and, where the target has a span, at least one line is shared.

    A place without lines meets no span: it has not said where (semble, benchmarks/data.py `target_matches_location`).
    """
    if not same_path(place.path, target.path):
        return False
    if target.start is None or target.end is None:
        return True
    return place.start > 0 and place.start <= target.end and target.start <= place.end


def ranks(units: Sequence[Unit], targets: Sequence[Target]) -> list[int | None]:
    """For each target the rank, from 1, of the first unit that meets it; None where no unit does."""
    return [next((rank for rank, unit in enumerate(units, 1) if any(meets(place, target) for place in unit)), None) for target in targets]


def within(found: Iterable[int | None], k: int) -> list[int]:
    return [rank for rank in found if rank is not None and rank <= k]


def as_files(targets: Sequence[Target]) -> tuple[Target, ...]:
    """Each target file once, without its spans, at its highest grade, in first-seen order."""
    grades: dict[str, int] = {}
    for target in targets:
        grades[target.path] = max(grades.get(target.path, 0), target.grade)
    return tuple(Target(path, grade=grade) for path, grade in grades.items())


def discount(rank: int) -> float:
    """1 / log2(rank + 1): 1 at rank 1, .631 at 2, .5 at 3 (Järvelin & Kekäläinen, TOIS 2002)."""
    return 1 / math.log2(rank + 1)


def ndcg(units: Sequence[Unit], targets: Sequence[Target], k: int = 10) -> float:
    """Binary nDCG in semble's form: sum of discounts over the *distinct* ranks that first meet a target, over its ideal.

    The ideal has min(k, number of targets) ranks, so two targets met by one unit count once and cost the second. Units
    are chunks, or files for the file-once form. (semble, benchmarks/metrics.py `ndcg_at_k`, `target_rank`.)
    """
    if not targets:
        return 0.0
    gain = sum(discount(rank) for rank in sorted(set(within(ranks(units, targets), k))))
    return gain / sum(discount(rank) for rank in range(1, min(k, len(targets)) + 1))


def ndcg_files(units: Sequence[Unit], targets: Sequence[Target], k: int = 10) -> float:
    """`ndcg` over files: every file has one rank, every target file counts once, spans are not looked at."""
    return ndcg(files_once(units), as_files(targets), k)


def files_once(units: Sequence[Unit]) -> list[Unit]:
    """The files of a ranking in order of first appearance, each as one unit without lines."""
    return [(Place(path),) for path in dict.fromkeys(place.path for unit in units for place in unit)]


def ndcg_anchors(units: Sequence[Unit], targets: Sequence[Target], k: int = 10) -> float:
    """Binary nDCG in the form of intentic's iq-bench: every anchor gains at its own best rank, the quotient is cut at 1.

    Two anchors first met by one unit both gain its discount, which is why the cut is needed.
    """
    if not targets:
        return 0.0
    gain = sum(discount(rank) for rank in within(ranks(units, targets), k))
    return min(1.0, gain / sum(discount(rank) for rank in range(1, min(k, len(targets)) + 1)))


def ndcg_graded(units: Sequence[Unit], targets: Sequence[Target], k: int = 10) -> float:
    """Graded nDCG that credits a target once: a unit gains the highest grade among targets no earlier unit has met.

    DCG = sum of gain × discount over the first k ranks; the ideal has the grades in falling order. Never above 1.
    """
    open_targets = list(targets)
    gain = 0.0
    for rank, unit in enumerate(units[:k], 1):
        met = [target for target in open_targets if any(meets(place, target) for place in unit)]
        gain += max((target.grade for target in met), default=0) * discount(rank)
        open_targets = [target for target in open_targets if target not in met]
    return gain / ideal if (ideal := graded_ideal(targets, k)) else 0.0


def ndcg_octocode(units: Sequence[Unit], targets: Sequence[Target], k: int = 10) -> float:
    """Graded nDCG as octocode publishes it: every unit gains the highest grade it overlaps, also when met before.

    A target split over two ranked chunks counts twice, so this can exceed 1; it is reported only beside octocode's own
    figures. (octocode, benchmark/score.py `compute_ndcg_at_k`.)
    """
    gain = sum(
        max((target.grade for target in targets if any(meets(place, target) for place in unit)), default=0) * discount(rank)
        for rank, unit in enumerate(units[:k], 1)
    )
    return gain / ideal if (ideal := graded_ideal(targets, k)) else 0.0


def graded_ideal(targets: Sequence[Target], k: int) -> float:
    grades = sorted((target.grade for target in targets), reverse=True)[:k]
    return sum(grade * discount(rank) for rank, grade in enumerate(grades, 1))


def recall(units: Sequence[Unit], targets: Sequence[Target], k: int) -> float:
    """Share of the targets met within the first k ranks."""
    return len(within(ranks(units, targets), k)) / len(targets) if targets else 0.0


def hit(units: Sequence[Unit], targets: Sequence[Target], k: int) -> float:
    """1 where any target is met within the first k ranks, else 0 (octocode's Hit@k)."""
    return float(bool(within(ranks(units, targets), k)))


def mrr(units: Sequence[Unit], targets: Sequence[Target], k: int = 10) -> float:
    """1 / rank of the first unit that meets any target, 0 beyond rank k (Voorhees, TREC-8)."""
    return 1 / min(found) if (found := within(ranks(units, targets), k)) else 0.0


def accuracy(units: Sequence[Unit], targets: Sequence[Target], k: int) -> float:
    """Acc@k: 1 where *every* target is met within the first k ranks, else 0 (LocAgent, ACL 2025; SweRank, 2025)."""
    return float(bool(targets) and len(within(ranks(units, targets), k)) == len(targets))


def average_precision(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Sum over relevant documents of precision at their rank, over the number of relevant documents (trec_eval `map`).

    A relevant document that is not ranked adds 0.
    """
    if not relevant:
        return 0.0
    seen, total = 0, 0.0
    for rank, document in enumerate(ranked, 1):
        if document in relevant:
            seen += 1
            total += seen / rank
    return total / len(relevant)


def share_met(places: Iterable[Place], targets: Sequence[Target]) -> float:
    """Share of the targets that any place meets, rank aside.

    With the places of an answer printed within n tokens it is semble's recall at n (benchmarks/token_efficiency.py).
    """
    return recall([tuple(places)], targets, 1)


def pmrr(own: int | None, other: int | None) -> float:
    """1/rank under the intent that a place answers, less 1/rank under one it does not; from -1 to 1.

    The paired reciprocal-rank delta of intent-db (bench/metrics.py `pmrr_delta`). A place that is not ranked has 1/rank 0.
    """
    return (1 / own if own else 0.0) - (1 / other if other else 0.0)


def pmrr_followir(own: int | None, other: int | None) -> float:
    """How much of a place's rank the other intent takes away: 1 - own/other where it falls, other/own - 1 where it rises.

    FollowIR's p-MRR (Weller et al., 2024), with the intent that a place answers as the original instruction and the other
    as the changed one. A place that is not ranked is infinitely far; 0 where it is ranked under neither.
    """
    if own is None and other is None:
        return 0.0
    if own is None:
        return -1.0
    if other is None:
        return 1.0
    return other / own - 1 if own > other else 1 - own / other


def robustness(by_query: Mapping[str, Sequence[float]]) -> float:
    """Mean over queries of the worst value among a query's intents (InstructIR's Robustness@k, Oh et al., 2024)."""
    worst = [min(values) for values in by_query.values() if values]
    return sum(worst) / len(worst) if worst else 0.0

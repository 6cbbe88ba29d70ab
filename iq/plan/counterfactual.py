"""Which stage does a place owe its rank to? The ranking is made again with each feature off."""

from __future__ import annotations

from iq.features import FEATURES
from iq.index.store import Store
from iq.plan import pipeline
from iq.plan.route import route
from iq.types import Plan, Ranking

# Files whose debt is looked up.
FILES = 20


# They judge an answer or print it, and rank nothing.
GATES = frozenset({"rerank", "verdict", "pack"})


def owed(store: Store, plan: Plan, ranking: Ranking) -> dict[str, tuple[str, int]]:
    """path -> (feature, rank without it) for the feature whose loss would cost the path most; 0 means not ranked at all.

    A path that no single feature holds up is left out. Ties go to the feature that FEATURES lists first.
    """
    top = [candidate.path for candidate in ranking.files[:FILES]]
    found: dict[str, tuple[str, int]] = {}
    worst = dict(zip(top, range(1, len(top) + 1), strict=True))
    ordering = plan.features - GATES
    for feature in sorted(ordering, key=list(FEATURES).index):
        without = pipeline.run(store, route(plan.query, plan.scope, ordering - {feature}))
        ranks = {candidate.path: rank for rank, candidate in enumerate(without.files, 1)}
        for path in top:
            rank = ranks.get(path, 0)
            if (rank or len(without.files) + 1) > worst[path]:
                worst[path] = rank or len(without.files) + 1
                found[path] = (feature, rank)
    return found

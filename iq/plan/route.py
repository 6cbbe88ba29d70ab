"""Which legs answer this kind of question? The only place that reads FEATURES."""

from __future__ import annotations

from iq.types import Chosen, Plan, Query, Scope

# The intent that asks for the ranking as it is, without a prior on classes.
NONE = "none"

# kind -> legs in order; a leg runs if the feature of its name is on.
LEGS = {
    "path": ("paths", "bm25"),
    "symbol": ("symbols", "paths", "bm25"),
    "regex": ("bm25",),
    "prose": ("symbols", "paths", "bm25", "vectors"),
}

# A question put to documents alone is answered by sections: what is said of files and names is said of code.
SECTIONS = frozenset({"docs", "history"})
OF_CODE = frozenset({"symbols", "paths", "coherence", "wholefile", "saturation", "ownscore", "pathrules", "defrules", "classprior", "twins", "graph"})


def route(query: Query, scope: Scope, features: frozenset[str], intent: Chosen | None = None) -> Plan:
    """The plan of a question: its legs that are switched on, and the features later stages obey.

    An intent brings its own prior on file classes, so the one for code goes; `none` is the ranking with neither.
    """
    if intent is not None:
        features -= {"classprior"}
        intent = None if intent.name == NONE else intent
    if scope.only and SECTIONS.issuperset(scope.only):
        features -= OF_CODE
    return Plan(query, tuple(leg for leg in LEGS.get(query.kind, LEGS["prose"]) if leg in features), features, scope, intent)

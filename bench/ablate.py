"""Does every stage earn its place? The full pipeline, it without each feature or with each further one, and each leg alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.results import Results
from bench.tables import against, sets

# Features that retrieve; the others change what these have found, so alone they would return nothing.
LEGS = ("symbols", "paths", "bm25", "vectors")


def configs(defaults: Mapping[str, bool], without: Sequence[str] = ()) -> dict[str, str]:
    """Label -> spec: the full pipeline first, then one row a feature in the order of FEATURES, then one a leg.

    `without` are features that stay off throughout: those whose model is not there.
    """
    less = [f"-{name}" for name in without]
    chosen = {"full": ",".join(less)}
    for name, on in defaults.items():
        if name not in without:
            chosen[f"without {name}" if on else f"with {name}"] = ",".join([*less, f"-{name}" if on else f"+{name}"])
    chosen |= {f"only {leg}": leg for leg in LEGS if leg in defaults and leg not in without}
    return chosen


def text(results: Results, labels: Mapping[str, str]) -> str:
    """A table a set; a negative Δ of a `without` row is what the feature is worth."""
    return "\n\n".join(f"### {name}\n\n{against(results, name, list(labels))}" for name in sets(results))

"""Feedback over the live tree: the words of the first units, read from disk, become part of the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from iq.index import live, text
from iq.index.store import Store
from iq.index.tokens import terms
from iq.plan.legs.bm25 import frequencies
from iq.plan.rm3 import UNITS, expand
from iq.types import Hit


def expanded(store: Store, asked: Mapping[str, float], hits: Sequence[Hit]) -> dict[str, float]:
    """The question's terms with those of its first units, weights scaled so that the question's own stay near 1."""
    root = store.meta("root")
    read = []
    for hit in hits[:UNITS]:
        if (loaded := live.load(root, hit.path)) is not None:
            rows = text.lines(loaded.content)[hit.start - 1 : hit.end]
            read.append((Counter(terms("\n".join(rows)).split()), hit.score))
    known = frequencies(store, sorted({term for counts, _ in read for term in counts}))
    count = max(store.totals("chunk_terms")[0], 1)
    weights = expand(asked, read, lambda term: known.get(term, 0) / count)
    scale = 2 * len(asked)
    return {term: weight * scale for term, weight in weights.items()}

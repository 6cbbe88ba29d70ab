"""How do the lists of several legs become one?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iq.types import Candidate, Hit

RRF_K = 60  # Cormack et al.'s constant; flat between 20 and 100 on the development sets.


def rrf(legs: Mapping[str, Sequence[Hit]], k: int = RRF_K) -> list[Candidate]:
    """Reciprocal-rank fusion by file: score(d) = sum over legs of 1 / (k + rank of d), ranks from 1.

    Only ranks count, so legs need no common scale. A file's span is that of its hit in the first leg that has one. Best
    first; ties by path. (Cormack, Clarke & Büttcher, SIGIR 2009.)
    """
    ranks: dict[str, dict[str, int]] = {}
    best: dict[str, Hit] = {}
    for leg, hits in legs.items():
        seen = 0
        for hit in hits:
            mine = ranks.setdefault(hit.path, {})
            if leg not in mine:
                seen += 1
                mine[leg] = seen
                best.setdefault(hit.path, hit)
    fused = [
        Candidate(path, best[path].start, best[path].end, sum(1 / (k + rank) for rank in mine.values()), best[path].symbol, best[path].kind, mine)
        for path, mine in ranks.items()
    ]
    return sorted(fused, key=lambda c: (-c.score, c.path))

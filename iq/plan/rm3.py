"""Pseudo-relevance feedback: which words of the first answers does the question lack?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

# Units read for feedback, terms taken from them, and the share of the weight that the question keeps. Anserini's defaults.
UNITS = 10
TERMS = 10
ORIGINAL = 0.5

# A term that feedback may add has this many letters, and is in at most this share of the units: what is everywhere, or
# too long to be a word, says nothing about the question.
LETTERS = (2, 20)
COMMON = 0.10


def expand(
    terms: Mapping[str, float],
    feedback: Sequence[tuple[Mapping[str, int], float]],
    share: Callable[[str], float],
    added: int = TERMS,
    original: float = ORIGINAL,
) -> dict[str, float]:
    """RM3: original · question + (1 - original) · relevance model, each of total weight 1.

    `feedback` holds (term -> count, score) of the first units; `share` gives the part of all units that holds a term. Each
    unit is cut to its `added` most frequent terms and normalised, then weighs by its score. (Lavrenko & Croft, SIGIR 2001;
    Abdul-Jaleel et al., TREC 2004; the details as in Anserini.)
    """
    model: dict[str, float] = {}
    for counts, score in feedback:
        usable = {term: count for term, count in counts.items() if LETTERS[0] <= len(term) <= LETTERS[1] and term.isalnum() and share(term) <= COMMON}
        kept = sorted(usable.items(), key=lambda row: (-row[1], row[0]))[:added]
        total = sum(count for _, count in kept)
        for term, count in kept:
            model[term] = model.get(term, 0.0) + score * count / total
    best = sorted(model.items(), key=lambda row: (-row[1], row[0]))[:added]
    mass, asked = sum(weight for _, weight in best), sum(terms.values())
    weights = {term: original * weight / asked for term, weight in terms.items()} if asked else {}
    for term, weight in best:
        if mass > 0:
            weights[term] = weights.get(term, 0.0) + (1 - original) * weight / mass
    return weights

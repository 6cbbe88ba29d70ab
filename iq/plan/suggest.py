"""Which logged questions belong together, and what would an intent of them be called?"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from iq.index.tokens import STOP, query_terms, stem, words

# Questions that make a group, and the cosine of term weights to a group's mean that lets one join it.
SIZE = 3
ALIKE = 0.35

# Words that name a group, and questions that stand for it.
NAMING = 3
EXEMPLARS = 5


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    words: tuple[str, ...]
    queries: tuple[str, ...]


def groups(queries: Sequence[str], taken: Collection[str]) -> list[Group]:
    """Groups of at least SIZE different questions, the largest first; each question joins the nearest group so far."""
    different = list(dict.fromkeys(" ".join(query.split()) for query in queries))
    bags = [Counter(query_terms(query)) for query in different]
    often = Counter(term for bag in bags for term in bag)
    # What most questions share, a project's name, says nothing of a group; what a few share is what makes one.
    common = {term for term, count in often.items() if count > max(SIZE, len(bags) // 2)}
    vectors = [{term: 0.1 if term in common else 1.0 for term in bag} for bag in bags]
    found: list[list[int]] = []
    for at, vector in enumerate(vectors):
        near = [(_cosine(vector, _mean([vectors[other] for other in group])), -number) for number, group in enumerate(found)]
        best, number = max(near, default=(0.0, 0))
        if best >= ALIKE:
            found[-number].append(at)
        else:
            found.append([at])
    made: list[Group] = []
    for group in sorted((group for group in found if len(group) >= SIZE), key=lambda group: (-len(group), group[0])):
        telling = _telling([different[at] for at in group], _mean([vectors[at] for at in group]))
        name = _name(telling, {*taken, *(one.name for one in made)})
        if name:
            made.append(Group(name, telling, tuple(different[at] for at in group)))
    return made


def _mean(vectors: Sequence[dict[str, float]]) -> dict[str, float]:
    total: Counter[str] = Counter()
    for vector in vectors:
        total.update(vector)
    return {term: value / len(vectors) for term, value in total.items()}


def _cosine(left: dict[str, float], right: dict[str, float]) -> float:
    norm = math.sqrt(sum(v * v for v in left.values()) * sum(v * v for v in right.values()))
    return sum(value * right.get(term, 0.0) for term, value in left.items()) / norm if norm else 0.0


def _telling(queries: Sequence[str], mean: dict[str, float]) -> tuple[str, ...]:
    """The words of the group, as written most often, whose terms weigh most in it."""
    forms: dict[str, Counter[str]] = {}
    for query in queries:
        for word in words(query.lower()):
            if word not in STOP:
                forms.setdefault(stem(word), Counter())[word] += 1
    best = sorted((term for term in mean if term in forms), key=lambda term: (-mean[term], term))[:NAMING]
    return tuple(min(forms[term].items(), key=lambda row: (-row[1], row[0]))[0] for term in best)


def _name(telling: Sequence[str], taken: Collection[str]) -> str:
    """One word, else two, that make a name nobody has."""
    parts = [part for word in telling if (part := re.sub(r"[^a-z0-9]", "", word)) and part[0].isalpha()]
    for size in (1, 2, 3):
        name = "-".join(parts[:size])[:40]
        if name and name not in taken:
            return name
    return ""

"""What do a file's path and its definitions say about the question, beyond its text?

Additive terms on the normalised score of a file, and factors on the whole. Values were set together by coordinate ascent
over the semble, iq-bench and commitloc sets, checked with repositories held out, and rounded where the figure is flat.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import log

from iq.index import tokens
from iq.index.tokens import STOP, parts, stem, terms

# `pathrules`: the stem is the question's word or two or three of its neighbouring words joined; the stem, singular, begins
# one of its words (`args` for argument); share of the question's idf in the stem, and in the folders.
STEM_IS_WORD = 0.5
STEM_BEGINS_WORD = 0.1
STEM_SHARE = 0.2
FOLDER_SHARE = 0.1

# `defrules`: share of the question's idf in all top-level names of a file together. One best-fitting name instead of all
# of them lost .006 on semble and .03 on iq-bench.
NAMES_SHARE = 0.5
# A definition of an identifier as the question writes it; divided by the root of how many files have one.
EXACT_NAME = 0.3

# `defrules` inside a file: share of the question's idf in the name of a unit's own definition.
UNIT_NAME = 0.2

# `graph`: times ln(1 + files that import it). Set on the semble, iq-bench and commitloc sets: each gains, flat from .03 to .08.
IMPORTED = 0.05

# File names that say nothing: their folder speaks for them.
STANDS = frozenset({"mod", "index", "__init__", "lib", "main", "__main__", "package-info"})

# `classprior`, beside the factors on file classes: places that mirror or adapt what another place does.
PLACES: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile(r"(?:^|/)internals?/|(?:^|/)_[^/_][^/]*/"), 0.9),
    (re.compile(r"(?:^|/)(?:compat|_?compat\w*|legacy|deprecated|shims?|polyfills?|mocks?|locales?|i18n|translations)(?:/|\.\w+$)"), 0.8),
    (re.compile(r"(?:^|/)scripts?/"), 0.8),
    # Declarations beside their implementation: short, so they match well, and they say what but not how.
    (re.compile(r"\.(?:h|hh|hpp|hxx|pyi|mli|d\.[cm]?ts)$"), 0.8),
)


# `classprior` on units: a test inside a source file, and the lines around definitions (imports, constants).
TEST_UNIT = 0.5
UNNAMED_UNIT = 0.8
_TEST_MODULE = re.compile(r"(?:^|[.:])tests?(?:[.:]|$)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's words: `joined` are stems of one to three neighbours written as one, `weights` term -> idf."""

    words: tuple[str, ...]
    joined: frozenset[str]
    weights: Mapping[str, float]
    identifiers: tuple[str, ...]

    @property
    def total(self) -> float:
        return sum(self.weights.values()) or 1.0

    def telling(self, found: Iterable[str]) -> float:
        """How much the best of these terms says, 1 from the question's mean idf on: a project's own name says nothing."""
        mean = self.total / max(len(self.weights), 1)
        return min(1.0, max((self.weights.get(term, mean) for term in found), default=mean) / mean)

    def share(self, found: Collection[str]) -> float:
        """The share of the question's idf that these terms carry; summed in the question's order, so the same in every process."""
        return sum([weight for term, weight in self.weights.items() if term in found]) / self.total


def ask(text: str, weights: Mapping[str, float], identifiers: tuple[str, ...]) -> Asked:
    words = [word for word in tokens.words(text) if word.lower() not in STOP]
    flat = [part for word in words for part in (parts(word) or [word.lower()])]
    joined = {stem("".join(flat[at : at + size])) for size in (1, 2, 3) for at in range(len(flat) - size + 1)}
    joined |= {stem(word.replace("_", "").lower()) for word in words}
    return Asked(tuple(flat), frozenset(joined), weights, identifiers)


def path_term(path: str, asked: Asked) -> float:
    """What the path adds."""
    folder, _, name = path.rpartition("/")
    bare = name.partition(".")[0] if not name.startswith(".") else name[1:]
    if bare in STANDS and folder:
        folder, _, bare = folder.rpartition("/")
    whole = "".join(parts(bare))
    value = 0.0
    if whole and stem(whole) in asked.joined:
        value += STEM_IS_WORD * asked.telling(terms(bare).split())
    else:
        single = whole.removesuffix("s")
        if len(single) > 2 and any(word != single and word.startswith(single) for word in asked.words):
            value += STEM_BEGINS_WORD
    return value + STEM_SHARE * asked.share(terms(bare).split()) + FOLDER_SHARE * asked.share(terms(folder).split())


def names_term(names: Collection[str], asked: Asked) -> float:
    """What the terms of a file's top-level names add."""
    return NAMES_SHARE * asked.share(names)


def exact_term(path: str, asked: Asked, defining: Mapping[str, Collection[str]]) -> float:
    """What it adds that the file defines an identifier just as the question writes it; `defining` holds name -> such files."""
    return max((EXACT_NAME / len(files) ** 0.5 for name in asked.identifiers if path in (files := defining.get(name, ()))), default=0.0)


def unit_term(symbol: str, asked: Asked) -> float:
    """What it adds to a unit that the question speaks of its definition's name."""
    return UNIT_NAME * asked.share(terms(symbol.rpartition(".")[2]).split())


def imported_term(importers: int) -> float:
    """What it adds that others import a file: among equals, the one that the program is built on."""
    return IMPORTED * log(1 + importers)


def unit_factor(symbol: str, kind: str) -> float:
    """A factor below one for a unit that tests, or that belongs to no definition."""
    if tests(symbol, kind):
        return TEST_UNIT
    return 1.0 if symbol else UNNAMED_UNIT


def tests(symbol: str, kind: str) -> bool:
    """Whether a unit of source is a test, as where they stand in the file that they test."""
    return kind == "test" or bool(_TEST_MODULE.search(symbol))


def place_factor(path: str, asked: Asked) -> float:
    """A factor below one for places that mirror others, unless the question names them."""
    value = 1.0
    for rule, factor in PLACES:
        if (hit := rule.search(path)) and not asked.share(terms(hit.group()).split()):
            value *= factor
    return value

"""What in the syntax of a chunk speaks for an intent, given the words of the question? Values from 0 to 1."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from iq.index.tokens import terms

# The lines of a file now; empty where it is gone.
Rows = Callable[[str], list[str]]

# A line that raises, catches or reports: how a failure is written down in the languages that iq parses.
SIGNAL = re.compile(
    r"\b(?:raise|except|throws?|catch|rescue|panic!?|assert\w*|abort|fatal|reject|bail!?|unreachable!?|todo!?)\b"
    r"|\b(?:log(?:ger|ging)?|console|slog|tracing|warnings?)\s*[.:]+\s*\w+|\b(?:error|warn(?:ing)?|err)!?\s*\(|\b(?:errors|fmt)\.(?:New|Errorf|Wrap\w*)\b"
    r"|\b(?:Errorf|Fatalf?|Panicf?|Warnf?|perror|die|trigger_error|new\s+\w*(?:Error|Exception))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A chunk as evidence reads it: its file's class, the names defined in it, its qualified symbol and its lines now."""

    path: str
    file_class: str
    names: tuple[str, ...]
    symbol: str
    lines: tuple[str, ...]


def term_set(text: str) -> frozenset[str]:
    return frozenset(terms(text).split())


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared over all; 0 where both are empty."""
    both = left | right
    return len(left & right) / len(both) if both else 0.0


def definition(asked: frozenset[str], seen: Seen) -> float:
    """How nearly the question is the name of a definition here: the best Jaccard over source definitions."""
    if seen.file_class != "src":
        return 0.0
    return max((jaccard(asked, term_set(name)) for name in seen.names), default=0.0)


def tested(asked: frozenset[str], seen: Seen) -> float:
    """The share of the question's words in the name of one test."""
    if seen.file_class != "tests" or not asked:
        return 0.0
    return max((len(asked & term_set(name)) / len(asked) for name in (*seen.names, seen.symbol)), default=0.0)


def raised(asked: frozenset[str], seen: Seen) -> float:
    """1 where one line that raises, catches or reports holds every word, less what `definition` says: not where it is defined."""
    if seen.file_class != "src" or not asked:
        return 0.0
    told = any(SIGNAL.search(line) and asked <= term_set(line) for line in seen.lines)
    return float(told) - definition(asked, seen)


def headed(asked: frozenset[str], seen: Seen) -> float:
    """How nearly the question is a heading: Jaccard with the last heading above."""
    if seen.file_class not in ("docs", "config"):
        return 0.0
    return jaccard(asked, term_set(seen.symbol.rpartition(".")[2]))


def nothing(asked: frozenset[str], seen: Seen) -> float:
    return 0.0


Evidence = Callable[[frozenset[str], Seen], float]

EVIDENCE: Mapping[str, Evidence] = {"implement": definition, "test": tested, "debug": raised}


def reads_lines(name: str) -> bool:
    """Whether the evidence of an intent needs the lines of a chunk, which are read from the tree."""
    return name == "debug"


def of(name: str, asked: Iterable[str], seen: Seen) -> float:
    return EVIDENCE.get(name, nothing)(frozenset(asked), seen)

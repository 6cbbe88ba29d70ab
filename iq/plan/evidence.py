"""What in the syntax of a chunk speaks for an intent, given the words of the question? Values from 0 to 1."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from iq.index.tokens import STOP, parts, query_terms, stem, terms, words

# The lines of a file now; empty where it is gone.
Rows = Callable[[str], list[str]]

# A line that raises, catches or reports: how a failure is written down in the languages that iq parses.
SIGNAL = re.compile(
    r"\b(?:raise|except|throws?|catch|rescue|panic!?|assert\w*|abort|fatal|reject|bail!?|unreachable!?|todo!?)\b"
    r"|\b(?:log(?:ger|ging)?|console|slog|tracing|warnings?)\s*[.:]+\s*\w+|\b(?:error|warn(?:ing)?|err)!?\s*\(|\b(?:errors|fmt)\.(?:New|Errorf|Wrap\w*)\b"
    r"|\b(?:Errorf|Fatalf?|Panicf?|Warnf?|perror|die|trigger_error|new\s+\w*(?:Error|Exception))\b",
    re.IGNORECASE,
)


# Neighbouring words of a question that may be one identifier (words): `progress bar` is ProgressBar.
RUN = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of a question as evidence compares them: `words` are its telling terms, `spoken` all of them, `joined` its neighbours as one.

    `subject` holds the names, as terms, of the definition that the question is most likely about.
    """

    words: frozenset[str]
    spoken: frozenset[str]
    joined: tuple[str, ...]
    subject: frozenset[str] = frozenset()


def ask(text: str) -> Asked:
    """Stop words stay in `spoken` and `joined`: `as view` is as_view."""
    said = [part for word in words(text) for part in (parts(word) or [word.lower()])]
    runs = [said[at : at + size] for size in range(2, RUN + 1) for at in range(len(said) - size + 1)]
    joined = dict.fromkeys(stem("".join(run)) for run in runs if not STOP.issuperset(run))
    return Asked(frozenset(query_terms(text)), term_set(text), tuple(joined))


@dataclass(frozen=True, slots=True)
class Seen:
    """A chunk as evidence reads it: its file's class, the names defined in it, its qualified symbol and its lines now.

    `linked` says how surely it names the definition that the question is about, from 0 to 1.
    """

    path: str
    file_class: str
    names: tuple[str, ...]
    symbol: str
    lines: tuple[str, ...]
    linked: float = 0.0


def term_set(text: str) -> frozenset[str]:
    return frozenset(terms(text).split())


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared over all; 0 where both are empty."""
    both = left | right
    return len(left & right) / len(both) if both else 0.0


def definition(asked: Asked, seen: Seen) -> float:
    """How nearly the question is the name of a definition here: the best Jaccard over source definitions."""
    if seen.file_class != "src":
        return 0.0
    own = [term_set(name) for name in seen.names]
    return max((max(jaccard(asked.words, name), jaccard(asked.spoken, name)) for name in own), default=0.0)


def tested(asked: Asked, seen: Seen) -> float:
    """Half the share of the question's words in the name of one test, and whether it names the definition asked for."""
    if seen.file_class != "tests" or not asked.words:
        return 0.0
    return 0.5 * max(len(asked.words & term_set(name)) / len(asked.words) for name in (*seen.names, seen.symbol)) + seen.linked


def raised(asked: Asked, seen: Seen) -> float:
    """1 where one line that raises, catches or reports holds every word, or the definition that they are about.

    Less what `definition` says: a failure is not understood where its class is defined.
    """
    if seen.file_class != "src" or not asked.words:
        return 0.0
    signals = [term_set(line) for line in seen.lines if SIGNAL.search(line)]
    return float(any(asked.words <= line or asked.subject & line for line in signals)) - definition(asked, seen)


def named(classes: tuple[str, ...]) -> Callable[[Asked, Seen], float]:
    """Whether a place of these classes names the definition that the question is about."""
    return lambda asked, seen: seen.linked if seen.file_class in classes else 0.0


Evidence = Callable[[Asked, Seen], float]

EVIDENCE: Mapping[str, Evidence] = {
    "implement": definition,
    "test": tested,
    "understand": named(("docs", "examples")),
    "configure": named(("config",)),
    "debug": raised,
    "history": named(("history",)),
}


def reads_lines(name: str) -> bool:
    """Whether the evidence of an intent needs the lines of a chunk, which are read from the tree."""
    return name == "debug"


def of(name: str, asked: Asked, seen: Seen) -> float:
    return EVIDENCE[name](asked, seen) if name in EVIDENCE else 0.0

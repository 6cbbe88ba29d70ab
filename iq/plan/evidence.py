"""What in the syntax of a chunk speaks for an intent, given the words of the question? Values from 0 to 1."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from iq.index.globs import glob
from iq.index.tokens import STOP, parts, query_terms, stem, terms, words
from iq.types import Intent

# The lines of a file now; empty where it is gone.
Rows = Callable[[str], list[str]]

# A line that raises, catches or reports: how a failure is written down in the languages that iq parses.
SIGNAL = re.compile(
    r"\b(?:raise|except|throws?|catch|rescue|panic!?|assert\w*|abort|fatal|reject|bail!?|unreachable!?|todo!?)\b"
    r"|\b(?:log(?:ger|ging)?|console|slog|tracing|warnings?)\s*[.:]+\s*\w+|\b(?:error|warn(?:ing)?|err)!?\s*\(|\b(?:errors|fmt)\.(?:New|Errorf|Wrap\w*)\b"
    r"|\b(?:Errorf|Fatalf?|Panicf?|Warnf?|perror|die|trigger_error|new\s+\w*(?:Error|Exception))\b",
    re.IGNORECASE,
)


# What follows a name that is called, and a line that only brings names in.
_CALL = re.compile(r"\s*(?:::<[^>]*>)?[!]?\(|\s*\{")
_IMPORT = re.compile(r"\s*(?:import|from|use|require|include|#include|using|package)\b")

# A longer line is data: a pattern sees its start (characters).
LINE = 2000

# Neighbouring words of a question that may be one identifier (words): `progress bar` is ProgressBar.
RUN = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of a question as evidence compares them: `words` are its telling terms, `spoken` all of them, `joined` its neighbours as one.

    `names` are those of the definition that the question is most likely about, `subject` the same as terms.
    """

    words: frozenset[str]
    spoken: frozenset[str]
    joined: tuple[str, ...]
    subject: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()


def ask(text: str) -> Asked:
    """Stop words stay in `spoken` and `joined`: `as view` is as_view."""
    said = [part for word in words(text) for part in (parts(word) or [word.lower()])]
    runs = [said[at : at + size] for size in range(2, RUN + 1) for at in range(len(said) - size + 1)]
    joined = dict.fromkeys(stem("".join(run)) for run in runs if not STOP.issuperset(run))
    return Asked(frozenset(query_terms(text)), term_set(text), tuple(joined))


@dataclass(frozen=True, slots=True)
class Seen:
    """A chunk as evidence reads it: its file's class, the names defined in it, its qualified symbol and its lines now.

    `linked` is 1 where it names the definition that the question is about; `touch` says how near the change under review is.
    """

    path: str
    file_class: str
    names: tuple[str, ...]
    symbol: str
    lines: tuple[str, ...]
    linked: float = 0.0
    touch: float = 0.0


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


def called(asked: Asked, seen: Seen) -> float:
    """1 where the definition is called, half where it is only named in code, less where it is defined or imported."""
    if not seen.linked or set(asked.names) & set(seen.names):
        return 0.0
    rules = [re.compile(rf"(?<!\w){re.escape(name)}(?!\w)") for name in asked.names]
    found = 0.0
    for line in seen.lines:
        if _IMPORT.match(line):
            continue
        for rule in rules:
            for match in rule.finditer(line):
                found = max(found, 1.0 if _CALL.match(line, match.end()) else 0.5)
    # An example is written to be read: a call in one beats a call among many.
    return found if seen.file_class == "examples" or found < 1 else 0.9


def reviewed(asked: Asked, seen: Seen) -> float:
    """In the change, near it, or a test or caller that names what is changed; tests before callers."""
    reach = {"tests": 0.5, "src": 0.4}.get(seen.file_class, 0.0)
    return max(seen.touch, reach * seen.linked)


def authored(lens: Intent, seen: Seen) -> float:
    """The share that speaks for the chunk of what an authored intent has: its globs, and its patterns."""
    told = []
    if lens.globs:
        told.append(any(glob(pattern).fullmatch(seen.path) for pattern in lens.globs))
    if lens.patterns:
        told.append(any(re.search(pattern, line[:LINE]) for pattern in lens.patterns for line in seen.lines))
    return sum(told) / len(told) if told else 0.0


Evidence = Callable[[Asked, Seen], float]

EVIDENCE: Mapping[str, Evidence] = {
    "implement": definition,
    "test": tested,
    "understand": named(("docs", "examples")),
    "configure": named(("config",)),
    "debug": raised,
    "history": named(("history",)),
    "usage": called,
    "review": reviewed,
    "planning": named(("notes", "docs")),
}

# Intents whose evidence is about the definition that a question means, and those that look for the places that name it.
OF_A_SUBJECT = frozenset(EVIDENCE) - {"implement"}
LINKED = OF_A_SUBJECT - {"debug"}


def reads_lines(name: str, lens: Intent | None, seen: Seen) -> bool:
    """Whether the evidence of an intent needs the lines of a chunk, which are read from the tree."""
    if lens is not None:
        return bool(lens.patterns)
    if seen.file_class == "notes":
        return True
    return (name == "debug" and seen.file_class == "src") or (name == "usage" and bool(seen.linked))


def of(name: str, asked: Asked, seen: Seen) -> float:
    """Under the intent it was written for a note speaks for itself."""
    if seen.file_class == "notes" and f"intent: {name}" in seen.lines:
        return 1.0
    return EVIDENCE[name](asked, seen) if name in EVIDENCE else 0.0

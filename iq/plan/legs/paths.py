"""The path leg: files whose path matches, loosely or as a glob."""

from __future__ import annotations

from collections.abc import Iterable

from iq.index.scope import glob
from iq.index.tokens import query_terms, terms
from iq.types import Hit


def fuzzy(paths: Iterable[str], pattern: str) -> list[tuple[float, str]]:
    """(score, path) of paths that hold the letters of `pattern` in order, best first.

    A whole name scores above its start, above a run inside it, above a run in the folders, above scattered letters;
    shorter paths first within each.
    """
    wanted = pattern.lower().replace(" ", "").strip("/")
    found = []
    for path in paths:
        lower = path.lower()
        name = lower.rpartition("/")[2]
        stem = name.partition(".")[0] if not name.startswith(".") else name
        if wanted in (name, stem) or lower == wanted:
            score = 4.0
        elif name.startswith(wanted):
            score = 3.5
        elif lower.endswith("/" + wanted):
            score = 3.4
        elif wanted in name:
            score = 3.0
        elif wanted in lower:
            score = 2.0
        elif (spread := _spread(lower, wanted)) is not None:
            score = 1.0 - spread / (len(lower) + 1)
        else:
            continue
        found.append((score, path))
    return sorted(found, key=lambda row: (-row[0], len(row[1]), row[1]))


def _spread(text: str, letters: str) -> int | None:
    """How many letters lie between the first and the last of a subsequence, or None where it is none."""
    at = start = text.find(letters[0]) if letters else 0
    if at < 0:
        return None
    for letter in letters[1:]:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
    return at - start - len(letters) + 1


def exact(paths: Iterable[str], pattern: str) -> list[str]:
    """Paths that a gitignore-style glob matches."""
    rule = glob(pattern)
    return [path for path in paths if rule.fullmatch(path)]


def leg(paths: Iterable[str], text: str) -> list[Hit]:
    """Files whose path shares terms with the question: share of the path's name terms that the question holds."""
    asked = set(query_terms(text))
    hits = []
    for path in paths:
        name = path.rpartition("/")[2].partition(".")[0]
        own = set(terms(name).split())
        shared = own & asked
        if shared:
            hits.append(Hit(path, 0, 0, len(shared) / len(own)))
    return sorted(hits, key=lambda hit: (-hit.score, len(hit.path), hit.path))[:100]

"""The path leg: files whose path matches, loosely or as a glob."""

from __future__ import annotations

from collections.abc import Iterable

from iq.index.globs import glob
from iq.index.store import Store, from_db
from iq.index.tokens import query_terms, terms
from iq.plan.legs.bm25 import Inside
from iq.types import Hit

# Files that the path column proposes, and those that stay.
PROPOSED = 1000
LIMIT = 100


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


def leg(store: Store, text: str, inside: Inside) -> list[Hit]:
    """Files whose name shares terms with the question: share of the name's terms that the question holds."""
    asked = set(query_terms(text))
    if not asked:
        return []
    match = "path : (" + " OR ".join(f'"{term}"' for term in sorted(asked)) + ")"
    rows = store.db.execute(
        "SELECT f.path, f.class, f.language FROM file_terms JOIN files f ON f.id = file_terms.rowid WHERE file_terms MATCH ? ORDER BY rank LIMIT ?",
        (match, PROPOSED),
    )
    hits = []
    for raw, file_class, language in rows:
        path = from_db(raw)
        own = set(terms(path.rpartition("/")[2].partition(".")[0]).split())
        shared = own & asked
        if shared and inside(path, file_class, language):
            hits.append(Hit(path, 0, 0, len(shared) / len(own)))
    return sorted(hits, key=lambda hit: (-hit.score, len(hit.path), hit.path))[:LIMIT]

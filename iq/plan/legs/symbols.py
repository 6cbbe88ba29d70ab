"""The symbol leg: definitions named by the question, exactly or by all their parts."""

from __future__ import annotations

import re

from iq.index.store import Store
from iq.index.tokens import STOP, WORD
from iq.plan.legs.bm25 import Inside
from iq.types import Hit, Symbol

# A question's words are looked up one by one; more than this is a pasted page (words).
MAX_WORDS = 40


def leg(store: Store, text: str, inside: Inside) -> list[Hit]:
    """Definitions whose name is a word of the question, or two or three neighbouring words joined; rarer names first."""
    words = [word for word in WORD.findall(text) if word.lower() not in STOP][:MAX_WORDS]
    names = {word for word in words if len(word) > 2}
    for size in (2, 3):
        for at in range(len(words) - size + 1):
            run = words[at : at + size]
            names.update(("".join(run), "_".join(run)))
    if not names:
        return []
    found = [row for row in store.symbols_named(sorted(names)) if inside(row[0], row[1], row[2])]
    often: dict[str, int] = {}
    for row in found:
        often[row[3].name.lower()] = often.get(row[3].name.lower(), 0) + 1
    hits = [Hit(path, s.line, s.end, (1.0 if s.name in text else 0.7) / often[s.name.lower()], s.qualified, s.kind) for path, _, _, s in found]
    return sorted(hits, key=lambda hit: (-hit.score, hit.path, hit.start))


def lookup(store: Store, name: str, inside: Inside) -> list[tuple[str, Symbol]]:
    """Definitions that a written name means: `name`, `Class.method`, `ns::name`, `path::Name`; exact case before any case."""
    place, _, rest = name.rpartition("::")
    by_path = place if "/" in place or "." in place else ""
    parts = re.split(r"::|\.|#|->", rest if by_path else name)
    found = [
        (path, symbol)
        for path, file_class, language, symbol in store.symbols_named([parts[-1]])
        if inside(path, file_class, language) and _contained(symbol, parts[:-1]) and (not by_path or path == by_path or path.endswith("/" + by_path))
    ]
    exact = [row for row in found if row[1].name == parts[-1]]
    return exact or found


def _contained(symbol: Symbol, parents: list[str]) -> bool:
    """Whether the container ends in the parents, written with any separator."""
    if not parents:
        return True
    have = [part.lower() for part in re.split(r"::|\.|#|->|\\", symbol.container) if part]
    return have[-len(parents) :] == [part.lower() for part in parents]

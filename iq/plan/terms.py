"""Which words does a change speak of? Definitions it lies in, and identifiers on its lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from iq.types import Symbol

_WORD = re.compile(r"[^\W\d]\w{2,}")

# A definition that a changed line lies in says more than a word on the line.
DEFINED, SPOKEN = 3.0, 1.0

# Words of a change that are looked up; a rewritten file has thousands.
MOST = 200

# Words of the languages themselves: every test has them.
_KEYWORDS = """and any args array assert async await bool boolean break byte case catch char class const continue def default del delete dict elif else
    enum error except export extends false final finally float for from func function fun get global goto if impl implements import in instanceof int
    interface isinstance kwargs lambda len let list long match mod module mut new nil none None not null object or package pass private protected pub
    public raise range ref return self Self set static str string String struct super switch template this throw throws trait true True False try type
    typeof undefined union unsafe use using val var void where while with yield the that"""
_COMMON = frozenset(_KEYWORDS.split())


def changed_terms(changes: Mapping[str, tuple[Sequence[Symbol], Sequence[int], Sequence[str]]]) -> dict[str, float]:
    """Identifier -> weight of a change given as path -> (definitions of the file, changed lines by number, their text).

    Without lines the whole file counts as changed, so its exported definitions are the terms.
    """
    weights: dict[str, float] = {}

    def add(word: str, weight: float) -> None:
        if len(word) > 2 and word not in _COMMON:
            weights[word] = max(weights.get(word, 0.0), weight)

    for symbols, lines, texts in changes.values():
        for symbol in inside(symbols, lines) if lines else [symbol for symbol in symbols if symbol.exported and symbol.kind != "field"]:
            add(symbol.name, DEFINED)
        for text in texts:
            for word in _WORD.findall(text):
                add(word, SPOKEN)
    chosen = sorted(weights.items(), key=lambda row: (-row[1], row[0]))[:MOST]
    return dict(chosen)


def inside(symbols: Sequence[Symbol], lines: Sequence[int]) -> list[Symbol]:
    """The innermost definitions around each of the lines, and those that hold them, in source order."""
    wanted = sorted(set(lines))
    return [symbol for symbol in symbols if symbol.kind not in ("heading", "field") and any(symbol.line <= line <= symbol.end for line in wanted)]

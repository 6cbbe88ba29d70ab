"""Into which units is a file cut for retrieval?

A definition up to MAX characters is a chunk; a bigger one is cut into the definitions inside it, and what lies between
them by lines, at blank lines where possible. Leading comments and decorators belong to their definition. Small
neighbours merge, so that a run of constants is one unit.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from iq.types import Chunk, Symbol

# Upper bound of a chunk (characters): about 400 tokens, what an encoder of 256-512 tokens can still represent.
MAX = 1500

# Neighbours merge while their sum stays below this (characters): under it a chunk is mostly signature.
SMALL = 400

# A line longer than this is data or minified code; a chunk of it is cut by the reader, not here (characters).
MAX_LINE = 5000

# Definitions inside each other are told apart this far; nobody nests a twentieth, and each level is a call of Python's thousand.
DEEP = 100

# An item of a list at the margin.
_ENTRY = re.compile(r" ?(?:[-*+]|\d+[.)]) +\S")

# Kinds that have a body of their own; fields and constants stay with their neighbours.
_BLOCKS = frozenset({"function", "method", "class", "interface", "trait", "struct", "enum", "type", "module", "macro", "test", "route", "heading", "target"})


def chunk(rows: Sequence[str], symbols: Sequence[Symbol], entries: bool = False) -> list[Chunk]:
    """Cuts the lines of a file at its definitions; chunks cover every non-blank line once, in order.

    With `entries`, for changelogs, every item of a list is a chunk of its own: it is what somebody asks for.
    """
    if not rows:
        return []
    offsets = [0]
    for row in rows:
        offsets.append(offsets[-1] + min(len(row), MAX_LINE) + 1)
    blocks = [symbol for symbol in symbols if symbol.kind in _BLOCKS]
    spans = _cut(1, len(rows), blocks, "", "", rows, offsets)
    spans = _entries(spans, rows, offsets) if entries else _merge(spans, offsets)
    return _name(spans, rows, symbols)


# start, end, qualified symbol, kind
_Span = tuple[int, int, str, str]


def _cut(start: int, end: int, blocks: Sequence[Symbol], symbol: str, kind: str, rows: Sequence[str], offsets: Sequence[int], depth: int = 0) -> list[_Span]:
    """Spans of lines `start..end`, which belong to `symbol`; `blocks` are the definitions inside, in order."""
    spans: list[_Span] = []
    at = start
    index = 0
    while index < len(blocks):
        block = blocks[index]
        index += 1
        first, last = max(block.line, at), min(block.end, end)
        inner_from = index
        while index < len(blocks) and blocks[index].line <= block.end:
            index += 1
        if last < first:
            continue
        spans += _lines(at, first - 1, symbol, kind, rows, offsets)
        if offsets[last] - offsets[first - 1] <= MAX:
            spans.append((first, last, block.qualified, block.kind))
        else:
            inner = [b for b in blocks[inner_from:index] if b.line > block.line or b.end < block.end] if depth < DEEP else []
            spans += _cut(first, last, inner, block.qualified, block.kind, rows, offsets, depth + 1)
        at = last + 1
    return spans + _lines(at, end, symbol, kind, rows, offsets)


def _lines(start: int, end: int, symbol: str, kind: str, rows: Sequence[str], offsets: Sequence[int]) -> list[_Span]:
    """Cuts plain lines into spans of at most MAX characters and about the same size, at blank lines where there are some.

    Even pieces: a tail of two lines carries the name of its definition and matches like a whole one.
    """
    spans: list[_Span] = []
    while start <= end:
        low = offsets[start - 1]
        last = min(end, max(start, bisect_right(offsets, low + MAX) - 1))
        if last < end:
            size = offsets[end] - low
            even = low + size / -(-size // MAX)
            # The blank line nearest to an even cut, not so early that the rest needs a piece more than it must.
            blanks = (line for line in range(start, last + 1) if not rows[line - 1].strip() and offsets[line] - low > MAX // 2)
            last = min(blanks, key=lambda line: abs(offsets[line] - even), default=max(start, bisect_right(offsets, even, hi=last + 1) - 1))
        spans.append((start, last, symbol, kind))
        start = last + 1
    return spans


def _entries(spans: list[_Span], rows: Sequence[str], offsets: Sequence[int]) -> list[_Span]:
    """Cuts the spans of a changelog at the items of its lists; what stands before the first item, a heading, stays one."""
    whole: list[_Span] = []
    for start, end, symbol, kind in spans:  # a long section was cut by its length: put it together first
        if whole and whole[-1][2:] == (symbol, kind) and whole[-1][1] == start - 1 and kind == "heading":
            whole[-1] = (whole[-1][0], end, symbol, kind)
        else:
            whole.append((start, end, symbol, kind))
    pieces: list[_Span] = []
    for start, end, symbol, kind in whole:
        heads = [line for line in range(start, end + 1) if _ENTRY.match(rows[line - 1])]
        for first, after in zip([start, *heads], [*heads, end + 1], strict=True):
            if first < after:
                pieces += _lines(first, after - 1, symbol, kind, rows, offsets)
    return pieces


def _merge(spans: list[_Span], offsets: Sequence[int]) -> list[_Span]:
    """Joins small neighbours of one parent; a definition lends its name to the crumbs around it."""
    merged: list[_Span] = []
    for span in spans:
        if merged:
            start, _, symbol, kind = merged[-1]
            if offsets[span[1]] - offsets[start - 1] <= SMALL and _related(symbol, span[2]):
                merged[-1] = (start, span[1], symbol, kind) if len(symbol) >= len(span[2]) else (start, span[1], span[2], span[3])
                continue
        merged.append(span)
    return merged


def _related(left: str, right: str) -> bool:
    return left.rpartition(".")[0] == right.rpartition(".")[0] or not left or not right or right.startswith(left + ".") or left.startswith(right + ".")


def _name(spans: list[_Span], rows: Sequence[str], symbols: Sequence[Symbol]) -> list[Chunk]:
    """Drops blank spans, trims blank borders, and gives each chunk the names whose own line it holds."""
    by_line: dict[int, list[str]] = {}
    for symbol in symbols:
        by_line.setdefault(symbol.name_line, []).append(symbol.name)
    chunks = []
    for start, end, symbol_name, kind in spans:
        while start <= end and not rows[start - 1].strip():
            start += 1
        while end > start and not rows[end - 1].strip():
            end -= 1
        if start > end:
            continue
        names = tuple(dict.fromkeys(name for line in range(start, end + 1) for name in by_line.get(line, ())))
        chunks.append(Chunk(start, end, symbol_name, kind, names))
    return chunks

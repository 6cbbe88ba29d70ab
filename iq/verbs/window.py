"""Which part of a long answer can be shown? What lies before the cursor is skipped, what no budget can hold is left bare."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from iq.errors import UsageError
from iq.frozen import replace
from iq.index.text import decodable, safe
from iq.types import Item, Output

# No printed item takes less than this (tokens): a line number and a word.
LEAST = 4

# The printed line is at least this much of the text, at this many bytes a token (see render.budget, render.capsule).
WIDTH, BYTES = 240, 4


def after(items: Sequence[Item], output: Output) -> list[Item]:
    """The items behind the cursor; raises UsageError where the answer does not hold it."""
    if output.after is None:
        return list(items)
    odd = "\\" in output.after
    for at, item in enumerate(items):
        if item.anchor == output.after or (odd and output.after in (safe(item.anchor), decodable(item.anchor))):
            return list(items[at + 1 :])
    raise UsageError(f"--after '{output.after}' is not in this answer (the tree or the question changed); ask again without --after")


def dress(items: list[Item], output: Output, make: Callable[[Item], Item]) -> list[Item]:
    """Applies `make`, which may read files, to the items that can be shown; the others stay bare."""
    count = len(items)
    if not output.full:
        room = output.budget * BYTES
        for at, item in enumerate(items):
            room -= max(LEAST * BYTES, sum(min(len(line.text), WIDTH) for line in item.lines))
            if room < 0:
                count = at + 1
                break
    if output.limit is not None:
        count = min(count, output.limit)
    if output.files_only or output.count:
        count = 0
    return [make(item) for item in items[:count]] + items[count:]


def with_label(item: Item, label: str) -> Item:
    return replace(item, label=label)

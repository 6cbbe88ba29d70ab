"""Which part of a long answer can be shown? What lies before the cursor is skipped, what no budget can hold is left bare."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from iq.errors import UsageError
from iq.frozen import replace
from iq.index.text import decodable, safe
from iq.types import Item, Output

# No printed item takes less than this (tokens): a line number and a word.
LEAST = 4

# A printed line with its label and its share of a path takes about this (tokens).
USUAL = 24

# The printed line is at least this much of the text, at this many bytes a token (see render.budget, render.capsule).
WIDTH, BYTES = 240, 4

# Beside the texts themselves, a printed line takes this (bytes): its number and two ends; a label its brackets, a path its rule. No item prints fewer lines
# than these where it has them, unless the budget ends with it.
ROW, LABEL, TITLE, ROWS = 6, 9, 27, 24


def after(items: Sequence[Item], output: Output) -> list[Item]:
    """The items behind the cursor; raises UsageError where the answer does not hold it."""
    if output.after is None:
        return list(items)
    odd = "\\" in output.after
    for at, item in enumerate(items):
        if item.anchor == output.after or (odd and output.after in (safe(item.anchor), decodable(item.anchor))):
            return list(items[at + 1 :])
    raise UsageError(f"--after '{output.after}' is not in this answer (the tree or the question changed); ask again without --after")


def fitting(output: Output) -> int | None:
    """How many items can be shown at the most; None is any number."""
    if output.full or output.files_only:
        return None
    return 0 if output.count else min(output.limit or output.budget, output.budget // LEAST + 1)


def likely(output: Output) -> int | None:
    """How many items will be shown, if each prints one line of usual length."""
    most = fitting(output)
    return most if output.full else 0 if output.files_only else min(most or 0, output.budget // USUAL + 1)


def dress(items: list[Item], output: Output, make: Callable[[Item], Item]) -> list[Item]:
    """Applies `make`, which may read files, to the items that can be shown; the others stay bare."""
    if output.files_only or output.count:
        return items
    room = output.budget * BYTES
    path, made = "", []
    for item in items if output.limit is None else items[: output.limit]:
        made.append(make(item))
        room -= min(_least(made[-1], path), len(item.path)) if output.cited else _least(made[-1], path)
        path = item.path
        if room < 0 and not output.full:
            break
    return made + items[len(made) :]


def _least(item: Item, path: str) -> int:
    """What an item takes at the least where it is printed behind one of `path` (bytes), as text or JSON: whole tokens a line."""
    if not item.lines:
        return LEAST * BYTES
    sizes = [ROW + min(len(line.text), WIDTH) for line in item.lines[:ROWS]]
    if len(item.lines) == 1:
        sizes[0] += LABEL + len(item.label) if item.label else 0
    return sum(-(-size // BYTES) * BYTES for size in sizes) + (TITLE + len(item.path) if path != item.path and not item.rev else 0)


def with_label(item: Item, label: str) -> Item:
    return replace(item, label=label)

"""An answer for machines: one JSON object, or one line an item; keys as in types.py.

Besides them: `more`, the cursor that goes on, and `left`, how many items are not shown. The budget is hard here too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from iq.errors import UsageError
from iq.index.text import decodable
from iq.render.budget import tokens
from iq.render.capsule import Capsule
from iq.types import Answer, Item, Output

# The smallest object that says how much was found and what is left (tokens).
LEAST = 40

# What the object can do without where it would take more than half of the budget, the most dispensable first.
_SPARE = ("plan", "docs", "related", "query", "notes", "unit", "ranked", "kind", "hint", "verdict", "coverage")


def render(answer: Answer, output: Output) -> Capsule:
    """JSON within the budget: items are left out from the end. Raises UsageError where no object fits the budget."""
    budget = 1 << 40 if output.full else output.budget
    if budget < LEAST and output.form == "json":
        raise UsageError(f"--budget {budget} is too small for JSON; give at least {LEAST}, or ask for text")
    found = list({item.path: item for item in answer.items}.values()) if output.files_only else answer.items
    items = list(found if output.limit is None else found[: output.limit])
    beyond = answer.beyond + len(found) - len(items)
    if output.count:
        items, beyond = [], 0
    head = _head(answer, output, items, budget)
    rows: list[dict[str, object]] = []
    room = budget - _size(head)
    for item in items:
        row = _row(item, output)
        if not rows and not output.files_only:
            left = beyond + len(items) - 1
            rest: dict[str, object] = {"items": [], "more": decodable(item.anchor) if left else None, "left": left}
            row = _row(_shortened(item, room - _size(rest)), output)
        room -= _size(row)
        if room < 0:
            break
        rows.append(row)
    while True:
        left = beyond + len(items) - len(rows)
        text = _text(head, rows, items[len(rows) - 1].anchor if rows and left else None, left, output.form)
        if tokens(text) <= budget:
            return Capsule(text, tokens(text), len(rows))
        if not rows:
            return Capsule("", 0, 0)  # not even the line that says what is left
        rows.pop()


def _head(answer: Answer, output: Output, items: Sequence[Item], budget: int) -> dict[str, object]:
    if output.form == "ndjson":
        return {"total": answer.total} if output.count else {}
    head = {
        key: _clean(value) for key, value in asdict(answer).items() if key not in ("items", "beyond", "command") and (value or key not in ("intent", "hint"))
    }
    half = _spared(head, budget // 2)
    if not items:
        return half
    # Rather the first item than facts about the answer, where both do not fit.
    room = budget - _size(_row(items[0], output)) - _size({"more": items[0].anchor, "left": len(items)})
    less = _spared(head, room)
    return less if len(less) < len(half) and _size(less) <= room else half


def _spared(head: dict[str, object], room: int) -> dict[str, object]:
    kept = dict(head)
    for name in _SPARE:
        if _size(kept) <= room:
            break
        kept.pop(name, None)
    return kept


def _text(head: dict[str, object], rows: Sequence[object], more: str | None, left: int, form: str) -> str:
    tail: dict[str, object] = {"more": decodable(more) if more is not None else None, "left": left}
    if form == "json":
        return json.dumps({**head, "items": rows, **tail}, ensure_ascii=False) + "\n"
    lines = [*([head] if head else []), *rows, *([tail] if left else [])]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _size(row: object) -> int:
    return tokens(json.dumps(row, ensure_ascii=False) + ", ")


def _shortened(item: Item, room: int) -> Item:
    """An item with as many of its lines as fit, those nearest to its first hit: a first answer without any would be none."""
    lines = list(item.lines)
    hit = next((at for at, line in enumerate(lines) if line.hit), 0)
    while lines and _size(_row(replace(item, lines=tuple(lines)), Output())) > room:
        # The end that is farther from the hit goes first; long bodies go by halves of what is too much.
        cut = max(1, len(lines) // 8)
        if len(lines) - 1 - hit >= hit:
            del lines[-cut:]
        else:
            del lines[:cut]
            hit -= cut
    return replace(item, lines=tuple(lines))


def _row(item: Item, output: Output) -> dict[str, object]:
    if output.files_only:
        return {"path": decodable(item.path)}
    return {key: _clean(value) for key, value in (*_facts(item).items(), ("anchor", item.anchor))}


def _facts(item: Item) -> dict[str, object]:
    """The item's keys; those that only answers from history fill would cost each of the others ten tokens."""
    return {key: value for key, value in asdict(item).items() if value or key not in ("commit", "rev", "key")}


def _clean(value: object) -> object:
    """Surrogates cannot be written as UTF-8; they show as \\xNN, as in text."""
    if isinstance(value, str):
        return decodable(value)
    if isinstance(value, (list, tuple)):
        return [_clean(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _clean(entry) for key, entry in value.items()}
    return value

"""An answer for machines: one JSON object, or one line an item; keys as in types.py."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

from iq.render.budget import tokens
from iq.render.capsule import Capsule, safe
from iq.types import Answer, Item, Output


def render(answer: Answer, output: Output) -> Capsule:
    """JSON within the budget: items are left out from the end, and `more` names the cursor that goes on."""
    items = list(answer.items if output.limit is None else answer.items[: output.limit])
    if output.count:
        items = []
    head = asdict(answer)
    del head["items"], head["command"]
    room = (1 << 40 if output.full else output.budget) - tokens(json.dumps(head)) - 32
    kept: list[dict[str, object]] = []
    for item in items:
        row = _row(item, output)
        if not kept and not output.files_only:
            row = _row(_shortened(item, room), output)
        room -= tokens(json.dumps(row, ensure_ascii=False)) + 1
        if room < 0:
            break
        kept.append(row)
    more = items[len(kept) - 1].anchor if kept and len(kept) < len(answer.items) else None
    if output.form == "ndjson":
        rows = [*kept, *([{"more": more}] if more else [])]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        text = json.dumps({**head, "items": kept, "more": more}, ensure_ascii=False) + "\n"
    return Capsule(text, tokens(text), len(kept))


def _shortened(item: Item, room: int) -> Item:
    """An item with as many of its lines as fit, those nearest to its first hit: a first answer without any would be none."""
    lines = list(item.lines)
    hit = next((at for at, line in enumerate(lines) if line.hit), 0)
    while lines and tokens(json.dumps(_clean(asdict(replace(item, lines=tuple(lines)))), ensure_ascii=False)) + len(item.anchor) > room:
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
        return {"path": safe(item.path)}
    row = asdict(item)
    row["anchor"] = item.anchor
    return {key: _clean(value) for key, value in row.items()}


def _clean(value: object) -> object:
    """Surrogates cannot be written as UTF-8; they show as \\xNN, as in text."""
    if isinstance(value, str):
        return value if value.isascii() else safe(value)
    if isinstance(value, (list, tuple)):
        return [_clean(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _clean(entry) for key, entry in value.items()}
    return value

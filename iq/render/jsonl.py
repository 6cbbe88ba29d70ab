"""An answer for machines: one JSON object, or one line an item; keys as in types.py."""

from __future__ import annotations

import json
from dataclasses import asdict

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

"""Colour for a terminal: what is an anchor, what is a note, what is code."""

from __future__ import annotations

_BOLD, _DIM, _GREEN, _CYAN, _YELLOW, _END = "\033[1m", "\033[2m", "\033[32m", "\033[36m", "\033[33m", "\033[0m"
_STARTS = (("iq", _BOLD), ("answer:", _GREEN), ("candidates:", _CYAN), ("note:", _YELLOW), ("more:", _DIM), ("────", _CYAN))


def colour(text: str) -> str:
    """Capsule text with ANSI colours by the kind of each line."""
    rows = []
    for row in text.split("\n"):
        style = next((code for start, code in _STARTS if row.startswith(start)), "")
        rows.append(f"{style}{row}{_END}" if style else row)
    return "\n".join(rows)

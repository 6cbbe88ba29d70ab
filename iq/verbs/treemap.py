"""A page of its own that draws files as a zoomable tree map: size is complexity, colour is churn.

One file, no network: its policy forbids any request. Names go into it as JSON in which nothing can end the script, and from there
only as text, so a file may be called what it likes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# How a page of iq begins; only such a file is written over.
MARK = "<!doctype html><!-- made by iq -->"

_TEMPLATE = Path(__file__).with_suffix(".html")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One file: its area, its heat, and what is said of it."""

    path: str
    size: int
    heat: int
    told: str


def page(title: str, leaves: Sequence[Leaf]) -> str:
    data = {"title": _clean(title), "files": [[_clean(leaf.path), leaf.size, leaf.heat, _clean(leaf.told)] for leaf in leaves]}
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    head, _, tail = _TEMPLATE.read_text("utf-8").partition("DATA")
    return head + text + tail


def _clean(text: str) -> str:
    """Bytes of names that are no UTF-8 show as \\xNN, and so do control and direction characters, which could mislead."""
    return "".join(
        f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else f"\\u{ord(c):04x}" if not c.isprintable() and c != " " else c for c in text
    )

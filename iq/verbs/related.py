"""What stands beside the first place of an answer: who calls it, what it calls, which test covers it."""

from __future__ import annotations

import os

from iq.index import edges
from iq.index.neighbours import neighbours
from iq.index.session import Session
from iq.types import Answer, Item, Symbol

# Where more files than this have to be linked first, a question does not wait for it (files): .1 s a thousand.
AT_ONCE = 2000


def related(session: Session, answer: Answer) -> tuple[str, ...]:
    """The `related:` line for the first item that is a definition; empty where nothing is known or it would cost too much."""
    store, _ = session.level()
    first = answer.items[0] if answer.items else None
    if first is None or not first.start or (store.meta("edges") != "1" and store.count("files") > AT_ONCE):
        return ()
    symbol = _defined(store.symbols_of(first.path), first)
    if symbol is None:
        return ()
    edges.ensure(store, session.root, os.path.join(session.workspace.local, "lock"))
    text = str(neighbours(store, session.root, first.path, symbol))
    return (f"related: {text}",) if text else ()


def _defined(symbols: list[Symbol], item: Item) -> Symbol | None:
    """The definition an item shows: the innermost around its start, or the first that lies in it."""
    kept = [symbol for symbol in symbols if symbol.kind not in ("field", "variable", "heading", "module", "target")]
    around = [symbol for symbol in kept if symbol.line <= item.start <= symbol.end]
    if around:
        return max(around, key=lambda symbol: (symbol.line, -symbol.end))
    return next((symbol for symbol in kept if item.start <= symbol.line <= item.end), None)

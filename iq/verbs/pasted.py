"""A pasted artefact as a question: the places it names, then what its words rank."""

from __future__ import annotations

from iq.index.session import Session
from iq.plan.artefacts.resolve import Found, resolve
from iq.types import Item, Line, Place, Query, Scope, Symbol

# A definition up to this many lines is shown whole, a longer one by its head and the lines around what the paste names:
# the first place may take more of the budget than the others.
FIRST, OTHERS = 40, 16

# Lines around a place outside of any definition.
LOOSE = 9


def places(session: Session, query: Query, scope: Scope) -> tuple[list[Item], tuple[str, ...], str]:
    """The named places as answers, likeliest cause first, one a definition; notes on what became of the frames; the verdict."""
    found = resolve(session, query.anchors, scope)
    grouped: dict[tuple[str, int], list[Place]] = {}
    around: dict[tuple[str, int], Symbol | None] = {}
    for place in found.places:
        symbol = session.enclosing(place.path, place.lines[0]) if place.lines[0] else None
        key = (place.path, symbol.line if symbol else -place.lines[0])
        around[key] = symbol
        if key in grouped and symbol is not None and place.lines == (symbol.name_line,):
            continue  # a summary names the test whose failing line is known already
        grouped.setdefault(key, []).append(place)
    items = [_item(session, entries, around[key], FIRST if at == 0 else OTHERS) for at, (key, entries) in enumerate(grouped.items())]
    return items, _notes(query, found), _verdict(found)


def _verdict(found: Found) -> str:
    """By what was checked in the live tree. The gates of a question are not asked: they were calibrated on questions, not on what programs print."""
    if not found.places:
        return "unjudged"
    return "confident" if found.verified and not found.moved else "ambiguous"


def _item(session: Session, entries: list[Place], symbol: Symbol | None, most: int) -> Item:
    first = entries[0]
    line = first.lines[0]
    why = ", ".join(dict.fromkeys(entry.why for entry in entries if entry.why))
    if not line:
        return Item(first.path, 0, 0, "", why)
    rows = session.rows(first.path)
    hits = {number for entry in entries for number in entry.lines if 0 < number <= len(rows)}
    shown = _window(line, hits, symbol, len(rows), most if symbol is not None else LOOSE + len(hits) - 1)
    label = f"{symbol.qualified} ({symbol.kind}) {symbol.line}-{symbol.end}" if symbol else ""
    lines = tuple(Line(number, rows[number - 1], number in hits) for number in shown)
    return Item(first.path, line, max(first.lines) if len(first.lines) > 1 else line, label, why, lines)


def _window(line: int, hits: set[int], symbol: Symbol | None, count: int, most: int) -> list[int]:
    """The lines to print: the whole definition where it is short, else its head, and around each hit as much as `most` allows."""
    if symbol is not None and symbol.end - symbol.line < most:
        return list(range(symbol.line, min(symbol.end, count) + 1))
    low, high = (symbol.line, symbol.end) if symbol is not None else (1, count)
    kept = {symbol.name_line} if symbol is not None else set()
    ordered = [line, *sorted(hits - {line})]
    for reach in range(most):
        for hit in ordered:
            # More before than behind: what led to the line says more than what would have followed.
            for number in (hit - reach, hit + reach // 2):
                if len(kept) < most and low <= number <= min(high, count):
                    kept.add(number)
    return sorted(kept)


def _notes(query: Query, found: Found) -> tuple[str, ...]:
    notes = []
    if query.title == "place":
        return () if found.places else (f"no file of the workspace is '{query.text.rpartition(':')[0]}', so it was read as prose",)
    if found.frames:
        noun = "hunk" if query.anchors[0].kind == "hunk" else "place"
        here = found.verified + found.moved
        parts = [f"{found.frames} {noun}{'s' * (found.frames != 1)} named", f"{found.verified} verified", f"{found.moved} moved" if found.moved else "",
                 f"{found.outside} outside the workspace" if found.outside else ""]  # fmt: skip
        notes.append(" · ".join(part for part in parts if part) if here else f"{parts[0]}, none of them in the workspace")
    if not found.places:
        lost = "the code stands" if query.title == "code" else "its message stands" if any(frame.kind == "text" for frame in query.anchors) else ""
        notes.append(f"{lost} nowhere in the workspace, so the words of the paste were ranked" if lost else "the words of the paste were ranked")
    return tuple(notes)

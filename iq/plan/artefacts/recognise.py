"""Is this question a pasted artefact, and which places does it name?"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from iq.index.tokens import identifiers
from iq.plan.artefacts import beam, dotnet, failures, hunks, logs, native, snippets, traces
from iq.plan.artefacts.paste import Sighting, caret, frame, rows_of, unescaped, unprefixed
from iq.types import Frame, Query

# Places that are looked up of one paste; an endless recursion names the same ones again and again.
FRAMES = 200

# In more rows of words than this an exception's message is one thing among many.
FEW_ROWS = 60

# The prose that is left is ranked up to here (characters): a question of this length holds every word that matters.
PROSE = 3000

# Function names that join the prose: those of the places nearest to the cause.
FUNCTIONS = 5

# Each reader, and the texts without one of which it has nothing to read: a megabyte of rows is not looked at a dozen times.
_READERS: tuple[tuple[Callable[[Sequence[str]], Sighting], tuple[str, ...]], ...] = (
    (traces.python, ("File ", '", line ')),
    (traces.jvm, ("at ",)),
    (traces.javascript, ("at ", "@", "❯", "^")),
    (traces.go, (".go:", ".s:")),
    (traces.rust, (".rs:",)),
    (traces.others, (".rb:", ".php")),
    (dotnet.dotnet, ("   at ",)),
    (beam.beam, (".ex", ".erl")),
    (native.crashes, ("#", "==", "0x", "Assertion")),
    (native.linkers, ("ymbol", "reference", "efinition")),
    (failures.pytest, (".py",)),
    (failures.golang, ("--- FAIL",)),
    (failures.cargo, (" stdout ----", "... FAILED")),
    (failures.junit, ("[ERROR]", "[FAIL]", " at ")),
    (failures.scripts, ("FAIL", "●", "❌", "×", "✗", "location: '")),
    (failures.compilers, (":", "(", " line ")),
)
_TESTS = (failures.pytest, failures.golang, failures.cargo, failures.junit, failures.scripts)

# `src/app.py:12`, `app.py:12:5`, `app.py#L12`, `app.py:12-40`.
_PLACE = re.compile(r"^((?:[A-Za-z]:[\\/])?[\w.@~+\-/\\\[\]]{1,1000}\.[A-Za-z]\w{0,9})(?::|#L|\()(\d{1,7})(?:[:,-]L?\d{1,7}|\))?(?:\))?:?$")
_NOISE = re.compile(r"^[\W_]*$|^(?:exit status \d+|Some errors have detailed|For more information about this error|error: aborting due to)")


def recognise(text: str) -> Query | None:
    """The paste as a query of kind artefact, or None where the text is a question in words."""
    rows = rows_of(text)
    while rows and not rows[0].strip():
        rows = rows[1:]
    if not rows:
        return None
    if len(text) < 1200 and (match := _PLACE.match(text.strip())) is not None:
        return Query("artefact", text.strip(), (), (frame(match[1], match[2]),), "place")
    # What carried the rows here stands before each of them, or has folded them into a string.
    carried, rows = rows, unescaped(unprefixed(rows))
    seen = _read(rows)
    if not seen.frames:
        rows = carried
        seen = _said(rows)
    if not seen.frames:
        return None
    frames = tuple(dict.fromkeys(seen.frames))[:FRAMES]
    if seen.message and not any(entry.kind in ("text", "code", "hunk") for entry in frames) and (message := logs.spoken(seen.message)) is not None:
        frames = (*frames, message)
    title = f"{seen.name}: {seen.message}" if seen.message else seen.name
    prose = _prose(rows, seen, frames)
    return Query("artefact", prose, tuple(identifiers(prose)), frames, title[:200])


def _read(rows: list[str]) -> Sighting:
    """What all readers saw together; each sees only the rows that none before it used."""
    found = hunks.hunks(rows)
    if found.frames:
        return found
    whole = Sighting()
    left = list(rows)
    text = "\n".join(rows)
    for reader, marks in _READERS:
        if not any(mark in text for mark in marks):
            continue
        seen = reader(left)
        if not seen.frames:
            continue
        # A test that failed says more than the trace it printed.
        whole.name = seen.name if reader in _TESTS else whole.name or seen.name
        whole.message = whole.message or seen.message
        whole.frames += seen.frames
        whole.words += seen.words
        whole.used |= seen.used
        for at in seen.used:
            left[at] = ""
    return whole


def _said(rows: list[str]) -> Sighting:
    """Log lines, code, or words with a message among them, in rows that name no place."""
    for found in (logs.logs(rows), snippets.snippet(rows)):
        if found.frames:
            return found
    # Words with the message of an exception on a row of its own.
    if len(rows) <= FEW_ROWS and (message := logs.bare_error(rows)) and (spoken := logs.spoken(message)) is not None:
        return Sighting("message", [spoken], message=message)
    return Sighting()


def _prose(rows: Sequence[str], seen: Sighting, frames: Sequence[Frame]) -> str:
    """What went wrong, the functions it went through, then the rows that no reader used."""
    functions = [entry.function for entry in frames if entry.function and not entry.away][:FUNCTIONS]
    rest = [row.strip() for at, row in enumerate(rows) if at not in seen.used and row.strip() and not _NOISE.match(row) and not caret(row)]
    if seen.name == "code":
        rest = []
    parts: dict[str, None] = {}
    size = 0
    for part in (seen.message, *functions, *seen.words, *rest):
        if part and part not in parts and size < PROSE:
            parts[part] = None
            size += len(part) + 1
    return "\n".join(parts)[:PROSE]

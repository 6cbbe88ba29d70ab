"""Diff hunks, with their headers or without."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iq.plan.artefacts.paste import Sighting, written
from iq.types import Frame

_HUNK = re.compile(r"^@@+ -(\d{1,7})(?:,\d{1,7})?(?: -\d{1,7}(?:,\d{1,7})?)* \+(\d{1,7})(?:,\d{1,7})? @@+(?: (.*))?$")
_HEADER = ("diff --git ", "index ", "new file mode", "deleted file mode", "similarity index", "rename from ", "rename to ", "old mode", "new mode", "copy ",
           "\\ No newline", "Binary files ")  # fmt: skip


def hunks(rows: Sequence[str]) -> Sighting:
    """Each hunk as a frame: its path, its old line, the lines of its old side (context and removed) and of its new one."""
    seen = Sighting("diff")
    path = ""
    at = 0
    while at < len(rows):
        row = rows[at]
        if row.startswith("diff --git "):
            path = ""
        if row.startswith(("--- ", "+++ ")) and _file_header(rows, at):
            name = row[4:].partition("\t")[0].strip()
            # The new name counts, but a deleted file keeps its old one.
            if name != "/dev/null":
                path = _plain(name)
            seen.used.add(at)
        elif row.startswith(_HEADER) and (path or seen.used or row.startswith("diff ")):
            seen.used.add(at)
        elif (match := _HUNK.match(row)) is not None:
            end = _end(rows, at + 1)
            _add(seen, path, int(match[1]), match[3] or "", rows[at + 1 : end])
            seen.used.update(range(at, end))
            at = end
            continue
        at += 1
    if not seen.frames and _bare(rows):
        _add(seen, "", 0, "", rows)
        seen.used.update(range(len(rows)))
    return seen if seen.frames else Sighting()


def _file_header(rows: Sequence[str], at: int) -> bool:
    if rows[at].startswith("--- "):
        return at + 1 < len(rows) and rows[at + 1].startswith("+++ ")
    return at > 0 and rows[at - 1].startswith("--- ")


def _plain(name: str) -> str:
    name = name.strip('"')
    return written(name[2:] if name[:2] in ("a/", "b/", "i/", "w/", "c/", "o/") else name)[0]


def _end(rows: Sequence[str], at: int) -> int:
    """Where a hunk's rows end. A paste may have lost the space before an empty context line."""
    while at < len(rows) and (rows[at][:1] in ("+", "-", " ", "\\", "") or not rows[at]):
        if rows[at].startswith("--- ") and at + 1 < len(rows) and rows[at + 1].startswith("+++ "):
            break
        at += 1
    return at


def _add(seen: Sighting, path: str, line: int, heading: str, rows: Sequence[str]) -> None:
    old = tuple(row[1:] for row in rows if row[:1] in (" ", "-", ""))
    new = tuple(row[1:] for row in rows if row[:1] in (" ", "+", ""))
    if any(row.strip() for row in (*old, *new)):
        seen.frames.append(Frame(path, line, heading, old, new, "hunk"))
        seen.words += [heading, *(row[1:].strip() for row in rows if row[:1] in ("+", "-"))]


def _bare(rows: Sequence[str]) -> bool:
    """Whether the rows are the body of a hunk alone: every one marked, something removed and something added, and no list."""
    filled = [row for row in rows if row.strip()]
    marks = [row[0] for row in filled]
    if len(filled) < 3 or not {"+", "-"} <= set(marks) or not set(marks) <= {"+", "-", " ", "\t"}:
        return False
    # The two sides of a change share words; the pros and cons of something do not, and their bullets have a space behind.
    return sum(row[1:2] == " " and row[2:3].strip() != "" for row in filled if row[0] in "+-") < len([m for m in marks if m in "+-"]) or _alike(filled)


def _alike(rows: Sequence[str]) -> bool:
    sides = [{word for row in rows if row[0] == mark for word in re.findall(r"\w+", row)} for mark in "+-"]
    return len(sides[0] & sides[1]) * 2 >= min(len(sides[0]), len(sides[1]))

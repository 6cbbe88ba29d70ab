"""Which lines has this reader seen before? Seen lines are cited, not printed again, so that the budget pays for new ones."""

from __future__ import annotations

import json
import os
import re
from hashlib import blake2b

from iq.errors import UsageError
from iq.frozen import replace
from iq.index.text import safe
from iq.types import Answer, Item

# A session remembers this many lines, the latest; a folder this many sessions. Older ones are shown anew.
LINES = 20_000
SESSIONS = 50

_NAME = re.compile(r"[\w.-]{1,64}")
_HEADING = re.compile(r"──── (.*) ────")
_ROW = re.compile(r" *(\d+)[:> -]? ")

BEFORE = "shown before"


class Seen:
    """The lines one reader was shown: (path, line) -> digest of the text."""

    def __init__(self, lines: dict[str, str] | None = None) -> None:
        self.lines = dict(lines or {})

    def withhold(self, answer: Answer) -> Answer:
        """The answer without the lines that were shown and still read the same."""
        return replace(answer, items=tuple(self._less(item) for item in answer.items)) if self.lines else answer

    def _less(self, item: Item) -> Item:
        if not item.lines or item.rev:
            return item
        new = tuple(line for line in item.lines if self.lines.get(_key(item.path, line.number)) != _digest(line.text))
        if len(new) == len(item.lines):
            return item
        old = len(item.lines) - len(new)
        said = BEFORE if not new else f"{old} lines {BEFORE}"
        return replace(item, lines=new, why=" · ".join(part for part in (item.why, said) if part))

    def note(self, answer: Answer, text: str, form: str) -> None:
        """Remembers the lines of an answer that its printed text shows."""
        shown = _printed(text) if form == "text" else _in_json(text)
        for item in answer.items:
            if item.rev:
                continue
            for line in item.lines:
                if _key(safe(item.path), line.number) in shown:
                    self.lines.pop(_key(item.path, line.number), None)
                    self.lines[_key(item.path, line.number)] = _digest(line.text)
        while len(self.lines) > LINES:
            del self.lines[next(iter(self.lines))]


def load(local: str, name: str) -> Seen:
    """What a named session has seen; nothing where it is new or its file is spoiled. Raises UsageError for a name that is none."""
    try:
        with open(_file(local, name), encoding="utf-8") as file:
            found = json.load(file)
        return Seen({str(key): str(value) for key, value in found.items()})
    except (OSError, ValueError, AttributeError):
        return Seen()


def save(local: str, name: str, seen: Seen) -> None:
    """Keeps a session for the next call; where that cannot be, lines will be shown again."""
    path = _file(local, name)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
            json.dump(seen.lines, file)
        os.replace(f"{path}.{os.getpid()}", path)
        kept = sorted(os.scandir(os.path.dirname(path)), key=lambda entry: entry.stat().st_mtime)
        for entry in kept[:-SESSIONS]:
            os.unlink(entry.path)
    except OSError:
        return


def _file(local: str, name: str) -> str:
    if not _NAME.fullmatch(name) or name.startswith("."):
        raise UsageError(f"session '{name[:80]}' is no name; use letters, digits, dots and dashes, at most 64")
    return os.path.join(local, "sessions", name + ".json")


def _key(path: str, line: int) -> str:
    return f"{path}:{line}"


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def _printed(text: str) -> set[str]:
    """path:line of the lines of code in a capsule."""
    found, path = set(), ""
    for row in re.sub("\x1b\\[[0-9]*m", "", text).split("\n"):
        if heading := _HEADING.fullmatch(row):
            path = heading[1]
        elif path and (line := _ROW.match(row)):
            found.add(f"{path}:{line[1]}")
    return found


def _in_json(text: str) -> set[str]:
    found = set()
    for row in text.strip().split("\n") if text else ():
        whole = json.loads(row)
        for item in whole.get("items", [whole]):
            found |= {f"{item['path']}:{line['number']}" for line in item.get("lines", ())}
    return found

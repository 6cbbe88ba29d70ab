"""`iq note`: what was decided, found out or ruled, kept as a text file beside the code that it is about."""

from __future__ import annotations

import os
import re
from hashlib import blake2b

from iq.errors import UsageError
from iq.index.live import locate
from iq.index.session import Session
from iq.index.tokens import STOP, words
from iq.types import Answer, Coverage, Item, Request
from iq.verbs import intents

FOLDER = ".iq/notes"

# Words of a note that name its file.
NAME_WORDS = 6

# A longer note is a document and has a better place (characters).
LONGEST = 4000

_PLACE = re.compile(r"^(?P<path>.+?)(?::(?P<lines>\d+(?:-\d+)?))?$")


def run(session: Session, request: Request) -> Answer:
    """Writes one note as `.iq/notes/NAME.md`. Raises UsageError where it has no text or its place is not there."""
    text = request.text.strip()
    if len(text) > LONGEST:
        raise UsageError(f"the note has {len(text)} characters; at most {LONGEST}: write a document and note where it is")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise UsageError("the note is not UTF-8; write it in that encoding")
    intent = intents.resolve(session, str(request.options.get("intent") or "planning"))
    at = str(request.options.get("at") or "")
    if at:
        match = _PLACE.match(at)
        assert match is not None
        path, (first, _, last) = locate(session.root, session.cwd, match["path"]), (match["lines"] or "").partition("-")
        rows = len(session.rows(path))
        if first and not 1 <= int(first) <= int(last or first) <= rows:
            raise UsageError(f"--at '{at}': '{path}' has lines 1-{rows}; {match['lines']} is no range of them")
        at = path + (f":{match['lines']}" if match["lines"] else "")
    body = "\n".join([f"# {_title(text)}", "", f"intent: {intent}", *([f"at: {at}"] if at else []), "", text, ""])
    path = f"{FOLDER}/{_name(text, intent, at)}.md"
    full = os.path.join(session.root, path)
    try:
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full + ".new", "w", encoding="utf-8") as file:
            file.write(body)
        os.replace(full + ".new", full)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}; make the folder writable") from error
    note = f"noted for {intent}; it is a file like any other: edit it, version it, delete it"
    return Answer("note", text, "intents", (Item(path, 0, 0),), 1, 1, Coverage(), (note,), unit="files")


def _title(text: str) -> str:
    """The first line of a note, cut at a word."""
    line = text.split("\n", 1)[0].lstrip("# ")
    return line if len(line) <= 80 else line[:80].rpartition(" ")[0] + " …"


def _name(text: str, intent: str, at: str) -> str:
    """A readable name, and a digest so that two notes never meet; the same note is the same file."""
    kept = [word.lower() for word in words(text) if word.lower() not in STOP and word.isascii()][:NAME_WORDS]
    digest = blake2b(f"{intent}\n{at}\n{text}".encode(), digest_size=3).hexdigest()
    return "-".join([*(word[:24] for word in kept), digest])

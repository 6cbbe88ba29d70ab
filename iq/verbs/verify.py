"""`iq verify FILE|-`: does what a written answer cites exist, where it says? Paths, anchors and names, against the live tree."""

from __future__ import annotations

import os
import re

from iq.errors import FlooredError, ScopeError, UsageError
from iq.frozen import dataclass
from iq.index.grep import Pattern, search
from iq.index.languages import detect
from iq.index.live import locate
from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.text import MAX_BYTES, decode
from iq.types import Answer, Coverage, Item, Request

# `path:12`, `path:12-30`, `path#L12`, `path`: a path has a folder or an extension of letters, and stands by itself.
_ANCHOR = re.compile(
    r"(?<![\w/.:@~$%-])(?P<path>(?:\.{0,2}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,9}|(?:[\w.@+-]+/)+[\w.@+-]+)"
    r"(?:(?::|#L|, lines? )(?P<start>\d+)(?:[-–](?:L)?(?P<end>\d+))?)?(?![\w/])"
)
_CODE = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"(?:(?P<path>[\w./+-]+)::)?(?P<name>[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)*)(?P<call>\(\))?")
_URL = re.compile(r"\w+://\S+|\b[\w.+-]+@[\w-]+\.\w+")
_FENCE = re.compile(r"^\s*(```|~~~)")

# Files that no language of the index claims.
_SUFFIXES = frozenset({"txt", "cfg", "ini", "lock", "log", "csv", "svg", "png", "env", "in", "xml", "gradle", "properties"})

# A cited name stands on its cited lines or this close to them; else it has moved (lines).
NEAR = 3

# Names that are looked for in the text of the workspace at most: each takes a run of ripgrep.
NAMES = 200


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation: the row of the answer it stands in, as written, and what it says."""

    row: int
    text: str
    path: str = ""
    start: int = 0
    end: int = 0
    name: str = ""


def run(session: Session, request: Request) -> Answer:
    """The citations that do not hold; none is success. Raises UsageError where there is nothing to read."""
    source, text = _text(session, request)
    found = citations(text)
    checked = {(c.text, c.name): c for c in found}
    wrong: list[tuple[Cited, str]] = []
    names = _Names(session)
    for row in sorted({c.row for c in checked.values()}):
        mine = [c for c in checked.values() if c.row == row]
        places = [c for c in mine if c.path]
        for c in mine:
            why = _place(session, c, [n.name for n in mine if n.name]) if c.path else names.missing(c, places)
            if why:
                wrong.append((c, why))
    items = tuple(Item(c.text, 0, 0, f"{source}:{c.row}: {c.text}", why, key=str(at)) for at, (c, why) in enumerate(wrong))
    count = f"{len(checked)} citations checked" if checked else "no path, anchor or name in backticks is cited"
    notes = (f"{count}, {len(wrong)} do not hold" if wrong else f"{count}, all hold" if checked else count,)
    return Answer("verify", source, "citations", items, 0 if wrong else max(1, len(checked)), 0, Coverage(), notes, unit="")


def citations(text: str) -> list[Cited]:
    """What a text cites, in order; fenced code is what it quotes, not what it cites."""
    found = []
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced:
            continue
        row = _URL.sub(" ", line)
        for match in _ANCHOR.finditer(row):
            if match["start"] or "/" in match["path"] or (_code(row, match.start()) and _file_like(match["path"])):
                start = (int(match["start"]) or -1) if match["start"] else 0
                found.append(Cited(number, match[0], match["path"], start, int(match["end"] or start)))
        for code in _CODE.finditer(row):
            inner = code[1].strip()
            name = _NAME.fullmatch(inner)
            if name and not (_ANCHOR.fullmatch(inner) and ("/" in inner or ":" in inner or _file_like(inner))):
                found.append(Cited(number, inner, name=name["name"]))
    return found


def _code(row: str, at: int) -> bool:
    """Whether a place in a row stands in backticks: `setup.py` is a path, e.g. is not."""
    return row[:at].count("`") % 2 == 1


def _file_like(word: str) -> bool:
    """Whether a dotted word is a file's name rather than a qualified one: `setup.py`, not `Command.invoke`."""
    return bool(detect(word, b"")) or word.rpartition(".")[2].lower() in _SUFFIXES


def _text(session: Session, request: Request) -> tuple[str, str]:
    """Where the answer comes from, and its text."""
    if request.words[0] == "-" and len(request.words) == 2:
        return "stdin", request.words[1]
    path = os.path.join(session.cwd, request.text)
    try:
        with open(path, "rb") as file:
            loaded = decode(file.read(MAX_BYTES))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"'{request.text}' cannot be read: {why}; give a file with a written answer, or - for stdin") from error
    if loaded is None:
        raise UsageError(f"'{request.text}' is no text; give a file with a written answer, or - for stdin")
    return request.text, loaded.content


def _place(session: Session, cited: Cited, names: list[str]) -> str:
    """Why a path or anchor does not hold; empty where it does."""
    try:
        path = locate(session.root, session.cwd, cited.path)
    except FlooredError:
        return "never surfaces"
    except ScopeError:
        if os.path.isdir(os.path.join(session.root, cited.path)) or os.path.isdir(os.path.join(session.cwd, cited.path)):
            return "" if not cited.start else "is a folder"
        return "no such file"
    if not cited.start:
        return ""
    rows = session.rows(path)
    if not 1 <= cited.start <= cited.end or cited.end > len(rows):
        return f"the file has lines 1-{len(rows)}"
    last = [re.split(r"\W+", name)[-1] for name in names]
    near = "\n".join(rows[max(0, cited.start - 1 - NEAR) : cited.end + NEAR])
    inside = session.enclosing(path, cited.start)
    around = inside.qualified.split(".") if inside is not None else []
    if any(name in around or re.search(rf"\b{re.escape(name)}\b", near) for name in last):
        return ""  # a row may name more than stands at this place, but not only that
    for whole, name in zip(names, last, strict=True):
        moved = next((symbol for symbol in session.outline(path) if symbol.name == name), None)
        if moved is not None:
            return f"moved: {whole} is at {path}:{moved.line}" + (f"-{moved.end}" if moved.end > moved.line else "")
    return ""


class _Names:
    """Which names exist: defined in the index, or words of the live text."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.known: dict[str, bool] = {}

    def missing(self, cited: Cited, places: list[Cited]) -> str:
        parts = [part for part in re.split(r"\W+", cited.name) if part]
        gone = [part for part in parts if not self._exists(part)]
        return f"'{gone[0]}' stands nowhere in the workspace" if gone else ""

    def _exists(self, name: str) -> bool:
        if name not in self.known:
            store, _ = self.session.level()
            if any(symbol.name == name for _, _, _, symbol in store.symbols_named((name,))):
                self.known[name] = True
            elif len(self.known) < NAMES:
                from iq.types import Scope

                scope = Scope()
                pattern = Pattern(name, literal=True, word=True, case="sensitive")
                self.known[name] = bool(
                    search(self.session.root, pattern, matcher(scope), False, self.session.workspace.tracked, (), self.session.rules(False)).matches
                )
            else:
                return True  # not looked for
        return self.known[name]

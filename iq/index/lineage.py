"""The life of one definition or one file, newest change first, through renames and moves.

A definition is followed by its qualified name. Where a commit changes lines of it, the version before is parsed: the definition is
there under its name, or under another one in much the same words (renamed), or it went from another file in the same commit
(moved); else it was added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from hashlib import blake2b

from iq.index.commits import Touch, touches
from iq.index.languages import detect
from iq.index.patches import Hunk, hunks, versions
from iq.index.repository import Repository
from iq.index.store import Store
from iq.index.symbols import extract
from iq.index.text import decode, lines
from iq.types import Commit, Symbol

# Share of lines that two definitions have in common to be one that was renamed; git's own measure for files.
ALIKE = 0.5

# A definition that came without a predecessor may have moved from a file of the same commit; more files than this are not parsed.
MOVED_AMONG = 40


@dataclass(frozen=True, slots=True)
class Step:
    """One change of it: what happened, where it stands after the commit, and its hunks."""

    commit: Commit
    what: str
    path: str
    start: int
    end: int
    hunks: tuple[Hunk, ...]


def of_file(store: Store, path: str, since: int | None = None) -> Iterator[Touch]:
    """The commits of a file back through its renames."""
    rows = list(touches(store, since, [path]))
    seen: set[str] = {path}
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        yield row
        if row.old and row.path == path and row.old not in seen:
            path = row.old
            seen.add(path)
            # What another file did under the old name afterwards is not of this one.
            rows = list(touches(store, since, [path], until=row.commit.time))
            rows = [other for other in rows if other.commit.sha != row.commit.sha]
            at = 0


def of_definition(repository: Repository, store: Store, path: str, symbol: Symbol, since: int | None = None) -> Iterator[Step]:
    """The commits that changed a definition, back to the one that added it."""
    name, kind = symbol.qualified, symbol.kind
    places: dict[bytes, Symbol | None] = {}
    rows = list(touches(store, since, [path]))
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        if row.added is None:
            continue
        before, then = versions(repository, row.commit.sha, row.path, row.old)
        if then is None or (mine := _placed(places, row.path, then, name, kind)) is None:
            continue
        between = hunks(before or b"", then)
        mine_only = tuple(hunk for hunk in between if _meets(hunk, mine))
        place = row.old or row.path
        if before is not None and not any(_near(hunk, mine) for hunk in between) and between:
            # Untouched: where it was follows from the hunks, which spares a parse.
            moved = sum(len(hunk.added) - len(hunk.removed) for hunk in between if hunk.new_start < mine.line)
            was: Symbol | None = replace(mine, line=mine.line - moved, end=mine.end - moved, name_line=mine.name_line - moved)
            places[_key(before)] = was
        else:
            was = None if before is None else _placed(places, place, before, name, kind)
        if was is None:
            what, place, was = _origin(repository, store, row, before, then, mine, name)
            yield Step(row.commit, what, row.path, mine.line, mine.end, () if what.startswith("moved") and not what.endswith("changed") else mine_only)
            if was is None:
                continue
            name, kind = was.qualified, was.kind
            places.clear()
        elif mine_only and _body(then, mine) != _body(before or b"", was):
            yield Step(row.commit, "changed", row.path, mine.line, mine.end, mine_only)
        elif row.old:
            yield Step(row.commit, f"its file was renamed from {row.old}", row.path, mine.line, mine.end, ())
        if place != path:
            path = place
            places.clear()
            rows = [other for other in touches(store, since, [path], until=row.commit.time) if other.commit.sha != row.commit.sha]
            at = 0


def _key(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def _placed(places: dict[bytes, Symbol | None], path: str, data: bytes, name: str, kind: str) -> Symbol | None:
    """Where the definition is in a version; each version is parsed once."""
    key = _key(data)
    if key not in places:
        places[key] = _find(path, data, name, kind)
    return places[key]


def _find(path: str, data: bytes | None, name: str, kind: str) -> Symbol | None:
    found = [symbol for symbol in _symbols(path, data, name.rpartition(".")[2].encode()) if symbol.qualified == name]
    return next((symbol for symbol in found if symbol.kind == kind), found[0] if found else None)


def _symbols(path: str, data: bytes | None, word: bytes = b"") -> Sequence[Symbol]:
    if data is None or word not in data or (text := decode(data)) is None:
        return ()
    return extract(detect(path, text.source[:4096]), text.source).symbols


def _body(data: bytes, symbol: Symbol) -> list[str]:
    text = decode(data)
    return lines(text.content)[symbol.line - 1 : symbol.end] if text else []


def _meets(hunk: Hunk, symbol: Symbol) -> bool:
    if not hunk.added:
        return symbol.line <= hunk.new_start <= symbol.end
    return hunk.new_start <= symbol.end and hunk.new_start + len(hunk.added) - 1 >= symbol.line


def _near(hunk: Hunk, symbol: Symbol) -> bool:
    """Whether a hunk touches the definition or the lines next to it, which may be its comment."""
    return hunk.new_start <= symbol.end + 1 and hunk.new_start + max(len(hunk.added), 1) - 1 >= symbol.line - 1


def _origin(repository: Repository, store: Store, row: Touch, before: bytes | None, then: bytes, mine: Symbol, name: str) -> tuple[str, str, Symbol | None]:
    """What happened to a definition that the version before does not hold, the file it was in, and what it was there."""
    place = row.old or row.path
    body = _body(then, mine)
    stayed = {symbol.qualified for symbol in _symbols(row.path, then)}
    best, most = None, ALIKE
    for other in _symbols(place, before):
        if other.kind == mine.kind and other.qualified not in stayed:
            alike = SequenceMatcher(None, _body(before or b"", other), body, autojunk=False).ratio()
            if alike >= most:
                best, most = other, alike
    if best is not None:
        return f"renamed from {best.qualified}", place, best
    others = [touch for touch in touches(store, row.commit.time - 1, until=row.commit.time) if touch.commit.sha == row.commit.sha and touch.path != row.path]
    for touch in others[:MOVED_AMONG]:
        old, new = versions(repository, row.commit.sha, touch.path, touch.old)
        source = _find(touch.old or touch.path, old, name, mine.kind)
        if source is None:
            tail = [symbol for symbol in _symbols(touch.old or touch.path, old, mine.name.encode()) if symbol.name == mine.name and symbol.kind == mine.kind]
            source = tail[0] if len(tail) == 1 else None
        if source is not None and _find(touch.path, new, source.qualified, source.kind) is None:
            same = _body(old or b"", source) == body
            return f"moved from {touch.old or touch.path}" + ("" if same else ", and changed"), touch.old or touch.path, source
    return "added", place, None

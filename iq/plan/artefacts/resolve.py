"""Where in the live tree are the places that an artefact names?

A path written on another machine is found by its longest ending that a file of the workspace has. An ending of one name, or a
path in a library, proves nothing alone: the function has to be defined there, or a quoted source line to stand there. A line
that no longer fits is looked for by its quoted source, then by its function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from iq.index.classes import classify
from iq.index.session import Session
from iq.plan.artefacts import lines
from iq.types import Candidate, Frame, Place, Query, Ranking, Scope, Symbol

# Scripts are run from what they are compiled to: `dist/app.js` stands for `src/app.ts`.
_COMPILED = {"js": ("ts", "tsx", "jsx", "mts"), "mjs": ("mts", "ts", "tsx"), "cjs": ("cts", "ts"), "jsx": ("tsx",)}

# Parts of a library's path that prove by themselves that it is this one: `axum/src/routing/mod.rs`, not `json/decoder.py`.
TELLING = 3

# Files that share an ending are told apart by what they hold; beyond this many the ending says nothing.
ALIKE = 40


@dataclass(frozen=True, slots=True)
class Found:
    """Places in the order of their frames, each once, and how many frames were looked for, and lay elsewhere."""

    places: tuple[Place, ...]
    frames: int
    verified: int
    moved: int
    outside: int


def resolve(session: Session, frames: Sequence[Frame], scope: Scope) -> Found:
    """The places that the frames name inside the scope. Messages and bare code are looked for only where no frame was found."""
    from iq.index.scope import matcher

    inside = matcher(scope)
    _, level = session.level()
    tree = _Tree(session, [path for path in level.tree.paths if inside(path, None, None)])
    places: dict[tuple[str, tuple[int, ...]], Place] = {}
    verified = moved = outside = count = 0
    for frame in frames:
        if frame.kind in ("text", "code"):
            continue
        count += 1
        place = _hunk(session, tree, frame, scope) if frame.kind == "hunk" else _place(tree, frame)
        if place is None:
            outside += 1
            continue
        verified += place.state == "verified"
        moved += place.state != "verified"
        places.setdefault((place.path, place.lines), place)
    if not places:
        for frame in frames:
            if frame.kind == "text":
                for place in lines.spoken(session, frame.quoted, scope):
                    places.setdefault((place.path, place.lines), place)
            elif frame.kind == "code":
                for place in lines.code(session, frame.quoted, scope):
                    places.setdefault((place.path, place.lines), place)
    return Found(tuple(places.values()), count, verified, moved, outside)


def pin(session: Session, query: Query, scope: Scope, ranking: Ranking) -> Ranking:
    """A ranking with the places that a paste names in front."""
    places = resolve(session, query.anchors, scope).places
    top = max((candidate.score for candidate in ranking.files), default=0.0)
    named = []
    for at, place in enumerate(places):
        symbol = session.enclosing(place.path, place.lines[0]) if place.lines[0] else None
        start, end = (symbol.line, symbol.end) if symbol is not None else (place.lines[0], max(place.lines))
        name, kind = (symbol.qualified, symbol.kind) if symbol is not None else ("", "")
        # Above the rest, and in their own order.
        named.append(Candidate(place.path, start, end, top + len(places) - at, name, kind, {"artefact": at + 1}))
    first: dict[str, Candidate] = {}
    for candidate in named:
        first.setdefault(candidate.path, candidate)
    spans = {(candidate.path, candidate.start, candidate.end): candidate for candidate in reversed(named)}
    files = (*first.values(), *(candidate for candidate in ranking.files if candidate.path not in first))
    chunks = (*reversed(spans.values()), *(candidate for candidate in ranking.chunks if (candidate.path, candidate.start, candidate.end) not in spans))
    return replace(ranking, files=files, chunks=chunks)


class _Tree:
    """The files of the workspace by name, their rows and definitions as they are now."""

    def __init__(self, session: Session, paths: Sequence[str]) -> None:
        self.session = session
        self.paths = frozenset(paths)
        self.by_name: dict[str, list[str]] = {}
        for path in paths:
            self.by_name.setdefault(path.rpartition("/")[2], []).append(path)
        self._rows: dict[str, list[str]] = {}

    def rows(self, path: str) -> list[str]:
        if path not in self._rows:
            self._rows[path] = self.session.rows(path)
        return self._rows[path]

    def defined(self, path: str, function: str) -> list[Symbol]:
        """Definitions of a file that a frame's function name means; those whose container fits come alone where there are any."""
        parts = [part for part in function.replace("::", ".").replace("#", ".").split(".") if part and part != "<locals>"]
        if not parts:
            return []
        named = [s for s in self.session.outline(path) if s.name.rpartition(".")[2].lstrip("#") == parts[-1]]
        if len(parts) > 1 and (owned := [s for s in named if s.container.rpartition(".")[2].partition("<")[0] == parts[-2]]):
            return owned
        return named

    def ending(self, path: str) -> tuple[list[str], int]:
        """The files that share the longest ending with a path, and how many parts that has."""
        parts = [part for part in path.split("/") if part]
        if not parts:
            return [], 0
        named = self.by_name.get(parts[-1], [])
        best, size = list(named), 1
        for length in range(2, len(parts) + 1):
            tail = "/".join(parts[-length:])
            longer = [file for file in best if file == tail or file.endswith("/" + tail)]
            if not longer:
                break
            best, size = longer, length
        return best, size

    def compiled(self, path: str) -> list[str]:
        """Sources whose name a built script may come from."""
        stem, _, ending = path.rpartition("/")[2].rpartition(".")
        files = [file for other in _COMPILED.get(ending, ()) for file in self.by_name.get(f"{stem}.{other}", ())]
        if len(files) <= ALIKE:
            return files
        # Of sixty `index.ts` those below the same folders.
        most = max(_shared(path, file) for file in files)
        return [file for file in files if most and _shared(path, file) == most]


def _place(tree: _Tree, frame: Frame) -> Place | None:
    if not frame.path:
        return None if frame.away or not frame.function else _called(tree, frame) if frame.kind == "call" else _by_name(tree, frame)
    root = tree.session.root.replace("\\", "/").rstrip("/") + "/"
    inside = frame.path.removeprefix(root)
    said = bool(frame.function or (frame.quoted and frame.kind != "test"))
    files, size = tree.ending(inside)
    if inside in tree.paths and not frame.away:
        # A tool that ran in a folder below prints paths from there, which may be those of other files from the root.
        others = [file for file in files if file != inside][:ALIKE]
        if not said or not others or _fits(tree, frame, inside) >= 2 or max(_fits(tree, frame, file) for file in others) < 2:
            return _line(tree, frame, inside, "")
    whole = size == len([part for part in frame.path.split("/") if part])
    built = False
    # Another script of that name is none of it where a source lies below the same folders.
    if size < 2 and not whole and (sources := tree.compiled(frame.path)) and (not files or any(_shared(frame.path, file) for file in sources)):
        files, size, built = sources, 1, True
    if not files or len(files) > ALIKE:
        return None
    if frame.away and not whole and not built:
        return None
    # A bare name is all that some tools print; then it is not an ending but the whole.
    proof = built or (frame.away and size < TELLING) or (size == 1 and not whole)
    scored = sorted(
        ((_fits(tree, frame, file), file) for file in files),
        key=lambda pair: (-pair[0], -_shared(frame.path, pair[1]), classify(pair[1]) != "src", pair[1].count("/"), pair[1]),
    )
    best, file = scored[0]
    # A name alone that does not hold what the frame says of it is another file of that name.
    if best < 2 and (proof or (size == 1 and said)):
        return None
    if built:
        # Its lines mean nothing here.
        named = tree.defined(file, frame.function)
        return Place(file, (named[0].name_line,), "moved", f"{frame.path.rpartition('/')[2]} is built from it, found by its definition") if named else None
    note = f"one of {len(files)} files of that ending" if len(scored) > 1 and scored[1][0] == best else ""
    place = _line(tree, frame, file, note)
    return replace(place, state="moved", why=_join("the line is that of an installed copy", note)) if frame.away and best < 2 else place


def _fits(tree: _Tree, frame: Frame, path: str) -> int:
    """How far a file is the one a frame means: its quoted line stands there (4) or elsewhere (3), its function is defined (2) around the line (+1)."""
    rows = tree.rows(path)
    score = 0
    if frame.quoted and frame.kind != "test":
        at = lines.nearest(rows, frame.quoted[0], frame.line)
        score = 0 if not at else 4 if at == frame.line else 3
    if frame.function and (named := tree.defined(path, frame.function)):
        score += 2 + any(s.line <= frame.line <= s.end for s in named)
    if 0 < frame.line <= len(rows) and not score:
        score = 1
    return score


def _shared(path: str, file: str) -> int:
    """How many of their innermost folders two paths have in common: `dist/router/smart/router.js` is built below `router/smart`."""
    pairs = zip(reversed(path.split("/")[:-1]), reversed(file.split("/")[:-1]), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _line(tree: _Tree, frame: Frame, path: str, note: str) -> Place:
    """The line a frame means in the file it was found in."""
    rows = tree.rows(path)
    named = tree.defined(path, frame.function) if frame.function else []
    around = next((s for s in named if s.line <= frame.line <= s.end), None)
    if frame.kind == "test":
        at = next((number for number, row in enumerate(rows, 1) if frame.quoted and frame.quoted[0] in row), 0)
        return Place(path, (at,), "verified", note)
    if not frame.line:
        return Place(path, (named[0].name_line if named else 0,), "verified", note)
    if frame.quoted:
        at = lines.nearest(rows, frame.quoted[0], frame.line, around or (named[0] if named else None))
        if at == frame.line:
            return Place(path, (at,), "verified", note)
        if at:
            return Place(path, (at,), "moved", _join(f"moved from line {frame.line}, found by its source", note))
        if named:
            return Place(path, (named[0].name_line,), "moved", _join(f"line {frame.line} reads differently now; {named[0].qualified} is where it was", note))
        if frame.line <= len(rows):
            return Place(path, (frame.line,), "moved", _join("the line reads differently now", note))
    elif frame.line <= len(rows) and (around is not None or not named):
        return Place(path, (frame.line,), "verified", note)
    elif named:
        return Place(path, (named[0].name_line,), "moved", _join(f"moved from line {frame.line}, found by its definition", note))
    return Place(path, (0,), "moved", _join(f"line {frame.line} is past its end ({len(rows)} lines)", note))


def _join(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _by_name(tree: _Tree, frame: Frame) -> Place | None:
    """A function without a file, as test summaries print it: the one definition of that name, tests before others."""
    from iq.plan.legs.symbols import lookup

    store, _ = tree.session.level()
    inside: Callable[[str, str | None, str | None], bool] = lambda path, file_class, language: path in tree.paths  # noqa: E731
    found = [(path, symbol) for path, symbol in lookup(store, frame.function, inside)]
    if not found and "." in frame.function:
        found = lookup(store, frame.function.rpartition(".")[2], inside)
    found.sort(key=lambda row: (not row[1].line <= frame.line <= row[1].end, classify(row[0]) != "tests", row[0], row[1].line))
    if not found or len(found) > ALIKE:
        return None
    path, symbol = found[0]
    note = f"one of {len(found)} of that name" if len(found) > 1 and not symbol.line <= frame.line <= symbol.end else ""
    if symbol.line <= frame.line <= symbol.end:
        return Place(path, (frame.line,), "verified")
    return Place(path, (symbol.name_line,), "moved" if frame.line else "verified", _join(f"moved from line {frame.line}" if frame.line else "", note))


def _called(tree: _Tree, frame: Frame) -> Place | None:
    """A function that a program calls, by its name with its type: bodies before declarations, of overloads the one with those parameters."""
    from iq.plan.legs.symbols import lookup

    store, _ = tree.session.level()
    found = lookup(store, frame.function, lambda path, file_class, language: path in tree.paths)
    if not found or len(found) > ALIKE:
        return None
    asked = set(re.findall(r"\w+", " ".join(frame.quoted)))

    def key(row: tuple[str, Symbol]) -> tuple[bool, bool, int]:
        path, symbol = row
        said = re.findall(r"\w+", symbol.signature.rpartition("(")[2])
        return classify(path) == "tests", symbol.end == symbol.name_line, len(asked ^ set(said)) if asked else 0

    found.sort(key=lambda row: (key(row), row[0], row[1].line))
    path, symbol = found[0]
    alike = sum(key(row) == key(found[0]) for row in found)
    return Place(path, (symbol.name_line,), "verified", f"one of {alike} of that name" if alike > 1 else "")


def _hunk(session: Session, tree: _Tree, frame: Frame, scope: Scope) -> Place | None:
    """A hunk by its old side, or by its new one where it was applied; without a path, by its most telling lines."""
    files = [frame.path] if frame.path in tree.paths else tree.ending(frame.path)[0][:ALIKE] if frame.path else []
    candidates = [(path, tree.rows(path)) for path in files]
    if not candidates:
        # The file may have been renamed, or the paste has lost its header.
        candidates = lines.holding(session, [*frame.quoted, *frame.added], scope)
    best: tuple[tuple[int, int, int], Place] | None = None
    for path, rows in candidates:
        sides = [(lines.align(rows, side, frame.line), applied) for applied, side in enumerate((frame.quoted, frame.added)) if side]
        for hits, applied in sides:
            if not hits:
                continue
            wanted = sum(bool(lines.flat(row)) for row in (frame.added if applied else frame.quoted))
            why = _hunk_why(frame, hits, applied, wanted, sides)
            state = "verified" if not frame.line or not why.startswith("moved") else "moved"
            rank = (len(hits) * 1000 // max(1, wanted), -applied, -abs(hits[0] - frame.line))
            if best is None or rank > best[0]:
                best = (rank, Place(path, tuple(_changed(rows, hits, frame, applied)), state, why))
    if best is None or best[0][0] < 300:
        path = files[0] if len(files) == 1 else ""
        return Place(path, (0,), "moved", "no line of the hunk is there now") if path else None
    return best[1]


def _sides(frame: Frame) -> list[tuple[str, ...]]:
    return [side for side in (frame.quoted, frame.added) if side]


def _hunk_why(frame: Frame, hits: list[int], applied: int, wanted: int, sides: Sequence[tuple[list[int], int]]) -> str:
    # Where both sides stand in full, as after a line that was only doubled, nobody can tell.
    both = len(sides) == 2 and all(len(found) == sum(bool(lines.flat(row)) for row in side) for (found, _), side in zip(sides, _sides(frame), strict=True))
    parts = []
    if frame.line and not applied and hits[0] - frame.line not in (0, 1, 2, 3):
        parts.append(f"moved from line {frame.line}")
    parts.append("already applied" if applied else "" if both else "not applied")
    if len(hits) < wanted:
        parts.append(f"{len(hits)} of its {wanted} lines")
    return _join(*parts)


def _changed(rows: Sequence[str], hits: list[int], frame: Frame, applied: int) -> list[int]:
    """The lines of a hunk that change, before its context."""
    mine, other = (frame.added, frame.quoted) if applied else (frame.quoted, frame.added)
    context = {lines.flat(row) for row in mine} & {lines.flat(row) for row in other}
    changed = [line for line in hits if lines.flat(rows[line - 1]) not in context]
    return changed or hits

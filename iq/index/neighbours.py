"""Who calls a definition, what does it call, which test covers it? One of each, the strongest, found live.

The name is looked for only where it can be meant: in the file itself, in files that import it (facades included), in files
of its folder and in tests named after it. So the search costs what those files cost, not what the workspace does.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from iq.index.store import Store, from_db, to_db
from iq.types import Symbol

# Files that are read for one definition, and how much of each (bytes): 120 files of 60 kB take about 20 ms.
MAX_FILES, MAX_BYTES = 120, 200_000

# Calls of one file that are weighed: where the first lie in tests written beside the code, a later one may not.
PER_FILE = 4

# Modules that hold the tests of the file they are in (Rust).
_INLINE = ("tests.", "test.")

# Names looked up for what a definition calls.
MAX_CALLS = 60

# The receiver of a call, if it has one, and the name that is called.
_CALL = re.compile(r"(?:(?<![\w$])(self|this|cls|super\(\))\s*(?:\.|->|::)|([\w)\]?]\s*(?:\.|->)\s*))?(?<![\w$])([^\W\d]\w+)\s*(?:::<[^>]*>)?!?\(")

# What opens a definition; the name behind it is no call.
_DEFINES = re.compile(r"(?:\b(?:def|function|func|fn|fun|sub|class|struct|interface|trait|type|enum|impl|new)\s+|\bfunc\s*\([^)]*\)\s*)$")
_COMMENT = re.compile(r"^\s*(?:#(?!\[)|//|\*|/\*|--|\"\"\")")


@dataclass(frozen=True, slots=True)
class Near:
    """A place beside a definition: the line, and the definition around or at it (`""` for a file's top level)."""

    path: str
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Neighbours:
    caller: Near | None = None
    callee: Near | None = None
    test: Near | None = None

    def __str__(self) -> str:
        rows = (("called from", self.caller), ("calls", self.callee), ("test", self.test))
        return " · ".join(f"{word} {near.path}:{near.line}" for word, near in rows if near is not None)


def neighbours(store: Store, root: str, path: str, symbol: Symbol) -> Neighbours:
    """The strongest caller, callee and test of a definition; needs the table of edges, and reads files as they are now."""
    row = store.file(path)
    if row is None or len(symbol.name) < 2:
        return Neighbours()
    name = symbol.container.rpartition(".")[2] if symbol.name in ("__init__", "constructor", "initialize", "new") and symbol.container else symbol.name
    # What stands before is checked by `_used`: an expression that begins with a look behind is tried at every letter.
    word = re.compile(rf"{re.escape(name)}(?![\w$])")
    found: list[tuple[bool, bool, int, int, str, int]] = []
    tests: list[tuple[int, int, str, int]] = []
    for at, (other, file_class) in enumerate(_plausible(store, path, row.id, row.language)):
        content = _text(root, other)
        if name not in content:
            continue
        lines = _used(content, word, symbol if other == path else None)
        calls = [line for line, called in lines if called]
        if file_class == "tests":
            if lines:
                tests.append((-len(calls or lines), at, other, (calls or [lines[0][0]])[0]))
        elif calls and file_class not in ("vendored", "generated"):
            found += [(file_class != "src", other == path, -len(calls), at, other, line) for line in calls[:PER_FILE]]
    test = _near(store, *min(tests)[2:]) if tests else None
    caller = None
    for *_, other, line in sorted(found)[:MAX_FILES]:
        near = _near(store, other, line)
        if not near.name.startswith(_INLINE):
            caller = near
            break
        test = test or near
    return Neighbours(caller, _callee(store, root, path, row.id, symbol), test)


def _plausible(store: Store, path: str, file: int, language: str) -> list[tuple[str, str]]:
    """(path, class) of files that may use what `path` defines: itself, importers, its folder, tests that name it."""
    folder = path.rpartition("/")[0]
    stem = path.rpartition("/")[2].partition(".")[0]
    kept = {path: "self"}
    own = store.file(path)
    kept[path] = own.file_class if own else "src"
    rows = store.db.execute(
        "SELECT DISTINCT f.path, f.class FROM edges e JOIN files f ON f.id = e.source WHERE e.target = ? ORDER BY e.through, f.class != 'src', f.path LIMIT ?",
        (file, MAX_FILES),
    ).fetchall()
    rows += store.db.execute(
        "SELECT path, class FROM files WHERE language = ? AND path >= ? AND path < ? AND skipped = '' ORDER BY path LIMIT ?",
        (language, to_db(folder + "/" if folder else ""), to_db(folder + "0" if folder else "\U0010ffff"), MAX_FILES),
    ).fetchall()
    if len(stem) > 2 and isinstance(to_db(stem), str):
        rows += store.db.execute(
            "SELECT path, class FROM files WHERE class = 'tests' AND language = ? AND instr(lower(path), ?) ORDER BY path LIMIT 20", (language, stem.lower())
        ).fetchall()
    for other, file_class in rows:
        kept.setdefault(from_db(other if isinstance(other, bytes) else str(other)), str(file_class))
    return list(kept.items())[:MAX_FILES]


def _text(root: str, path: str) -> str:
    try:
        with open(os.path.join(root, path), "rb") as file:
            return file.read(MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _used(content: str, word: re.Pattern[str], own: Symbol | None) -> list[tuple[int, bool]]:
    """(line, whether it is called there) of each use that is no definition, comment or import; one a line."""
    found: list[tuple[int, bool]] = []
    line, position = 1, 0
    for match in word.finditer(content):
        line += content.count("\n", position, match.start())
        position = match.start()
        if position and (content[position - 1].isalnum() or content[position - 1] in "_$"):
            continue
        if (found and found[-1][0] == line) or (own is not None and own.line <= line <= own.end):
            continue
        start = content.rfind("\n", 0, position) + 1
        before = content[start:position]
        if (
            _DEFINES.search(before)
            or _COMMENT.match(before)
            or before.lstrip().startswith(("import ", "from ", "use ", "pub use ", "export {", "#include", "require"))
        ):
            continue
        found.append((line, content[match.end() : match.end() + 1] == "(" or content[match.end() : match.end() + 2] == "!("))
    return found


def _callee(store: Store, root: str, path: str, file: int, symbol: Symbol) -> Near | None:
    """What the definition calls: a name that its own file or one it imports defines, most often called first."""
    rows = _text(root, path).split("\n")[symbol.name_line - 1 : symbol.end]
    counts: dict[str, int] = {}
    foreign: set[str] = set()
    for row in rows:
        if not _COMMENT.match(row):
            for match in _CALL.finditer(row):
                if match[3] != symbol.name and not _DEFINES.search(row[: match.start(3)]):
                    counts[match[3]] = counts.get(match[3], 0) + 1
                    if match[2]:
                        foreign.add(match[3])
    names = sorted(counts, key=lambda name: (name in foreign, -counts[name], name))[:MAX_CALLS]
    if not names:
        return None
    marks = ", ".join("?" * len(names))
    folder = path.rpartition("/")[0]
    places: list[tuple[str, str, int, bool]] = []
    homes: dict[str, set[str]] = {}
    for other, name, name_line, first, last, own in store.db.execute(
        f"SELECT f.path, s.name, s.name_line, s.line, s.end, f.id = ? FROM symbols s JOIN files f ON f.id = s.file WHERE s.name IN ({marks}) "
        "AND s.kind NOT IN ('variable', 'field', 'heading', 'module') AND (f.id = ? OR f.id IN (SELECT target FROM edges WHERE source = ?) "
        "OR (f.language IN ('go', 'java', 'kotlin', 'csharp', 'swift') AND f.class = 'src' AND f.path > ? AND f.path < ?))",
        (file, *names, file, file, to_db(folder), to_db(folder + "0")),
    ):
        homes.setdefault(str(name), set()).add(from_db(other))
        if not (own and symbol.line <= int(first) and int(last) <= symbol.end):
            places.append((from_db(other), str(name), int(name_line), bool(own)))
    # `x.get()` may be anybody's: a name called on some object counts only where one file could be meant.
    sure = [row for row in places if row[1] not in foreign or (len(row[1]) > 3 and len(homes[row[1]]) == 1)]
    best = min(((row[1] in foreign, -counts[row[1]], row[3], row[0], row[2]) for row in sure), default=None)
    return _near(store, best[3], best[4]) if best else None


def _near(store: Store, path: str, line: int) -> Near:
    row = store.db.execute(
        "SELECT s.container, s.name FROM symbols s JOIN files f ON f.id = s.file WHERE f.path = ? AND s.line <= ? AND s.end >= ? "
        "AND s.kind NOT IN ('field', 'variable', 'const') ORDER BY s.line DESC, s.end LIMIT 1",
        (to_db(path), line, line),
    ).fetchone()
    return Near(path, line, (f"{row[0]}.{row[1]}" if row[0] else str(row[1])) if row else "")

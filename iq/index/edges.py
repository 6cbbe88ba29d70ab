"""Fills the table of edges: every import of the index resolved to files, and names followed through what re-exports them.

Edges are computed when the index is brought level or, in a large tree, when a question needs them, and kept until a file
changes what it imports or defines. Where another process is writing, they are
computed into a temporary table of this connection instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

import apsw

from iq.errors import IndexBusyError
from iq.index.lock import writing
from iq.index.resolve.families import Resolved, narrowed, resolve
from iq.index.resolve.view import View
from iq.index.store import Store, from_db
from iq.types import Import

# A name is followed through this many re-exports; real chains have two or three, cycles have no end.
HOPS = 6

# Kinds whose definitions other files can name directly.
_TOP = ("class", "interface", "trait", "struct", "enum", "type", "function", "const", "variable", "macro")

# Files whose imports are their exports, whatever the statement's kind.
FACADES = ("__init__.py", "__init__.pyi")

Row = tuple[int, int | None, int, str, str, int]


def ensure(store: Store, root: str, lock: str) -> None:
    """Makes the table of edges level with the index. Costs a query where it is, about .2 s a thousand files where not."""
    if store.meta("edges") == "1" or store.db.execute("SELECT 1 FROM temp.sqlite_schema WHERE name = 'filled'").fetchone():
        return
    try:
        with writing(lock, wait=False):
            fill(store, root)
    except (IndexBusyError, OSError, apsw.ReadOnlyError, apsw.BusyError, apsw.FullError):
        found = list(rows(store, root))
        store.db.execute("DROP TABLE IF EXISTS temp.edges")
        store.db.execute("CREATE TEMP TABLE edges (source INTEGER, target INTEGER, line INTEGER, module TEXT, kind TEXT, through INTEGER)")
        store.db.executemany("INSERT INTO temp.edges VALUES (?, ?, ?, ?, ?, ?)", found)
        store.db.execute("CREATE TEMP TABLE IF NOT EXISTS filled (yes)")


def fill(store: Store, root: str) -> None:
    """Makes the table level, with the number of importers of each file; the writer's lock is held."""
    if store.meta("edges") == "1":
        return
    with store.db:
        store.db.executemany("INSERT INTO main.edges VALUES (?, ?, ?, ?, ?, ?)", rows(store, root))
        store.db.execute("UPDATE files SET importers = (SELECT count(DISTINCT source) FROM main.edges WHERE target = files.id)")
        store.set_meta("edges", "1")


def rows(store: Store, root: str) -> Iterator[Row]:
    """(source id, target id, line, module, kind, through) of every import that is, or should be, in the workspace."""
    view, imports, ids = look(store, root)
    found = narrowed(view, list(resolve(view, imports)), imports)
    for each in found:
        if each.targets is None:
            continue
        for target in each.targets or (None,):
            yield ids[each.source], ids[target] if target else None, each.row.line, each.row.module, each.row.kind, 0
    for each, target in followed(found, lambda path: _exports(store, ids[path])):
        yield ids[each.source], ids[target], each.row.line, each.row.module, each.row.kind, 1


def look(store: Store, root: str) -> tuple[View, dict[str, list[Import]], dict[str, int]]:
    """The workspace as resolvers see it, the imports of every file, and the id of each path."""
    ids: dict[str, int] = {}
    languages: dict[str, str] = {}
    paths: dict[int, str] = {}
    for number, stored, language in store.db.execute("SELECT id, path, language FROM files"):
        path = from_db(stored)
        ids[path], languages[path], paths[number] = number, language, path
    imports: dict[str, list[Import]] = {}
    packages: dict[str, dict[str, list[str]]] = {}
    for number, module, line, kind, names in store.db.execute("SELECT file, module, line, kind, names FROM imports ORDER BY file, line"):
        path = paths[number]
        if kind == "package":
            packages.setdefault(languages[path], {}).setdefault(module.replace(" ", ""), []).append(path)
        else:
            imports.setdefault(path, []).append(Import(module, line, kind, tuple(names.split("\n")) if names else ()))
    # C# and PHP declare their packages as blocks, which are definitions of kind module.
    for number, container, name in store.db.execute(
        "SELECT s.file, s.container, s.name FROM symbols s JOIN files f ON f.id = s.file WHERE s.kind = 'module' AND f.language IN ('csharp', 'php')"
    ):
        path = paths[number]
        whole = f"{container}.{name}" if container else name
        files = packages.setdefault(languages[path], {}).setdefault(whole.replace("::", "\\"), [])
        if path not in files[-1:]:
            files.append(path)
    ordered = {path: imports[path] for path in sorted(imports)}
    return View(dict(sorted(languages.items())), lambda path: _read(root, path), packages, lambda language: _defined(store, language)), ordered, ids


def _read(root: str, path: str) -> str:
    try:
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            return file.read(1 << 21)
    except OSError:
        return ""


def _defined(store: Store, language: str) -> Mapping[str, Sequence[str]]:
    rows = store.db.execute(
        "SELECT f.path, s.name, s.kind, s.container, s.line, s.end FROM symbols s JOIN files f ON f.id = s.file WHERE f.language = ? ORDER BY f.path, s.line",
        (language,),
    )
    found: dict[str, list[str]] = {}
    for path, group in groupby(rows, itemgetter(0)):
        for name in at_top(language, [row[1:] for row in group]):
            found.setdefault(name, []).append(from_db(path))
    return found


def at_top(language: str, symbols: Iterable[tuple[str, str, str, int, int]]) -> list[str]:
    """Of a file's (name, kind, container, line, end) the names that others can say: those inside of no other definition but namespaces.

    Kotlin's extensions are named by themselves too, though their type is told as what holds them.
    """
    rows = list(symbols)
    open_ = {"", *(f"{container}.{name}" if container else name for name, kind, container, _, _ in rows if kind == "module")}
    found = {name for name, kind, container, _, _ in rows if kind in _TOP and container in open_}
    if language == "kotlin":
        spans: dict[str, list[tuple[int, int]]] = {}
        for name, _, container, line, end in rows:
            spans.setdefault(f"{container}.{name}" if container else name, []).append((line, end))
        found |= {
            name
            for name, kind, container, line, _ in rows
            if kind in ("method", "field") and container not in open_ and not any(low <= line <= high for low, high in spans.get(container, ()))
        }
    return sorted(found)


def followed(found: Sequence[Resolved], exports: Callable[[str], frozenset[str]]) -> Iterator[tuple[Resolved, str]]:
    """(import, file) for each imported name that the imported file only passes on; `exports` are a file's own top-level names."""
    passed: dict[str, dict[str, list[str]]] = {}
    for each in found:
        if each.targets and (each.row.kind == "export" or each.source.endswith(FACADES)):
            names = passed.setdefault(each.source, {})
            for name in each.row.names:
                names.setdefault(name, []).extend(each.targets)
    if not passed:
        return
    starred = {target for names in passed.values() for target in names.get("*", ())}
    own = {path: exports(path) for path in sorted(starred | passed.keys())}
    for each in found:
        if not each.targets or not each.row.names or each.row.names == ("*",):
            continue
        ends: dict[str, None] = {}
        for start in each.targets:
            if start not in passed:
                continue
            for name in each.row.names:
                end = _end(start, name, passed, own)
                if end is not None and end not in each.targets and end != each.source:
                    ends[end] = None
        for end in ends:
            yield each, end


def _exports(store: Store, file: int) -> frozenset[str]:
    return frozenset(str(row[0]) for row in store.db.execute("SELECT DISTINCT name FROM symbols WHERE file = ? AND container = ''", (file,)))


def _end(start: str, name: str, passed: Mapping[str, Mapping[str, list[str]]], own: Mapping[str, frozenset[str]]) -> str | None:
    """The file that defines `name`, asked of a file that may pass it on; None where that is not known."""
    place, seen = start, {start}
    for _ in range(HOPS):
        names = passed.get(place)
        if names is None or name in own.get(place, ()):
            break
        onward = [path for path in names.get(name, ()) if path not in seen]
        onward = onward or [path for path in names.get("*", ()) if path not in seen and (name in own.get(path, ()) or name in passed.get(path, {}))]
        if not onward:
            break
        place = onward[0]
        seen.add(place)
    return place if place != start else None

"""`iq map`: the repository's shape inside a budget, or its import graph as one page."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from iq.errors import StorageError, UsageError
from iq.index import edges, graph, live
from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.store import FileRow, Store, from_db
from iq.plan import shape
from iq.types import Answer, Item, Line, Request, Symbol
from iq.verbs.window import BYTES

# Kept free of signatures (bytes): the head of the answer, its notes and the line that says how to go on.
HEAD = 700

# Files whose definitions compete for the budget; those behind rank too low to win any.
POOL = 600

LANGUAGES, ENTRIES = 8, 6


def run(session: Session, request: Request) -> Answer:
    if request.text:
        raise UsageError(f"'{request.text}' is nothing that iq map takes; narrow the map with --in PATH, or see `iq map --help`")
    scope = session.resolved(request.scope)
    store, level = session.level()
    edges.ensure(store, session.root, os.path.join(session.workspace.local, "lock"))
    loaded = graph.load(store)
    ranks = graph.pagerank(loaded)
    rows = store.files()
    inside = matcher(scope)
    kept = {path: rank for path, rank in ranks.items() if path in rows and inside(path, rows[path].file_class, rows[path].language)}
    classes = {path: rows[path].file_class for path in kept}
    order = shape.ordered(kept, classes)
    page = request.options.get("html")
    notes = list(level.notes)
    if page:
        from iq.verbs import graph_page

        notes.append(_write(session, str(page), graph_page.page(os.path.basename(session.root), loaded, kept, rows)))
    room = (1 << 40 if request.output.full else request.output.budget * BYTES) - HEAD
    definitions = _definitions(store, order[:POOL])
    # Places before the cursor were seen: the budget goes to those behind it.
    files = [(path, kept[path], definitions[path]) for path in order[:POOL] if definitions.get(path)]
    files = [files[at] for at in range(_start(files, request.output.after), len(files))]
    shown = shape.allocate(files, room, _wanted(store))
    counts = [len(loaded.importers(each.path)) for each in shown]
    items = [
        Item(
            each.path,
            each.symbols[0].name_line,
            max(symbol.end for symbol in each.symbols),
            f"{count} importers" if len(each.symbols) == 1 else "",
            "",
            tuple(Line(symbol.name_line, shape.line_of(symbol)) for symbol in each.symbols),
        )
        for each, count in zip(shown, counts, strict=True)
    ]
    # Those behind the last one that the budget took can still be asked for.
    last = next((at for at in range(len(files) - 1, -1, -1) if shown and files[at][0] == shown[-1].path), len(files) - 1)
    edge_count = sum(len(found) for path, found in loaded.out.items() if path in kept)
    related = (
        "languages: " + _languages(rows, kept),
        *_entry_row(session, store, order, classes),
        f"imports: {edge_count} between files" + (f", {len(loaded.unresolved)} lead to no file" if loaded.unresolved else ""),
        "most imported: " + ", ".join(f"{path} ({len(loaded.importers(path))})" for path in sorted(kept, key=lambda p: (-len(loaded.importers(p)), p))[:5]),
    )
    return Answer(
        "map",
        " ".join(scope.within) or os.path.basename(session.root),
        "structure",
        tuple(items),
        len(files) if len(order) <= POOL else _defining(store, kept),
        len(kept),
        level.coverage,
        tuple(notes),
        related if kept else (),
        unit="files with definitions",
        beyond=len(files) - 1 - last,
    )


def _start(files: list[tuple[str, float, list[Symbol]]], cursor: str | None) -> int:
    """Where the answer goes on behind a cursor; its lines do not matter, since the budget chose them."""
    if cursor is None:
        return 0
    path = cursor.rpartition(":")[0] or cursor
    for at, (each, _, _) in enumerate(files):
        if each == path:
            return at + 1
    raise UsageError(f"--after '{cursor}' is not in this answer (the tree or the question changed); ask again without --after")


def _defining(store: Store, kept: Mapping[str, float]) -> int:
    """How many of the files define something."""
    rows = store.db.execute("SELECT path FROM files WHERE id IN (SELECT file FROM symbols WHERE kind NOT IN ('field', 'target'))")
    return sum(1 for (path,) in rows if from_db(path) in kept)


def _wanted(store: Store) -> dict[str, int]:
    """name -> how many imports take it from somewhere."""
    counts: dict[str, int] = {}
    for names, module in store.db.execute("SELECT names, module FROM imports WHERE kind != 'package'"):
        for name in str(names).split("\n") if names else [re.split(r"[.:/\\]+", str(module))[-1]]:
            counts[name] = counts.get(name, 0) + 1
    return counts


def _definitions(store: Store, paths: list[str]) -> dict[str, list[Symbol]]:
    """Exported definitions of each file; all of them where nothing is exported."""
    found: dict[str, list[Symbol]] = {}
    for path in paths:
        symbols = [symbol for symbol in store.symbols_of(path) if symbol.kind not in ("field", "target") and len(symbol.name) > 1]
        exported = [symbol for symbol in symbols if symbol.exported]
        found[path] = exported or symbols
    return found


def _languages(rows: Mapping[str, FileRow], kept: Mapping[str, float]) -> str:
    counts: dict[str, tuple[int, int]] = {}
    for path in kept:
        language, lines = rows[path].language, rows[path].lines
        if language:
            files, total = counts.get(language, (0, 0))
            counts[language] = files + 1, total + lines
    best = sorted(counts.items(), key=lambda row: (-row[1][1], row[0]))[:LANGUAGES]
    return " · ".join(f"{name} {files} files, {lines:,} lines" for name, (files, lines) in best) or "none that is known"


def _entry_row(session: Session, store: Store, order: list[str], classes: dict[str, str]) -> list[str]:
    def read(path: str) -> str:
        loaded = live.load(session.root, path)
        return loaded.content if loaded else ""

    mains = [
        (from_db(path), int(line))
        for path, line in store.db.execute(
            "SELECT f.path, s.name_line FROM symbols s JOIN files f ON f.id = s.file WHERE s.name IN ('main', 'Main') AND s.kind IN ('function', 'method') "
            "AND (s.container = '' OR f.language IN ('java', 'kotlin', 'csharp')) ORDER BY f.path, s.name_line"
        )
    ]
    known = set(order)
    found = shape.entries(sorted(order), classes, read, [row for row in mains if row[0] in known])
    return ["entry points: " + " · ".join(found[:ENTRIES]) + (f" and {len(found) - ENTRIES} more" if len(found) > ENTRIES else "")] if found else []


def _write(session: Session, name: str, text: str) -> str:
    """Writes a page where the user says; the note that tells it. Raises StorageError."""
    path = os.path.join(session.cwd, name)
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise StorageError(f"page '{name}' cannot be written: {error.strerror}; name a file in a folder that exists") from error
    return f"the graph is drawn in {name}; open it in a browser"

"""`iq impact`: what a change reaches, and which tests will notice."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from iq.errors import UsageError
from iq.index import cochange, edges, graph, live, text, worktree
from iq.index.cochange import History
from iq.index.graph import Graph
from iq.index.languages import detect
from iq.index.live import locate
from iq.index.repository import Repository
from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.store import FileRow, Store
from iq.index.usage import uses
from iq.plan import reach
from iq.plan.reach import TESTABLE, Reached
from iq.plan.terms import changed_terms, inside
from iq.types import Answer, Coverage, Item, Line, Request, Symbol
from iq.verbs.window import after

# Changed definitions whose call sites are looked up, and files that are read for them: parsing costs 5 ms a file.
MAX_NAMES, MAX_FILES = 20, 60

# Of each kind of reach this many come first; the rest follows behind all of them.
FIRST = 6

# Tests named in the command line of the answer.
TESTS = 5

_WORD = re.compile(r"[^\W\d]\w{2,}")
_USED = frozenset({"call", "type", "read", "write"})


@dataclass(frozen=True, slots=True)
class Changed:
    """What is asked about: a file, its changed definitions and lines. No lines means all of it."""

    path: str
    status: str
    symbols: tuple[Symbol, ...]
    lines: tuple[int, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything an answer is made of: what changed, the graph, the history, files of the index, what limits it."""

    changed: tuple[Changed, ...]
    graph: Graph
    history: History
    files: Mapping[str, FileRow]
    notes: tuple[str, ...]
    coverage: Coverage

    @property
    def paths(self) -> list[str]:
        return [row.path for row in self.changed]

    def is_test(self, path: str) -> bool:
        row = self.files.get(path)
        return row is not None and row.file_class == "tests" and row.language in TESTABLE

    def is_code(self, path: str) -> bool:
        row = self.files.get(path)
        return row is not None and row.language in TESTABLE and row.file_class != "tests" and not self.is_made(path)

    def is_made(self, path: str) -> bool:
        """Whether a program wrote the file: a lock file, compiled or vendored code."""
        row = self.files.get(path)
        return row is not None and row.file_class in ("vendored", "generated")


def run(session: Session, request: Request) -> Answer:
    facts = gather(session, request)
    if not facts.changed:
        return closing("impact", request, facts, [], [])
    tests = covering(session, facts)
    groups = [
        [item(row, "test") for row in tests],
        calls(session, facts),
        [_edge(session, edge.source, edge.line, _label(edge), edge.module) for edge in importers(facts)],
        [item(row, "changes with it") for row in partners(facts)],
        [_edge(session, edge.source, edge.line, f"import of {edge.target}", edge.module) for path in facts.paths for edge in facts.graph.imports(path)],
    ]
    scope = matcher(session.resolved(request.scope))
    groups = [[each for each in group if scope(each.path, None, None)] for group in groups]
    order = [each for group in groups for each in group[:FIRST]] + [each for group in groups for each in group[FIRST:]]
    kept: dict[tuple[str, int, str], Item] = {}
    for each in order:
        kept.setdefault((each.path, each.start, each.label), each)
    items = list(kept.values())
    return closing("impact", request, facts, items, [*_heads(facts), *_unreached(facts, tests), _command(tests)])


def closing(verb: str, request: Request, facts: Facts, items: Sequence[Item], related: Sequence[str], unit: str = "places") -> Answer:
    """The answer to a question about a change, of what was found in it."""
    kind = f"{len(facts.changed)} changed" if facts.changed else "nothing changed"
    shown, files = tuple(after(items, request.output)), len({each.path for each in items})
    return Answer(verb, asked(request), kind, shown, len(items), files, facts.coverage, facts.notes, tuple(related), unit=unit)


def asked(request: Request) -> str:
    """The question as the answer repeats it."""
    return request.text or str(request.options.get("diff") or "uncommitted work")


def gather(session: Session, request: Request) -> Facts:
    """What changed, and what the index and the history know. Raises UsageError where neither words nor git say what changed."""
    store, level = session.level()
    edges.ensure(store, session.root, os.path.join(session.workspace.local, "lock"))
    loaded = graph.load(store)
    work, why = worktree.opened(session.root)
    notes = list(level.notes)
    revision = request.options.get("diff")
    history = History(())
    if work is None:
        notes.append(f"{why}: nothing is known of what changed together")
    else:
        notes += worktree.states(work)
        history = History(_inside(work, cochange.read(work.git, store)))
    if request.words:
        if revision:
            raise UsageError("--diff names the change already; leave the paths out, or narrow with --in")
        changed = [_named(session, store, word) for word in request.words]
    elif work is None:
        raise UsageError(f"{why}, so nothing is known to be uncommitted; name what you mean to change: iq impact src/app.py")
    else:
        rows, more = worktree.edited(work, str(revision) if revision else None)
        changed = [_changed(session, row) for row in rows]
        if more:
            notes.append(f"{more} more changed files are left out")
        if not rows:
            notes.append("nothing differs; name a path, or --diff HEAD~1 for the last commit")
    missing = [row for row in loaded.unresolved if any(row[0] == each.path for each in changed)]
    if loaded.unresolved:
        notes.append(f"{len(loaded.unresolved)} imports of the workspace lead to no file" + (f", {len(missing)} of them in what changed" if missing else ""))
    gone = [each.path for each in changed if each.status == "deleted"]
    for path in gone:
        stem = reach.subject(path)
        broken = sorted({source for source, _, module in loaded.unresolved if stem and re.sub(r"[-_.]", "", module.lower()).endswith(stem)})
        if broken:
            notes.append(f"{path} is gone; these still import something of its name: {', '.join(broken[:5])}")
    return Facts(tuple(changed), loaded, history, store.files(), tuple(notes), level.coverage)


def _inside(work: Repository, changes: Sequence[cochange.Change]) -> Sequence[cochange.Change]:
    """Commits in paths of the workspace, where that is a folder of the repository."""
    if not work.prefix:
        return changes
    cut = len(work.prefix)

    def own(paths: Sequence[str]) -> tuple[str, ...]:
        return tuple(path[cut:] for path in paths if path.startswith(work.prefix))

    return [
        replace(change, files=own(change.files), renamed=tuple((a[cut:], b[cut:]) for a, b in change.renamed if b.startswith(work.prefix)))
        for change in changes
    ]


def _named(session: Session, store: Store, word: str) -> Changed:
    """`PATH`, or `PATH::Name` for one definition of it."""
    place, mark, name = word.partition("::")
    path = locate(session.root, session.cwd, place)
    symbols = tuple(session.outline(path))
    if not mark:
        return Changed(path, "named", tuple(symbol for symbol in symbols if symbol.exported and symbol.kind not in ("field", "heading")), (), ())
    wanted = name.replace("::", ".").lower()
    found = tuple(symbol for symbol in symbols if wanted in (symbol.name.lower(), symbol.qualified.lower()))
    if not found:
        known = ", ".join(symbol.qualified for symbol in symbols[:8])
        raise UsageError(f"'{path}' defines no '{name}'; it defines {known or 'nothing'}")
    lines = tuple(sorted({line for symbol in found for line in range(symbol.line, symbol.end + 1)}))
    return Changed(path, "named", found, lines, ())


def _changed(session: Session, row: worktree.Edited) -> Changed:
    symbols = session.outline(row.path) if row.status != "deleted" else []
    touched = _innermost(inside(symbols, row.lines)) if row.status == "modified" or row.status == "renamed" else [s for s in symbols if s.exported]
    return Changed(row.path, row.status, tuple(touched), row.lines if row.status in ("modified", "renamed") else (), row.texts)


def _innermost(symbols: Sequence[Symbol]) -> list[Symbol]:
    """Without those that hold another of them: a class does not change because one method did."""
    return [s for s in symbols if not any(o is not s and s.line <= o.line and o.end <= s.end and o.container.startswith(s.qualified) for o in symbols)]


def covering(session: Session, facts: Facts) -> list[Reached]:
    """Tests that will notice the change, likeliest first; those that changed with it are part of it, and come too."""
    changed = [path for path in facts.paths if not facts.is_test(path)]
    if not changed:
        return []
    terms = changed_terms(
        {row.path: (row.symbols if row.symbols else session.outline(row.path), row.lines, row.texts) for row in facts.changed if row.path in set(changed)}
    )
    candidates = [path for path in facts.files if facts.is_test(path)]
    return reach.tests(changed, terms, candidates, facts.graph, facts.history, _holder(session))


def _holder(session: Session) -> Callable[[str, str], int]:
    """How often a file holds a word, live; each file is read once."""
    words: dict[str, dict[str, int]] = {}

    def holds(path: str, term: str) -> int:
        if path not in words:
            counts: dict[str, int] = {}
            loaded = live.load(session.root, path)
            for word in _WORD.findall(loaded.content) if loaded else ():
                counts[word] = counts.get(word, 0) + 1
            words[path] = counts
        return words[path].get(term, 0)

    return holds


def calls(session: Session, facts: Facts) -> list[Item]:
    """Where the changed definitions are used: live, in files that import theirs or lie beside it, nearest first."""
    found: list[tuple[bool, bool, Item]] = []
    seen: set[tuple[str, int]] = set()
    names = [(row, symbol) for row in facts.changed for symbol in row.symbols if len(symbol.name) > 2 and symbol.kind not in ("heading", "target")][:MAX_NAMES]
    if not names:
        return []
    defined = session.level()[0].defining(sorted({symbol.name for _, symbol in names}))
    plausible: dict[str, list[str]] = {}
    for row in facts.changed:
        near = [edge.source for edge in facts.graph.importers(row.path)]
        beside = [
            path
            for path in facts.files
            if reach.folder_of(path) == reach.folder_of(row.path) and facts.files[path].language == facts.files.get(row.path, facts.files[path]).language
        ]
        plausible[row.path] = list(dict.fromkeys([row.path, *near, *beside]))[:MAX_FILES]
    for row, symbol in names:
        if symbol.name.startswith("__"):
            continue  # the language calls these, under no name that could be looked for
        homes = len(defined.get(symbol.name, ())) or 1
        sure = "" if homes == 1 else f"perhaps: {homes} files define a {symbol.name}"
        for path in plausible[row.path]:
            loaded = live.load(session.root, path)
            if loaded is None or symbol.name not in loaded.content:
                continue
            rows = text.lines(loaded.content)
            for use in uses(detect(path, loaded.source[:4096]), loaded, symbol.name):
                if use.kind not in _USED or (path, use.line) in seen or (path == row.path and symbol.line <= use.line <= symbol.end):
                    continue
                seen.add((path, use.line))
                place = Item(path, use.line, use.line, f"{use.kind} of {symbol.qualified}", sure, (Line(use.line, rows[use.line - 1]),))
                found.append((bool(sure), use.kind != "call", place))
    return [each for *_, each in sorted(found, key=lambda row: (row[0], row[1], facts.is_test(row[2].path), row[2].path, row[2].start))]


def importers(facts: Facts) -> list[graph.Edge]:
    """One edge for each file that imports something changed, by how central the importer is, tests last."""
    ranks = graph.pagerank(facts.graph)
    found: dict[str, graph.Edge] = {}
    for path in facts.paths:
        for edge in facts.graph.importers(path):
            found.setdefault(edge.source, edge)
    return sorted(found.values(), key=lambda edge: (facts.is_test(edge.source), edge.through, -ranks.get(edge.source, 0.0), edge.source))


def partners(facts: Facts) -> list[Reached]:
    """Files that history and names say should change too and have not."""
    best: dict[str, Reached] = {}
    for path in facts.paths:
        for row in reach.likely(reach.partners(path, facts.files, facts.history)):
            if row.path not in best or row.chance > best[row.path].chance:
                best[row.path] = row
    mine = set(facts.paths)
    return sorted((row for row in best.values() if row.path not in mine), key=lambda row: (-row.chance, row.path))


def _label(edge: graph.Edge) -> str:
    return "uses it, 1 step" if edge.kind == "sibling" else "imports it through a facade, 1 step" if edge.through else "imports it, 1 step"


def item(row: Reached, label: str) -> Item:
    why = " · ".join(reason for reason, _ in sorted(row.reasons.items(), key=lambda entry: (-entry[1], entry[0])))
    return Item(row.path, 0, 0, label, f"{row.chance:.2f}: {why}")


def _edge(session: Session, path: str, line: int, label: str, module: str) -> Item:
    rows = session.rows(path)
    if not line:  # a use inside a package, which no import announces
        used = re.compile(rf"(?<![.\w]){re.escape(module)}\b")
        places = [at for at, row in enumerate(rows, 1) if used.search(row)]
        line = next((at for at in places if not rows[at - 1].lstrip().startswith(("//", "*", "/*"))), places[0] if places else 1)
    return Item(path, line, line, label, "", (Line(line, rows[line - 1] if line <= len(rows) else module),))


def _heads(facts: Facts) -> list[str]:
    rows = []
    for row in facts.changed[:8]:
        names = ", ".join(symbol.qualified for symbol in row.symbols[:6]) + (f" and {len(row.symbols) - 6} more" if len(row.symbols) > 6 else "")
        importers = len(facts.graph.importers(row.path))
        rows.append(f"{row.status}: {row.path}" + (f" ({names})" if names else "") + f" · {importers} importers")
    if len(facts.changed) > 8:
        rows.append(f"… and {len(facts.changed) - 8} more changed files")
    return rows


def _unreached(facts: Facts, tests: Sequence[Reached]) -> list[str]:
    """Changed files that no test imports at any distance, nor speaks of."""
    code = [path for path in facts.paths if facts.is_code(path)]
    bare = []
    for path in code:
        away = reach.distances([path], facts.graph)
        if not any(facts.is_test(other) for other in away if other != path) and not any(
            reach.subject(row.path) == reach.subject(path) or "names what changed" in row.reasons for row in tests
        ):
            bare.append(path)
    return [f"no test reaches: {', '.join(bare[:8])}" + (f" and {len(bare) - 8} more" if len(bare) > 8 else "")] if bare else []


def _command(tests: Sequence[Reached]) -> str:
    return "tests to run: " + " ".join(row.path for row in tests[:TESTS]) if tests else "no test is known to cover this"

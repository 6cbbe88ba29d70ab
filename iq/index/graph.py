"""Which file uses which? The import graph, who imports a file, how central a file is, which files only pass on others'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from iq.index.edges import FACADES
from iq.index.store import Store, from_db, to_db

# Share of rank that a file passes on to what it imports (Brin & Page, 1998).
DAMPING = 0.85

# Power iteration stops when ranks move less than this in sum; 5,000 files take about 30 rounds.
TOLERANCE, ROUNDS = 1e-8, 100


@dataclass(frozen=True, slots=True)
class Edge:
    """One file imports another on a line; line 0 is a use that needs no import, and `module` is then the name.

    `through` says that a third file, which the line names, passes the name on.
    """

    source: str
    target: str
    line: int
    module: str
    kind: str
    through: bool
    weight: float


@dataclass(frozen=True, slots=True)
class Graph:
    """Edges by source and by target, both in path order; `unresolved` are (path, line, module) that should be here and are not."""

    files: tuple[str, ...]
    out: Mapping[str, Sequence[Edge]]
    into: Mapping[str, Sequence[Edge]]
    unresolved: Sequence[tuple[str, int, str]]

    def importers(self, path: str) -> list[Edge]:
        """One edge for each file that imports `path`, direct before through, by path."""
        return _once(self.into.get(path, ()), "source")

    def imports(self, path: str) -> list[Edge]:
        """One edge for each file that `path` imports, in line order."""
        return _once(self.out.get(path, ()), "target")


def _once(edges: Sequence[Edge], end: str) -> list[Edge]:
    kept: dict[str, Edge] = {}
    for edge in sorted(edges, key=lambda e: (e.through, e.line if end == "target" else 0, getattr(e, end), e.line)):
        kept.setdefault(getattr(edge, end), edge)
    return list(kept.values())


def load(store: Store) -> Graph:
    """The graph as the table of edges holds it; `edges.ensure` comes first."""
    paths = {number: from_db(path) for number, path in store.db.execute("SELECT id, path FROM files")}
    rows = [
        (paths[source], None if target is None else paths[target], line, module, kind, bool(through))
        for source, target, line, module, kind, through in store.db.execute("SELECT source, target, line, module, kind, through FROM edges")
        if source in paths and (target is None or target in paths)
    ]
    return build(paths.values(), rows)


def build(files: Iterable[str], rows: Sequence[tuple[str, str | None, int, str, str, bool]]) -> Graph:
    """The graph of (source, target, line, module, kind, through); a row without a target is an unresolved import."""
    shares: dict[tuple[str, int, str], int] = {}
    for source, _, line, module, _, _ in rows:
        shares[source, line, module] = shares.get((source, line, module), 0) + 1
    out: dict[str, list[Edge]] = {}
    into: dict[str, list[Edge]] = {}
    unresolved = []
    for source, target, line, module, kind, through in rows:
        if target is None:
            unresolved.append((source, line, module))
            continue
        edge = Edge(source, target, line, module, kind, through, 1 / shares[source, line, module])
        out.setdefault(edge.source, []).append(edge)
        into.setdefault(edge.target, []).append(edge)
    for edges in (*out.values(), *into.values()):
        edges.sort(key=lambda e: (e.source, e.target, e.through, e.line, e.module))
    return Graph(tuple(sorted(files)), out, into, tuple(sorted(unresolved)))


def pagerank(graph: Graph) -> dict[str, float]:
    """Rank of each file, 1 in sum: a file is central that central files import. Edges of one import share its weight.

    r(v) = (1 − d)/n + d · (sum over u → v of r(u) · w(u,v)/w(u) + dangling/n), iterated from the uniform vector.
    """
    files, n = graph.files, len(graph.files)
    if not n:
        return {}
    at = {path: number for number, path in enumerate(files)}
    links: list[tuple[int, list[tuple[int, float]]]] = []
    for path in files:
        weights: dict[int, float] = {}
        for edge in graph.out.get(path, ()):
            weights[at[edge.target]] = weights.get(at[edge.target], 0.0) + edge.weight
        total = sum(weights.values())
        if total:
            links.append((at[path], [(target, weight / total) for target, weight in sorted(weights.items())]))
    linked = {source for source, _ in links}
    loose = [number for number in range(n) if number not in linked]
    ranks = [1 / n] * n
    for _ in range(ROUNDS):
        base = (1 - DAMPING + DAMPING * sum(ranks[number] for number in loose)) / n
        fresh = [base] * n
        for source, targets in links:
            given = DAMPING * ranks[source]
            for target, share in targets:
                fresh[target] += given * share
        moved = sum(abs(a - b) for a, b in zip(fresh, ranks, strict=True))
        ranks = fresh
        if moved < TOLERANCE:
            break
    return dict(zip(files, ranks, strict=True))


def importers(store: Store, paths: Sequence[str]) -> dict[str, int]:
    """How many files import each path, through facades included; for ranking, without the whole graph."""
    marks = ", ".join("?" * len(paths))
    rows = store.db.execute(
        f"SELECT f.path, count(DISTINCT e.source) FROM files f JOIN edges e ON e.target = f.id WHERE f.path IN ({marks}) GROUP BY f.id",
        tuple(map(to_db, paths)),
    )
    return {from_db(path): int(count) for path, count in rows}


def facades(store: Store) -> list[tuple[str, str]]:
    """(facade, implementation): the first re-exports what the second defines. By path, each pair once."""
    rows = store.db.execute(
        "SELECT DISTINCT a.path, b.path, e.kind FROM edges e JOIN files a ON a.id = e.source JOIN files b ON b.id = e.target WHERE e.through = 0"
    )
    pairs = {(from_db(one), from_db(other)) for one, other, kind in rows if kind == "export" or from_db(one).endswith(FACADES)}
    return sorted(pairs)

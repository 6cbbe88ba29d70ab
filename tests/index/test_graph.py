"""The import graph through edits, PageRank by hand, names followed through facades."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from iq.index import edges, graph
from iq.index.graph import Edge, Graph
from iq.index.lock import writing
from iq.index.session import Session
from iq.index.store import Store
from iq.index.workspace import Workspace, find

Make = Callable[..., object]


def opened(root: Path) -> tuple[Session, Store]:
    session = Session(find(str(root), str(root)), str(root))
    store, _ = session.level()
    edges.ensure(store, session.root, os.path.join(session.workspace.local, "lock"))
    return session, store


def links(root: Path) -> dict[str, list[str]]:
    session, store = opened(root)
    loaded = graph.load(store)
    found = {path: [edge.target for edge in loaded.imports(path)] for path in loaded.files if loaded.imports(path)}
    session.renew()
    return found


def made(*pairs: tuple[str, str]) -> Graph:
    """A graph of single edges."""
    rows = [Edge(one, other, 1, other, "import", False, 1.0) for one, other in pairs]
    files = tuple(sorted({path for pair in pairs for path in pair}))
    return Graph(
        files,
        {path: [row for row in rows if row.source == path] for path in files},
        {path: [row for row in rows if row.target == path] for path in files},
        (),
    )


def test_a_new_file_makes_an_import_resolvable_and_its_end_undoes_it(workspace: Make) -> None:
    ws = workspace({"main.ts": 'import "./later"\n', "other.ts": ""})
    root: Path = ws.root  # type: ignore[attr-defined]
    assert links(root) == {}
    (root / "later.ts").write_text("export const a = 1\n")
    assert links(root) == {"main.ts": ["later.ts"]}
    (root / "later.ts").rename(root / "moved.ts")
    assert links(root) == {}
    (root / "tsconfig.json").write_text('{"compilerOptions": {"baseUrl": ".", "paths": {"./later": ["./moved"]}}}')
    (root / "main.ts").write_text('import "later"\n')
    (root / "tsconfig.json").write_text('{"compilerOptions": {"baseUrl": ".", "paths": {"later": ["./moved"]}}}')
    assert links(root) == {"main.ts": ["moved.ts"]}


def test_an_import_that_finds_nothing_is_counted(workspace: Make) -> None:
    ws = workspace({"a.py": "from .gone import x\nimport json\n"})
    session, store = opened(ws.root)  # type: ignore[attr-defined]
    assert list(graph.load(store).unresolved) == [("a.py", 1, ".gone")]
    session.renew()


def test_while_another_writes_the_graph_is_made_beside_the_index(workspace: Make) -> None:
    """The lock is held by someone else: the answer is the same, and nothing is written."""
    ws = workspace({"a.py": "import b\n", "b.py": ""})
    session = Session(find(str(ws.root), str(ws.root)), str(ws.root))  # type: ignore[attr-defined]
    store, _ = session.level()
    lock = os.path.join(session.workspace.local, "lock")
    with writing(lock, wait=False):
        edges.ensure(store, session.root, lock)
        edges.ensure(store, session.root, lock)
    assert [edge.target for edge in graph.load(store).imports("a.py")] == ["b.py"]
    assert store.meta("edges") == "" and store.db.execute("SELECT count(*) FROM main.edges").fetchone() == (0,)
    (Path(session.root) / "b.py").unlink()
    session.renew()
    assert links(Path(session.root)) == {}


def test_a_name_is_followed_to_the_file_that_defines_it(workspace: Make) -> None:
    ws = workspace(
        {
            "pkg/__init__.py": "from .core import run as run\nfrom .deep import *\n",
            "pkg/core.py": "def run(): ...\n",
            "pkg/deep/__init__.py": "from .well import water\n",
            "pkg/deep/well.py": "def water(): ...\n",
            "use.py": "from pkg import run, water, other\n",
            "barrel/index.ts": 'export * from "./a"; export { b } from "./b"; export * from "./index"\n',
            "barrel/a.ts": "export const a = 1\n",
            "barrel/b.ts": "export const b = 1\n",
            "use.ts": 'import { a, b as c } from "./barrel"\n',
        }
    )
    session, store = opened(ws.root)  # type: ignore[attr-defined]
    loaded = graph.load(store)
    assert [(edge.target, edge.through) for edge in loaded.imports("use.py")] == [("pkg/__init__.py", False), ("pkg/core.py", True), ("pkg/deep/well.py", True)]
    assert [edge.target for edge in loaded.imports("use.ts")] == ["barrel/index.ts", "barrel/a.ts", "barrel/b.ts"]
    assert graph.facades(store) == [
        ("barrel/index.ts", "barrel/a.ts"),
        ("barrel/index.ts", "barrel/b.ts"),
        ("pkg/__init__.py", "pkg/core.py"),
        ("pkg/__init__.py", "pkg/deep/__init__.py"),
        ("pkg/deep/__init__.py", "pkg/deep/well.py"),
    ]
    assert graph.importers(store, ["pkg/core.py", "use.py"]) == {"pkg/core.py": 2}
    session.renew()


def test_ranks_by_hand() -> None:
    """a ⇄ b alone share everything; c only gives: r(c) = (1 − d)/3, no file dangles."""
    ranks = graph.pagerank(made(("a", "b"), ("b", "a"), ("c", "a")))
    low = 0.15 / 3
    a = (low + 0.85 * (low + low)) / (1 - 0.85**2)
    assert ranks["c"] == pytest.approx(low)
    assert ranks["a"] == pytest.approx(a, abs=1e-6)
    assert sum(ranks.values()) == pytest.approx(1)
    assert graph.pagerank(Graph((), {}, {}, ())) == {}


def test_names_that_are_no_utf8_and_links_are_files_like_others(workspace: Make) -> None:
    ws = workspace({"b.h": "", "pkg/__init__.py": "", "pkg/m.py": ""})
    root: Path = ws.root  # type: ignore[attr-defined]
    (root / os.fsdecode(b"a\xff.c")).write_text('#include "b.h"\n')
    (root / "linked").symlink_to(root / "pkg", target_is_directory=True)
    (root / "noending").write_text("#!/usr/bin/env python3\nfrom pkg import m\nfrom linked import m as n\n")
    assert links(root) == {os.fsdecode(b"a\xff.c"): ["b.h"], "noending": ["pkg/m.py"]}


def test_the_index_of_an_empty_workspace_has_an_empty_graph(workspace: Make) -> None:
    session, store = opened(workspace().root)  # type: ignore[attr-defined]
    loaded = graph.load(store)
    assert loaded.files == () and graph.facades(store) == [] and isinstance(session.workspace, Workspace)
    session.renew()


def test_packages_that_need_no_import_are_linked_by_what_they_name(workspace: Make) -> None:
    """Go files of one folder, Java files of one package; a package import means only the files whose names are said."""
    ws = workspace(
        {
            "go.mod": "module m\n",
            "a.go": "package m\n\nfunc Alpha() { helper() }\n",
            "b.go": "package m\n\nfunc helper() {}\n",
            "c.go": "package m\n\nfunc Other() { x.helper() }\n",
            "a_test.go": "package m\n\nfunc TestA() { Alpha() }\n",
            "use/u.go": 'package use\n\nimport k "m"\n\nvar _ = k.Other\n',
            "blank/u.go": 'package blank\n\nimport _ "m"\n',
            "org/One.java": "package org;\nclass One { Two two; }\n",
            "org/Two.java": "package org;\nclass Two {}\n",
            "other/Two.java": "package other;\nclass Two { }\n",
        }
    )
    assert links(ws.root) == {  # type: ignore[attr-defined]
        "a.go": ["b.go"],
        "a_test.go": ["a.go"],
        "use/u.go": ["c.go"],
        "blank/u.go": ["a.go", "b.go", "c.go"],
        "org/One.java": ["org/Two.java"],
    }

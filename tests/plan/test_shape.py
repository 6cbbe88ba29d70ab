"""The budget of a map: nothing over it, the best first, order kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iq.plan import shape
from iq.types import Symbol


def symbol(name: str, line: int = 1, kind: str = "function", container: str = "", exported: bool = True) -> Symbol:
    return Symbol(name, kind, line, line + 9, line, 1, container, f"def {name}()", "", exported)


def test_a_central_file_gets_more_and_every_file_keeps_its_place() -> None:
    files = [("minor.py", 0.01, [symbol(f"m{n}", n) for n in range(20)]), ("major.py", 0.5, [symbol(f"f{n}", n) for n in range(20)])]
    shown = shape.allocate(files, 600)
    assert [each.path for each in shown] == ["minor.py", "major.py"]
    assert len(shown[1].symbols) > len(shown[0].symbols) > 0
    assert [s.line for s in shown[1].symbols] == sorted(s.line for s in shown[1].symbols)


def test_what_others_import_comes_before_what_only_stands_first() -> None:
    (only,) = shape.allocate([("a.py", 1.0, [symbol("first", 1), symbol("used", 50)])], 70, {"used": 30})
    assert [s.name for s in only.symbols] == ["used"]


def test_hidden_names_come_last() -> None:
    (only,) = shape.allocate([("a.py", 1.0, [symbol("__getattr__", 1), symbol("plain", 50)])], 70)
    assert [s.name for s in only.symbols] == ["plain"]


@given(st.integers(0, 2000), st.lists(st.tuples(st.text(min_size=1, max_size=30), st.integers(0, 30)), max_size=8))
def test_a_map_never_costs_more_than_its_room(room: int, rows: list[tuple[str, int]]) -> None:
    files = [(path, 1 / (at + 1), [symbol(f"name{n}", n + 1) for n in range(count)]) for at, (path, count) in enumerate(rows)]
    shown = shape.allocate(files, room)
    cost = sum(len(each.path.encode("utf-8", "replace")) + 40 + sum(len(shape.line_of(s).encode()) + 7 for s in each.symbols) for each in shown)
    assert cost <= room


def test_classes_come_in_order_whatever_the_rank() -> None:
    ranks = {"tests/t.py": 0.9, "src/a.py": 0.01, "src/b.py": 0.02, "vendor/v.py": 0.5, "gen/g.py": 0.6}
    classes = {"tests/t.py": "tests", "src/a.py": "src", "src/b.py": "src", "vendor/v.py": "vendored", "gen/g.py": "generated"}
    assert shape.ordered(ranks, classes) == ["src/b.py", "src/a.py", "tests/t.py", "vendor/v.py", "gen/g.py"]


@pytest.mark.parametrize(
    ("files", "entry"),
    [
        ({"pyproject.toml": '[project.scripts]\ntool = "pkg.cli:main"\n\n[other]\nx = "y"\n'}, "tool → pkg.cli:main (pyproject.toml)"),
        ({"package.json": '{"bin": {"t": "./bin/t.js"}, "main": "lib/i.js"}'}, "bin/t.js (package.json)"),
        ({"cmd/main.go": ""}, "cmd/main.go"),
        ({"src/pkg/__init__.py": "", "src/pkg/sub/__init__.py": ""}, "src/pkg/__init__.py (library)"),
        ({"package.json": "{{{", "src/main.rs": ""}, "src/main.rs"),
        ({"package.json": "[1]", "src/main.rs": ""}, "src/main.rs"),
    ],
    ids=["python", "node", "go", "library", "broken manifest", "manifest of another shape"],
)
def test_where_a_program_starts(files: dict[str, str], entry: str) -> None:
    assert shape.entries(sorted(files), dict.fromkeys(files, "src"), lambda path: files[path], [])[0] == entry

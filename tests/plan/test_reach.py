"""Partners and tests of a change, by hand."""

from __future__ import annotations

from math import exp, log

import pytest

from iq.index.cochange import Change, History
from iq.index.graph import Graph, build
from iq.plan import reach
from iq.plan.reach import Reached, distances, likely, partners, subject
from iq.plan.terms import changed_terms, inside
from iq.types import Symbol


def graph(*pairs: tuple[str, str]) -> Graph:
    files = {path for pair in pairs for path in pair}
    return build(files, [(one, other, 1, other, "import", False) for one, other in pairs])


def symbol(name: str, line: int, end: int, kind: str = "function", container: str = "") -> Symbol:
    return Symbol(name, kind, line, end, line, 1, container, name, "", True)


@pytest.mark.parametrize(
    ("path", "about"),
    [
        ("src/click/core.py", "core"),
        ("tests/test_core.py", "core"),
        ("core_test.go", "core"),
        ("src/core.test.ts", "core"),
        ("spec/core_spec.rb", "core"),
        ("CoreTest.java", "core"),
        ("TestCore.java", "core"),
        ("src/jsx/index.ts", "jsx"),
        ("axum/src/routing/mod.rs", "routing"),
        ("axum/src/lib.rs", "axum"),
        ("src/http-status.ts", "httpstatus"),
        ("test_.py", "test"),
        (".env", ".env".replace(".", "")),
        ("latest.py", "latest"),
    ],
)
def test_a_file_is_about(path: str, about: str) -> None:
    assert subject(path) == about


def test_a_partner_by_hand() -> None:
    """Never changed together, one of four files in the folder, named alike; nothing else speaks for it."""
    files = ["d/core.py", "d/core_test.py", "d/x.py", "d/y.py"]
    row = next(row for row in partners("d/core.py", files, History(())) if row.path == "d/core_test.py")
    odds = reach.BASE + reach.SEEN * log(1) + reach.NEVER + reach.PAIR + reach.FOLDER * (1 / 4) ** 0.5
    assert row.chance == pytest.approx(1 / (1 + exp(-odds)))
    assert set(row.reasons) == {"named alike", "same folder"}


def test_partners_are_files_that_are_there_and_never_the_file_itself() -> None:
    history = History([Change("1", ("a.py", "b.py", "gone.py"))])
    assert {row.path for row in partners("a.py", ["a.py", "b.py"], history)} == {"b.py"}


def test_as_many_are_named_as_expected_f1_asks_for() -> None:
    """Of .9 .8 .1 (1.8 expected): one gives 2·.9/2.8, two give 2·1.7/3.8, three 2·1.8/4.8: two."""
    rows = [Reached(name, chance) for name, chance in (("a", 0.9), ("b", 0.8), ("c", 0.1))]
    assert [row.path for row in likely(rows)] == ["a", "b"]
    assert likely([]) == []


def test_hops_over_a_cycle_end() -> None:
    assert {path: hop for path, (hop, _) in distances(["a"], graph(("b", "a"), ("c", "b"), ("a", "c"), ("d", "c"))).items()} == {"a": 0, "b": 1, "c": 2, "d": 3}


def test_the_test_that_speaks_of_the_change_comes_first() -> None:
    words = {"tests/test_a.py": {"thing": 5}, "tests/test_b.py": {"thing": 1, "rare": 3}, "tests/test_core.py": {}}
    rows = reach.tests(
        ["src/core.py"],
        {"rare": 3.0, "thing": 1.0},
        list(words),
        graph(("tests/test_a.py", "src/core.py")),
        History(()),
        lambda path, term: words[path].get(term, 0),
    )
    assert [row.path for row in rows] == ["tests/test_b.py", "tests/test_core.py", "tests/test_a.py"]
    assert rows[1].reasons == {"named after it": reach.TEST_PAIR}
    assert rows[2].distance == 1 and "imports it" in rows[2].reasons


def test_a_test_that_nothing_speaks_for_is_not_named() -> None:
    assert reach.tests(["src/core.py"], {}, ["other/test_x.py"], graph(), History(()), lambda path, term: 0) == []


def test_changed_lines_name_the_definitions_around_them() -> None:
    symbols = [symbol("Outer", 1, 20, "class"), symbol("method", 5, 9, "method", "Outer"), symbol("later", 30, 40)]
    assert [s.name for s in inside(symbols, [6])] == ["Outer", "method"]
    assert changed_terms({"a.py": (symbols, [6], ["    return frobnicate(self)\n"])}) == {"Outer": 3.0, "method": 3.0, "frobnicate": 1.0}
    assert set(changed_terms({"a.py": (symbols, (), ())})) == {"Outer", "method", "later"}


def test_a_test_belongs_to_the_nearest_file_of_its_name() -> None:
    """Two packages have a `graph`; the test of one is not named after the other."""
    files = ["a/graph.go", "a/graph_test.go", "b/graph.go", "b/graph_test.go"]
    rows = reach.tests(["a/graph.go"], {}, ["a/graph_test.go", "b/graph_test.go"], build(files, []), History(()), lambda path, term: 0)
    assert [row.path for row in rows if "named after it" in row.reasons] == ["a/graph_test.go"]

"""Chunks cover a file, follow its definitions and stay below their bound."""

from __future__ import annotations

import random

from iq.index.chunk import MAX, chunk
from iq.index.symbols import extract
from iq.types import Symbol

SOURCE = '''"""Module text."""

LIMIT = 3


# Says hello.
@decorated
def hello(name):
    return name


class Big:
    """A class above the bound."""

{methods}
'''


def source() -> list[str]:
    methods = "\n\n".join(f"    def method_{n}(self):\n" + "\n".join(f"        value_{n}_{k} = compute({k})" for k in range(12)) for n in range(8))
    return SOURCE.format(methods=methods).split("\n")


def test_a_definition_is_a_chunk_with_its_comment_and_decorator() -> None:
    rows = source()
    chunks = chunk(rows, extract("python", "\n".join(rows).encode()).symbols)
    hello = next(c for c in chunks if "hello" in c.names)
    assert "# Says hello.\n@decorated\ndef hello(name):\n    return name" in "\n".join(rows[hello.start - 1 : hello.end])


def test_a_big_definition_is_cut_into_those_inside() -> None:
    rows = source()
    chunks = chunk(rows, extract("python", "\n".join(rows).encode()).symbols)
    assert [c.symbol for c in chunks if c.symbol.startswith("Big.")] == [f"Big.method_{n}" for n in range(8)]


def test_every_line_that_says_something_is_in_one_chunk() -> None:
    random.seed(1)
    for _ in range(50):
        rows = [
            random.choice(["", "    ", "x = 1", "def f(a):", "    return a", "class A:", "    y = 2" * random.randint(1, 60)])
            for _ in range(random.randint(0, 300))
        ]
        chunks = chunk(rows, extract("python", "\n".join(rows).encode()).symbols)
        covered = [line for c in chunks for line in range(c.start, c.end + 1)]
        assert len(covered) == len(set(covered))
        assert {n for n, row in enumerate(rows, 1) if row.strip()} <= set(covered)
        for c in chunks:
            assert c.start == c.end or sum(len(row) + 1 for row in rows[c.start - 1 : c.end]) <= MAX


def test_a_file_without_definitions_is_cut_at_blank_lines() -> None:
    rows = (["word " * 16] * 12 + [""]) * 5
    chunks = chunk(rows, ())
    assert [(c.start, c.end) for c in chunks] == [(1, 12), (14, 25), (27, 38), (40, 51), (53, 64)]


def test_each_entry_of_a_changelog_is_a_chunk():
    rows = ["# 2.0", "", "Out in May.", "", "- One", "  goes on.", "- Two", "", "  * inner", "", "# 1.0", "1. First", "2. Second"]
    symbols = [Symbol(name, "heading", line, end, line, 3, "", f"# {name}", "", True) for name, line, end in (("2.0", 1, 10), ("1.0", 11, 13))]
    assert [(c.start, c.end, c.symbol) for c in chunk(rows, symbols, entries=True)] == [
        (1, 3, "2.0"),
        (5, 6, "2.0"),
        (7, 9, "2.0"),
        (11, 11, "1.0"),
        (12, 12, "1.0"),
        (13, 13, "1.0"),
    ]


def test_a_long_section_of_a_changelog_is_cut_at_entries_only():
    rows = ["# 1.0", *(f"- entry {n} " + "word " * 30 for n in range(40))]
    symbols = [Symbol("1.0", "heading", 1, 41, 1, 3, "", "# 1.0", "", True)]
    assert [(c.start, c.end) for c in chunk(rows, symbols, entries=True)] == [(n, n) for n in range(1, 42)]

"""Chunks cover a file, follow its definitions and stay below their bound."""

from __future__ import annotations

import random

from iq.index.chunk import MAX, chunk
from iq.index.symbols import extract

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

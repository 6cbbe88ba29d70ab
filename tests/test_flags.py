"""The reader of common calls must read them as argparse does, and leave everything else to it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable

import pytest

from iq.cli import run
from iq.errors import UsageError
from iq.flags import OUTPUT, SCOPE, own, read
from iq.parser import parse
from iq.types import Call
from iq.verbs import VERBS
from tests.conftest import Place

ODD = ["-", "--", "", "-1", "-x", "--nosuch", "a b", "-a b", "a=b", "=", "--limit", "0", "²", "٣", "9" * 30, "-C3",
       "--js", "ä", "--in=", "--json=1", "--in=--", "-C--", "-C=--"]


def by_argparse(verb: str, words: list[str]) -> dict[str, object] | None:
    try:
        return vars(parse(verb, words))
    except UsageError:
        return None


@pytest.mark.parametrize("verb", VERBS)
def test_every_call_that_is_read_at_a_glance_is_read_as_argparse_reads_it(verb: str) -> None:
    generator = random.Random(f"flags of {verb}")
    flags = [flag.name for flag in (*own(verb), *SCOPE, *OUTPUT)]
    glanced = refused = 0
    for _ in range(1500):
        words = []
        for _ in range(generator.randrange(5)):
            kind = generator.random()
            flag = generator.choice(flags)
            words += (
                [generator.choice(ODD)] if kind < 0.15 else ["word"] if kind < 0.4 else [flag] if kind < 0.65 else [f"{flag}=3"] if kind < 0.8 else [flag, "3"]
            )
        found = read(verb, words)
        wanted = by_argparse(verb, words)
        if found is None:
            refused += wanted is None
        else:
            glanced += 1
            assert vars(found) == wanted, words
    assert glanced > 300
    assert refused > 100


@pytest.mark.parametrize(
    "words",
    ["find x", "find --word x", "find x --word y", "find x --in src --limit=3 -C 2", "refs x --kind call", "search where is it? --json"],
)
def test_a_common_call_needs_no_argparse(words: str) -> None:
    verb, *rest = words.split()
    assert read(verb, rest) is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("find x --limit 0", "'0' is no positive number"),
        ("find x --in=--", "argument --in: '--' is no value"),
        ("find -C-- -- x", "argument -C: '--' is no value"),
        ("find x --limit", "expected one argument"),
        ("find x --nosuch", "--nosuch"),
        ("find x --nosuch y", "unrecognized arguments: --nosuch;"),
        (f"find x --limit {'9' * 5000}", "is no positive number"),
        ("find x --limit ²", "'²' is no positive number"),
    ],
)
def test_a_wrong_call_is_explained_with_its_value_and_the_next_step(words: str, said: str) -> None:
    reply = run(Call(tuple(words.split()), "/"))
    assert reply.code == 2
    assert said in reply.err.decode()
    assert "iq find --help" in reply.err.decode()


IMPORTS = """
import sys
before = set(sys.modules)
from iq import ahead
ahead.begin(sys.argv[1:])
from iq.cli import main
main(sys.argv[1:])
print(sorted({"argparse", "re", "shlex", "json"} & (set(sys.modules) - before)))
"""


@pytest.mark.parametrize("words", [("needle",), ("needle", "--word", "größe", "--limit=3", "-C", "1"), ("it's a needle", "--literal")], ids=" ".join)
def test_find_imports_neither_argparse_nor_expressions(words: tuple[str, ...], workspace: Callable[..., Place]) -> None:
    """Each takes milliseconds of the thirty that a search beside ripgrep has."""
    ws = workspace({"a.py": f"def needle():\n    return 'größe'  # it's a needle größe\n# {'x' * 900} needle größe\n" * 9})
    os.utime(ws.root / "a.py", (1, 1))  # an index trusts only a time that lies behind
    ws.iq("index", "status")
    done = subprocess.run([sys.executable, "-c", IMPORTS, "find", *words], cwd=ws.root, env=ws.environment(), capture_output=True, text=True, check=True)
    assert "a.py" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


TYPED = [
    ("x --word y", "--word -- x y"), ("x --in src y --limit 3 z", "--in src --limit 3 -- x y z"), ("x -C3 y", "-C 3 -- x y"),
    ("x --in=a y -- --word", "--in=a -- x y --word"), ("x -1 --word y", "--word -- x -1 y"), ("- --word y", "--word -- - y"),
    ("x -- y -- z", "-- x y -- z"), ("--in -1 x", "--in=-1 x"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "meant"), TYPED, ids=[typed for typed, _ in TYPED])
def test_words_may_stand_on_both_sides_of_a_flag(typed: str, meant: str) -> None:
    """`iq find x --word y` was refused, because argparse takes words only where they stand together."""
    assert by_argparse("find", typed.split()) == by_argparse("find", meant.split()) is not None


@pytest.mark.parametrize("words", [["--", "-h"], ["--word", "--", "--help"], ["x", "--", "y", "-h"]], ids=" ".join)
def test_help_behind_the_end_of_flags_is_a_word(words: list[str], workspace: Callable[..., Place]) -> None:
    ws = workspace({"a.py": "-h --help\nx y -h\n"})
    code, out, _ = ws.iq("find", *words)
    assert code == 0 and out.startswith(f"iq find: {' '.join(word for word in words if word not in ('--', '--word'))} — ")


def test_help_of_a_verb_in_either_order() -> None:
    assert run(Call(("help", "find"), "/")) == run(Call(("find", "x", "--help"), "/"))
    assert run(Call(("help",), "/")) == run(Call(("--help",), "/"))

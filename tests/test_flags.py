"""The reader of common calls must read them as argparse does, and leave everything else to it."""

from __future__ import annotations

import random

import pytest

from iq.cli import run
from iq.errors import UsageError
from iq.flags import OUTPUT, SCOPE, Options, own, read
from iq.parser import parser
from iq.types import Call
from iq.verbs import VERBS

ODD = ["-", "--", "", "-1", "-x", "--nosuch", "a b", "-a b", "a=b", "=", "--limit", "0", "²", "٣", "9" * 30, "-C3", "--js", "ä", "--in=", "--json=1"]


def by_argparse(verb: str, words: list[str]) -> dict[str, object] | None:
    try:
        return vars(parser(verb).parse_args(words, Options()))
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
    ["find x", "find --word x", "find x --in src --limit=3 -C 2", "refs x --kind call", "search where is it? --json"],
)
def test_a_common_call_needs_no_argparse(words: str) -> None:
    verb, *rest = words.split()
    assert read(verb, rest) is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("find x --limit 0", "'0' is no positive number"),
        ("find x --limit", "expected one argument"),
        ("find x --nosuch", "--nosuch"),
        ("find x --word y", "unrecognized arguments: y"),
        ("find x --limit ²", "--limit"),
    ],
)
def test_a_wrong_call_is_explained_with_its_value_and_the_next_step(words: str, said: str) -> None:
    reply = run(Call(tuple(words.split()), "/"))
    assert reply.code == 2
    assert said in reply.err.decode()
    assert "iq find --help" in reply.err.decode()

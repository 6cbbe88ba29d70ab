"""argparse over the table of flags: for calls that are not in a common form, for what is wrong with them, and for help."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from functools import partial

from iq.errors import UsageError, brief
from iq.flags import OUTPUT, SCOPE, Flag, Options, default, known, own
from iq.verbs import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from typing import NoReturn


# The longest number that Python reads (digits).
DIGITS = 4300


class _Formatter(RawDescriptionHelpFormatter):
    """As wide as the terminal says; the standard one imports shutil and four compressors to ask, once for every flag."""

    def __init__(self, prog: str, columns: int = 0) -> None:
        super().__init__(prog, width=max((columns or 80) - 2, 40))


class Parser(ArgumentParser):
    """Raises UsageError where argparse would exit."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see `iq {self.prog.rpartition(' ')[2]} --help`".replace("iq iq", "iq"))


def parse(verb: str, words: Sequence[str]) -> Options:
    """What the words behind a verb ask for. Raises UsageError."""
    return parser(verb).parse_args(_sorted(verb, words), Options())


def _sorted(verb: str, words: Sequence[str]) -> list[str]:
    """The flags first, then the other words: argparse takes those only where they stand together, but people type `x --word y` for `--word x y`.

    Words of a call that argparse will refuse stay as they are.
    """
    taking = {name: flag.takes for name, flag in known(verb).items()}
    flags: list[str] = []
    plain: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            plain += rest
        elif not _flag(word, taking):
            plain.append(word)
        else:
            name = word[:-3] if word.endswith("=--") else word[:2] if word[2:] == "--" else ""
            if taking.get(name):  # argparse would make an empty list of it
                raise UsageError(f"argument {name}: '--' is no value; see `iq {verb} --help`")
            flags.append(word)
            if taking.get(word):
                value = next(rest, "--")
                if value == "--" or _flag(value, taking):
                    return list(words)
                flags.append(value)
    return [*flags, "--", *plain] if plain else flags


def _flag(word: str, names: Container[str]) -> bool:
    """Whether argparse takes a word for a flag, known or not."""
    if not word.startswith("-") or word == "-":
        return False
    if word in names or word.partition("=")[0] in names or (word[1] != "-" and word[:2] in names):
        return True
    return not (" " in word or word[1:].replace(".", "", 1).isdecimal())


def parser(verb: str, columns: int = 0) -> Parser:
    """The parser of a verb; `columns` is the width of its help, 0 where no terminal says it."""
    row = VERBS[verb]
    examples = "\n".join(f"  {example}" for example in row.examples)
    made = Parser(prog=f"iq {verb}" if verb != "search" else "iq", description=f"{row.purpose}\n\n{examples}", add_help=False, allow_abbrev=False,
                  formatter_class=partial(_Formatter, columns=columns))  # fmt: skip
    # argparse puts brackets around what may be left out; a verb without words shows none.
    wanted = row.words[1:-1] if row.words.startswith("[") else row.words
    made.add_argument("words", nargs="*", metavar=wanted, help=None if wanted else SUPPRESS)
    for group, flags in ((made, own(verb)), (made.add_argument_group("scope"), SCOPE), (made.add_argument_group("output"), OUTPUT)):
        for flag in flags:
            _add(group, flag)
    return made


def _add(group, flag: Flag) -> None:  # type: ignore[no-untyped-def]
    if not flag.takes:
        group.add_argument(flag.name, dest=flag.target, action="store_const", const=flag.sets, default=default(flag), help=flag.purpose)
    elif flag.many:
        group.add_argument(flag.name, dest=flag.target, action="append", default=default(flag), metavar=flag.takes, help=flag.purpose)
    else:
        group.add_argument(flag.name, dest=flag.target, type=_positive if flag.number else None, metavar=flag.takes, help=flag.purpose)


def _positive(text: str) -> int:
    if not text.isdecimal() or len(text) > DIGITS or int(text) < 1:
        raise ArgumentTypeError(f"'{brief(text)}' is no positive number (at most {DIGITS} digits)")
    return int(text)

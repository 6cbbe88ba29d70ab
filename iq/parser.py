"""argparse over the table of flags: for calls that are not in a common form, for what is wrong with them, and for help."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from functools import partial

from iq.errors import UsageError
from iq.flags import OUTPUT, SCOPE, Flag, default, own
from iq.verbs import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class _Formatter(RawDescriptionHelpFormatter):
    """As wide as the terminal says; the standard one imports shutil and four compressors to ask, once for every flag."""

    def __init__(self, prog: str, columns: int = 0) -> None:
        super().__init__(prog, width=max((columns or 80) - 2, 40))


class Parser(ArgumentParser):
    """Raises UsageError where argparse would exit."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see `iq {self.prog.rpartition(' ')[2]} --help`".replace("iq iq", "iq"))


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
    if not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(f"'{text}' is no positive number")
    return int(text)

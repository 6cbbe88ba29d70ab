"""The flags of a call: one table for every reader, and the reader of common forms.

argparse reads every call and explains a wrong one, but with what it imports it takes 8 ms, a third of what `iq find` may take beside
ripgrep. So what is plain to see is read here, and everything else by `iq.parser`, which is argparse over this table.
"""

from __future__ import annotations

from iq.frozen import dataclass
from iq.verbs import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag. `takes` names its value, or is empty where the flag stands for `sets`; `many` values are listed, a `number` is positive."""

    name: str
    target: str
    purpose: str
    takes: str = ""
    many: bool = False
    number: bool = False
    sets: object = True


SCOPE = (
    Flag("--in", "within", "only under this path (repeatable)", "PATH", many=True),
    Flag("--lang", "languages", "only this language (repeatable)", "L", many=True),
    Flag("--glob", "globs", "only paths that this gitignore-style glob matches (repeatable)", "G", many=True),
    Flag("--not-glob", "not_globs", "no paths that this glob matches (repeatable)", "G", many=True),
    Flag("--only", "only", "src, tests, docs, config, examples or history (repeatable)", "CLASS", many=True),
    Flag("--ignored", "ignored", "also what ignore files leave out (never secrets)"),
    Flag("--root", "root", "the workspace; else the nearest parent with .iq/ or .git", "DIR"),
)

OUTPUT = (
    Flag("--budget", "budget", "at most this many tokens (1500)", "N", number=True),
    Flag("--limit", "limit", "at most this many results", "N", number=True),
    Flag("-C", "context", "lines of context", "N", number=True),
    Flag("--files-only", "files_only", "only paths"),
    Flag("--count", "count", "only the number of results"),
    Flag("--full", "full", "everything, without a budget"),
    Flag("--json", "form", "one JSON object", sets="json"),
    Flag("--ndjson", "form", "one JSON object a result", sets="ndjson"),
    Flag("--after", "after", "continue behind this anchor", "ANCHOR"),
    Flag("--explain", "explain", "how the ranking came about"),
    Flag("--features", "features", "stages on or off, such as -bm25f", "SPEC"),
    Flag("--session", "session", "lines that were shown under this name are cited, not repeated", "ID"),
    Flag("--no-resident", "no_resident", "answer in this process; start and ask no resident engine"),
)

# What asks for help instead of an answer.
HELP = frozenset({"--help", "-h"})

# The form of an answer that no flag asks for.
FORM = "text"

# Longer numbers are left to argparse (digits).
DIGITS = 9


class Options:
    """What a call asks for, by the targets of its flags; `words` are the others. Both readers fill one."""

    words: list[str]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def own(verb: str) -> tuple[Flag, ...]:
    """The flags that a verb has for itself."""
    found = []
    for name, purpose in VERBS[verb].options:
        flag, _, value = name.partition("=")
        many = value.endswith("…")
        found.append(Flag(flag, flag[2:].replace("-", "_"), purpose + (" (repeatable)" if many else ""), value.removesuffix("…"), many))
    return tuple(found)


def known(verb: str) -> dict[str, Flag]:
    """Every flag that a verb knows, by its name."""
    return {flag.name: flag for flag in (*own(verb), *SCOPE, *OUTPUT)}


def before(words: Sequence[str]) -> Sequence[str]:
    """The words in front of a `--`: those that may be flags."""
    return words[: words.index("--")] if "--" in words else words


def default(flag: Flag) -> object:
    """What a flag that is not given leaves."""
    return [] if flag.many else FORM if flag.target == "form" else None if flag.takes else False


def read(verb: str, words: Sequence[str]) -> Options | None:
    """The options of a call in a common form; None leaves it to argparse, whether it is right or wrong."""
    flags = known(verb)
    options = Options()
    values = options.__dict__
    values |= {flag.target: default(flag) for flag in flags.values()}
    options.words = []
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            options.words.append(word)
            continue
        name, joined, value = word.partition("=")
        flag = flags.get(name)
        if flag is None or (joined and not (flag.takes and value)):
            return None
        if not flag.takes:
            values[flag.target] = flag.sets
            continue
        value = value if joined else next(rest, "-")
        if value == "--" or (not joined and value.startswith("-")):
            return None
        if flag.number and not (value.isascii() and value.isdigit() and len(value) <= DIGITS and int(value)):
            return None
        if flag.many:
            values[flag.target].append(value)
        else:
            values[flag.target] = int(value) if flag.number else value
    return options

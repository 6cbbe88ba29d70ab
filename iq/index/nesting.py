"""Could this source end the process that parses it? Two scanners write their stack of open strings past the buffer that tree-sitter gives them.

A string in an interpolation in a string, 83 deep in Perl (a segmentation fault) and 1,025 in Kotlin (an abort), found by asking all
grammars with some 150 openers, nested 1,100 deep. What is said here is an upper bound on that depth, cheap to find and seldom
reached: a source that reaches it is tried in a process of its own first.
"""

from __future__ import annotations

import re

# Depths that the grammars hold, with some room.
PERL, KOTLIN = 80, 1000

# Each level of Perl opens a bracket right behind a sigil, a name or a subscript. One that closes in the same line, around names, whole
# strings and such brackets, is no level that stays open, unless what closes it is the delimiter of a quote-like word. Of 1,782 files of
# Perl's library 10 reach the bound without those, 200 with them. The bracket stands first because it can be looked for quickly.
_PLAIN = r"""(?!(?:q[qrwx]?|m|s|y|tr)\b)\b\w+\b|[ \t$@%>,.:;=+*!&|()-]|(?<!\w)'[\w .:-]*'|(?<!\w)"[\w .:-]*\""""
_BODY = rf"(?:{_PLAIN}|\{{(?:{_PLAIN})*\}}|\[(?:{_PLAIN})*\])*"
_OPENED = tuple(re.compile(rf"{left}(?<=[^\s(]{left})(?!{_BODY}{right})".encode()) for left, right in ((r"\{", r"\}"), (r"\[", r"\]")))


def deep(language: str, source: bytes) -> bool:
    """Whether strings may be nested deeper than the grammar's scanner holds."""
    if language == "kotlin":
        return source.count(b"${") > KOTLIN
    return language == "perl" and _perl(source)


def _perl(source: bytes) -> bool:
    brackets = source.count(b"{") + source.count(b"[")
    # Counting bytes is many times faster than the expressions, and most files stop here.
    if brackets - sum(source.count(mark) for mark in (b" {", b" [", b"({", b"([", b"\n{")) < PERL:
        return False
    return sum(1 for pattern in _OPENED for _ in pattern.finditer(source)) >= PERL

"""Pasted code without a trace around it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iq.plan.artefacts.paste import Sighting
from iq.types import Frame

# Of the filled rows at least this share looks like code; prose with an example in it stays below. Set on the rows of
# tests/plan/test_classify.py and checked on the prose of every set in bench/datasets, where none may pass as code.
SHARE = 0.6

_CODE = re.compile(
    r"^(?:[})\]]+[;,)]*"
    r"|(?://|/\*|\*/|#include|#define|#if|#endif|@\w|<!--|<\?|\$\w+ = ).*"
    r"|(?:export |public |private |protected |static |async |pub |default |final |abstract )*"
    r"(?:def|class|func|fn|function|impl|struct|enum|trait|interface|namespace|package|module|const|let|var|type) [\w$<({\[*].*"
    r"|(?:import|from|use|using|require|include) [\w.{\"'<@*:].*"
    r"|(?:return|raise|throw|yield|await|break|continue|pass|else|try|finally|end|defer|goto|del|assert)\b.*[\w)\]}\"';:{]"
    r"|(?:if|for|while|switch|elif|else if|match|with|except|catch|case|unless|until|foreach)\b.*[:{)]"
    r"|export (?:default|\*|\{).*|.*[;{}]|.*(?:=>|->|:=) ?\(?.*|.*\w\([^()]*\)[;,:{)]*|[\w.$>\-:]+\(.*\)[;,:{)]*"
    r"|[\w.$*\[\]\"'>\-]+(?:: [\w\[\]., |<>]+)? (?:[-+*/|&%]|\?\?)?= .*|.*[(\[{,]"
    r"|</?[A-Za-z][^<>]*>.*|[\w\"'\-]+: \S.*,|[\"'][^\"']*[\"'][,:)\]].*|\.\w+\(.*)$"
)
_FENCE = re.compile(r"^\s*(?:```|~~~)[\w+\-]*\s*$")
# A sentence: five words with nothing between them that code would have.
_SENTENCE = re.compile(r"^[\"'(]?[A-Z]?[\w'\-]+,?(?: [\w'\"`\-(),/]+){4,}[.?!:]?$")

# Characters of one row that decide; more is data.
_LOOK = 300

# Rows that are taken of a longer paste: enough to find its place.
_ROWS = 400


def snippet(rows: Sequence[str]) -> Sighting:
    """The rows as one code frame, if they are code."""
    inner = [row for row in rows[:_ROWS] if not _FENCE.match(row)]
    while inner and not inner[0].strip():
        inner = inner[1:]
    while inner and not inner[-1].strip():
        inner = inner[:-1]
    filled = [row.strip()[:_LOOK] for row in inner if row.strip()]
    if not filled or _SENTENCE.match(filled[0]):
        return Sighting()  # words first: a question with an example
    telling = _without_comments(filled)
    code = sum(_code(row) for row in telling)
    if code < 2 or code < SHARE * len(telling):
        return Sighting()
    return Sighting("code", [Frame("", 0, "", tuple(inner), (), "code")], set(), list(filled))


def _without_comments(rows: Sequence[str]) -> list[str]:
    """The rows outside docstrings and comments, which are prose inside of code."""
    kept, end = [], ""
    for row in rows:
        if end:
            end = "" if end in row else end
            continue
        opened = next((mark for mark in ('"""', "'''", "/*") if row.startswith((mark, "r" + mark, "{" + mark))), "")
        if opened:
            closed = "*/" if opened == "/*" else opened
            end = closed if closed not in row[row.index(opened) + len(opened) :] else ""
        elif not row.startswith(("//", "# ")):
            kept.append(row)
    return kept


def _code(row: str) -> bool:
    return _SENTENCE.match(row) is None and _CODE.match(row) is not None

"""What kind of question is this: a path, a symbol, a regular expression or prose?"""

from __future__ import annotations

import re

from iq.index.languages import detect
from iq.index.tokens import identifiers
from iq.types import Query

# `src/app.py`, `lib/`, `*.toml`; a space makes it prose.
_PATH = re.compile(r"^[\w.@~+\-*\[\]]*(?:/[\w.@~+\-*\[\]]*)+$")
_FILE = re.compile(r"^[\w.@+\-*]+\.\w{1,10}$")

# `Command`, `parse_args`, `Class.method`, `ns::name`, `name()`.
_SYMBOL = re.compile(r"^[^\W\d][\w$]*(?:(?:\.|::|#|->)[^\W\d][\w$]*)*(?:\(\))?$")

# Characters that prose does not use this way.
_META = re.compile(r"\\[wdsbWDSB.(\[]|\.\*|\.\+|\[[^\]]+\][*+?]?|\(\?(?:[:=!<]|[a-zA-Z]+[):])|\w[+*]\??$|^\^|\$$|\w\|\w|[(){}\[\]]\|")


def classify(text: str) -> Query:
    """The kind of a question, from its form alone."""
    text = text.strip()
    if not text:
        return Query("empty", "")
    words = text.split()
    if len(words) == 1:
        if _PATH.match(text) and not text.startswith("//") and (text.count("/") > 1 or not text.startswith("/")):
            return Query("path", text)
        if _FILE.match(text) and (detect(text) or "*" in text):
            return Query("path", text)
        if _SYMBOL.match(text):
            return Query("symbol", text.removesuffix("()"), (text.removesuffix("()"),))
    if _META.search(text) and not text.endswith("?") and _compiles(text):
        return Query("regex", text)
    return Query("prose", text, tuple(identifiers(text)))


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True

"""From text to the terms that are indexed and asked for.

Words are runs of letters, digits and underscores in any script. An identifier is split at camel, snake and digit
borders; the parts and the whole (without its underscores, so `parse_args` meets `parseArgs`) are all terms. Terms are
lower case and, over three characters, Porter-stemmed. Stop words are dropped from queries only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import apsw

# Measured on the development sets: no stemming -.025 nDCG@10, no whole identifier -.013.
STEM_OVER = 3

# A term longer than this is data (a hash, a base64 run), not a word (characters).
MAX_TERM = 64

SURROGATE = re.compile("[\ud800-\udfff]")
WORD = re.compile(r"\w+")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# Words that frame a question and name nothing in code. Common words of a code base are found by their document
# frequency instead (see plan.legs.bm25), since every language and project has its own.
STOP = frozenset(
    """a an and are as at be been being but by can could did do does doing done for from get gets had has have how i if in into is it its
    me my of on or our out over should so some such than that the their them then there these they this those through to up use used uses
    using via was way we were what when where which while who whom whose why will with within without would you your""".split()  # noqa: SIM905
)


def _stemmer() -> Callable[[str], str]:
    """SQLite's own Porter stemmer, reached through the tokenizer that FTS5 ships."""
    porter = apsw.Connection(":memory:").fts5_tokenizer("porter", ["ascii", "tokenchars", "_"])

    def stem(word: str) -> str:
        found: Any = porter(word.encode("utf-8", "replace"), apsw.FTS5_TOKENIZE_DOCUMENT, None)
        return found[0][2] if found else word

    return stem


_stem = _stemmer()


def stem(word: str) -> str:
    """The Porter stem of a lower-case word over three characters; shorter words as they are."""
    return _stem(word) if len(word) > STEM_OVER else word


def parts(word: str) -> list[str]:
    """The parts of an identifier, lower case, unstemmed: `HTTPServer2` gives http, server, 2."""
    if word.isascii():
        return [part.lower() for part in PART.findall(word)]
    found, last = [], ""
    for letter in word:
        if letter == "_":
            last = ""
            continue
        digit, upper = letter.isdigit(), letter.isupper()
        if not last or digit != last.isdigit() or (upper and not last.isupper()):
            found.append("")
        found[-1] += letter.lower()
        last = letter
    return found


class _Expansion(dict[str, str]):
    """word -> its terms joined by spaces; a cache, since a code base has few distinct words."""

    # Entries before the cache starts anew: about 30 MB.
    LIMIT = 400_000

    def __missing__(self, word: str) -> str:
        if len(self) > self.LIMIT:
            self.clear()
        value = self[word] = " ".join(_terms(word))
        return value


def _terms(word: str) -> list[str]:
    found = parts(word)
    whole = word.replace("_", "").lower()
    if len(found) > 1 and len(whole) <= MAX_TERM:
        return [stem(whole), *(stem(part) for part in found if len(part) <= MAX_TERM)]
    return [stem(part) for part in found if len(part) <= MAX_TERM]


_EXPANSION = _Expansion()


def words(text: str) -> list[str]:
    """The words of a text, composed (NFC), so that one letter has one spelling; bytes of names that are no UTF-8 end a word."""
    return WORD.findall(text if text.isascii() else SURROGATE.sub(" ", unicodedata.normalize("NFC", text)))


def terms(text: str) -> str:
    """The terms of a text in order, joined by spaces, as the inverted index stores them."""
    expand = _EXPANSION.__getitem__
    return " ".join(filter(None, map(expand, words(text))))


def query_terms(text: str) -> list[str]:
    """The distinct terms of a question in order; stop words stay only where nothing else is left."""
    found = words(text)
    kept = [word for word in found if word.lower() not in STOP] or found
    return list(dict.fromkeys(term for word in kept for term in _EXPANSION[word].split()))


def identifiers(text: str) -> list[str]:
    """Words of a question that are written like code: with an underscore, inner capitals, or letters and digits."""
    found = [word for word in words(text) if not word.isdigit() and len(parts(word)) > 1]
    return list(dict.fromkeys(found))

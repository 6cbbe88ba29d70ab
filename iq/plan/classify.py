"""What kind of question is this: a path, a symbol, a regular expression, literal text, a pasted artefact or prose?"""

from __future__ import annotations

import re
from itertools import pairwise

from iq.index.languages import detect
from iq.index.tokens import identifiers
from iq.types import Query

# A question longer than this is cut before it is taken apart (characters); artefacts are read whole, up to MAX_PASTE.
MAX_QUERY = 20_000
MAX_PASTE = 4 << 20

# Nobody types a longer path, name or pattern (characters): beyond it a text is prose or a paste.
MAX_TYPED = 1000

# `src/app.py`, `lib/`, `*.toml`; a space makes it prose.
_PATH = re.compile(r"^~?[\w.@+\-*\[\]{},?]*(?:/[\w.@~+\-*\[\]{},?]*)+$")
_FILE = re.compile(r"^[\w.@+\-*]+\.(?:\w{1,10}|\{[\w,]+\})$")
_DOTFILE = re.compile(r"^\.[a-zA-Z][\w\-]*(?:\.\w+)*$")
_WINDOWS = re.compile(r"^(?:[A-Za-z]:\\|\.{1,2}\\)?[\w.@+\-]+(?:\\[\w.@+\-]+)+\\?$")

# `Command`, `parse_args`, `Class.method`, `ns::name`, `name()`.
_SYMBOL = re.compile(r"^[^\W\d][\w$]*(?:(?:\.|::|#|->)[^\W\d][\w$]*)*(?:\(\))?$")

# Markers that are lines to list, not names that something defines.
_MARKERS = frozenset({"TODO", "FIXME", "XXX", "HACK"})

# Characters that prose and code do not use this way.
_META = re.compile(
    r"\\[wdsbWDSB.(\[{]|\.\*|\.\+(?!\+)|\[\^?[^\]\s]-[^\]]*\]|\[[^\]]+\][*+?{]|\(\?(?:[:=!<]|[a-zA-Z]+[):])"
    r"|\w[*+]\??$|^\^\w|^\^\\|\w\$$|\w\|\w|[(){}\[\]]\||\w\{\d+(?:,\d*)?\}|\)[?*+](?:$|\W)"
)

_QUOTED = re.compile(r"^(?:\"([^\"]+)\"|'([^']+)'|`([^`]+)`)$")

# One line of code as it stands in a file.
_CODE_LINE = re.compile(r"^(?:#\s*include\b.*|@[\w.]+\(?.*|<[/!?A-Za-z][^<>]*>|[^?]*\w\([^?]*[)\]};:{,]|[^?]*[;{])$")
_ASKS = frozenset(
    ("what", "how", "where", "why", "who", "when", "which", "whose", "is", "are", "can", "could", "should", "does", "did", "was", "were", "will", "would",
     "explain", "show", "find", "list")
)  # fmt: skip

# Words that stand side by side in declarations, and those that part words in conditions: neither makes a sentence.
_DECLARE = frozenset(
    ("public", "private", "protected", "static", "final", "void", "async", "function", "export", "default", "const", "let", "var", "class", "def", "fn",
     "func", "pub", "int", "unsigned", "long", "struct", "enum", "interface", "abstract", "extern", "inline", "type", "import", "from", "new", "return",
     "in", "not", "is", "and", "or", "mut", "dyn", "impl", "where", "extends", "implements", "throws", "await", "yield", "as")
)  # fmt: skip

# Patterns that no sentence holds.
_STRONG = re.compile(r"\\[wdsbWDSB]|\(\?|\||\.\*\S|\[[^\]]+\][*+]")
_SQL = re.compile(r"^(?:select|insert into|update|delete from|create table|alter table|drop table)\s", re.IGNORECASE)

_EMAIL = re.compile(r"^[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+$")

# `a.b.c` is a chain of names, although C files end that way.
_CHAIN = re.compile(r"^[^\W\d]\w*(?:\.[^\W\d]\w*)+\.[a-z]$")

# Without one of these a text names no place, and a single row is no log line either.
_NAMES_PLACES = re.compile(r"[\n:(=]|#L\d|\", line ")

# Nobody types these; what holds them came out of a file or a terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")

# URLs and what else is one word but neither a path nor a name is looked for as it stands.
_URL = re.compile(r"^[a-z][a-z+.\-]*://\S+$", re.IGNORECASE)


def classify(text: str) -> Query:
    """The kind of a question, from its form alone."""
    pasted = text.rstrip()  # the first row of a hunk may begin with a blank
    text = text.strip()
    if not text:
        return Query("empty", "")
    typed = "\n" not in text and len(text) <= MAX_TYPED and _CONTROL.search(text) is None
    if typed and (found := _typed(text)) is not None:
        return found
    if _NAMES_PLACES.search(pasted) is not None:
        # Imported here: its expressions take 20 ms to compile, which a question in words need not pay.
        from iq.plan.artefacts.recognise import recognise

        if (paste := recognise(pasted[:MAX_PASTE])) is not None:
            return paste
    if typed and _is_code(text):
        return Query("literal", text, tuple(identifiers(text)))
    if (
        "\n" not in text
        and len(text) <= MAX_TYPED
        and _pattern(text)
        and not text.endswith("?")
        and not _SQL.match(text)
        and not (_sentence(text) and not _STRONG.search(text))
    ):
        return Query("regex", text)
    text = text[:MAX_QUERY]
    return Query("prose", text, tuple(identifiers(text)))


def _typed(text: str) -> Query | None:
    """A single word, or a phrase in quotes; None where the form of the whole must decide."""
    if (quoted := _QUOTED.match(text)) is not None:
        return Query("literal", quoted[1] or quoted[2] or quoted[3])
    if len(text.split()) > 1:
        return None
    if _PATH.match(text) and not text.startswith("//") and (text.count("/") > 1 or not text.startswith("/") or "." in text) and text.strip("/*"):
        return Query("path", text)
    if _WINDOWS.match(text) and (text[1:2] == ":" or not _escapes(text)):
        return Query("path", re.sub(r"^[A-Za-z]:", "", text).replace("\\", "/"))
    if _EMAIL.match(text):
        return Query("literal", text)
    if (_FILE.match(text) and (detect(text) or "*" in text) and not _CHAIN.match(text)) or _DOTFILE.match(text):
        return Query("path", text)
    if text in _MARKERS:
        return Query("literal", text)
    if _SYMBOL.match(text):
        return Query("symbol", text.removesuffix("()"), (text.removesuffix("()"),))
    return None


def _escapes(text: str) -> bool:
    r"""Whether backslashes look like those of a pattern, as in `return\sNone`, and not of a path, as in `src\shop\cart.py`."""
    if re.search(r"\\[wdsbWDSB](?:$|[\\+*.])|\w\\\.\w", text):
        return True
    return text.count("\\") == 1 and re.search(r"\\[wdsbWDSB]", text) is not None and not detect(text.rpartition("\\")[2])


def _is_code(text: str) -> bool:
    """Whether the text is to be found as it stands: a line of code, or one word that is neither path, name nor pattern."""
    words = text.split()
    if len(words) > 1:
        return words[0].lower() not in _ASKS and not _sentence(text) and not _pattern(text) and not _SQL.match(text) and _CODE_LINE.match(text) is not None
    if _URL.match(text):
        return True
    return not _pattern(text) and not text.endswith("?") and re.fullmatch(r"\w+(?:-\w+)*|\w+[!,.:;'’]\w*", text) is None


def _sentence(text: str) -> bool:
    """Whether plain words follow each other as in a sentence; two types and a name, or a condition, do not make one."""
    plain = [word.isalpha() and (at == 0 or word.lower() not in _DECLARE) for at, word in enumerate(text.split())]
    # After a scope as in `win: return what failed`, code's own words are words.
    if text.split()[0].endswith(":"):
        plain = [word.isalpha() for word in text.split()]
    return sum(left and right for left, right in pairwise(plain[1:])) >= 2 or (all(plain[:3]) and len(plain) > 3)


def _pattern(text: str) -> bool:
    return _META.search(text) is not None and _compiles(text)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True

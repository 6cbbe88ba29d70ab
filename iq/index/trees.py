"""Source to syntax tree, whatever the source: what would hang or crash a grammar is masked, bounded or refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from time import thread_time

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Tree
from tree_sitter_language_pack import SupportedLanguage, get_language

from iq.index import nesting, trial
from iq.index.languages import LANGUAGES

# A parse is given up after this much processor time (seconds; once, and again per MB). Real files take 0.05-0.3 s a MB; error
# recovery is quadratic in time and memory in some grammars: 100 kB of `[` cost Lua 30 s and 9 GB without the limit.
PARSE_SECONDS = 1.0
# The parser reads in slices because it can be stopped only then; a slice is copied whenever a query predicate reads a
# node's text, so it is small: 1 kB parses as fast as 64 kB and matches 15 times faster.
READ_BYTES = 1024
# A query on an error node is quadratic in its anonymous children (30 000 brackets: 0.7 s, 300 000: 98 s).
ERROR_CHILDREN = 30_000
# … and quadratic in the depth of the tree. Real files stay below 300 but for long chains of operators.
MAX_DEPTH = 1000
# Lines on which a grammar's scanner overruns its 1 KiB state and kills the process: more than 254 nested blocks. A nested block
# needs a column (in Markdown half a tab), so the start of the line tells. Seen in the test files of Markdown parsers.
OVERRUNS = {
    "yaml": re.compile(rb"^[ \t?:-]{240}", re.MULTILINE),
    "markdown": re.compile(rb"^(?=[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))(?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])){120}", re.MULTILINE),
}

# Words that a grammar cannot read, blanked before parsing. `YARD_API dock *dock_open(void)` loses its name to the macro, what follows
# a lone `__BEGIN_DECLS` its head, `class YARD_EXPORT Winch : Machine {` its members, and behind `PyObject_HEAD` a field is called
# `int`; a comment in a continued #define ends it; a lock annotation reads as a method. Each pattern opens with a literal or has a
# word to look for first: searched everywhere, they would cost a third of the parse.
EXPORTS = rb" +(?P<mask>(?=\w*(?:_|EXPORT|API|ABLE))[A-Z][A-Z0-9_]+)(?=\s+\w+(?:::\w+)*\s*(?:final\s*)?[:{])"
API = (b"", re.compile(rb"\n[ \t]*(?P<mask>[A-Z][A-Z0-9_]*(?:API|EXPORT|EXTERN|PUBLIC)[A-Z0-9_]*)(?= +\w)"))
DECLS = (b"_DECLS", re.compile(rb"\n(?P<mask>[A-Z_]*(?:BEGIN|END)_DECLS)\b"))
IN_DEFINE = (b"", re.compile(rb"(?P<mask>/\*[^\n]*?\*/)(?=[^\n]*\\\r?\n)"))
CLASS_API = (b"", re.compile(rb"class" + EXPORTS))
STRUCT_API = (b"", re.compile(rb"struct" + EXPORTS))
LOCKS = (b"GUARDED_BY", re.compile(rb"(?<!define )\b(?P<mask>[A-Z_]*(?:GUARDED_BY|LOCKS_REQUIRED|LOCKS_EXCLUDED|LOCK_FUNCTION)\([^()\n]*\))"))
QT = (b"Q_OBJECT", re.compile(rb"(?P<mask>Q_OBJECT)\s"))
MEMBERS = re.compile(rb"\n[ \t]+(?P<mask>[A-Za-z_]\w*_(?:HEAD|FIELDS))(?=[ \t]*(?:\\?\r?\n|/\*))")
HEADS, FIELDS = (b"_HEAD", MEMBERS), (b"_FIELDS", MEMBERS)
MASKS = {"c": (API, DECLS, IN_DEFINE, HEADS, FIELDS), "cpp": (API, DECLS, IN_DEFINE, HEADS, FIELDS, CLASS_API, STRUCT_API, LOCKS, QT)}

# A definition with two heads, one for each way to compile it: the grammars read neither, and lose the class or function around them.
# Of the two, the first is read. Heads are told by what they end with: a parenthesis, and what follows it up to the body.
HEADS_APART = re.compile(
    rb"\n(?P<open>[ \t]*#[ \t]*if[^\n]*)\n(?:[ \t]*[^\s#][^\n]*\n){0,12}?[^\n;{}]*[^\n;{}\s][ \t]*\r?\n"
    rb"(?P<other>[ \t]*#[ \t]*else\b[^\n]*\n(?:[ \t]*[^\s#][^\n]*\n){1,12}?[ \t]*#[ \t]*endif[^\n]*)(?=\s*(?:\{|where\b|=>|:))"
)
SPLIT = frozenset({"c", "cpp", "csharp"})

# A word that a grammar lacks, and one as long that it reads alike.
SWAPS = {"sql": (re.compile(rb"(?i)\bCREATE\s+(?:OR\s+\w+\s+)?(?P<swap>PROCEDURE)\b"), b"FUNCTION ")}

_careful = False

ASCII_ONLY = bytes(range(128)) + b"?" * 128


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a known language; LookupError where the pack has none."""
    name: SupportedLanguage = LANGUAGES[language].grammar  # type: ignore[assignment]
    return get_language(name)


def known(language: str) -> bool:
    """Whether there is a grammar for a language."""
    return language in LANGUAGES and bool(LANGUAGES[language].grammar)


def parse(language: str, source: bytes) -> Tree | None:
    """The syntax tree of UTF-8 `source`, or None where no grammar is known for `language` or it cannot cope."""
    if not known(language):
        return None
    if language == "perl" and not source.endswith(b"\n") and b"#" in source[source.rfind(b"\n") + 1 :]:
        # A word and a comment at the very end (`return # done`) are read for ever. Its last letter goes, so that offsets stay.
        source = source[:-1] + b"\n"
    if not bearable(language, source):
        return None
    for word, mask in MASKS.get(language, ()):
        if word in source:
            source = mask.sub(lambda found: found[0].replace(found["mask"], b" " * len(found["mask"])), source)
    if language in SPLIT and b"else" in source:
        source = HEADS_APART.sub(_first_head, source)
    if language in SWAPS:
        there, other = SWAPS[language]
        source = there.sub(lambda found: found[0].replace(found["swap"], other), source)
    return read(Parser(grammar(language)), source)


def _first_head(found: re.Match[bytes]) -> bytes:
    """Blanks of what belongs to the other head; lines and offsets stay."""
    text, start = bytearray(found[0]), found.start()
    for name in ("open", "other"):
        low, high = found.start(name) - start, found.end(name) - start
        text[low:high] = re.sub(rb"[^\r\n]", b" ", text[low:high])
    return bytes(text)


def bearable(language: str, source: bytes) -> bool:
    """Whether the grammar can be given `source` without ending the process; see `careful`."""
    if language in OVERRUNS and OVERRUNS[language].search(source):
        return False
    return trial.survives(language, source) if _careful or nesting.deep(language, source) else True


@contextmanager
def careful() -> Iterator[None]:
    """Meanwhile every source is tried in a process of its own first: one of those that are read has ended a process."""
    global _careful
    before, _careful = _careful, True
    try:
        yield
    finally:
        _careful = before


def hopeless(root: Node) -> bool:
    """Whether an error node is so wide that no query could be run on it in reasonable time."""
    if not root.has_error:
        return False
    return any(node.type == "ERROR" and node.child_count > ERROR_CHILDREN for node in (root, *root.children))


def read(parser: Parser, source: bytes) -> Tree | None:
    """What `parser` makes of `source` within the time limit, or None."""
    try:
        source.decode()
    except UnicodeDecodeError:
        # A predicate that reads such bytes crashes the process in py-tree-sitter 0.26; offsets must stay as they are.
        source = source.translate(ASCII_ONLY)
    # A run of NULs (a script with an archive behind it) is one token that Bash scans again at each byte.
    source = source.replace(b"\0", b" ")
    deadline = thread_time() + PARSE_SECONDS * (1 + len(source) / 1_000_000)
    try:
        return parser.parse(lambda at, _: source[at : at + READ_BYTES], progress_callback=lambda _, __: thread_time() > deadline)
    except ValueError:
        return None  # given up; the file is still searched as text

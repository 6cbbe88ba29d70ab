"""What can a user ask? One row a verb; `run(session, request)` returns an Answer."""

from __future__ import annotations

from iq.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """`module:function` is imported when the verb is called, so that no verb pays for another's libraries."""

    run: str
    words: str
    purpose: str
    examples: tuple[str, str]
    options: tuple[tuple[str, str], ...] = ()


VERBS: dict[str, Verb] = {
    "search": Verb(
        "search:run",
        "QUESTION",
        "answer a question of any kind: words, a name, a path, a pattern, a pasted trace; `-` reads it from stdin",
        ('iq "where are retries handled?"', "pytest 2>&1 | iq -"),
    ),
    "find": Verb(
        "find:run",
        "PATTERN",
        "every matching line, live and complete",
        ("iq find 'TODO|FIXME' --only src", "iq find --literal 'a[0]' --in lib"),
        (("--literal", "take the pattern as plain text"), ("--word", "match whole words only"), ("--case", "match letter case exactly")),
    ),
    "files": Verb(
        "files:run", "PATTERN", "files by fuzzy name", ("iq files parser", "iq files --exact 'src/**/*.py'"), (("--exact", "take the pattern as a glob"),)
    ),
    "def": Verb(
        "definitions:define", "NAME", "where a name is defined: name, Class.method, path::Name", ("iq def Command", "iq def src/click/core.py::Command.invoke")
    ),
    "refs": Verb(
        "refs:run",
        "NAME",
        "every use of a name, told apart by syntax",
        ("iq refs make_response", "iq refs make_response --kind call"),
        (("--kind=KIND", "only def, call, import, type, write, read, comment or string"),),
    ),
    "sym": Verb(
        "definitions:symbols",
        "PATTERN",
        "symbols by glob or fuzzy name",
        ("iq sym 'parse_*'", "iq sym Option --kind class"),
        (("--kind=KIND", "only symbols of this kind"),),
    ),
    "ast": Verb(
        "ast:run",
        "PATTERN",
        "code by structure: $X is one node, $$$ any number",
        ("iq ast 'raise $X($$$)' --lang python", "iq ast 'if err != nil { $$$ }' --lang go"),
    ),
    "outline": Verb("bodies:outline", "PATH", "a file's skeleton", ("iq outline src/click/core.py", "iq outline README.md")),
    "context": Verb("bodies:context", "PATH:LINE", "the definition around a line", ("iq context src/click/core.py:1200", "iq context src/app.py:40 -C 5")),
    "read": Verb("bodies:read", "NAME", "a body, live: NAME, PATH::NAME or PATH:12-40", ("iq read Command.invoke", "iq read src/click/core.py:12-40")),
    "impact": Verb(
        "impact:run",
        "[PATH…]",
        "what a change reaches: uncommitted work, or the files or PATH::NAME given",
        ("iq impact", "iq impact src/click/core.py::Command"),
        (("--diff=REV", "what differs from a revision, or between two (A..B)"),),
    ),
    "review": Verb(
        "review:run",
        "[]",
        "a change in the order it deserves reading, with the questions to ask",
        ("iq review", "iq review --diff main"),
        (("--diff=REV", "what differs from a revision, or between two (A..B)"),),
    ),
    "map": Verb(
        "map:run",
        "[]",
        "the repository's shape: central files with their signatures, inside the budget",
        ("iq map --budget 3000", "iq map --in src --html graph.html"),
        (("--html=FILE", "also draw the import graph as one page"),),
    ),
    "recent": Verb(
        "recent:run",
        "[PATTERN]",
        "what changed lately, uncommitted work first, at its lines of today",
        ("iq recent --since 2d", "iq recent 'TODO|FIXME' --since 3w --author ada"),
        (("--since=WHEN", "an age (2d, 3w, 6m, 1y), a date or a revision; 14d"), ("--author=A", "only commits by authors whose name or address holds this")),
    ),
    "log": Verb(
        "log:run",
        "PATTERN",
        "commits that add or remove a text, the history of a definition (PATH::Name, Class.method) or of a file (PATH)",
        ("iq log parse_args --since 1y", "iq log src/click/core.py::Command.invoke"),
        (
            ("--regex", "take the pattern as a regular expression"),
            ("--text", "take the words as text, even where they name a file or a definition"),
            ("--path=P", "only in files that this path or glob names, at any time"),
            ("--since=WHEN", "only commits after an age, a date or a revision"),
        ),
    ),
    "who": Verb(
        "who:run",
        "PATH[:LINE[-LINE]]",
        "who gave a line its text, who owns a file or a folder",
        ("iq who src/click/core.py:1200-1210", "iq who src/click/core.py"),
    ),
    "hotspots": Verb(
        "hotspots:run",
        "[PATH]",
        "files that are both branched and often changed: commits × branches",
        ("iq hotspots --since 6m --only src", "iq hotspots --lang python --html hotspots.html"),
        (("--since=WHEN", "an age, a date or a revision; 1y"), ("--html=FILE", "write a page with a zoomable tree map")),
    ),
    "index": Verb("index:run", "[status|embed|rebuild|drop]", "show, complete, rebuild or drop the index", ("iq index status", "iq index embed")),
    "models": Verb(
        "models:run",
        "[install|status|path]",
        "the models for meaning and verdict",
        ("iq models install", "iq models install --from DIR"),
        (("--from=PATH", "a wheel or a folder with models of your own"),),
    ),
}

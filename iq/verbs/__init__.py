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
        (
            ("--intent=NAME", "what the answer is for: implement, test, understand, configure, debug, history, usage, review, planning, one of your own, none"),
            ("--no-log", "do not keep the question in the local log"),
        ),
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
    "intent": Verb(
        "intents:run",
        "[list|show|use|add|rm|explain|suggest|revert …]",
        "what answers are for: the intents, and which one is in use",
        ("iq intent use debug", "iq intent add security --description 'what an attacker could reach' --only src"),
        (
            ("--description=TEXT", "add: one sentence that says what it is for"),
            ("--exemplar=TEXT…", "add: a question that is asked for this purpose"),
            ("--instruction=TEXT", "add: put before a question that is embedded"),
            ("--pattern=RE…", "add: an expression that speaks for a chunk; classes and places are --only and --glob"),
        ),
    ),
    "feedback": Verb(
        "feedback:give",
        "ANCHOR…",
        "mark places of the last answer as useful, or not",
        ("iq feedback src/app.py:12-40", "iq feedback README.md:1-9 --not-useful --intent understand"),
        (
            ("--not-useful", "the places did not help"),
            ("--intent=NAME", "the intent the question was asked under, if it ran without"),
            ("--query=WORDS", "the question that was answered, if not the last one"),
        ),
    ),
    "learn": Verb("feedback:learn", "[INTENT…]", "let the weights of intents follow the marks, where that is proven to help", ("iq learn", "iq learn debug")),
    "note": Verb(
        "notes:run",
        "TEXT",
        "keep a decision, a finding or a rule beside the code",
        ("iq note 'we rejected Postgres because of the licence' --intent planning", "iq note 'flaky on Windows' --intent debugging --at src/app.py:40"),
        (("--intent=NAME", "the phase that needs it: planning (default), debugging, reviewing, any intent"), ("--at=PATH:LINE", "the place it is about")),
    ),
    "impact": Verb(
        "impact:run",
        "[PATH…]",
        "what a change reaches: uncommitted work, or the files or PATH::NAME given",
        ("iq impact", "iq impact src/click/core.py::Command"),
        (("--diff=REV", "what differs from a revision, or between two (A..B)"),),
    ),
    "review": Verb(
        "review:run",
        "[PATH…]",
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
    "multi": Verb(
        "multi:run",
        "QUESTION…",
        "several calls in one, under one budget; `-` reads them from stdin, one a line",
        ("iq multi 'where are retries handled?' 'refs make_response' 'read Command.invoke'", "iq multi - < questions.txt"),
    ),
    "verify": Verb(
        "verify:run",
        "FILE",
        "do the paths, anchors and names that a written answer cites exist, where it says? `-` reads it from stdin",
        ("iq verify answer.md", "pbpaste | iq verify -"),
    ),
    "agent": Verb(
        "agent:run",
        "install|remove [FILE…]",
        "tell coding agents when to use iq, in their own files and MCP entries, or take that back",
        ("iq agent install", "iq agent remove"),
    ),
    "mcp": Verb("multi:run", "[]", "serve this workspace to a coding agent over MCP, on stdio or loopback HTTP", ("iq mcp", "iq mcp --http 8765"),
                (("--http=PORT", "serve streamable HTTP on this loopback port, 0 for any, instead of stdio"),)),
    "serve": Verb("serve:run", "[status|stop|start]", "the resident engine that answers faster", ("iq serve status", "iq serve stop")),
    "models": Verb(
        "models:run",
        "[install|status|path]",
        "the models for meaning and verdict",
        ("iq models install", "iq models install --from DIR"),
        (("--from=PATH", "a wheel or a folder with models of your own"),),
    ),
}

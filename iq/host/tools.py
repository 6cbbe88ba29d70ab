"""The tools of the MCP server: for each verb, the arguments a model may give, an example, and the command line they make."""

from __future__ import annotations

from collections.abc import Mapping

from iq.frozen import dataclass


class BadArguments(Exception):
    """Arguments that do not fit a tool; the message names the argument, the rule and an example."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: its JSON type (string, integer, boolean or strings), what it means, the flag it becomes; `word` is no flag."""

    kind: str
    meaning: str
    flag: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """`word` names the argument that becomes the verb's words, `needed` whether it must be there."""

    purpose: str
    word: str
    arguments: Mapping[str, Argument]
    example: Mapping[str, object]
    needed: bool = True
    writes: bool = False


CLASSES = ("src", "tests", "docs", "config", "examples", "history")

_SHARED = {
    "in": Argument("strings", "only under these paths", "--in"),
    "only": Argument("strings", "only these kinds of files", "--only", CLASSES),
    "lang": Argument("strings", "only these languages", "--lang"),
    "glob": Argument("strings", "only paths that these gitignore-style globs match", "--glob"),
    "budget": Argument("integer", "at most this many tokens of text; 1500", "--budget"),
    "limit": Argument("integer", "at most this many results", "--limit"),
    "after": Argument("string", "continue behind this anchor: the `more` of the answer before", "--after"),
}

_BUDGET = {name: _SHARED[name] for name in ("budget", "after")}

_KINDS = ("def", "call", "import", "type", "write", "read", "comment", "string")

TOOLS: dict[str, Tool] = {
    "search": Tool(
        "Answers a question about this workspace's code with ranked, live path:line anchors and the code under them. Takes prose, a name, a path, a pattern, "
        "or a pasted stack trace, failing test, compiler message, diff or log. Use it when you do not know the exact text to look for.",
        "question",
        {
            "question": Argument("string", "what you want to know, in words or as pasted"),
            "intent": Argument(
                "string",
                "what it is for",
                "--intent",
                ("implement", "test", "understand", "configure", "debug", "history", "usage", "review", "planning", "none"),
            ),
            **_SHARED,
        },
        {"question": "where are retries handled?", "intent": "debug"},
    ),
    "find": Tool(
        "Every line that a regular expression matches, live and complete, each with the definition around it.",
        "pattern",
        {
            "pattern": Argument("string", "a regular expression, or text with `literal`"),
            "literal": Argument("boolean", "take the pattern as plain text", "--literal"),
            "word": Argument("boolean", "match whole words only", "--word"),
            "case": Argument("boolean", "match letter case exactly", "--case"),
            "context": Argument("integer", "lines of context", "-C"),
            **_SHARED,
        },
        {"pattern": "TODO|FIXME", "only": ["src"]},
    ),
    "refs": Tool(
        "Every use of a name, told apart by syntax: definition, call, import, type, write, read, comment, string.",
        "name",
        {"name": Argument("string", "the identifier"), "kind": Argument("string", "only uses of this kind", "--kind", _KINDS), **_SHARED},
        {"name": "make_response", "kind": "call"},
    ),
    "def": Tool(
        "Where a name is defined.",
        "name",
        {"name": Argument("string", "name, Class.method or path::Name"), **_SHARED},
        {"name": "Command.invoke"},
    ),
    "read": Tool(
        "A definition's body or lines of a file, live.",
        "place",
        {"place": Argument("string", "NAME, PATH::NAME, PATH:12-40 or PATH"), **_BUDGET},
        {"place": "src/click/core.py:12-40"},
    ),
    "outline": Tool(
        "A file's skeleton: signatures with their lines.", "path", {"path": Argument("string", "a file"), **_BUDGET}, {"path": "src/click/core.py"}
    ),
    "context": Tool(
        "The definition around a line.",
        "place",
        {"place": Argument("string", "PATH:LINE"), "context": Argument("integer", "grow it by this many lines", "-C"), **_BUDGET},
        {"place": "src/click/core.py:1200"},
    ),
    "map": Tool(
        "The repository's shape: its central files with their signatures.",
        "",
        {name: _SHARED[name] for name in ("in", "budget")},
        {"budget": 3000},
        needed=False,
    ),
    "impact": Tool(
        "What a change reaches: dependents and tests of uncommitted work, or of the places given.",
        "place",
        {"place": Argument("string", "a file or PATH::NAME; without it, the uncommitted work"), "diff": Argument("string", "a revision", "--diff"), **_BUDGET},
        {"place": "src/click/core.py::Command"},
        needed=False,
    ),
    "recent": Tool(
        "What changed lately, uncommitted work first, at its lines of today.",
        "pattern",
        {
            "pattern": Argument("string", "only changed lines that this matches"),
            "since": Argument("string", "an age (2d, 3w, 1y), a date or a revision", "--since"),
            "author": Argument("string", "only by this author", "--author"),
            **_SHARED,
        },
        {"since": "2d"},
        needed=False,
    ),
    "who": Tool(
        "Who gave a line its text, who owns a file or folder.",
        "place",
        {"place": Argument("string", "PATH or PATH:LINE"), **_BUDGET},
        {"place": "src/app.py:40"},
    ),
    "hotspots": Tool(
        "Files that are both complex and often changed.",
        "path",
        {"path": Argument("string", "a folder"), "since": Argument("string", "an age, a date or a revision; 1y", "--since"), **_SHARED},
        {"since": "6m"},
        needed=False,
    ),
    "note": Tool(
        "Keeps a decision or finding as a text file in .iq/notes, where later questions find it.",
        "text",
        {
            "text": Argument("string", "the note"),
            "intent": Argument("string", "who needs it: planning, debugging, reviewing", "--intent"),
            "at": Argument("string", "PATH:LINE it is about", "--at"),
        },
        {"text": "we rejected X because of Y", "intent": "planning"},
        writes=True,
    ),
    "feedback": Tool(
        "Marks places of the last answer as useful, or not; weights follow only where that is proven to help.",
        "anchors",
        {
            "anchors": Argument("strings", "anchors of the answer, such as src/app.py:12-40"),
            "not_useful": Argument("boolean", "they did not help", "--not-useful"),
        },
        {"anchors": ["src/app.py:12-40"]},
        writes=True,
    ),
}


def schema(tool: Tool) -> dict[str, object]:
    """JSON Schema of a tool's arguments, with its example."""
    properties: dict[str, object] = {}
    for name, argument in tool.arguments.items():
        one: dict[str, object] = {"type": "string" if argument.kind == "strings" else argument.kind}
        if argument.values:
            one["enum"] = list(argument.values)
        if argument.kind == "integer":
            one["minimum"] = 1
        properties[name] = {**({"type": "array", "items": one} if argument.kind == "strings" else one), "description": argument.meaning}
    needed = [tool.word] if tool.needed and tool.word else []
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False, "examples": [tool.example]}


def words(name: str, given: Mapping[str, object]) -> tuple[str, ...]:
    """The command line of a call. Raises BadArguments where an argument is unknown, missing or of another type."""
    tool = TOOLS[name]
    for key in given:
        if key not in tool.arguments:
            raise BadArguments(f"unknown argument '{key}'; {name} takes {', '.join(tool.arguments)}; for example {dict(tool.example)}")
    if tool.needed and not given.get(tool.word):
        raise BadArguments(f"{name} needs '{tool.word}'; for example {dict(tool.example)}")
    flags: list[str] = []
    plain: list[str] = []
    for key, value in given.items():
        argument = tool.arguments[key]
        if value is None:
            continue
        values = _checked(name, key, argument, value)
        if key == tool.word:
            plain += values
        elif argument.kind == "boolean":
            flags += [argument.flag] if value else []
        else:
            flags += [part for one in values for part in (([f"{argument.flag}={one}"]) if argument.flag.startswith("--") else [argument.flag, one])]
    return (name, *flags, "--", *plain) if plain else (name, *flags)


def _checked(name: str, key: str, argument: Argument, value: object) -> list[str]:
    """The value as words."""
    kinds = {"string": str, "integer": int, "boolean": bool, "strings": list}
    right = isinstance(value, kinds[argument.kind]) and not (argument.kind == "integer" and isinstance(value, bool))
    if argument.kind == "strings" and isinstance(value, list):
        right = all(isinstance(one, str) for one in value)
    if not right:
        kind = {"strings": "a list of strings", "integer": "an integer"}.get(argument.kind, f"a {argument.kind}")
        raise BadArguments(f"{name}: '{key}' is {argument.meaning}, {kind}, not {str(value)[:60]!r}")
    values = [str(one) for one in value] if isinstance(value, list) else [str(value)]
    for one in values:
        if argument.values and one not in argument.values:
            raise BadArguments(f"{name}: '{key}' is one of {', '.join(argument.values)}, not '{one[:60]}'")
    return values

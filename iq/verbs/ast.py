"""`iq ast`: code by its structure, with ast-grep's patterns."""

from __future__ import annotations

import re
from contextlib import suppress

from iq.errors import UsageError
from iq.index import live, text
from iq.index.languages import detect
from iq.index.scope import language_names, matcher
from iq.index.session import Session
from iq.index.trees import bearable
from iq.index.walk import walk
from iq.types import Answer, Coverage, Item, Line, Request
from iq.verbs.window import after

# Names that ast-grep gives the languages it ships.
_GRAMMARS = frozenset(
    "bash c cpp csharp css elixir go haskell hcl html java javascript json kotlin lua nix php python ruby rust scala solidity swift tsx typescript yaml".split()  # noqa: SIM905
)

# Where a call that stands alone is read as a type or a declaration (`errors.New(x)`, `free(p)`), it is one inside a body.
_BODIES = {"go": "func _() {{ {} }}", "c": "void _(void) {{ {}; }}", "cpp": "void _() {{ {}; }}"}


def run(session: Session, request: Request) -> Answer:
    if not request.scope.languages:
        raise UsageError("iq ast needs the language of its pattern: add --lang python")
    names = language_names(request.scope.languages)
    unknown = names - _GRAMMARS
    if unknown:
        raise UsageError(f"no structural search in '{sorted(unknown)[0]}'; languages: {', '.join(sorted(_GRAMMARS))}")
    from ast_grep_py import Config, Pattern, Rule, SgRoot

    scope = session.resolved(request.scope)
    inside = matcher(scope)
    tree = walk(session.root, scope.ignored, session.workspace.tracked)
    items: list[Item] = []
    searched = refused = 0
    for path in tree.paths:
        language = detect(path)
        if language not in names or not inside(path, None, language):
            continue
        loaded = live.load(session.root, path)
        if loaded is None:
            continue
        if not bearable(language, loaded.source):
            refused += 1
            continue
        searched += 1
        rows = text.lines(loaded.content)
        root = SgRoot(loaded.content, language).root()
        try:
            nodes = root.find_all(pattern=request.text)
        except (RuntimeError, ValueError) as error:
            raise UsageError(f"pattern '{request.text}' is no {language} code: {str(error).partition(chr(10))[0]}") from error
        if language in _BODIES and _is_call(request.text):
            with suppress(RuntimeError, ValueError):  # what is no call there stays what it is alone
                context = _BODIES[language].format(request.text)
                nodes = [*nodes, *root.find_all(Config(rule=Rule(pattern=Pattern(context=context, selector="call_expression", strictness="smart"))))]
        seen: set[tuple[int, int]] = set()
        for node in nodes:
            start, end = node.range().start.line + 1, node.range().end.line + 1
            if (start, end) not in seen:
                seen.add((start, end))
                items.append(Item(path, start, end, "", "", tuple(Line(n, rows[n - 1]) for n in range(start, min(end, len(rows)) + 1))))
    items.sort(key=lambda item: (item.path, item.start, item.end))
    return Answer(
        "ast",
        request.text,
        "structure",
        tuple(after(items, request.output)),
        len(items),
        len({i.path for i in items}),
        Coverage(searched, {"nested too deep": refused} if refused else {}),
        unit="matches",
    )


def _is_call(pattern: str) -> bool:
    """Whether a pattern is one call and nothing else: its first bracket closes at its end."""
    pattern = pattern.strip()
    head, _, _ = pattern.partition("(")
    if not re.fullmatch(r"[\w$.:>*&-]+", head) or not pattern.endswith(")"):
        return False
    depth = 0
    for at, letter in enumerate(pattern):
        depth += (letter == "(") - (letter == ")")
        if not depth and at >= len(head):
            return at == len(pattern) - 1
    return False

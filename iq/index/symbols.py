"""Which definitions, comments and imports does a file hold?

Each language has one tree-sitter query, `queries/<name>.scm`. Its captures, all on one match:

    @name           the defined name                      @def.KIND   the whole definition (KIND from types.KINDS)
    @scope          a named block that is no definition itself but contains some (Rust `impl`, C++ out-of-line class)
    @container      the container's name where it is written in the definition (a Go receiver, C++ `A::f`)
    @body           where the body starts; the signature ends there
and, each alone: @comment, @import (the module as written), @inject.LANGUAGE (a region of another language).
Two matches on one name: the later pattern in the file wins, so put the specific pattern last.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, Range, Tree
from tree_sitter_language_pack import SupportedLanguage, get_language

from iq.index.languages import LANGUAGES
from iq.types import Symbol, Syntax

# A printed signature is cut here (characters): long enough for a full parameter list, short enough for an outline line.
SIGNATURE_LIMIT = 200
DOC_LIMIT = 160

# Parents that hold one definition together with its decorators or export keyword: the definition starts where they do.
WRAPPERS = frozenset(
    {
        "decorated_definition",
        "export_statement",
        "template_declaration",
        "ambient_declaration",
        "lexical_declaration",
        "variable_declaration",
        "declaration_with_attrs",
        "type_declaration",
    }
)

# What opens a comment or docstring in some language: Python string prefixes, slashes, stars, dashes, quotes.
MARKERS = re.compile(r"""^(?:[rRbBuUfF]{1,2}(?=["']))?[/*#\-;!%'"(|<]+\s*""")

# Siblings that may stand before a definition and belong to it.
ATTACHED = frozenset({"attribute_item", "inner_attribute_item", "attribute", "attribute_list", "decorator", "annotation", "marker_annotation"})

CLASSLIKE = frozenset({"class", "interface", "trait", "struct", "enum", "scope", "type"})


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    kind: str
    name: str
    node: Node
    name_node: Node
    container: str
    body: int


@lru_cache(maxsize=None)
def _grammar(language: str) -> Grammar:
    grammar: SupportedLanguage = LANGUAGES[language].grammar  # type: ignore[assignment]
    return get_language(grammar)


@lru_cache(maxsize=None)
def _query(language: str) -> Query | None:
    """The language's compiled query, or None where it has no query file."""
    if not LANGUAGES[language].grammar:
        return None
    resource = files("iq.index").joinpath("queries", f"{language}.scm")
    return Query(_grammar(language), resource.read_text("utf-8")) if resource.is_file() else None


def parse(language: str, source: bytes) -> Tree | None:
    """The syntax tree of UTF-8 `source`, or None where no grammar is known for `language`."""
    if language not in LANGUAGES or not LANGUAGES[language].grammar:
        return None
    return Parser(_grammar(language)).parse(source)


def extract(language: str, source: bytes, tree: Tree | None = None) -> Syntax:
    """Definitions, comments and imports of UTF-8 `source`; empty where the language has no query."""
    if language not in LANGUAGES or (query := _query(language)) is None:
        return Syntax()
    tree = tree or parse(language, source)
    if tree is None:
        return Syntax()
    return _read(language, query, source, tree.root_node)


def _read(language: str, query: Query, source: bytes, root: Node) -> Syntax:
    found: dict[tuple[int, int], tuple[int, _Found]] = {}
    comments: dict[tuple[int, int], Node] = {}
    imports: dict[tuple[int, int], tuple[str, int]] = {}
    injected: list[Syntax] = []
    for pattern, captures in QueryCursor(query).matches(root):
        name_nodes = captures.get("name")
        if name_nodes is None:
            for capture, nodes in captures.items():
                for node in nodes:
                    if capture == "comment":
                        comments[node.start_byte, node.end_byte] = node
                    elif capture == "import":
                        imports[node.start_byte, node.end_byte] = (_unquote(_text(source, node)), node.start_point[0] + 1)
                    elif capture.startswith("inject."):
                        injected.append(_inject(capture[7:], source, node))
            continue
        kind, node = _definition(captures)
        if node is None:
            continue
        for name_node in name_nodes:
            key = (name_node.start_byte, name_node.end_byte)
            if key in found and found[key][0] > pattern:
                continue
            container = captures.get("container")
            body = captures.get("body")
            found[key] = (
                pattern,
                _Found(
                    node.start_byte,
                    node.end_byte,
                    kind,
                    _unquote(_text(source, name_node)),
                    node,
                    name_node,
                    _unquote(_text(source, container[0])) if container else "",
                    body[0].start_byte if body else -1,
                ),
            )
    order = sorted((row for _, row in found.values()), key=lambda f: (f.start, -f.end, f.name_node.start_byte))
    symbols = _nest(language, source, order, comments)
    for extra in injected:
        symbols.extend(extra.symbols)
    spans = sorted(comments) + [span for extra in injected for span in extra.comments]
    used = sorted(imports.values(), key=lambda row: row[1]) + [row for extra in injected for row in extra.imports]
    return Syntax(tuple(sorted(symbols, key=lambda s: (s.line, -s.end, s.name_line, s.column))), tuple(sorted(spans)), tuple(used))


def _definition(captures: dict[str, list[Node]]) -> tuple[str, Node | None]:
    for capture, nodes in captures.items():
        if capture.startswith("def."):
            return capture[4:], nodes[0]
        if capture == "scope":
            return "scope", nodes[0]
    return "", None


def _inject(language: str, source: bytes, node: Node) -> Syntax:
    """Reads a region in another language in place, so that lines stay those of the whole file."""
    query = _query(language)
    if query is None:
        return Syntax()
    parser = Parser(_grammar(language))
    parser.included_ranges = [Range(node.start_point, node.end_point, node.start_byte, node.end_byte)]
    tree = parser.parse(source)
    return _read(language, query, source, tree.root_node) if tree else Syntax()


def _nest(language: str, source: bytes, order: list[_Found], comments: dict[tuple[int, int], Node]) -> list[Symbol]:
    """Gives each definition its container by nesting, its comments by adjacency; `order` is by start, outermost first."""
    before = {node.end_byte: node for node in comments.values()}
    starts = sorted(start for start, _ in comments)
    symbols: list[Symbol] = []
    stack: list[tuple[_Found, str]] = []
    for item in order:
        while stack and stack[-1][0].end <= item.start:
            stack.pop()
        parents = [(f, q) for f, q in stack if f.end >= item.end and f.name_node.start_byte != item.name_node.start_byte]
        container = item.container or (parents[-1][1] if parents else "")
        qualified = f"{container}.{item.name}" if container else item.name
        stack.append((item, qualified if item.kind != "scope" else (item.container or item.name)))
        if item.kind == "scope":
            continue
        kind = item.kind
        if kind == "function" and (item.container or (parents and parents[-1][0].kind in CLASSLIKE)):
            kind = "method"
        top, doc = _leading(source, item.node, before)
        symbols.append(
            Symbol(
                item.name,
                kind,
                top + 1,
                max(item.node.end_point[0] + (1 if item.node.end_point[1] else 0), item.name_node.start_point[0] + 1),
                item.name_node.start_point[0] + 1,
                item.name_node.start_point[1] + 1,
                container,
                _signature(source, item, starts),
                (_docstring(source, item) if language == "python" else "") or doc,
                _exported(language, source, item),
            )
        )
    return symbols


def _leading(source: bytes, node: Node, comments: dict[int, Node]) -> tuple[int, str]:
    """First row of a definition with its decorators and adjacent comments, and the first line of that comment."""
    while (parent := node.parent) is not None and parent.type in WRAPPERS and parent.start_byte <= node.start_byte and _only_child(parent, node):
        node = parent
    start, row = node.start_byte, node.start_point[0]
    doc = ""
    sibling = node.prev_sibling
    while True:
        gap = source.rfind(b"\n", 0, start) + 1
        if source[gap:start].strip():
            break  # something else stands on the same line
        end = start
        while end and source[end - 1] in b" \t\r\n":
            end -= 1
        comment = comments.get(end) or comments.get(end + 1)
        if comment is not None and source.count(b"\n", comment.end_byte, start) <= 1 and not _trailing(source, comment):
            start, row, doc = comment.start_byte, comment.start_point[0], _first_line(_text(source, comment)) or doc
            sibling = None
            continue
        if sibling is not None and sibling.type in ATTACHED and sibling.end_point[0] >= row - 1:
            start, row, sibling = sibling.start_byte, sibling.start_point[0], sibling.prev_sibling
            continue
        break
    return row, doc


def _only_child(parent: Node, node: Node) -> bool:
    """A wrapper counts only for the definition that it starts with, not for later ones in a list."""
    last = parent.named_child(parent.named_child_count - 1) if parent.named_child_count else None
    return last is not None and last.end_byte == node.end_byte


def _trailing(source: bytes, comment: Node) -> bool:
    """A comment behind code on its own line says nothing of the next line's definition."""
    start = comment.start_byte
    return bool(source[source.rfind(b"\n", 0, start) + 1 : start].strip())


def _signature(source: bytes, item: _Found, comments: list[int]) -> str:
    """The definition up to its body, or to the end of the name's line, or to a comment in between; on one line."""
    start, end = item.start, item.end
    body = item.body
    if body < 0:
        node = item.node.child_by_field_name("body")
        body = node.start_byte if node is not None else -1
    if body > start:
        end = body
    else:
        line = source.find(b"\n", item.name_node.end_byte)
        end = min(end, line if line >= 0 else end)
    at = bisect_left(comments, item.name_node.end_byte)
    if at < len(comments) and comments[at] < end:
        end = comments[at]
    text = " ".join(source[start:end].decode("utf-8", "replace").split())
    return (text[:SIGNATURE_LIMIT] + " …" if len(text) > SIGNATURE_LIMIT else text).rstrip("{ ")


def _docstring(source: bytes, item: _Found) -> str:
    body = item.node.child_by_field_name("body")
    first = body.named_child(0) if body is not None and body.named_child_count else None
    return _first_line(_text(source, first)) if first is not None and first.type == "string" else ""


def _first_line(comment: str) -> str:
    """The first line of a comment or docstring that says something, without its markers."""
    for line in comment.splitlines():
        text = MARKERS.sub("", line.strip()).rstrip("*/'\"->)|").strip()
        if any(letter.isalnum() for letter in text) and not text.startswith("!"):
            return text[:DOC_LIMIT]
    return ""


def _exported(language: str, source: bytes, item: _Found) -> bool:
    rule = LANGUAGES[language].exported
    if rule == "all":
        return True
    if rule == "underscore":
        return not item.name.startswith("_") or item.name.startswith("__")
    if rule == "capital":
        return item.name[:1].isupper()
    node = item.node
    while (parent := node.parent) is not None and parent.type in WRAPPERS:
        node = parent
    words = source[node.start_byte : item.name_node.start_byte].decode("utf-8", "replace").replace("(", " ").split()
    return rule[4:] not in words if rule.startswith("not ") else rule in words


def _text(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _unquote(text: str) -> str:
    return text.strip().strip("\"'`<>").strip()

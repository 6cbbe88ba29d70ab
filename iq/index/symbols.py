"""Which definitions, comments and imports does a file hold?

Each language has one tree-sitter query, `queries/<name>.scm`. Its captures, all on one match:

    @name           the defined name                      @def.KIND   the whole definition (KIND from types.KINDS)
    @scope          a named block that is no definition itself but contains some (Rust `impl`, C++ out-of-line class)
    @container      the container's name where it is written in the definition (a Go receiver, C++ `A::f`)
    @body           where the body starts; the signature ends there. It may stand behind the definition's node (Dart)
    @level          a heading's underline; its section then runs to the next heading of its level or a higher one
and, each alone: @comment, @import (as written, see index.imports), @package (that the file belongs to), @inject.LANGUAGE (a region of another language),
@export (a name that the file exports somewhere else than where it defines it).
Two matches on one name: the later pattern in the file wins, so put the specific pattern last. A variable or const
inside a function is a local and dropped. A line `; inherits NAME` puts that file's patterns before the file's own.
In a pattern, `(#set! prefix P)` is put before the name or import, `(#set! cut REGEX)` is cut out of it, `(#set! level N)` says
a heading's level outright, and `(#set! join clauses)` makes one definition of those that follow each other under one name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tree_sitter import Node, Parser, Query, QueryCursor, Range, Tree

from iq.frozen import replace
from iq.index.definition import CLASSLIKE, Found, node_text
from iq.index.doc import docstring, leading
from iq.index.exported import exported
from iq.index.imports import package, written
from iq.index.languages import LANGUAGES
from iq.index.signature import signature
from iq.index.trees import MAX_DEPTH, grammar, hopeless, parse, read
from iq.types import Import, Symbol, Syntax

QUOTES = frozenset({'""', "''", "``", "<>"})

# Languages that document a definition by a string inside it.
DOCSTRINGS = frozenset({"python", "graphql"})

# A variable or const directly inside one of these is a local.
CALLABLE = frozenset({"function", "method", "test", "route", "macro"})

INHERITS = re.compile(r"^; inherits ([\w/]+)$", re.MULTILINE)


@cache
def _query(language: str) -> Query | None:
    """The language's compiled query, or None where it has no query file."""
    if not LANGUAGES[language].grammar:
        return None
    patterns = _patterns(language)
    return Query(grammar(language), patterns) if patterns else None


def _patterns(language: str) -> str:
    resource = Path(__file__).parent / "queries" / f"{language}.scm"
    own = resource.read_text("utf-8") if resource.is_file() else ""
    return "".join(_patterns(other) for other in INHERITS.findall(own)) + own


def extract(language: str, source: bytes, tree: Tree | None = None) -> Syntax:
    """Definitions, comments and imports of UTF-8 `source`; empty where the language has no query."""
    if language not in LANGUAGES or (query := _query(language)) is None:
        return Syntax()
    tree = tree or parse(language, source)
    if tree is None or hopeless(tree.root_node):
        return Syntax()
    return _read(language, query, source, tree.root_node)


def _read(language: str, query: Query, source: bytes, root: Node) -> Syntax:
    found: dict[tuple[int, int], tuple[int, Found]] = {}
    comments: dict[tuple[int, int], Node] = {}
    imports: dict[tuple[int, int], list[Import]] = {}
    exports: set[str] = set()
    injected: list[Syntax] = []
    settings = [query.pattern_settings(pattern) for pattern in range(query.pattern_count)]
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(MAX_DEPTH)
    for pattern, captures in cursor.matches(root):
        name_nodes = captures.get("name")
        if name_nodes is None:
            for capture, nodes in captures.items():
                for node in nodes:
                    if capture == "comment":
                        comments[node.start_byte, node.end_byte] = node
                    elif capture == "import":
                        module = _named(node_text(source, node), settings[pattern])
                        imports[node.start_byte, node.end_byte] = written(language, source, node, module)
                    elif capture == "package":
                        imports[node.start_byte, node.end_byte] = package(language, source, node)
                    elif capture == "export":
                        exports.add(_unquote(node_text(source, node)))
                    elif capture.startswith("inject."):
                        injected.append(_inject(capture[7:], source, node))
            continue
        kind, whole = _definition(captures)
        if whole is None:
            continue
        node = whole
        for name_node in name_nodes:
            key = (name_node.start_byte, name_node.end_byte)
            if key in found and found[key][0] > pattern:
                continue
            container = captures.get("container")
            body = captures.get("body")
            level = captures.get("level")
            setting = settings[pattern]
            until = body[0] if body and body[0].end_byte > node.end_byte else node
            found[key] = (
                pattern,
                Found(
                    node.start_byte,
                    until.end_byte,
                    kind,
                    _named(node_text(source, name_node), setting),
                    node,
                    name_node,
                    _unquote(node_text(source, container[0])) if container else "",
                    body[0].start_byte if body else -1,
                    until.end_point[0] + (1 if until.end_point[1] else 0),
                    node_text(source, level[0])[:1] if level else setting.get("level") or "",
                    "join" in setting,
                ),
            )
    order = _joined(_sections([row for _, row in found.values()], root), source)
    symbols = _nest(language, source, order, comments, exports)
    for extra in injected:
        symbols.extend(extra.symbols)
    spans = sorted(comments) + [span for extra in injected for span in extra.comments]
    used = sorted((row for rows in imports.values() for row in rows), key=lambda row: row.line) + [row for extra in injected for row in extra.imports]
    return Syntax(tuple(sorted(symbols, key=lambda s: (s.line, -s.end, s.name_line, s.column))), tuple(sorted(spans)), tuple(used))


def _sections(rows: list[Found], root: Node) -> list[Found]:
    """All rows in order, outermost first; headings with a level hold what follows up to the next one that is not deeper.

    A level is a digit, or an underline's character, which ranks by its first use in the file (reStructuredText).
    """
    headings = sorted((row for row in rows if row.level), key=lambda row: row.start)
    marks = list(dict.fromkeys(row.level for row in headings))
    ends: dict[int, tuple[int, int]] = {}
    stack: list[tuple[int, int]] = []
    for row in headings:
        rank = int(row.level) if row.level.isdigit() else marks.index(row.level)
        while stack and stack[-1][0] >= rank:
            ends[stack.pop()[1]] = (row.start, row.node.start_point[0])
        stack.append((rank, row.start))
    final = (root.end_byte, root.end_point[0] + (1 if root.end_point[1] else 0))
    for at, row in enumerate(rows):
        if row.level:
            end, last = ends.get(row.start, final)
            rows[at] = replace(row, end=end, last=last)
    return sorted(rows, key=lambda row: (row.start, -row.end, row.name_node.start_byte))


def _joined(rows: list[Found], source: bytes) -> list[Found]:
    """The clauses of a function (Haskell, Erlang, Elixir), and its type declaration before them, as one definition."""
    kept: list[Found] = []
    latest: dict[tuple[str, str], int] = {}
    for row in rows:
        if row.joins:
            at = latest.get((row.kind, row.name))
            if at is not None and not source[kept[at].end : row.start].strip(b" \t\r\n;."):
                kept[at] = replace(kept[at], end=row.end, last=row.last)
                continue
            latest[row.kind, row.name] = len(kept)
        kept.append(row)
    return kept


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
    parser = Parser(grammar(language))
    parser.included_ranges = [Range(node.start_point, node.end_point, node.start_byte, node.end_byte)]
    tree = read(parser, source)
    return _read(language, query, source, tree.root_node) if tree and not hopeless(tree.root_node) else Syntax()


def _nest(language: str, source: bytes, order: list[Found], comments: dict[tuple[int, int], Node], exports: set[str]) -> list[Symbol]:
    """Gives each definition its container by nesting, its comments by adjacency; `order` is by start, outermost first."""
    before = {node.end_byte: node for node in comments.values()}
    starts = sorted(start for start, _ in comments)
    symbols: list[Symbol] = []
    stack: list[tuple[Found, str, bool]] = []
    for item in order:
        while stack and stack[-1][0].end <= item.start:
            stack.pop()
        # Names that share one declaration (`int a, b;`) have the same span: neither holds the other.
        parents = [row for row in stack if row[0].end >= item.end and (row[0].start, row[0].end) != (item.start, item.end)]
        kind = item.kind
        if kind == "field" and parents and parents[-1][0].kind in CALLABLE:
            # A constructor's parameter declares a field of the class; elsewhere it is part of a local.
            parents = [row for row in parents if row[0].kind not in CALLABLE]
            if not parents:
                continue
        outer, within, open_ = parents[-1] if parents else (None, "", False)
        if outer is not None and outer.kind in CALLABLE and (kind in ("variable", "const") or item.node.type == "declaration"):
            continue
        container = item.container or within
        if item.container and outer is not None and outer.kind == "module":
            container = f"{within}.{item.container}"
        qualified = f"{container}.{item.name}" if container else item.name
        visible = exported(language, source, item, outer is not None and open_, outer.kind if outer is not None else "")
        visible = visible or (outer is None and item.name in exports)
        stack.append((item, qualified if kind != "scope" else (item.container or item.name), visible))
        if kind == "scope":
            continue
        if kind == "function" and (item.container or (outer is not None and outer.kind in CLASSLIKE)):
            kind = "method"
        top, doc = leading(source, item.node, before)
        symbols.append(
            Symbol(
                item.name,
                kind,
                top + 1,
                max(item.last - _blank_rows(source, item.start, item.end), item.name_node.start_point[0] + 1),
                item.name_node.start_point[0] + 1,
                item.name_node.start_point[1] + 1,
                container,
                signature(source, item, starts),
                (docstring(source, item) if language in DOCSTRINGS else "") or doc,
                visible,
            )
        )
    return symbols


def _blank_rows(source: bytes, start: int, end: int) -> int:
    """How many of the last rows of a definition are empty: some grammars count the gap up to the next one."""
    text = end
    while text > start and source[text - 1] in b" \t\r\n":
        text -= 1
    rows = source.count(b"\n", text, end)
    return max(0, rows - 1) if end and source[end - 1] == 10 else rows


def _named(text: str, setting: Mapping[str, str | None]) -> str:
    cut = setting.get("cut")
    return (setting.get("prefix") or "") + _unquote(re.sub(cut, "", text) if cut else text)


def _unquote(text: str) -> str:
    """Without the quotes around it; an operator (`<$>`) and a name that ends in a quote (`foldl'`) stay whole."""
    text = text.strip()
    while len(text) > 2 and text[0] + text[-1] in QUOTES and text[0] not in text[1:-1] and (text[0] != "<" or any(map(str.isalnum, text))):
        text = text[1:-1].strip()
    return text

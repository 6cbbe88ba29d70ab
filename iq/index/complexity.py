"""How branched is code? Points at which it can go more than one way, counted from the syntax tree.

A definition counts every `if`, loop, `case`, handler, conditional expression and short-circuit operator inside it, nested
definitions included: its cyclomatic complexity less one (McCabe 1976). Each case of a switch counts, the default does not. A file
counts all of its branches once. Node types are told by their names, which grammars choose alike. Code in another language counts
the lines that stand deeper than the line before: how often its indentation grows (Hindle, Godfrey & Holt 2008 found that to follow
McCabe's number).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache

from tree_sitter import Query, QueryCursor, Tree

from iq.index.trees import MAX_DEPTH, grammar, hopeless
from iq.types import Symbol

# Nodes that branch, in any of the grammars below; a `switch` itself counts nothing, its cases do.
_BRANCHES = frozenset(
    {
        "if_statement", "if_expression", "if", "elif_clause", "elsif", "elseif_statement", "elseif_clause", "else_if_clause", "unless", "if_modifier",
        "unless_modifier", "while_modifier", "until_modifier", "conditional_statement", "if_clause", "guard_statement", "postfix_conditional_expression",
        "for_statement", "for_in_statement", "for_expression", "for_range_loop", "foreach_statement", "enhanced_for_statement", "for", "for_in_clause",
        "c_style_for_statement", "cstyle_for_statement", "while_statement", "while_expression", "while", "until", "loop_expression",
        "loop_statement", "do_statement", "do_while_statement", "repeat_statement", "repeat_while_statement", "postfix_loop_expression",
        "catch_clause", "except_clause", "except_group_clause", "rescue", "rescue_modifier", "catch_block", "catch_expression",
        "conditional_expression", "ternary_expression", "conditional",
        "case_clause", "switch_case", "expression_case", "communication_case", "type_case", "match_arm", "case_item", "when", "when_entry", "switch_entry",
        "switch_section", "switch_block_statement_group", "switch_rule", "case_statement", "match_conditional_expression", "switch_statement_case",
        "switch_expression_case",
    }
)  # fmt: skip
_OPERATORS = frozenset({"&&", "||", "and", "or", "??"})

# What the case begins with that is taken when no other is.
_OTHERWISE = (b"default", b"else")

# Names that mean something else in a language: Swift's `do` opens a block that may throw, Bash's is the whole `case`.
_OTHER = {"swift": frozenset({"do_statement"}), "bash": frozenset({"case_statement"})}

# Languages whose grammars use these names. Elsewhere (Lisps, ML, Scala and Julia, whose operators are names) indentation is counted.
COUNTED = frozenset(
    {
        "python", "javascript", "typescript", "tsx", "go", "rust", "java", "kotlin", "c", "cpp", "csharp", "ruby", "php", "swift", "lua", "bash",
        "dart", "r", "perl", "objc",
    }
)  # fmt: skip

# Languages in which nothing branches.
PLAIN = frozenset({"markdown", "rst", "text", "json", "yaml", "toml", "ini", "html", "css", "scss", "proto", "graphql", ""})


def measure(language: str, source: bytes, tree: Tree | None, rows: Sequence[str], symbols: Sequence[Symbol]) -> tuple[tuple[int, str, int], ...]:
    """(line, qualified name, branches) of each definition that branches, and of the file as line 0; empty where nothing does."""
    if language in PLAIN:
        return ()
    told = tree is not None and language in COUNTED and not hopeless(tree.root_node)
    lines = branch_lines(language, source, tree) if told and tree is not None else deeper(rows)
    if not lines:
        return ()
    found = [(0, "", len(lines))]
    for symbol in symbols:
        count = bisect_right(lines, symbol.end) - bisect_left(lines, symbol.line)
        if count:
            found.append((symbol.line, symbol.qualified, count))
    return tuple(found)


def branch_lines(language: str, source: bytes, tree: Tree) -> list[int]:
    """The line of each branch, in order."""
    query, cases = _query(language)
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(MAX_DEPTH)
    branches = cursor.captures(tree.root_node).get("branch", ())
    return sorted(node.start_point[0] + 1 for node in branches if not (node.kind_id in cases and source.startswith(_OTHERWISE, node.start_byte)))


@cache
def _query(language: str) -> tuple[Query, frozenset[int]]:
    """What captures the branches of a language, and the kinds of those that may be the case otherwise taken.

    A query walks the tree a fifth as long as a cursor does from Python.
    """
    found = grammar(language)
    named = _BRANCHES - _OTHER.get(language, frozenset())
    patterns: dict[str, None] = {}
    cases = set()
    for kind in range(found.node_kind_count):
        name = found.node_kind_for_id(kind) or ""
        if name.endswith(("case", "entry", "section", "group", "rule", "case_statement")):
            cases.add(kind)
        if found.node_kind_is_named(kind):
            if name in named and found.node_kind_is_visible(kind):
                patterns[f"({name}) @branch"] = None
        elif name in _OPERATORS:
            patterns[f'"{name}" @branch'] = None
    return Query(found, "\n".join(patterns)), frozenset(cases)


def deeper(rows: Sequence[str]) -> list[int]:
    """Lines that are indented deeper than the last line with text; a tab counts as four columns."""
    found, last = [], 0
    for number, row in enumerate(rows, 1):
        text = row.expandtabs(4)
        depth = len(text) - len(text.lstrip())
        if depth == len(text):
            continue
        if depth > last:
            found.append(number)
        last = depth
    return found

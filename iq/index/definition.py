"""One definition as a query finds it, and the syntax nodes around it that belong to it."""

from __future__ import annotations

from tree_sitter import Node

from iq.frozen import dataclass

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
        "const_declaration",
        "var_declaration",
    }
)

# Siblings that may stand before a definition and belong to it.
ATTACHED = frozenset(
    {"attribute_item", "inner_attribute_item", "attribute", "attribute_list", "decorator", "annotation", "marker_annotation", "unary_operator", "description"}
)

# Kinds that hold methods.
CLASSLIKE = frozenset({"class", "interface", "trait", "struct", "enum", "scope", "type"})


@dataclass(frozen=True, slots=True)
class Found:
    start: int
    end: int
    kind: str
    name: str
    node: Node
    name_node: Node
    container: str
    body: int
    last: int
    level: str
    joins: bool


def only_child(parent: Node, node: Node) -> bool:
    """A wrapper counts for its only definition, or the first of a list on the wrapper's own line; not for later ones."""
    before = node.prev_named_sibling
    if before is not None and before.type == node.type:
        return False
    if parent.start_point[0] == node.start_point[0]:
        return True
    last = parent.child(parent.child_count - 1)
    return last is not None and last.end_byte == node.end_byte


def node_text(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")

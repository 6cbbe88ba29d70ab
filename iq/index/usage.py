"""What is a name doing where it stands: def, call, import, type, write, read, comment or string?

Read from node types, whose names grammars choose alike (`call_expression`, `import_statement`, `type_annotation`, a field
`left`), so one set of rules serves every language.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from iq.frozen import dataclass
from iq.index.symbols import extract
from iq.index.text import Text
from iq.index.trees import parse

USES = ("def", "call", "import", "type", "write", "read", "comment", "string")

_STRING = ("string", "char_literal", "heredoc", "regex", "raw_text", "quoted")
_CODE_IN_STRING = ("interpolation", "substitution", "interpolated_expression", "expansion")
_IMPORT = ("import", "use_declaration", "preproc_include", "using_directive", "package_clause", "extern_crate", "namespace_use")
_MEMBER = (
    "attribute",
    "member",
    "field_expression",
    "selector",
    "scoped_",
    "navigation",
    "qualified",
    "scope_resolution",
    "dot",
    "index_expression",
    "generic_function",
)
_CALL = ("call", "invocation", "new_expression", "object_creation", "command", "message_expression", "constructor_invocation")
_CALLEE_FIELDS = ("function", "name", "method", "constructor", "type", "macro")
_ASSIGN = ("assign", "declarator", "let_", "update_expression", "short_var", "var_spec", "const_spec", "inc_statement", "dec_statement")
_TARGET_FIELDS = ("left", "pattern", "name", "target", "argument", "operand", "declarator")
# In these a name is spoken of, not used.
_PROSE = frozenset({"markdown", "rst", "text", "html", ""})
_LIMIT = 14


@dataclass(frozen=True, slots=True)
class Use:
    """One occurrence of a name: 1-based line and column, and what it does there."""

    line: int
    column: int
    kind: str


def uses(language: str, text: Text, name: str) -> list[Use]:
    """Every whole-word occurrence of `name`, in order; without a grammar all that is known is that it is read."""
    content = text.content
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", content)]
    if not places:
        return []
    tree = parse(language, text.source)
    syntax = extract(language, text.source, tree)
    defined = {(symbol.name_line, symbol.column) for symbol in syntax.symbols}
    found = []
    before, offset, line = 0, 0, 1
    for place in places:
        gap = content[before:place]
        offset += len(gap.encode("utf-8"))
        line += gap.count("\n")
        before = place
        start = text.source.rfind(b"\n", 0, offset) + 1
        column = offset - start + 1
        if any(low <= offset < high for low, high in syntax.comments):
            kind = "comment"
        elif (line, column) in defined:
            kind = "def"
        elif language in _PROSE:
            kind = "comment"
        elif tree is None:
            kind = "read"
        else:
            node = tree.root_node.descendant_for_byte_range(offset, offset + len(name.encode("utf-8")))
            kind = _kind(node) if node is not None else "read"
        found.append(Use(line, len(text.source[start:offset].decode("utf-8", "replace")) + 1, kind))
    return found


def _kind(node: Node) -> str:
    chain = [node]
    while len(chain) < _LIMIT and (parent := chain[-1].parent) is not None:
        chain.append(parent)
    for above in chain:
        if any(word in above.type for word in _CODE_IN_STRING):
            break
        if "comment" in above.type:
            return "comment"
        if any(word in above.type for word in _STRING) and above.is_named:
            return "string"
    if any(word in above.type for above in chain for word in _IMPORT):
        return "import"
    at = 0
    while at + 1 < len(chain) and any(word in chain[at + 1].type for word in _MEMBER) and chain[at].end_byte == chain[at + 1].end_byte:
        at += 1
    target, parent = chain[at], chain[at + 1] if at + 1 < len(chain) else None
    if parent is None:
        return "read"
    if any(word in parent.type for word in _CALL) and "argument" not in parent.type and _is_field(parent, target, _CALLEE_FIELDS):
        return "call"
    # `obj.name(…)` where the grammar puts object and name side by side in the call, as in Ruby, Java and PHP.
    if "type" in node.type or any("type" in above.type and "typed" not in above.type and "type_declaration" not in above.type for above in chain[1:4]):
        return "type"
    for above, below in zip(chain[at + 1 :], chain[at:], strict=False):
        if any(word in above.type for word in _ASSIGN):
            field = _field_of(above, below)
            first = above.named_child(0) if above.named_child_count else None
            if field in _TARGET_FIELDS or (field is None and first is not None and first.start_byte == below.start_byte and above.named_child_count > 1):
                return "write"
            return "read"
        if not any(word in above.type for word in ("list", "tuple", "pattern", *_MEMBER)):
            break
    return "read"


def _field_of(parent: Node, child: Node) -> str | None:
    for index in range(parent.child_count):
        if parent.child(index) == child:
            return parent.field_name_for_child(index)
    return None


def _is_field(parent: Node, child: Node, fields: tuple[str, ...]) -> bool:
    field = _field_of(parent, child)
    if field is not None:
        return field in fields
    first = parent.named_child(0)
    return first is not None and first == child

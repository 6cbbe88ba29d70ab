"""Which comments belong to a definition, and what does their first line say?"""

from __future__ import annotations

import re

from tree_sitter import Node

from iq.index.definition import ATTACHED, WRAPPERS, Found, node_text, only_child

# A printed first line is cut here (characters).
DOC_LIMIT = 160

# What opens a comment or docstring in some language: Python string prefixes, slashes, stars, dashes, quotes.
MARKERS = re.compile(r"""^(?:[rRbBuUfF]{1,2}(?=["'])|@\w*doc\s+(?:~[sS])?)?[/*#\-;!%'"(|<]+\s*""")

# Tags that only frame the text of a C# comment.
DOC_TAGS = re.compile(r"</?(?:summary|remarks|para|inheritdoc)\b[^>]*>")


def leading(source: bytes, node: Node, comments: dict[int, Node]) -> tuple[int, str]:
    """First row of a definition with its decorators and adjacent comments, and the first line of that comment."""
    while (parent := node.parent) is not None and parent.type in WRAPPERS and parent.start_byte <= node.start_byte and only_child(parent, node):
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
        if comment is not None and comment.start_byte < start and source.count(b"\n", comment.end_byte, start) <= 1 and not _trailing(source, comment):
            start, row, doc = comment.start_byte, comment.start_point[0], _first_line(node_text(source, comment)) or doc
            sibling = None
            continue
        if sibling is not None and sibling.type in ATTACHED and sibling.type != node.type and sibling.end_point[0] >= row - 1:
            start, row, sibling = sibling.start_byte, sibling.start_point[0], sibling.prev_sibling
            continue
        break
    return row, doc


def _trailing(source: bytes, comment: Node) -> bool:
    """A comment behind code on its own line says nothing of the next line's definition."""
    start = comment.start_byte
    return bool(source[source.rfind(b"\n", 0, start) + 1 : start].strip())


def docstring(source: bytes, item: Found) -> str:
    head = item.node.child(0) if item.node.child_count else None
    if head is not None and head.type == "description":
        return _first_line(node_text(source, head))
    body = item.node.child_by_field_name("body")
    first = body.named_child(0) if body is not None and body.named_child_count else None
    return _first_line(node_text(source, first)) if first is not None and first.type == "string" else ""


def _first_line(comment: str) -> str:
    """The first line of a comment or docstring that says something, without its markers."""
    for line in comment.splitlines():
        text = DOC_TAGS.sub("", MARKERS.sub("", line.strip())).rstrip("*/'\"->)|").strip()
        if any(letter.isalnum() for letter in text) and not text.startswith("!"):
            return text[:DOC_LIMIT]
    return ""

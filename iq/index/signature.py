"""A definition on one line: from its first keyword to its body."""

from __future__ import annotations

from bisect import bisect_left

from tree_sitter import Node

from iq.index.definition import ATTACHED, WRAPPERS, Found, only_child

# A printed signature is cut here (characters): long enough for a full parameter list, short enough for an outline line.
SIGNATURE_LIMIT = 200


def signature(source: bytes, item: Found, comments: list[int]) -> str:
    """The definition up to its body, or to the end of the name's line, or to a comment in between; on one line.

    Keywords in a wrapper on the same line belong to it (`export const`); annotations do not.
    """
    start, end = _after_annotations(item.node), item.end
    if start == item.start:
        node = item.node
        while (parent := node.parent) is not None and parent.type in WRAPPERS and only_child(parent, node):
            if (first := _after_annotations(parent)) > start or b"\n" in source[first:start]:
                break
            node, start = parent, first
    body = item.body
    if body < 0:
        inner = item.node.child_by_field_name("body")
        body = inner.start_byte if inner is not None else -1
    if body > start:
        end = body
    else:
        line = source.find(b"\n", item.name_node.end_byte)
        end = min(end, line if line >= 0 else end)
    at = bisect_left(comments, item.name_node.end_byte)
    if at < len(comments) and comments[at] < end:
        end = comments[at]
    text = " ".join(source[start:end].decode("utf-8", "replace").split())
    text = (text[:SIGNATURE_LIMIT] + " …" if len(text) > SIGNATURE_LIMIT else text).rstrip("{ ").removesuffix(" =")
    return text if item.name_node.start_byte < end else f"{text} … {item.name}"


def _after_annotations(node: Node) -> int:
    """Where the definition proper starts, in bytes: behind the annotations that its node includes."""
    first = node.child(0) if node.child_count else None
    if first is None or (first.type not in ATTACHED and first.type != "modifiers"):
        return node.start_byte
    for child in node.children:
        if child.type in ATTACHED or "comment" in child.type:
            continue
        if child.type == "modifiers" and child.named_child_count:
            keyword = next((word for word in child.children if word.type not in ATTACHED and "comment" not in word.type), None)
            if keyword is None:
                continue
            return keyword.start_byte
        return child.start_byte
    return node.start_byte

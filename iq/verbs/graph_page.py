"""The import graph as one page that needs no network: data and script are inside, names can only ever be text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from iq.index.graph import Graph
from iq.index.store import FileRow
from iq.plan.shape import ORDER

# Files drawn, the most central first: a browser lays out this many in a few seconds.
MOST = 4000

# Files without a link are drawn where there are few to look at; among more than these they are a cloud of dots that says nothing.
FEW = 200

# In HTML a script ends at its first `</script`, whatever the quotes around it; as escapes these say the same to JSON.
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def page(name: str, graph: Graph, ranks: Mapping[str, float], rows: Mapping[str, FileRow]) -> str:
    """The page for the files in `ranks`: code and what it imports; files that nothing links are left out first."""
    linked = {path for path in ranks if graph.out.get(path) or graph.into.get(path)}
    code = [path for path in ranks if path in linked or (rows[path].file_class == "src" and rows[path].lines)]
    order = sorted(linked if len(linked) > FEW else code, key=lambda path: (path not in linked, -ranks[path], path))[:MOST]
    at = {path: number for number, path in enumerate(order)}
    groups = [group for group in ORDER if any(rows[path].file_class == group for path in order)]
    nodes = [
        [_shown(path), round(ranks[path], 7), groups.index(rows[path].file_class) if rows[path].file_class in groups else 0, rows[path].lines] for path in order
    ]
    links = sorted({(at[edge.source], at[edge.target]) for path in order for edge in graph.out.get(path, ()) if edge.target in at})
    data = {"name": _shown(name), "groups": groups, "nodes": nodes, "links": links, "left": len(code) - len(order)}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for raw, escape in _ESCAPES.items():
        text = text.replace(raw, escape)
    return (Path(__file__).parent / "graph.html").read_text("utf-8").replace("@DATA@", text)


def _shown(path: str) -> str:
    """A path as text: bytes that are no UTF-8 as \\xNN, control and direction characters as escapes."""
    text = "".join(f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else c for c in path)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)

"""Languages whose modules are paths in another spelling: written with dots or colons, found by the end of the path."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from iq.index.resolve.view import Targets, View, ending, join, parent
from iq.types import Import

# language -> (what separates the parts of a module, endings that its file may have, in order)
SPELLING: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "lua": (".", (".lua", "/init.lua")),
    "haskell": (".", (".hs", ".lhs")),
    "perl": ("::", (".pm", ".pl")),
    "julia": ("", ("", ".jl")),
    "dart": ("", ("",)),
    "proto": ("", ("",)),
    "erlang": ("", ("", ".erl", ".hrl")),
    "bash": ("", ("", ".sh", ".bash")),
    "make": ("", ("",)),
    "cmake": ("", ("", ".cmake", "/CMakeLists.txt")),
    "zig": ("", ("",)),
    "rst": ("", ("",)),
    "hcl": ("", ("", "/main.tf")),
    "css": ("", ("", ".css", ".scss", ".sass")),
    "scss": ("", ("", ".scss", ".css", ".sass")),
    "html": ("", ("",)),
}

# Only these are searched by the end of the path; the others name a file by its place.
_ANYWHERE = frozenset({"lua", "haskell", "perl", "proto", "erlang", "dart"})


def resolver(view: View, language: str) -> Callable[[str, Import], Targets]:
    separator, ends = SPELLING[language]

    def resolve(source: str, row: Import) -> Targets:
        name = row.module.partition("?")[0]
        if "://" in name or name.startswith(("//", "data:", "$")):
            return None
        if language == "zig" and not name.endswith((".zig", ".zon")):
            return None
        if language == "dart" and name.startswith(("dart:", "package:")):
            if name.startswith("dart:"):
                return None
            package, _, rest = name.removeprefix("package:").partition("/")
            found = view.first((f"lib/{rest}",)) or ending(view, source, f"{package}/lib/{rest}")
            return (found,) if found else None
        tail = name.replace(separator, "/") if separator else name
        tails = [tail + end for end in ends]
        if language in ("scss", "css"):
            head, _, last = tail.rpartition("/")
            tails += [f"{head}/_{last}{end}".lstrip("/") for end in ends]
        if language == "hcl" and not name.startswith("."):
            return None
        if found := view.first(join(parent(source), each) for each in tails if each):
            return (found,)
        if found := view.first(each.lstrip("/") for each in tails):
            return (found,)
        if language in _ANYWHERE:
            for each in tails:
                if each and (best := ending(view, source, each.lstrip("./"))):
                    return (best,)
            return None
        return () if name.startswith(("./", "../")) else None

    return resolve

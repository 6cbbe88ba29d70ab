"""Go: an import path is a module's path and a folder in it; it means the folder's files, tests aside."""

from __future__ import annotations

import re
from collections.abc import Callable

from iq.index.resolve.view import Targets, View, join, parent
from iq.types import Import

_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
_REPLACE = re.compile(r"^\s*(?:replace\s+)?\"?([^\s\"()]+)\"?(?:\s+v\S+)?\s*=>\s*\"?(\.{1,2}/[^\s\"]*|\.{1,2})\"?", re.MULTILINE)


def resolver(view: View) -> Callable[[str, Import], Targets]:
    modules: list[tuple[str, str]] = []
    replaced: list[tuple[str, str, str]] = []
    for path in view.named.get("go.mod", ()):
        text, folder = view.read(path), parent(path)
        if match := _MODULE.search(text):
            modules.append((match[1], folder))
        for old, new in _REPLACE.findall(text):
            replaced.append((folder, old, join(folder, new)))
    modules.sort(key=lambda row: (-len(row[0]), row[1]))
    cache: dict[str, tuple[str, ...]] = {}

    def package(folder: str) -> tuple[str, ...]:
        if folder not in cache:
            cache[folder] = tuple(path for path in view.folders.get(folder, ()) if path.endswith(".go") and not path.endswith("_test.go"))
        return cache[folder]

    known: dict[tuple[str, str], Targets] = {}

    def resolve(source: str, row: Import) -> Targets:
        key = (parent(source), row.module)
        if key not in known:
            known[key] = look(source, row.module)
        return known[key]

    def look(source: str, name: str) -> Targets:
        if name == "C":
            return None
        if name.startswith(("./", "../")) or name in (".", ".."):
            return package(join(parent(source), name))
        for folder, old, new in replaced:
            if (name == old or name.startswith(old + "/")) and (not folder or source.startswith(folder + "/")):
                return package(f"{new}{name[len(old) :]}".strip("/"))
        for module, folder in modules:
            if name == module or name.startswith(module + "/"):
                found = package(f"{folder}{name[len(module) :]}".strip("/"))
                if found:
                    return found
        own = any(name == module or name.startswith(module + "/") for module, _ in modules)
        place = parent(source)
        while True:
            if found := package(f"{place}/vendor/{name}".lstrip("/")):
                return found
            if not place:
                return () if own else None
            place = parent(place)

    return resolve

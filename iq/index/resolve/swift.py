"""Swift: an import names a module, which is a target of a `Package.swift`, or a folder where there is none.

A module's files see each other without an import; `module_of` says which it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from iq.index.resolve.view import Targets, View, join, nearest, parent
from iq.types import Import

# A declaration of a target, up to its name; the kinds whose files Swift compiles.
_TARGET = re.compile(r"\.(target|executableTarget|testTarget|macro|plugin)\s*\(\s*name:\s*\"([^\"\n]+)\"")
_PATH = re.compile(r"\bpath:\s*\"([^\"\n]*)\"")

# Where a target lies that names no path.
_PLACES: Mapping[str, tuple[str, ...]] = {
    "testTarget": ("Tests", "Sources", "Source", "src", "srcs"),
    "plugin": ("Plugins", "Sources"),
}
_SOURCES = ("Sources", "Source", "src", "srcs")


def modules(view: View) -> dict[str, dict[str, list[str]]]:
    """name -> folder -> files of each module, the files of a target inside of another one counted for the inner one."""
    folders: dict[str, str] = {}
    for manifest in view.named.get("Package.swift", ()):
        text = view.read(manifest)
        found = list(_TARGET.finditer(text))
        for at, match in enumerate(found):
            until = found[at + 1].start() if at + 1 < len(found) else len(text)
            given = _PATH.search(text, match.end(), until)
            root = parent(manifest)
            places = [given[1].strip("/")] if given else [f"{place}/{match[2]}" for place in _PLACES.get(match[1], _SOURCES)]
            folder = next((full for place in places if (full := join(root, place) or root) in view.folders), None)
            if folder is not None:
                folders.setdefault(folder, match[2])
    files: dict[str, dict[str, list[str]]] = {}
    for path, language in view.languages.items():
        if language != "swift" or path.rpartition("/")[2] == "Package.swift":
            continue
        folder = parent(path)
        while folder and folder not in folders:
            folder = parent(folder)
        name = folders.get(folder, "")
        if not name:
            folder = _unnamed(path)
            name = folder.rpartition("/")[2]
        files.setdefault(name, {}).setdefault(folder, []).append(path)
    return files


def _unnamed(path: str) -> str:
    """The folder that stands for a module where no manifest says: the one below `Sources` or `Tests`, else the outermost."""
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts[:-1]):
        if part in ("Sources", "Tests"):
            return "/".join(parts[: at + 2])
    return parts[0] if parts else ""


def module_of(view: View) -> dict[str, str]:
    """path -> its module, told by its folder, since two packages may have a module of one name."""
    return {path: f"{name}\0{folder}" for name, folders in modules(view).items() for folder, paths in folders.items() for path in paths}


def resolver(view: View) -> Callable[[str, Import], Targets]:
    known = modules(view)

    def resolve(source: str, row: Import) -> Targets:
        name, _, inner = row.module.replace(" ", "").partition(".")
        folders = known.get(name) if name else None
        if not folders:
            return None
        folder = nearest(source, (f"{each}/" for each in folders))
        files = [path for path in folders[(folder or "").rstrip("/")] if path != source]
        if inner:  # `import struct Module.Name`
            files = [path for path in files if path in view.defined("swift").get(inner.partition(".")[0], ())]
        return tuple(files) or None

    return resolve

"""PHP: classes through composer's autoload rules, then by the namespace files declare; includes beside the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from iq.index.resolve.view import Targets, View, join, nearest, parent
from iq.types import Import


def resolver(view: View) -> Callable[[str, Import], Targets]:
    rules: list[tuple[str, str, bool]] = []
    for path in view.named.get("composer.json", ()):
        composer = view.json(path)
        for section in ("autoload", "autoload-dev"):
            block = composer.get(section)
            for kind in ("psr-4", "psr-0"):
                rows = block.get(kind) if isinstance(block, dict) else None
                for prefix, places in rows.items() if isinstance(rows, dict) else ():
                    for place in places if isinstance(places, list) else [places]:
                        if isinstance(place, str):
                            rules.append((str(prefix).strip("\\"), join(parent(path), place.rstrip("/") or "."), kind == "psr-0"))
    rules.sort(key=lambda row: (-len(row[0]), row))
    declared = view.packages.get("php", {})

    def autoloaded(name: str) -> Iterator[str]:
        for prefix, folder, old in rules:
            if not prefix or name == prefix or name.startswith(prefix + "\\"):
                rest = name if old else name[len(prefix) :].strip("\\")
                yield f"{folder}/{rest.replace(chr(92), '/')}.php".lstrip("/")

    def resolve(source: str, row: Import) -> Targets:
        if row.kind == "relative":
            tail = row.module.lstrip("/")
            found = view.first((join(parent(source), tail), join("", tail)))
            return (found,) if found else ()
        name = row.module.strip("\\")
        if found := view.first(autoloaded(name)):
            return (found,)
        namespace, _, last = name.rpartition("\\")
        files = declared.get(namespace, ())
        named = [path for path in files if path.rpartition("/")[2] == last + ".php"]
        if not named and files:
            inside = set(view.defined("php").get(last, ()))
            named = [path for path in files if path in inside]
        if best := nearest(source, named):
            return (best,)
        if name in declared:
            return None  # a namespace as a whole: its files are named where they are used
        return () if namespace and namespace in declared else None

    return resolve

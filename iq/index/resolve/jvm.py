"""Java, Kotlin, Scala and C#: names of packages, and the types in them.

A Java type lies in a file of its own name; Kotlin, Scala and C# files are found by the package they declare and the names
they define. An import of a whole package means all its files; a C# `using` does, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from iq.index.resolve.view import Targets, View, nearest, shared
from iq.types import Import

FAMILY = ("java", "kotlin", "scala")

# A package imported as a whole counts for its files in the importer's language and others, up to this many.
WHOLE = 400


def resolver(view: View) -> Callable[[str, Import], Targets]:
    declared: dict[str, list[str]] = {}
    for language in FAMILY:
        for name, paths in view.packages.get(language, {}).items():
            declared.setdefault(name, []).extend(paths)
    packages: dict[str, dict[str, list[str]]] = {name: {_stem(path): [] for path in paths} for name, paths in declared.items()}
    for name, paths in declared.items():
        for path in paths:
            packages[name][_stem(path)].append(path)
    tops = {".".join(name.split(".")[:2]) for name in declared if name}

    def defined(package: str, name: str) -> list[str]:
        files = set(declared[package])
        return [path for language in FAMILY for path in view.defined(language).get(name, ()) if path in files]

    def resolve(source: str, row: Import) -> Targets:
        parts = row.module.replace(" ", "").replace("\n", "").strip(".").split(".")
        if row.names == ("*",) and row.module in declared:
            files = [path for path in declared[row.module] if path != source]
            return tuple(sorted(files, key=lambda path: (-shared(source, path), path))[:WHOLE])
        # The longest prefix that is a package; what follows is a type, then its members.
        for cut in range(len(parts) - 1, 0, -1):
            package = ".".join(parts[:cut])
            if package not in declared:
                continue
            name = parts[cut]
            found = nearest(source, packages[package].get(name, ())) or nearest(source, defined(package, name))
            return (found,) if found else ()
        return () if ".".join(parts[:2]) in tops and len(parts) > 2 and row.module.rpartition(".")[0] in declared else None

    return resolve


def csharp(view: View) -> Callable[[str, Import], Targets]:
    declared: dict[str, Sequence[str]] = dict(view.packages.get("csharp", {}))

    def resolve(source: str, row: Import) -> Targets:
        name = row.module.replace(" ", "")
        if name in declared:
            files = [path for path in declared[name] if path != source]
            return tuple(sorted(files, key=lambda path: (-shared(source, path), path))[:WHOLE])
        namespace, _, last = name.rpartition(".")
        if namespace in declared:
            files = [path for path in declared[namespace] if _stem(path) == last]
            found = nearest(source, files) or nearest(source, set(declared[namespace]) & set(view.defined("csharp").get(last, ())))
            return (found,) if found else ()
        return None

    return resolve


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]

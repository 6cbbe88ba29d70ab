"""Java, Kotlin, Scala and C#: names of packages, and the types in them.

A Java type lies in a file of its own name; Kotlin, Scala and C# files are found by the package they declare and the names
they define. An import of a whole package means all its files; a C# `using` does, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from iq.index.resolve.view import Targets, View, nearest, parent, shared
from iq.types import Import

FAMILY = ("java", "kotlin", "scala")

# A package imported as a whole counts for its files in the importer's language and others, up to this many.
WHOLE = 400


def resolver(view: View) -> Callable[[str, Import], Targets]:
    declared: dict[str, list[str]] = {}
    own = {path: sorted(names, key=lambda name: (-name.count("."), name)) for path, names in clauses(view).items()}
    for language in FAMILY:
        for name, paths in view.packages.get(language, {}).items():
            # Scala's outer clauses say what a file sees; what it defines is in the innermost.
            if files := [path for path in paths if not any(other.startswith(name + ".") for other in own.get(path, ()))]:
                declared.setdefault(name, []).extend(files)
    packages: dict[str, dict[str, list[str]]] = {name: {_stem(path): [] for path in paths} for name, paths in declared.items()}
    for name, paths in declared.items():
        for path in paths:
            packages[name][_stem(path)].append(path)
    tops = {".".join(name.split(".")[:2]) for name in declared if name}

    def defined(package: str, name: str) -> list[str]:
        files = set(declared[package])
        return [path for language in FAMILY for path in view.defined(language).get(name, ()) if path in files]

    def resolve(source: str, row: Import) -> Targets:
        found = absolute(source, row)
        if found or view.languages.get(source) != "scala" or row.module.startswith("_root_."):
            return found
        # Scala's imports may begin with anything in scope: a package inside of the file's own, or a type of it.
        for package in own.get(source, ()):
            inner = absolute(source, Import(f"{package}.{row.module}", row.line, row.kind, row.names))
            if inner:
                return inner
        return found

    def absolute(source: str, row: Import) -> Targets:
        module = row.module.replace(" ", "").replace("\n", "").strip(".").removeprefix("_root_.").removesuffix(".given")
        row, parts = Import(module, row.line, row.kind, row.names), module.split(".")
        if row.names and row.module in declared:
            files = [path for path in declared[row.module] if path != source]
            return tuple(sorted(files, key=lambda path: (-shared(source, path), path))[:WHOLE])
        # The longest prefix that is a package; what follows is a type, then its members.
        for cut in range(len(parts) - 1, 0, -1):
            package = ".".join(parts[:cut])
            if package not in declared:
                continue
            name = parts[cut]
            found = nearest(source, packages[package].get(name, ())) or nearest(source, defined(package, name))
            if found:
                return (found,)
            # A package with other packages inside is open to those of other libraries: only a type is missed, and only below one's own name.
            return () if cut > 1 and name[:1].isupper() else None
        return () if ".".join(parts[:2]) in tops and len(parts) > 2 and row.module.rpartition(".")[0] in declared else None

    return resolve


def clauses(view: View) -> dict[str, frozenset[str]]:
    """path -> the packages whose definitions a Scala file sees: that of each of its clauses, and of a package object in it."""
    found: dict[str, set[str]] = {}
    for name, paths in view.packages.get("scala", {}).items():
        for path in paths:
            found.setdefault(path, set()).add(name)
    return {path: frozenset(names) for path, names in found.items()}


def csharp(view: View) -> Callable[[str, Import], Targets]:
    declared: dict[str, Sequence[str]] = dict(view.packages.get("csharp", {}))
    homes: dict[str, list[str]] = {}
    for name, paths in declared.items():
        for path in paths:
            homes.setdefault(path, []).extend(_around(name))

    def resolve(source: str, row: Import) -> Targets:
        if row.kind == "global":
            return None
        # Inside of a namespace an import may be written from there on.
        for before in ("", *(home + "." for home in sorted(homes.get(source, ()), key=lambda home: (-len(home), home)))):
            found = absolute(source, before + row.module.replace(" ", ""))
            if found:
                return found
        return None

    def absolute(source: str, name: str) -> Targets:
        if name in declared:
            files = [path for path in declared[name] if path != source]
            return tuple(sorted(files, key=lambda path: (-shared(source, path), path))[:WHOLE])
        namespace, _, last = name.rpartition(".")
        if namespace in declared:
            files = [path for path in declared[namespace] if _stem(path) == last]
            found = nearest(source, files) or nearest(source, set(declared[namespace]) & set(view.defined("csharp").get(last, ())))
            return (found,) if found else None
        return None

    return resolve


def _around(name: str) -> list[str]:
    """A namespace and those around it, whose types its files see too."""
    parts = name.split(".")
    return [".".join(parts[:cut]) for cut in range(1, len(parts) + 1)]


# `<Using Include="A.B" />` of a project is a global using of its files.
_USING = re.compile(r"<Using\s+Include=\"([\w.]+)\"")


def seen(view: View, rows: Mapping[str, Sequence[Import]]) -> dict[str, frozenset[str]]:
    """path -> the namespaces whose types a C# file names without an import of its own."""
    projects = {parent(path): path for path in view.languages if path.endswith(".csproj")}

    def project(path: str) -> str:
        folder = parent(path)
        while folder and folder not in projects:
            folder = parent(folder)
        return folder

    held: dict[str, set[str]] = {folder: set(_USING.findall(view.read(path))) for folder, path in projects.items()}
    for path, imports in rows.items():
        if view.languages.get(path) == "csharp":
            held.setdefault(project(path), set()).update(row.module.replace(" ", "") for row in imports if row.kind == "global")
    found: dict[str, set[str]] = {path: set(held.get(project(path), ())) for path, language in view.languages.items() if language == "csharp"}
    for name, paths in view.packages.get("csharp", {}).items():
        for path in paths:
            found.setdefault(path, set()).update(_around(name))
    return {path: frozenset(names) for path, names in found.items()}


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]

"""Rust: crates of a Cargo workspace, the modules `mod` items hang below their roots, and paths through both.

A path means the file of its deepest module; a name that a module re-exports (`pub use`) is followed to where it comes from
as long as modules are named, since the compiler does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import tomllib

from iq.index.resolve.view import Targets, View, join, parent
from iq.types import Import

# Re-exports are followed this many times: `pub use` cycles are legal.
HOPS = 8

_TARGETS = ("src/bin/", "tests/", "examples/", "benches/")


class _Crates:
    """The crates of a workspace: where their library starts, and what other crates their manifests call by which name."""

    def __init__(self, view: View) -> None:
        self.library: dict[str, str] = {}
        self.folders: list[str] = []
        self.names: dict[str, str] = {}
        self.renamed: dict[str, dict[str, str]] = {}
        self.roots: set[str] = set()
        for path in view.named.get("Cargo.toml", ()):
            try:
                manifest = tomllib.loads(view.read(path))
            except (tomllib.TOMLDecodeError, RecursionError):
                continue
            folder = parent(path)
            package = manifest.get("package")
            if not isinstance(package, dict):
                continue
            self.folders.append(folder)
            name = str(package.get("name", "")).replace("-", "_")
            library = manifest.get("lib")
            library = library if isinstance(library, dict) else {}
            root = join(folder, str(library.get("path", "src/lib.rs")))
            if root in view:
                self.library[str(library.get("name", name))] = root
                self.roots.add(root)
            self.names[folder] = str(library.get("name", name))
            self.renamed[folder] = dict(_renamed(manifest))
            for kind in ("bin", "test", "example", "bench"):
                rows = manifest.get(kind)
                for row in rows if isinstance(rows, list) else ():
                    if isinstance(row, dict) and isinstance(row.get("path"), str):
                        self.roots.add(join(folder, row["path"]))
            self.roots.update(join(folder, name) for name in ("src/main.rs", "build.rs"))
        self.folders.sort(key=lambda folder: (-len(folder), folder))
        for path in view.languages:
            if path.endswith(".rs"):
                owner = self.of(path)
                rest = path[len(owner) :].lstrip("/") if owner is not None else path
                if rest.startswith(_TARGETS) and (rest.count("/") == (2 if rest.startswith("src/bin/") else 1) or rest.endswith("/main.rs")):
                    self.roots.add(path)

    def of(self, path: str) -> str | None:
        return next((folder for folder in self.folders if not folder or path.startswith(folder + "/")), None)


def _renamed(manifest: Mapping[str, object]) -> list[tuple[str, str]]:
    """(name used in code, crate) of dependencies that `package = …` renames."""
    found = []
    for key in ("dependencies", "dev-dependencies", "build-dependencies"):
        rows = manifest.get(key)
        for name, row in rows.items() if isinstance(rows, dict) else ():
            if isinstance(row, dict) and isinstance(row.get("package"), str):
                found.append((str(name).replace("-", "_"), row["package"].replace("-", "_")))
    return found


def resolver(view: View, rows: Mapping[str, Sequence[Import]]) -> Callable[[str, Import], Targets]:
    crates = _Crates(view)
    children: dict[str, dict[str, str]] = {}
    above: dict[str, str] = {}
    exports: dict[str, list[Import]] = {}
    for path, imports in rows.items():
        for row in imports:
            if row.kind == "mod" and (child := _child(view, crates, path, row)):
                children.setdefault(path, {})[row.module] = child
                above.setdefault(child, path)
            elif row.kind == "export":
                exports.setdefault(path, []).append(row)
    roots: dict[str, str] = {}

    def root(path: str) -> str:
        if path not in roots:
            top, seen = path, {path}
            while top in above and above[top] not in seen and top not in crates.roots:
                top = above[top]
                seen.add(top)
            if top == path and path not in crates.roots and (folder := crates.of(path)) is not None:
                top = crates.library.get(crates.names[folder], path)
            roots[path] = top
        return roots[path]

    def step(file: str, inline: str, name: str, hops: int) -> tuple[str, str] | None:
        """The module `name` inside the module at (file, inline path): a file, an inline module, or one re-exported."""
        inner = f"{inline}::{name}" if inline else name
        if child := children.get(file, {}).get(inner):
            return child, ""
        if not inline and hops < HOPS:
            for row in exports.get(file, ()):
                if row.names == (name,) and row.module.rpartition("::")[2] != row.module:
                    found = walk(file, row.module, hops + 1)
                    if found is not None and found[1] and found[0] != file:
                        return found[0], ""
        return None

    def first(file: str, name: str) -> tuple[str, list[str]] | None:
        """Where a path that does not say `crate` or `self` starts."""
        if name in children.get(file, {}):
            return file, [name]
        folder = crates.of(file)
        if folder is not None:
            name = crates.renamed[folder].get(name, name)
            if name == crates.names[folder] and name in crates.library:
                return crates.library[name], []
        return (crates.library[name], []) if name in crates.library else None

    def walk(file: str, path: str, hops: int = 0) -> tuple[str, bool] | None:
        """The file of the deepest module, and whether the whole path is modules; None outside of the workspace."""
        parts = path.split("::")
        here: str | None = file
        if parts[0] == "crate" or parts[0] == "$crate":
            here, parts = root(file), parts[1:]
        elif parts[0] in ("self", "super"):
            while parts and parts[0] in ("self", "super"):
                if parts.pop(0) == "super":
                    here = above.get(here or "")
            if here is None:
                return "", False
        else:
            start = first(file, parts[0])
            if start is None:
                return None
            here, rest = start
            parts = rest + parts[1:]
        inline = ""
        for at, name in enumerate(parts):
            found = step(here, inline, name, hops)
            if found is not None:
                here, inline = found
            elif at + 1 < len(parts) and any(key.startswith(f"{inline}::{name}::" if inline else f"{name}::") for key in children.get(here, {})):
                inline = f"{inline}::{name}" if inline else name
            else:
                return here, False
        return here, True

    def resolve(source: str, row: Import) -> Targets:
        if row.kind == "mod":
            child = children.get(source, {}).get(row.module)
            return (child,) if child else ()
        if row.module in ("", "*"):
            return None
        found = walk(source, row.module)
        if found is None:
            return None
        return (found[0],) if found[0] else ()

    return resolve


def _child(view: View, crates: _Crates, path: str, row: Import) -> str | None:
    """The file of a `mod` item."""
    folder, _, name = path.rpartition("/")
    if row.names and row.names[0]:
        return view.first((join(folder, row.names[0]), join(f"{folder}/{name[:-3]}", row.names[0])))
    base = folder if path in crates.roots or name in ("mod.rs", "lib.rs", "main.rs") else f"{folder}/{name[:-3]}".lstrip("/")
    inner = row.module.replace("::", "/").replace("r#", "")
    places = [f"{base}/{inner}".lstrip("/")]
    if base == folder and path not in crates.roots:
        places.append(f"{folder}/{name[:-3]}/{inner}".lstrip("/"))
    return view.first(place + end for place in places for end in (".rs", "/mod.rs"))

"""Python: packages, relative imports, `src` layouts, namespace packages.

A module is looked for as the interpreter would, package before module before namespace, under each folder that may stand
on its path: those above the importing file that are no packages, then every folder that holds a top package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from iq.index.resolve.view import Targets, View, parent, shared
from iq.types import Import

# `test` is a package of the interpreter that nobody imports, and a common folder name.
STANDARD = frozenset(sys.stdlib_module_names) - {"test"}

# Folders that stand on the path by convention.
CONVENTIONAL = ("", "src", "lib", "python")


def resolver(view: View) -> Callable[[str, Import], Targets]:
    packages = {parent(path) for name in ("__init__.py", "__init__.pyi") for path in view.named.get(name, ())}
    roots = {folder for folder in CONVENTIONAL if folder in view.folders}
    for folder in packages:
        top = folder
        while parent(top) in packages and parent(top) != top:
            top = parent(top)
        roots.add(parent(top))
    for name in ("pyproject.toml", "setup.py", "setup.cfg"):
        for path in view.named.get(name, ()):
            roots.update(folder for folder in (parent(path), f"{parent(path)}/src".lstrip("/")) if folder in view.folders)
    orders: dict[str, list[str]] = {}

    def order(source: str) -> list[str]:
        folder = parent(source)
        if folder not in orders:
            above, place = [], folder
            while True:
                if place not in packages:
                    above.append(place)
                if not place:
                    break
                place = parent(place)
            rest = sorted(roots.difference(above), key=lambda root: (-shared(source, root + "/x"), root.count("/"), root))
            orders[folder] = above + rest
        return orders[folder]

    def file_of(base: str) -> str | None:
        return view.first((f"{base}/__init__.py", f"{base}.py", f"{base}/__init__.pyi", f"{base}.pyi"))

    def within(root: str, parts: list[str]) -> tuple[bool, str, str | None]:
        """Whether the first name is here at all, the path without suffix, and its file (None for a namespace or nothing)."""
        base, known = root, False
        for at, part in enumerate(parts):
            base = f"{base}/{part}".lstrip("/")
            file = file_of(base)
            if file is None and base not in view.folders:
                return known, "", None
            known = known or (at == 0 and file is not None)
        return known, base, file_of(base)

    def taken(base: str, file: str | None, names: tuple[str, ...]) -> tuple[str, ...]:
        """A submodule for each name that is one, and the module itself for the others."""
        found, rest = [], not names
        for name in names:
            child = file_of(f"{base}/{name}".lstrip("/")) if name != "*" and (file is None or file.endswith(("__init__.py", "__init__.pyi"))) else None
            if child is None:
                rest = True
            else:
                found.append(child)
        if rest and file is not None:
            found.insert(0, file)
        return tuple(dict.fromkeys(found))

    def resolve(source: str, row: Import) -> Targets:
        name = row.module.replace(" ", "").replace("\\\n", "")
        dots = len(name) - len(name.lstrip("."))
        parts = [part for part in name[dots:].split(".") if part]
        if dots:
            base = parent(source)
            for _ in range(dots - 1):
                if not base:
                    return ()
                base = parent(base)
            if not parts:
                return taken(base, view.first((f"{base}/__init__.py".lstrip("/"), f"{base}/__init__.pyi".lstrip("/"))), row.names)
            _, full, file = within(base, parts)
            return taken(full, file, row.names) if full else ()
        if not parts or parts[0] in STANDARD:
            return None
        ours = False
        for root in order(source):
            known, full, file = within(root, parts)
            if full and (targets := taken(full, file, row.names)):
                return targets
            ours = ours or known
        return () if ours else None

    return resolve

"""JavaScript and TypeScript: relative files and folders, tsconfig paths, packages of the workspace, `#` and `@/` names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from iq.index.resolve.tsconfig import configs, entries, packages
from iq.index.resolve.view import Targets, View, join, parent
from iq.types import Import

ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json")

# What a build writes in the place of what was written, by the compiler's own rule.
WRITTEN_AS = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts", ".d.mts"), ".cjs": (".cts", ".d.cts")}

# Folders of builds; their files come from `src`, which is what is in the tree.
_BUILT = re.compile(r"(?:^|/)(?:dist|lib|build|out|esm|cjs|es|umd|types|typings|\.)(?=/)")
_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")

ASSETS = (".css", ".scss", ".sass", ".less", ".svg", ".png", ".jpg", ".gif", ".html", ".txt", ".md", ".wasm", ".node", ".graphql", ".woff", ".woff2")


def resolver(view: View) -> Callable[[str, Import], Targets]:
    rules = configs(view)
    workspace = packages(view)
    manifests = dict(workspace.values())
    cache: dict[tuple[str, str], Targets] = {}

    def file_of(base: str) -> str | None:
        """The file of a path as an import writes it: exact, with an ending, as a folder."""
        if base in view.languages and base:
            return base
        for written, sources in WRITTEN_AS.items():
            if base.endswith(written) and (hit := view.first(base[: -len(written)] + end for end in sources)):
                return hit
        if base and (hit := view.first(base + end for end in ENDINGS)):
            return hit
        if base in view.folders:
            prefix = base + "/" if base else ""
            if f"{prefix}package.json" in view:
                for entry in entries(view.json(f"{prefix}package.json"), "."):
                    if (hit := source_of(base, entry)) is not None:
                        return hit
            return view.first(prefix + "index" + end for end in ENDINGS)
        return None

    def source_of(folder: str, entry: str) -> str | None:
        """The file in the tree behind one that a manifest publishes, which may exist only after a build."""
        place = join(folder, entry)
        exact = place if place in view else view.first(_as_written(place))
        if exact and not exact.endswith(".d.ts"):
            return exact
        inside = place[len(folder) :].lstrip("/") if folder else place
        stem = _SUFFIX.sub("", inside)
        candidates = [stem, _BUILT.sub("src", stem, count=1)]
        peeled = stem
        while (match := _BUILT.match(peeled)) is not None:
            peeled = peeled[match.end() :].lstrip("/")
            candidates += [f"src/{peeled}", peeled]
        for candidate in candidates:
            base = f"{folder}/{candidate}".strip("/")
            if hit := view.first(base + end for end in ENDINGS if end not in (".json", ".d.ts")):
                return hit
        return exact

    def mapped(source: str, name: str) -> Iterator[str]:
        """Places that the nearest tsconfig gives for a name."""
        place = parent(source)
        while True:
            if (paths := rules.get(place)) is not None:
                for pattern, places in paths.rules:
                    head, star, tail = pattern.partition("*")
                    if pattern == name:
                        yield from places
                    elif star and name.startswith(head) and name.endswith(tail) and len(name) >= len(head) + len(tail):
                        middle = name[len(head) : len(name) - len(tail)] if tail else name[len(head) :]
                        yield from (target.replace("*", middle, 1) for target in places)
                if paths.base is not None:
                    yield join(paths.base, name)
                return
            if not place:
                return
            place = parent(place)

    def packaged(name: str) -> Targets:
        parts = name.split("/")
        for cut in (2, 1):
            owner = "/".join(parts[:cut])
            if owner not in workspace:
                continue
            folder, manifest = workspace[owner]
            subpath = "./" + "/".join(parts[cut:]) if len(parts) > cut else "."
            for entry in entries(manifest, subpath):
                if (hit := source_of(folder, entry)) is not None:
                    return (hit,)
            rest = "/".join(parts[cut:])
            for base in (f"{folder}/{rest}", f"{folder}/src/{rest}" if rest else f"{folder}/src/index"):
                if (hit := file_of(base.strip("/"))) is not None:
                    return (hit,)
            return ()
        return None

    def private(source: str, name: str) -> Targets:
        """`#name`, which the importing package's own manifest maps."""
        place = parent(source)
        while True:
            imports = manifests.get(place, {}).get("imports") if place in manifests else None
            if isinstance(imports, dict):
                for entry in entries({"exports": {"." + str(key): value for key, value in imports.items()}}, "." + name):
                    if (hit := source_of(place, entry)) is not None:
                        return (hit,)
                return ()
            if not place:
                return None
            place = parent(place)

    def look(source: str, name: str) -> Targets:
        if name.startswith((".", "/")):
            base = join(parent(source), name) if name.startswith(".") else join("", name)
            if base == "" and name.startswith(".") and name.rstrip("/").count("..") > parent(source).count("/") + bool(parent(source)):
                return None
            hit = file_of(base) or (source_of("", base) if name.startswith(".") else None)
            if hit is not None:
                return (hit,)
            return None if base.endswith(ASSETS) or name.startswith("/") else ()
        for target in mapped(source, name):
            if (hit := file_of(target)) is not None:
                return (hit,)
        if name.startswith("#") and (found := private(source, name)) is not None:
            return found
        if (found := packaged(name)) is not None:
            return found
        if name.startswith(("@/", "~/", "$lib/", "src/")):
            rest = name.partition("/")[2]
            place = parent(source)
            while True:
                folders = ("src/lib", "lib") if name.startswith("$lib/") else ("src", "", "app")
                for folder in folders:
                    if (hit := file_of("/".join(part for part in (place, folder, rest) if part))) is not None:
                        return (hit,)
                if not place:
                    return None if name.startswith("src/") else ()
                place = parent(place)
        return None

    def resolve(source: str, row: Import) -> Targets:
        name = row.module.partition("?")[0].partition("!")[0] if not row.module.startswith("#") else row.module
        if "://" in name or name.startswith(("node:", "data:", "npm:", "jsr:", "//")) or not name:
            return None
        key = (parent(source), name)
        if key not in cache:
            cache[key] = look(source, name)
        return cache[key]

    return resolve


def _as_written(place: str) -> Iterator[str]:
    for written, sources in WRITTEN_AS.items():
        if place.endswith(written):
            yield from (place[: -len(written)] + end for end in sources)

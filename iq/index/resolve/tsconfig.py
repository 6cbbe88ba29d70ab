"""What tsconfig.json and package.json say about names that are no relative paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from iq.index.resolve.view import View, join, parent

# `extends` is followed this many times: a cycle is an error for the compiler and an end for us.
EXTENDS = 8

# Which of several builds a package's `exports` offers is the source: own conditions first, then those of the standard.
_LAST = ("types", "import", "module", "require", "node", "browser", "deno", "worker", "default")


@dataclass(frozen=True, slots=True)
class Paths:
    """`rules` maps a pattern to the places it stands for, longest prefix first; `base` is where bare names start."""

    rules: tuple[tuple[str, tuple[str, ...]], ...] = ()
    base: str | None = None


def configs(view: View) -> dict[str, Paths]:
    """Folder of a tsconfig.json or jsconfig.json -> its path rules, those of `extends` included."""
    found: dict[str, Paths] = {}
    for name in ("jsconfig.json", "tsconfig.base.json", "tsconfig.json"):
        for path in view.named.get(name, ()):
            paths = _read(view, path, 0)
            if paths.rules or paths.base is not None or name != "tsconfig.base.json":
                found[parent(path)] = paths
    return found


def _read(view: View, path: str, depth: int) -> Paths:
    config = view.json(path)
    inherited = Paths()
    extends = config.get("extends")
    for other in extends if isinstance(extends, list) else [extends]:
        if isinstance(other, str) and depth < EXTENDS and (base := _extended(view, path, other)):
            inherited = _read(view, base, depth + 1)
    if not (config.get("compilerOptions")) and (refs := config.get("references")) and isinstance(refs, list) and depth < EXTENDS:
        # A solution file only lists projects (`tsconfig.app.json`): theirs are the rules for the files beside it.
        for ref in refs:
            place = ref.get("path") if isinstance(ref, dict) else None
            if isinstance(place, str) and place.endswith(".json") and (target := join(parent(path), place)) in view and target != path:
                child = _read(view, target, depth + 1)
                if child.rules:
                    return child
    options = config.get("compilerOptions")
    options = options if isinstance(options, dict) else {}
    folder = parent(path)
    base_url = options.get("baseUrl")
    base = join(folder, base_url) if isinstance(base_url, str) and base_url not in (".", "./") else folder if isinstance(base_url, str) else inherited.base
    rules = inherited.rules
    paths = options.get("paths")
    if isinstance(paths, dict):
        start = base if base is not None else folder
        rules = tuple(
            sorted(
                (
                    (pattern, tuple(join(start, place) for place in places if isinstance(place, str)))
                    for pattern, places in paths.items()
                    if isinstance(places, list)
                ),
                key=lambda rule: (-len(rule[0].partition("*")[0]), rule[0]),
            )
        )
    return Paths(rules, base)


def _extended(view: View, path: str, other: str) -> str | None:
    if other.startswith("."):
        place = join(parent(path), other)
        return view.first((place, place + ".json", place + "/tsconfig.json"))
    name = other if other.endswith(".json") else other + "/tsconfig.json"
    tail = name.split("/", 2)[-1] if name.startswith("@") else name.partition("/")[2]
    return next((hit for hit in view.named.get(name.rpartition("/")[2], ()) if hit.endswith("/" + tail) and hit != path), None)


def packages(view: View) -> dict[str, tuple[str, Mapping[str, object]]]:
    """Name of a package of the workspace -> its folder and manifest."""
    found: dict[str, tuple[str, Mapping[str, object]]] = {}
    for path in sorted(view.named.get("package.json", ()), key=lambda path: (path.count("/"), path)):
        manifest = view.json(path)
        name = manifest.get("name")
        if isinstance(name, str) and name:
            found.setdefault(name, (parent(path), manifest))
    return found


def entries(manifest: Mapping[str, object], subpath: str) -> Iterator[str]:
    """Files that `exports` (or `main` and its like) give for a subpath, `.` being the package itself."""
    exports = manifest.get("exports")
    if exports is not None:
        if not isinstance(exports, dict) or not any(str(key).startswith(".") for key in exports):
            exports = {".": exports}
        for pattern in sorted(exports, key=lambda key: (-len(str(key).partition("*")[0]), str(key))):
            head, star, tail = str(pattern).partition("*")
            if pattern == subpath:
                yield from leaves(exports[pattern])
            elif star and subpath.startswith(head) and subpath.endswith(tail) and len(subpath) >= len(head) + len(tail):
                middle = subpath[len(head) : len(subpath) - len(tail)]
                for leaf in leaves(exports[pattern]):
                    yield leaf.replace("*", middle)
    if subpath == ".":
        for key in ("source", "types", "typings", "module", "main", "browser"):
            if isinstance(value := manifest.get(key), str):
                yield value


def leaves(value: object, depth: int = 0) -> Iterator[str]:
    """The files of one `exports` entry, whatever its conditions."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < EXTENDS:
        for one in value:
            yield from leaves(one, depth + 1)
    elif isinstance(value, dict) and depth < EXTENDS:
        for key in sorted(value, key=lambda key: (_LAST.index(key) if key in _LAST else -1, str(key))):
            yield from leaves(value[key], depth + 1)

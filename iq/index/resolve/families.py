"""Every import of a workspace, resolved: which module answers for which language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from iq.index.resolve import c, ecmascript, go, jvm, php, python, ruby, rust, suffix
from iq.index.resolve.view import Targets, View
from iq.types import Import

FAMILIES: Mapping[str, str] = {
    "python": "python",
    **dict.fromkeys(("javascript", "typescript", "tsx", "vue", "svelte"), "ecmascript"),
    "go": "go",
    "rust": "rust",
    **dict.fromkeys(jvm.FAMILY, "jvm"),
    "csharp": "csharp",
    **dict.fromkeys(("c", "cpp", "objc"), "c"),
    "ruby": "ruby",
    "php": "php",
    **{language: language for language in suffix.SPELLING},
}

_MAKERS: Mapping[str, Callable[[View], Callable[[str, Import], Targets]]] = {
    "python": python.resolver,
    "ecmascript": ecmascript.resolver,
    "go": go.resolver,
    "jvm": jvm.resolver,
    "csharp": jvm.csharp,
    "c": c.resolver,
    "ruby": ruby.resolver,
    "php": php.resolver,
}


# A name that more files than this define is a word, not a sign of one of them.
SAME_NAME = 8


@dataclass(frozen=True, slots=True)
class Resolved:
    """One import of one file. `targets` is None outside of the workspace, empty where it should be inside and is not."""

    source: str
    row: Import
    targets: Targets


def resolve(view: View, rows: Mapping[str, Sequence[Import]]) -> Iterator[Resolved]:
    """Every import, by file in the order of `rows`; imports of the file itself are left out."""
    homes: dict[str, dict[str, list[str]]] = {}
    made: dict[str, Callable[[str, Import], Targets]] = {}
    for source, imports in rows.items():
        family = FAMILIES.get(view.languages.get(source, ""))
        if family is None:
            continue
        if family not in made:
            if family == "rust":
                made[family] = rust.resolver(view, {path: found for path, found in rows.items() if view.languages.get(path) == "rust"})
            else:
                made[family] = _MAKERS[family](view) if family in _MAKERS else suffix.resolver(view, family)
        for row in imports:
            if row.kind == "package":
                continue
            if row.kind == "sibling":
                yield from _siblings(view, source, row, homes)
                continue
            targets = made[family](source, row)
            if targets is not None and source in targets:
                targets = tuple(path for path in targets if path != source) or None
            yield Resolved(source, row, targets)


def _siblings(view: View, source: str, row: Import, homes: dict[str, dict[str, list[str]]]) -> Iterator[Resolved]:
    """One row for each other file of the package that defines a word of this one: the longest such word stands for it."""
    language = view.languages[source]
    home = _home(view, source, language, homes)
    found: dict[str, str] = {}
    for name in row.names:
        files = view.defined(language).get(name)
        if not files or len(files) > SAME_NAME or source in files:
            continue
        mine = [path for path in files if not _test(path) and _home(view, path, language, homes) & home]
        for path in mine:
            if len(name) > len(found.get(path, "")):
                found[path] = name
    for path, name in sorted(found.items()):
        yield Resolved(source, Import(name, 0, "sibling"), (path,))


def _test(path: str) -> bool:
    """Go's own rule; a test file defines nothing for others."""
    return path.endswith("_test.go")


def _home(view: View, path: str, language: str, homes: dict[str, dict[str, list[str]]]) -> frozenset[str]:
    """What a file shares with those it need not import: its declared packages, in Go and Swift its folder or module."""
    if language in ("go", "swift"):
        folder = path.rpartition("/")[0]
        if language == "swift" and (at := folder.find("Sources/")) >= 0:
            folder = "/".join(folder.split("/")[: folder[:at].count("/") + 2])
        return frozenset((folder,))
    if language not in homes:
        homes[language] = {}
        for package, paths in view.packages.get(language, {}).items():
            for each in paths:
                homes[language].setdefault(each, []).append(package)
    return frozenset(homes[language].get(path, ("",)))

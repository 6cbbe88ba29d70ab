"""Every import of a workspace, resolved: which module answers for which language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from iq.index.imports import SIBLINGS
from iq.index.resolve import c, ecmascript, go, jvm, php, python, ruby, rust, suffix, swift
from iq.index.resolve.view import Targets, View
from iq.types import Import

FAMILIES: Mapping[str, str] = {
    "python": "python",
    **dict.fromkeys(("javascript", "typescript", "tsx", "vue", "svelte"), "ecmascript"),
    "go": "go",
    "rust": "rust",
    **dict.fromkeys(jvm.FAMILY, "jvm"),
    "csharp": "csharp",
    "swift": "swift",
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
    "swift": swift.resolver,
    "c": c.resolver,
    "ruby": ruby.resolver,
    "php": php.resolver,
}


# A name that more files than this define is a word, not a sign of one of them.
SAME_NAME = 8

# Languages whose types all stand in the importer by their own names: where it says none of a large package, the import is idle.
OPEN = frozenset({"csharp", "swift", "scala"})


@dataclass(frozen=True, slots=True)
class Resolved:
    """One import of one file. `targets` is None outside of the workspace, empty where it should be inside and is not."""

    source: str
    row: Import
    targets: Targets


def resolve(view: View, rows: Mapping[str, Sequence[Import]]) -> Iterator[Resolved]:
    """Every import, by file in the order of `rows`; imports of the file itself are left out."""
    homes: dict[str, dict[str, frozenset[str]]] = {}
    sights: dict[str, Mapping[str, frozenset[str]]] = {}
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
                if family not in sights:
                    sights[family] = jvm.seen(view, rows) if family == "csharp" else jvm.clauses(view) if family == "jvm" else {}
                yield from _siblings(view, source, row, homes, sights[family].get(source))
                continue
            targets = made[family](source, row)
            if targets is not None and source in targets:
                targets = tuple(path for path in targets if path != source) or None
            yield Resolved(source, row, targets)


def narrowed(view: View, found: Sequence[Resolved], rows: Mapping[str, Sequence[Import]]) -> list[Resolved]:
    """Imports of whole packages cut to the files that define a name the importer says; as they are where none does.

    A package of fifty files imported by a hundred would be five thousand edges that say nothing.
    """
    kept = []
    words: dict[str, Sequence[str]] = {}
    owners: dict[str, dict[str, frozenset[str]]] = {}
    for each in found:
        language = view.languages[each.source]
        if each.targets is None or len(each.targets) < 2 or language not in SIBLINGS:
            kept.append(each)
            continue
        if language == "go" or (language == "scala" and each.row.names != ("*",)):
            names: Sequence[str] = each.row.names
        else:
            if each.source not in words:
                words[each.source] = next((row.names for row in rows[each.source] if row.kind == "sibling"), ())
            names = words[each.source]
        defined = view.defined(language)
        if language not in owners:
            owners[language] = {}
        wanted: set[str] = set()
        for name in names:
            if name not in owners[language]:
                owners[language][name] = frozenset(defined.get(name, ()))
            wanted |= owners[language][name]
        targets: Targets = tuple(path for path in each.targets if path in wanted)
        if not targets and not (language in OPEN and len(each.targets) > SAME_NAME):
            targets = each.targets
        kept.append(Resolved(each.source, each.row, targets or None))
    return kept


def _siblings(view: View, source: str, row: Import, homes: dict[str, dict[str, frozenset[str]]], sight: frozenset[str] | None) -> Iterator[Resolved]:
    """One row for each other file of the package that defines a word of this one: the longest such word stands for it.

    `sight` are the packages that the file sees where that is more than its own.
    """
    language = view.languages[source]
    home = _home(view, source, language, homes) if sight is None else sight
    defined = view.defined(language)
    found: dict[str, str] = {}
    for name in row.names:
        files = defined.get(name)
        if not files or len(files) > SAME_NAME or source in files:
            continue
        for path in files:
            if len(name) > len(found.get(path, "")) and not path.endswith("_test.go") and not home.isdisjoint(_home(view, path, language, homes)):
                found[path] = name
    for path, name in sorted(found.items()):
        yield Resolved(source, Import(name, 0, "sibling"), (path,))


def _home(view: View, path: str, language: str, homes: dict[str, dict[str, frozenset[str]]]) -> frozenset[str]:
    """What a file shares with those it need not import: its declared packages, in Go and Swift its folder or module."""
    if language not in homes:
        packages: dict[str, set[str]] = {}
        for package, paths in view.packages.get(language, {}).items():
            for each in paths:
                packages.setdefault(each, set()).add(package)
        if language == "scala":  # what a file defines is in the innermost of its clauses
            packages = {each: {name for name in names if not any(other.startswith(name + ".") for other in names)} for each, names in packages.items()}
        homes[language] = {each: frozenset(names) for each, names in packages.items()}
        if language == "swift":
            homes[language] = {each: frozenset((name,)) for each, name in swift.module_of(view).items()}
    known = homes[language]
    if path not in known:
        folder = path.rpartition("/")[0]
        known[path] = frozenset((folder,)) if language in ("go", "swift") else frozenset(("",))
    return known[path]

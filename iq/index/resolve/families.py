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


@dataclass(frozen=True, slots=True)
class Resolved:
    """One import of one file. `targets` is None outside of the workspace, empty where it should be inside and is not."""

    source: str
    row: Import
    targets: Targets


def resolve(view: View, rows: Mapping[str, Sequence[Import]]) -> Iterator[Resolved]:
    """Every import, by file in the order of `rows`; imports of the file itself are left out."""
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
            targets = made[family](source, row)
            if targets is not None and source in targets:
                targets = tuple(path for path in targets if path != source) or None
            yield Resolved(source, row, targets)

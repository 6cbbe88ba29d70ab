"""Does a file belong to what the question is about?

Filters of one kind add up (either glob), those of different kinds narrow (this language and that folder). Globs are
those of gitignore (see globs).
"""

from __future__ import annotations

import os
from collections.abc import Callable

from iq.errors import ScopeError, UsageError, brief
from iq.floor.paths import floored
from iq.index.text import unsafe
from iq.types import CLASSES, Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


def language_names(words: tuple[str, ...]) -> frozenset[str]:
    """The languages that `--lang` words mean; raises UsageError for a word that means none."""
    if not words:
        return frozenset()
    from iq.index.languages import FAMILIES, NAMES

    names: set[str] = set()
    for word in words:
        key = word.lower().lstrip(".")
        if key not in NAMES:
            known = ", ".join(sorted(set(NAMES.values())))
            raise UsageError(f"unknown language '{word}'; known: {known}")
        name = NAMES[key]
        names.update(FAMILIES.get(name, (name,)))
    return frozenset(names)


def resolve(paths: tuple[str, ...], root: str, cwd: str) -> tuple[str, ...]:
    """Turns `--in` paths into paths under the root: tried against the current folder, then the root, then as absolute.

    Raises ScopeError naming what was tried where nothing exists, and where a path leaves the workspace.
    """
    found = []
    for path in paths:
        if not path:
            raise ScopeError("--in '' names no path; leave it out, or give one such as `--in src`")
        words = (path, unsafe(path)) if "\\x" in path else (path,)
        tried = [place for word in words for place in ([word] if os.path.isabs(word) else [os.path.join(cwd, word), os.path.join(root, word)])]
        existing = next((place for place in tried if os.path.lexists(place)), None)
        if existing is None:
            shown = " and ".join(dict.fromkeys(brief(os.path.normpath(place)) for place in tried))
            raise ScopeError(f"--in '{brief(path)}' matches nothing; tried {shown}")
        inside = os.path.relpath(os.path.realpath(existing), os.path.realpath(root))
        if inside == ".":
            continue
        if inside.startswith(".."):
            raise ScopeError(f"--in '{path}' lies outside the workspace {root}; use --root to search there")
        inside = inside.replace(os.sep, "/")
        if why := floored(inside) or floored(inside + "/x"):
            raise ScopeError(f"--in '{path}' names a place that never surfaces ({why})")
        found.append(inside)
    # One path that is the root itself means no restriction at all.
    return tuple(found) if len(found) == len(paths) else ()


def matcher(scope: Scope) -> Callable[[str, str | None, str | None], bool]:
    """A test of (path, class, language); a class or language of None is found from the path when it is needed."""
    languages = language_names(scope.languages)
    for word in scope.only:
        if word not in CLASSES:
            raise UsageError(f"unknown class '{word}' for --only; known: {', '.join(CLASSES)}")
    classes = frozenset(scope.only)
    wanted: tuple[re.Pattern[str], ...] = ()
    unwanted: tuple[re.Pattern[str], ...] = ()
    # Imported where they are needed, as below: what compiles expressions costs 5 ms, which an unscoped `find` need not pay.
    if scope.globs or scope.not_globs:
        from iq.index.globs import glob

        wanted, unwanted = tuple(map(glob, scope.globs)), tuple(map(glob, scope.not_globs))
    folders = tuple(folder + "/" for folder in scope.within)
    if languages or classes:
        from iq.index.classes import classify
        from iq.index.languages import detect

    def inside(path: str, found_class: str | None = None, language: str | None = None) -> bool:
        if folders and not (path.startswith(folders) or path in scope.within):
            return False
        if wanted and not any(rule.fullmatch(path) for rule in wanted):
            return False
        if unwanted and any(rule.fullmatch(path) for rule in unwanted):
            return False
        if languages and (detect(path) if language is None else language) not in languages:
            return False
        return not classes or (classify(path) if found_class is None else found_class) in classes

    return inside


def restricts(scope: Scope) -> bool:
    """Whether a scope leaves anything out."""
    return bool(scope.within or scope.languages or scope.globs or scope.not_globs or scope.only)

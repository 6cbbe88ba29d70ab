"""Does a file belong to what the question is about?

Filters of one kind add up (either glob), those of different kinds narrow (this language and that folder). Globs are
those of gitignore: without a slash they match a name at any depth, with one they match from the root; `**` crosses folders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import lru_cache

from iq.errors import ScopeError, UsageError, brief
from iq.floor.paths import floored
from iq.index.text import unsafe
from iq.types import CLASSES, Scope


@lru_cache(maxsize=256)
def glob(pattern: str) -> re.Pattern[str]:
    """A gitignore-style glob as an expression for whole workspace paths; a trailing `/` takes a folder's content."""
    text = pattern[:-1] + "/**" if pattern.endswith("/") else pattern
    anchored = "/" in pattern.rstrip("/")
    text = text.lstrip("/")
    out, at = [], 0
    while at < len(text):
        letter = text[at]
        if text.startswith("**/", at) and (at == 0 or text[at - 1] == "/"):
            out.append("(?:[^/]+/)*")
            at += 3
            continue
        if letter == "*":
            run = len(text[at:]) - len(text[at:].lstrip("*"))
            out.append(".*" if run > 1 else "[^/]*")
            at += run
            continue
        if letter == "?":
            out.append("[^/]")
        elif letter == "[" and (close := text.find("]", at + 2)) > 0:
            body = text[at + 1 : close].replace("\\", "\\\\")
            out.append(f"[{'^' + body[1:] if body[0] in '!^' else body}]")
            at = close
        elif letter == "{" and (close := text.find("}", at)) > 0:
            out.append("(?:" + "|".join(glob_body(part) for part in text[at + 1 : close].split(",")) + ")")
            at = close
        elif letter == "\\" and at + 1 < len(text):
            at += 1
            out.append(re.escape(text[at]))
        else:
            out.append(re.escape(letter))
        at += 1
    try:
        # A glob that names a folder takes its content in.
        return re.compile(("" if anchored else "(?:.*/)?") + "".join(out) + "(?:/.*)?", re.DOTALL)
    except re.error as error:
        raise UsageError(f"glob '{pattern}' cannot be read: {error}; see the gitignore format") from error


def glob_body(part: str) -> str:
    """One alternative of a brace group: literal text with `*` and `?`."""
    return "".join("[^/]*" if letter == "*" else "[^/]" if letter == "?" else re.escape(letter) for letter in part)


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
    wanted = [glob(pattern) for pattern in scope.globs]
    unwanted = [glob(pattern) for pattern in scope.not_globs]
    folders = tuple(folder + "/" for folder in scope.within)
    # Imported here: their expressions cost 15 ms to compile, which an unscoped `find` need not pay.
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

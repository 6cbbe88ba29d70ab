"""What a resolver may know of a workspace: which files there are, what a configuration file says, what packages they declare."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

# A configuration file larger than this is not one that people wrote (characters).
MAX_CONFIG = 1 << 20

_JSONC = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)
# What stands between a trailing comma and its bracket may be a comment, so commas go in a second pass.
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)

# None: not a module of this workspace. Empty: one of its own by the look of it, but no file is there.
Targets = tuple[str, ...] | None


class View:
    """Paths of a workspace by folder and by name. `read` gives a file's text, or `""` where there is none.

    `packages` maps a language to what its files declare: package -> paths. `define` gives the files whose top level
    defines a name, for the languages whose packages are not folders.
    """

    def __init__(
        self,
        languages: Mapping[str, str],
        read: Callable[[str], str],
        packages: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
        define: Callable[[str], Mapping[str, Sequence[str]]] | None = None,
    ) -> None:
        self.languages = languages
        self.packages = packages or {}
        self._read = read
        self._define = define or (lambda language: {})
        self.folders: dict[str, list[str]] = {}
        self.named: dict[str, list[str]] = {}
        for path in languages:
            folder, _, name = path.rpartition("/")
            self.folders.setdefault(folder, []).append(path)
            self.named.setdefault(name, []).append(path)
        for folder in list(self.folders):
            while folder:
                folder = folder.rpartition("/")[0]
                if folder in self.folders:
                    break
                self.folders[folder] = []
        self._defined: dict[str, Mapping[str, Sequence[str]]] = {}

    def __contains__(self, path: str) -> bool:
        return path in self.languages

    def first(self, paths: Iterable[str]) -> str | None:
        """The first of the paths that is a file here."""
        return next((path for path in paths if path in self.languages), None)

    def read(self, path: str) -> str:
        return self._read(path)[:MAX_CONFIG] if path in self.languages else ""

    def json(self, path: str) -> dict[str, object]:
        """A JSON file, comments and trailing commas allowed; empty where it is broken or no object."""
        text = self.read(path)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            text = _COMMENT.sub(lambda m: m.group() if m.group()[0] == '"' else " ", text)
            text = _JSONC.sub(lambda m: m.group() if m.group()[0] == '"' else "", text)
            try:
                value = json.loads(text.lstrip("\ufeff"))
            except (ValueError, RecursionError):
                return {}
        return value if isinstance(value, dict) else {}

    def defined(self, language: str) -> Mapping[str, Sequence[str]]:
        """name -> files of the language that define it at their top level."""
        if language not in self._defined:
            self._defined[language] = self._define(language)
        return self._defined[language]


def join(folder: str, path: str) -> str:
    """A path relative to a folder of the workspace; one that leaves the workspace names nothing (`""`)."""
    full = posixpath.normpath(posixpath.join(folder, path.lstrip("/") if not folder else path)) if path else folder
    return "" if full.startswith("../") or full in (".", "..") else full.lstrip("/")


def parent(path: str) -> str:
    return path.rpartition("/")[0]


def shared(one: str, other: str) -> int:
    """How many leading folders two paths have in common."""
    count = 0
    for a, b in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count


def nearest(source: str, candidates: Iterable[str]) -> str | None:
    """Of several files of one name, the one that shares most folders with the importer; then the shallowest, then by path."""
    return min(candidates, key=lambda path: (-shared(source, path), path.count("/"), path), default=None)


def ending(view: View, source: str, tail: str) -> str | None:
    """The nearest file whose path is `tail` or ends in `/tail`."""
    name = tail.rpartition("/")[2]
    return nearest(source, (path for path in view.named.get(name, ()) if path == tail or path.endswith("/" + tail)))

"""The workspace as it stood at a past commit: its files, its import graph, the words of a file. Nothing is checked out.

A blob is taken apart once, whichever commits hold it, by the same extraction and resolvers that the index uses.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pygit2

from iq.floor.paths import floored
from iq.index import edges, graph, text
from iq.index.imports import selected, siblings
from iq.index.languages import detect
from iq.index.resolve.families import Resolved, narrowed, resolve
from iq.index.resolve.view import View
from iq.index.symbols import extract
from iq.types import Import, Symbol

WORD = re.compile(r"[^\W\d]\w{2,}")


@dataclass(frozen=True, slots=True)
class Piece:
    """What is known of one blob under one language."""

    imports: tuple[Import, ...]
    symbols: tuple[Symbol, ...]
    words: Mapping[str, int]


class Repository:
    """One repository and what was read of its blobs so far."""

    def __init__(self, path: str) -> None:
        self.git = pygit2.Repository(path)
        self._pieces: dict[tuple[str, str], Piece] = {}
        self._languages: dict[tuple[str, str], str] = {}

    def commits(self) -> list[pygit2.Commit]:
        """All commits behind HEAD, newest first."""
        return list(self.git.walk(self.git.head.target, pygit2.enums.SortMode.TOPOLOGICAL | pygit2.enums.SortMode.TIME))

    def data(self, blob: str) -> bytes:
        return bytes(self.git[blob].peel(pygit2.Blob).data) if self.git.get(blob) is not None else b""

    def language(self, path: str, blob: str) -> str:
        key = (path.rpartition("/")[2], blob)
        if key not in self._languages:
            quick = detect(path)
            needs = quick in ("c", "objc", "") and not path.endswith((".md", ".png"))
            self._languages[key] = detect(path, self.data(blob)[:4096]) if needs else quick
        return self._languages[key]

    def piece(self, language: str, blob: str) -> Piece:
        key = (language, blob)
        if key not in self._pieces:
            data = self.data(blob)
            decoded = text.decode(data) if len(data) <= text.MAX_BYTES else None
            if decoded is None:
                self._pieces[key] = Piece((), (), {})
            else:
                syntax = extract(language, decoded.source)
                self._pieces[key] = Piece(
                    selected(language, decoded.content, syntax.imports) + siblings(language, decoded.content),
                    syntax.symbols,
                    Counter(WORD.findall(decoded.content)),
                )
        return self._pieces[key]


class Past:
    """One commit's tree."""

    def __init__(self, repo: Repository, commit: pygit2.Commit) -> None:
        self.repo = repo
        self.blobs: dict[str, str] = {}
        todo = [("", commit.tree)]
        while todo:
            prefix, tree = todo.pop()
            for entry in tree:
                path = prefix + os.fsdecode(entry.raw_name)
                if isinstance(entry, pygit2.Tree):
                    todo.append((path + "/", entry))
                elif isinstance(entry, pygit2.Blob) and entry.filemode != pygit2.enums.FileMode.LINK and not floored(path):
                    self.blobs[path] = str(entry.id)

    def piece(self, path: str) -> Piece:
        return self.repo.piece(self.repo.language(path, self.blobs[path]), self.blobs[path])

    @cached_property
    def resolved(self) -> tuple[dict[str, Piece], list[Resolved], list[Resolved]]:
        """What is known of each file in a known language, every import with what it means, and the same as the graph has it."""
        languages = {path: self.repo.language(path, blob) for path, blob in sorted(self.blobs.items())}
        pieces = {path: self.piece(path) for path, language in languages.items() if language}
        packages: dict[str, dict[str, list[str]]] = {}
        for path, piece in pieces.items():
            names = [row.module for row in piece.imports if row.kind == "package"]
            if languages[path] in ("csharp", "php"):
                names += [symbol.qualified for symbol in piece.symbols if symbol.kind == "module"]
            for name in names:
                packages.setdefault(languages[path], {}).setdefault(name, []).append(path)

        def define(language: str) -> dict[str, list[str]]:
            found: dict[str, list[str]] = {}
            for path, piece in pieces.items():
                symbols = piece.symbols if languages[path] == language else ()
                for name in edges.at_top(language, [(row.name, row.kind, row.container, row.line, row.end) for row in symbols]):
                    found.setdefault(name, []).append(path)
            return found

        view = View(languages, lambda path: self.repo.data(self.blobs[path]).decode("utf-8", "replace"), packages, define)
        rows = {path: [row for row in piece.imports if row.kind != "package"] for path, piece in pieces.items()}
        found = list(resolve(view, rows))
        return pieces, found, narrowed(view, found, rows)

    @cached_property
    def graph(self) -> graph.Graph:
        pieces, _, found = self.resolved
        links: list[tuple[str, str | None, int, str, str, bool]] = []
        for each in found:
            for target in (each.targets or (None,)) if each.targets is not None else ():
                links.append((each.source, target, each.row.line, each.row.module, each.row.kind, False))
        exports = {path: frozenset(symbol.name for symbol in piece.symbols if not symbol.container) for path, piece in pieces.items()}
        for each, target in edges.followed(found, lambda path: exports.get(path, frozenset())):
            links.append((each.source, target, each.row.line, each.row.module, each.row.kind, True))
        return graph.build(self.blobs, links)


def changed_lines(repo: Repository, before: pygit2.Commit, after: pygit2.Commit, paths: Iterable[str]) -> dict[str, tuple[Sequence[int], Sequence[str]]]:
    """path -> (its lines that went or stood beside what came, in the numbers before; the text of all changed lines)."""
    wanted = set(paths)
    found: dict[str, tuple[Sequence[int], Sequence[str]]] = {}
    for patch in before.tree.diff_to_tree(after.tree, context_lines=0):
        path = os.fsdecode(patch.delta.old_file.raw_path)
        if path not in wanted:
            continue
        lines: list[int] = []
        texts: list[str] = []
        for hunk in patch.hunks:
            lines.extend(range(max(1, hunk.old_start), hunk.old_start + max(1, hunk.old_lines)))
            texts.extend(line.content for line in hunk.lines if line.origin in "+-")
        found[path] = lines, texts
    return found

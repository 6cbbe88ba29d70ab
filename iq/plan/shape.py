"""What is a repository made of? Files by how central they are, the signatures worth printing of each, where it starts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import log

from iq.types import Symbol

# The order of classes: what others build on first, what only uses it, what nobody here wrote last.
ORDER = ("src", "examples", "config", "docs", "tests", "history", "vendored", "generated")

# A signature is worth its file's rank shared by this power of its place: the first of a minor file beats the tenth of a major one.
FALL = 1.0
# Ranks span four powers of ten; their square root keeps minor files in the running.
FLATTEN = 0.5

# What a signature of a kind is worth beside a class's or function's.
KIND_WORTH: Mapping[str, float] = {
    "const": 0.3,
    "variable": 0.25,
    "field": 0.15,
    "type": 0.8,
    "method": 0.6,
    "module": 0.3,
    "heading": 0.5,
    "test": 0.4,
    "target": 0.7,
}

# What a name with an underscore, or one that is not exported, is worth beside one that is.
HIDDEN = 0.2

# An entry point's name, as people call it, by file name or manifest.
_MAINS = """__main__.py main.go main.rs main.py main.c main.cc main.cpp Main.java Main.kt Program.cs manage.py app.py main.ts server.ts server.js"""
_MAIN_FILES = frozenset(_MAINS.split())

# What a library is imported by.
_LIBRARIES = frozenset({"__init__.py", "lib.rs"})


@dataclass(frozen=True, slots=True)
class Shown:
    """A file of the map and those of its definitions that the budget pays for, in source order."""

    path: str
    rank: float
    symbols: tuple[Symbol, ...]


def ordered(ranks: Mapping[str, float], classes: Mapping[str, str]) -> list[str]:
    """Files by class, then rank, then path."""
    place = {name: at for at, name in enumerate(ORDER)}
    return sorted(ranks, key=lambda path: (place.get(classes.get(path, ""), len(ORDER)), -ranks[path], path))


def allocate(files: Sequence[tuple[str, float, Sequence[Symbol]]], room: int, wanted: Mapping[str, int] | None = None) -> list[Shown]:
    """Spends `room` bytes on headers and signatures, the most valuable for its size first; files keep their order.

    The k-th signature of a file with rank r is worth √r · its own worth / k, and the first must also pay for the file's
    header. `wanted` says how many imports take a name.
    """
    wanted = wanted or {}
    choices = [sorted(symbols, key=lambda s: (-_worth(s, wanted), s.line, s.name_line)) for _, _, symbols in files]
    heap: list[tuple[float, int, int]] = []
    for at, (path, rank, _) in enumerate(files):
        if choices[at]:
            heap.append((-_value(rank, _worth(choices[at][0], wanted), 0) / (_cost(choices[at][0]) + _header(path)), at, 0))
    heapify(heap)
    taken: list[list[Symbol]] = [[] for _ in files]
    while heap:
        _, at, k = heappop(heap)
        path, rank, _ = files[at]
        cost = _cost(choices[at][k]) + (_header(path) if k == 0 else 0)
        if cost > room:
            continue
        room -= cost
        taken[at].append(choices[at][k])
        if k + 1 < len(choices[at]):
            heappush(heap, (-_value(rank, _worth(choices[at][k + 1], wanted), k + 1) / _cost(choices[at][k + 1]), at, k + 1))
    return [Shown(path, rank, tuple(sorted(taken[at], key=lambda s: (s.line, -s.end, s.name_line)))) for at, (path, rank, _) in enumerate(files) if taken[at]]


def _worth(symbol: Symbol, wanted: Mapping[str, int]) -> float:
    """A definition counts by its kind, by how long it is and by how many imports take it; what is nested counts less."""
    depth = symbol.container.count(".") + bool(symbol.container)
    size = log(2 + symbol.end - symbol.line)
    worth = KIND_WORTH.get(symbol.kind, 1.0) * size * (1 + log(1 + wanted.get(symbol.name, 0))) / (1 + depth)
    return worth * (HIDDEN if symbol.name.startswith("_") or not symbol.exported else 1.0)


def _value(rank: float, worth: float, k: int) -> float:
    return rank**FLATTEN * worth / (k + 1) ** FALL


def _cost(symbol: Symbol) -> int:
    """Bytes of its printed line: number, indentation, text and newline."""
    return len(line_of(symbol).encode("utf-8", "replace")) + 7


def _header(path: str) -> int:
    return len(path.encode("utf-8", "replace")) + 40


def line_of(symbol: Symbol) -> str:
    return "  " * (symbol.container.count(".") + bool(symbol.container)) + symbol.signature


def entries(paths: Sequence[str], classes: Mapping[str, str], read: Callable[[str], str], mains: Sequence[tuple[str, int]]) -> list[str]:
    """Where the program starts, each as `path` with why: manifests first, then files and functions called main."""
    found: dict[str, str] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if classes.get(path) in ("vendored", "generated", "tests", "examples") or path.count("/") > 3:
            continue
        if name == "pyproject.toml":
            for script, target in _scripts(read(path)):
                found.setdefault(f"{script} → {target}", path)
        elif name == "package.json":
            for entry in _package(read(path)):
                found.setdefault(f"{folder}/{entry}".lstrip("/"), path)
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        name = path.rpartition("/")[2]
        if (
            name in _LIBRARIES
            and classes.get(path) == "src"
            and not any(path.startswith(other.rpartition("/")[0] + "/") for other in found if other.endswith(name))
        ):
            found.setdefault(path, "library")
    for path in paths:
        if path.rpartition("/")[2] in _MAIN_FILES and classes.get(path) == "src":
            found.setdefault(path, "")
    for path, line in mains:
        if classes.get(path) == "src" and path not in found:
            found.setdefault(f"{path}:{line}", "main")
    return [f"{entry} ({why})" if why else entry for entry, why in found.items()]


def _scripts(text: str) -> list[tuple[str, str]]:
    """Console scripts of a pyproject.toml."""
    section = re.search(r"^\[(?:project|tool\.poetry)\.scripts\]\s*\n((?:[^\[\n].*\n?|\n)*)", text, re.MULTILINE)
    return re.findall(r"^\s*\"?([\w.-]+)\"?\s*=\s*[\"']([^\"'\n]+)[\"']", section[1], re.MULTILINE) if section else []


def _package(text: str) -> list[str]:
    """Programs and the main file of a package.json."""
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(manifest, dict):
        return []
    programs = manifest.get("bin")
    rows = list(programs.values()) if isinstance(programs, dict) else [programs]
    rows.append(manifest.get("main"))
    return [row.removeprefix("./") for row in dict.fromkeys(row for row in rows if isinstance(row, str))]

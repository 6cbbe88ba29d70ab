"""Builds a set of paired-intent cases from any working tree, mechanically: one query, several purposes, each with its own right places.

For a public definition: *implement* is the unit that defines it, *test* the test units that use it, *understand* the
documentation sections that name it, *history* the changelog entries that name it, *configure* the configuration that names
it, *debug* the source units, other than its definition, that name it on a line that raises, catches or reports. For a
tool (a declared dependency): configure, understand and history. Each case has two queries: the identifier split into
words, and the first sentence of its documentation. Nobody judged these by hand: what a file is for decides most of them,
so a filter by file class stands beside every result.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from iq.index.parse import Parsed, read
from iq.index.tokens import parts
from iq.index.walk import walk
from iq.plan.rules import tests
from iq.types import Symbol

# A name in more units than this is a common word; what names it was not written about it (units).
MAX_GOLD = 8

# A definition needs right places under so many intents, or there is no pair to tell apart.
MIN_INTENTS = 3
MIN_TOOL_INTENTS = 2
OF_TOOLS = ("configure", "understand", "history")

# Definitions and tools taken of one repository, by the hash of their name, so that the choice follows nothing else.
SYMBOLS = 80
TOOLS = 12

# A sentence shorter than this asks nothing (words); a longer one is cut.
MIN_WORDS, MAX_WORDS = 4, 30

KINDS = frozenset({"function", "method", "class", "interface", "trait", "struct", "enum", "type", "macro"})
# The keywords of failing, and no more: iq's own evidence is wider, and must not be measured with itself.
FAILING = re.compile(r"\b(?:raise|except|throws?|catch|rescue|panic)\b|\b(?:errors\.New|Errorf)\b|\bErr\(")
ENTRY = re.compile(r"^\s{0,3}(?:[-*+]|\d+[.)])\s+\S")
DEPENDENCIES = (
    re.compile(r'^\s*"([A-Za-z][\w.-]{2,})(?:\[[\w,-]+\])?\s*(?:[<>=!~;][^"]*)?",?\s*$'),  # a requirement in a TOML list
    re.compile(r'^\s*"((?:@[\w-]+/)?[\w.-]{3,})":\s*"[\^~>=<]?\d[^"]*",?$'),  # package.json
    re.compile(r"^\s*(?:require\s+)?(?:[\w.-]+/)+([\w.-]{3,})\s+v\d"),  # go.mod
    re.compile(r'^([A-Za-z][\w-]{2,})\s*=\s*(?:"[\^~=<>]?\d|\{[^}]*version)'),  # Cargo.toml
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A run of lines with the class of its file and the names defined in it."""

    path: str
    start: int
    end: int
    file_class: str
    names: tuple[str, ...]
    text: str


def generate(root: str, repo: str, rev: str) -> list[dict]:
    """Cases as rows of `cases.jsonl`, in a fixed order; `sentence` is the natural-language form, empty where there is none."""
    files = [(parsed, rows) for parsed, rows in _read(root)]
    units = [unit for parsed, rows in files for unit in _units(parsed, rows)]
    cases: list[dict] = []
    taken = 0
    for name, symbol in _symbols(files):
        golds = {intent: found for intent, found in _golds(name, units).items() if 0 < len(found) <= MAX_GOLD}
        if "implement" in golds and len(golds) >= MIN_INTENTS and taken < SYMBOLS:
            taken += 1
            cases += _cases(repo, rev, name, "symbol", sentence(symbol.doc), golds)
    taken = 0
    for tool in _tools(files):
        golds = {intent: found for intent, found in _golds(tool, units).items() if 0 < len(found) <= MAX_GOLD and intent in OF_TOOLS}
        if "configure" in golds and len(golds) >= MIN_TOOL_INTENTS and taken < TOOLS:
            taken += 1
            cases += _cases(repo, rev, tool, "tool", "", golds)
    return cases


def _cases(repo: str, rev: str, name: str, source: str, asked: str, golds: dict[str, list[Unit]]) -> Iterator[dict]:
    query = " ".join(part for word in re.findall(r"\w+", name) for part in (parts(word) or [word]))
    for intent in ("implement", "test", "understand", "configure", "debug", "history"):
        if intent in golds:
            gold = [{"path": unit.path, "line": unit.start, "end": unit.end} for unit in golds[intent]]
            yield {"repo": repo, "query": query, "sentence": asked, "symbol": name, "intent": intent, "src": source, "gold": gold, "rev": rev}


def sentence(doc: str) -> str:
    """The first sentence of a documentation line as it is written; empty where it is too short."""
    text = re.sub(r"^[/#*!\s\"'`]+|[\"'`]+$", "", doc.strip())
    text = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0].strip()
    words = text.split()
    return " ".join(words[:MAX_WORDS]) if len(words) >= MIN_WORDS else ""


def _read(root: str) -> Iterator[tuple[Parsed, list[str]]]:
    for path in walk(root).paths:
        parsed = read(root, path)
        if parsed is not None and not parsed.skipped:
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                yield parsed, file.read().split("\n")


def _units(parsed: Parsed, rows: list[str]) -> Iterator[Unit]:
    if parsed.file_class == "history":
        spans: Iterable[tuple[int, int, tuple[str, ...], bool]] = [(start, end, (), False) for start, end in entries(rows)]
    else:
        # Some languages keep the tests of a file in it.
        spans = [(chunk.start, chunk.end, chunk.names, parsed.file_class == "src" and tests(chunk.symbol, chunk.kind)) for chunk in parsed.chunks]
    for start, end, names, test in spans:
        yield Unit(parsed.path, start, end, "tests" if test else parsed.file_class, names, "\n".join(rows[start - 1 : end]))


def entries(rows: list[str]) -> list[tuple[int, int]]:
    """The list entries of a changelog as inclusive spans, each to the line before the next entry, heading or blank line."""
    spans: list[tuple[int, int]] = []
    start = 0
    for number, row in enumerate([*rows, ""], 1):
        if start and (not row.strip() or ENTRY.match(row) or row.startswith("#")):
            spans.append((start, number - 1))
            start = 0
        if ENTRY.match(row):
            start = number
    return spans


def _symbols(files: list[tuple[Parsed, list[str]]]) -> list[tuple[str, Symbol]]:
    """Public source definitions by name, the documented one of several, in the order of the names' hashes."""
    found: dict[str, Symbol] = {}
    for parsed, _ in files:
        if parsed.file_class != "src":
            continue
        for symbol in parsed.symbols:
            public = symbol.kind in KINDS and symbol.exported and len(symbol.name) > 3 and not symbol.name.startswith("_")
            if public and (symbol.name not in found or (symbol.doc and not found[symbol.name].doc)):
                found[symbol.name] = symbol
    return sorted(found.items(), key=lambda row: blake2b(row[0].encode(), digest_size=8).digest())


def _tools(files: list[tuple[Parsed, list[str]]]) -> list[str]:
    names = {
        match.group(1)
        for parsed, rows in files
        if parsed.file_class == "config"
        for row in rows
        for rule in DEPENDENCIES
        if (match := rule.match(row)) and len(match.group(1)) > 3
    }
    return sorted(names, key=lambda name: blake2b(name.encode(), digest_size=8).digest())


def _golds(name: str, units: list[Unit]) -> dict[str, list[Unit]]:
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    naming = [unit for unit in units if name in unit.text and word.search(unit.text)]
    source = [unit for unit in naming if unit.file_class == "src"]
    return {
        "implement": [unit for unit in source if name in unit.names],
        "test": [unit for unit in naming if unit.file_class == "tests"],
        "understand": [unit for unit in naming if unit.file_class == "docs"],
        "configure": [unit for unit in naming if unit.file_class == "config"],
        "debug": [unit for unit in source if name not in unit.names and any(word.search(row) and FAILING.search(row) for row in unit.text.split("\n"))],
        "history": [unit for unit in naming if unit.file_class == "history"],
    }

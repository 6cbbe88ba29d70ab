"""What does a change reach? Files that will change with it and tests that will notice, each with its reasons.

Evidence for a file is a set of independent chances (history, imports, names, place), joined as noisy-or:
p = 1 − product of (1 − chance). How many files to name follows from the chances themselves: the number whose expected F1
is best, so a file that nothing speaks for leaves the answer empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

from iq.index.cochange import History
from iq.index.graph import Graph

# Chance that a file changes with the one shown when this is all that is known of the two. Set on click, flask and hono
# (bench/history.py), where they are near the shares counted there; the other repositories are held out.
TOGETHER = 0.9
PAIR = 0.35
IMPORT = 0.08
FOLDER = 0.04
OFTEN = 0.6

# Hops along which a test reaches a file, and what is left of the chance after each.
HOPS, FADE = 4, 0.5

_AFFIX = re.compile(r"^(?:tests?|spec)[-_.]|[-_.](?:tests?|spec|e2e|bench|it|cy)$|(?<=[a-z0-9])(?:Tests?|TestCase|Specs?|IT)$|^Tests?(?=[A-Z])")
_STAND_INS = frozenset({"__init__", "index", "mod", "lib", "main", "tests", "test", "__main__"})


# Languages that tests are written in; data and prose in a test folder test nothing.
TESTABLE = frozenset(
    """python javascript typescript tsx go rust java kotlin scala c cpp objc csharp ruby php swift lua bash elixir haskell ocaml zig dart r julia perl
    erlang clojure vue svelte""".split()
)


@dataclass(frozen=True, slots=True)
class Reached:
    """A file that a change reaches: `chance` 0..1, `distance` in imports (0: not by import), the reasons in words."""

    path: str
    chance: float
    distance: int = 0
    reasons: Mapping[str, float] = field(default_factory=dict)


def subject(path: str) -> str:
    """What a file is about by its name: `tests/test_core.py`, `core_test.go`, `CoreTest.java` and `core.ts` are `core`."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0] if not name.startswith(".") else name
    parts = name.split(".")
    if len(parts) > 2 and parts[-2] in ("test", "spec", "e2e", "cy"):
        stem = ".".join(parts[:-2])
    while (cut := _AFFIX.sub("", stem)) != stem and cut:
        stem = cut
    if stem in _STAND_INS and folder:
        while folder.rpartition("/")[2] in ("src", "tests", "test", "__tests__") and "/" in folder:
            folder = folder.rpartition("/")[0]
        stem = folder.rpartition("/")[2]
    return re.sub(r"[-_. ]", "", stem).lower()


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def joined(chances: Mapping[str, float]) -> float:
    """Noisy-or of independent chances."""
    left = 1.0
    for chance in chances.values():
        left *= 1 - min(max(chance, 0.0), 0.999)
    return 1 - left


def partners(path: str, files: Iterable[str], graph: Graph, history: History) -> list[Reached]:
    """Files that will change when `path` does, likeliest first, none that nothing speaks for."""
    present = set(files)
    why: dict[str, dict[str, float]] = {}

    def add(other: str, reason: str, chance: float) -> None:
        if other != path and other in present and chance > 0:
            mine = why.setdefault(other, {})
            mine[reason] = max(mine.get(reason, 0.0), chance)

    for row in history.together(path):
        add(row.path, f"changed together in {row.count} of {row.of} commits", TOGETHER * row.score)
    for edge in graph.importers(path):
        add(edge.source, f"imports it on line {edge.line}", IMPORT * edge.weight)
    for edge in graph.imports(path):
        add(edge.target, f"imported by it on line {edge.line}", IMPORT * edge.weight)
    about, folder = subject(path), folder_of(path)
    siblings = [other for other in present if folder_of(other) == folder]
    for other in present:
        if subject(other) == about:
            add(other, "named alike", PAIR)
    for other in siblings:
        add(other, "same folder", FOLDER / max(1.0, len(siblings) / 8))
    seen = len(history.touching.get(path, ()))
    for other, share in history.often():
        # What half of all commits touch (a changelog) goes with anything; the less is known of the file, the more that counts.
        add(other, "changes often", OFTEN * share / (1 + seen / 8) if share > 0.02 else 0.0)
    rows = [Reached(other, joined(reasons), 0, reasons) for other, reasons in why.items()]
    return sorted(rows, key=lambda row: (-row.chance, row.path))


def likely(rows: Sequence[Reached]) -> list[Reached]:
    """The first rows, as many as give the best expected F1: 2 · sum of their chances / (their number + sum of all chances)."""
    whole = sum(row.chance for row in rows)
    best, cut, total = 0.0, 0, 0.0
    for at, row in enumerate(rows, 1):
        total += row.chance
        expected = 2 * total / (at + max(whole, 1.0))
        if expected > best:
            best, cut = expected, at
    return list(rows[:cut])


def distances(paths: Sequence[str], graph: Graph, hops: int = HOPS) -> dict[str, tuple[int, float]]:
    """path -> (imports away, share of its imports that lead here) of every file that imports one of `paths`, at most `hops` away."""
    found: dict[str, tuple[int, float]] = {path: (0, 1.0) for path in paths}
    ring = list(dict.fromkeys(paths))
    for hop in range(1, hops + 1):
        onward: dict[str, float] = {}
        for path in ring:
            for edge in graph.importers(path):
                if edge.source not in found:
                    onward[edge.source] = max(onward.get(edge.source, 0.0), edge.weight * found[path][1])
        for path, weight in onward.items():
            found[path] = (hop, weight)
        ring = sorted(onward)
    return found


# Weights of the evidence that a test covers a change; set on click, flask and hono, the others are held out.
MENTION = 0.75
REACH = 0.25
TEST_PAIR = 0.6
TEST_FOLDER = 0.15
TEST_TOGETHER = 0.7


def tests(
    changed: Sequence[str],
    terms: Mapping[str, float],
    candidates: Sequence[str],
    graph: Graph,
    history: History,
    holds: Callable[[str, str], int],
) -> list[Reached]:
    """Test files that will notice a change of `changed`, likeliest first.

    `terms` are the identifiers of the change with their weights, `holds(test, term)` how often a test file has one.
    A term that every test holds says nothing: each counts by log(1 + tests / tests that hold it).
    """
    away = distances(changed, graph)
    why: dict[str, dict[str, float]] = {path: {} for path in candidates}
    scores: dict[str, float] = {}
    for term, weight in terms.items():
        counts = {path: count for path in candidates if (count := holds(path, term))}
        if not counts:
            continue
        rarity = log(1 + len(candidates) / len(counts))
        for path, count in counts.items():
            scores[path] = scores.get(path, 0.0) + weight * rarity * count / (count + 1.5)
    top = max(scores.values(), default=0.0)
    for path, score in scores.items():
        why[path]["names what changed"] = MENTION * score / top
    abouts = {subject(path) for path in changed}
    folders = {folder_of(path) for path in changed}
    for path in candidates:
        if path in away and away[path][0]:
            hop, share = away[path]
            why[path]["imports it" if hop == 1 else f"reaches it in {hop} imports"] = REACH * FADE ** (hop - 1) * (0.5 + share / 2)
        if subject(path) in abouts:
            why[path]["named after it"] = TEST_PAIR
        if folder_of(path) in folders:
            why[path]["same folder"] = TEST_FOLDER
    wanted = set(candidates)
    together: dict[str, float] = {}
    for path in changed:
        for row in history.together(path):
            if row.path in wanted and row.score > together.get(row.path, 0.0):
                together[row.path] = row.score
    for path, score in together.items():
        why[path]["changed together before"] = TEST_TOGETHER * score
    rows = [Reached(path, joined(reasons), away.get(path, (0, 0.0))[0], reasons) for path, reasons in why.items() if reasons]
    return sorted(rows, key=lambda row: (-row.chance, row.path))

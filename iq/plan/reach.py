"""What does a change reach? Files that will change with it and tests that will notice, each with its reasons.

The chance that a file changes with another is logistic in what history, names and place say of the two. How many files to
name follows from the chances themselves: the number whose expected F1 is best. Evidence that a test covers a change is a
set of independent chances, joined as noisy-or: p = 1 − product of (1 − chance).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, log

from iq.index.cochange import History
from iq.index.graph import Graph

# Log-odds that a file changes when the one shown does. Fitted by logistic regression over the candidates of 450 past commits
# of click, flask and hono (`iq-bench history` reports the repositories held out). Import edges were tried and add nothing
# to these: their weights came out at −.1 and −.2.
BASE = -5.42
SHARE = 4.42  # √ of the share of the shown file's commits that touched it
BACK = 1.82  # √ of the share of its own commits that touched the shown file
COUNT = 0.4  # ln(1 + commits that touched both)
NEVER = 0.7  # no commit touched both: what is left then is name and place
SEEN = -0.28  # ln(1 + commits of the shown file): of a file that changes often each partner is less sure
PAIR = 1.71  # named alike, such as a module and its test
FOLDER = 1.95  # √(1 / files of the folder both lie in)
LATELY = 1.42  # √ of its part in the last commits
OFTEN = 0.67  # √ of its share of all commits

# A file that changes in less than this share of commits does not go with just anything.
RARELY = 0.01

# Hops along which a test reaches a file, and what is left of the chance after each.
HOPS, FADE = 4, 0.5

_AFFIX = re.compile(r"^(?:tests?|spec)[-_.]|[-_.](?:tests?|spec|e2e|bench|it|cy)$|(?<=[a-z0-9])(?:Tests?|TestCase|Specs?|IT)$|^Tests?(?=[A-Z])")
_STAND_INS = frozenset({"__init__", "index", "mod", "lib", "main", "tests", "test", "__main__"})


# Languages that tests are written in; data and prose in a test folder test nothing.
_LANGUAGES = """python javascript typescript tsx go rust java kotlin scala c cpp objc csharp ruby php swift lua bash elixir haskell ocaml zig dart r
    julia perl erlang clojure vue svelte"""
TESTABLE = frozenset(_LANGUAGES.split())


@dataclass(frozen=True, slots=True)
class Reached:
    """A file that a change reaches: `chance` 0..1, `distance` in imports (0: not by import), the reasons in words."""

    path: str
    chance: float
    distance: int = 0
    reasons: Mapping[str, float] = field(default_factory=dict)


@lru_cache(maxsize=1 << 17)
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


def _own(test: str, files: Sequence[str], tests: AbstractSet[str]) -> str:
    """Of the files that a test may be named after, in its language, the one nearest to it."""
    about, ending = subject(test), test.rpartition(".")[2]
    alike = [path for path in files if path.endswith(ending) and path not in tests and subject(path) == about]
    return min(alike, key=lambda path: (-_shared(test, path), path.count("/"), path), default="")


def _shared(one: str, other: str) -> int:
    """Folders that two paths have in common, wherever they stand: `tests/a/b` is near `src/a/b`."""
    return len(set(one.split("/")[:-1]) & set(other.split("/")[:-1]))


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def joined(chances: Mapping[str, float]) -> float:
    """Noisy-or of independent chances."""
    left = 1.0
    for chance in chances.values():
        left *= 1 - min(max(chance, 0.0), 0.999)
    return 1 - left


def partners(path: str, files: Iterable[str], history: History) -> list[Reached]:
    """Files that will change when `path` does, likeliest first, none that nothing speaks for."""
    present = set(files) - {path}
    about, folder = subject(path), folder_of(path)
    beside = [other for other in present if folder_of(other) == folder]
    terms: dict[str, dict[str, float]] = {other: {"same folder": FOLDER * (1 / (len(beside) + 1)) ** 0.5} for other in beside}

    def add(other: str, reason: str, odds: float) -> None:
        if other in present:
            terms.setdefault(other, {})[reason] = odds

    known = set()
    for row in history.together(path):
        known.add(row.path)
        odds = SHARE * row.score**0.5 + BACK * row.back**0.5 + COUNT * log(1 + row.count)
        add(row.path, f"changed together in {row.count} of {row.of} commits", odds)
    for other in present:
        if subject(other) == about:
            add(other, "named alike", PAIR)
    for other, share in history.often():
        if share > RARELY:
            add(other, f"changes in {share:.0%} of commits", OFTEN * share**0.5)
    for other, part in history.lately().items():
        add(other, "changed lately", LATELY * part**0.5)
    seen = BASE + SEEN * log(1 + len(history.touching.get(path, ())))
    rows = []
    for other, odds in terms.items():
        total = seen + sum(odds.values()) + (0.0 if other in known else NEVER)
        rows.append(Reached(other, 1 / (1 + exp(-total)), 0, odds))
    return sorted(rows, key=lambda row: (-row.chance, row.path))


def likely(rows: Sequence[Reached]) -> list[Reached]:
    """The first rows, as many as give the best expected F1: 2 · sum of their chances / (their number + sum of all chances)."""
    whole = sum(row.chance for row in rows)  # how many partners there should be; a commit of the cases has at least one
    best, cut, total = 0.0, 0, 0.0
    for at, row in enumerate(rows, 1):
        total += row.chance
        expected = 2 * total / (at + max(whole, 1.0))
        if expected > best:
            best, cut = expected, at
    return list(rows[:cut])


def distances(paths: Sequence[str], graph: Graph, hops: int = HOPS) -> dict[str, tuple[int, float]]:
    """path -> (imports away, share of its imports that lead here) of every file that imports one of `paths`, at most `hops` away."""
    found: dict[str, tuple[int, float]] = dict.fromkeys(paths, (0, 1.0))
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
    wanted, whole = set(candidates), set(changed)
    abouts = {subject(path) for path in changed}
    folders = {folder_of(path) for path in changed}
    for path in candidates:
        if path in away and away[path][0]:
            hop, share = away[path]
            why[path]["imports it" if hop == 1 else f"reaches it in {hop} imports"] = REACH * FADE ** (hop - 1) * (0.5 + share / 2)
        if subject(path) in abouts and _own(path, (*graph.files, *changed), wanted) in whole:
            why[path]["named after it"] = TEST_PAIR
        if folder_of(path) in folders:
            why[path]["same folder"] = TEST_FOLDER
    together: dict[str, float] = {}
    for path in changed:
        for row in history.together(path):
            if row.path in wanted and row.score > together.get(row.path, 0.0):
                together[row.path] = row.score
    for path, score in together.items():
        why[path]["changed together before"] = TEST_TOGETHER * score
    rows = [Reached(path, joined(reasons), away.get(path, (0, 0.0))[0], reasons) for path, reasons in why.items() if reasons]
    return sorted(rows, key=lambda row: (-row.chance, row.path))

"""iq-bench gate: does the verdict that ships hold where an intent orders the answer? Questions of the sets and of `noanswer`, under each intent.

A question is good where a target's file is among the first ten of its plain answer, whatever the intent then does with the
order: it is about the workspace, so `weak` is wrong under any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.datasets import Case
from bench.engine import file_units
from bench.metrics import as_files, files_once, ranks, within
from bench.observed import FOUND
from bench.opened import each
from bench.stats import proportion
from bench.tables import number, table
from iq.features import DEFAULTS
from iq.plan import pipeline
from iq.plan.classify import classify
from iq.plan.route import route
from iq.types import Query, Ranking
from iq.verbs import intents

# The question as it is, without an intent.
PLAIN = "none declared"

# What is asked of each question: its words alone, and with vectors.
CONFIGS = {"words": DEFAULTS - {"vectors"}, "words and vectors": DEFAULTS}


@dataclass(frozen=True, slots=True)
class Gated:
    """One question under one intent. `first`: rank of a target's first file, 0 for none; `good`: found by the plain answer.

    `kept`: the plain answer is confident, and its first file is still the first.
    """

    config: str
    intent: str
    off: bool
    good: bool
    first: int
    verdict: str
    kept: bool = False


def ask(cases: Sequence[Case], names: Sequence[str], cache: Path, say: Callable[[str], None]) -> list[Gated]:
    """Every ranked question whose corpus is in the cache, plain and under each intent."""
    found = []
    for corpus, engine, store, group in each(cases, cache, say):
        for case in group:
            query = classify(case.query)
            if query.kind != "prose":
                continue
            prose = Query("prose", query.text, query.identifiers)
            for config, features in CONFIGS.items():
                good, sure = False, ""
                for name in (PLAIN, *names):
                    chosen = intents.named(engine.session, features, "" if name == PLAIN else name)
                    ranking = pipeline.run(store, route(prose, case.scope, features, chosen), engine.session.rows)
                    first = rank(ranking, case, corpus.root)
                    head = ranking.files[0].path if ranking.files else ""
                    if name == PLAIN:
                        good, sure = first > 0, head if ranking.verdict == "confident" else ""
                    found.append(Gated(config, name, not case.targets, good, first, ranking.verdict or "weak", bool(sure) and head == sure))
    return found


def rank(ranking: Ranking, case: Case, root: str) -> int:
    """The rank of the first file of a target among the first ten, 0 where there is none."""
    return min(within(ranks(files_once(file_units(ranking, root)), as_files(case.targets)), FOUND), default=0) if case.targets else 0


HEADER = (
    "signals",
    "intent",
    "off-topic: weak",
    "good: weak",
    "confident, of the answerable",
    "of these right",
    "confident without it, first file kept",
    "of these right",
)


def report(rows: Iterable[Gated]) -> str:
    groups: dict[tuple[str, str], list[Gated]] = {}
    for row in rows:
        groups.setdefault((row.config, row.intent), []).append(row)
    return table(list(HEADER), [[*key, *(share(*pair) for pair in figures(group))] for key, group in groups.items()])


def figures(group: Sequence[Gated]) -> list[tuple[int, int]]:
    """(so many, of so many) for each column of HEADER after the second."""
    off, asked = [row for row in group if row.off], [row for row in group if not row.off]
    good, sure = [row for row in asked if row.good], [row for row in asked if row.verdict == "confident"]
    weak = [(sum(row.verdict == "weak" for row in some), len(some)) for some in (off, good)]
    pairs = [((len(some), len(asked)), (sum(row.first == 1 for row in some), len(some))) for some in (sure, [row for row in asked if row.kept])]
    return [*weak, *(column for pair in pairs for column in pair)]


def share(hits: int, count: int) -> str:
    found = proportion(hits, count)
    return f"{number(found.mean)} [{number(found.low)}, {number(found.high)}] of {count}" if count else "–"

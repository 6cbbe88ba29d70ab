"""Does a declared intent bring what it asks for? One query under several intents, each with its own right places.

Beside the engine's own configurations run two that say what a result is worth: the *filter*, which shows only the class of
files that the intent is about (most golds follow from the class, so this is the line to beat inside it), and the
*control*, which declares a wrong intent drawn at random and has to fail. Two more ask with a turn of phrase that betrays the
intent ("tests for …") and declare nothing: with inference, and with the stage off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from bench import intentgen, metrics
from bench.corpora import place, recorded
from bench.datasets import Case, Target, load
from bench.engine import chunk_units
from bench.metrics import Unit
from bench.retrieval import by_corpus
from bench.stats import Interval, Paired, bootstrap, compare
from bench.tables import number, signed, table
from iq.features import DEFAULTS
from iq.types import Ranking, Scope

# The class of files that an intent is about.
CLASS = {"implement": "src", "test": "tests", "understand": "docs", "configure": "config", "debug": "src", "history": "history"}

PLAIN, NONE, DECLARED, FILTER, CONTROL = "plain", "none", "declared", "class filter", "random intent (control)"
SPOKEN, INFERRED = "turn of phrase, plain", "turn of phrase, inferred"

# How people ask for a purpose without naming it. Written once, before anything was measured with them.
PHRASES = {
    "implement": "implementation of {}",
    "test": "tests for {}",
    "understand": "documentation of {}",
    "configure": "release workflow {}",
    "debug": "where is {} raised",
    "history": "which version changed {}",
}

Rank = Callable[..., Ranking]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case under one configuration: what it scored, and the rank of its places under each intent its query has."""

    case: Case
    top1: float
    ndcg: float
    rank: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """A configuration's figures: means with their intervals where they are means over cases."""

    name: str
    top1: Interval
    ndcg: Interval
    pmrr: float
    followir: float
    robustness: float
    against: Paired | None


def wrong(case: Case) -> str:
    """Another intent than the case's, by the hash of its id: the same in each run, and the same for no reason."""
    others = [name for name in CLASS if name != case.category]
    return others[int.from_bytes(blake2b(case.id.encode(), digest_size=4).digest(), "big") % len(others)]


def asked(rank: Rank, case: Case, config: str) -> Ranking:
    bare = DEFAULTS - {"intent"}
    if config == PLAIN:
        return rank(case.query, features=DEFAULTS)
    if config in (SPOKEN, INFERRED):
        return rank(PHRASES[case.category].format(case.query), features=DEFAULTS if config == INFERRED else bare)
    if config == FILTER:
        return rank(case.query, scope=Scope(only=(CLASS[case.category],)), features=bare)
    name = {NONE: "none", CONTROL: wrong(case)}.get(config, case.category)
    return rank(case.query, features=DEFAULTS, intent=name)


CONFIGS = (PLAIN, NONE, DECLARED, FILTER, CONTROL, SPOKEN, INFERRED)


def first(units: Sequence[Unit], targets: Sequence[Target]) -> int | None:
    return min((rank for rank in metrics.ranks(units, targets) if rank is not None), default=None)


def run(
    cases: Sequence[Case], open_engine: Callable[[Path], object], cache: Path, say: Callable[[str], None]
) -> tuple[dict[str, list[Outcome]], dict[str, list[tuple[int | None, int | None]]]]:
    """Per configuration the outcome of every case, and the pairs of ranks of a case's places under its own and another intent."""
    outcomes: dict[str, list[Outcome]] = {config: [] for config in CONFIGS}
    pairs: dict[str, list[tuple[int | None, int | None]]] = {config: [] for config in CONFIGS}
    for corpus, group in by_corpus(cases):
        if recorded(cache, corpus) is None:
            say(f"skipped {corpus.tree}: not in the cache; iq-bench corpora")
            continue
        engine = open_engine(place(cache, corpus) / corpus.root)
        ranker: Rank = engine.rank  # type: ignore[attr-defined]
        for config in CONFIGS:
            units = {case.id: chunk_units(asked(ranker, case, config), corpus.root) for case in group}
            for case in group:
                own = first(units[case.id], case.targets)
                outcomes[config].append(Outcome(case, metrics.hit(units[case.id], case.targets, 1), metrics.ndcg(units[case.id], case.targets), own))
                pairs[config] += [(own, first(units[other.id], case.targets)) for other in group if other.query == case.query and other.id != case.id]
        say(f"{corpus.tree}: {len(group)} cases")
    return outcomes, pairs


def lines(outcomes: Mapping[str, Sequence[Outcome]], pairs: Mapping[str, Sequence[tuple[int | None, int | None]]]) -> list[Line]:
    found = []
    base = [outcome.ndcg for outcome in outcomes[PLAIN]]
    for config, rows in outcomes.items():
        by_query: dict[str, list[float]] = {}
        for row in rows:
            by_query.setdefault(f"{row.case.repo} {row.case.query}", []).append(row.ndcg)
        deltas = [metrics.pmrr(*pair) for pair in pairs[config]]
        falls = [metrics.pmrr_followir(*pair) for pair in pairs[config]]
        found.append(
            Line(
                config,
                bootstrap([row.top1 for row in rows]),
                bootstrap([row.ndcg for row in rows]),
                sum(deltas) / len(deltas) if deltas else 0.0,
                sum(falls) / len(falls) if falls else 0.0,
                metrics.robustness(by_query),
                compare(base, [row.ndcg for row in rows]) if config != PLAIN else None,
            )
        )
    return found


def text(outcomes: Mapping[str, Sequence[Outcome]], pairs: Mapping[str, Sequence[tuple[int | None, int | None]]]) -> str:
    head = ["configuration", "n", "top-1", "95 %", "nDCG@10", "95 %", "p-MRR", "p-MRR (FollowIR)", "robustness@10", "Δ nDCG", "95 % of Δ"]
    rows = []
    for line in lines(outcomes, pairs):
        delta = line.against.delta if line.against else None
        rows.append(
            [
                line.name,
                str(len(outcomes[line.name])),
                number(line.top1.mean),
                spread(line.top1),
                number(line.ndcg.mean),
                spread(line.ndcg),
                signed(line.pmrr),
                signed(line.followir),
                number(line.robustness),
                signed(delta.mean) if delta else "–",
                f"{signed(delta.low)} … {signed(delta.high)}" if delta else "–",
            ]
        )
    parts = [table(head, rows)]
    for field in ("category", "repo"):
        groups = sorted({getattr(row.case, field) for row in outcomes[PLAIN]})
        sizes = {group: sum(getattr(row.case, field) == group for row in outcomes[PLAIN]) for group in groups}
        body = [
            [config, *(number(mean(row.top1 for row in found if getattr(row.case, field) == group)) for group in groups)] for config, found in outcomes.items()
        ]
        parts.append(table(["top-1", *(f"{group} ({sizes[group]})" for group in groups)], body))
    return "\n\n".join(parts)


def spread(interval: Interval) -> str:
    return f"{number(interval.low)}–{number(interval.high)}"


def mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None


def code_cases(form: str, cache: Path) -> list[Case]:
    """The committed cases; or, for `sentence`, those made anew of the same trees, asked by the first sentence of the documentation."""
    cases = list(load(("intent-code",)))
    if form == "words":
        return cases
    found = []
    for corpus, group in by_corpus(cases):
        if recorded(cache, corpus) is None:
            continue
        for number_, row in enumerate(intentgen.generate(str(place(cache, corpus)), group[0].repo, corpus.rev)):
            if row["sentence"]:
                targets = tuple(Target(gold["path"], gold["line"], gold["end"]) for gold in row["gold"])
                found.append(Case(f"{row['repo']}-{row['intent']}-s{number_:03}", "intent-code", row["repo"], row["sentence"], row["intent"], targets, corpus))
    return found

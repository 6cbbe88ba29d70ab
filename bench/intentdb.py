"""The paired intents of intent-db: general knowledge, one query under several intents, each with its one right document.

Every configuration ranks the whole corpus. `plain` is the cosine alone; `lens` adds the intent's affinity; `control` gives
each intent the texts of random directions; `learned` (hard track only) adds to an intent's texts its training queries of
the *other* topics: those of the case's own topic name its right documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench import metrics
from bench.datasets import rows
from bench.stats import Interval, bootstrap, compare
from bench.tables import number, signed, table
from iq.plan import lens
from iq.plan.lens import Matrix

# Texts to unit vectors, (texts, dimensions).
Embed = Callable[[Sequence[str]], Matrix]

# Put before a query, as the encoder was trained.
PROMPT = "Represent this sentence for searching relevant passages: "

TRACKS = ("easy", "hard")
PUBLISHED = {
    "easy": ("intent-db, published (nomic-embed-text)", ".960", ".985", "+.766"),
    "hard": ("intent-db, published (nomic-embed-text)", ".62", "–", "+.362"),
}

Ranks = Mapping[tuple[str, str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Track:
    """A track with all it needs embedded once."""

    name: str
    ids: tuple[str, ...]
    intents: tuple[str, ...]
    cases: tuple[dict, ...]
    vectors: Matrix
    queries: Matrix
    texts: Mapping[str, Matrix]
    training: Mapping[str, tuple[tuple[str, Matrix], ...]]


def track(name: str, embed: Embed) -> Track:
    """The paired cases of a track: those whose query stands under more than one intent."""
    docs, intents = list(rows(f"intent-db/{name}.docs.jsonl")), list(rows(f"intent-db/{name}.intents.jsonl"))
    counts = Counter(case["query"] for case in rows(f"intent-db/{name}.cases.jsonl"))
    cases = tuple(case for case in rows(f"intent-db/{name}.cases.jsonl") if counts[case["query"]] > 1)
    training: dict[str, list[tuple[str, Matrix]]] = {}
    if name == "hard":
        pairs = list(rows("intent-db/hard.train.jsonl"))
        for pair, vector in zip(pairs, embed([pair["query"] for pair in pairs]), strict=True):
            training.setdefault(pair["intent"], []).append((topic(pair["gold"]), vector[None]))
    return Track(
        name,
        tuple(doc["id"] for doc in docs),
        tuple(row["intent"] for row in intents),
        cases,
        embed([doc["text"] for doc in docs]),
        embed([case["query"] for case in cases]),
        {row["intent"]: embed([row["description"], *row["exemplars"]]) for row in intents},
        {intent: tuple(found) for intent, found in training.items()},
    )


def topic(gold: str) -> str:
    return gold.rpartition("-")[0]


def ranked(data: Track, config: str) -> Ranks:
    corpus = lens.moments(data.vectors)
    generator = np.random.default_rng(0)
    found: dict[tuple[str, str], Sequence[str]] = {}
    fixed = None
    for at, case in enumerate(data.cases):
        base = data.vectors @ data.queries[at]
        score = (base - base.mean()) / base.std()
        if config != "plain":
            if fixed is None or config == "learned":
                fixed = affinities(data, corpus, config, topic(case["gold"]), generator)
            logits = lens.WEIGHT * fixed / lens.TEMPERATURE
            score = score + lens.PRIOR * lens.log_posterior(logits, data.intents.index(case["intent"]))
        order = np.argsort(-score, kind="stable")
        found[case["query"], case["intent"]] = [data.ids[i] for i in order]
    return found


def affinities(data: Track, corpus: lens.Moments, config: str, held: str, generator: np.random.Generator) -> Matrix:
    texts = []
    for name in data.intents:
        own = data.texts[name]
        if config == "control":
            noise = generator.standard_normal(own.shape).astype(np.float32)
            own = noise / np.linalg.norm(noise, axis=1, keepdims=True)
        elif config == "learned":
            own = np.concatenate([own, *(vector for where, vector in data.training.get(name, ()) if where != held)])
        texts.append(own)
    weights = lens.functionals(texts, corpus)
    stored = np.stack([lens.columns(data.vectors, row, corpus) for row in weights], axis=1)
    return lens.affinities(stored, weights, corpus)


def text(data: Track) -> str:
    """The grid of a track as a table."""
    lines, base = [], []
    for config in ("plain", "lens", "control", *(("learned",) if data.name == "hard" else ())):
        ranks = ranked(data, config)
        top, gain, by_query, deltas, falls = [], [], {}, [], []
        for case in data.cases:
            own = place(ranks, case["query"], case["intent"], case["gold"])
            top.append(float(own == 1))
            gain.append(metrics.discount(own) if own <= 10 else 0.0)
            by_query.setdefault(case["query"], []).append(gain[-1])
            others = [place(ranks, query, intent, case["gold"]) for query, intent in ranks if query == case["query"] and intent != case["intent"]]
            deltas += [metrics.pmrr(own, other) for other in others]
            falls += [metrics.pmrr_followir(own, other) for other in others]
        base = base or gain
        spread, delta = bootstrap(gain), compare(base, gain).delta
        against = ["–", "–"] if config == "plain" else [signed(delta.mean), f"{signed(delta.low)} … {signed(delta.high)}"]
        first = bootstrap(top)
        figures = [number(first.mean), ends(first), number(spread.mean), ends(spread), signed(sum(deltas) / len(deltas)), signed(sum(falls) / len(falls))]
        lines.append([config, str(len(top)), *figures, number(metrics.robustness(by_query)), *against])
    name, first_, gain_, pmrr_ = PUBLISHED[data.name]
    lines.append([name, "–", first_, "–", gain_, "–", pmrr_, "–", "–", "–", "–"])
    return table(["configuration", "n", "top-1", "95 %", "nDCG@10", "95 %", "p-MRR", "p-MRR (FollowIR)", "robustness@10", "Δ nDCG", "95 % of Δ"], lines)


def place(ranks: Ranks, query: str, intent: str, gold: str) -> int:
    return ranks[query, intent].index(gold) + 1


def ends(interval: Interval) -> str:
    return f"{number(interval.low)}–{number(interval.high)}"

"""Runs cases through the engine: one index a corpus, every configuration over it, per-query scores out."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.corpora import place, recorded
from bench.datasets import Case, Corpus
from bench.engine import PROSE, Engine, Kit, answer_units, chunk_units, file_units
from bench.metrics import share_met
from bench.printed import read
from bench.results import Indexed, Results, Row, Run
from bench.scoring import BUDGETS, PRINTED, SCORERS, Scores
from bench.tokens import counter
from iq.types import Output, Request

INDEX = Path(".iq/local")


def run(
    cases: Sequence[Case],
    configs: Sequence[str],
    kit: Kit,
    cache: Path,
    *,
    command: str = "",
    commit: str = "unknown",
    capsules: bool = True,
    fresh: bool = False,
    repeat: int = 1,
    say: Callable[[str], None] = lambda line: None,
) -> Results:
    """Every configuration over every case whose corpus is in the cache.

    `fresh` drops a corpus's index first, so that its time is that of building it. `repeat` asks each question so many
    times and keeps the median time; the answer is the same each time. One engine is open at a time.
    """
    features = {config: kit.parse(config) for config in configs}
    lacking = {config: kit.lacking(features[config]) for config in configs}
    tokenizer, count = counter(cache)
    rows: dict[str, list[Row]] = {config: [] for config in configs}
    corpora, missing = [], {}
    for corpus, group in by_corpus(cases):
        brought = recorded(cache, corpus)
        if brought is None:
            missing[corpus.tree] = f"not in the cache; {len(group)} cases left out: iq-bench corpora"
            continue
        root = place(cache, corpus) / corpus.root
        if fresh:
            shutil.rmtree(root / INDEX, ignore_errors=True)
        new = not (root / INDEX).exists()
        started = perf_counter()
        engine = kit.open(root)
        engine.level()
        seconds = perf_counter() - started
        corpora.append(Indexed(corpus.tree, corpus.root, brought.source, brought.exact, round(seconds, 3), new))
        for config in configs:
            if lacking[config]:
                continue
            ask(engine, group[0], features[config])  # warm: the first question also pays for page cache and imports
            for case in group:
                scores, ms = measure(engine, kit, case, features[config], capsules, count, repeat)
                rows[config].append(Row(case.id, case.set, case.repo, case.category, scores, round(ms, 3)))
        say(f"{corpus.tree} {corpus.root or '.'}: index {seconds:.1f} s, {len(group)} cases, {len(configs)} configurations")
        if callable(close := getattr(engine, "close", None)):
            close()
    order = {(case.set, case.id): at for at, case in enumerate(cases)}
    return Results(
        command=command,
        commit=commit,
        models=kit.models(),
        tokenizer=tokenizer,
        runs=tuple(
            Run(
                config=config,
                features=tuple(sorted(features[config])),
                rows=tuple(sorted(rows[config], key=lambda row: order[row.set, row.id])),
                skipped=lacking[config],
            )
            for config in configs
        ),
        corpora=tuple(corpora),
        missing=missing,
    )


def by_corpus(cases: Sequence[Case]) -> Iterator[tuple[Corpus, list[Case]]]:
    """Cases of one indexed folder together, in the order of the folders' names."""
    for corpus, group in groupby(sorted(cases, key=lambda case: case.corpus), key=lambda case: case.corpus):
        yield corpus, list(group)


def request(case: Case, features: frozenset[str], output: Output) -> Request:
    return Request(verb="search" if case.verb == PROSE else case.verb, words=(case.query,), options={}, scope=case.scope, output=output, features=features)


def ask(engine: Engine, case: Case, features: frozenset[str]) -> object:
    if case.verb == PROSE and case.targets:
        return engine.rank(case.query, scope=case.scope, features=features)
    return engine.answer(request(case, features, Output()))


def measure(engine: Engine, kit: Kit, case: Case, features: frozenset[str], capsules: bool, count: Callable[[str], int], repeat: int) -> tuple[Scores, float]:
    """The scores of a case and the milliseconds of its question; printing is never part of the time."""
    root, times = case.corpus.root, []
    for _ in range(repeat):
        started = perf_counter()
        if case.verb == PROSE and case.targets:
            ranking = engine.rank(case.query, scope=case.scope, features=features)
            answer = None
        else:
            answer = engine.answer(request(case, features, Output()))
        times.append((perf_counter() - started) * 1000)
    if not case.targets:
        assert answer is not None
        return {"weak": float(answer.verdict == "weak" or not answer.items)}, median(times)
    if answer is not None:
        scores = SCORERS[case.set](case, answer_units(answer, root), ())
    else:
        scores = SCORERS[case.set](case, file_units(ranking, root), chunk_units(ranking, root))
    if capsules and case.set in PRINTED:
        scores |= printed(engine, kit, case, features, count)
    return scores, median(times)


def printed(engine: Engine, kit: Kit, case: Case, features: frozenset[str], count: Callable[[str], int]) -> Scores:
    """Targets that the capsule shows at each budget, with their code or at least as an anchor, and its tokens by default.

    A capsule longer than its budget by our own count shows only what is inside it: the text is cut there first.
    """
    answer = engine.answer(request(case, features, Output()))
    scores: Scores = {"tokens": float(count(kit.render(answer, Output()).text))}
    for budget in BUDGETS:
        shown = read(cut(kit.render(answer, Output(budget=budget)).text, budget, count), case.corpus.root)
        scores[f"shown@{budget}"] = share_met(shown.all, case.targets)
        scores[f"code@{budget}"] = share_met(shown.code, case.targets)
    return scores


def cut(text: str, budget: int, count: Callable[[str], int]) -> str:
    """The longest run of whole lines from the start that fits the budget."""
    if count(text) <= budget:
        return text
    kept = ""
    for line in text.splitlines(keepends=True):
        if count(kept + line) > budget:
            break
        kept += line
    return kept

"""What the engine measures of each question before it judges: the rows that a calibration is fitted to."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.datasets import Case
from bench.engine import answer_units, file_units
from bench.metrics import Unit, as_files, files_once, ranks, within
from bench.opened import each
from bench.retrieval import request
from bench.stats import SEED
from iq.features import DEFAULTS
from iq.index.store import Store
from iq.index.tokens import parts
from iq.index.vectors import table
from iq.index.vectors.matrix import matrix
from iq.index.vectors.quantise import quantise
from iq.models import embedder
from iq.plan import pipeline
from iq.plan.classify import classify
from iq.plan.route import route
from iq.types import Output, Query
from iq.verbs import intents

# Rank down to which a target's file counts as found (from 1).
FOUND = 10

# What is measured in one pass: calibration -> features. `read` holds the signals of `meaning` too.
WORDS_ALONE = DEFAULTS - {"vectors", "rerank"}
ALL = DEFAULTS | {"rerank"}


# Questions made of a workspace's own symbol names, and names in each: what the nearest chunk to nothing in particular looks like there.
NULLS, NAMES = 40, 3


@dataclass(frozen=True, slots=True)
class Observation:
    """One question. `first` is the rank of the first file of a target, 0 where none is among the first ten; `off`: there is none.

    `exact` is the verdict of an answer that needed no ranking, empty for a ranked one; only that has signals, those of `words` with no
    model. `defined`: an identifier of the question is defined.
    """

    id: str
    set: str
    repo: str
    off: bool
    first: int
    exact: str = ""
    defined: bool = False
    words: Mapping[str, float] | None = None
    signals: Mapping[str, float] | None = None

    @property
    def good(self) -> bool:
        return self.first > 0


def observe(cases: Sequence[Case], cache: Path, say: Callable[[str], None]) -> list[Observation]:
    """Every case whose corpus is in the cache, with all its vectors made first; corpus by corpus."""
    found = []
    for corpus, engine, store, group in each(cases, cache, say):
        usual = null_cosines(store)
        for case in group:
            query = classify(case.query)
            if query.kind not in ("prose", "artefact"):
                answer = engine.answer(request(case, DEFAULTS, Output()))
                if answer.kind != "prose":
                    found.append(_row(case, answer_units(answer, corpus.root), exact=answer.verdict or "none"))
                    continue
            prose = Query("prose", query.text, query.identifiers)
            betrayed = intents.choose(engine.session, store, prose.text, DEFAULTS, None)
            plans = [route(prose, case.scope, features, betrayed) for features in (WORDS_ALONE, ALL)]
            words, full = (pipeline.run(store, plan, engine.session.rows) for plan in plans)
            defined = bool(prose.identifiers) and bool(store.defining(prose.identifiers))
            signals = dict(full.signals)
            if "cosine" in signals:
                signals["unusual"] = (signals["cosine"] - float(usual.mean())) / max(float(usual.std()), 1e-3)
            found.append(_row(case, file_units(full, corpus.root), defined=defined, words=words.signals, signals=signals))
    return found


def null_cosines(store: Store) -> np.ndarray:
    """The cosine of the nearest chunk to each of NULLS questions of random symbol names, split into words; the same for the same index."""
    names = sorted({symbol.name for *_, symbol in store.all_symbols() if len(symbol.name) > 3}) or ["name"]
    draw = random.Random(SEED)
    questions = [" ".join(part for name in draw.sample(names, min(NAMES, len(names))) for part in parts(name)) for _ in range(NULLS)]
    every, turn = matrix(store), table.turn(store)
    return np.array([every.cosines(row).max() for row in quantise(embedder.load().embed(questions, query=True), turn)])


def _row(
    case: Case,
    units: Sequence[Unit],
    exact: str = "",
    defined: bool = False,
    words: Mapping[str, float] | None = None,
    signals: Mapping[str, float] | None = None,
) -> Observation:
    met = within(ranks(files_once(units), as_files(case.targets)), FOUND)
    return Observation(case.id, case.set, case.repo, not case.targets, min(met, default=0), exact, defined, _rounded(words), _rounded(signals))


def _rounded(signals: Mapping[str, float] | None) -> Mapping[str, float] | None:
    return {name: round(value, 4) for name, value in signals.items()} if signals is not None else None

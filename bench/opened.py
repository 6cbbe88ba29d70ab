"""iq's engine as the bench opens it, with every vector made first, and the models it runs with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.corpora import place, recorded
from bench.datasets import Case, Corpus
from bench.retrieval import by_corpus
from iq.engine import Engine
from iq.errors import IqError
from iq.index.store import Store
from iq.models import files
from iq.models.files import ModelError
from iq.verbs.index import embed

# What a feature cannot do without.
NEEDS = {"vectors": "embedder", "rerank": "reranker"}


class Whole(Engine):
    """An engine whose index has every vector before the first question: a run must not depend on how far a worker got."""

    def level(self) -> None:
        super().level()
        if files.present("embedder"):
            self.session.embedding = _progress
            try:
                embed(self.session)
            except IqError as error:
                print(f"no vectors: {error}", file=sys.stderr)


def opened(root: Path) -> Whole:
    return Whole.open(root)  # type: ignore[return-value]


def each(cases: Sequence[Case], cache: Path, say: Callable[[str], None]) -> Iterator[tuple[Corpus, Whole, Store, list[Case]]]:
    """Corpus by corpus, those that are in the cache, open and with all their vectors; what is left out and what is done is said."""
    for corpus, group in by_corpus(cases):
        if recorded(cache, corpus) is None:
            say(f"skipped {corpus.tree}: not in the cache, {len(group)} cases left out: iq-bench corpora")
            continue
        engine = opened(place(cache, corpus) / corpus.root)
        engine.level()
        store, _ = engine.session.level()
        yield corpus, engine, store, group
        say(f"{corpus.tree} {corpus.root or '.'}: {len(group)} questions")
        store.close()


def lacking(features: frozenset[str]) -> str:
    """Which model a set of features needs and is not here, or is not sound."""
    missing = []
    for name, role in NEEDS.items():
        if name in features:
            try:
                files.find(role)
            except ModelError as error:
                missing.append(f"{name} needs the {role}: {error}")
    return "; ".join(missing)


def models() -> dict[str, str]:
    """role -> SHA-256 of the network of each model that is here."""
    found = {}
    for role in files.ROLES:
        try:
            found[role] = files.find(role).hash
        except ModelError:
            continue
    return found


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r  vectors {done}/{total}", end="\n" if done == total else "", file=sys.stderr, flush=True)

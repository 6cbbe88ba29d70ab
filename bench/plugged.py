"""iq's engine, models and scoring in the form that the bench calls: the one place to change when their signatures do."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bench.vaswani import Bm25, Expand
from iq.engine import Engine
from iq.errors import IqError
from iq.models import files
from iq.models.files import ModelError
from iq.verbs.index import embed

# What a feature cannot do without.
NEEDS = {"vectors": "embedder", "rerank": "reranker"}


def scoring() -> tuple[Bm25, Expand]:
    """Raises LookupError where iq does not have them."""
    try:
        from iq.plan.rm3 import expand  # type: ignore[import,unused-ignore]
        from iq.plan.score import bm25  # type: ignore[import,unused-ignore]
    except ImportError as error:
        raise LookupError(f"iq has no {error.name} to check; bench/plugged.py says what is called") from error
    return bm25, expand


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
    os.environ["IQ_EMBED"] = "0"
    return Whole.open(root)  # type: ignore[return-value]


def lacking(features: frozenset[str]) -> str:
    """Which model a set of features needs and is not here."""
    missing = [f"{NEEDS[name]} for {name}" for name in NEEDS if name in features and not files.present(NEEDS[name])]
    return f"no {', '.join(missing)}; {files.REMEDY}" if missing else ""


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

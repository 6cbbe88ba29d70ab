"""iq's engine as the bench opens it, with every vector made first, and the models it runs with."""

from __future__ import annotations

import sys
from pathlib import Path

from iq.engine import Engine
from iq.errors import IqError
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

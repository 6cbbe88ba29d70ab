"""A question and passages to probabilities that each passage answers it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from iq.models import files
from iq.models.files import Model, ModelError
from iq.models.session import Network


class Reranker(Protocol):
    """`hash` names the model, for which floors are calibrated."""

    @property
    def hash(self) -> str: ...

    def score(self, question: str, passages: Sequence[str], limit: int) -> list[float]:
        """A probability for each passage, question and passage cut at `limit` tokens together."""
        ...


class OnnxReranker:
    def __init__(self, model: Model, threads: int = 0) -> None:
        self._network = Network(model, threads)
        if self._network.rank != 2 or self._network.width not in (0, 1):
            raise ModelError(f"reranker: the network in '{model.folder}' yields no single score; is it an embedder? `{files.REMEDY}` repairs it")
        self.hash = model.hash

    def score(self, question: str, passages: Sequence[str], limit: int) -> list[float]:
        import numpy

        found = numpy.zeros(len(passages), numpy.float64)
        for batch, logits, _ in self._network.run([(question, passage) for passage in passages], limit):
            found[batch] = 1 / (1 + numpy.exp(-logits[:, 0].astype(numpy.float64)))
        return [float(value) for value in found]


def load(threads: int = 0) -> Reranker:
    """The reranker on disk. Raises ModelError."""
    return OnnxReranker(files.find("reranker"), threads)


@lru_cache(maxsize=1)
def _loaded(place: str) -> Reranker | str:
    try:
        return load()
    except ModelError as error:
        return str(error)


def loaded() -> Reranker | str:
    """The reranker, kept for the life of the process, or why there is none."""
    return _loaded(files.folder())

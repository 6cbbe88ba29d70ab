"""Texts to unit vectors. `Embedder` is what the index and the vector leg ask for; tests put hashed words in its place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from iq.models import files
from iq.models.files import Model, ModelError
from iq.models.session import Network

if TYPE_CHECKING:
    import numpy

# A passage is cut here (tokens). Chunks have up to 1,500 characters, about 400 tokens; two thirds of them are longer than 128. At 128 an
# index costs 1/1.7 of the time, semble gains .004 and octocode loses .015, iq-bench .011, all within their intervals (RESULTS, Meaning).
PASSAGE_TOKENS = 256

# A question is cut here (tokens).
QUERY_TOKENS = 128

# What the model's authors put before a question. Off: with it commitloc gains .007 and paraphrases .05, but semble loses .005 by file
# and .009 by chunk, iq-bench .005 (weights of the leg as they are).
INSTRUCTION = "Represent this sentence for searching relevant passages: "
INSTRUCT = False

# How vectors are made from token states; part of the vector space.
POOLING = "mean"


class Embedder(Protocol):
    """`space` names what the vectors depend on: vectors of two spaces never meet."""

    @property
    def space(self) -> str: ...

    def embed(self, texts: Sequence[str], query: bool = False) -> numpy.ndarray:
        """A float32 row of length 1 for each text."""
        ...


class OnnxEmbedder:
    def __init__(self, model: Model, threads: int = 0) -> None:
        self._network = Network(model, threads)
        if self._network.rank != 3:
            raise ModelError(f"embedder: the network in '{model.folder}' yields no token states; is it a reranker? `{files.REMEDY}` repairs it")
        self.space = f"{model.hash[:16]}·{POOLING}·l2·{PASSAGE_TOKENS}"
        # The last question: an answer that is vouched for or explained ranks it again and again.
        self._asked: tuple[str, numpy.ndarray] | None = None

    def embed(self, texts: Sequence[str], query: bool = False) -> numpy.ndarray:
        import numpy

        asked = [INSTRUCTION + text for text in texts] if query and INSTRUCT else texts
        if query and len(asked) == 1 and self._asked is not None and self._asked[0] == asked[0]:
            return self._asked[1].copy()
        found = None
        for batch, states, mask in self._network.run(asked, QUERY_TOKENS if query else PASSAGE_TOKENS):
            weights = mask[:, :, None].astype(numpy.float32)
            mean = (states * weights).sum(axis=1) / numpy.maximum(weights.sum(axis=1), 1)
            mean /= numpy.maximum(numpy.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
            if found is None:
                found = numpy.zeros((len(texts), mean.shape[1]), numpy.float32)
            found[batch] = mean
        if query and len(asked) == 1 and found is not None:
            self._asked = asked[0], found.copy()
        return found if found is not None else numpy.zeros((0, self._network.width), numpy.float32)


def load(threads: int = 0) -> Embedder:
    """The embedder on disk. Raises ModelError."""
    return OnnxEmbedder(files.find("embedder"), threads)


@lru_cache(maxsize=1)
def _loaded(place: str) -> Embedder | str:
    try:
        return load()
    except ModelError as error:
        return str(error)


def loaded() -> Embedder | str:
    """The embedder, kept for the life of the process, or why there is none."""
    return _loaded(files.folder())

"""The real models, where they are installed: recall of int8, throughput, what the reranker tells apart."""

from __future__ import annotations

import time
from pathlib import Path

import numpy
import pytest

from iq.index.vectors.quantise import quantise, rotation
from iq.models import embedder, files, reranker
from iq.models.embedder import OnnxEmbedder
from iq.models.session import Network
from tests.conftest import USERS_MODELS


def _users(patch: pytest.MonkeyPatch) -> None:
    """Looks for models where whoever runs the tests has them; other tests see none."""
    if USERS_MODELS is None:
        patch.delenv("IQ_MODEL_DIR", raising=False)
    else:
        patch.setenv("IQ_MODEL_DIR", USERS_MODELS)


with pytest.MonkeyPatch.context() as _patch:
    _users(_patch)
    THERE = all(map(files.present, files.ROLES))

pytestmark = [
    pytest.mark.models,
    pytest.mark.skipif(not THERE, reason="the models are not installed here: iq models install"),
]


@pytest.fixture(autouse=True)
def _real(monkeypatch: pytest.MonkeyPatch) -> None:
    _users(monkeypatch)


SOURCES = sorted((Path(__file__).parents[2] / "iq").rglob("*.py"))


@pytest.fixture(scope="module")
def passages() -> list[str]:
    """Pieces of iq's own source, 12 lines each."""
    found = []
    for path in SOURCES:
        rows = path.read_text("utf-8").splitlines()
        found += [f"{path.stem}\n" + "\n".join(rows[at : at + 12])[:400] for at in range(0, len(rows), 12)]
    return found[:360]


def test_recall_of_int8_against_float32(passages: list[str]) -> None:
    model = embedder.load()
    vectors = model.embed(passages)
    queries = model.embed(["how are ignore rules applied", "which files surface", "reciprocal rank fusion", "cut text to a budget",
                           "lock of the writer", "detect the language of a file", "decode bytes", "parse the command line",
                           "split identifiers", "score of a file"], query=True)  # fmt: skip
    turn = rotation(vectors.shape[1])
    small, asked = quantise(vectors, turn).astype(numpy.float32), quantise(queries, turn).astype(numpy.float32)
    small /= numpy.linalg.norm(small, axis=1, keepdims=True)
    kept = []
    for at in range(len(queries)):
        best = set(numpy.argsort(-(vectors @ queries[at]))[:10].tolist())
        kept.append(len(best & set(numpy.argsort(-(small @ asked[at]))[:10].tolist())) / 10)
    assert numpy.mean(kept) >= 0.98


def test_embedding_costs_little_over_the_network_itself(passages: list[str]) -> None:
    """Throughput is at least .9 of onnxruntime's own on the same batches; the best of three rounds, since others use the machine."""
    model = embedder.load()
    assert isinstance(model, OnnxEmbedder)
    some = passages[:64]
    feeds = []
    network: Network = model._network
    run = network._run.run
    shares = []
    for _ in range(3):
        feeds.clear()

        class Recording:
            def run(self, names: object, feed: dict[str, numpy.ndarray]) -> object:
                feeds.append(feed)
                return run(names, feed)

        network._run, kept = Recording(), network._run  # type: ignore[assignment]
        start = time.process_time()
        model.embed(some)
        ours = time.process_time() - start
        network._run = kept
        start = time.process_time()
        for feed in feeds:
            run(None, feed)
        shares.append((time.process_time() - start) / ours)
    assert max(shares) >= 0.9


def test_the_reranker_knows_an_answer_from_another_subject() -> None:
    model = reranker.load()
    right, wrong = model.score("how is a lock file released", ["lock. Holds the writer's lock file and releases it at the end.", "Bananas are yellow."], 128)
    assert right > 0.5 > 0.01 > wrong


def test_the_instruction_is_a_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    model = embedder.load()
    plain = model.embed(["where are retries handled"], query=True)[0]
    monkeypatch.setattr(embedder, "INSTRUCT", True)
    asked = model.embed(["where are retries handled"], query=True)[0]
    assert 0.7 < plain @ asked < 0.999

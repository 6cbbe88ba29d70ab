"""Models on disk: what they yield, and what is said of bad ones while the words still answer."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest

from iq.models import embedder, files, reranker
from iq.models.files import ModelError
from iq.models.session import BATCH_TEXTS, BATCH_TOKENS, Network
from tests import tiny_onnx

SOURCE = {"a.py": "def remove_color(text):\n    return text\n", "b.py": "def open_socket(network):\n    return network\n"}


def quiet(place: object) -> dict[str, str]:
    """No worker: these tests are about the answer alone."""
    return {**place.environment(), "IQ_EMBED": "0"}  # type: ignore[attr-defined]


def manifest(folder: Path) -> None:
    """What an install leaves beside the files."""
    names = ("onnx/model_quantized.onnx", "tokenizer.json")
    rows = {name: [files.digest_of(str(folder / name)), (folder / name).stat().st_size, (folder / name).stat().st_mtime_ns] for name in names}
    (folder / "manifest.json").write_text(json.dumps({"source": "test", "files": rows}), "utf-8")


def test_the_last_question_is_embedded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = embedder.OnnxEmbedder(files.inspect("embedder", str(tiny_onnx.embedder(tmp_path / "embedder"))))
    real, ran = model._network.run, list[object]()
    monkeypatch.setattr(model._network, "run", lambda texts, limit: ran.append(texts) or real(texts, limit))
    first = model.embed(["remove color"], query=True)
    first_again = model.embed(["remove color"], query=True)
    assert len(ran) == 1 and (first == first_again).all()
    first_again[:] = 0  # what a caller does to its own leaves the kept one alone
    assert (model.embed(["remove color"], query=True) == first).all() and len(ran) == 1
    other = model.embed(["open socket"], query=True)
    assert len(ran) == 2 and not (other == first).all()
    model.embed(["open socket"])
    model.embed(["open socket", "open socket"], query=True)
    assert len(ran) == 4, "passages and several questions are not kept"


def test_vectors_have_length_one_and_do_not_depend_on_their_order(tmp_path: Path) -> None:
    model = embedder.OnnxEmbedder(files.inspect("embedder", str(tiny_onnx.embedder(tmp_path / "embedder"))))
    texts = [" ".join(["remove"] * n + ["file"]) for n in (40, 1, 7, 300, 2, 0)]
    found = model.embed(texts)
    assert numpy.allclose(numpy.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert numpy.allclose(model.embed(texts[::-1])[::-1], found, atol=1e-6)
    assert model.embed([]).shape == (0, tiny_onnx.WIDTH)


def test_words_of_one_meaning_are_near(tmp_path: Path) -> None:
    model = embedder.OnnxEmbedder(files.inspect("embedder", str(tiny_onnx.embedder(tmp_path / "embedder"))))
    asked, same, other = model.embed(["delete colour", "remove ansi", "open socket"])
    assert asked @ same > 0.99 > 0.5 > asked @ other


def test_mean_pooling_counts_no_padding(tmp_path: Path) -> None:
    """Beside a long text in one batch a short one is padded; its vector is that of its own tokens: (CLS + remove + SEP) / 3."""
    model = embedder.OnnxEmbedder(files.inspect("embedder", str(tiny_onnx.embedder(tmp_path / "embedder"))))
    row = tiny_onnx.table()[tiny_onnx.words().index("remove")]
    assert numpy.allclose(model.embed(["remove", "file " * 50])[0], row / numpy.linalg.norm(row), atol=1e-5)


def test_batches_stay_small(tmp_path: Path) -> None:
    network = Network(files.inspect("embedder", str(tiny_onnx.embedder(tmp_path / "embedder"))))
    seen = []
    for batch, _, mask in network.run(["remove " * n for n in range(1, 400, 3)], 256):
        assert len(batch) <= BATCH_TEXTS and (mask.size <= BATCH_TOKENS or len(batch) == 1)
        seen += batch
    assert sorted(seen) == list(range(133))


def test_texts_that_are_no_text_are_read_all_the_same(tmp_path: Path) -> None:
    model = embedder.OnnxEmbedder(files.inspect("embedder", str(tiny_onnx.embedder(tmp_path / "embedder"))))
    found = model.embed(["remove \udc80\udcff", "\x00 remove", "remove " + "x" * 100_000, "remove\u202e ünïcode 漢字 🎉"])
    assert numpy.isfinite(found).all()


def test_reranker_gives_probabilities_in_the_order_of_the_passages(tmp_path: Path) -> None:
    model = reranker.OnnxReranker(files.inspect("reranker", str(tiny_onnx.reranker(tmp_path / "reranker"))))
    found = model.score("remove colour " * 200, ["open socket", "erase ansi", ""], 64)
    assert found[1] > 0.5 and found[1] > found[0] and found[2] == pytest.approx(0.5) and all(0 <= value <= 1 for value in found)


def truncated(folder: Path) -> None:
    network = folder / "onnx/model_quantized.onnx"
    manifest(folder)
    network.write_bytes(network.read_bytes()[:1000])


def truncated_own(folder: Path) -> None:
    network = folder / "onnx/model_quantized.onnx"
    network.write_bytes(network.read_bytes()[:1000])


def swapped(folder: Path) -> None:
    manifest(folder)
    other = tiny_onnx.embedder(folder.parent / "other", seed=1)
    shutil.copyfile(other / "onnx/model_quantized.onnx", folder / "onnx/model_quantized.onnx")


def no_network(folder: Path) -> None:
    (folder / "onnx/model_quantized.onnx").unlink()


def no_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def bad_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{", "utf-8")


def bad_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"files": 3}', "utf-8")


def a_reranker(folder: Path) -> None:
    shutil.rmtree(folder)
    tiny_onnx.reranker(folder)


def a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("not a folder")


def no_rights(folder: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may read everything")
    folder.chmod(0)


BAD: tuple[tuple[Callable[[Path], None], str], ...] = (
    (truncated, "1000 bytes"),
    (truncated_own, "cannot be loaded"),
    (swapped, "not the file that was installed"),
    (no_network, "iq models install"),
    (no_tokenizer, "iq models install"),
    (bad_tokenizer, "cannot be loaded"),
    (bad_manifest, "damaged"),
    (a_reranker, "no token states"),
    (a_file, "iq models install"),
    (no_rights, "iq models install"),
)


@pytest.mark.parametrize(("spoil", "said"), BAD, ids=[row[0].__name__ for row in BAD])
def test_a_bad_model_is_named_and_the_words_still_answer(workspace, tiny, spoil: Callable[[Path], None], said: str) -> None:
    ws = tiny(workspace(SOURCE))
    assert ws.iq("index", "embed", env=quiet(ws))[0] == 0
    spoil(ws.models / "embedder")
    code, out, err = ws.iq("where is color removed here?", env=quiet(ws))
    assert code == 0 and "answer: a.py" in out and said in out and "iq models install" in out and err == ""
    code, out, err = ws.iq("index", "status", env=quiet(ws))
    assert code == 0 and err == ""
    shutil.rmtree(ws.models / "embedder") if (ws.models / "embedder").is_dir() else (ws.models / "embedder").unlink()
    tiny_onnx.embedder(ws.models / "embedder")
    code, out, _ = ws.iq("index", "status", env=quiet(ws))
    assert "vectors 100 %" in out, "a bad model must cost no vectors"


def test_a_tokenizer_of_another_model_is_found_out(tmp_path: Path) -> None:
    """Its word numbers lie beyond the network's table."""
    folder = tiny_onnx.embedder(tmp_path / "embedder")
    (folder / "tokenizer.json").write_text(tiny_onnx.tokenizer(extra=5), "utf-8")
    model = embedder.OnnxEmbedder(files.inspect("embedder", str(folder)))
    with pytest.raises(ModelError, match="tokenizer another model's"):
        model.embed(["extra4"])


def test_status_names_the_models_and_what_is_missing(workspace, tiny) -> None:
    ws = workspace(SOURCE)
    code, out, _ = ws.iq("models", "status")
    assert code == 1 and out.count("iq models install") == 2
    tiny(ws)
    code, out, _ = ws.iq("models", "status")
    assert code == 0 and "embedder for vectors" in out and "reranker for rerank" in out
    assert ws.iq("models", "path", "--files-only")[1] == f"{ws.models}\n"
    code, _, err = ws.iq("models", "instal")
    assert code == 2 and "known: install, status, path" in err


def test_without_models_every_answer_says_how_to_bring_them(workspace) -> None:
    code, out, _ = workspace(SOURCE).iq("where is color removed here?")
    assert code == 0 and "`iq models install` brings them" in out


def test_a_search_opens_no_socket(workspace, tiny) -> None:
    """Everything a question loads, models included, with sockets forbidden by an audit hook."""
    import subprocess
    import sys

    ws = tiny(workspace(SOURCE))
    code = (
        "import sys\n"
        "def hook(event, args):\n"
        "    if event.startswith('socket.') or event in ('urllib.Request', 'http.client.connect', 'ftplib.connect'): raise RuntimeError(event)\n"
        "sys.addaudithook(hook)\n"
        "from iq.cli import main\n"
        "assert main(['index', 'embed']) == 0\n"
        "code = main(['where is color erased here?'])\n"
        "import onnxruntime\n"
        "try:\n"
        "    import socket; socket.socket()\n"
        "except RuntimeError: sys.exit(code)\n"
        "sys.exit(9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ws.root, env=quiet(ws), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "answer: a.py" in done.stdout

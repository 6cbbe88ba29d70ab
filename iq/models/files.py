"""Where the models lie, and whether the files there are those that were installed.

A model is a folder in the usual ONNX layout: `tokenizer.json`, `onnx/model_quantized.onnx` (or `model.onnx`, with or
without the `onnx` folder) and perhaps `config.json`. The model folder holds one for each role: `embedder/` and `reranker/`.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from hashlib import sha256

# What each role is for, said where it is missing.
ROLES = {"embedder": "vectors", "reranker": "rerank"}

# Tried in this order.
NETWORKS = ("onnx/model_quantized.onnx", "onnx/model.onnx", "model_quantized.onnx", "model.onnx")
TOKENIZER = "tokenizer.json"

# Written by an install: name -> [sha256, bytes, modification time in ns] of each file.
MANIFEST = "manifest.json"

# The one command that brings what is missing.
REMEDY = "iq models install"


class ModelError(Exception):
    """A model cannot be used; the message says which, why, and the next step. The engine goes on without it."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model on disk. `hash` is the SHA-256 of the network file: it names the vector space and the calibration."""

    role: str
    folder: str
    network: str
    tokenizer: str
    hash: str


def cache_home() -> str:
    """The user's cache folder of iq."""
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "iq")


def folder() -> str:
    """The model folder: IQ_MODEL_DIR, else `models` in the user's cache."""
    return os.environ.get("IQ_MODEL_DIR") or os.path.join(cache_home(), "models")


def present(role: str) -> bool:
    """Whether there is a folder for a role, whatever it holds: what is wrong with it `find` says. Costs one stat."""
    return os.path.isdir(os.path.join(folder(), role))


def find(role: str) -> Model:
    """The model of a role, its files checked against the manifest where an install left one. Raises ModelError."""
    return inspect(role, os.path.join(folder(), role))


def inspect(role: str, place: str) -> Model:
    """The model in a folder. Raises ModelError for a file that is missing, unreadable or not the one that was installed."""
    if not os.path.isdir(place):
        raise ModelError(f"no {role} in {os.path.dirname(place)}; bring it with `{REMEDY}`")
    try:
        names = os.listdir(place)
    except OSError as error:
        raise ModelError(f"{role}: '{place}' cannot be read ({error.strerror}); allow reading it or set IQ_MODEL_DIR") from error
    network = next((name for name in NETWORKS if os.path.isfile(os.path.join(place, name))), None)
    if network is None or TOKENIZER not in names:
        lack = "a network (onnx/model_quantized.onnx)" if network is None else TOKENIZER
        raise ModelError(f"{role}: '{place}' has no {lack}; bring it with `{REMEDY}`")
    try:
        known = _manifest(place)
        for name, row in known.items():
            _check(role, place, name, *row)
        full = os.path.join(place, network)
        found = known[network][0] if network in known else digest_of(full)
        return Model(role, place, full, os.path.join(place, TOKENIZER), found)
    except OSError as error:
        raise ModelError(f"{role}: '{error.filename}' cannot be read ({error.strerror}); bring it anew with `{REMEDY}`") from error


def digest_of(path: str) -> str:
    """SHA-256 of a file, in hex."""
    digest = sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _manifest(place: str) -> dict[str, tuple[str, int, int]]:
    try:
        with open(os.path.join(place, MANIFEST), encoding="utf-8") as file:
            return {str(name): (str(row[0]), int(row[1]), int(row[2])) for name, row in json.load(file)["files"].items()}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise ModelError(f"'{os.path.join(place, MANIFEST)}' is damaged; bring the model anew with `{REMEDY}`") from error


def _check(role: str, place: str, name: str, digest: str, size: int, mtime: int) -> None:
    """Size, then the hash where the time is not the installed one: a swapped network answers nonsense without an error.

    Hashing all files in each process would cost 30 ms a question.
    """
    path = os.path.join(place, name)
    there = os.stat(path)
    if there.st_size != size:
        raise ModelError(f"{role}: '{name}' has {there.st_size} bytes, {size} were installed; repair it with `{REMEDY}`")
    if there.st_mtime_ns != mtime and digest_of(path) != digest:
        raise ModelError(f"{role}: '{name}' is not the file that was installed; repair it with `{REMEDY}`")

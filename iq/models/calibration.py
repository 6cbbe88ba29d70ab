"""Which calibration belongs to the models that are here? Built in for those that `iq models install` brings, else the user's own.

`iq-bench calibrate --save` writes the user's, one file in the user's cache: name -> calibration, where a name is `words`, or
the embedder's space (the hash of its network, and what is made of its tokens), or that and the reranker's hash, joined by `+`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict

from iq.floor.weak import CALIBRATED, WORDS, Calibration, Gate
from iq.models import embedder, reranker
from iq.models.files import ModelError, cache_home

REMEDY = "`iq-bench calibrate --save` measures it"


def place() -> str:
    return os.path.join(os.environ.get("IQ_CACHE_DIR") or cache_home(), "calibration.json")


def name(dense: bool, read: bool) -> str:
    """The calibration's name for what was measured, by the models that measured it. Raises ModelError where one is gone."""
    parts = []
    if dense:
        model = embedder.loaded()
        if isinstance(model, str):
            raise ModelError(model)
        parts.append(model.space)
    if read:
        reader = reranker.loaded()
        if isinstance(reader, str):
            raise ModelError(reader)
        parts.append(reader.hash[:16])
    return "+".join(parts) or WORDS


def calibration(dense: bool, read: bool) -> tuple[Calibration | None, str]:
    """The calibration and what to say where there is none."""
    try:
        wanted = name(dense, read)
    except ModelError as error:
        return None, f"{error}; the answer is unjudged"
    if (found := CALIBRATED.get(wanted)) is not None:
        return found, ""
    try:
        found = saved().get(wanted)
    except ModelError as error:
        return None, str(error)
    which = " and ".join(role for role, used in (("embedder", dense), ("reranker", read)) if used)
    return found, "" if found else f"unjudged: no calibration of this {which} ({wanted}); {REMEDY}"


def saved() -> dict[str, Calibration]:
    """The user's own. Raises ModelError where the file is damaged."""
    try:
        with open(place(), encoding="utf-8") as file:
            rows = json.load(file)
        return {str(key): Calibration(_gate(row["topic"]), _gate(row["first"]), float(row["clear"]), bool(row["whole"])) for key, row in rows.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"unjudged: '{place()}' cannot be read ({type(error).__name__}); remove it, {REMEDY} anew") from error


def save(key: str, value: Calibration) -> str:
    """Adds a calibration to the user's own, whole or not at all; the path of the file."""
    try:
        known = saved()
    except ModelError:
        known = {}
    target = place()
    os.makedirs(os.path.dirname(target), exist_ok=True)
    part = f"{target}.{os.getpid()}"
    with open(part, "w", encoding="utf-8") as file:
        json.dump({entry: asdict(one) for entry, one in sorted({**known, key: value}.items())}, file, indent=1)
    os.replace(part, target)
    return target


def _gate(row: Mapping[str, object]) -> Gate:
    weights = row["weights"]
    if not isinstance(weights, dict):
        raise TypeError("weights")
    return Gate({str(key): float(value) for key, value in weights.items()}, float(str(row["bias"])), float(str(row["floor"])))

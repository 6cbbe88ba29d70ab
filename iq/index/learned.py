"""The weights that `iq learn` accepted for a workspace, with what they replaced, so that one command takes them back."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from iq.errors import StorageError
from iq.index.workspace import Workspace, prepare

FILE = "learned.json"

# States that can be taken back.
KEPT = 20

Weights = Mapping[str, tuple[float, float]]


def weights(workspace: Workspace) -> dict[str, tuple[float, float]]:
    """intent -> (λ, β); empty where nothing was learned or the file is damaged."""
    states = _states(workspace)
    return states[-1] if states else {}


def save(workspace: Workspace, new: Weights) -> None:
    """Puts new weights in force. Raises StorageError where they cannot be written."""
    _write(workspace, [*_states(workspace), dict(new)][-KEPT:])


def revert(workspace: Workspace) -> dict[str, tuple[float, float]] | None:
    """Takes the last learning back and returns what is in force now; None where there was nothing to take back."""
    states = _states(workspace)
    if not states:
        return None
    _write(workspace, states[:-1])
    return states[-2] if len(states) > 1 else {}


def _states(workspace: Workspace) -> list[dict[str, tuple[float, float]]]:
    try:
        with open(os.path.join(workspace.local, FILE), encoding="utf-8") as file:
            found = json.load(file)
        return [{str(name): (float(pair[0]), float(pair[1])) for name, pair in state.items()} for state in found]
    except (OSError, ValueError, TypeError, AttributeError, IndexError, KeyError):
        return []


def _write(workspace: Workspace, states: list[dict[str, tuple[float, float]]]) -> None:
    prepare(workspace)
    path = os.path.join(workspace.local, FILE)
    try:
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(states, file)
        os.replace(path + ".new", path)
    except OSError as error:
        raise StorageError(f"'{path}' cannot be written: {error.strerror}; make the folder writable") from error

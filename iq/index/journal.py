"""What was asked here and how people marked the answers: two small files in the local folder, which never leave it.

Neither is part of the index, which may be dropped and built anew at any moment. Both are lines of JSON, capped, oldest out first.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from iq.errors import StorageError
from iq.floor.paths import floored
from iq.index.workspace import Workspace, prepare

QUERIES = "queries.jsonl"
MARKS = "feedback.jsonl"

# Lines that are kept of each; a file is cut back once it is a tenth longer.
CAP = 2000

# A longer question is a pasted page, which may hold anything (characters).
LONGEST = 300

# A word that looks like a credential: long, with letters and digits mixed, or after the name of one.
_SECRET = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[\w+/=.-]{24,}|-----BEGIN|(?:password|passwd|token|secret|api[_-]?key)\s*[=:]\s*\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was asked, with the intent it ran under, empty where there was none."""

    query: str
    intent: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """One place of one answer, useful or not."""

    query: str
    intent: str
    anchor: str
    useful: bool


def fit(query: str) -> bool:
    """Whether a question may be kept: short, and naming nothing that the floor keeps from surfacing."""
    if len(query) > LONGEST or "\n" in query or _SECRET.search(query):
        return False
    return not any(floored(word.strip("'\"`,;:()?")) for word in query.split())


def note(workspace: Workspace, asked: Asked) -> None:
    """Keeps a question; one that may not be kept, or cannot be written, is let go: an answer never fails for its log."""
    if fit(asked.query):
        try:
            _append(workspace, QUERIES, [asdict(asked)])
        except (OSError, StorageError):
            return


def queries(workspace: Workspace) -> list[Asked]:
    """Oldest first; lines that are no question are skipped."""
    return [Asked(str(row["query"]), str(row.get("intent", ""))) for row in _rows(workspace, QUERIES) if row.get("query")]


def mark(workspace: Workspace, new: Iterable[Mark]) -> int:
    """Adds marks, a later one of the same place and question instead of an earlier; how many contradicted an earlier one.

    Raises StorageError where they cannot be written.
    """
    fresh = {(one.query, one.intent, one.anchor): one for one in new}
    kept, turned = [], 0
    for old in marks(workspace):
        other = fresh.get((old.query, old.intent, old.anchor))
        if other is None:
            kept.append(old)
        elif other.useful != old.useful:
            turned += 1
    try:
        _replace(workspace, MARKS, [asdict(one) for one in (*kept, *fresh.values())][-CAP:])
    except OSError as error:
        raise StorageError(f"feedback in '{workspace.local}' cannot be written: {error.strerror}; make the folder writable") from error
    return turned


def marks(workspace: Workspace) -> list[Mark]:
    return [
        Mark(str(row["query"]), str(row.get("intent", "")), str(row["anchor"]), bool(row.get("useful", True)))
        for row in _rows(workspace, MARKS)
        if row.get("query") and row.get("anchor")
    ]


def _rows(workspace: Workspace, name: str) -> list[dict[str, object]]:
    found = []
    try:
        with open(os.path.join(workspace.local, name), encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    row = json.loads(line)
                except ValueError:
                    continue  # a killed writer leaves half a line
                if isinstance(row, dict):
                    found.append(row)
    except OSError:
        return []
    return found[-CAP:]


def _append(workspace: Workspace, name: str, rows: Iterable[dict[str, object]]) -> None:
    prepare(workspace)
    path = os.path.join(workspace.local, name)
    with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if os.path.getsize(path) > CAP * (LONGEST + 60):
        _replace(workspace, name, _rows(workspace, name))
        return
    with open(path, "rb") as lines:
        count = sum(1 for _ in lines)
    if count > CAP + CAP // 10:
        _replace(workspace, name, _rows(workspace, name))


def _replace(workspace: Workspace, name: str, rows: Iterable[dict[str, object]]) -> None:
    prepare(workspace)
    path = os.path.join(workspace.local, name)
    with open(path + ".new", "w", encoding="utf-8", errors="backslashreplace") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    os.replace(path + ".new", path)

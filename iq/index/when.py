"""What does `--since` mean? An age, a date or a revision, as seconds since 1970."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from iq.errors import UsageError

if TYPE_CHECKING:
    from iq.index.repository import Repository

# Seconds. A month is a twelfth of 365 days, so that 12m is 1y.
UNITS = {"h": 3600, "d": 86_400, "w": 7 * 86_400, "m": 365 * 86_400 // 12, "y": 365 * 86_400}

FORMS = "2d, 3w, 6m, 1y, a date such as 2026-01-31, or a revision such as v1.2 or HEAD~5"

_AGE = re.compile(r"([0-9]{1,6})([hdwmy])")
_DATE = re.compile(r"\d{4}-\d\d(-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?)?", re.ASCII)


def since(text: str, now: int, repository: Repository | None) -> int:
    """The moment that `text` names; dates without a zone are UTC. Raises UsageError with the forms that are understood."""
    text = text.strip()
    if age := _AGE.fullmatch(text):
        return max(0, now - int(age[1]) * UNITS[age[2]])
    if _DATE.fullmatch(text):
        written = text.replace("Z", "+00:00")
        try:
            moment = datetime.fromisoformat(written + "-01" if len(written) == 7 else written)
        except ValueError:
            raise UsageError(f"--since '{text}' is no date of the calendar; write {FORMS}") from None
        return int((moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp())
    if repository is not None and text and (found := _revision(repository, text)) is not None:
        return found
    raise UsageError(f"--since '{text}' is no time; write {FORMS}")


def _revision(repository: Repository, text: str) -> int | None:
    import pygit2

    try:
        return int(repository.git.revparse_single(text).peel(pygit2.Commit).commit_time)
    except (pygit2.GitError, KeyError, ValueError):
        return None


def day(time: int) -> str:
    """`2026-01-31`, in UTC so that it is the same everywhere."""
    try:
        return datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%d")
    except (OverflowError, OSError, ValueError):
        return "????-??-??"


def age(time: int, now: int) -> str:
    """How long ago, in the largest unit of which at least two have passed: `45min`, `5h`, `12d`, `7w`, `20mo`, `3y`."""
    passed = now - time
    if passed < 2 * 3600:
        return f"{max(0, passed) // 60}min"
    unit = next((name for name in ("y", "m", "w", "d", "h") if passed >= 2 * UNITS[name]), "h")
    return f"{passed // UNITS[unit]}{'mo' if unit == 'm' else unit}"

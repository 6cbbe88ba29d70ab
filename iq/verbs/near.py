"""What a misspelt name or path may have meant: the hint that an answer of nothing ends with."""

from __future__ import annotations

from collections.abc import Iterable

# What is offered for one that is not there; names differ in length by up to SLACK letters and share this much of their letters
# (difflib's ratio: one slip in five letters is .8).
NEAR, SLACK, ALIKE = 3, 2, 0.75


def names(known: Iterable[str], asked: str) -> str:
    """The names near one that is not defined; empty where nothing is near."""
    own = asked.rpartition("::")[2].rpartition(".")[2]
    found = _close(own, (name for name in known if " " not in name))  # a heading is no name
    return f"no such name; near it: {', '.join(found)}" if found else ""


def files(paths: Iterable[str], asked: str) -> str:
    """The files of that name elsewhere, or of one near it, those with most of its folders first; empty where there is none."""
    folders = set(asked.split("/")[:-1])
    by_name: dict[str, list[str]] = {}
    for path in paths:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    own = asked.rpartition("/")[2]
    close = [own] if own in by_name else _close(own, by_name)
    found = sorted((path for name in close for path in by_name[name]), key=lambda path: (-len(folders & set(path.split("/")[:-1])), len(path), path))
    return f"no such file; near it: {', '.join(found[:NEAR])}" if found else ""


def _close(own: str, known: Iterable[str]) -> list[str]:
    from difflib import get_close_matches

    lowered = {name.lower(): name for name in known if abs(len(name) - len(own)) <= SLACK}
    return [lowered[name] for name in get_close_matches(own.lower(), lowered, NEAR, ALIKE)]

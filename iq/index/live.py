"""Reading files of the workspace at the moment of answering, never from the index."""

from __future__ import annotations

import os
from collections.abc import Iterable

from iq.errors import FlooredError, ScopeError, brief
from iq.floor.paths import floored
from iq.index import text


def load(root: str, path: str, limit: int = text.MAX_BYTES) -> text.Text | None:
    """The text of a file now, or None where it is gone, binary or over `limit` bytes."""
    try:
        with open(os.path.join(root, path), "rb") as file:
            data = file.read(limit + 1)
    except OSError:
        return None
    return text.decode(data) if len(data) <= limit else None


def changed(stat: os.stat_result) -> int:
    """When a file was changed last (ns): also one whose older time was set again, as `cp -p` and `touch -r` do, since nobody can set ctime."""
    return stat.st_mtime_ns if os.name == "nt" else max(stat.st_mtime_ns, stat.st_ctime_ns)  # there ctime tells the creation


def present(root: str, paths: Iterable[str]) -> set[str]:
    """Those of many paths at which there is a file: each folder is listed once, which takes a third of asking for each path."""
    wanted: dict[str, set[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        wanted.setdefault(folder, set()).add(name)
    found: set[str] = set()
    for folder, names in wanted.items():
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                found.update(f"{folder}/{entry.name}" if folder else entry.name for entry in entries if entry.name in names and entry.is_file())
        except OSError:
            continue
    return found


def linked(root: str, path: str) -> bool:
    """Whether a link stands on the way to a path of the workspace: what is behind it is not the file that git knows."""
    full = os.path.join(root, path)
    return os.path.lexists(full) and os.path.realpath(full) != os.path.join(os.path.realpath(root), path.replace("/", os.sep))


def locate(root: str, cwd: str, path: str) -> str:
    """A path as a user writes it, as a path of the workspace. Raises ScopeError where none exists, FlooredError for the floor's."""
    words = (path, text.unsafe(path)) if "\\x" in path else (path,)
    tried = [place for word in words for place in ([word] if os.path.isabs(word) else [os.path.join(cwd, word), os.path.join(root, word)])]
    for place in tried:
        inside = os.path.relpath(os.path.abspath(place), root).replace(os.sep, "/")
        if inside.startswith(".."):
            continue
        if why := floored(inside):
            raise FlooredError(f"'{path}' never surfaces ({why})")
        if os.path.isfile(place):
            if os.path.relpath(os.path.realpath(place), os.path.realpath(root)).startswith(".."):
                raise ScopeError(f"'{path}' is a link that leaves the workspace")
            real = os.path.relpath(os.path.realpath(place), os.path.realpath(root)).replace(os.sep, "/")
            if why := floored(real):
                raise FlooredError(f"'{path}' is a link to what never surfaces ({why})")
            return inside
        if os.path.isdir(place):
            raise ScopeError(f"'{brief(path)}' is a folder, and this asks for a file; its shape: `iq map --in {text.quoted(brief(path))}`")
    shown = " and ".join(dict.fromkeys(brief(os.path.normpath(place)) for place in tried))
    raise ScopeError(f"'{brief(path)}' is no file of the workspace; tried {shown}; look for it with `iq files {brief(os.path.basename(path))}`")

"""Which folder is the workspace around another, and which repository is it in? Apart from workspace, since the thin client asks only this."""

import os

NAME = ".gitignore"


def around(start: str) -> str:
    """The nearest folder from `start` upwards with `.iq/` or a git work tree, else `start` itself; absolute."""
    place = start = os.path.abspath(start)
    while True:
        if os.path.isdir(os.path.join(place, ".iq")) or os.path.exists(os.path.join(place, ".git")):
            return place
        parent = os.path.dirname(place)
        if parent == place:
            return start
        place = parent


def find_git(root: str) -> tuple[str, str] | None:
    """The work tree that holds `root` and its git folder, or None outside of any; of a link, what it leads to counts, as for git and ripgrep."""
    place = os.path.realpath(root)
    while True:
        entry = os.path.join(place, ".git")
        if os.path.isdir(entry):
            return place, entry
        if os.path.isfile(entry):
            try:
                with open(entry, encoding="utf-8", errors="surrogateescape") as file:
                    target = file.read(4096).partition("gitdir:")[2].strip()
            except OSError:
                target = ""
            if target:
                return place, os.path.normpath(os.path.join(place, target))
        parent = os.path.dirname(place)
        if parent == place:
            return None
        place = parent


def exclude_file(git: bytes) -> bytes:
    """`info/exclude` of a git folder, which linked worktrees share with their repository."""
    try:
        if os.path.isfile(git):
            with open(git, "rb") as file:
                git = os.path.normpath(os.path.join(os.path.dirname(git), file.read(4096).partition(b"gitdir:")[2].strip()))
        with open(os.path.join(git, b"commondir"), "rb") as file:
            git = os.path.normpath(os.path.join(git, file.read(4096).strip()))
    except OSError:
        pass
    return os.path.join(git, b"info", b"exclude")

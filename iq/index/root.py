"""Which folder is the workspace around another? Apart from workspace, since the thin client asks only this."""

from __future__ import annotations

import os


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

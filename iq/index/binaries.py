"""Files known to be binary, which a live search need not read: 15 of the 45 ms of one over a standard library with its shared objects.

Known means looked at, and since then neither replaced nor written: size, inode and both times are as they were. One that was
touched is searched again, whatever it holds, and so is one that changed just before it was looked at.
"""

from __future__ import annotations

import os

from iq.index.kept import RACY_NS, keep, recall, stamped

# The largest files are remembered, this many: beside a standard library whose 256 binary files hold 67 MB, 120 of them save ripgrep all but .5
# of 14 ms, and each is a word on a command line and a look.
MOST = 120

# Stands at the end, in the place of a stamp and a path, where some were.
_YOUNG = ("young", "")

# What was looked up for the search that follows in this call.
_ahead: dict[tuple[str, str], list[str]] = {}


def known(local: str | None, root: str) -> list[str]:
    """Paths of the workspace that are binary now, as far as is known."""
    if local is None:
        return []
    found = _ahead.pop((local, root), None)
    return _kept(local, root)[0] if found is None else found


def ahead(local: str, root: str) -> list[str]:
    """The same, and what the next call of `known` says."""
    _ahead[local, root] = _kept(local, root)[0]
    return _ahead[local, root]


def pending(local: str, root: str) -> bool:
    """Whether nothing was noted yet, some files were too young for it, or some have been replaced since, as all are in a copy."""
    return _kept(local, root)[1]


def _kept(local: str, root: str) -> tuple[list[str], bool]:
    rows = recall(os.path.join(local, "binary"))
    if rows is None:
        return [], True
    prefix = root.rstrip("/") + "/"
    pairs = list(zip(rows[::2], rows[1::2], strict=False))[:MOST]
    found = [path for stamp, path in pairs if stamp == stamped(prefix + path)]
    return found, len(found) < len(pairs)


def note(local: str, root: str, paths: list[str], now: int) -> None:
    """Looks at files that may be binary and remembers those that are; `now` is in ns. A folder that cannot be written is no trouble."""
    from iq.index import text

    sized: list[tuple[int, str, str]] = []
    young: tuple[str, ...] = ()
    for path in paths:
        full = os.path.join(root, path)
        stamp = stamped(full)
        try:
            stat = os.lstat(full)
            with open(full, "rb") as file:
                head = file.read(text.SNIFF)
        except OSError:
            continue
        if not text.binary(head):
            continue
        if max(stat.st_mtime_ns, stat.st_ctime_ns) < now - RACY_NS and stamp == stamped(full):
            sized.append((-stat.st_size, path, stamp))
        else:
            young = _YOUNG
    keep(os.path.join(local, "binary"), [part for _, path, stamp in sorted(sized) for part in (stamp, path)] + [*young])

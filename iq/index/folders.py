"""Could there be an ignore file that was not there when they were listed last? Asked of the folders' time stamps.

To list ignore files takes ripgrep 5 to 9 ms of processor time beside a search of 30 to 50. A name comes into a folder only with a new stamp of
that folder, which nobody can set back (ctime), so a workspace whose folders are as they were has no new ignore file. A folder with a new
stamp is read: a file that came or went changes nothing, while a new ignore file, folder or repository means that they must be listed again.
"""

from __future__ import annotations

import os

from iq.frozen import dataclass
from iq.index.kept import RACY_NS, keep, recall, stamped
from iq.index.root import NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A look at more folders than this takes as long as ripgrep, which has threads.
MOST = 4000

# Where more folders than this have to be read, as all do in a fresh clone, it is worth to note them anew.
READ = 16

# Stands in the place of a stamp where the folder was changed too shortly before it was noted: it is read each time.
_YOUNG = "young"


@dataclass(frozen=True, slots=True)
class Noted:
    """The ignore files of a workspace, what `rules` they held, and how many folders had to be read to tell that none has come."""

    rules: str
    files: list[str]
    read: int


def unchanged(place: str, root: str) -> Noted | None:
    """What `note` was given, where no ignore file can have come since; else None."""
    kept = recall(place)
    if kept is None or len(kept) < 2 or not kept[1].isdigit():
        return None
    first = 2 + int(kept[1])
    files, stamps, paths, out = kept[2:first], kept[first::3], kept[first + 1 :: 3], kept[first + 2 :: 3]
    prefix = root.rstrip("/") + "/"
    read = [(path, out[at].split("/")) for at, path in enumerate(paths) if stamps[at] != stamped(prefix + path)]
    known = set(paths) if read else set()
    if any(_anything_new(prefix, path, known, files, left_out) for path, left_out in read):
        return None
    return Noted(kept[0], files, len(read))


def _anything_new(prefix: str, path: str, paths: set[str], files: Sequence[str], out: Sequence[str]) -> bool:
    """Whether a folder holds an ignore file or a folder that was not there; `out` are those that are ignored, and `.git`."""
    try:
        with os.scandir(prefix + path) as entries:
            for entry in entries:
                inside = f"{path}/{entry.name}" if path else entry.name
                if entry.name == NAME:
                    if prefix + inside not in files:
                        return True
                elif (entry.name == ".git" or entry.is_dir(follow_symlinks=False)) and inside not in paths and entry.name not in out:
                    return True
    except (FileNotFoundError, NotADirectoryError):
        return False  # nothing is in a folder that is gone
    except OSError:
        return True
    return False


def note(place: str, root: str, rules: str, files: Sequence[str], folders: Iterable[tuple[str, Sequence[str]]], now: int) -> None:
    """Remembers in `place` the ignore files of a workspace, what `rules` they hold, and its folders with those in them that are left out.

    `now` is in ns, from before the ignore files were listed. Without effect where the folders are too many or the place cannot be written.
    """
    parts = [rules, str(len(files)), *files]
    prefix = root.rstrip("/") + "/"
    seen: set[str] = set()
    for path, out in folders:
        if len(seen) >= MOST:
            return
        seen.add(path)
        try:
            stat = os.lstat(prefix + path)
        except OSError:
            return
        young = max(stat.st_mtime_ns, stat.st_ctime_ns) >= now - RACY_NS
        parts += (_YOUNG if young else stamped(prefix + path), path, "/".join(out))
    if not all(os.path.dirname(file)[len(prefix) :] in seen for file in files):
        return  # ripgrep goes where these folders do not lead
    listed = set(files)
    places = (f"{prefix}{path}/{name}" if path else prefix + name for path in seen for name in (NAME, ".git"))
    if any(file not in listed and os.path.lexists(file) for file in places):
        return  # a rule was changed behind ripgrep's back and lets in what it did not see
    keep(place, parts)

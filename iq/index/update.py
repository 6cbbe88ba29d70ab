"""Bringing the index level with the tree: walk, compare, re-read what changed, forget what is gone."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from threading import Thread, active_count

import apsw

from iq.errors import IndexBusyError, StorageError
from iq.frozen import dataclass
from iq.index import binaries, edges, live
from iq.index.lock import writing
from iq.index.store import FileRow, Store
from iq.index.walk import Tree, walk
from iq.index.workspace import Workspace, prepare
from iq.types import Coverage, Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from iq.index.parse import Parsed

# A file changed this shortly before it was read may change again under the same time stamp (ns): clocks of file systems
# tick every 4-10 ms.
RACY_NS = 20_000_000

# Fewer changed files than this are read in process: starting workers costs more (files).
POOL_FROM = 200

# Files a transaction: large enough that a commit costs nothing, small enough that a kill loses a second of work.
BATCH = 200

# A tree up to this is linked whenever what it imports or defines has changed, a larger one only by its first build and by
# the verbs that read the graph (files): .03 s a thousand of Python, more where names are linked without imports.
LINKED_AT_ONCE = 3000

# A writer of vectors holds the lock for some 20 ms a group; one that holds it longer than this is bringing the index level (s).
PATIENCE = 0.25


@dataclass(frozen=True, slots=True)
class Level:
    """How an index stands after an update: coverage, notes for the user, and how many files were re-read."""

    coverage: Coverage
    notes: tuple[str, ...]
    changed: int
    tree: Tree


def update(workspace: Workspace, progress: Progress | None = None, budget: float | None = None, store: Store | None = None) -> tuple[Store, Level]:
    """Opens the index and brings it level; the first build runs to its end, later ones stop after `budget` seconds.

    Where another process is writing, a complete index is used as it is and said to be behind; an incomplete one is
    waited for. `store` is the index where it is open already. Raises StorageError where the index cannot be written and none is
    there.
    """
    prepare(workspace)
    why = ""
    if store is None:
        store, why = Store.open(workspace.database)
    notes = [why] if why else []
    tree = walk(workspace.root, cache=workspace.tracked, note=True)
    complete = store.meta("complete") == "1"
    changed, behind = 0, 0
    try:
        with writing(os.path.join(workspace.local, "lock"), wait=not complete, patience=PATIENCE):
            changed, behind = _level(store, workspace.root, tree, progress, budget if complete else None)
    except IndexBusyError:
        behind = -1
    except apsw.FullError as error:
        if not complete:
            raise StorageError(f"the disk is full: the index of {workspace.root} needs about half the size of its text; free space and ask again") from error
        behind = -1
        notes.append("the disk is full: the index could not be brought level")
    except (apsw.ReadOnlyError, apsw.IOError) as error:
        raise StorageError(f"index '{workspace.database}' cannot be written: {error}") from error
    fresh = "fresh" if not behind else "being updated by another iq" if behind < 0 else f"behind by {behind} files"
    return store, Level(coverage(store, tree, fresh), tuple(notes), changed, tree)


def coverage(store: Store, tree: Tree, fresh: str) -> Coverage:
    skipped = Counter({str(why): int(count) for why, count in store.db.execute("SELECT skipped, count(*) FROM files GROUP BY skipped")})
    searched = skipped.pop("", 0)
    if tree.floored:
        skipped["secret"] = tree.floored
    if tree.links:
        skipped["symlink"] = tree.links
    if tree.unreadable:
        skipped["unreadable"] += len(tree.unreadable)
    return Coverage(searched, dict(sorted(skipped.items())), fresh)


def _level(store: Store, root: str, tree: Tree, progress: Progress | None, budget: float | None) -> tuple[int, int]:
    """Replaces what differs; returns how many files were replaced and how many are still behind."""
    known = store.files()
    todo, touched = _compare(root, tree.paths, known)
    present = set(tree.paths)
    gone = [row for path, row in known.items() if path not in present]
    start = time.monotonic()
    with store.db:
        for row, mtime in touched:
            store.touch(row.id, mtime)
        for row in gone:
            store.remove(row.id)
        if gone:
            store.forget_edges()
    done, unread = 0, False
    source = _read_all(root, todo, os.path.dirname(store.path))
    try:
        while done < len(todo):
            with store.db:
                for _ in range(min(BATCH, len(todo) - done)):
                    parsed = next(source)
                    path = todo[done]
                    _put(store, known.get(path), parsed)
                    unread = unread or (parsed is not None and parsed.skipped != "")
                    done += 1
            if progress:
                progress(done, len(todo))
            if budget is not None and time.monotonic() - start > budget:
                break
    finally:
        source.close()
    first = store.meta("complete") != "1"
    if done == len(todo) and (first or len(tree.paths) <= LINKED_AT_ONCE):
        edges.fill(store, root)
    if done == len(todo) and first:
        store.set_meta("complete", "1")
        _forget_older(store.path)
    if store.meta("root") != root:  # also where the folder was moved
        store.set_meta("root", root)
    if unread or binaries.pending(os.path.dirname(store.path), root):
        rows = store.db.execute("SELECT path FROM files WHERE skipped IN ('binary', 'too large') ORDER BY size DESC LIMIT ?", (binaries.MOST,))
        binaries.note(os.path.dirname(store.path), root, [os.fsdecode(path) for (path,) in rows], time.time_ns())
    return done + len(gone), len(todo) - done


def _forget_older(database: str) -> None:
    """Removes indexes of other formats; a process that still reads one keeps it until it ends."""
    folder, own = os.path.split(database)
    for name in os.listdir(folder):
        if name.startswith("index") and ".db" in name and not name.startswith(own):
            with suppress(OSError):
                os.unlink(os.path.join(folder, name))


def _put(store: Store, old: FileRow | None, parsed: Parsed | None) -> None:
    if old is not None and parsed is not None:
        store.replace(old, parsed)
        return
    if old is not None:
        store.remove(old.id)
    if parsed is not None:
        store.add(parsed)
    store.forget_edges()


def _compare(root: str, paths: Sequence[str], known: dict[str, FileRow]) -> tuple[list[str], list[tuple[FileRow, int]]]:
    """Paths to read again, and rows whose bytes are as before under another time."""
    from hashlib import blake2b

    todo, touched = [], []
    prefix = root.rstrip("/") + "/"
    for path in paths:
        row = known.get(path)
        if row is None:
            todo.append(path)
            continue
        try:
            stat = os.stat(prefix + path)
        except OSError:
            todo.append(path)
            continue
        if live.changed(stat) == row.mtime and stat.st_size == row.size:
            continue
        if row.hash and stat.st_size == row.size:
            try:
                with open(prefix + path, "rb") as file:
                    same = blake2b(file.read(), digest_size=16).digest() == row.hash
            except OSError:
                same = False
            if same:
                touched.append((row, _trusted(live.changed(stat))))
                continue
        todo.append(path)
    return todo, touched


def _trusted(mtime: int) -> int:
    """The time to store: 0, which never matches, where the file may still change within the same tick."""
    return mtime if mtime < time.time_ns() - RACY_NS else 0


def _read_all(root: str, paths: Sequence[str], local: str) -> Generator[Parsed | None, None, None]:
    """Parsed files in the order of `paths`, from worker processes where there are many."""
    if not paths:
        return
    # A tree that has not changed needs neither grammars nor workers, whose modules take 40 ms to import.
    from iq.index import trees
    from iq.index.parse import read

    if len(paths) < POOL_FROM or (os.cpu_count() or 1) < 2:
        with _marked(local) as died, trees.careful() if died else nullcontext():
            yield from (_stamp(read(root, path)) for path in paths)
        return
    from concurrent.futures.process import BrokenProcessPool

    done = 0
    try:
        for parsed in _pooled(root, paths):
            done += 1
            yield parsed
    except BrokenProcessPool:
        # What ended a worker is among the rest, or memory ran out: read here, one by one.
        with trees.careful():
            yield from (_stamp(read(root, path)) for path in paths[done:])


@contextmanager
def _marked(local: str) -> Iterator[bool]:
    """A file that is there while files are read in process; yields whether the last reading ended with its process, and left it."""
    mark = os.path.join(local, "reading")
    try:
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
        died = False
    except OSError:
        died = os.path.exists(mark)
    try:
        yield died
    finally:
        with suppress(OSError):
            os.unlink(mark)


def _pooled(root: str, paths: Sequence[str]) -> Generator[Parsed | None, None, None]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from iq.index.parse import read

    # A process with threads, as the resident engine, cannot be forked safely.
    method = "fork" if hasattr(os, "fork") and active_count() == 1 else "spawn"
    pool = ProcessPoolExecutor(os.cpu_count(), mp_context=get_context(method), initializer=_follow)
    try:
        yield from map(_stamp, pool.map(partial(read, root), paths, chunksize=8))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _follow() -> None:
    """Ends a worker with its parent: workers of one that was killed would wait for work for ever, each kept by the pipes of the others."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        sentinel = parent.sentinel
        Thread(target=lambda: (wait([sentinel]), os._exit(1)), daemon=True).start()


def _stamp(parsed: Parsed | None) -> Parsed | None:
    if parsed is None or parsed.mtime == 0 or _trusted(parsed.mtime):
        return parsed
    from iq.frozen import replace

    return replace(parsed, mtime=0)

"""Facts of commits: filled newest first, resumably, and level with HEAD before each answer that needs them.

Only what HEAD reaches is kept. A level index is recognised by the head and the shallow border it was filled for, so an unchanged
repository costs one comparison; a moved head costs a walk over the ids of commits (1 s for 80,000) and the new commits themselves.
The lock is another one than that of the tree, so that a first fill of minutes keeps no question about code waiting.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

import apsw

from iq.errors import IndexBusyError, StorageError
from iq.index.facts import BATCH, Change, changes
from iq.index.lock import writing
from iq.index.repository import Repository, shown
from iq.index.store import Store, from_db, to_db
from iq.types import Commit, Progress

if TYPE_CHECKING:
    import pygit2

# A walk for a window of time goes on for this many commits older than its start: clocks of authors differ, and a rebase keeps
# old times (commits).
SKEW = 200


@dataclass(frozen=True, slots=True)
class Touch:
    """One file of one commit: lines are None for binary files, `old` is the path before a rename."""

    commit: Commit
    path: str
    old: str | None
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True)
class Filled:
    """How the facts stand: notes for the user, and whether all commits of HEAD are there."""

    notes: tuple[str, ...]
    complete: bool


def fill(repository: Repository, store: Store, local: str, progress: Progress | None = None, since: int | None = None) -> Filled:
    """Brings the facts level with HEAD; with `since`, at least those of commits after that time (seconds).

    Where another process fills them, complete facts are used as they are and said to be behind, incomplete ones are waited for.
    """
    state = _state(repository)
    notes = limits(repository)
    if not repository.head:
        return Filled((*notes, "the repository has no commits yet"), True)
    if store.meta("history") == state and store.meta("mailmap") == _mailmap(repository)[0]:
        return Filled(notes, True)
    try:
        with writing(os.path.join(local, "history.lock"), wait=not store.meta("history")):
            _renamed(repository, store)
            complete = _fill(repository, store, progress, since)
            if complete:
                store.set_meta("history", state)
    except (IndexBusyError, apsw.BusyError, apsw.LockedError):
        return Filled((*notes, "another iq is reading new commits; the newest may be missing"), False)
    except apsw.FullError as error:
        raise StorageError(f"the disk is full: facts of commits could not be kept in {store.path}; free space and ask again") from error
    except (apsw.ReadOnlyError, apsw.IOError) as error:
        raise StorageError(f"index '{store.path}' cannot be written: {error}") from error
    return Filled(notes, complete)


def _state(repository: Repository) -> str:
    border = blake2b("".join(sorted(repository.shallow)).encode(), digest_size=8).hexdigest() if repository.shallow else ""
    return f"{repository.head} {border} {repository.prefix}"


def limits(repository: Repository) -> tuple[str, ...]:
    """What of the history is not on this machine, for the user."""
    notes = []
    if repository.shallow:
        notes.append(f"shallow clone: history ends at {len(repository.shallow)} cut commits; `git fetch --unshallow` brings the rest")
    if repository.partial:
        notes.append("partial clone: what is not on this machine is not fetched, and its commits are not counted")
    return tuple(notes)


def _fill(repository: Repository, store: Store, progress: Progress | None, since: int | None) -> bool:
    """Whether all commits were reached, rather than only those after `since`."""
    # What could not be read before may be there now: a shallow clone grows, a missing object comes.
    with store.db:
        store.db.execute("DELETE FROM commits WHERE files < 0")
    known = {str(row[0]) for row in store.db.execute("SELECT lower(hex(sha)) FROM commits")}
    todo, seen, complete = _walk(repository, known, since)
    if complete and len(seen) < len(known):
        gone = known - seen
        with store.db:
            store.db.execute("CREATE TEMP TABLE IF NOT EXISTS gone (id INTEGER PRIMARY KEY)")
            store.db.execute("DELETE FROM gone")
            store.db.executemany("INSERT INTO gone SELECT id FROM commits WHERE sha = ?", ((bytes.fromhex(sha),) for sha in gone))
            store.db.execute("DELETE FROM commit_files WHERE commit_id IN (SELECT id FROM gone)")
            store.db.execute("DELETE FROM commits WHERE id IN (SELECT id FROM gone)")
            store.db.execute("DELETE FROM authors WHERE id NOT IN (SELECT author FROM commits)")
            store.db.execute("DELETE FROM commit_paths WHERE id NOT IN (SELECT path_id FROM commit_files) AND id NOT IN "
                             "(SELECT old_id FROM commit_files WHERE old_id IS NOT NULL)")  # fmt: skip
    writer = _Writer(repository, store)
    for at in range(0, len(todo), BATCH):
        writer.add(todo[at : at + BATCH])
        if progress:
            progress(min(at + BATCH, len(todo)), len(todo), "commits")
    return complete


def _walk(repository: Repository, known: set[str], since: int | None) -> tuple[list[str], set[str], bool]:
    """Unknown commits newest first, the known ones that were met, and whether the walk reached the end."""
    import pygit2

    todo: list[str] = []
    seen: set[str] = set()
    older = 0
    walker = repository.git.walk(repository.head, pygit2.enums.SortMode.TIME)
    try:
        for commit in walker:
            sha = str(commit.id)
            if sha in known:
                seen.add(sha)
            else:
                todo.append(sha)
            if since is not None:
                older = older + 1 if commit.commit_time < since else 0
                if older > SKEW:
                    return todo, seen, False
    except (pygit2.GitError, KeyError):
        return todo, known, False  # a parent is missing: what is known stays, the walk is tried again next time
    return todo, seen, True


class _Writer:
    """Adds commits, a batch a transaction; ids of authors and paths are remembered between batches."""

    def __init__(self, repository: Repository, store: Store) -> None:
        self.repository = repository
        self.store = store
        self.mailmap = _mailmap(repository)[1]
        self.authors = {bytes(row[0]): int(row[1]) for row in store.db.execute("SELECT raw, id FROM authors")}
        self.paths = {from_db(row[0]): int(row[1]) for row in store.db.execute("SELECT path, id FROM commit_paths")}

    def add(self, batch: Sequence[str]) -> None:
        import pygit2

        rows = [self.repository.git[sha].peel(pygit2.Commit) for sha in batch]
        asked = [str(row.id) for row in rows if len(row.parent_ids) < 2 and str(row.id) not in self.repository.shallow]
        found = dict(changes(self.repository, asked))
        # The engines were asked before the transaction: it holds the writer's place for milliseconds only.
        with self.store.db:
            for row in rows:
                sha = str(row.id)
                self._commit(row, found.get(sha) if sha in found else None if sha in self.repository.shallow else [])

    def _commit(self, row: pygit2.Commit, files: list[Change] | None) -> None:
        db = self.store.db
        kept, held = [], 0
        for change in files or ():
            path = shown(self.repository, change.path)
            if path is None:
                held += self.repository.inside(change.path) is not None
                continue
            old = shown(self.repository, change.old) if change.old is not None else None
            kept.append((self._path(path), None if old is None else self._path(old), change.added, change.removed))
        db.execute(
            "INSERT INTO commits (sha, time, author, parents, files, held, subject) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (row.id.raw, row.commit_time, self._author(row.author), len(row.parent_ids), -1 if files is None else len(files), held, _subject(row)),
        )
        commit = db.last_insert_rowid()
        db.executemany("INSERT INTO commit_files VALUES (?, ?, ?, ?, ?)", ((commit, *entry) for entry in kept))

    def _path(self, path: str) -> int:
        if path not in self.paths:
            self.store.db.execute("INSERT INTO commit_paths (path) VALUES (?)", (to_db(path),))
            self.paths[path] = self.store.db.last_insert_rowid()
        return self.paths[path]

    def _author(self, signature: pygit2.Signature) -> int:
        raw = signature.raw_name + b"\0" + signature.raw_email
        if raw not in self.authors:
            self.store.db.execute("INSERT INTO authors (raw, name, email) VALUES (?, ?, ?)", (raw, *_resolved(self.mailmap, raw)))
            self.authors[raw] = self.store.db.last_insert_rowid()
        return self.authors[raw]


def _mailmap(repository: Repository) -> tuple[str, pygit2.Mailmap | None]:
    """A hash of the `.mailmap` (of the work tree, or of HEAD in a bare repository) and the map; empty and None where none is."""
    import pygit2

    try:
        if repository.work:
            # A link is not followed, as in git: it could lead anywhere.
            with open(os.path.join(repository.work, ".mailmap"), "rb", opener=lambda path, flags: os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))) as file:
                data = file.read()
        else:
            blob = repository.git[repository.head].peel(pygit2.Tree)[".mailmap"]
            data = blob.data if isinstance(blob, pygit2.Blob) else b""
        return blake2b(data, digest_size=8).hexdigest(), pygit2.Mailmap.from_buffer(text_of(data).replace("\0", ""))
    except (OSError, KeyError, ValueError, pygit2.GitError):
        return "", None


def _renamed(repository: Repository, store: Store) -> None:
    """Applies a `.mailmap` that has changed to the authors already known."""
    mark, mailmap = _mailmap(repository)
    if store.meta("mailmap") == mark:
        return
    rows = [(bytes(row[0]), int(row[1])) for row in store.db.execute("SELECT raw, id FROM authors")]
    with store.db:
        store.db.executemany("UPDATE authors SET name = ?, email = ? WHERE id = ?", ((*_resolved(mailmap, raw), at) for raw, at in rows))
        store.set_meta("mailmap", mark)


def _resolved(mailmap: pygit2.Mailmap | None, raw: bytes) -> tuple[str, str]:
    name, _, email = (text_of(part) for part in raw.partition(b"\0"))
    if mailmap is not None:
        name, email = mailmap.resolve(name, email)
    return name, email


def text_of(raw: bytes) -> str:
    """Bytes of a name: UTF-8, or latin-1 where they are none."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


_COMMIT = "lower(hex(c.sha)), c.time, a.name, a.email, c.subject"


def commit_of(row: Sequence[object]) -> Commit:
    """From the columns of _COMMIT."""
    sha, time, name, email, subject = row
    return Commit(str(sha), int(time), str(name), str(email), str(subject))  # type: ignore[call-overload]


def touches(store: Store, since: int | None = None, paths: Sequence[str] | None = None, until: int | None = None) -> Iterator[Touch]:
    """Files of commits after `since` and not after `until`, newest commit first, then by path; only `paths` where given."""
    where, values = ["c.time > ?", "c.time <= ?"], [since if since is not None else -(1 << 62), until if until is not None else 1 << 62]
    if paths is not None:
        where.append(f"f.path_id IN (SELECT id FROM commit_paths WHERE path IN ({', '.join('?' * len(paths))}))")
    rows = store.db.execute(
        "SELECT c.id, c.sha, c.time, a.name, a.email, c.subject, p.path, o.path, f.added, f.removed FROM commits c JOIN authors a ON a.id = c.author "
        "JOIN commit_files f ON f.commit_id = c.id JOIN commit_paths p ON p.id = f.path_id LEFT JOIN commit_paths o ON o.id = f.old_id "
        f"WHERE {' AND '.join(where)} ORDER BY c.time DESC, c.sha, p.path",
        (*values, *(map(to_db, paths or ()))),
    )
    last, commit = 0, None
    for at, sha, time, name, email, subject, path, old, added, removed in rows:
        # One Commit for all of its files: they stand together.
        if commit is None or at != last:
            last, commit = at, Commit(sha.hex(), time, name, email, subject)
        yield Touch(commit, from_db(path), None if old is None else from_db(old), added, removed)


@dataclass(frozen=True, slots=True)
class Part:
    """What one author did to some files: lines that came, commits, when last."""

    author: str
    email: str
    added: int
    commits: int
    last: int


def parts(store: Store, inside: Callable[[str], bool]) -> tuple[list[Part], dict[str, bool]]:
    """What each author did to the files that `inside` takes, and path -> whether all of its commits are of one author."""
    paths = {int(row[0]): from_db(row[1]) for row in store.db.execute("SELECT id, path FROM commit_paths")}
    chosen = [at for at, path in paths.items() if inside(path)]
    store.db.execute("CREATE TEMP TABLE IF NOT EXISTS asked (id INTEGER PRIMARY KEY)")
    with store.db:
        store.db.execute("DELETE FROM temp.asked")
        store.db.executemany("INSERT INTO temp.asked VALUES (?)", ((at,) for at in chosen))
    # Lines are summed by commit first: in the order of the table that sorts nothing, and a commit counts once by itself. Where every
    # path is asked about, a test of each of 136,000 changes would take longer than all the rest.
    only = "" if len(chosen) == len(paths) else "WHERE f.path_id IN (SELECT id FROM temp.asked)"
    found = store.db.execute(
        "SELECT a.name, a.email, total(m.added), total(m.commits), max(m.last) FROM (SELECT c.author, total(s.added) AS added, count(*) AS commits, "
        f"max(c.time) AS last FROM (SELECT f.commit_id, total(f.added) AS added FROM commit_files f {only} GROUP BY f.commit_id) s "
        "CROSS JOIN commits c ON c.id = s.commit_id GROUP BY c.author) m JOIN authors a ON a.id = m.author GROUP BY a.name, a.email"
    )
    people = [Part(str(name), str(email), int(added), int(commits), int(last)) for name, email, added, commits, last in found]
    # The search for a second author ends with the first that is found: most files have one among their first few commits.
    alone = store.db.execute(
        "WITH one AS MATERIALIZED (SELECT t.id, (SELECT c.author FROM commit_files f JOIN commits c ON c.id = f.commit_id WHERE f.path_id = t.id LIMIT 1) "
        "AS author FROM temp.asked t) SELECT o.id, NOT EXISTS (SELECT 1 FROM commit_files f INDEXED BY commit_files_path CROSS JOIN commits c ON "
        "c.id = f.commit_id CROSS JOIN authors b ON b.id = c.author WHERE f.path_id = o.id AND c.author != o.author AND b.email != a.email) "
        "FROM one o JOIN authors a ON a.id = o.author"
    )
    return people, {paths[int(at)]: bool(only_one) for at, only_one in alone}


def named(store: Store, shas: Sequence[str]) -> dict[str, Commit]:
    """sha -> commit, for those whose facts are there."""
    found: dict[str, Commit] = {}
    for at in range(0, len(shas), BATCH):
        batch = shas[at : at + BATCH]
        rows = store.db.execute(
            f"SELECT {_COMMIT} FROM commits c JOIN authors a ON a.id = c.author WHERE c.sha IN ({', '.join('?' * len(batch))})",
            tuple(map(bytes.fromhex, batch)),
        )
        found.update((commit.sha, commit) for commit in map(commit_of, rows))
    return found


def read(repository: Repository, shas: Sequence[str]) -> dict[str, Commit]:
    """The same, asked of the repository itself: for a few commits whose facts need not all be there."""
    import pygit2

    mailmap = _mailmap(repository)[1]
    found = {}
    for sha in shas:
        row = repository.git[sha].peel(pygit2.Commit)
        name, email = _resolved(mailmap, row.author.raw_name + b"\0" + row.author.raw_email)
        found[sha] = Commit(sha, row.commit_time, name, email, _subject(row))
    return found


def _subject(row: pygit2.Commit) -> str:
    return row.raw_message.lstrip(b"\n").split(b"\n", 1)[0].decode("utf-8", "replace")


def counted(store: Store, since: int | None = None) -> dict[str, int]:
    """What the window holds: commits, merges, commits with missing objects, and files held back."""
    row = store.db.execute(
        "SELECT count(*), total(parents > 1), total(files < 0), total(held) FROM commits WHERE time > ?", (since if since is not None else -(1 << 62),)
    ).fetchone()
    return dict(zip(("commits", "merges", "missing", "held"), map(int, row or (0, 0, 0, 0)), strict=True))

"""One caller's view of a workspace: its index is opened and brought level the first time a verb needs it."""

from __future__ import annotations

import os

from iq.errors import StorageError
from iq.index import live, text
from iq.index.scope import resolve
from iq.index.workspace import Workspace
from iq.types import Progress, Scope, Symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from iq.index.changes import Change
    from iq.index.commits import Filled
    from iq.index.repository import Repository
    from iq.index.store import FileRow, Store
    from iq.index.update import Level
    from iq.index.walk import Rules

# A later query spends at most this on re-reading changed files before it answers (seconds); the rest is said to be behind.
UPDATE_SECONDS = 2.0


class Session:
    def __init__(self, workspace: Workspace, cwd: str, progress: Progress | None = None, now: float | None = None) -> None:
        self.workspace = workspace
        self.cwd = cwd
        self.progress = progress
        self.embedding: Progress | None = None
        self._now = now
        self._store: Store | None = None
        self._level: Level | None = None
        self._peek: Store | None = None
        self._outlines: dict[str, list[Symbol]] = {}
        self._change: Change | None = None
        self._files: dict[str, bool] = {}
        self._places: dict[tuple[str, int], Symbol | None] = {}
        self._rows: dict[str, list[str]] = {}
        self._rules: dict[bool, Rules] = {}
        self._watched = False

    @property
    def root(self) -> str:
        return self.workspace.root

    def level(self) -> tuple[Store, Level]:
        """The index, level with the tree, and how that went: (Store, Level). Raises StorageError."""
        if self._store is None or self._level is None:
            from iq.index.update import update

            self._store, self._level = update(self.workspace, self.progress, UPDATE_SECONDS, self._store)
        return self._store, self._level

    def embed_behind(self) -> None:
        """Starts a worker for chunks that have no vector, where there is a model for it."""
        from iq.models import files

        if self._store is None or not files.present("embedder"):
            return
        from iq.index.vectors import table, worker

        done, total = table.share(self._store)
        if done < total:
            worker.start(self.workspace)

    @property
    def now(self) -> int:
        """Seconds since 1970, the same for a whole answer: as given, else the clock's first word."""
        if self._now is None:
            import time

            self._now = time.time()
        return int(self._now)

    def history(self, since: int | None = None) -> tuple[Repository, Store, Filled]:
        """The repository, the index with the facts of its commits (with `since`, at least of those after it), and how they stand.

        The tree itself is not looked at. Raises UsageError outside of a repository, ToolError for one that cannot be read.
        """
        from iq.index.commits import fill
        from iq.index.repository import needed
        from iq.index.store import Store
        from iq.index.workspace import prepare

        repository = needed(self.root)
        if self._store is None:
            prepare(self.workspace)
            self._store, _ = Store.open(self.workspace.database)
        return repository, self._store, fill(repository, self._store, self.workspace.local, self.progress, since)

    def attend(self, cwd: str, quiet: bool) -> bool:
        """Turns to the next caller, who stands in `cwd`, and keeps what is open; whether the tree will be looked at again.

        With `quiet`, nothing has changed since the last one, and what is known of the tree is kept too, unless it was behind.
        """
        self.cwd, self._now, self._change, self._watched = cwd, None, None, True
        if not all(store.current() for store in (self._store, self._peek) if store is not None):
            self.renew()
        if quiet and (self._level is None or self._level.coverage.fresh == "fresh"):
            return False
        self._level = None
        self._outlines.clear()
        self._files.clear()
        self._places.clear()
        self._rules.clear()
        return True

    def renew(self) -> None:
        """Forgets what is known of the tree, so that the next answer looks again."""
        if self._store is not None:
            self._store.close()
        if self._peek is not None:
            self._peek.close()
        self._level = self._store = self._peek = None
        self._outlines.clear()
        self._change = None
        self._files.clear()
        self._places.clear()
        self._rules.clear()

    def discard(self, error: Exception) -> bool:
        """Sets the index aside where `error` says that it is damaged; whether it did."""
        from iq.index.connect import set_aside
        from iq.index.store import DAMAGE

        if not isinstance(error, DAMAGE):
            return False
        self.renew()
        set_aside(self.workspace.database)
        return True

    def resolved(self, scope: Scope) -> Scope:
        """The scope with its paths under the root. Raises ScopeError."""
        from iq.frozen import replace

        return replace(scope, within=resolve(scope.within, self.root, self.cwd)) if scope.within else scope

    def outline(self, path: str) -> list[Symbol]:
        """Definitions in a file as it is now, parsed live; empty where it cannot be parsed."""
        if path not in self._outlines:
            from iq.index.languages import detect
            from iq.index.symbols import extract

            loaded = live.load(self.root, path)
            self._outlines[path] = list(extract(detect(path, loaded.source[:4096]), loaded.source).symbols) if loaded else []
        return self._outlines[path]

    def peek(self) -> bool:
        """Opens the index to read it as it stands, where there is one; whether there is."""
        if self._peek is None and os.path.exists(self.workspace.database):
            from iq.index.store import Store

            try:
                self._peek = Store.peek(self.workspace.database)
            except StorageError:
                return False
        return self._peek is not None

    def _as_indexed(self, row: FileRow) -> bool:
        """Whether a file is as it was indexed; a live parse costs 5 ms a file, which an exact verb over fifty files would feel."""
        if row.skipped:
            return False
        try:
            stat = os.stat(os.path.join(self.root, row.path))
        except OSError:
            return False
        return live.changed(stat) == row.mtime and stat.st_size == row.size

    def rows(self, path: str) -> list[str]:
        """The lines of a file now, read once for an answer; empty where it is gone or no text."""
        if path not in self._rows:
            loaded = live.load(self.root, path)
            self._rows[path] = text.lines(loaded.content) if loaded else []
        return self._rows[path]

    def begin(self) -> None:
        """A new answer: lines are read again and, where nobody watches the tree, so are its rules."""
        self._rows.clear()
        if not self._watched:
            self._rules.clear()

    def rules(self, ignored: bool) -> Rules:
        """What is searched live; looked up once for as long as nothing changes."""
        if ignored not in self._rules:
            from iq.index.walk import rules

            self._rules[ignored] = rules(self.root, ignored, self.workspace.tracked)
        return self._rules[ignored]

    def foresee(self, places: Sequence[tuple[str, int]]) -> None:
        """Looks up at once what `enclosing` will be asked for: places as (path, line)."""
        if not places or not self.peek() or self._peek is None:
            return
        for place, row, symbol in self._peek.enclosing(places):
            if row.path not in self._files:
                self._files[row.path] = self._as_indexed(row)
            self._places[place] = symbol

    def enclosing(self, path: str, line: int) -> Symbol | None:
        """The innermost definition around a line, fields and constants aside."""
        if path not in self._outlines:
            if (path, line) not in self._places:
                self.foresee([(path, line)])
            if self._files.get(path):
                return self._places[path, line]
        best = None
        for symbol in self.outline(path):
            if symbol.line <= line <= symbol.end and symbol.kind not in ("field", "variable", "const") and (best is None or symbol.line >= best.line):
                best = symbol
        return best

    def change(self) -> Change:
        """What is being changed in this workspace, looked at once."""
        if self._change is None:
            from iq.index.changes import look

            self._change = look(self.root)
        return self._change

    def file_exists(self, path: str) -> bool:
        return os.path.isfile(os.path.join(self.root, path))

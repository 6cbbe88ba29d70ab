"""The index database: reading and replacing rows. SQL lives here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

import apsw

from iq.errors import StorageError
from iq.frozen import dataclass
from iq.index.workspace import APPLICATION_ID, SCHEMA_VERSION
from iq.types import Chunk, Symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from iq.index.parse import Parsed

CHUNK_BITS = 16

# Files that say what a module's name means, whatever they import or define.
MANIFESTS = (".json", ".jsonc", ".toml", ".mod", ".work", ".yaml", ".yml", ".gemspec")

# What SQLite raises where the file is not, or is no longer, a sound database.
DAMAGE = (apsw.NotADBError, apsw.CorruptError)

# The columns of a FileRow.
_ROW = "id, path, size, mtime, hash, language, class, lines, skipped, importers"
_FIELDS = 1 + len(_ROW.split(", "))

# Places that are looked up in one statement, two of SQLite's variables each.
PLACES = 400


@dataclass(frozen=True, slots=True)
class FileRow:
    id: int
    path: str
    size: int
    mtime: int
    hash: bytes
    language: str
    file_class: str
    lines: int
    skipped: str
    importers: int


@dataclass(frozen=True, slots=True)
class About:
    """A file as ranking sees it: its class, the terms of its top-level names, the hash of its bytes, how many files import it."""

    file_class: str
    names: frozenset[str]
    hash: bytes
    importers: int


def to_db(path: str) -> str | bytes:
    """A path as it is stored: text, or bytes where the name is not UTF-8."""
    try:
        path.encode("utf-8")
        return path
    except UnicodeEncodeError:
        return os.fsencode(path)


def from_db(value: str | bytes) -> str:
    return value if isinstance(value, str) else os.fsdecode(value)


class Store:
    """One connection to the index of a workspace."""

    def __init__(self, path: str, connection: apsw.Connection) -> None:
        self.path = path
        self.db = connection
        # Kept with the connection they are true of: whether sqlite-vec is loaded into it, and the vectors read through it.
        self.vec0 = False
        self.matrix: object = None
        self._file = _identity(path)

    @classmethod
    def open(cls, path: str) -> tuple[Store, str]:
        """Opens or makes the database; the second value says why an old one was set aside, if one was.

        Raises StorageError where the folder cannot be written or the disk is full.
        """
        from iq.index.connect import Foreign, connect, set_aside

        why = ""
        for _ in range(2):
            try:
                return cls(path, connect(path)), why
            except DAMAGE:
                why = "the index was damaged and is built anew"
            except Foreign as error:
                why = str(error)
            except (apsw.CantOpenError, apsw.FullError, apsw.IOError, apsw.ReadOnlyError) as error:
                raise StorageError(f"index '{path}' cannot be opened: {error}; free space or remove it with `iq index drop`") from error
            set_aside(path)
        raise StorageError(f"index '{path}' cannot be made; remove its folder and try again")

    @classmethod
    def peek(cls, path: str) -> Store:
        """Opens an index as it is, only to read. Raises StorageError where it is not usable."""
        try:
            db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
            if (db.pragma("application_id"), db.pragma("user_version")) == (APPLICATION_ID, SCHEMA_VERSION):
                return cls(path, db)
            db.close()
        except apsw.Error as error:
            raise StorageError(f"index '{path}' cannot be read: {error}") from error
        raise StorageError(f"index '{path}' has another format")

    def close(self) -> None:
        self.db.close()

    def current(self) -> bool:
        """Whether the file of this connection is still the one at its path."""
        return self._file == _identity(self.path)

    def meta(self, key: str) -> str:
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def set_meta(self, key: str, value: str) -> None:
        self.db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def files(self) -> dict[str, FileRow]:
        """All rows of the walk as last seen, by path."""
        rows = self.db.execute(f"SELECT {_ROW} FROM files")
        return {from_db(row[1]): FileRow(row[0], from_db(row[1]), *row[2:]) for row in rows}

    def file(self, path: str) -> FileRow | None:
        row = self.db.execute(f"SELECT {_ROW} FROM files WHERE path = ?", (to_db(path),)).fetchone()
        return FileRow(row[0], path, *row[2:]) if row else None

    def count(self, table: str) -> int:
        """Rows of a table."""
        return next((int(row[0]) for row in self.db.execute(f"SELECT count(*) FROM {table}")), 0)

    def totals(self, table: str) -> tuple[int, list[int]]:
        """Rows of an FTS5 table and terms of each column: its own averages record, a varint list. Counting 350,000 rows takes 4 ms."""
        row = self.db.execute(f"SELECT block FROM {table}_data WHERE id = 1").fetchone()
        numbers, value = [], 0
        for byte in row[0] if row else b"":
            value = value << 7 | byte & 0x7F
            if not byte & 0x80:
                numbers.append(value)
                value = 0
        return (numbers[0], numbers[1:5]) if len(numbers) >= 5 else (0, [0, 0, 0, 0])

    def touch(self, file: int, mtime: int) -> None:
        """Notes that a file's bytes are unchanged under a new time."""
        self.db.execute("UPDATE files SET mtime = ? WHERE id = ?", (mtime, file))

    def remove(self, file: int) -> None:
        low, high = file << CHUNK_BITS, (file + 1) << CHUNK_BITS
        embedded = [int(row[0]) for row in self.db.execute("SELECT chunk FROM embedded WHERE chunk >= ? AND chunk < ?", (low, high))]
        if embedded:
            from iq.index.vectors.table import remove

            remove(self, embedded)
        self.db.execute("DELETE FROM chunk_terms WHERE rowid IN (SELECT id FROM chunks WHERE id >= ? AND id < ?)", (low, high))
        self.db.execute("DELETE FROM chunks WHERE id >= ? AND id < ?", (low, high))
        self.db.execute("DELETE FROM file_terms WHERE rowid = ?", (file,))
        self.db.execute("DELETE FROM symbols WHERE file = ?", (file,))
        self.db.execute("DELETE FROM imports WHERE file = ?", (file,))
        self.db.execute("DELETE FROM affinities WHERE file = ?", (file,))
        self.db.execute("DELETE FROM complexity WHERE file = ?", (file,))
        self.db.execute("DELETE FROM files WHERE id = ?", (file,))

    def replace(self, old: FileRow, parsed: Parsed) -> None:
        """One file for its older self, under the same id; edges stay where it imports and defines what it did."""
        before = self._interface(old.id)
        self.remove(old.id)
        self.add(parsed, old.id, old.importers)
        if before != self._interface(old.id) or old.path.endswith(MANIFESTS):
            self.forget_edges()

    def _interface(self, file: int) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
        """What other files' imports can depend on: what a file imports, and what it defines."""
        imports = self.db.execute("SELECT module, line, kind, names FROM imports WHERE file = ? ORDER BY 1, 2, 3, 4", (file,)).fetchall()
        symbols = self.db.execute("SELECT name, kind, container, exported FROM symbols WHERE file = ? ORDER BY 1, 2, 3, 4", (file,)).fetchall()
        return imports, symbols

    def add(self, parsed: Parsed, file: int | None = None, importers: int = 0) -> None:
        """Stores a file, under a new id unless one is given. Edges are the caller's to forget."""
        self.db.execute(
            "INSERT INTO files (id, path, size, mtime, hash, language, class, encoding, lines, skipped, unparsed, names, importers) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                file,
                to_db(parsed.path),
                parsed.size,
                parsed.mtime,
                parsed.hash,
                parsed.language,
                parsed.file_class,
                parsed.encoding,
                parsed.lines,
                parsed.skipped,
                parsed.unparsed,
                parsed.names,
                importers,
            ),
        )
        file = self.db.last_insert_rowid()
        if parsed.skipped:
            return
        low = file << CHUNK_BITS
        self.db.executemany(
            "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((file, s.name, s.kind, s.line, s.end, s.name_line, s.column, s.container, s.signature, s.doc, s.exported) for s in parsed.symbols),
        )
        self.db.executemany(
            "INSERT INTO imports VALUES (?, ?, ?, ?, ?)", ((file, row.module, row.line, row.kind, "\n".join(row.names)) for row in parsed.imports)
        )
        self.db.executemany("INSERT OR REPLACE INTO complexity VALUES (?, ?, ?, ?)", ((file, *row) for row in parsed.complexity))
        self.db.executemany(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)",
            ((low + at, c.start, c.end, c.symbol, c.kind, " ".join(c.names)) for at, c in enumerate(parsed.chunks)),
        )
        self.db.executemany(
            "INSERT INTO chunk_terms (rowid, path, symbols, body, comments) VALUES (?, ?, ?, ?, ?)",
            ((low + at, *row) for at, row in enumerate(parsed.chunk_terms)),
        )
        self.db.execute("INSERT INTO file_terms (rowid, path, symbols, body, comments) VALUES (?, ?, ?, ?, ?)", (file, *parsed.file_terms))

    def forget_edges(self) -> None:
        """Any file that comes or goes can change what the imports of others mean."""
        self.db.execute("DROP TABLE IF EXISTS temp.filled")
        self.db.execute("DELETE FROM edges")
        self.db.execute("DELETE FROM meta WHERE key = 'edges'")

    def symbols_of(self, path: str) -> list[Symbol]:
        """Definitions of a file in source order."""
        rows = self.db.execute(
            "SELECT s.* FROM symbols s JOIN files f ON f.id = s.file WHERE f.path = ? ORDER BY s.line, s.end DESC, s.name_line", (to_db(path),)
        )
        return [_symbol(row) for row in rows]

    def enclosing(self, places: Sequence[tuple[str, int]]) -> Iterator[tuple[tuple[str, int], FileRow, Symbol | None]]:
        """The innermost definition around each (path, line), fields and constants aside, and the file's row; files that are not in the index are left out.

        Many at once take a third of the time of one by one.
        """
        for at in range(0, len(places), PLACES):
            some = places[at : at + PLACES]
            wanted = ", ".join(f"({number}, ?, ?)" for number in range(at, at + len(some)))
            columns = ", ".join(f"f.{name}" for name in _ROW.split(", "))
            for row in self.db.execute(
                f"WITH wanted (number, path, line) AS (VALUES {wanted}) SELECT number, {columns}, s.* FROM wanted w JOIN files f ON f.path = w.path "
                "LEFT JOIN symbols s ON s.rowid = (SELECT rowid FROM symbols WHERE file = f.id AND line <= w.line AND end >= w.line "
                "AND kind NOT IN ('field', 'variable', 'const') ORDER BY line DESC, end, name_line DESC LIMIT 1)",
                [value for path, line in some for value in (to_db(path), line)],
            ):
                number, file, symbol = row[0], row[1:_FIELDS], row[_FIELDS:]
                yield places[number], FileRow(file[0], places[number][0], *file[2:]), _symbol(symbol) if symbol[0] is not None else None

    def symbols_named(self, names: Sequence[str], kinds: Iterable[str] = ()) -> list[tuple[str, str, str, Symbol]]:
        """(path, class, language, symbol) of every definition with one of the names, whatever its case, by path and line."""
        marks = ", ".join("?" * len(names))
        rows = self.db.execute(
            f"SELECT f.path, f.class, f.language, s.* FROM symbols s JOIN files f ON f.id = s.file WHERE s.name COLLATE NOCASE IN ({marks})",
            tuple(map(_bindable, names)),
        )
        wanted = frozenset(kinds)
        found = [(from_db(row[0]), str(row[1]), str(row[2]), _symbol(row[3:])) for row in rows]
        return sorted((r for r in found if not wanted or r[3].kind in wanted), key=lambda r: (r[0], r[3].line, r[3].name_line, r[3].column))

    def about(self, paths: Sequence[str]) -> dict[str, About]:
        """path -> what ranking asks of a file."""
        marks = ", ".join("?" * len(paths))
        rows = self.db.execute(f"SELECT path, class, names, hash, importers FROM files WHERE path IN ({marks})", tuple(map(to_db, paths)))
        return {from_db(row[0]): About(str(row[1]), frozenset(str(row[2]).split()), bytes(row[3]), int(row[4])) for row in rows}

    def holding(self, term: str, limit: int) -> list[tuple[str, Chunk]]:
        """(path, chunk) of up to `limit` chunks that hold a term."""
        rows = self.db.execute(
            "SELECT f.path, c.start, c.end, c.symbol, c.kind, c.names FROM chunk_terms t JOIN chunks c ON c.id = t.rowid "
            "JOIN files f ON f.id = t.rowid >> 16 WHERE chunk_terms MATCH ? LIMIT ?",
            (f'"{term}"', limit),
        )
        return [(from_db(row[0]), Chunk(row[1], row[2], row[3], row[4], tuple(row[5].split()))) for row in rows]  # type: ignore[arg-type, union-attr]

    def spans(self, path: str, start: int, end: int) -> list[Chunk]:
        """The chunks of a file that share a line with `start..end`, in order."""
        rows = self.db.execute(
            "SELECT c.start, c.end, c.symbol, c.kind, c.names FROM files f JOIN chunks c ON c.id >= f.id << 16 AND c.id < (f.id + 1) << 16 "
            "WHERE f.path = ? AND c.start <= ? AND c.end >= ? ORDER BY c.id",
            (to_db(path), end, start),
        )
        return [Chunk(row[0], row[1], row[2], row[3], tuple(row[4].split())) for row in rows]  # type: ignore[arg-type, union-attr]

    def present(self, paths: Sequence[str]) -> set[str]:
        """Those of the paths that are files of the workspace."""
        marks = ", ".join("?" * len(paths))
        return {from_db(row[0]) for row in self.db.execute(f"SELECT path FROM files WHERE path IN ({marks})", tuple(map(to_db, paths)))}

    def folders(self, folders: Iterable[str]) -> set[str]:
        """Those of the folders, written with their last `/`, that hold a file."""
        one = "SELECT 1 FROM files WHERE path > ? AND path < ? LIMIT 1"
        return {folder for folder in folders if self.db.execute(one, (to_db(folder), to_db(folder[:-1] + "0"))).fetchone()}

    def defining(self, names: Sequence[str]) -> dict[str, set[str]]:
        """name -> the files that define just that name."""
        marks = ", ".join("?" * len(names))
        rows = self.db.execute(
            f"SELECT DISTINCT s.name, f.path FROM symbols s JOIN files f ON f.id = s.file WHERE s.name COLLATE NOCASE IN ({marks})",
            tuple(map(_bindable, names)),
        )
        found: dict[str, set[str]] = {}
        for name, path in rows:
            found.setdefault(str(name), set()).add(from_db(path))
        return found

    def names(self) -> list[str]:
        """Every name that is defined, once."""
        return [str(row[0]) for row in self.db.execute("SELECT DISTINCT name FROM symbols ORDER BY name")]

    def all_symbols(self) -> list[tuple[str, str, str, Symbol]]:
        rows = self.db.execute(
            'SELECT f.path, f.class, f.language, s.* FROM symbols s JOIN files f ON f.id = s.file ORDER BY f.path, s.line, s.name_line, s."column"'
        )
        return [(from_db(row[0]), str(row[1]), str(row[2]), _symbol(row[3:])) for row in rows]


def _bindable(text: str) -> str:
    """Words of a call as SQLite takes them: bytes that are no UTF-8 equal nothing that was indexed."""
    return text.encode("utf-8", "replace").decode()


def _identity(path: str) -> tuple[int, int]:
    try:
        stat = os.stat(path)
    except OSError:
        return 0, 0
    return stat.st_dev, stat.st_ino


def _symbol(row: Sequence[object]) -> Symbol:
    _, name, kind, line, end, name_line, column, container, signature, doc, exported = row
    return Symbol(str(name), str(kind), int(line), int(end), int(name_line), int(column), str(container), str(signature), str(doc), bool(exported))  # type: ignore[call-overload]

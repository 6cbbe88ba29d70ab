"""The index follows the tree, and survives what happens to its file."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from iq.errors import StorageError
from iq.index.session import Session
from iq.index.store import Store
from iq.index.update import update
from iq.index.workspace import find
from tests.conftest import Place

ROOT = Path(__file__).parents[2]


def level(root: Path) -> tuple[Store, int]:
    store, result = update(find(str(root), str(root)))
    assert result.coverage.fresh == "fresh"
    return store, result.changed


def content(store: Store) -> tuple[list[object], list[object]]:
    files = [tuple(row) for row in store.db.execute("SELECT path, hash, lines, skipped FROM files ORDER BY path")]
    symbols = [tuple(row) for row in store.db.execute("SELECT f.path, s.name, s.line FROM symbols s JOIN files f ON f.id = s.file ORDER BY 1, 3, 2")]
    return files, symbols


def fill(root: Path, files: int) -> None:
    (root / ".git").mkdir(exist_ok=True)
    for n in range(files):
        (root / f"m{n}.py").write_text(f"def f{n}():\n    return {n}\n\n\nclass C{n}:\n    x = {n}\n")


def test_edits_additions_and_deletions_are_followed(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    store, changed = level(tmp_path)
    assert changed == 5
    (tmp_path / "m0.py").write_text("def renamed():\n    pass\n")
    (tmp_path / "m1.py").unlink()
    (tmp_path / "new.py").write_text("def fresh(): ...\n")
    store, changed = level(tmp_path)
    assert changed == 3
    names = {row[0] for row in store.db.execute("SELECT name FROM symbols")}
    assert {"renamed", "fresh", "f2"} <= names and not {"f0", "f1"} & names
    assert store.db.execute("SELECT count(*) FROM chunk_terms WHERE chunk_terms MATCH 'f1'").fetchone() == (0,)


@pytest.mark.skipif(sys.platform == "win32", reason="no time there tells of it")
@pytest.mark.parametrize("replaced", [False, True])
def test_an_edit_of_equal_size_under_the_old_time_is_seen(replaced: bool, tmp_path: Path) -> None:
    fill(tmp_path, 1)
    path = tmp_path / "m0.py"
    os.utime(path, (1_000_000_000, 1_000_000_000))
    time.sleep(0.05)
    store, _ = level(tmp_path)
    assert level(tmp_path)[1] == 0
    if replaced:
        (tmp_path / "other").write_text(path.read_text().replace("f0", "g0"))
        os.replace(tmp_path / "other", path)
    else:
        path.write_text(path.read_text().replace("f0", "g0"))
    os.utime(path, (1_000_000_000, 1_000_000_000))
    store, changed = level(tmp_path)
    assert changed == 1 and "g0" in {row[0] for row in store.db.execute("SELECT name FROM symbols")}


def test_an_edit_of_equal_size_within_one_clock_tick_is_seen(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    for n in range(5):
        (tmp_path / "m0.py").write_text(f"def g{n}():\n    return 1\n")
        store, _ = level(tmp_path)
        assert [row[0] for row in store.db.execute("SELECT name FROM symbols")] == [f"g{n}"]


def test_a_second_look_reads_nothing_again(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    time.sleep(0.05)
    level(tmp_path)
    os.utime(tmp_path / "m1.py")
    assert level(tmp_path)[1] == 0


@pytest.mark.parametrize("damage", ["random", "truncated", "empty", "text"])
def test_a_damaged_index_is_built_anew(damage: str, tmp_path: Path) -> None:
    fill(tmp_path, 3)
    store, _ = level(tmp_path)
    expected = content(store)
    store.close()
    path = Path(find(str(tmp_path), str(tmp_path)).database)
    data = path.read_bytes()
    path.write_bytes(
        {"random": random.Random(1).randbytes(len(data)), "truncated": data[: len(data) // 3], "empty": b"", "text": b"not a database" * 99}[damage]
    )
    assert content(level(tmp_path)[0]) == expected


def test_a_foreign_database_is_set_aside_not_lost(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    workspace = find(str(tmp_path), str(tmp_path))
    os.makedirs(workspace.local)
    other = apsw.Connection(workspace.database)
    other.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (7)")
    other.close()
    _store, result = update(workspace)
    assert "not made by iq" in result.notes[0]
    assert apsw.Connection(workspace.database + ".broken").execute("SELECT x FROM theirs").fetchone() == (7,)


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, 3)

    def full(self: Store, parsed: object) -> None:
        raise apsw.FullError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "add", full)
        with pytest.raises(StorageError, match="disk is full"):
            level(tmp_path)
    assert level(tmp_path)[1] == 3


def test_a_read_only_workspace_keeps_its_index_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "project"
    root.mkdir()
    fill(root, 2)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).startswith(str(root)) and real(path, mode))
    level(root)
    assert not (root / ".iq").exists()
    assert list((tmp_path / "cache" / "iq").rglob("index-*.db"))


def test_killed_builds_leave_a_usable_index(tmp_path: Path) -> None:
    fill(tmp_path, 1200)
    call = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); from iq.cli import main; sys.exit(main(['index', 'status']))"]
    rng = random.Random(3)
    for _ in range(8):
        child = subprocess.Popen(call, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(rng.uniform(0.05, 0.8))
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    found = content(level(tmp_path)[0])
    os.unlink(find(str(tmp_path), str(tmp_path)).database)
    assert found == content(level(tmp_path)[0])
    assert len(found[0]) == 1200


def test_two_at_once_on_a_workspace_without_index(tmp_path: Path) -> None:
    fill(tmp_path, 600)
    call = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); from iq.cli import main; sys.exit(main(['def', 'f599']))"]
    children = [subprocess.Popen(call, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [child.communicate(timeout=60) for child in children]
    assert [child.returncode for child in children] == [0, 0]
    assert outputs[0][0] == outputs[1][0] and "m599.py" in outputs[0][0]
    assert not any("Traceback" in err for _, err in outputs)


def test_edges_stay_where_an_edit_changes_neither_imports_nor_definitions(workspace) -> None:
    """Every edit emptied the import graph, and the next question linked all files anew."""
    ws = workspace({"a.py": "import b\n", "b.py": "def f():\n    return 1\n", "c.py": "x = 1\n"})
    root = Path(ws.root)
    store, _ = Session(find(str(root), str(root)), str(root)).level()
    row, before = store.file("b.py"), store.db.execute("SELECT * FROM edges").fetchall()
    assert row.importers == 1 and before
    store.close()
    (root / "b.py").write_text("def f():\n    return 2 + 2\n")
    store, _ = Session(find(str(root), str(root)), str(root)).level()
    assert store.file("b.py").id == row.id and store.file("b.py").importers == 1
    assert store.db.execute("SELECT * FROM edges").fetchall() == before
    store.close()
    (root / "c.py").write_text("import b\n")
    store, _ = Session(find(str(root), str(root)), str(root)).level()
    assert store.file("b.py").importers == 2


def test_an_index_of_another_format_is_left_to_its_readers_and_then_removed(workspace) -> None:
    """Two processes that met an index of an older format set it aside under each other: disk I/O error."""
    ws = workspace({"a.py": "def f(): ...\n"})
    place = find(str(ws.root), str(ws.root))
    os.makedirs(place.local, exist_ok=True)
    older = os.path.join(place.local, "index-1.db")
    reader = apsw.Connection(older)
    reader.execute("PRAGMA journal_mode = WAL")
    reader.execute("CREATE TABLE t (x)")
    reader.execute("INSERT INTO t VALUES (7)")
    store, _ = Session(place, str(ws.root)).level()
    assert store.count("files") == 1
    assert sorted(name for name in os.listdir(place.local) if name.startswith("index-1.")) == []
    assert reader.execute("SELECT x FROM t").fetchall() == [(7,)]
    reader.close()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="asks /proc who is left")
def test_a_killed_writer_leaves_no_workers(workspace: Callable[..., Place]) -> None:
    """Workers of a killed `iq index rebuild` stayed for ever, and whoever read its output waited as long."""
    ws = workspace({f"d{at % 9}/f{at}.py": f"def f{at}(): ...\n" * 200 for at in range(600)})
    child = ws.start("index", "rebuild")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        mine = [p for p in Path("/proc").glob("[0-9]*/stat") if _parent(p) == child.pid]
        if len(mine) >= 2 or child.poll() is not None:
            break
    child.kill()
    child.communicate(timeout=20)  # the pipes close only when the last worker has ended


def _parent(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0

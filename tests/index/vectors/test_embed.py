"""Embedding a workspace: complete, resumable, shared between workspaces, never in a query's way."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from iq.errors import StorageError
from iq.index.lock import writing
from iq.index.session import Session
from iq.index.store import Store, from_db
from iq.index.vectors import order, table, worker
from iq.index.vectors.embed import embed
from iq.index.workspace import Workspace, find
from iq.verbs import index as index_verb
from tests.fakes import Hashed

# Six functions of 450 characters, each a chunk of its own.
BODY = "".join(f"def f{{0}}_{n}(x):\n" + f"    value_{{0}} = value_{{0}} + {n}  # a step of the way\n" * 10 + "    return value_{0}\n\n\n" for n in range(6))


@pytest.fixture
def place(workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A workspace of sources, a test and a page, indexed; caches of its own."""
    monkeypatch.setenv("IQ_CACHE_DIR", str(tmp_path / "shared"))
    files = {f"src/m{n}.py": BODY.format(n) for n in range(40)}
    return workspace({**files, "tests/test_m.py": BODY.format("t"), "docs/page.md": "# Page\n\nwords\n"})


def level(place) -> tuple[Workspace, Store]:
    ws = find(str(place.root), str(place.root))
    return ws, Session(ws, str(place.root)).level()[0]


def test_every_chunk_gets_a_vector_once(place) -> None:
    ws, store = level(place)
    model = Hashed()
    assert embed(ws, model) == store.count("chunks") == len(model.seen)
    assert table.share(store)[0] == store.count("chunks")
    assert embed(ws, model) == 0
    assert any(text.startswith("src/m3.py § f3_0\ndef f3_0(x):") for text in model.seen)


def test_sources_come_before_tests_and_tests_before_docs(place) -> None:
    ws, _ = level(place)
    model = Hashed()
    store = Store.open(ws.database)[0]
    paths = [from_db(store.db.execute("SELECT path FROM files WHERE id = ?", (file,)).fetchone()[0]) for file in order.pending(store, ws.root)]
    assert paths[-2:] == ["tests/test_m.py", "docs/page.md"]
    embed(ws, model)


def test_recent_and_much_imported_files_come_first(workspace) -> None:
    import subprocess

    files = {f"src/{name}.py": f"import hub\ndef {name}():\n    pass\n" for name in ("a", "b", "c")}
    place = workspace({**files, "src/hub.py": "def go():\n    pass\n", "src/late.py": "def late():\n    pass\n"})
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-C", str(place.root)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *command], check=True)
    (place.root / "src/late.py").write_text("def late():\n    return 1\n")
    subprocess.run([*git, "commit", "-qam", "late"], check=True)
    ws, store = level(place)
    paths = [from_db(store.db.execute("SELECT path FROM files WHERE id = ?", (file,)).fetchone()[0]) for file in order.pending(store, ws.root)]
    assert paths[:2] == ["src/late.py", "src/hub.py"]


@pytest.mark.parametrize("fails_at", [0, 1, 60, 130, 200])
def test_stopped_anywhere_it_goes_on(place, fails_at: int) -> None:
    ws, store = level(place)
    with pytest.raises(KeyboardInterrupt):
        embed(ws, Hashed(fails_at=fails_at))
    before = table.share(store)[0]
    again = Hashed()
    embed(ws, again)
    done, total = table.share(store)
    assert done == total and len(again.seen) <= total - before
    assert store.db.pragma("integrity_check") == "ok"


def test_a_changed_file_is_embedded_alone(place) -> None:
    ws, store = level(place)
    embed(ws, Hashed())
    (place.root / "src/m3.py").write_text(BODY.format(3) + "\n\ndef added():\n    return 'a new passage of its own, long enough to stand alone'\n" * 9)
    ws, store = level(place)
    assert 0 < table.share(store)[0] < store.count("chunks")
    model = Hashed()
    embed(ws, model)
    assert table.share(store) == (store.count("chunks"),) * 2
    assert model.seen and all(text.startswith("src/m3.py") for text in model.seen)


def test_a_second_workspace_with_the_same_files_embeds_nothing(place, workspace) -> None:
    embed(level(place)[0], Hashed())
    other = workspace({str(path.relative_to(place.root)): path.read_text() for path in place.root.rglob("*") if path.is_file() and ".iq" not in path.parts})
    ws, store = level(other)
    model = Hashed()
    assert embed(ws, model) == store.count("chunks") and model.seen == []
    assert table.share(store)[0] == store.count("chunks")


def test_another_space_starts_anew_once(place) -> None:
    ws, store = level(place)
    embed(ws, Hashed())
    model = Hashed("other")
    assert embed(ws, model) == len(model.seen) == store.count("chunks")
    assert embed(ws, model) == 0


def test_a_file_that_changed_under_the_worker_waits_for_the_next_update(place) -> None:
    ws, store = level(place)
    (place.root / "src/m5.py").write_text("def other():\n    pass\n")
    embed(ws, Hashed())
    done, total = table.share(store)
    assert 0 < total - done < 20
    ws, store = level(place)
    embed(ws, Hashed())
    assert table.share(store)[0] == store.count("chunks")


def test_an_index_dropped_meanwhile_is_left_alone(place) -> None:
    ws, _ = level(place)

    class Dropping(Hashed):
        def embed(self, texts, query=False):  # type: ignore[no-untyped-def]
            if len(texts) > 1 and os.path.exists(ws.database):
                os.unlink(ws.database)
            return super().embed(texts, query)

    embed(ws, Dropping())
    _, store = level(place)
    assert table.share(store)[0] == 0 and embed(ws, Hashed()) == store.count("chunks")


def test_the_writers_lock_is_free_while_the_model_runs(place) -> None:
    ws, _ = level(place)

    class Looking(Hashed):
        def embed(self, texts, query=False):  # type: ignore[no-untyped-def]
            with writing(os.path.join(ws.local, "lock"), wait=False):
                return super().embed(texts, query)

    embed(ws, Looking())


def test_a_question_that_meets_a_group_being_written_waits_for_it_and_is_level(place) -> None:
    import threading

    ws, _ = level(place)
    held = threading.Event()

    def write() -> None:
        with writing(os.path.join(ws.local, "lock"), wait=True):
            held.set()
            time.sleep(0.1)

    thread = threading.Thread(target=write)
    thread.start()
    held.wait()
    (place.root / "src/new.py").write_text("def brand_new():\n    pass\n")
    level_now = Session(ws, ws.root).level()[1]
    thread.join()
    assert level_now.coverage.fresh == "fresh" and level_now.changed == 1


@pytest.mark.parametrize(("error", "said"), [(apsw.FullError("full"), "disk is full"), (apsw.ReadOnlyError("no"), "cannot be written")])
def test_a_disk_that_fills_is_said_and_loses_nothing(place, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str) -> None:
    ws, store = level(place)
    calls = []

    def filling(*args: object) -> None:
        calls.append(args)
        if len(calls) > 1:
            raise error
        real(*args)  # type: ignore[arg-type]

    real = table.add
    monkeypatch.setattr(table, "add", filling)
    monkeypatch.setattr("iq.models.embedder.load", lambda threads=0: Hashed())
    session = Session(ws, ws.root)
    with pytest.raises(StorageError, match=said):
        index_verb.embed(session)
    done, total = table.share(store)
    assert 0 < done < total
    monkeypatch.setattr(table, "add", real)
    index_verb.embed(session)
    assert table.share(store) == (total, total)


def test_a_killed_embed_leaves_a_usable_index(place, tiny) -> None:
    """The real command, killed at several moments, then run to the end."""
    tiny(place)
    quiet = {**place.environment(), "IQ_EMBED": "0"}
    assert place.iq("index", "status", env=quiet)[0] == 0
    for wait in (0.2, 0.5, 0.8):
        process = place.start("index", "embed", env=quiet)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert place.iq("where is value_3 set?", env=quiet)[0] == 0
    code, out, err = place.iq("index", "embed", env=quiet)
    assert code == 0 and "vectors 100 %" in out and err == ""


def until(done: Callable[[], bool], seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if done():
            return True
        time.sleep(0.2)
    return False


def test_a_question_starts_the_worker_and_does_not_wait(place, tiny) -> None:
    tiny(place)
    code, out, _ = place.iq("where is value_3 set?")
    assert code == 0 and "vectors 0 %" in out
    assert until(lambda: "vectors 100 %" in place.iq("index", "status")[1])
    ws = find(str(place.root), str(place.root))
    assert until(lambda: not worker.running(ws)) and worker.failure(ws) == ""
    code, out, _ = place.iq("where is value_3 set?")
    assert code == 0 and "vectors" not in out.partition("answer:")[0]


def test_nothing_that_lies_in_a_workspace_is_run(place, tiny) -> None:
    """A repository may bring a json.py, at its root or in the folder of the index; the worker must import neither."""
    tiny(place)
    trap = f"open({str(place.home / 'trapped')!r}, 'w').close()\nraise SystemExit(1)\n"
    (place.root / ".iq/local").mkdir(parents=True, exist_ok=True)
    for folder in (place.root, place.root / ".iq/local"):
        for name in ("json.py", "apsw.py", "numpy.py"):
            (folder / name).write_text(trap)
    env = {**place.environment(), "IQ_ROOT": str(place.root)}
    assert place.iq("where is value_3 set?", cwd=place.home, env=env)[0] == 0
    assert until(lambda: "vectors 100 %" in place.iq("index", "status", cwd=place.home, env=env)[1])
    assert not (place.home / "trapped").exists()


def test_one_worker_a_workspace_and_a_pause_after_a_failure(place, monkeypatch: pytest.MonkeyPatch) -> None:
    ws, _ = level(place)
    started = []
    monkeypatch.setattr(worker.subprocess, "Popen", lambda command, **_: started.append(command))
    with worker._alone(ws):
        assert worker.running(ws) and not worker.start(ws)
    assert worker.start(ws) and len(started) == 1
    Path(worker.log(ws)).write_text("it broke\n")
    assert not worker.start(ws) and worker.failure(ws) == "it broke"
    os.utime(worker.log(ws), (0, 0))
    assert worker.start(ws)
    monkeypatch.setenv("IQ_EMBED", "0")
    assert not worker.start(ws)


def test_the_worker_says_why_it_failed(place, tiny) -> None:
    tiny(place)
    (place.models / "embedder/onnx/model_quantized.onnx").write_bytes(b"nothing")
    assert place.iq("where is value_3 set?")[0] == 0
    assert until(lambda: "stopped: embedder" in place.iq("index", "status")[1])

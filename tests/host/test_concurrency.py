"""Many at once, and deaths at any moment: no lock error, no wrong anchor, an index that is usable and complete."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Place
from tests.host.conftest import SCRIPT, Hosted, spawned

# Rounds of the killing test; IQ_KILL_ROUNDS=200 is what is run by hand.
ROUNDS = int(os.environ.get("IQ_KILL_ROUNDS", "6"))

FILES = 1000


def body(at: int, turn: int) -> str:
    return "\n" * ((at + turn) % 5) + f"def item_{at}_{turn}():\n    return 'item {at}'\n"


def save(ws: Hosted, path: str, text: str) -> None:
    """As editors save: at once. A file that is overwritten in place can be read half old, half new, by any reader."""
    (ws.root.parent / "saving").write_text(text)
    os.replace(ws.root.parent / "saving", ws.root / path)


def anchors(out: str) -> list[tuple[str, int, str]]:
    """(path, line, text) of every printed line of a text answer."""
    found, path = [], ""
    for row in out.splitlines():
        if heading := re.fullmatch(r"──── (\S+) ────", row):
            path = heading[1]
        elif path and (line := re.match(r" *(\d+)[:> ] ?(.*?)(?:   ‹.*)?$", row)):
            found.append((path, int(line[1]), line[2]))
    return found


def test_fifty_questions_while_a_thousand_files_change(hosted: Callable[..., Hosted]) -> None:
    ws = hosted({f"d{at % 20}/f{at}.py": body(at, 0) for at in range(FILES)})
    ws.iq("index", "status")
    ws.serve()
    questions = [("def", f"item_{at * 20}_0") for at in range(20)] + [("find", f"item_{at}_"[:-1]) for at in range(10)] + [("how are items made?",)] * 20
    running: list[tuple[tuple[str, ...], subprocess.Popen[bytes]]] = []
    texts = {f"d{at % 20}/f{at}.py": {body(at, 0), body(at, 1)} for at in range(FILES)}
    for at in range(FILES):
        save(ws, f"d{at % 20}/f{at}.py", body(at, 1))
        if at % 20 == 10:
            words = questions[at // 20]
            running.append((words, ws.start(*words)))
    assert len(running) == 50
    for words, child in running:
        out, err = child.communicate(timeout=120)
        assert err == b"", (words, err)
        assert child.returncode in (0, 1), words
        for path, line, text in anchors(out.decode()):
            rows = [version.split("\n") for version in texts[path]]
            assert any(line <= len(r) and r[line - 1].strip() == text.strip() for r in rows), (words, path, line, text)
    until = time.monotonic() + 60
    while "index fresh" not in (said := ws.iq("how are items made?")[1].decode()):
        assert time.monotonic() < until, said
    # Level now: every answer is that of an index made from nothing.
    fresh = ws.root.with_name("fresh")
    shutil.copytree(ws.root, fresh, ignore=shutil.ignore_patterns(".iq"))
    (fresh / ".iq").mkdir()
    for words in (("def", "item_20_1"), ("def", "item_20_0"), ("sym", "item_7_*"), ("find", "item_999"), ("how are items made?",), ("refs", "item_3_1")):
        there = Place(fresh, ws.place.home).iq(*words)
        assert [ws.iq(*words)[0], ws.iq(*words)[1].decode()] == list(there[:2]), words


def test_deaths_at_random_moments(hosted: Callable[..., Hosted]) -> None:
    """Engine, writer and client are killed in turn; afterwards the index answers, complete and level."""
    chance = random.Random(8)
    ws = hosted({f"d{at % 10}/f{at}.py": body(at, 0) for at in range(300)})
    ws.iq("index", "status")
    ws.iq("find", "item_1_")  # starts the engine
    killed = 0
    for turn in range(1, ROUNDS + 1):
        for at in chance.sample(range(300), 40):
            save(ws, f"d{at % 10}/f{at}.py", body(at, turn))
        victim = ("engine", "writer", "client")[turn % 3]
        if victim == "writer":
            child = ws.start("index", "rebuild" if turn % 2 else "status", resident=False)
        else:
            child = ws.start("how are items made?")
        time.sleep(chance.random() * 0.4)
        if victim == "engine":
            for process in spawned(ws.runtime):
                os.kill(process, signal.SIGKILL)
                killed += 1
            for mark in ws.runtime.glob("*.spawn"):
                mark.unlink()  # so that the next call starts another at once
        else:
            child.kill()
        out, err = child.communicate(timeout=120)
        assert victim != "engine" or (child.returncode == 0 and err == b""), (turn, out, err)
        until = time.monotonic() + 60
        while True:
            code, said, err = ws.iq("def", f"item_{at}_{turn}", resident=turn % 2 == 0)
            if code == 0 or b"index being updated" not in said or time.monotonic() > until:
                break  # an answer that is not level says so
        assert (code, err) == (0, b""), (turn, victim, said, err)
        assert f"item_{at}_{turn} (function)".encode() in said, (turn, victim, said)
    assert killed
    _, said, _ = ws.iq("index", "status")
    assert b"300 files searched" in said or b"300 files" in said
    fresh = ws.root.with_name("fresh")
    shutil.copytree(ws.root, fresh, ignore=shutil.ignore_patterns(".iq"))
    (fresh / ".iq").mkdir()
    for words in (("sym", "item_*", "--full"), ("how are items made?",), ("find", "item", "--count")):
        assert ws.iq(*words)[1].decode() == Place(fresh, ws.place.home).iq(*words)[1], words


def test_fifty_questions_at_once_to_a_new_engine(hosted: Callable[..., Hosted]) -> None:
    ws = hosted({f"f{at}.py": body(at, 0) for at in range(50)})
    here = ws.iq("how are items made?", resident=False)
    ws.serve()
    children = [ws.start("how are items made?") for _ in range(50)]
    for child in children:
        out, err = child.communicate(timeout=120)
        assert (child.returncode, out, err) == here


def test_a_full_disk_does_not_matter_to_who_asks(tmp_path: Path, workspace: Callable[..., Place]) -> None:
    """The runtime folder cannot be written: no engine is started, the answer comes."""
    ws = workspace({"a.py": "def needle(): ...\n"})
    env = {**ws.environment(), "IQ_RUNTIME_DIR": "/proc/nowhere"}
    env.pop("IQ_RESIDENT")
    for _ in range(2):
        done = subprocess.run([sys.executable, str(SCRIPT), "needle"], cwd=ws.root, env=env, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")

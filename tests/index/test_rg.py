"""Runs of ripgrep leave nothing behind, however they are used."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from iq.errors import IqError, ToolError
from iq.index.grep import Pattern, search
from iq.index.rg import Ripgrep, records
from iq.index.scope import matcher
from iq.index.walk import walk
from iq.types import Scope
from tests.conftest import CHECKOUT

linux = pytest.mark.skipif(sys.platform != "linux", reason="open files and children are read from /proc")


def children() -> str:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text()


@linux
@pytest.mark.parametrize("use", ["never read", "read in part", "read", "started twice"])
def test_no_child_and_no_handle_is_left(use: str, tmp_path: Path) -> None:
    for n in range(300):
        (tmp_path / f"{'long' * 50}{n}").write_text("x")
    before = len(os.listdir("/proc/self/fd")), children()
    run = Ripgrep(["--files", "--null", str(tmp_path)])
    run.start()
    if use == "started twice":
        run.start()
    if use == "read in part":
        iterator = iter(run)
        next(iterator)
        del iterator
    elif use == "read":
        assert len(list(records(run, b"\0"))) == 300 and run.code == 0
    del run
    gc.collect()
    assert (len(os.listdir("/proc/self/fd")), children()) == before


def stand_in(folder: Path, script: str) -> str:
    path = folder / "stand-in"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
@pytest.mark.parametrize("script", ["kill -9 $$", "exit 3", "exit 101", "echo 'rg: boom' >&2; exit 2", "echo boom >&2; exit 2", "exit 2"])
def test_a_run_that_did_not_come_to_its_end_is_no_answer(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "a.py").write_text("needle\n")
    monkeypatch.setattr("iq.index.rg._found", stand_in(tmp_path, script))
    with pytest.raises(IqError):
        search(str(tmp_path / "ws"), Pattern("needle"), matcher(Scope()), True, None)
    with pytest.raises(ToolError):
        walk(str(tmp_path / "ws"))


@pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="no such signal here")
def test_a_caller_that_ignores_the_ends_of_children_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("needle\n")
    code = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    words = [sys.executable, "-c", code, str(Path(CHECKOUT) / "scripts" / "iq"), "find", "needle", "--no-resident", "--root", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=CHECKOUT)
    assert (done.returncode, done.stderr) == (0, "") and "a.py" in done.stdout


@linux
def test_an_answer_that_cannot_be_written_is_an_error_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("needle\n")
    with open("/dev/full", "wb") as full:
        words = [sys.executable, str(Path(CHECKOUT) / "scripts" / "iq"), "find", "needle", "--no-resident", "--root", str(tmp_path)]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=CHECKOUT)
    assert done.returncode == 2 and done.stderr == "iq: the answer cannot be written: No space left on device\n"

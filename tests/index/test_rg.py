"""Runs of ripgrep leave nothing behind, however they are used."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest

from iq.index.rg import Ripgrep, records

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

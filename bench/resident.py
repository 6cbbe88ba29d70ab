"""What does the resident engine save? Whole commands with it, without it, ripgrep and a bare interpreter, in turns.

The runs take turns, so that a busy machine is as busy for all; the differences and ratios carry over, the times do not.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.speed import ENVIRONMENT, copy, side_by_side
from iq.host import client
from iq.index.rg import executable
from iq.index.store import Store
from iq.index.workspace import find

SCRIPT = Path(__file__).parents[1] / "scripts" / "iq"

QUESTION = "where are files opened for reading?"


def measure(tree: Path, pattern: str = "def get_[a-z]+") -> str:
    """A Markdown table of the figures."""
    with tempfile.TemporaryDirectory(prefix="iq-bench-") as place:
        root = copy(tree, place)
        (root / ".iq").mkdir()
        os.environ["IQ_RUNTIME_DIR"] = os.path.join(place, "run")
        os.mkdir(os.environ["IQ_RUNTIME_DIR"], 0o700)
        on = {name: value for name, value in ENVIRONMENT.items() if name != "IQ_RESIDENT"} | {"IQ_RUNTIME_DIR": os.environ["IQ_RUNTIME_DIR"]}

        def run(*words: str, env: dict[str, str] = on) -> Callable[[], object]:
            return lambda: subprocess.run([sys.executable, str(SCRIPT), *words], cwd=root, env=env, capture_output=True, check=False)

        run("index", "status")()
        begun = time.perf_counter()
        run("serve", "start")()
        while (state := client.control(str(root), "status")) is None:
            time.sleep(0.002)
        up = (time.perf_counter() - begun) * 1000
        try:
            run(QUESTION)()
            path = next(p for p in sorted(root.rglob("*.py"))).relative_to(root).as_posix()
            names = ("bare", "client", "rg", "find", "find in process", "prose", "prose in process")
            turns = side_by_side(
                lambda: subprocess.run([sys.executable, "-c", ""], env=on, capture_output=True, check=False),
                run("read", f"{path}:1"),
                lambda: subprocess.run([executable(), "--no-config", "-n", "--hidden", pattern, str(root)], capture_output=True, check=False),
                run("find", pattern),
                run("find", pattern, env=ENVIRONMENT),
                run(QUESTION),
                run(QUESTION, env=ENVIRONMENT),
            )
            said = dict(zip(names, turns, strict=True))
            state = client.control(str(root), "status") or {}
        finally:
            client.control(str(root), "stop")
        store, _ = Store.open(find(str(root), str(root)).database)
        chunks, files = store.count("chunks"), store.count("files")
        store.close()
    rows = [("tree", f"{files} files, {chunks} chunks"), ("`iq serve start` to an engine that answers", f"{up:.0f} ms")]
    rows += [(name, " · ".join(f"{value:.0f} ms" for value in values)) for name, values in said.items()]
    rows += [
        ("client over a bare interpreter", over(said["client"], said["bare"])),
        ("find over rg", over(said["find"], said["rg"])),
        ("find in process over rg", over(said["find in process"], said["rg"])),
        ("prose in process : resident", f"{said['prose in process'][0] / said['prose'][0]:.1f}"),
        ("memory of the engine", f"{int(json.dumps(state.get('memory', 0))) / 1e6:.0f} MB"),
        ("calls answered, looks at the tree", f"{state.get('answered')}, {state.get('looked')}"),
    ]
    head = ["| what | median of wall time · lowest · processor time of the command |", "|---|---:|"]
    return "\n".join([*head, *(f"| {name} | {value} |" for name, value in rows)]) + "\n"


def over(mine: tuple[float, float, float], its: tuple[float, float, float]) -> str:
    return " · ".join(f"{a - b:+.0f} ms" for a, b in zip(mine, its, strict=True))

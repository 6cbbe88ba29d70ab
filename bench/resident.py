"""What does the resident engine save? Whole commands with it, without it, ripgrep and a bare interpreter, in turns.

The runs take turns, so that a busy machine is as busy for all; the differences and ratios carry over, the times do not.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.speed import ENVIRONMENT, copy, side_by_side
from iq.host import client
from iq.host.place import meeting
from iq.host.start import CODE
from iq.index.rg import executable
from iq.index.store import Store
from iq.index.workspace import find

SCRIPT = Path(__file__).parents[1] / "scripts" / "iq"

QUESTION = "where are files opened for reading?"


# What is asked before memory is read: questions of several kinds, then the verbs that hold most.
QUESTIONS = (
    QUESTION, "how is a connection closed after a timeout?", "parse command line arguments", "retry failed requests with backoff",
    "what happens to cancelled tasks?", "list the members of an archive", "normalisation of identifiers", "where is the configuration read?",
)  # fmt: skip
HEAVY = (("refs", "open"), ("map",), ("impact", "open"), ("find", "self", "--count"))

STARTS = 7

# Times that the row of questions is asked.
ROUNDS = 5


def measure(tree: Path, own_index: bool = False, pattern: str = "def get_[a-z]+") -> str:
    """A Markdown table of the figures; with `own_index` over the index that the tree has, vectors and all."""
    with tempfile.TemporaryDirectory(prefix="iq-bench-") as place:
        root = copy(tree, place)
        (root / ".iq").mkdir()
        if own_index:
            shutil.copytree(tree / ".iq" / "local", root / ".iq" / "local")
        os.environ["IQ_RUNTIME_DIR"] = os.path.join(place, "run")
        os.mkdir(os.environ["IQ_RUNTIME_DIR"], 0o700)
        on = {name: value for name, value in ENVIRONMENT.items() if name != "IQ_RESIDENT"} | {"IQ_RUNTIME_DIR": os.environ["IQ_RUNTIME_DIR"]}

        def run(*words: str, env: dict[str, str] = on) -> Callable[[], object]:
            return lambda: subprocess.run([sys.executable, str(SCRIPT), *words], cwd=root, env=env, capture_output=True, check=False)

        def run_rg(*flags: str) -> Callable[[], object]:
            words = [executable(), "--no-config", "-n", "--hidden", *flags, pattern, str(root)]
            return lambda: subprocess.run(words, capture_output=True, check=False)

        run("index", "status")()
        # What was written a moment ago is not known to be binary before it has aged.
        time.sleep(5)
        run("index", "status")()
        def bare() -> None:
            subprocess.run([sys.executable, "-c", ""], env=on, capture_output=True, check=False)

        begins = [_start(str(root), on) for _ in range(STARTS)]
        # Apart, since an engine's watch makes each file that anybody opens dearer.
        alone = _turns({"bare": bare, "rg": run_rg(), "rg --smart-case": run_rg("--smart-case"), "find": run("find", pattern, env=ENVIRONMENT)})
        alone |= _turns({"prose": run(QUESTION, env=ENVIRONMENT)})
        _engine(str(root), on)
        try:
            run(QUESTION)()
            path = next(p for p in sorted(root.rglob("*.py"))).relative_to(root).as_posix()
            said = _turns({"bare": bare, "client": run("read", f"{path}:1"), "rg": run_rg(), "rg --smart-case": run_rg("--smart-case"),
                           "find": run("find", pattern), "prose": run(QUESTION)})  # fmt: skip
            row = [_timed(run(question)) for _ in range(ROUNDS) for question in QUESTIONS]
            asked = client.control(str(root), "status") or {}
            for words in HEAVY:
                run(*words)()
            state = client.control(str(root), "status") or {}
        finally:
            client.control(str(root), "stop")
        store, _ = Store.open(find(str(root), str(root)).database)
        chunks, files, vectors = store.count("chunks"), store.count("files"), store.count("embedded")
        store.close()
    rows = [("tree", f"{files} files, {chunks} chunks, {vectors} with a vector")]
    waits = ("`iq serve start` to an engine that answers", "its process to an engine that answers", "its process to the first ranked answer, command to exit")
    for at, name in enumerate(waits):
        times = [begin[at] for begin in begins]
        rows.append((name, f"{statistics.median(times):.0f} · {min(times):.0f} ms"))
    for where, times in (("no engine", alone), ("resident", said)):
        rows += [(f"{name}, {where}", " · ".join(f"{value:.0f} ms" for value in values)) for name, values in times.items()]
        rows += [(f"find over {name}, {where}", over(times["find"], times[name])) for name in ("rg", "rg --smart-case")]
    rows += [
        ("client over a bare interpreter", over(said["client"], said["bare"])),
        (f"{len(QUESTIONS)} questions one behind the other, each", f"{statistics.median(row):.0f} · {min(row):.0f} ms"),
        ("prose in process : resident", f"{alone['prose'][0] / said['prose'][0]:.1f}"),
        (f"memory of the engine after {ROUNDS * len(QUESTIONS)} questions", f"{_megabytes(asked)} MB"),
        (f"and after {', '.join(words[0] for words in HEAVY)}", f"{_megabytes(state)} MB"),
        ("calls answered, looks at the tree", f"{state.get('answered')}, {state.get('looked')}"),
    ]
    head = ["| what | median of wall time · lowest · processor time of the command |", "|---|---:|"]
    return "\n".join([*head, *(f"| {name} | {value} |" for name, value in rows)]) + "\n"


def _turns(runs: dict[str, Callable[[], object]]) -> dict[str, tuple[float, float, float]]:
    return dict(zip(runs, side_by_side(*runs.values()), strict=True))


def _timed(call: Callable[[], object]) -> float:
    """Its wall time in ms."""
    begun = time.perf_counter()
    call()
    return (time.perf_counter() - begun) * 1000


def _engine(root: str, env: dict[str, str]) -> float:
    """Starts an engine that stays; ms from the start of its process until it answers."""
    begun = time.perf_counter()
    subprocess.Popen([sys.executable, "-c", CODE, root], cwd="/", env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while client.control(root, "status") is None:
        time.sleep(0.001)
    return (time.perf_counter() - begun) * 1000


def _start(root: str, env: dict[str, str]) -> tuple[float, float, float]:
    """ms until an engine answers, from the command that starts it and from the start of its process, and until its first ranked answer. It is stopped again."""

    def stop() -> None:
        client.control(root, "stop")
        while client.control(root, "status") is not None:
            time.sleep(0.01)
        time.sleep(0.2)
        Path(meeting(root) + ".spawn").unlink(missing_ok=True)

    begun = time.perf_counter()
    child = subprocess.Popen([sys.executable, str(SCRIPT), "serve", "start"], cwd=root, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while client.control(root, "status") is None:
        time.sleep(0.001)
    command = (time.perf_counter() - begun) * 1000
    child.wait()
    stop()
    begun = time.perf_counter()
    process = _engine(root, env)
    subprocess.run([sys.executable, str(SCRIPT), QUESTION], cwd=root, env=env, capture_output=True, check=False)
    ranked = (time.perf_counter() - begun) * 1000
    stop()
    return command, process, ranked


def _megabytes(state: dict[str, object]) -> str:
    return f"{int(json.dumps(state.get('memory', 0))) / 1e6:.0f}"


def over(mine: tuple[float, float, float], its: tuple[float, float, float]) -> str:
    return " · ".join(f"{a - b:+.0f} ms" for a, b in zip(mine, its, strict=True))

"""How fast is the engine on one tree: building the index, an answer after an edit, and `iq find` against ripgrep itself?

Times are of whole commands, so that start-up counts. What matters are the ratios and differences within one run; absolute
times are those of the machine.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from iq.index.rg import executable
from iq.index.store import Store
from iq.index.workspace import find

REPEATS = 15

# The compiled modules of this checkout are kept, as an installed package has them.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "PYTHONPATH": str(Path(__file__).parents[1]), "IQ_RESIDENT": "off",
}  # fmt: skip


def copy(tree: Path, place: str) -> Path:
    """A copy of a tree without links, caches and indexes, so that a run never touches the original."""
    target = Path(place) / "tree"
    shutil.copytree(tree, target, ignore=shutil.ignore_patterns(".iq", ".git", "__pycache__", "*.pyc", "site-packages"), symlinks=True)
    return target


def iq(root: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, "-c", "import sys; from iq.cli import main; sys.exit(main())", *words, "--root", str(root)],
                          capture_output=True, text=True, check=False, env=ENVIRONMENT)  # fmt: skip
    if done.returncode == 2:
        raise RuntimeError(done.stderr)
    return done.stdout


def median(run: Callable[[], object]) -> float:
    """Median of REPEATS runs, in ms, after one that warms the caches."""
    run()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def side_by_side(*runs: Callable[[], object]) -> list[tuple[float, float, float]]:
    """(median of wall time, lowest wall time, median of processor time) of each, in ms; the runs take turns, so that a busy machine is as busy for all."""
    times: list[list[tuple[float, float]]] = [[] for _ in runs]
    for turn in range(2 * REPEATS + 1):
        for at, run in enumerate(runs):
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            run()
            wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            if turn:  # the first warms the caches
                times[at].append((wall * 1000, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000))
    return [(statistics.median(w for w, _ in rows), min(w for w, _ in rows), statistics.median(c for _, c in rows)) for rows in times]


def measure(tree: Path, pattern: str = "def get_[a-z]+") -> str:
    """A Markdown table of the figures."""
    with tempfile.TemporaryDirectory() as place:
        root = copy(tree, place)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        iq(root, "index", "status")
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        store, _ = Store.open(find(str(root), str(root)).database)
        size = next(int(row[0]) for row in store.db.execute("SELECT sum(size) FROM files WHERE skipped = ''")) / 1e6
        files, chunks = store.count("files"), store.count("chunks")
        edited = next(row for row in sorted(root.rglob("*.py")))
        store.close()

        def after_edit() -> None:
            with open(edited, "a", encoding="utf-8") as file:
                file.write(f"\n# edited {time.perf_counter_ns()}\n")
            iq(root, "where are files opened for reading?")

        def ripgrep() -> None:
            subprocess.run([executable(), "--no-config", "-n", "--hidden", pattern, str(root)], capture_output=True, check=False)

        edit = median(after_edit)
        alone, ours = side_by_side(ripgrep, lambda: iq(root, "find", pattern))
    cores = os.cpu_count() or 1
    rows = [
        ("text indexed", f"{size:.1f} MB in {files} files, {chunks} chunks"),
        ("index from nothing", f"{wall:.1f} s on {cores} cores"),
        ("text a second and core, by wall time", f"{size / wall / cores:.2f} MB/s"),
        ("text a second of processor time", f"{size / spent:.2f} MB/s"),
        ("question after one edit, command to exit", f"{edit:.0f} ms"),
        ("`rg` alone: median, lowest, processor time", " · ".join(f"{value:.0f} ms" for value in alone)),
        ("`iq find`, command to exit", " · ".join(f"{value:.0f} ms" for value in ours)),
        ("`iq find` over `rg`", " · ".join(f"+{mine - its:.0f} ms" for mine, its in zip(ours, alone, strict=True))),
    ]
    return "\n".join(["| what | measured |", "|---|---:|", *(f"| {name} | {value} |" for name, value in rows)]) + "\n"

"""How does the time of a question grow with the workspace? One engine in process, its index warm, over trees of more and more chunks.

The trees are real code, all corpora of the semble set and then all again under another folder until there are enough chunks, so
that words are as common as they are; the questions are those of that set. What counts is the growth from row to row in one run.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from bench.corpora import place, recorded
from bench.datasets import load
from bench.engine import Engine, Kit

# Chunks of the trees that are measured, about.
SIZES = (10_000, 30_000, 100_000)

# Questions asked of each tree, every third of the semble set.
QUESTIONS = 80

SKIPPED = shutil.ignore_patterns(".iq", ".git", "__pycache__", "node_modules")


def measure(cache: Path, kit: Kit, spec: str, sizes: Sequence[int] = SIZES, say: Callable[[str], None] = lambda line: None) -> str:
    """A Markdown table. Raises LookupError where no corpus is in the cache."""
    cases = load(("semble",))
    trees = {place(cache, case.corpus) for case in cases if recorded(cache, case.corpus) is not None}
    roots = sorted(trees, key=lambda root: (sum(1 for _ in root.rglob("*")), root))  # small ones first, so that small sizes can be met
    if not roots:
        raise LookupError("no corpus is in the cache: iq-bench corpora --set semble")
    questions = [case.query for case in cases[:: max(1, len(cases) // QUESTIONS)]]
    rows = ["| chunks | files | p50 ms | p95 ms | p50 ms per 10k chunks |", "|---:|---:|---:|---:|---:|"]
    with tempfile.TemporaryDirectory() as scratch:
        tree, have = Path(scratch) / "tree", 0
        more = ((copy, root) for copy in count() for root in roots)
        for size in sizes:
            while have < size:
                copy, root = next(more)
                shutil.copytree(root, tree / f"{copy:03}" / root.parent.name, ignore=SKIPPED)
                engine = kit.open(tree)
                engine.level()
                have = chunks(engine)
            times = asked(engine, questions, kit.parse(spec))
            half, most = median(times), quantiles(times, n=20)[-1]
            rows.append(f"| {have} | {files(engine)} | {half:.0f} | {most:.0f} | {half / have * 10_000:.1f} |")
            say(rows[-1])
    return "\n".join(rows) + "\n"


def asked(engine: Engine, questions: Sequence[str], features: frozenset[str]) -> list[float]:
    """Milliseconds of each question, after one that warms the caches."""
    engine.rank(questions[0], features=features)
    times = []
    for question in questions:
        start = perf_counter()
        engine.rank(question, features=features)
        times.append((perf_counter() - start) * 1000)
    return times


def chunks(engine: Engine) -> int:
    return counted(engine, "chunks")


def files(engine: Engine) -> int:
    return counted(engine, "files")


def counted(engine: Engine, table: str) -> int:
    store, _ = engine.session.level()  # type: ignore[attr-defined]
    return int(store.count(table))

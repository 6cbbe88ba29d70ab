"""What a run leaves behind: per-query scores of each configuration, with all that is needed to run it again."""

from __future__ import annotations

import gzip
import json
import platform
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.stats import SEED


@dataclass(frozen=True, slots=True)
class Row:
    """One case under one configuration. `ms` is the wall time of the question alone, its index open and warm."""

    id: str
    set: str
    repo: str
    category: str
    scores: Mapping[str, float]
    ms: float


@dataclass(frozen=True, slots=True)
class Run:
    """One configuration. `skipped` is the reason why it was not run at all."""

    config: str
    features: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Indexed:
    """One corpus. `seconds` is the time to bring its index level; only a `fresh` one was built from nothing."""

    tree: str
    root: str
    source: str
    exact: bool
    seconds: float
    fresh: bool


@dataclass(frozen=True, slots=True)
class Results:
    """`missing` names corpora that were not in the cache, with what that left out."""

    command: str
    commit: str
    models: Mapping[str, str]
    tokenizer: str
    runs: tuple[Run, ...]
    corpora: tuple[Indexed, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    seed: int = SEED
    python: str = platform.python_version()
    machine: str = f"{platform.system()} {platform.machine()}"


def commit_here(folder: Path) -> str:
    """The checkout's commit, with `+changes` where files differ from it; `unknown` outside a checkout."""

    def git(*words: str) -> str:
        return subprocess.run(("git", *words), cwd=folder, capture_output=True, text=True, check=True).stdout.strip()

    try:
        return git("rev-parse", "--short=12", "HEAD") + ("+changes" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def save(results: Results, path: Path) -> None:
    """Keys in a fixed order and one row a line, so that two runs can be read side by side; compressed where the name ends in .gz."""
    head = asdict(results)
    runs = head.pop("runs")
    lines = [json.dumps(head, sort_keys=True, ensure_ascii=False)[:-1] + ', "runs": [']
    for at, run in enumerate(runs):
        rows = run.pop("rows")
        body = ",\n".join(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in rows)
        lines.append(json.dumps(run, sort_keys=True, ensure_ascii=False)[:-1] + ', "rows": [\n' + body + "\n]}" + ("," if at < len(runs) - 1 else ""))
    path.parent.mkdir(parents=True, exist_ok=True)
    data = ("\n".join(lines) + "\n]}\n").encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def read(path: Path) -> Results:
    data = path.read_bytes()
    head = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    runs = tuple(
        Run(config=run["config"], features=tuple(run["features"]), rows=tuple(Row(**row) for row in run["rows"]), skipped=run["skipped"])
        for run in head.pop("runs")
    )
    corpora = tuple(Indexed(**row) for row in head.pop("corpora"))
    return Results(runs=runs, corpora=corpora, **head)


def values(rows: Iterable[Row], metric: str) -> list[float]:
    """The scores of the rows that have the metric, in their order."""
    return [row.scores[metric] for row in rows if metric in row.scores]


def mean(rows: Iterable[Row], metric: str) -> float | None:
    found = values(rows, metric)
    return sum(found) / len(found) if found else None

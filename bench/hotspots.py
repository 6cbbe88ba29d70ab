"""Do last year's hotspots say where next year's bugs are fixed, better than churn or complexity alone?

A case is one repository at the end of one year. Files are those of code at that commit (class `src`, with a branch in them). Each
gets three predictions: commits of the year before (churn), branches at that commit (complexity), and their product (hotspots).
The truth is in how many bug-fix commits of the year after a file stands, followed through renames; a bug fix is a commit whose
subject says so. The figure is Spearman's rank correlation over the files; the paired tests are over cases.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.results import Row, Run
from bench.stats import bootstrap, compare
from bench.tables import table
from iq.index.churn import BULK, churn
from iq.index.classes import classify
from iq.index.commits import Touch, touches
from iq.index.complexity import measure
from iq.index.languages import detect
from iq.index.session import Session
from iq.index.store import Store
from iq.index.text import decode, lines
from iq.index.trees import parse
from iq.index.workspace import Workspace

if TYPE_CHECKING:
    import pygit2

REPOS = (
    "pallets/click", "pallets/flask", "honojs/hono", "gin-gonic/gin", "spf13/cobra", "tokio-rs/axum", "redis/redis", "google/gson", "psf/requests",
    "pytest-dev/pytest", "libuv/libuv", "expressjs/express", "square/okhttp", "sinatra/sinatra", "composer/composer", "sveltejs/svelte",
)  # fmt: skip

YEAR = 365 * 86_400

# Ends of years looked at, back from a year before the last commit.
YEARS = 6

# A case with fewer files or fewer files with a fix says little: one file more or less would turn its ranks around.
MIN_FILES = 10
MIN_FIXED = 5

# Subjects of commits that mend something; not "fix typo", which mends words.
FIX = re.compile(r"\b(fix(es|ed|ing)?|bug(s|fix(es)?)?|crash(es|ed)?|regression|leak(s|ed)?|race|panic(s)?|segfault|incorrect(ly)?|broken)\b", re.IGNORECASE)
NO_FIX = re.compile(r"\b(typo(s)?|spelling|docs?|documentation|changelog|lint(er|ing)?|ci|readme|format(ting)?|test(s)?)\b", re.IGNORECASE)

# Files that a person would look at first.
TOP = 10

PREDICTORS: Mapping[str, Callable[[int, int], float]] = {
    "hotspots": lambda commits, branches: commits * branches,
    "churn": lambda commits, branches: commits,
    "complexity": lambda commits, branches: branches,
}


@dataclass(frozen=True, slots=True)
class Case:
    """One repository at one moment: (commits before, branches then, fixes after) of each file."""

    repo: str
    day: str
    files: Mapping[str, tuple[int, int, int]]


def ranks(values: Sequence[float]) -> np.ndarray:
    """Ranks from 1, ties sharing their mean rank."""
    sample = np.asarray(values, dtype=np.float64)
    order = np.argsort(sample, kind="stable")
    found = np.empty(len(sample))
    found[order] = np.arange(1, len(sample) + 1)
    _, inverse, counts = np.unique(sample, return_inverse=True, return_counts=True)
    return (np.bincount(inverse, weights=found) / counts)[inverse]


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    """Pearson's correlation of the ranks (Spearman 1904); 0 where one side does not vary."""
    a, b = ranks(left), ranks(right)
    spread = float(a.std() * b.std())
    return float(((a - a.mean()) * (b - b.mean())).mean() / spread) if spread > 0 else 0.0


def is_fix(subject: str) -> bool:
    return FIX.search(subject) is not None and NO_FIX.search(subject) is None


def fixes(rows: Sequence[Touch]) -> dict[str, int]:
    """Bug-fix commits by the path a file had before them; `rows` are newest first."""
    before: dict[str, str] = {}
    found: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row.commit.sha] = sizes.get(row.commit.sha, 0) + 1
    for row in reversed(rows):
        path = before.pop(row.old, row.old) if row.old else before.get(row.path, row.path)
        if row.old:
            before[row.path] = path
        if sizes[row.commit.sha] <= BULK and is_fix(row.commit.subject):
            found[path] = found.get(path, 0) + 1
    return found


class _Branches:
    """Branches of blobs, each parsed once: most files are the same from year to year."""

    def __init__(self, git: pygit2.Repository) -> None:
        self.git = git
        self.known: dict[tuple[str, str], int] = {}

    def of(self, tree: pygit2.Tree, prefix: str = "") -> dict[str, int]:
        """path -> branches of the code files in a tree that have any."""
        import pygit2

        found: dict[str, int] = {}
        for entry in tree:
            path = f"{prefix}{entry.name}"
            if isinstance(entry, pygit2.Tree):
                found |= self.of(entry, path + "/")
            elif isinstance(entry, pygit2.Blob) and detect(path) and classify(path) == "src":
                key = (str(entry.id), detect(path))
                if key not in self.known:
                    self.known[key] = self._count(path, entry.data)
                if self.known[key]:
                    found[path] = self.known[key]
        return found

    def _count(self, path: str, data: bytes) -> int:
        text = decode(data) if len(data) <= 2 << 20 else None
        if text is None or classify(path, text.source[:1024]) != "src":
            return 0
        language = detect(path, text.source[:4096])
        rows = measure(language, text.source, parse(language, text.source), lines(text.content), ())
        return rows[0][2] if rows else 0


def cases(repo: str, root: Path, place: Path) -> list[Case]:
    """The cases of one repository that have enough files and fixes, oldest first."""
    session = Session(Workspace(str(root), str(place)), str(root))
    repository, store, _ = session.history()
    branches = _Branches(repository.git)
    end = _newest(store)
    found = []
    for back in range(YEARS, 0, -1):
        cut = end - back * YEAR
        tree = _tree(repository.git, repository.head, cut)
        if tree is None:
            continue
        there = branches.of(tree)
        before, _ = churn(touches(store, cut - YEAR, until=cut), cut - YEAR, cut)
        after = fixes(list(touches(store, cut, until=cut + YEAR)))
        files = {path: (before[path].commits if path in before else 0, count, after.get(path, 0)) for path, count in sorted(there.items())}
        if len(files) >= MIN_FILES and sum(fixed > 0 for _, _, fixed in files.values()) >= MIN_FIXED:
            found.append(Case(repo, datetime.fromtimestamp(cut, timezone.utc).strftime("%Y-%m-%d"), files))
    return found


def _newest(store: Store) -> int:
    return next(int(row[0] or 0) for row in store.db.execute("SELECT max(time) FROM commits"))


def _tree(git: pygit2.Repository, head: str, cut: int) -> pygit2.Tree | None:
    """The tree of the main line at a moment: the first commit not after it along first parents."""
    import pygit2

    commit = git[head].peel(pygit2.Commit)
    while commit.commit_time > cut:
        if not commit.parent_ids:
            return None
        commit = git[commit.parent_ids[0]].peel(pygit2.Commit)
    return commit.tree


def scores(case: Case, predict: Callable[[int, int], float]) -> dict[str, float]:
    """`spearman`, and the share of all fixed files' fixes that the TOP files of the prediction hold."""
    names = sorted(case.files)
    truth = [case.files[name][2] for name in names]
    guess = [predict(*case.files[name][:2]) for name in names]
    best = sorted(range(len(names)), key=lambda at: (-guess[at], names[at]))[:TOP]
    return {"spearman": spearman(guess, truth), f"fixes@{TOP}": sum(truth[at] for at in best) / max(1, sum(truth))}


def run(mirror: Path, repos: Sequence[str], say: Callable[[str], None]) -> tuple[tuple[Run, ...], dict[str, str]]:
    """One run a predictor, over the same cases; and the repositories that gave none, with the reason."""
    found: list[Case] = []
    missing: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as place:
        for repo in repos:
            name = repo.replace("/", "+")
            root = mirror / name / "repo"
            if not root.is_dir():
                missing[repo] = f"no {name}/repo in the mirror"
                continue
            mine = cases(repo, root, Path(place) / name)
            say(f"{repo}: {len(mine)} years")
            if not mine:
                missing[repo] = f"no year with {MIN_FILES} files and {MIN_FIXED} fixed ones"
            found += mine
    runs = tuple(
        Run(name, (), tuple(Row(f"{case.repo}@{case.day}", "hotspots", case.repo, case.day, scores(case, predict), 0.0) for case in found))
        for name, predict in PREDICTORS.items()
    )
    return runs, missing


def report(runs: Sequence[Run]) -> str:
    """Markdown: means with intervals, the paired tests against hotspots, and each repository."""
    metrics = ("spearman", f"fixes@{TOP}")
    columns = {run.config: {metric: [row.scores[metric] for row in run.rows] for metric in metrics} for run in runs}
    rows = []
    for run_ in runs:
        cells = [run_.config]
        for metric in metrics:
            spread = bootstrap(columns[run_.config][metric])
            cells.append(f"{spread.mean:.3f} [{spread.low:.3f}, {spread.high:.3f}]")
        rows.append(cells)
    parts = [f"{len(runs[0].rows)} cases (a repository at the end of a year)", table(["prediction", *metrics], rows)]
    rows = []
    for run_ in runs[1:]:
        for metric in metrics:
            paired = compare(columns[run_.config][metric], columns[runs[0].config][metric])
            delta = f"{paired.delta.mean:+.3f} [{paired.delta.low:+.3f}, {paired.delta.high:+.3f}]"
            rows.append([f"{runs[0].config} over {run_.config}", metric, delta, f"{paired.wins}/{paired.losses}/{paired.ties}", f"{paired.p:.3g}"])
    parts.append(table(["paired", "metric", "difference", "wins/losses/ties", "sign test p"], rows))
    rows = []
    for repo in sorted({row.repo for row in runs[0].rows}):
        mine = [at for at, row in enumerate(runs[0].rows) if row.repo == repo]
        rows.append([repo, str(len(mine)), *(f"{np.mean([columns[run_.config]['spearman'][at] for at in mine]):.3f}" for run_ in runs)])
    parts.append(table(["repository", "years", *(run_.config for run_ in runs)], rows))
    return "\n\n".join(parts)

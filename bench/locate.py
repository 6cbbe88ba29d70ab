"""What does finding a place cost a reader in tokens, with iq and with grep and whole files?

Both readers are simulated and open what they are shown, in order, until they have seen a line that answers (or, where a case names
only a file, that file). The one asks iq, reads the capsule, opens the places it points at, then the next page. The other greps for the words of
the question, reads the list of files with their counts, and opens them, those with most of the words first, then with most lines.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import corpora, tokens
from bench.datasets import Case, Corpus, load
from bench.metrics import Place, meets
from bench.printed import read, under
from iq.cli import run
from iq.engine import Engine
from iq.index.rg import executable
from iq.index.tokens import STOP, words
from iq.types import Call

# Cases: all of iq-bench's in words, and as many of semble's, evenly spaced by id, as make this number.
CASES = 60

# A reader gives up after this many: pages of iq, places opened of a page; rows of grep's list, files opened, lines read of each.
PAGES, OPENED = 3, 8
LISTED, FILES, LINES = 100, 15, 2000

# Shares of the cases found at which both are compared.
LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9)

Step = tuple[int, list[Place]]


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens until each reader had seen an answer; None where it gave up."""

    case: str
    iq: int | None
    grep: int | None


def chosen(cache: Path) -> list[Case]:
    """The cases whose corpus is in the cache; the same ones for the same cache."""
    here = [case for case in load(("iq-bench", "semble")) if case.targets and corpora.place(cache, case.corpus).is_dir()]
    first = [case for case in here if case.set == "iq-bench"]
    rest = sorted((case for case in here if case.set == "semble"), key=lambda case: case.id)
    wanted = min(len(rest), max(0, CASES - len(first)))
    return first + [rest[at * len(rest) // wanted] for at in range(wanted)]


def spent(steps: Iterator[Step], case: Case) -> int | None:
    """Tokens of the steps up to the first that shows an answer."""
    total = 0
    for cost, places in steps:
        total += cost
        if any(meets(place, target) for place in places for target in case.targets):
            return total
    return None


def with_iq(engine: Engine, case: Case, count: Callable[[str], int]) -> Iterator[Step]:
    """What a reader of iq sees, step by step."""
    root, seen, after = engine.session.root, set(), []  # type: ignore[var-annotated]
    for _ in range(PAGES):
        text = run(Call(("search", "--no-log", *after, "--", case.query), root), engine).out.decode()
        shown = read(text, case.corpus.root)
        yield count(text), list(shown.code)
        for place in shown.anchors[:OPENED]:
            if place in seen or any(code.path == place.path and code.start <= place.start and place.end <= code.end for code in shown.code):
                continue
            seen.add(place)
            path = place.path.removeprefix(case.corpus.root + "/") if case.corpus.root else place.path
            body = run(Call(("read", "--", f"{path}:{place.start}-{place.end}"), root), engine).out.decode()
            yield count(body), list(read(body, case.corpus.root).code)
        more = next((row for row in text.splitlines() if row.startswith("more:") and "--after " in row), "")
        if not more:
            return
        after = ["--after", more.rpartition("--after ")[2].strip("'")]


def with_grep(root: Path, case: Case, count: Callable[[str], int]) -> Iterator[Step]:
    """What a reader with grep sees, step by step."""
    asked = sorted({word.lower() for word in words(case.query) if word.lower() not in STOP and len(word) > 2})
    found: dict[str, list[int]] = {}
    for word in asked:
        listing = subprocess.run([executable(), "--no-config", "-i", "-c", "-F", "--null", "-e", word, "."], cwd=root, capture_output=True, check=False).stdout
        for row in listing.decode("utf-8", "replace").splitlines():
            path, _, lines = row.partition("\0")
            found.setdefault(path.removeprefix("./"), []).append(int(lines))
    order = sorted(found, key=lambda path: (-len(found[path]), -sum(found[path]), path))
    yield count("".join(f"{path}:{sum(found[path])}\n" for path in order[:LISTED])), []
    for path in order[:FILES]:
        rows = (root / path).read_bytes().decode("utf-8", "replace").split("\n")[:LINES]
        yield count("\n".join(f"{at:>6}\t{row}" for at, row in enumerate(rows, 1))), [Place(under(case.corpus.root, path), 1, len(rows))]


def measure(cache: Path, say: Callable[[str], None]) -> tuple[str, list[Cost]]:
    """(name of the counter, a cost a case); trees are copied, so that no index lands in the cache."""
    name, count = tokens.counter(cache)
    costs = []
    groups: dict[Corpus, list[Case]] = {}
    for case in chosen(cache):
        groups.setdefault(case.corpus, []).append(case)
    for corpus, cases in sorted(groups.items()):
        with tempfile.TemporaryDirectory() as scratch:
            tree = Path(scratch) / "tree"
            shutil.copytree(corpora.place(cache, corpus), tree, ignore=shutil.ignore_patterns(".iq"), symlinks=True)
            root = tree / corpus.root
            (root / ".iq").mkdir(exist_ok=True)
            engine = Engine.open(root, cwd=str(root))
            for case in cases:
                costs.append(Cost(case.id, spent(with_iq(engine, case, count), case), spent(with_grep(root, case, count), case)))
        say(f"{corpus.tree}: {len(cases)} questions")
    return name, costs


def at_level(costs: Sequence[int | None], level: float) -> int | None:
    """The tokens a question that a reader must be willing to spend to find this share of the answers; None where it never does."""
    found = sorted(cost for cost in costs if cost is not None)
    need = -(-int(level * 1000) * len(costs) // 1000)
    return found[need - 1] if 0 < need <= len(found) else None


def report(name: str, costs: Sequence[Cost]) -> str:
    """A Markdown table, and the means where both found."""
    mine, theirs = [cost.iq for cost in costs], [cost.grep for cost in costs]
    rows = [f"{len(costs)} questions, tokens by {name}", "", "| answers found | with iq | with grep and files | ratio |", "|---:|---:|---:|---:|"]
    for level in LEVELS:
        a, b = at_level(mine, level), at_level(theirs, level)
        ratio = f"{b / a:.1f}" if a and b else ""
        rows.append(f"{level:.0%} | {a or 'not reached'} | {b or 'not reached'} | {ratio}".join(("| ", " |")))
    both = [(cost.iq, cost.grep) for cost in costs if cost.iq and cost.grep]
    total = sum(a for a, _ in both), sum(b for _, b in both)
    found = f"found at all: {sum(c is not None for c in mine)} with iq, {sum(c is not None for c in theirs)} with grep"
    means = f"mean {total[0] / max(1, len(both)):.0f} against {total[1] / max(1, len(both)):.0f}, ratio {total[1] / max(1, total[0]):.1f}"
    rows += ["", f"{found}; where both found ({len(both)}): {means}"]
    return "\n".join(rows)

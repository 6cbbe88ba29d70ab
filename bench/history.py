"""iq-bench history: what will change together, and which tests will notice, predicted for commits of the past.

Partners: one file of a commit is shown, the others of its files are to be named, from the history and the import graph as
of its parent. Tests: the source files of a commit that also changed tests are shown with their changed lines; is a changed
test among the first five that are named? Nothing after the parent is read. Constants were set on `TUNED`; the figures that
count are those of `HELD_OUT`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bench.pasts import Past, Repository, changed_lines
from bench.stats import Paired, compare
from iq.floor.paths import floored
from iq.index.classes import classify
from iq.index.cochange import MAX_COMMITS, Change, History, of
from iq.index.languages import detect
from iq.plan import reach
from iq.plan.terms import changed_terms

TUNED = ("pallets/click", "pallets/flask", "honojs/hono")
HELD_OUT = ("gin-gonic/gin", "spf13/cobra", "tokio-rs/axum")

# A case is a commit that touches this many files that were there before it; larger ones are releases and moves.
FEWEST, MOST = 2, 10

# Cases a repository and kind; commits from the newest on, of which every n-th is taken.
CASES = 220
SEED = 7

# A commit needs this many before it, or there is no history to learn from.
EARLIER = 100

FIRST = 5

_T = TypeVar("_T")

# Baselines answer with at most this many files: the number that was best for each on the tuned half, of 1..10.
CUTS: Mapping[str, int] = {"same directory": 5, "importers": 3, "co-change frequency": 2}


@dataclass(frozen=True, slots=True)
class Case:
    """A commit, one of its files, and the others that were there before it."""

    repo: str
    at: int
    shown: str
    truth: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Mean precision, recall and F1 over cases, and the share of cases with no answer at all."""

    precision: float
    recall: float
    f1: float
    empty: float
    cases: int


class Subject:
    """A repository with its commits (newest first) and what each touched."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.repo = Repository(path)
        self.commits = self.repo.commits()
        plain = [commit for commit in self.commits if len(commit.parent_ids) == 1]
        found = [(commit, of(self.repo.git, commit)) for commit in plain]
        self.changes: list[Change] = [change for _, change in found if change is not None]
        self.plain = [commit for commit, change in found if change is not None]
        self._pasts: dict[int, Past] = {}
        self._histories: dict[int, History] = {}

    def past(self, at: int) -> Past:
        """The tree of the parent of the commit at a position."""
        if at not in self._pasts:
            self._pasts[at] = Past(self.repo, self.plain[at].parents[0])
        return self._pasts[at]

    def history(self, at: int) -> History:
        """What was known of commits before the one at a position."""
        if at not in self._histories:
            # Commits that the order puts behind this one; on a branch some of them may not be its ancestors, which no one can see in them.
            self._histories[at] = History(self.changes[at + 1 : at + 1 + MAX_COMMITS])
        return self._histories[at]

    def forget(self) -> None:
        self._pasts.clear()
        self._histories.clear()

    def partner_cases(self, count: int = CASES) -> list[Case]:
        rng = random.Random(f"{SEED} {self.name}")
        eligible = []
        for at, change in enumerate(self.changes[: max(0, len(self.changes) - EARLIER)]):
            before = self._before(at, change)
            if FEWEST <= len(before) <= MOST:
                eligible.append((at, before))
        cases = []
        for at, before in _spread(eligible, count):
            shown = rng.choice(sorted(before))
            cases.append(Case(self.name, at, shown, frozenset(before) - {shown}))
        return cases

    def test_cases(self, count: int = CASES) -> list[Case]:
        """Cases whose `truth` are changed tests; `shown` is the first changed source file, the others are looked up."""
        eligible = []
        for at, change in enumerate(self.changes[: max(0, len(self.changes) - EARLIER)]):
            before = self._before(at, change)
            source = [path for path in before if is_source(path)]
            covered = frozenset(path for path in before if is_test(path))
            if source and covered and len(before) <= MOST:
                eligible.append((at, source, covered))
        return [Case(self.name, at, source[0], covered) for at, source, covered in _spread(eligible, count)]

    def _before(self, at: int, change: Change) -> list[str]:
        """Touched files that the parent has under the same name; nothing that never surfaces."""
        if not change.files or len(change.files) > MOST * 2:
            return []
        tree = self.plain[at].parents[0].tree
        return [path for path in change.files if not floored(path) and _has(tree, path)]


def _has(tree: object, path: str) -> bool:
    try:
        tree[path]  # type: ignore[index]
    except (KeyError, UnicodeEncodeError):
        return False
    return True


def _spread(rows: Sequence[_T], count: int) -> list[_T]:
    """At most `count` rows at even distances, the newest first."""
    if len(rows) <= count:
        return list(rows)
    return [rows[at * len(rows) // count] for at in range(count)]


def is_test(path: str) -> bool:
    """A file with test code: of that class, in a programming language."""
    return classify(path) == "tests" and detect(path) in reach.TESTABLE


def is_source(path: str) -> bool:
    return classify(path) == "src" and detect(path) in reach.TESTABLE


Predict = Callable[[Subject, Case], list[str]]


def ours(subject: Subject, case: Case) -> list[str]:
    past = subject.past(case.at)
    return [row.path for row in reach.likely(reach.partners(case.shown, past.blobs, subject.history(case.at)))]


def same_directory(subject: Subject, case: Case) -> list[str]:
    """Files beside it, those that change most often first."""
    often = subject.history(case.at).touching
    folder = reach.folder_of(case.shown)
    rows = [path for path in subject.past(case.at).blobs if reach.folder_of(path) == folder and path != case.shown]
    return sorted(rows, key=lambda path: (-len(often.get(path, ())), path))


def importers(subject: Subject, case: Case) -> list[str]:
    """Files that import it, those that change most often first."""
    often = subject.history(case.at).touching
    rows = [edge.source for edge in subject.past(case.at).graph.importers(case.shown)]
    return sorted(rows, key=lambda path: (-len(often.get(path, ())), path))


def frequency(subject: Subject, case: Case) -> list[str]:
    """Files by how many commits they share with it."""
    present = subject.past(case.at).blobs
    rows = subject.history(case.at).together(case.shown)
    return [row.path for row in sorted(rows, key=lambda row: (-row.count, row.path)) if row.path in present]


PREDICTORS: Mapping[str, Predict] = {"same directory": same_directory, "importers": importers, "co-change frequency": frequency}


def score(named: Sequence[str], truth: frozenset[str]) -> tuple[float, float, float]:
    """Precision, recall and their harmonic mean of one answer; an empty answer scores 0 in all."""
    hits = len(truth.intersection(named))
    if not hits:
        return 0.0, 0.0, 0.0
    precision, recall = hits / len(named), hits / len(truth)
    return precision, recall, 2 * precision * recall / (precision + recall)


def outcome(rows: Sequence[tuple[Sequence[str], frozenset[str]]]) -> tuple[Outcome, list[float]]:
    """The means, and F1 case by case."""
    scores = [score(named, truth) for named, truth in rows]
    n = max(1, len(rows))
    means = [sum(column) / n for column in zip(*scores, strict=True)] if scores else [0.0, 0.0, 0.0]
    return Outcome(means[0], means[1], means[2], sum(1 for named, _ in rows if not named) / n, len(rows)), [row[2] for row in scores]


def tests_named(subject: Subject, case: Case) -> list[str]:
    """Tests in the order `iq impact` names them for the source half of a commit."""
    past, at = subject.past(case.at), case.at
    commit = subject.plain[at]
    changed = [path for path in subject.changes[at].files if is_source(path) and path in past.blobs]
    hunks = changed_lines(subject.repo, commit.parents[0], commit, changed)
    terms = changed_terms({path: (past.piece(path).symbols, *hunks.get(path, ((), ()))) for path in changed})
    candidates = [path for path in past.blobs if is_test(path)]
    rows = reach.tests(changed, terms, candidates, past.graph, subject.history(at), lambda path, term: past.piece(path).words.get(term, 0))
    return [row.path for row in rows]


def tests_often(subject: Subject, case: Case) -> list[str]:
    """Tests that change most often: what a person runs who knows only the history."""
    often = subject.history(case.at).touching
    return sorted((path for path in subject.past(case.at).blobs if is_test(path)), key=lambda path: (-len(often.get(path, ())), path))


def tests_alike(subject: Subject, case: Case) -> list[str]:
    """Tests named after a changed source file, then those that change most often."""
    abouts = {reach.subject(path) for path in subject.changes[case.at].files if is_source(path)}
    return sorted(tests_often(subject, case), key=lambda path: reach.subject(path) not in abouts)


TEST_PREDICTORS: Mapping[str, Predict] = {"iq": tests_named, "named after it, then most often changed": tests_alike, "most often changed": tests_often}


@dataclass(frozen=True, slots=True)
class Report:
    """Outcomes by predictor, paired comparisons of ours with each, and test cases won by each of how many, all over one group."""

    outcomes: Mapping[str, Outcome]
    pairs: Mapping[str, Paired]
    tests: Mapping[str, int]
    asked: int
    by_repo: Mapping[str, tuple[int, float, int, int]]


def run(subjects: Sequence[Subject], count: int = CASES, say: Callable[[str], None] = lambda line: None) -> Report:
    answers: dict[str, list[tuple[Sequence[str], frozenset[str]]]] = {"iq": [], **{name: [] for name in PREDICTORS}}
    by_repo: dict[str, tuple[int, float, int, int]] = {}
    won = dict.fromkeys(TEST_PREDICTORS, 0)
    asked = 0
    for subject in subjects:
        cases = subject.partner_cases(count)
        start = len(answers["iq"])
        for case in cases:
            answers["iq"].append((ours(subject, case), case.truth))
            for name, predict in PREDICTORS.items():
                answers[name].append((predict(subject, case)[: CUTS[name]], case.truth))
            subject.forget()
        tests = subject.test_cases(count)
        before = won["iq"]
        for case in tests:
            for name, predict in TEST_PREDICTORS.items():
                won[name] += bool(case.truth.intersection(predict(subject, case)[:FIRST]))
            subject.forget()
        hits = won["iq"] - before
        by_repo[subject.name] = len(cases), outcome(answers["iq"][start:])[0].f1, hits, len(tests)
        asked += len(tests)
        say(f"{subject.name}: {len(cases)} partner cases, {hits}/{len(tests)} test cases")
    results = {name: outcome(rows) for name, rows in answers.items()}
    mine = results["iq"][1]
    pairs = {name: compare(results[name][1], mine) for name in PREDICTORS}
    return Report({name: result for name, (result, _) in results.items()}, pairs, won, asked, by_repo)


def text(group: str, report: Report) -> str:
    """The report as Markdown."""
    rows = [
        f"### {group}",
        "",
        "| | precision | recall | F1 | no answer | F1 of iq less this [95 %] | won – lost | sign test p |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, each in report.outcomes.items():
        pair = report.pairs.get(name)
        last = f"{pair.delta.mean:+.3f} [{pair.delta.low:+.3f}, {pair.delta.high:+.3f}] | {pair.wins} – {pair.losses} | {pair.p:.1e}" if pair else "| |"
        rows.append(f"| {name} | {each.precision:.3f} | {each.recall:.3f} | {each.f1:.3f} | {each.empty:.1%} | {last} |")
    cases = next(iter(report.outcomes.values())).cases
    rows += ["", f"{cases} cases.", "", f"| tests, first {FIRST} named | commits | one of the changed tests is among them |", "|---|---|---|"]
    rows += [f"| {name} | {report.asked} | {hits / max(1, report.asked):.1%} |" for name, hits in report.tests.items()]
    rows += [""]
    rows += ["| repository | partner cases | F1 of iq | test cases | changed test in the first five |", "|---|---|---|---|---|"]
    rows += [f"| {name} | {n} | {f1:.3f} | {asked} | {hits / max(1, asked):.1%} |" for name, (n, f1, hits, asked) in report.by_repo.items()]
    return "\n".join(rows) + "\n"


def main(mirror: Path, repos: Sequence[str], count: int, say: Callable[[str], None]) -> str:
    """Both halves over a folder of full-history mirrors (`owner+name/repo`); what is missing or shallow is said."""
    parts = []
    for group, names in (("Tuned on", TUNED), ("Held out", HELD_OUT)):
        subjects = []
        for name in names:
            place = mirror / name.replace("/", "+") / "repo"
            if repos and name not in repos:
                continue
            if not place.exists():
                say(f"skipped {name}: no mirror at {place}")
                continue
            subject = Subject(name, str(place))
            if subject.repo.git.is_shallow:
                say(f"skipped {name}: its mirror is shallow")
                continue
            subjects.append(subject)
        if subjects:
            parts.append(text(f"{group} {', '.join(subject.name for subject in subjects)}", run(subjects, count, say)))
    return "\n".join(parts)

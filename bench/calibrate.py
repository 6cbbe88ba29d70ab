"""iq-bench calibrate: the gates of the verdict, fitted on some repositories and reported on others.

Off-topic questions are those of `noanswer`, asked of the wrong repository; good answers are ranked answers of the other sets with a
target's file among the first ten; an answer is right where its first file is a target's.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bench.observed import Observation
from bench.stats import SEED, percentile, proportion
from bench.tables import number, table
from iq.floor.weak import WORDS, Calibration, Gate, judge

# Share of the good answers of the fitted repositories that fall under the floor of `topic`. The aim on others is 1.5 %; half of that,
# for a floor fitted to some hundred answers is one of their lowest few.
FALSE_WEAK = 0.008

# Share of the fitted off-topic questions that stay under the level from which on a question is on topic for certain.
DOUBTED = 0.99

# Mean probability of being right of the fitted answers above the floor of `first`. The aim on others is 96 %, where .975 came out at .957.
SURE = 0.976

# Sets that gates are fitted to, where they are observed. Targets of commits are what was edited, not all that answers, so they say
# whether a question is on topic but not whether the first file is right; paraphrases avoid the words of what they ask for by design.
TOPIC_SETS = frozenset({"semble", "iq-bench", "commitloc"})
FIRST_SETS = frozenset({"semble", "iq-bench"})

# A question for which nothing was found at all, which says what `weak` says.
NOTHING = "nothing"

# Times that the repositories are halved: one halving is a matter of luck, its floors lie up to two log-odds apart.
DRAWS = 25

# Strength of the ridge on standardised weights: signals are alike, so without it their weights depend on single questions.
RIDGE = 1.0


@dataclass(frozen=True, slots=True)
class Form:
    """A calibration to be fitted: which signals, of which of the two measurements."""

    topic: tuple[str, ...]
    first: tuple[str, ...]
    whole: bool

    def of(self, row: Observation) -> dict[str, float]:
        return dict((row.signals if self.whole else row.words) or {})


FORMS = {
    WORDS: Form(("known", "text", "names"), ("margin",), False),
    "meaning": Form(("known", "cosine", "rise"), ("lead", "margin"), True),
    # Not built in: with the cosine against null queries of the workspace's own symbols instead of its rise over the median chunk.
    "own nulls": Form(("known", "cosine", "unusual"), ("lead", "margin"), True),
    "probability alone": Form(("probability",), ("lead", "margin"), True),
    "read": Form(("known", "cosine", "rise", "probability"), ("lead", "margin", "probability"), True),
}


def logistic(x: np.ndarray, y: np.ndarray, weight: np.ndarray, steps: int = 40) -> tuple[np.ndarray, float]:
    """Weights and bias of a ridge-penalised logistic regression, by Newton's method on standardised columns.

    (Hastie, Tibshirani & Friedman, The Elements of Statistical Learning, 4.4.)
    """
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    z = np.column_stack([np.ones(len(x)), (x - mean) / spread])
    ridge = np.diag([1e-6] + [RIDGE] * x.shape[1])
    b = np.zeros(z.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(z @ b, -30, 30)))
        hessian = (z * (weight * p * (1 - p))[:, None]).T @ z + ridge
        b = b + np.linalg.solve(hessian, z.T @ (weight * (y - p)) - ridge @ b)
    weights = b[1:] / spread
    return weights, float(b[0] - (weights * mean).sum())


def fit(rows: Sequence[Observation], form: Form) -> Calibration:
    """The calibration of a form from ranked answers. Raises ValueError where those are all of one kind."""
    ranked = [row for row in rows if not row.exact and form.of(row)]
    about = [row for row in ranked if (row.off or (row.good and row.set in TOPIC_SETS)) and set(form.topic) <= form.of(row).keys()]
    answered = [row for row in ranked if row.set in FIRST_SETS and form.first[0] in form.of(row)]
    if len({row.off for row in about}) < 2 or len({row.first == 1 for row in answered}) < 2:
        raise ValueError(f"{len(about)} answers do not hold off-topic and good, right and wrong ones; ask more repositories, or all of them")
    on = np.array([not row.off for row in about], float)
    topic = _gate(form, form.topic, about, on, np.where(on == 1, 0.5 / max(on.sum(), 1), 0.5 / max((1 - on).sum(), 1)) * len(on))
    levels = sorted(_levels(topic, form, [row for row in about if not row.off]))
    topic = Gate(topic.weights, topic.bias, round(levels[int(FALSE_WEAK * len(levels))] - 0.005, 2))
    right = np.array([row.first == 1 for row in answered], float)
    first = _gate(form, form.first, answered, right, np.ones(len(right)))
    doubted = sorted(_levels(topic, form, [row for row in about if row.off]))
    clear = round(max(topic.floor, doubted[int(DOUBTED * (len(doubted) - 1))]), 2)
    return Calibration(topic, Gate(first.weights, first.bias, floor_of(_levels(first, form, answered))), clear, form.whole)


def _gate(form: Form, names: tuple[str, ...], rows: Sequence[Observation], y: np.ndarray, weight: np.ndarray) -> Gate:
    x = np.array([[form.of(row)[name] for name in names] for row in rows])
    weights, bias = logistic(x, y, weight)
    return Gate({name: round(float(value), 3) for name, value in zip(names, weights, strict=True)}, round(bias, 3), 0.0)


def _levels(gate: Gate, form: Form, rows: Iterable[Observation]) -> list[float]:
    return [level for row in rows if (level := gate.level(form.of(row))) is not None]


def floor_of(levels: Sequence[float]) -> float:
    """The lowest level from which on the mean probability of being right is at least SURE; above all levels where there is none.

    The mean of the fitted probabilities and not the share that was right: over some hundred answers that share jumps with single
    ones, and floors set by it moved from half to half by a third of the answers.
    """
    best = np.sort(np.asarray(levels, float))[::-1]
    mean = np.cumsum(1 / (1 + np.exp(-best))) / np.arange(1, len(best) + 1)
    fine = np.flatnonzero(mean >= SURE)
    return round(float(best[fine[-1]]), 2) if len(fine) else round(float(max(levels, default=0.0)) + 1, 2)


# Those that a verdict can use; the others are in the table to be compared.
USED = (WORDS, "meaning", "read")


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with the verdict of a calibration that was fitted without its repository."""

    row: Observation
    verdict: str


def held_out(rows: Sequence[Observation], form: Form, groups: Sequence[frozenset[str]]) -> list[Judged]:
    """Every question judged by the calibration of the repositories outside its group."""
    found = []
    for group in groups:
        fitted = fit([row for row in rows if row.repo not in group], form)
        for row in rows:
            if row.repo in group:
                signals = form.of(row)
                verdict = judge(signals, fitted, row.defined) if signals else NOTHING
                found.append(Judged(row, row.exact or verdict))
    return found


def halves(rows: Sequence[Observation]) -> list[tuple[frozenset[str], frozenset[str]]]:
    """The repositories in two groups of one size, DRAWS times at random; the same for the same repositories."""
    repos = sorted({row.repo for row in rows})
    draw = random.Random(SEED)
    found = []
    for _ in range(DRAWS):
        one = frozenset(draw.sample(repos, len(repos) // 2))
        found.append((one, frozenset(repos) - one))
    return found


# What a table says of judged questions, in its columns.
HEADER = ("off-topic: weak", "good: weak", "confident, of the answerable", "of these right", "ranked only: confident", "of these right", "off-topic: confident")


def figures(found: Sequence[Judged], first: frozenset[str] = FIRST_SETS, good: frozenset[str] = TOPIC_SETS) -> list[tuple[int, int]]:
    """(so many, of so many) for each column of HEADER."""
    off = [one for one in found if one.row.off]
    fine = [one for one in found if one.row.good and not one.row.exact and one.row.set in good]
    answered = [one for one in found if one.row.set in first and not one.row.off]
    shares = [(sum(one.verdict in ("weak", NOTHING) for one in group), len(group)) for group in (off, fine)]
    for group in (answered, [one for one in answered if not one.row.exact]):
        sure = [one for one in group if one.verdict == "confident"]
        shares += [(len(sure), len(group)), (sum(one.row.first == 1 for one in sure), len(sure))]
    return [*shares, (sum(one.verdict == "confident" for one in off), len(off))]


def report(rows: Sequence[Observation]) -> str:
    """The tables: each form on repositories that it was not fitted to, one at a time and by halves, and by set."""
    each = [frozenset({repo}) for repo in sorted({row.repo for row in rows})]
    left_out = {name: held_out(rows, form, each) for name, form in FORMS.items()}
    parts = [f"{len(rows)} questions, {len(each)} repositories. Each repository judged by a calibration of the others:"]
    parts.append(table(["calibration", *HEADER], [[name, *map(_share, figures(found))] for name, found in left_out.items()]))
    parts.append(f"Fitted to half of the repositories and reported on the other, {DRAWS} times both ways: mean [tenth, ninetieth percentile]")
    lines = []
    for name, form in FORMS.items():
        drawn = [figures(held_out(rows, form, [group])) for pair in halves(rows) for group in pair]
        lines.append([name, *(_spread([hits / count for hits, count in column if count]) for column in zip(*drawn, strict=True))])
    parts.append(table(["calibration", *HEADER], lines))
    lines = []
    for name, found in left_out.items():
        for one in sorted({row.set for row in rows if not row.off}):
            lines.append([f"{name}, {one}", *map(_share, figures(found, frozenset({one}), frozenset({one}))[1:6])])
    parts += ["By set, each repository left out:", table(["", *HEADER[1:6]], lines)]
    return "\n\n".join(parts)


def _share(share: tuple[int, int]) -> str:
    found = proportion(*share)
    return f"{number(found.mean)} [{number(found.low)}, {number(found.high)}] of {share[1]}" if share[1] else "–"


def _spread(values: Sequence[float]) -> str:
    return f"{number(float(np.mean(values)))} [{number(percentile(values, 0.1))}, {number(percentile(values, 0.9))}]" if values else "–"


def literal(value: Calibration) -> str:
    """A calibration as it stands in `iq/floor/weak.py`."""

    def gate(one: Gate) -> str:
        return f"Gate({{{', '.join(f'{chr(34)}{name}{chr(34)}: {weight}' for name, weight in one.weights.items())}}}, {one.bias}, {one.floor})"

    return f"Calibration({gate(value.topic)}, {gate(value.first)}, {value.clear}, whole={value.whole})"

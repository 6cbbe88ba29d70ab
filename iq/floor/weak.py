"""Is the best there is an answer at all? The absolute gate: pure functions of named signals.

Everything else in iq is relative to the best hit. `weak` means that the question is about something else, never that what it
asks for is absent: nothing measured tells a missing feature from one that is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Signals = Mapping[str, float]

VERDICTS = ("confident", "ambiguous", "weak", "unjudged")


@dataclass(frozen=True, slots=True)
class Gate:
    """Log-odds = bias + sum of weight · signal, and the floor under which it is shut."""

    weights: Mapping[str, float]
    bias: float
    floor: float

    def level(self, signals: Signals) -> float | None:
        """The log-odds; None where a signal was not measured."""
        if not self.weights.keys() <= signals.keys():
            return None
        return self.bias + sum(weight * signals[name] for name, weight in self.weights.items())


@dataclass(frozen=True, slots=True)
class Calibration:
    """`topic` says whether the question is about this workspace, `first` whether the first file answers it.

    `clear` is the level of `topic` from which on that is beyond doubt: between it and the floor no answer is confident, however far
    it is ahead. `whole` is false where topic misses so many questions that one it lets through cannot be called on topic.
    """

    topic: Gate
    first: Gate
    clear: float
    whole: bool = True


def judge(signals: Signals, calibration: Calibration | None, defined: bool = False) -> str:
    """The verdict. `defined`: an identifier of the question is defined here, so that it is not about something else."""
    topic = calibration.topic.level(signals) if calibration is not None else None
    if calibration is None or topic is None:
        return "unjudged"
    if topic < calibration.topic.floor and not defined:
        return "weak"
    first = calibration.first.level(signals)
    if first is None:
        return "unjudged"
    if first < calibration.first.floor or (topic < calibration.clear and not defined):
        return "ambiguous" if calibration.whole else "unjudged"
    return "confident"


# Log-odds of being on topic under which an answer is weak. Set on the no-answer slice (bench/runs/2026-11-30/verdict.jsonl, printed by
# `iq-bench calibrate --json` of that file): the value that calls .8 % of the good answers of semble, iq-bench and commitloc weak. On
# repositories not fitted to it, it catches 95 % of the off-topic questions and calls .8 % of the good answers weak.
WEAK_FLOOR = -1.23

# The same where there are no vectors; catches 84 %, so what it lets through stays unjudged.
WEAK_FLOOR_WORDS = -2.54

# The same with the cross-encoder's probability, which catches no more (94 %): that is why a question does not wait for it.
WEAK_FLOOR_READ = -1.47

# Log-odds of the first file being right from which on an answer is confident; same run: the value above which the mean probability is .976.
SURE = 2.68
SURE_WORDS = 3.03
SURE_READ = 2.69

# Log-odds of being on topic that 99 % of the off-topic questions stay under; same run.
CLEAR = -0.36
CLEAR_WORDS = 2.0
CLEAR_READ = -0.15

# The name of the calibration that needs no model.
WORDS = "words"

# Names of the models that `iq models install` brings, as `models.calibration` puts them together.
_EMBEDDER = "68807e3ff2abb83c·mean·l2·256"
_RERANKER = "1225ccd6afd0f1b4"

# What was measured -> its calibration: WORDS, the embedder's space, or that and the reranker's hash. From the same run.
CALIBRATED: Mapping[str, Calibration] = {
    WORDS: Calibration(
        Gate({"known": 7.516, "text": 5.62, "names": 6.659}, -7.08, WEAK_FLOOR_WORDS),
        Gate({"margin": 6.898}, -0.648, SURE_WORDS),
        CLEAR_WORDS,
        whole=False,
    ),
    _EMBEDDER: Calibration(
        Gate({"known": 7.157, "cosine": 34.916, "rise": 13.342}, -29.461, WEAK_FLOOR),
        Gate({"lead": 1.043, "margin": 5.781}, -0.855, SURE),
        CLEAR,
    ),
    f"{_EMBEDDER}+{_RERANKER}": Calibration(
        Gate({"known": 7.101, "cosine": 29.972, "rise": 11.376, "probability": 0.153}, -24.888, WEAK_FLOOR_READ),
        Gate({"lead": 0.918, "margin": 5.954, "probability": 0.094}, -0.949, SURE_READ),
        CLEAR_READ,
    ),
}

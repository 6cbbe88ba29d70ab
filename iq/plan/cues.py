"""What purpose does a question betray by its words? Says nothing unless exactly one intent is betrayed.

A wrong guess costs more than none: it hides the right answer behind a whole class of files. So a cue is a turn of phrase,
and one whose word is at home in this code base (a `config` module, a `fails` assertion) does not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from iq.index.tokens import STOP, parts, stem
from iq.types import Chosen

# What happens to code over time; with one of these a cue is about history whatever things here are called.
_CHANGED = "added|removed|introduced|deprecated|changed|dropped|fixed|renamed"

_RULES: Mapping[str, tuple[str, ...]] = {
    "implement": (
        r"\bwhere (?:is|are) (?:the )?[\w.]+(?: [\w.]+){0,3} (?:implemented|defined|declared)\b",
        r"\b(?:implementation|definition|source) of\b",
    ),
    "test": (
        r"\b(?:unit |regression |integration )?tests? (?:for|of|that|cover\w*)\b",
        r"\btest (?:cases?|coverage)\b",
        r"\bhow (?:is|are) .{1,60}\btested\b",
        r"\b(?:which|what|where are the) tests?\b",
    ),
    # "How do I" and "how to" are asked of code as often as of its documents: taken as cues they cost .015 on iq-bench.
    "understand": (
        r"\b(?:docs?|documentation|guide|tutorial) (?:for|of|on|about)\b",
        r"\bexamples? of (?:how|using|usage)\b",
    ),
    "configure": (
        r"\b(?:ci|github|release|publish\w*|deploy\w*|build|lint\w*) (?:workflow|pipeline|config(?:uration)?)\b",
        r"\b(?:github actions|pre-commit|pyproject|tox|dependabot|docker-?compose|dockerfile|eslint|prettier|golangci|mypy|ruff) "
        r"(?:config(?:uration)?|settings?|options?|rules?|hooks?|workflow|version)\b",
        r"\b(?:which|what) (?:versions? of (?:python|node|go|rust|java)|(?:linters?|formatters?))\b",
    ),
    "debug": (
        r"\btraceback\b|\bstack ?trace\b",
        r"\bwhy (?:does|do|is|are|did|would) .{1,80}\b(?:fail\w*|crash\w*|rais\w+|throw\w*|panic\w*|error\w*|hang\w*|break\w*)\b",
        r"\bwhere (?:is|are|does|do) .{1,60}\b(?:raised?|thrown|throw)\b",
        r"\b(?:crash(?:es|ed)?|fails) (?:when|with|on|if|after)\b",
    ),
    "history": (
        r"\bchange ?log\b|\brelease notes?\b",
        r"\bwhen (?:was|were|did) .{1,60}\b(?:" + _CHANGED + r")\b",
        rf"\b(?:in )?(?:which|what) (?:version|release)\b(?: \S+){{0,3}} (?:{_CHANGED})\b",
        r"\b(?:in )?(?:which|what) (?:version|release)\b",
        r"\bdeprecated (?:in|since)\b|\bsince (?:which|what|when)\b|\bbreaking changes?\b",
    ),
}

CUES: Mapping[str, re.Pattern[str]] = {name: re.compile("|".join(rules), re.IGNORECASE) for name, rules in _RULES.items()}

# Where two intents are betrayed these win: their words are the more telling ("how do I find which version added X").
WINNERS = ("history", "test")

# Words of a cue that carry it; if such a word is at home here the cue says nothing.
_CARRIERS = frozenset(
    """test tests tested coverage docs doc documentation guide tutorial workflow pipeline config configuration traceback stacktrace fails crash crashes
    crashed raise raised thrown throw panic changelog release version deprecated lint linter docker dockerfile eslint prettier mypy ruff tox hooks
    settings options rules build publish deploy ci source definition implementation""".split()  # noqa: SIM905
)

# A change that is described ("Preserve traceback when …") names what the code does, not what the reader wants.
_CHANGE = re.compile(
    r"\s*(?:add|allow|avoid|bump|change|clarify|clean|convert|correct|create|deprecate|disable|document|drop|enable|ensure|expose|fix|handle|implement|improve"
    r"|introduce|make|merge|move|optimi[sz]e|preserve|prevent|raise|refactor|remove|rename|replace|restore|revert|simplify|skip|support|switch|tweak|update"
    r"|upgrade|use)\b",
    re.IGNORECASE,
)

# A longer text is a report or a log that mentions many things in passing (characters); it is no turn of phrase.
MAX_LENGTH = 200

# A term that is part of more of the definitions' names than this is at home (share of chunks, and at least so many).
AT_HOME = 0.004
AT_LEAST = 8


def infer(text: str, at_home: Callable[[str], bool]) -> Chosen | None:
    """The intent that the words of a question betray, or None; `at_home` says of a term whether names here are made of it."""
    if len(text) > MAX_LENGTH or _CHANGE.match(text):
        return None
    found: dict[str, str] = {}
    for name, rule in CUES.items():
        match = rule.search(text)
        if match is not None and not any(at_home(stem(word)) for word in carriers(match.group())):
            found[name] = _shown(match.group())
    if len(found) > 1:
        found = {name: why for name, why in found.items() if name in WINNERS}
    if len(found) != 1:
        return None
    ((name, why),) = found.items()
    return Chosen(name, "inferred", why)


def carriers(cue: str) -> list[str]:
    if re.search(rf"\b(?:{_CHANGED})\b", cue, re.IGNORECASE):
        return []
    return [part for word in re.findall(r"\w+", cue) for part in parts(word) if part in _CARRIERS and part not in STOP]


def _shown(cue: str) -> str:
    """The cue as the answer quotes it: its first words and its last, where it spans a phrase of the question."""
    words = cue.split()
    return " ".join(words) if len(words) <= 4 else f"{' '.join(words[:2])} … {words[-1]}"

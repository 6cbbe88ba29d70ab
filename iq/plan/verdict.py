"""How far can this answer be trusted? Collects the signals of a ranking for the gate in `floor.weak`, and words the hint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

from iq.floor.weak import judge
from iq.index.store import Store
from iq.index.tokens import STOP, parts, query_terms, terms, words
from iq.models.calibration import calibration
from iq.plan import rules
from iq.plan.legs import bm25
from iq.plan.score import idf
from iq.types import Candidate, Plan, Ranking

# Files whose best name coverage, and whose best probability, count.
FIRST = 5

# Vectors that may be missing: an edit leaves a few behind, but the nearest of half an index says little.
EMBEDDED = 0.9

# What a lead in score was measured with; another recipe has another scale.
RECIPE = frozenset({"bm25", "bm25f", "scoresum", "coherence", "wholefile", "pathrules", "defrules", "classprior", "graph"})

# Intents that ask what a plain question asks, so that its verdict holds for the first file where that is the same one: right in 71 of 74
# answers of semble and iq-bench (`iq-bench gate`). Costs a second ranking; the others' right answers are tests, documents, changes.
VOUCHED = frozenset({"implement"})

# Words that the hint names.
NAMED = 6

# Probabilities are kept this far from 0 and 1 before their log-odds are taken.
LEAST = 1e-6


def judged(store: Store, plan: Plan, ranking: Ranking) -> Ranking:
    """The ranking as it is, with its verdict, and a hint where that is weak."""
    asked = query_terms(plan.query.text)
    if not ranking.files or not asked:
        return replace(ranking, signals={}, verdict="unjudged" if ranking.files else "")
    found = bm25.frequencies(store, asked)
    signals = measure(store, plan, ranking, found)
    known, note = calibration("cosine" in signals, "probability" in signals)
    named = plan.query.identifiers
    verdict = judge(signals, known, bool(named) and bool(store.defining(named)))
    if verdict == "weak" and any(not term.isascii() and term not in found for term in asked):
        verdict = "unjudged"  # calibrated on English: that a word of another language is not here says nothing
    notes = (*ranking.notes, note) if note else ranking.notes
    return replace(ranking, signals=signals, verdict=verdict, hint=hint(plan.query.text, found) if verdict == "weak" else "", notes=notes)


def without_intent(plan: Plan) -> Plan | None:
    """The plan of the same question with nothing declared, where its verdict says something of the answer under the intent."""
    if plan.intent is None or plan.intent.name not in VOUCHED or plan.intent.how == "inferred":
        return None
    return replace(plan, intent=None, features=plan.features | {"classprior"})


def vouched(found: Ranking, plain: Ranking) -> Ranking:
    """A ranking under an intent with the verdict of the plain one, which is confident of its first file and of no other."""
    kept = bool(found.files) and bool(plain.files) and found.files[0].path == plain.files[0].path
    said = {"confident": "confident" if kept else "ambiguous", "ambiguous": "ambiguous"}
    return replace(found, verdict=said.get(plain.verdict, found.verdict))


def measure(store: Store, plan: Plan, ranking: Ranking, found: dict[str, int]) -> dict[str, float]:
    """The signals that could be measured, by name; `found` holds the chunks of each term of the question that occurs.

    known: share of the question's idf in terms that occur. text: best unit's BM25F over the sum of idf. names: best share of the
    idf in the names of a file. cosine, rise: of the nearest chunk, over the median one. probability: log-odds, the best of the
    cross-encoder's. lead: the first file's score less the second's. margin: the share that the third's lacks of the first's.
    """
    asked = query_terms(plan.query.text)
    count, _ = store.totals("chunk_terms")
    weights = {term: idf(count, found.get(term, 0)) for term in asked}
    total = sum(weights.values()) or 1.0
    signals = {"known": sum(weights[term] for term in found) / total}
    if "bm25f" in plan.features and "bm25" in ranking.signals:
        signals["text"] = ranking.signals["bm25"] / total
    first = ranking.files[:FIRST]
    if "defrules" in plan.features:
        signals["names"] = ranking.signals["names"] if "names" in ranking.signals else best_names(first)
    if "cosine" in ranking.signals and ranking.signals.get("embedded", 0.0) >= EMBEDDED:
        signals |= {name: ranking.signals[name] for name in ("cosine", "rise")}
    read = [c.boosts["rerank"] for c in first if "rerank" in c.boosts]
    if read:
        best = min(max([LEAST, *read]), 1 - LEAST)
        signals["probability"] = log(best / (1 - best))
    halfway = 0.0 < ranking.signals.get("embedded", 0.0) < EMBEDDED
    if plan.features >= RECIPE and plan.scope.only in ((), ("src",)) and not halfway:
        scores = [*(c.score for c in first), 0.0, 0.0]
        signals["lead"] = scores[0] - scores[1]
        signals["margin"] = (scores[0] - scores[2]) / scores[0] if scores[0] > 0 else 0.0
    return signals


def best_names(files: Sequence[Candidate]) -> float:
    """The best share of the question's idf that the names of one of the first files hold."""
    return max((c.boosts.get("names", 0.0) for c in files[:FIRST]), default=0.0) / rules.NAMES_SHARE


def hint(text: str, found: dict[str, int]) -> str:
    """What to do about an answer that is off topic: stop, or ask once more, with words that occur."""
    asked = dict.fromkeys(word for word in words(text) if word.lower() not in STOP)
    here = {word: found[whole[0]] for word in asked if (whole := terms(word).split()) and whole[0] in found}
    for word in asked:  # of a misspelt name its parts may
        if word not in here:
            here |= {part: found[whole[0]] for part in parts(word) if part not in STOP and (whole := terms(part).split()) and whole[0] in found}
    rare = sorted(here, key=lambda word: (here[word], word))[:NAMED]
    what = f"of its words these occur here in some form: {', '.join(rare)}" if rare else "none of its words occurs here"
    return f"the question seems to be about something else; {what}. Stop, or rephrase once"

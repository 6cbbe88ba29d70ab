"""What changes when the purpose of a question is known? Class priors, evidence and the sum that ranks chunks by both.

    score(d | q, I) = z(base(q, d)) + λ · log p_I(d) + β · evidence_I(q, d)        z over the candidate pool
    p_I(d) = ε/K + (1 − ε) · softmax over the K intents k of C[k, class(d)], taken at I

The terms are added to scores: mixing an intent in as one more ranked list halves its effect.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from iq.index.scope import matcher
from iq.index.store import Store
from iq.index.tokens import query_terms, stem
from iq.plan import evidence, rules
from iq.plan.evidence import Rows, Seen
from iq.types import Candidate, Chosen, Hit, Intent, Plan, Ranking

# Prior of a file class under each intent (nats), set by hand from what the intents mean and left there: they are never
# tuned or learned. Classes that are not named have 0 under every intent, which says nothing about any.
C: Mapping[str, Mapping[str, float]] = {
    "implement": {"src": 0, "tests": -3, "docs": -3, "config": -3, "history": -4, "examples": -2},
    "test": {"src": -3, "tests": 0, "docs": -3, "config": -3, "history": -4, "examples": -2},
    "understand": {"src": -2, "tests": -3, "docs": 0, "config": -3, "history": -2.5, "examples": -0.7},
    "configure": {"src": -2.5, "tests": -3, "docs": -1.5, "config": 0, "history": -3, "examples": -2},
    "debug": {"src": 0, "tests": -2, "docs": -2, "config": -3, "history": -2.5, "examples": -2.5},
    "history": {"src": -4, "tests": -4, "docs": -2.5, "config": -3, "history": 0, "examples": -4},
}


# Intents that came later weigh against the six above, so that none of them changes what another ranks first. `notes` are
# what people wrote down with `iq note`.
FURTHER: Mapping[str, Mapping[str, float]] = {
    "usage": {"src": -0.5, "tests": -1, "docs": -1, "config": -4, "history": -5, "examples": 0, "notes": -3},
    "review": {"src": 0, "tests": 0, "docs": -1, "config": -0.5, "history": -2, "examples": -1, "notes": 0},
    "planning": {"src": -2, "tests": -4, "docs": -0.5, "config": -2.5, "history": -1.5, "examples": -3, "notes": 0},
}

# What a note tells the six: somebody who debugs wants to know what was found out before.
NOTES: Mapping[str, float] = {"debug": -0.5, "understand": -1.5}
NO_NOTES = -3.0

# Other words for the same purpose, as agents name their phases.
ALIASES: Mapping[str, str] = {"debugging": "debug", "reviewing": "review", "testing": "test", "implementing": "implement", "plan": "planning"}

# Prior of a class that an authored intent with classes does not name (nats).
UNNAMED = -3.0

BUILT_IN: Mapping[str, Intent] = {
    intent.name: intent
    for intent in (
        Intent("implement", "the code that does it: definitions and their bodies", ("where is this implemented", "the definition of this function")),
        Intent("test", "tests that exercise it, with their cases and fixtures", ("tests for this", "how is this tested", "test cases that cover this")),
        Intent("understand", "documentation that explains how it is used", ("how do I use this", "docs for this", "a guide with an example of this")),
        Intent("configure", "settings, dependencies, build and workflow files", ("which version of this tool is required", "the workflow that builds this")),
        Intent("debug", "where it fails: what is raised, caught or logged", ("why does this fail", "where is this error raised", "traceback of a crash")),
        Intent("history", "changelog and release notes: when and why it changed", ("when was this added", "which version deprecated this", "breaking changes")),
        Intent("usage", "call sites, the best examples first", ("who calls this", "examples of this in use")),
        Intent("review", "what a change touches: changed code, its callers and tests", ("what could this change break", "which tests reach this")),
        Intent("planning", "decisions and designs, notes first", ("what was decided about this", "why was this rejected")),
    )
}


@dataclass(frozen=True, slots=True)
class Weights:
    """λ, β and ε of the formula above."""

    prior: float
    evidence: float
    floor: float


# A declared intent is believed; an inferred one only leans, so that a wrong guess costs little.
DECLARED = Weights(3.0, 2.0, 0.02)
# λ where affinities speak (see plan.lens, which loads numpy).
LENS_PRIOR = 2.0

# Raising and defining are both source: only the evidence can tell them apart. A review is about the change, whatever is changed.
DECLARED_OF: Mapping[str, Weights] = {"debug": Weights(3.0, 4.0, 0.02), "review": Weights(1.0, 8.0, 0.02)}
INFERRED = Weights(1.0, 1.0, 0.02)

# Chunks (and files) that each class proposes, so that those an intent asks for are judged at all (units).
QUOTAS: Mapping[str, int] = {"src": 120, "tests": 120, "docs": 120, "config": 60, "history": 300, "examples": 60, "generated": 20, "vendored": 40, "notes": 60}

# Files of one class that stay after fusion.
FILES = 60


# Terms of a file's score that speak of its text. The rules on paths and names of definitions favour the place that defines,
# which is one intent's answer and not the others'.
TEXT = frozenset({"chunks", "file", "vectors"})

# Evidence of a file that changed together with those under review, where one that is changed itself has 1.
NEAR = 0.3

# Definitions of a change whose tests and callers are looked for (names).
CHANGED = 12

# Places beyond the candidates that an intent may add (chunks).
EXTRA = 200

# Chunks that name a definition which are looked up; one named in more says nothing (rows).
LINKS = 3000


def asked_terms(text: str) -> list[str]:
    """The terms of a question and those of its neighbouring words written as one.

    What tests, documents and changelogs share with the code they speak of is the identifier itself: top-1 on eight
    repositories .671 without, .735 with.
    """
    return list(dict.fromkeys([*query_terms(text), *evidence.ask(text).joined]))


def posterior(name: str, file_class: str, floor: float, lens: Intent | None = None) -> float:
    """p_I(d) for a chunk of a class; 1 for an authored intent that names no classes, which says nothing about any."""
    rows = {intent: NOTES.get(intent, NO_NOTES) if file_class == "notes" else row.get(file_class, 0.0) for intent, row in C.items()}
    if name in FURTHER:
        rows[name] = FURTHER[name].get(file_class, 0.0)
    elif name not in rows:
        if lens is None or not lens.classes:
            return 1.0
        rows[name] = 0.0 if file_class in lens.classes else UNNAMED
    weights = {intent: math.exp(value) for intent, value in rows.items()}
    return floor / len(rows) + (1 - floor) * weights[name] / sum(weights.values())


def pool(store: Store, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The first FILES files of each class, in their order."""
    about = store.about([candidate.path for candidate in candidates])
    left = dict.fromkeys(QUOTAS, FILES)
    kept = []
    for candidate in candidates:
        name = about[candidate.path].file_class
        left[name] -= 1
        if left[name] >= 0:
            kept.append(candidate)
    return kept


def standardised(values: Sequence[float]) -> list[float]:
    """z-scores; all 0 where the values do not differ."""
    if not values:
        return []
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return [(value - mean) / spread if spread > 1e-12 else 0.0 for value in values]


def apply(store: Store, plan: Plan, ranking: Ranking, hits: Sequence[Hit], rows: Rows | None) -> Ranking:
    """The ranking under the plan's intent: its spans scored anew, each file at its best span."""
    chosen = plan.intent
    assert chosen is not None
    name, weights = chosen.name, weights_of(chosen)
    asked = evidence.ask(plan.query.text)
    known = {(hit.path, hit.start, hit.end): hit for hit in hits}
    spans, raw = list(ranking.chunks), _bases(plan, ranking.chunks, known)
    about = store.about(list(dict.fromkeys(span.path for span in spans)))
    bases = standardised(raw)
    seen = [_seen(span, about[span.path].file_class, known) for span in spans]
    if name in evidence.OF_A_SUBJECT:
        subject = _changed(store, chosen) if chosen.touched else _subject(asked, seen, bases)
        asked = replace(asked, subject=frozenset(stem(word.replace("_", "").lower()) for word in subject), names=subject)
    linked = _linked(store, asked.subject) if name in evidence.LINKED else {}
    extra = _extra(store, plan, {(span.path, span.start) for span in spans}, linked)
    if extra:
        # They share no word with the question: their base is the least of the pool.
        spans += extra
        bases += [min(bases, default=0.0)] * len(extra)
        about |= store.about([span.path for span in extra])
        seen += [_seen(span, about[span.path].file_class, known) for span in extra]
    belongs = _belongs(store, chosen, spans, seen)
    if belongs:
        weights = Weights(LENS_PRIOR, weights.evidence, weights.floor)
        # What has no vector yet is neither near nor far.
        middle = sum(belongs.values()) / len(belongs)
        belongs = {(span.path, span.start): belongs.get((span.path, span.start), middle) for span in spans}
    scored = []
    for span, one, base in zip(spans, seen, bases, strict=True):
        one = replace(one, linked=float((span.path, span.start) in linked), touch=_touch(chosen, span))
        if rows is not None and evidence.reads_lines(name, chosen.lens, one):
            one = replace(one, lines=tuple(rows(span.path)[span.start - 1 : span.end]))
        told = evidence.authored(chosen.lens, one) if chosen.lens is not None else evidence.of(name, asked, one)
        prior = belongs.get((span.path, span.start))
        prior = math.log(posterior(name, one.file_class, weights.floor, chosen.lens)) if prior is None else prior
        terms = {"base z": base, "log p": prior, "evidence": told}
        score = terms["base z"] + weights.prior * terms["log p"] + weights.evidence * terms["evidence"]
        scored.append(replace(span, score=score, boosts=terms, file_class=one.file_class))
    scored.sort(key=lambda c: (-c.score, c.path, c.start))
    files: dict[str, Candidate] = {}
    for span in scored:
        files.setdefault(span.path, span)
    # Files that no chunk stands for (known by their path alone) follow in their old order.
    rest = [file for file in ranking.files if file.path not in files]
    return Ranking((*files.values(), *rest), tuple(scored), ranking.notes)


def _belongs(store: Store, chosen: Chosen, spans: Sequence[Candidate], seen: Sequence[Seen]) -> dict[tuple[str, int], float]:
    """log p_I from the affinities of an authored intent, by (path, first line); empty where none are stored."""
    if chosen.lens is None or not store.count("lenses"):
        return {}
    from iq.plan import affinities

    places = [(span.path, span.start) for span in spans]
    priors: dict[str, list[float]] | None = None
    if chosen.lens.classes:
        priors = {intent: [row.get(one.file_class, 0.0) for one in seen] for intent, row in C.items()}
        priors[chosen.name] = [0.0 if one.file_class in chosen.lens.classes else UNNAMED for one in seen]
    found = affinities.log_posteriors(store, chosen.name, places, priors) or []
    return {place: value for place, value in zip(places, found, strict=False) if value is not None}


def weights_of(chosen: Chosen) -> Weights:
    """λ, β and ε of a question: as learned here, else as shipped; an inferred intent only leans."""
    if chosen.how == "inferred":
        return INFERRED
    shipped = DECLARED_OF.get(chosen.name, DECLARED)
    return replace(shipped, prior=chosen.weights[0], evidence=chosen.weights[1]) if chosen.weights else shipped


def _touch(chosen: Chosen, span: Candidate) -> float:
    """How near a place is to the change under review: in it, or in a file that changes together with it."""
    if any(span.path == path and span.start <= end and start <= span.end for path, start, end in chosen.touched):
        return 1.0
    return NEAR if span.path in chosen.near else 0.0


def _extra(store: Store, plan: Plan, there: set[tuple[str, int]], linked: Mapping[tuple[str, int], Candidate]) -> list[Candidate]:
    """Places that answer though they share no word with the question: they name its subject, or the change is in them."""
    assert plan.intent is not None
    inside = matcher(plan.scope)
    wanted = dict(linked)
    for path, start, end in plan.intent.touched:
        for found in store.spans(path, start, end):
            wanted[path, found.start] = Candidate(path, found.start, found.end, 0.0, found.symbol, found.kind)
    classes = {path: row.file_class for path, row in store.about(sorted({path for path, _ in wanted})).items()}
    kept = [
        candidate
        for place, candidate in sorted(wanted.items())
        if place not in there and candidate.path in classes and inside(candidate.path, classes[candidate.path], None)
    ]
    return kept[:EXTRA]


def _bases(plan: Plan, spans: Sequence[Candidate], known: Mapping[tuple[str, int, int], Hit]) -> list[float]:
    """base(q, d): the chunk's own score and half its file's, both of the best; under an inferred intent the plain score, rules and all."""
    if plan.intent is not None and plan.intent.how == "inferred":
        return [span.score for span in spans]
    best = max((hit.score for hit in known.values()), default=1.0) or 1.0
    own = [hit.score / best if (hit := known.get((span.path, span.start, span.end))) else 0.0 for span in spans]
    return [mine + 0.5 * sum(value for term, value in span.boosts.items() if term in TEXT) for mine, span in zip(own, spans, strict=True)]


def _seen(span: Candidate, file_class: str, known: Mapping[tuple[str, int, int], Hit]) -> Seen:
    hit = known.get((span.path, span.start, span.end))
    if file_class == "src" and rules.tests(span.symbol, span.kind):
        file_class = "tests"
    own = hit.names if hit else (span.symbol.rpartition(".")[2],) if span.symbol else ()
    return Seen(span.path, file_class, own, span.symbol, ())


def _subject(asked: evidence.Asked, seen: Sequence[Seen], bases: Sequence[float]) -> tuple[str, ...]:
    """The names of the definition that the question is most likely about: those of the first place under `implement`."""
    best = -math.inf
    names: tuple[str, ...] = ()
    for one, base in zip(seen, bases, strict=True):
        if one.file_class == "src" and one.names and (score := base + DECLARED.evidence * evidence.definition(asked, one)) > best:
            best, names = score, one.names
    own = [name for name in names if len(name) > 2]
    # A chunk of several names is about the one that is nearest to the question.
    nearest = max((evidence.jaccard(asked.spoken, evidence.term_set(name)) for name in own), default=0.0)
    return tuple(name for name in own if evidence.jaccard(asked.spoken, evidence.term_set(name)) == nearest)


def _changed(store: Store, chosen: Chosen) -> tuple[str, ...]:
    """The names of the definitions that the change is in: what tests and callers reach it by."""
    names: dict[str, None] = {}
    for path, start, end in chosen.touched:
        for found in store.spans(path, start, end):
            own = found.names if found.kind != "heading" else ()
            enclosing = (found.symbol.rpartition(".")[2],) if found.symbol and found.kind != "heading" else ()
            names |= dict.fromkeys(name for name in (*enclosing, *own) if len(name) > 2 and not name.startswith("__"))
        if len(names) > CHANGED:
            break
    return tuple(names)[:CHANGED]


def _linked(store: Store, names: Iterable[str]) -> dict[tuple[str, int], Candidate]:
    """(path, first line) -> the chunk, of those that hold one of the names, given as terms."""
    found: dict[tuple[str, int], Candidate] = {}
    for term in sorted(names):
        holding = store.holding(term, LINKS + 1)
        if len(holding) <= LINKS:
            found |= {(path, hit.start): Candidate(path, hit.start, hit.end, 0.0, hit.symbol, hit.kind) for path, hit in holding}
    return found

"""From a plan to a ranking: run the legs, fuse, score the files, order the spans inside them."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from iq.frozen import replace
from iq.index.scope import matcher
from iq.index.store import About, Store
from iq.index.tokens import query_terms, words
from iq.plan import feedback, intents, rules, twins
from iq.plan.evidence import Rows
from iq.plan.fuse import rrf
from iq.plan.legs import bm25, paths, symbols, vectors
from iq.plan.rerank import rerank
from iq.plan.score import idf
from iq.plan.verdict import best_names, judged, vouched, without_intent
from iq.types import Candidate, Hit, Plan, Ranking, Scope

# Files that stay after fusion: ranks below never reach a capsule.
POOL = 100

# Units that a first pass finds at least, or feedback widens the question. Below 20 units it lost .002 on semble, below 5
# the figures are those without.
LITTLE = 5

# Score of a file: best chunk + REST of the next two, then the whole file. Set with the values in plan.rules.
REST = 0.7
WHOLE = 0.5

# Code questions are answered by code: factors on the class of a file, set likewise.
CLASS_FACTORS: Mapping[str, float] = {
    "tests": 0.2,
    "docs": 0.3,
    "history": 0.3,
    "config": 0.5,
    "examples": 0.4,
    "generated": 0.5,
    "vendored": 0.8,
    "notes": 0.3,
}

# Boosts that multiply the score; the others add to it.
FACTORS = frozenset({"class", "place", "twin"})

# Spans that are listed of one file.
SPANS = 5

# The spans of a file keep this share of their worth each time one of them was listed.
DECAY = 0.8

# What a span's own score, the best file's being 1, adds to that of its file: the right definition in the third file passes
# middling ones in the first. Without it octocode loses .019 by spans.
OWN = 0.5

# Feature -> its value, and the value that switches it off.
SHARES = (("coherence", REST, 0.0), ("wholefile", WHOLE, 0.0), ("saturation", DECAY, 1.0), ("ownscore", OWN, 0.0))


def run(store: Store, plan: Plan, rows: Rows | None = None) -> Ranking:
    """The ranking of a plan; deterministic for one index. `rows` gives the lines of a file as they are now."""
    ranking = _ranked(store, plan, rows)
    if "rerank" in plan.features:
        ranking = rerank(store, plan.query.text, ranking)
    if "verdict" not in plan.features or plan.query.kind != "prose":
        return ranking
    found = judged(store, plan, ranking)
    if found.verdict == "unjudged" and (plain := without_intent(plan)) is not None:
        return vouched(found, judged(store, plain, _ranked(store, plain, rows)))
    return found


def _ranked(store: Store, plan: Plan, rows: Rows | None) -> Ranking:
    inside = matcher(plan.scope)
    narrow = None if plan.scope == Scope() else inside
    legs: dict[str, list[Hit]] = {}
    whole: dict[str, float] = {}
    signals: dict[str, float] = {}
    text = plan.query.text
    if "symbols" in plan.legs:
        legs["symbols"] = symbols.leg(store, text, inside)
    if "paths" in plan.legs:
        legs["paths"] = paths.leg(store, text, inside)
    if "bm25" in plan.legs and plan.intent is not None:
        spoken = dict.fromkeys(intents.asked_terms(text), 1.0)
        legs["bm25"], whole = bm25.leg(store, spoken, narrow, "bm25f" in plan.features, intents.QUOTAS)
    elif "bm25" in plan.legs:
        asked = dict.fromkeys(query_terms(text), 1.0)
        legs["bm25"], whole = bm25.leg(store, asked, narrow, "bm25f" in plan.features)
        signals["bm25"] = legs["bm25"][0].score if legs["bm25"] else 0.0
        if "rm3" in plan.features and 0 < len(legs["bm25"]) < LITTLE:
            legs["bm25"], whole = bm25.leg(store, feedback.expanded(store, asked, legs["bm25"]), narrow, "bm25f" in plan.features)
    lens = plan.intent.lens if plan.intent is not None else None
    meant = f"{lens.instruction.strip()} {text}" if lens is not None and lens.instruction.strip() else text
    # A question without a word means nothing, though something is always nearest to it.
    dense = vectors.leg(store, meant, plan.scope) if "vectors" in plan.legs and query_terms(text) else vectors.Dense()
    if dense.hits:
        legs["vectors"] = dense.hits
    signals |= dense.signals
    if plan.intent is not None:
        found = legs.get("bm25", [])
        first = _order(store, plan, intents.pool(store, rrf(legs)), found, whole, dense)
        # Whether the question is about this workspace is measured before the intent orders what answers it.
        signals |= {"bm25": found[0].score if found else 0.0, "names": best_names(first.files)}
        if meant != text:
            # What is near to an intent's instruction is near whatever is asked: no cosine that was calibrated.
            signals = {name: value for name, value in signals.items() if name not in ("cosine", "rise")}
        return replace(intents.apply(store, plan, first, found, rows), signals=signals)
    pool = rrf(legs)[:POOL]
    if not (legs.get("bm25") or dense.hits) or "scoresum" not in plan.features:
        about = store.about([candidate.path for candidate in pool])
        pool = [replace(candidate, file_class=about[candidate.path].file_class) for candidate in pool]
        return Ranking(tuple(pool), tuple(pool), dense.notes, signals)
    return replace(_order(store, plan, pool, legs.get("bm25", []), whole, dense), signals=signals)


def _order(store: Store, plan: Plan, pool: list[Candidate], chunks: list[Hit], whole: dict[str, float], dense: vectors.Dense) -> Ranking:
    """Files by score sum over the fused pool; spans by their file's score less their distance to its best span, and their own."""
    rest, share, decay, own = (value if name in plan.features else none for name, value, none in SHARES)
    if "classprior" in plan.features and not plan.scope.only:
        factors = ((h, rules.unit_factor(h.symbol, h.kind)) for h in chunks)
        chunks = sorted((h if factor == 1.0 else replace(h, score=h.score * factor) for h, factor in factors), key=lambda h: (-h.score, h.path, h.start))
    by_file: dict[str, list[Hit]] = {}
    for hit in chunks:
        by_file.setdefault(hit.path, []).append(hit)
    top = max((sum_of(hits, rest) for hits in by_file.values()), default=1.0) or 1.0
    top_whole = max(whole.values(), default=1.0) or 1.0
    about = store.about([candidate.path for candidate in pool])
    asked = _asked(store, plan)
    boosts = _boosts(store, plan, about, asked)
    files = []
    for candidate in pool:
        hits = by_file.get(candidate.path, [])
        mine = {"chunks": sum_of(hits, rest) / top, "file": share * whole.get(candidate.path, 0.0) / top_whole, **boosts[candidate.path]}
        if dense.hits:
            mine["vectors"] = dense.terms.get(candidate.path, 0.0)
        factor = prod(value for name, value in mine.items() if name in FACTORS)
        # Reciprocal ranks break ties and carry files that only the symbol or path leg knows.
        score = (sum(value for name, value in mine.items() if name not in FACTORS) + candidate.score) * factor
        if hits and candidate.start == 0:
            candidate = replace(candidate, start=hits[0].start, end=hits[0].end, symbol=hits[0].symbol, kind=hits[0].kind)
        files.append(replace(candidate, score=score, boosts=mine, file_class=about[candidate.path].file_class))
    files.sort(key=lambda c: (-c.score, c.path))
    if "twins" in plan.features:
        files = _collapsed(files, about)
    spans = []
    blended = dense.blend(by_file, top)
    for candidate in files:
        hits = blended.get(candidate.path, [])
        if "defrules" in plan.features:
            said = ((h, rules.unit_term(h.symbol, asked)) for h in hits)
            hits = sorted((replace(h, score=h.score + term) if term else h for h, term in said), key=lambda h: (-h.score, h.start))
        best = hits[0].score if hits else 0.0
        # Under an intent every chunk is judged by itself: a changelog has hundreds of entries, and the right one may be any.
        for at, hit in enumerate(hits[:SPANS] if plan.intent is None else hits):
            worth = (candidate.score - (best - hit.score) + own * hit.score) * (decay**at if plan.intent is None else 1.0)
            spans.append(Candidate(hit.path, hit.start, hit.end, worth, hit.symbol, hit.kind, candidate.ranks, candidate.boosts))
        if not hits and candidate.start:
            spans.append(candidate)
    spans.sort(key=lambda c: (-c.score, c.path, c.start))
    return Ranking(tuple(files), tuple(spans), dense.notes)


def _asked(store: Store, plan: Plan) -> rules.Asked:
    asked_terms = query_terms(plan.query.text)
    count, _ = store.totals("chunk_terms")
    found = bm25.frequencies(store, asked_terms)
    return rules.ask(plan.query.text, {term: idf(count, found.get(term, 0)) for term in asked_terms}, plan.query.identifiers)


def _boosts(store: Store, plan: Plan, about: Mapping[str, About], asked: rules.Asked) -> dict[str, dict[str, float]]:
    """The terms and factors of the rules that are on, for each file of the pool."""
    pool = list(about)
    text, identifiers = plan.query.text, plan.query.identifiers
    defining = store.defining(identifiers) if "defrules" in plan.features and identifiers else {}
    copies = _copies(store, pool, text) if "twins" in plan.features else {}
    boosts: dict[str, dict[str, float]] = {}
    for path in pool:
        mine: dict[str, float] = {}
        if "pathrules" in plan.features:
            mine["path"] = rules.path_term(path, asked)
        if "defrules" in plan.features:
            mine["names"] = rules.names_term(about[path].names, asked)
            mine["exact"] = rules.exact_term(path, asked, defining)
        if "classprior" in plan.features:
            mine["class"] = 1.0 if plan.scope.only else CLASS_FACTORS.get(about[path].file_class, 1.0)
            mine["place"] = rules.place_factor(path, asked)
        if "graph" in plan.features:
            mine["imported"] = rules.imported_term(about[path].importers)
        if path in copies:
            mine["twin"] = copies[path]
        boosts[path] = mine
    return boosts


def _collapsed(files: list[Candidate], about: Mapping[str, About]) -> list[Candidate]:
    """The first of each group of copies, with the others as its twins."""
    leaders = twins.leaders([c.path for c in files], about)
    followers: dict[str, list[str]] = {}
    for path, leader in leaders.items():
        followers.setdefault(leader, []).append(path)
    return [replace(c, twins=tuple(followers.get(c.path, ()))) for c in files if c.path not in leaders]


def _copies(store: Store, pool: list[str], text: str) -> Mapping[str, float]:
    files = store.present([twin for path in pool for twin in twins.platform_twins(path)])
    folders = store.folders({folder for path in pool for folder in twins.newer_folders(path)})
    return twins.factors(pool, {word.lower() for word in words(text)}, files, folders)


def sum_of(hits: list[Hit], rest: float = REST) -> float:
    """Best unit + `rest` of the second and third; `hits` are best first."""
    return (hits[0].score if hits else 0.0) + rest * sum(hit.score for hit in hits[1:3])

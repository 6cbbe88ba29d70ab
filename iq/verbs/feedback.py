"""`iq feedback`, `iq learn`: marks on answers, and what the weights of an intent can learn from them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iq.errors import UsageError
from iq.index import journal, learned
from iq.index.journal import Mark
from iq.index.live import locate
from iq.index.session import Session
from iq.plan import intents as shipped
from iq.plan import learning
from iq.plan.learning import Judged
from iq.types import Answer, Chosen, Coverage, Query, Ranking, Request
from iq.verbs import intents

_ANCHOR = re.compile(r"^(?P<path>.+?)(?::(?P<start>\d+)(?:-(?P<end>\d+))?)?$")

# Queries of one intent that are asked again to learn from; the newest (queries).
ASKED = 200


def give(session: Session, request: Request) -> Answer:
    """Marks places of the last answer, or of that to `--query`. Raises UsageError where it is not clear of which question."""
    last = journal.queries(session.workspace)[-1:]
    query = str(request.options.get("query") or (last[0].query if last else ""))
    if not query:
        raise UsageError("no question is logged here; say which one was answered with --query 'words'")
    same = next((one for one in reversed(journal.queries(session.workspace)) if one.query == query), None)
    intent = str(request.options.get("intent") or (same.intent if same else ""))
    if not intent:
        raise UsageError(f"the question '{query}' ran without an intent; say which it was for with --intent NAME ({', '.join(intents.known(session))})")
    intent = intents.resolve(session, intent)
    if not journal.fit(query):
        raise UsageError("this question is not kept: it is long, or names a place or a value that never surfaces; ask it in other words")
    useful = not request.options.get("not_useful")
    marks = [Mark(query, intent, _anchor(session, word), useful) for word in request.words]
    turned = journal.mark(session.workspace, marks)
    note = f"{len(marks)} {'mark' if len(marks) == 1 else 'marks'} {'useful' if useful else 'not useful'} for '{query}' under {intent}"
    if turned:
        note += f"; {turned} contradicted an earlier mark and replaced it"
    return Answer("feedback", request.text, "intents", (), len(marks), 0, Coverage(), (note,), unit="")


def _anchor(session: Session, word: str) -> str:
    match = _ANCHOR.match(word)
    assert match is not None
    path = locate(session.root, session.cwd, match["path"])
    if match["start"] is None:
        return path
    return f"{path}:{match['start']}-{match['end'] or match['start']}"


def learn(session: Session, request: Request) -> Answer:
    """Learns λ and β of each intent that has marks, or of those named."""
    marks = journal.marks(session.workspace)
    names = list(dict.fromkeys(intents.resolve(session, word) for word in request.words)) or sorted({mark.intent for mark in marks})
    in_force = learned.weights(session.workspace)
    rows, new = [], dict(in_force)
    there = intents.known(session)
    for name in names:
        if name not in there:
            rows.append(f"{name}: there is no such intent any more")
            continue
        weights = shipped.weights_of(Chosen(name, "declared"))
        outcome = learning.learn(_judged(session, name, [mark for mark in marks if mark.intent == name], request.features), weights.prior, weights.evidence)
        if outcome.factors is None:
            rows.append(f"{name}: nothing learned; {outcome.why}")
            continue
        new[name] = (weights.prior * outcome.factors[0], weights.evidence * outcome.factors[1])
        rows.append(
            f"{name}: λ {weights.prior:.2f} to {new[name][0]:.2f}, β {weights.evidence:.2f} to {new[name][1]:.2f} from {outcome.queries} queries; "
            f"mean reciprocal rank {outcome.before:.3f} to {outcome.after:.3f}; {outcome.why}"
        )
    if new != in_force:
        learned.save(session.workspace, new)
        rows.append("`iq intent revert` takes this back")
    if not names:
        rows.append("no marks yet; `iq feedback ANCHOR` after an answer gives one")
    return Answer("learn", request.text, "intents", (), len(rows), 0, Coverage(), (), tuple(rows), unit="")


def _judged(session: Session, name: str, marks: Sequence[Mark], features: frozenset[str]) -> list[Judged]:
    """Each marked query asked again with shipped weights; one entry a query whatever its marks."""
    from iq.plan import pipeline
    from iq.plan.classify import classify
    from iq.plan.route import route
    from iq.types import Scope

    store, _ = session.level()
    by_query: dict[str, list[Mark]] = {}
    for mark in marks:
        by_query.setdefault(" ".join(mark.query.lower().split()), []).append(mark)
    found = []
    for given in list(by_query.values())[-ASKED:]:
        query = Query("prose", given[-1].query, classify(given[-1].query).identifiers)
        chosen = intents.with_facts(session, Chosen(name, "declared"), weights=False)
        ranking = pipeline.run(store, route(query, Scope(), features, chosen), session.rows)
        found.append(Judged(given[-1].query, _candidates(ranking, given)))
    return found


def _candidates(ranking: Ranking, marks: Sequence[Mark]) -> tuple[tuple[float, float, float, int], ...]:
    places = []
    for mark in marks:
        match = _ANCHOR.match(mark.anchor)
        assert match is not None
        start = int(match["start"] or 0)
        places.append((match["path"], start, int(match["end"] or start) if start else 1 << 60, 1 if mark.useful else -1))
    rows = []
    for chunk in ranking.chunks:
        told = [sign for path, start, end, sign in places if path == chunk.path and chunk.start <= end and start <= chunk.end]
        rows.append((chunk.boosts["base z"], chunk.boosts["log p"], chunk.boosts["evidence"], 1 if 1 in told else -1 if told else 0))
    return tuple(rows)

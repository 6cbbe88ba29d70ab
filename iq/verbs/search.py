"""`iq "…"`: a question of any kind, classified, routed, ranked."""

from __future__ import annotations

import os

from iq.frozen import replace
from iq.index import journal
from iq.index.grep import Pattern, search
from iq.index.scope import matcher
from iq.index.session import Session
from iq.plan import pipeline
from iq.plan.classify import classify
from iq.plan.legs import paths
from iq.plan.route import NONE, route
from iq.types import Answer, Candidate, Coverage, Item, Line, Plan, Query, Ranking, Request
from iq.verbs import definitions, intents
from iq.verbs.window import after, dress

# A question longer than this is cut before it is taken apart (characters): pasted logs repeat themselves.
MAX_QUERY = 20_000

# Spans that are printed of one answer; more are only anchors.
SPANS = 40


def run(session: Session, request: Request) -> Answer:
    answer = _run(session, request)
    if not request.options.get("no_log") and not request.output.after and not os.environ.get("IQ_NO_LOG"):
        journal.note(session.workspace, journal.Asked(request.text, answer.intent.partition(" ")[0]))
    return answer


def _run(session: Session, request: Request) -> Answer:
    query = classify(request.text[:MAX_QUERY])
    scope = session.resolved(request.scope)
    request = replace(request, scope=scope)
    named = intents.named(session, request.features, request.options.get("intent"))
    if query.kind == "symbol" and named is not None and named.name not in (NONE, "implement"):
        query = classify_as_prose(query)  # a name under such an intent asks for what speaks of it, not for its definition
    cut: tuple[str, ...] = (f"the question was cut to its first {MAX_QUERY} characters",) if len(request.text) > MAX_QUERY else ()
    exact = {"path": _path, "symbol": _symbol, "regex": _regex}.get(query.kind)
    if exact and (answer := exact(session, request, query)) is not None:
        return answer
    if exact:
        shown = query.text if len(query.text) <= 60 else query.text[:60] + "…"
        cut += (f"no {query.kind} '{shown}' here, so it was read as prose",)
        query = classify_as_prose(query)
    store, level = session.level()
    plan = route(query, scope, request.features, intents.choose(session, store, query.text, request.features, named))
    ranking = pipeline.run(store, plan, session.rows)
    return _answer(session, request, plan, ranking, (*cut, *intents.lacking(store, plan.intent), *level.notes), level.coverage)


def classify_as_prose(query: Query) -> Query:
    return Query("prose", query.text, query.identifiers)


def _path(session: Session, request: Request, query: Query) -> Answer | None:
    _, level = session.level()
    inside = matcher(request.scope)
    files = [path for path in level.tree.paths if inside(path, None, None)]
    found = paths.exact(files, query.text) if "*" in query.text else [path for score, path in paths.fuzzy(files, query.text) if score >= 2]
    if not found:
        return None
    items = [Item(path, 0, 0) for path in found]
    return Answer("search", query.text, "path", tuple(after(items, request.output)), len(items), len(items), level.coverage, level.notes, unit="files")


def _symbol(session: Session, request: Request, query: Query) -> Answer | None:
    """Definitions first, then every other place by rank."""
    found = definitions.define(session, replace(request, words=(query.text,), output=replace(request.output, after=None)))
    if not found.items:
        return None
    store, level = session.level()
    plan = route(query, request.scope, request.features, intents.named(session, request.features, request.options.get("intent")))
    ranking = pipeline.run(store, plan, session.rows)
    known = {(item.path, item.start) for item in found.items}
    first = [_with_body(session, item) for item in found.items[:5]] + list(found.items[5:])
    rest = [_item(session, c) for c in ranking.chunks[:SPANS] if (c.path, c.start) not in known]
    items = after([*first, *rest], request.output)
    files = len({item.path for item in (*first, *rest)})
    return Answer(
        "search",
        query.text,
        "symbol",
        tuple(items),
        len(first) + len(rest),
        files,
        level.coverage,
        level.notes,
        ranked=True,
        plan=_explain(plan, ranking) if request.output.explain else "",
        intent=intents.said(plan.intent),
    )


def _regex(session: Session, request: Request, query: Query) -> Answer | None:
    found = search(session.root, Pattern(query.text), matcher(request.scope), request.scope.ignored, session.workspace.tracked, request.scope.within)
    if not found.matches:
        return None
    from iq.verbs import find

    return replace(find.run(session, replace(request, words=(query.text,), verb="find")), verb="search", kind="regex")


def _answer(session: Session, request: Request, plan: Plan, ranking: Ranking, notes: tuple[str, ...], coverage: Coverage) -> Answer:
    spans = list(ranking.chunks)
    # The best span of each of the first files comes before a second span of any.
    firsts, seen = [], set()
    for candidate in ranking.files:
        best = next((c for c in spans if c.path == candidate.path), candidate)
        if best.path not in seen:
            seen.add(best.path)
            firsts.append(best)
    # Not under an intent: a changelog's entries are places of their own.
    firsts = firsts[:10] if plan.intent is None else []
    heads = {(c.path, c.start, c.end) for c in firsts}
    order = firsts + [c for c in spans if (c.path, c.start, c.end) not in heads]
    bare = [Item(c.path, c.start, c.end, _label(c), _why(c)) for c in order]
    dressed = dress(after(bare, request.output), request.output, lambda item: _with_body(session, item))
    bare_only = request.output.files_only or request.output.count
    shown = [item for item in dressed if item.lines or item.start == 0 or len(dressed) > SPANS or bare_only]
    explain = _explain(plan, ranking) if request.output.explain else ""
    said, beside = intents.said(plan.intent), intents.beside(session, plan.intent)
    total, files = len(bare), len(ranking.files)
    return Answer("search", request.text, plan.query.kind, tuple(shown), total, files, coverage, notes, ranked=True, plan=explain, intent=said, related=beside)


def _item(session: Session, candidate: Candidate) -> Item:
    return _with_body(session, Item(candidate.path, candidate.start, candidate.end, _label(candidate), _why(candidate)))


def _with_body(session: Session, item: Item) -> Item:
    if item.start == 0:
        return item
    rows = session.rows(item.path)
    return replace(item, lines=tuple(Line(n, rows[n - 1]) for n in range(item.start, min(item.end, len(rows)) + 1)))


def _label(candidate: Candidate) -> str:
    return f"{candidate.symbol} ({candidate.kind})" if candidate.symbol else ""


def _why(candidate: Candidate) -> str:
    return ", ".join(f"{leg} rank {rank}" for leg, rank in candidate.ranks.items())


def _explain(plan: Plan, ranking: Ranking) -> str:
    rows = [f"plan: {plan.query.kind} · legs {', '.join(plan.legs)} · features {', '.join(sorted(plan.features))}"]
    if plan.intent is not None:
        rows[0] += f" · intent {intents.said(plan.intent)}"
        for at, c in enumerate(ranking.chunks[:20], 1):
            factors = ", ".join(f"{name} {value:+.3f}" for name, value in c.boosts.items())
            rows.append(f"{at:3} {c.score:+.4f} {c.path}:{c.start}-{c.end} · {_why(c)} · class {c.file_class}, {factors}")
        return "\n".join(rows)
    for at, c in enumerate(ranking.files[:20], 1):
        factors = ", ".join(f"{name} {value:.3f}" for name, value in c.boosts.items())
        rows.append(f"{at:3} {c.score:.4f} {c.path} · {_why(c)} · {factors}")
    return "\n".join(rows)

"""`iq "…"`: a question of any kind, classified, routed, ranked."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from iq.frozen import replace
from iq.index import journal
from iq.index.grep import Pattern, search
from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.store import Store
from iq.index.text import decodable
from iq.plan import pipeline
from iq.plan.classify import MAX_PASTE, MAX_QUERY, classify
from iq.plan.legs import paths
from iq.plan.route import NONE, route
from iq.types import Answer, Candidate, Chosen, Coverage, Item, Line, Plan, Query, Ranking, Request
from iq.verbs import definitions, intents, near
from iq.verbs.explain import explain, legs
from iq.verbs.window import after, dress

# Spans that are printed of one answer; more are only anchors.
SPANS = 40

# Files without a span among which a place may be: what only the path leg knows.
FILES = 10

# Worth of each further span of a file when it is printed. Shown with code at 500 / 1,000 / 2,000 tokens, semble (whole files) and
# octocode (definitions): .778 .905 .955 and .542 .726 .820; at 1 .772 .888 .947 and .546 .741 .828; every file's best span before a
# second of any .795 .916 .961 and .475 .608 .659.
REPEAT = 0.9


def run(session: Session, request: Request) -> Answer:
    answer = answered(session, request)
    if not request.options.get("no_log") and not request.output.after and not os.environ.get("IQ_NO_LOG"):
        journal.note(session.workspace, journal.Asked(request.text, answer.intent.partition(" ")[0]))
    if not answer.ranked or request.output.count or request.output.files_only:
        return answer
    from iq.verbs.related import related

    return replace(answer, related=(*answer.related, *related(session, answer)))


def answered(session: Session, request: Request) -> Answer:
    query = classify(request.text)
    scope = session.resolved(request.scope)
    request = replace(request, scope=scope)
    limit = MAX_PASTE if query.kind == "artefact" else MAX_QUERY
    cut: tuple[str, ...] = (f"the question was cut to its first {limit} characters",) if len(request.text) > limit else ()
    named = intents.named(session, request.features, request.options.get("intent"))
    if query.kind == "artefact":
        return _artefact(session, request, query, cut, named)
    if query.kind == "symbol" and named is not None and named.name not in (NONE, "implement"):
        query = classify_as_prose(query)  # a name under such an intent asks for what speaks of it, not for its definition
    exact = {"path": _path, "symbol": _symbol, "regex": _regex, "literal": _regex}.get(query.kind)
    if exact and (answer := exact(session, request, query)) is not None:
        return answer
    hint = ""
    if exact:
        shown = query.text if len(query.text) <= 60 else query.text[:60] + "…"
        cut += (f"no {query.kind} '{shown}' here, so it was read as prose",)
        hint = _near(session, request, query)
        query = classify_as_prose(query)
    store, level = session.level()
    plan = route(query, scope, request.features, intents.choose(session, store, query.text, request.features, named))
    ranking = _ranking(session, store, plan)
    nothing = () if level.coverage.searched else (f"no file to search in {session.root}; --root DIR or IQ_ROOT names another workspace",)
    notes = (*cut, *nothing, *intents.lacking(store, plan.intent), *level.notes, *ranking.notes)
    answer = _answer(session, request, plan, ranking, notes, level.coverage)
    # A slip in one name or path says more about a weak answer than which of its parts occur.
    return replace(answer, hint=hint) if hint else answer


def _near(session: Session, request: Request, query: Query) -> str:
    """The hint for a name or a path that is not here; empty where nothing is near it."""
    store, level = session.level()
    if query.kind == "symbol":
        return near.names(store.names(), query.text)
    if query.kind == "path" and "*" not in query.text:
        inside = matcher(request.scope)
        return near.files((path for path in level.tree.paths if inside(path, None, None)), query.text)
    return ""


def classify_as_prose(query: Query) -> Query:
    return Query("prose", query.text, query.identifiers)


def _path(session: Session, request: Request, query: Query) -> Answer | None:
    _, level = session.level()
    inside = matcher(request.scope)
    files = [path for path in level.tree.paths if inside(path, None, None)]
    found = paths.exact(files, query.text) if "*" in query.text else [path for score, path in paths.fuzzy(files, query.text) if score >= 2]
    if not found and "/" in query.text and "*" not in query.text:
        # A path of another machine or a container.
        from iq.plan.artefacts.paste import frame
        from iq.plan.artefacts.resolve import resolve

        found = [place.path for place in resolve(session, (frame(query.text),), request.scope).places]
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
        plan=explain(store, plan, ranking) if request.output.explain else "",
        intent=intents.said(plan.intent),
        verdict=("confident" if found.files == 1 else "ambiguous") if "verdict" in plan.features else "",
    )


def _regex(session: Session, request: Request, query: Query) -> Answer | None:
    if decodable(query.text) != query.text:
        return None  # no pattern: bytes that are no UTF-8 stand in no line
    literal = query.kind == "literal"
    pattern = Pattern(query.text, literal)
    scope = request.scope
    found = search(session.root, pattern, matcher(scope), scope.ignored, session.workspace.tracked, scope.within, session.rules(scope.ignored))
    if not found.matches:
        return None
    from iq.verbs import find

    answer = find.run(session, replace(request, words=(query.text,), verb="find", options={"literal": literal}))
    return replace(answer, verb="search", kind=query.kind)


def _artefact(session: Session, request: Request, query: Query, notes: tuple[str, ...], intent: Chosen | None) -> Answer:
    """The places a paste names, then what its words rank."""
    from iq.verbs import pasted

    named, found, verdict = pasted.places(session, query, request.scope)
    plan = route(query, request.scope, request.features, intent)
    store, level = session.level()
    shown = query.title if query.title not in ("place", "code") else " ".join(request.text.split())[:200]
    request = replace(request, words=(shown,))
    if query.title == "place" and named:
        items = after(named, request.output)
        return Answer("search", shown, "place", tuple(items), len(named), len({i.path for i in named}), level.coverage, level.notes, ranked=True, unit="places")
    kind = "artefact" if named or query.title != "place" else "prose"
    ranking = _ranking(session, store, plan)
    notes = (*notes, *found, *intents.lacking(store, plan.intent), *level.notes, *ranking.notes)
    answer = _answer(session, request, plan, ranking, notes, level.coverage, named, kind)
    return replace(answer, verdict=verdict) if "verdict" in plan.features else answer


def _ranking(session: Session, store: Store, plan: Plan) -> Ranking:
    """What the words rank; whatever vectors are missing is made behind."""
    intents.level(session, store, plan.intent)
    ranking = pipeline.run(store, plan, session.rows)
    if "vectors" in plan.legs:
        session.embed_behind()
    return ranking


def _answer(
    session: Session, request: Request, plan: Plan, ranking: Ranking, notes: tuple[str, ...], coverage: Coverage, named: Sequence[Item] = (), kind: str = ""
) -> Answer:
    # Not under an intent: a changelog's entries are places of their own.
    order = _spread(ranking, REPEAT if "pack" in plan.features else 1.0) if plan.intent is None else ranking.chunks
    ranked = [Item(c.path, c.start, c.end, _label(c), _why(c)) for c in order]
    # A span that holds a named line would say the same a second time.
    known = {(item.path, line.number) for item in named for line in item.lines if line.hit}
    bare = [*named, *(item for item in ranked if not any(path == item.path and item.start <= line <= item.end for path, line in known))]
    opened: set[tuple[str, int]] = set()
    gone: set[str] = set()  # spans whose lines ceased to exist meanwhile; those beyond the window have none either, and are still to come

    def made(item: Item) -> Item:
        body = item if item.lines else _with_body(session, item, opened)
        if not body.lines and body.start:
            gone.add(body.anchor)
        return body

    dressed = dress(after(bare, request.output), request.output, made)
    shown = [item for item in dressed if item.anchor not in gone]
    store, _ = session.level()
    why = explain(store, plan, ranking) if request.output.explain else ""
    docs = _docs(ranking) if not request.scope.only and plan.intent is None else ""
    said, beside = intents.said(plan.intent), intents.beside(session, plan.intent)
    files = len({candidate.path for candidate in ranking.files} | {item.path for item in named})
    kind = kind or plan.query.kind
    answer = Answer(
        "search", request.text, kind, tuple(shown), len(bare), files, coverage, notes, ranked=True, plan=why, docs=docs, intent=said, related=beside
    )
    return replace(answer, verdict=ranking.verdict, hint=ranking.hint)


def _spread(ranking: Ranking, repeat: float) -> list[Candidate]:
    """Spans by worth, each further one of a file at `repeat` of its own, and files that have none: a reader wants places, not one file.

    A confident verdict is about the first file, so that one's best span comes first.
    """
    known = {candidate.path for candidate in ranking.chunks}
    listed: Counter[str] = Counter()
    worth: list[tuple[tuple[float, str, int], Candidate]] = []
    for candidate in (*ranking.chunks, *(file for file in ranking.files[:FILES] if file.path not in known)):
        worth.append(((-candidate.score * repeat ** listed[candidate.path], candidate.path, candidate.start), candidate))
        listed[candidate.path] += 1
    order = [candidate for _, candidate in sorted(worth, key=lambda row: row[0])]
    if ranking.verdict == "confident":
        first = next(candidate for candidate in order if candidate.path == ranking.files[0].path)
        order = [first, *(candidate for candidate in order if candidate is not first)]
    return order


def _explains_nothing(path: str) -> bool:
    """Whether a document is no text about the code: a licence, a list of names, a drawing."""
    name = path.rpartition("/")[2].lower()
    return name.startswith(("license", "licence", "copying", "notice", "authors", "patents")) or name.endswith(".svg")


def _docs(ranking: Ranking) -> str:
    """The best place in the documents, where the answer is none itself."""
    best = next((c for c in ranking.files if c.file_class == "docs" and not _explains_nothing(c.path)), None)
    if best is None or best.path == ranking.files[0].path:
        return ""
    span = next((c for c in ranking.chunks if c.path == best.path), best)
    return " · ".join(part for part in (Item(span.path, span.start, span.end).anchor, span.symbol) if part)


def _item(session: Session, candidate: Candidate) -> Item:
    return _with_body(session, Item(candidate.path, candidate.start, candidate.end, _label(candidate), _why(candidate)))


def _with_body(session: Session, item: Item, opened: set[tuple[str, int]] | None = None) -> Item:
    """An item with its live lines. A span from inside a definition has the line that names it before them, once for all in `opened`."""
    if item.start == 0:
        return item
    rows = session.rows(item.path)
    lines = [Line(n, rows[n - 1]) for n in range(item.start, min(item.end, len(rows)) + 1)]
    if opened is not None and lines and (symbol := session.enclosing(item.path, item.start)):
        if symbol.name_line < item.start and (item.path, symbol.name_line) not in opened:
            lines.insert(0, Line(symbol.name_line, rows[symbol.name_line - 1], hit=False))
        opened.add((item.path, symbol.name_line))
    return replace(item, lines=tuple(lines))


def _label(candidate: Candidate) -> str:
    return f"{candidate.symbol} ({candidate.kind})" if candidate.symbol else ""


def _why(candidate: Candidate) -> str:
    copies = candidate.twins
    twins = "" if not copies else f"twin {copies[0]}" if len(copies) == 1 else f"{len(copies)} twins, {copies[0]} first"
    return " · ".join(part for part in (legs(candidate), twins) if part)

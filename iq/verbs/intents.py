"""`iq intent`: which purposes are there, which one is in use, and which one does a question betray?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from iq.errors import IndexBusyError, UsageError
from iq.index import journal, learned
from iq.index.session import Session
from iq.index.store import Store
from iq.index.text import quoted
from iq.index.workspace import prepare
from iq.plan import authored, cues, suggest
from iq.plan.intents import ALIASES, BUILT_IN
from iq.plan.route import NONE
from iq.plan.rules import tests
from iq.types import Answer, Chosen, Coverage, Intent, Request

# The intent of a working session, one name in this file of the local folder.
SESSION = "intent"

AUTO = "auto"


def known(session: Session) -> dict[str, Intent]:
    """Built-in and authored intents by name. Raises UsageError where the authored ones break a rule."""
    return {**BUILT_IN, **authored.load(session.root)}


def resolve(session: Session, name: str, undo: str = "") -> str:
    """The name of an intent as it is known here, other words for the same purpose taken too. Raises UsageError for none."""
    name = ALIASES.get(name, name)
    if name not in BUILT_IN and name not in (there := known(session)):
        raise UsageError(f"unknown intent '{name}'{undo}; known: {', '.join(there)}, {NONE}, {AUTO}")
    return name


def named(session: Session, features: frozenset[str], given: object) -> Chosen | None:
    """The intent that was declared: by the call, else IQ_INTENT, else `iq intent use`. Raises UsageError for one that is not known.

    A declared `auto` undoes what stands behind it, so that the question's words decide.
    """
    if "intent" not in features:
        return None
    sources = (("declared", str(given) if given else ""), ("environment", os.environ.get("IQ_INTENT", "").strip()), ("session", in_use(session)))
    name, how = next(((name, how) for how, name in sources if name), ("", ""))
    if not name or name == AUTO:
        return None
    if name == NONE:
        return Chosen(name, how)
    undo = {"declared": "", "environment": " (from IQ_INTENT)", "session": " (from `iq intent use`; `iq intent use auto` undoes it)"}[how]
    return with_facts(session, Chosen(resolve(session, name, undo), how))


def with_facts(session: Session, chosen: Chosen, weights: bool = True) -> Chosen:
    """A declared intent with what its ranking needs to know: its own definition, what was learned here, the change under review."""
    lens = None if chosen.name in BUILT_IN else known(session)[chosen.name]
    mine = learned.weights(session.workspace).get(chosen.name) if weights else None
    if chosen.name != "review":
        return replace(chosen, lens=lens, weights=mine)
    change = session.change()
    return replace(chosen, weights=mine, touched=change.spans, near=change.near, why=change.what)


def choose(session: Session, store: Store, text: str, features: frozenset[str], declared: Chosen | None) -> Chosen | None:
    """The declared intent, else the one that the question's words betray here, else None."""
    if declared is not None or "intent" not in features:
        return declared
    return cues.infer(text, lambda term: at_home(store, term))


def at_home(store: Store, term: str) -> bool:
    """Whether names of this code base are made of the term, so that its use says nothing about a purpose."""
    limit = max(cues.AT_LEAST, int(cues.AT_HOME * store.count("chunks")))
    rows = store.db.execute(
        "SELECT c.symbol, c.kind FROM chunk_terms t JOIN chunks c ON c.id = t.rowid JOIN files f ON f.id = t.rowid >> 16 "
        "WHERE chunk_terms MATCH ? AND f.class = 'src' LIMIT ?",
        (f'symbols : "{term}"', 20 * limit),
    )
    return sum(not tests(str(symbol), str(kind)) for symbol, kind in rows) >= limit


def said(chosen: Chosen | None) -> str:
    """An intent as an answer's header names it, with who chose it."""
    if chosen is None:
        return ""
    if chosen.name == "review":
        return f"review of {chosen.why}"
    how = {"declared": "declared", "environment": "from IQ_INTENT", "session": "in use", "inferred": f"inferred from '{chosen.why}'"}[chosen.how]
    return f"{chosen.name} ({how})"


def level(session: Session, store: Store, chosen: Chosen | None) -> None:
    """Brings the affinities of authored intents level with vectors and texts; where somebody else writes, those that are there serve."""
    if chosen is None or chosen.lens is None:
        return
    from iq.index.lock import writing
    from iq.index.vectors.table import VectorsUnavailable
    from iq.models.files import ModelError
    from iq.plan import affinities

    try:
        with writing(os.path.join(session.workspace.local, "lock"), wait=False):
            affinities.level(store, list(known(session).values()))
    except (IndexBusyError, ModelError, VectorsUnavailable):
        return


def lacking(store: Store, chosen: Chosen | None) -> tuple[str, ...]:
    """What a ranking under an authored intent could not use."""
    if chosen is None or chosen.lens is None or store.count("lenses"):
        return ()
    told = [word for word, has in (("classes", chosen.lens.classes), ("globs", chosen.lens.globs), ("patterns", chosen.lens.patterns)) if has]
    return (f"no vectors here: intent {chosen.name} ranks by {', '.join(told) or 'nothing, as it has no classes, globs or patterns'}, not by its texts",)


def beside(session: Session, chosen: Chosen | None) -> tuple[str, ...]:
    """What an answer says beside its places: of a review the extent of the change, what changes with it and whose it is."""
    if chosen is None or chosen.name != "review":
        return ()
    change = session.change()
    files = len({path for path, _, _ in change.spans})
    rows = [f"changed: {len(change.spans)} {'place' if len(change.spans) == 1 else 'places'} in {files} {'file' if files == 1 else 'files'}"]
    if change.near:
        rows.append("changes with: " + " · ".join(change.near[:5]))
    if change.owners:
        rows.append("owners: " + ", ".join(f"{name} ({count} {'commit' if count == 1 else 'commits'})" for name, count in change.owners))
    return tuple(rows)


def in_use(session: Session) -> str:
    try:
        with open(os.path.join(session.workspace.local, SESSION), encoding="utf-8", errors="replace") as file:
            return file.read(200).strip()
    except OSError:
        return ""


def run(session: Session, request: Request) -> Answer:
    action, *words = request.words or ("list",)
    if action not in ACTIONS:
        raise UsageError(f"unknown action '{action}'; known: {', '.join(ACTIONS)}")
    return ACTIONS[action](session, request, words)


def _list(session: Session, request: Request, words: Sequence[str]) -> Answer:
    used = in_use(session)
    rows = []
    for name, intent in known(session).items():
        source = "" if name in BUILT_IN else f" ({authored.FILE})"
        rows.append(f"{'*' if name == used else ' '} {name:12} {intent.description or '; '.join(intent.exemplars[:2])}{source}")
    note = f"in use: {used}; `iq intent use auto` undoes it" if used else "none in use; the words of a question may betray one"
    return _told(request, rows, note)


def _show(session: Session, request: Request, words: Sequence[str]) -> Answer:
    intent = _one(session, words)
    rows = [f"{key}: {value if isinstance(value, str) else ' · '.join(value)}" for key in Intent.__slots__ if (value := getattr(intent, key))]
    if intent.name in cues.CUES:
        rows.append(f"cues: {cues.CUES[intent.name].pattern}")
    return _told(request, rows, "built in" if intent.name in BUILT_IN else authored.FILE)


def _use(session: Session, request: Request, words: Sequence[str]) -> Answer:
    if len(words) != 1:
        raise UsageError(f"iq intent use takes one name; known: {', '.join(known(session))}, {NONE}, {AUTO}")
    if words[0] not in (NONE, AUTO):
        words = [resolve(session, words[0])]
    prepare(session.workspace)
    path = os.path.join(session.workspace.local, SESSION)
    if words[0] == AUTO:
        if os.path.exists(path):
            os.unlink(path)
        return _told(request, (), "no intent in use; the words of a question may betray one")
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(words[0] + "\n")
    os.replace(path + ".new", path)
    return _told(request, (), f"intent {words[0]} in use here until `iq intent use auto`")


def _add(session: Session, request: Request, words: Sequence[str]) -> Answer:
    if len(words) != 1:
        raise UsageError("iq intent add takes one name; for example iq intent add security --description 'what an attacker could reach' --only src")
    given = request.options
    intent = Intent(
        words[0],
        str(given.get("description") or ""),
        _texts(given.get("exemplar")),
        str(given.get("instruction") or ""),
        request.scope.only,
        request.scope.globs,
        _texts(given.get("pattern")),
    )
    authored.add(session.root, intent)
    return _told(request, (), f"intent {intent.name} is in {authored.FILE}; ask with --intent {intent.name}")


def _rm(session: Session, request: Request, words: Sequence[str]) -> Answer:
    if len(words) != 1:
        raise UsageError("iq intent rm takes one name")
    if words[0] in BUILT_IN:
        raise UsageError(f"intent '{words[0]}' is built in and stays; leave it out of one call with --intent none")
    authored.remove(session.root, words[0])
    undone = ""
    if in_use(session) == words[0]:
        os.unlink(os.path.join(session.workspace.local, SESSION))
        undone = "; it was in use and no longer is"
    return _told(request, (), f"intent {words[0]} is out of {authored.FILE}{undone}")


def _explain(session: Session, request: Request, words: Sequence[str]) -> Answer:
    """Which intent a question would run under, and the first place under each."""
    from iq.plan import pipeline
    from iq.plan.classify import classify
    from iq.plan.route import route
    from iq.types import Query

    text = " ".join(words)
    if not text.strip():
        raise UsageError('iq intent explain needs a question; for example iq intent explain "why does the parser crash"')
    store, _ = session.level()
    scope = session.resolved(request.scope)
    query = Query("prose", text, classify(text).identifiers)
    chosen = choose(session, store, text, request.features, named(session, request.features, None))
    rows = []
    for name in known(session):
        declared = with_facts(session, Chosen(name, "declared"))
        ranking = pipeline.run(store, route(query, scope, request.features, declared), session.rows)
        first = ranking.chunks[0] if ranking.chunks else None
        where = f"{first.path}:{first.start}-{first.end} {first.symbol}" if first else "–"
        rows.append(f"{'*' if chosen and chosen.name == name else ' '} {name:12} {where}")
    fired = [f"{name} by '{match.group()}'" for name, rule in cues.CUES.items() if (match := rule.search(text))]
    note = f"would run under {said(chosen)}" if chosen else "would run without an intent"
    if fired and chosen is None:
        note += f"; cues: {', '.join(fired)}, but more than one, or a word of theirs is part of many names here"
    return _told(request, rows, note)


def _suggest(session: Session, request: Request, words: Sequence[str]) -> Answer:
    """Groups of logged questions that ran without an intent, as commands that would make each an intent."""
    asked = [one.query for one in journal.queries(session.workspace) if not one.intent]
    groups = suggest.groups(asked, taken=set(known(session)) | set(ALIASES))
    rows = []
    for group in groups:
        exemplars = " ".join(f"--exemplar {quoted(query)}" for query in group.queries[: suggest.EXEMPLARS])
        rows.append(f"{group.name}: {len(group.queries)} questions about {', '.join(group.words)}")
        rows.append(f"  iq intent add {group.name} --description {quoted('questions about ' + ', '.join(group.words))} {exemplars}")
    note = f"{len(asked)} questions without an intent are logged" + ("" if groups else f"; no {suggest.SIZE} of them are alike")
    return _told(request, rows, note)


def _revert(session: Session, request: Request, words: Sequence[str]) -> Answer:
    left = learned.revert(session.workspace)
    if left is None:
        return _told(request, (), "nothing was learned here, so nothing is taken back")
    now = ", ".join(f"{name} λ {pair[0]:.2f} β {pair[1]:.2f}" for name, pair in left.items()) or "weights as shipped"
    return _told(request, (), f"the last learning is taken back; in force: {now}")


def _one(session: Session, words: Sequence[str]) -> Intent:
    there = known(session)
    if len(words) != 1 or words[0] not in there:
        raise UsageError(f"unknown intent '{' '.join(words)}'; known: {', '.join(there)}")
    return there[words[0]]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(row) for row in value) if isinstance(value, (list, tuple)) else ()


def _told(request: Request, rows: Sequence[str], note: str) -> Answer:
    return Answer("intent", " ".join(request.words), "intents", (), max(len(rows), 1), 0, Coverage(), (note,), tuple(rows), unit="")


ACTIONS = {"list": _list, "show": _show, "use": _use, "add": _add, "rm": _rm, "explain": _explain, "suggest": _suggest, "revert": _revert}

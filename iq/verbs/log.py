"""`iq log`: the commits that add or remove a text, the history of one definition, the history of one file."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace

from iq.errors import FlooredError, ScopeError, UsageError
from iq.floor.paths import floored
from iq.index.commits import Touch, counted, touches
from iq.index.globs import glob
from iq.index.lineage import of_definition, of_file
from iq.index.live import locate
from iq.index.patches import hunks, versions
from iq.index.pickaxe import Needle, pickaxe
from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.store import Store
from iq.index.when import since
from iq.plan.legs.symbols import lookup
from iq.types import Answer, Coverage, Item, Line, Request, Symbol
from iq.verbs.window import after, dress

# Lines of one change that are shown, unless --full; the others are counted.
LINES = 4


def run(session: Session, request: Request) -> Answer:
    from iq.index.repository import needed

    asked = request.options.get("since")
    repository = needed(session.root)
    start = since(str(asked), session.now, repository) if asked else None
    if not request.options.get("regex") and not request.options.get("text"):
        if os.path.isfile(os.path.join(session.root, request.text)) or (found := _definition(session, request)) is None:
            if (path := _path(session, request.text, start)) is not None:
                return _of_file(session, request, start, path)
        else:
            return _of_definition(session, request, start, *found)
    return _of_text(session, request, start)


def _of_text(session: Session, request: Request, start: int | None) -> Answer:
    needle = _needle(request)
    repository, store, filled = session.history(start)
    inside = _inside(session, request)
    candidates = [touch for touch in touches(store, start) if inside(touch.path)]
    found = pickaxe(repository, candidates, needle, session.progress)
    items = [Item(touch.path, 0, 0, "", "", (), touch.commit, touch.commit.sha) for touch in found]
    # A path and a commit name a change; its lines are looked up for the changes that can be shown.
    make = {(item.path, item.rev): touch for item, touch in zip(items, found, strict=True)}
    shown = dress(after(items, request.output), request.output, lambda item: _lines(session, make[item.path, item.rev], needle, request.output.full))
    notes = list(filled.notes)
    if (count := len({touch.commit.sha for touch in found})) > 1:
        notes.append(f"in {count} commits")
    return _answer(request, shown, items, store, start, notes, "regex" if needle.expression else "text")


def _needle(request: Request) -> Needle:
    if not request.options.get("regex"):
        return Needle(os.fsencode(request.text))
    try:
        return Needle(b"", re.compile(os.fsencode(request.text), re.MULTILINE))
    except re.error as error:
        raise UsageError(f"--regex '{request.text}' is no regular expression: {error}; without --regex it is taken as text") from error


def _inside(session: Session, request: Request):  # type: ignore[no-untyped-def]
    """A test of a path of history: scope and --path; the folders of --path need not exist any more."""
    test = matcher(session.resolved(request.scope))
    given = str(request.options.get("path") or "").strip("/").removeprefix("./")
    if given and (why := floored(given)):
        raise FlooredError(f"--path '{given}' never surfaces ({why})")
    rule = glob("/" + given if "/" not in given and not re.search(r"[*?[]", given) else given) if given else None
    return lambda path: (rule is None or rule.fullmatch(path) is not None) and test(path, None, None)


def _lines(session: Session, touch: Touch, needle: Needle, full: bool) -> Item:
    """The lines of a change that hold the needle; where it spans lines or only its count differs, the first lines of the change."""
    repository, _, _ = session.history()
    before, then = versions(repository, touch.commit.sha, touch.path, touch.old)
    signed = [row for hunk in hunks(before or b"", then or b"") for row in hunk.signed]
    hit = [row for row in signed if needle.holds(row[2])] or signed
    shown = hit if full else hit[:LINES]
    rows = tuple(Line(number, f"{sign} {text}") for sign, number, text in shown)
    why = (f"renamed from {touch.old}" if touch.old else "") + (f" … and {len(hit) - len(shown)} more lines" if len(hit) > len(shown) else "")
    # Without a line in its anchor: a cursor has to name it before its lines are looked up.
    return Item(touch.path, 0, 0, "", why.strip(), rows, touch.commit, touch.commit.sha)


def _definition(session: Session, request: Request) -> tuple[str, Symbol, int] | None:
    """The definition that the words name: `PATH::Name`, or a dotted name that is one; with how many others share it."""
    text = request.text.strip().removesuffix("()")
    if re.search(r"\s", text) or not ("::" in text or re.fullmatch(r"\w+(\.\w+)+", text)):
        return None
    store, _ = session.level()
    found = lookup(store, text, matcher(session.resolved(request.scope)))
    if not found and "::" in text and os.path.isfile(os.path.join(session.root, text.rpartition("::")[0])):
        path, _, name = text.rpartition("::")
        if why := floored(path):
            raise FlooredError(f"'{path}' never surfaces ({why})")
        raise ScopeError(f"'{path}' defines no '{name}' now; see `iq outline {path}`, or search its text with `iq log --text {name}`")
    return (*found[0], len(found) - 1) if found else None


def _of_definition(session: Session, request: Request, start: int | None, path: str, symbol: Symbol, others: int) -> Answer:
    repository, store, filled = session.history()
    items = []
    for step in of_definition(repository, store, path, symbol, start):
        # A hunk may reach beyond the definition: a new file is one.
        signed = [row for hunk in step.hunks for row in hunk.signed if row[0] == "-" or step.start <= row[1] <= step.end]
        rows = signed if request.output.full else signed[: LINES * 2]
        counts = f"+{sum(s == '+' for s, _, _ in signed)} −{sum(s == '-' for s, _, _ in signed)}" if signed else ""
        left = f"… and {len(signed) - len(rows)} more lines" if len(signed) > len(rows) else ""
        why = " ".join(part for part in (step.what, counts, left) if part)
        lines = (Line(step.start, f"  {symbol.qualified} {step.start}-{step.end}: {why}"), *(Line(number, f"{sign} {text}") for sign, number, text in rows))
        items.append(Item(step.path, step.start, step.end, "", "", lines, step.commit, step.commit.sha))
    notes = [*filled.notes, f"history of {path}::{symbol.qualified} ({symbol.kind}); --text searches the words instead"]
    if others:
        notes.append(f"{others} other definitions share the name; write PATH::Name for one of them")
    return _answer(request, after(items, request.output), items, store, start, notes, "definition")


def _path(session: Session, text: str, start: int | None) -> str | None:
    """A file of now or of some time that the words name."""
    if not text or "\n" in text or "\0" in text:
        return None
    if why := floored(text.strip("/")):
        raise FlooredError(f"'{text}' never surfaces ({why})")
    try:
        return locate(session.root, session.cwd, text)
    except ScopeError:
        pass
    if "/" not in text and "." not in text:
        return None
    _, store, _ = session.history(start)
    return text if next(touches(store, None, [text]), None) is not None else None


def _of_file(session: Session, request: Request, start: int | None, path: str) -> Answer:
    repository, store, filled = session.history(start)
    items = []
    for touch in of_file(store, path, start):
        lines = "binary" if touch.added is None else f"+{touch.added} −{touch.removed}"
        where = touch.path if touch.path != path else ""
        why = " · ".join(part for part in (lines, f"renamed from {touch.old}" if touch.old else "", where) if part)
        items.append(Item(touch.path, 0, 0, f"{_day(touch)} {touch.commit.author}: {touch.commit.subject}", why, (), touch.commit, touch.commit.sha))
    notes = list(filled.notes)
    if not session.file_exists(path):
        notes.append(f"'{path}' is not there any more")
    elif not items and repository.head:
        notes.append(f"no commit touches '{path}'" + (" in this time" if start else "; it is not committed, or came with a merge"))
    return _answer(request, after(items, request.output), items, store, start, notes, "file")


def _day(touch: Touch) -> str:
    from iq.index.when import day

    return day(touch.commit.time)


def _answer(request: Request, shown: Sequence[Item], items: Sequence[Item], store: Store, start: int | None, notes: Sequence[str], kind: str) -> Answer:
    held = counted(store, start)["held"]
    coverage = Coverage(0, {"changes of secrets": held} if held else {})
    files = len({item.path for item in items})
    answer = Answer("log", request.text, kind, tuple(shown), len(items), files, coverage, tuple(notes), unit="changes")
    return replace(answer, unit="commits") if kind == "file" else answer

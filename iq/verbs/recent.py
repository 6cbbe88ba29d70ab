"""`iq recent`: what changed lately, uncommitted work first, each hunk at its line of today."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from iq.index import live
from iq.index.commits import Touch, counted, touches
from iq.index.patches import Hunk, Shift, blob, hunks, versions
from iq.index.repository import Repository
from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.store import Store
from iq.index.uncommitted import uncommitted
from iq.index.walk import rules
from iq.index.when import age, since
from iq.types import Answer, Commit, Coverage, Item, Line, Output, Request
from iq.verbs.window import BYTES, LEAST, WIDTH, after, dress

# Without --since.
WINDOW = "14d"

# Hunks of one file and commit that are listed when no pattern chooses among them; the others are counted.
HUNKS = 3

# Changes (a file of a commit) up to which all of a window is taken apart, at 2 to 4 ms each. Of a wider one only what can be printed is.
WIDE = 1500

# A subject is cut here (characters): it stands behind a line of code.
SUBJECT = 60


@dataclass(frozen=True, slots=True)
class _Place:
    """A hunk at its line of today; `start` 0 where the file is gone."""

    path: str
    start: int
    text: str
    why: str
    commit: Commit | None


def run(session: Session, request: Request) -> Answer:
    now = session.now
    asked = request.options.get("since")
    wanted = _pattern(request)
    author = str(request.options.get("author") or "").lower()
    from iq.index.repository import needed

    repository = needed(session.root)
    start = since(str(asked or WINDOW), now, repository)
    repository, store, filled = session.history(start)
    scope = session.resolved(request.scope)
    test = matcher(scope)
    keep = rules(session.root, scope.ignored, session.workspace.tracked).keep

    def inside(path: str) -> bool:
        return keep(path) and test(path, None, None) and not live.linked(session.root, path)

    places, today = _work(session, repository, inside, wanted)
    if author:
        places = []
    changed = len(places)
    rows = list(touches(store, start))
    notes = list(filled.notes)
    if not rows and not asked and repository.head and not request.text:
        start, rows = _latest(store)
        notes.append(f"nothing was committed in {WINDOW}; these are the latest commits")
    elif not rows and (last := store.db.execute("SELECT time FROM commits ORDER BY time DESC LIMIT 1").fetchone()):
        notes.append(f"nothing was committed since {asked or WINDOW}; the last commit is {age(int(last[0]), session.now)} old")
    changes = list(_changes(rows, inside, author, today))
    contents: dict[str, bytes | None] = {}
    brought = (_brought(session, repository, row, path, wanted, contents) for row, path in changes)
    # The count of changes is known from their facts, that of hunks only once each is compared with its version before and with today's.
    wide = wanted is None and len(changes) > WIDE
    if wide:
        notes.append("hunks are taken apart as they are printed (--full: all of them), and not counted, nor how often a line had changed before")
        items, total, unit = _first(places, brought, changes, request.output, now), len(places) + len(changes), "changes"
    else:
        told: set[str] = set()
        items = [_item(place, now, told) for place in _once([*places, *(place for found in brought for place in found)])]
        total, unit = len(items), "hunks"
    if changed:
        notes.insert(0, f"uncommitted: {changed} hunk{'s' if changed > 1 else ''}")
    notes += _said(rows, author)
    shown = dress(after(items, request.output), request.output, lambda item: _dressed(session, item, request.output.context) if repository.work else item)
    held = counted(store, start)["held"]
    coverage = Coverage(0, {"changes of secrets": held} if held else {})
    query = request.text or f"since {asked or WINDOW}"
    return Answer("recent", query, "history", tuple(shown), total, len({item.path for item in items}), coverage, tuple(notes), unit=unit)


def _pattern(request: Request) -> Callable[[str], bool] | None:
    """A test of a changed line, or None where no pattern is asked for; case matters where the pattern has a capital."""
    if not request.text:
        return None
    flags = 0 if re.search("[A-Z]", request.text) else re.IGNORECASE
    try:
        rule = re.compile(request.text, flags)
    except re.error:
        rule = re.compile(re.escape(request.text), flags)
    return lambda line: rule.search(line) is not None


def _said(rows: list[Touch], author: str) -> list[str]:
    """Which authors an `--author` could have meant, where it met none."""
    if not author or any(_by(row.commit, author) for row in rows):
        return []
    names = list(dict.fromkeys(row.commit.author for row in rows))
    return [f"no commit of this time is by '{author}'" + (f"; there are: {', '.join(names[:8])}" if names else "")]


def _by(commit: Commit, author: str) -> bool:
    return author in commit.author.lower() or author in commit.email.lower()


def _latest(store: Store) -> tuple[int, list[Touch]]:
    """The files of the ten latest commits that changed some."""
    row = store.db.execute("SELECT min(time) FROM (SELECT time FROM commits WHERE files > 0 ORDER BY time DESC LIMIT 10)").fetchone()
    start = int(row[0]) - 1 if row and row[0] is not None else 0
    return start, list(touches(store, start))


def _work(session: Session, repository: Repository, inside: Callable[[str], bool], wanted: Callable[[str], bool] | None) -> tuple[list[_Place], dict[str, str]]:
    """Uncommitted hunks, and the path of today of each file that is renamed but not committed."""
    rows = [row for row in uncommitted(repository) if inside(row.path) or (row.old and inside(row.old))]
    renamed = {row.old: row.path for row in rows if row.old}
    unstaged = {row.old or row.path: Shift(row.hunks) for row in rows if row.state == "unstaged"}
    places: list[_Place] = []
    for row in rows:
        path = renamed.get(row.path, row.path) if row.state == "staged" else row.path
        state = row.state + ("" if row.status in ("modified", "untracked") else f", {row.status}") + (f" from {row.old}" if row.old else "")
        shift = unstaged.get(row.path) if row.state == "staged" else None
        found = row.hunks
        if row.status == "untracked":
            loaded = live.load(session.root, row.path)
            found = (Hunk(0, (), 1, tuple(loaded.content.split("\n"))),) if loaded and loaded.source else ()
            state += f", {loaded.content.count(chr(10))} lines" if loaded else ", no text"
        gone = row.status == "deleted" and not session.file_exists(path)
        places += _places(path, found, wanted, lambda line, shift=shift: shift.line(line)[0] if shift else line, state, None, gone)  # type: ignore[misc]
    return places, renamed


def _changes(rows: list[Touch], inside: Callable[[str], bool], author: str, renamed: dict[str, str]) -> Iterator[tuple[Touch, str]]:
    """Changes that are asked for, newest first, with the path of today; `renamed` leads to that of files renamed and not committed."""
    today = dict(renamed)
    known: dict[str, bool] = {}
    for row in rows:
        path = today.get(row.path, row.path)
        if row.old:
            today[row.old] = path
        if author and not _by(row.commit, author):
            continue
        if path not in known:
            known[path] = inside(path)
        if known[path]:
            yield row, path


def _brought(session: Session, repository: Repository, row: Touch, path: str, wanted: Callable[[str], bool] | None, contents: dict[str, bytes | None]
             ) -> list[_Place]:  # fmt: skip
    """The hunks of one change at their lines of today; `contents` keeps what files hold now."""
    if row.added is None:
        return [_Place(path, 0, "", "binary", row.commit)] if wanted is None else []
    before, then = versions(repository, row.commit.sha, row.path, row.old)
    if path not in contents:
        contents[path] = _now(session, repository, path)
    now = contents[path]
    shift: Shift | None = None

    def line(number: int) -> int:
        nonlocal shift
        if then is None or now is None:
            return 0
        if shift is None:
            shift = Shift(hunks(then, now, ends=False))
        return shift.line(number)[0]

    state = "deleted" if then is None else ("added" if before is None else "") + (f"renamed from {row.old}" if row.old else "")
    return list(_places(path, hunks(before or b"", then or b""), wanted, line, state, row.commit, now is None))


def _first(work: list[_Place], brought: Iterator[list[_Place]], changes: list[tuple[Touch, str]], output: Output, now: int) -> list[Item]:
    """Each line of today once, as far as `output` can show them; what is left of the changes follows as it is, a change an item."""
    told: set[str] = set()
    seen: set[tuple[str, int]] = set()
    items: list[Item] = []
    count, at = 0 if output.count or output.files_only else output.limit or 1 << 40, 0
    room = 1 << 40 if output.full else output.budget * BYTES
    behind = output.after is None
    group = work
    while True:
        for place in group:
            if (place.path, place.start) in seen:
                continue
            seen.add((place.path, place.start))
            items.append(item := _item(place, now, told))
            if behind:
                count, room = count - 1, room - max(LEAST * BYTES, min(len(place.text) + len(item.why), WIDTH))
            behind = behind or item.anchor == output.after
        if at == len(changes) or count <= 0 or room < 0:
            break
        group, at = next(brought), at + 1
    rest = (_Place(path, 0, "", "binary" if row.added is None else f"+{row.added} −{row.removed}", row.commit) for row, path in changes[at:])
    return [*items, *(_item(place, now, told) for place in rest)]


def _now(session: Session, repository: Repository, path: str) -> bytes | None:
    """A file's text as it is now: live, or in a bare repository that of HEAD."""
    if repository.work:
        loaded = live.load(session.root, path)
        return loaded.source if loaded else None
    import pygit2

    return blob(repository, repository.git[repository.head].peel(pygit2.Commit), path)


def _places(path: str, found: tuple[Hunk, ...] | list[Hunk], wanted: Callable[[str], bool] | None, now: Callable[[int], int], state: str,
            commit: Commit | None, gone: bool) -> Iterator[_Place]:  # fmt: skip
    """The hunks of one file that are to be listed, with the line that stands for each."""
    lost = "the file is gone" if gone else ""
    if not found and wanted is None:
        yield _Place(path, 0 if gone else 1, "", ", ".join(part for part in (state, lost) if part), commit)
    for at, hunk in enumerate(found):
        if wanted is None and at == HUNKS:
            yield _Place(path, 0 if gone else max(1, now(hunk.new_start)), "", f"and {len(found) - HUNKS} more hunks of it", commit)
            return
        signed = list(hunk.signed)
        # What came says more than what went, and a line with words more than a bracket.
        best = [row for row in signed if wanted(row[2])] if wanted else sorted(signed, key=lambda row: (not re.search(r"\w", row[2]), row[0] == "-"))
        if not best:
            continue
        sign, number, text = best[0]
        counts = "" if state.startswith("untracked") else f"+{len(hunk.added)} −{len(hunk.removed)}"
        why = ", ".join(part for part in (state, counts, lost) if part)
        yield _Place(path, 0 if gone else max(1, now(number if sign == "+" else hunk.new_start)), f"{sign} {text}", why, commit)


def _once(places: list[_Place]) -> list[_Place]:
    """Each line of today once, with the newest change of it; earlier ones are counted."""
    found: dict[tuple[str, int], _Place] = {}
    earlier: dict[tuple[str, int], int] = {}
    for place in places:
        key = (place.path, place.start)
        if key in found:
            earlier[key] = earlier.get(key, 0) + 1
        else:
            found[key] = place
    return [replace(place, why=place.why + (f", changed {earlier[key]} times before" if earlier.get(key, 0) > 1 else ", changed once before" if key in earlier
                                             else "")) for key, place in found.items()]  # fmt: skip


def _item(place: _Place, now: int, seen: set[str]) -> Item:
    """The item of a place; a commit is told in full once, then by its id."""
    commit, told = place.commit, ""
    if commit is not None:
        subject = commit.subject if len(commit.subject) <= SUBJECT else commit.subject[:SUBJECT] + "…"
        told = f" · {commit.short}" + ("" if commit.sha in seen else f" {age(commit.time, now)} ago, {commit.author}: {subject}")
        seen.add(commit.sha)
    lines = (Line(place.start, place.text),) if place.start and place.text else ()
    return Item(place.path, place.start, place.start, "", f"{place.why}{told}", lines, commit)


def _dressed(session: Session, item: Item, context: int | None) -> Item:
    """The definition around it, and with -C the lines of today around it."""
    if not item.start:
        return item
    symbol = session.enclosing(item.path, item.start)
    lines = item.lines
    if context:
        rows = session.rows(item.path)
        near = range(max(1, item.start - context), min(len(rows), item.start + context) + 1)
        lines = tuple(line for number in near for line in (item.lines if number == item.start and item.lines else (Line(number, rows[number - 1], False),)))
    return replace(item, label=f"{symbol.qualified} ({symbol.kind})" if symbol else "", lines=lines)

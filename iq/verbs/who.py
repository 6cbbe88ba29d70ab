"""`iq who`: the commit that gave a line its text, the owners of a file or a folder."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from iq.errors import FlooredError, ScopeError, UsageError
from iq.floor.paths import floored
from iq.index import text
from iq.index.blame import Origin, blame, ignored_revisions
from iq.index.commits import Touch, limits, named, parts, read
from iq.index.live import load, locate, present
from iq.index.owners import AWAY
from iq.index.repository import needed
from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.store import Store
from iq.index.when import age
from iq.types import Answer, Commit, Coverage, Item, Line, Request
from iq.verbs.window import after

_RANGE = re.compile(r"^(?P<path>.+?):(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?$")

# The authors who together wrote more than this are the bus factor: if they leave, most of it has nobody.
BUS_SHARE = 0.5


@dataclass
class _Owner:
    """One author's part. `first` is a place of theirs: the longest run of lines."""

    name: str
    email: str
    lines: int = 0
    commits: int = 0
    last: int = 0
    run: tuple[int, int] = (0, 0)


def run(session: Session, request: Request) -> Answer:
    words = request.text.strip()
    if not needed(session.root).work:
        raise UsageError(f"'{session.root}' is a bare repository: it has no files whose lines could be asked about; `iq log PATH` tells their commits")
    if (match := _RANGE.match(words)) and not os.path.exists(os.path.join(session.cwd, words)):
        return _lines(session, request, locate(session.root, session.cwd, match["path"]), int(match["start"]), int(match["end"] or match["start"]))
    folder = _folder(session, words)
    if folder is not None:
        return _of_folder(session, request, folder)
    return _of_file(session, request, locate(session.root, session.cwd, words))


def _lines(session: Session, request: Request, path: str, start: int, end: int) -> Answer:
    content = _live(session, path)
    count = len(text.lines(content))
    if not 1 <= start <= end or start > count:
        raise UsageError(f"'{path}' has lines 1-{count}; {start}-{end} is no range of them")
    end = min(end, count)
    repository = needed(session.root)
    origins = blame(repository, path, content, start, end)
    # A line needs a handful of commits: they are read as they are, however much of history has no facts yet.
    commits = read(repository, list(dict.fromkeys(origin.sha for origin in origins if origin.sha)))
    rows = text.lines(content)
    items = []
    for low, high in _grouped(origins):
        origin, line = origins[low], start + low
        shown = tuple(Line(number, rows[number - 1]) for number in range(line, start + high + 1))
        items.append(Item(path, line, start + high, "", _told(session, path, origin, commits), shown, commits.get(origin.sha)))
    notes = list(limits(repository))
    if symbol := session.enclosing(path, start):
        notes.append(f"in {symbol.qualified} ({symbol.kind}); its history: iq log {path}::{symbol.qualified}")
    if ignored := ignored_revisions(repository):
        notes.append(f".git-blame-ignore-revs passes over {len(ignored)} commits")
    return Answer("who", request.text, "blame", tuple(after(items, request.output)), len(items), 1, Coverage(1), tuple(notes), unit="origins")


def _grouped(origins: Sequence[Origin]) -> Iterable[tuple[int, int]]:
    """First and last place of each run of lines that came by one commit in one way."""
    low = 0
    for at in range(1, len(origins) + 1):
        if at == len(origins) or (origins[at].sha, origins[at].path, origins[at].skipped) != (origins[low].sha, origins[low].path, origins[low].skipped):
            yield low, at - 1
            low = at


def _told(session: Session, path: str, origin: Origin, commits: dict[str, Commit]) -> str:
    if not origin.sha:
        return "not committed yet"
    commit = commits.get(origin.sha)
    parts = [origin.sha[:10]] if commit is None else [f"{commit.short} {age(commit.time, session.now)} ago, {commit.author}: {commit.subject}"]
    if origin.path != path:
        parts.append(f"then {origin.path}:{origin.line}")
    parts += [f"passed over {sha[:10]} ({why})" for sha, why in origin.skipped]
    return " · ".join(parts)


def _of_file(session: Session, request: Request, path: str) -> Answer:
    from iq.index.lineage import of_file

    content = _live(session, path)
    repository, store, filled = session.history()
    owners: dict[str, _Owner] = {}
    origins = blame(repository, path, content, moves=False)
    rows = text.lines(content)
    commits = named(store, list(dict.fromkeys(origin.sha for origin in origins if origin.sha)))
    uncommitted = surviving = 0
    for low, high in _runs_by_author(origins, commits):
        count = sum(1 for row in rows[low : high + 1] if row.strip())
        commit = commits.get(origins[low].sha)
        if commit is None:
            uncommitted += count
            continue
        surviving += count
        owner = owners.setdefault(_person(commit.author, commit.email), _Owner(commit.author, commit.email))
        owner.lines += count
        if high - low > owner.run[1] - owner.run[0] or not owner.run[0]:
            owner.run = (low + 1, high + 1)
    for touch in of_file(store, path):
        _count(owners, touch)
    notes = [*filled.notes, *_summary(session, store, owners, surviving, "surviving lines")]
    if uncommitted:
        notes.append(f"{uncommitted} lines are not committed yet")
    return _answer(session, request, path, owners, surviving, notes, "surviving lines")


def _of_folder(session: Session, request: Request, folder: str) -> Answer:
    _, store, filled = session.history()
    inside = matcher(session.resolved(request.scope))
    people, alone = parts(store, lambda path: path.startswith(folder) and inside(path, None, None))
    owners: dict[str, _Owner] = {}
    for part in sorted(people, key=lambda part: (-part.added, -part.last, part.author)):
        owner = owners.setdefault(_person(part.author, part.email), _Owner(part.author, part.email))
        owner.lines, owner.commits, owner.last = owner.lines + part.added, owner.commits + part.commits, max(owner.last, part.last)
    written = sum(owner.lines for owner in owners.values())
    there = present(session.root, alone)
    notes = [*filled.notes, *_summary(session, store, owners, written, "lines written")]
    if there:
        notes.append(f"{sum(alone[path] for path in there)} of {len(there)} files have had one author only; `iq who FILE` counts surviving lines")
    answer = _answer(session, request, folder.rstrip("/") or ".", owners, written, notes, "lines written")
    return replace(answer, files=len(there), coverage=Coverage(len(there)))


def _person(name: str, email: str) -> str:
    """What an author is known by: an address is one person's, whatever name the commits give."""
    return email.lower() or name


def _count(owners: dict[str, _Owner], touch: Touch) -> _Owner:
    commit = touch.commit
    owner = owners.setdefault(_person(commit.author, commit.email), _Owner(commit.author, commit.email))
    owner.commits += 1
    owner.last = max(owner.last, commit.time)
    return owner


def _runs_by_author(origins: Sequence[Origin], commits: dict[str, Commit]) -> Iterable[tuple[int, int]]:
    def author(at: int) -> str | None:
        commit = commits.get(origins[at].sha)
        return _person(commit.author, commit.email) if commit else None

    low = 0
    for at in range(1, len(origins) + 1):
        if at == len(origins) or author(at) != author(low):
            yield low, at - 1
            low = at


def _ordered(owners: dict[str, _Owner]) -> list[_Owner]:
    return sorted(owners.values(), key=lambda owner: (-owner.lines, -owner.last, owner.name, owner.email))


def _summary(session: Session, store: Store, owners: dict[str, _Owner], total: int, unit: str) -> list[str]:
    """Bus factor, who of them is away, and who worked on it last."""
    if not owners:
        return []
    said: list[str] = []
    most: list[_Owner] = []
    share = 0
    for owner in _ordered(owners):
        if not total or share > BUS_SHARE * total:
            break
        share += owner.lines
        most.append(owner)
    if most:
        latest = Counter[str]()
        for email, time in store.db.execute("SELECT a.email, max(c.time) FROM commits c JOIN authors a ON a.id = c.author GROUP BY a.email"):
            latest[str(email)] = int(time)
        away = [owner.name for owner in most if latest[owner.email] < session.now - AWAY]
        names = ", ".join(owner.name for owner in most[:5]) + (" …" if len(most) > 5 else "")
        gone = f"; without a commit for half a year: {', '.join(away[:5])}" if away else ""
        said.append(f"bus factor {len(most)}: {names} {'holds' if len(most) == 1 else 'hold'} {share * 100 // total} % of the {unit}{gone}")
    recent = sorted((owner for owner in owners.values() if owner.last), key=lambda owner: (-owner.last, owner.name))[:3]
    said.append("last: " + ", ".join(f"{owner.name} {age(owner.last, session.now)} ago" for owner in recent))
    twice = [name for name, count in Counter(owner.name for owner in owners.values()).items() if count > 1]
    if twice:
        said.append(f"under several addresses: {', '.join(sorted(twice)[:5])}{' …' if len(twice) > 5 else ''}; a .mailmap joins them")
    return said


def _answer(session: Session, request: Request, path: str, owners: dict[str, _Owner], total: int, notes: list[str], unit: str) -> Answer:
    items = []
    for owner in _ordered(owners):
        share = f" ({owner.lines * 100 // total} %)" if total else ""
        name = f"{owner.name} <{owner.email}>"
        # Lines that came with another file by a move have commits only there.
        made = f" · {_count_of(owner.commits, 'commits')}, last {age(owner.last, session.now)} ago" if owner.commits else " · moved here"
        why = f"{_count_of(owner.lines, unit)}{share}{made}"
        # An owner's longest run is an anchor that leads to their part; who has no line left stands under the file itself.
        items.append(Item(path, *owner.run, name, why, key="" if owner.run[0] else owner.email or owner.name))
    return Answer("who", request.text, "owners", tuple(after(items, request.output)), len(items), 1, Coverage(1), tuple(notes), unit="owners")


def _count_of(number: int, plural: str) -> str:
    return f"{number} {plural.replace('lines', 'line').replace('commits', 'commit') if number == 1 else plural}"


def _live(session: Session, path: str) -> str:
    needed(session.root)
    loaded = load(session.root, path)
    if loaded is None:
        raise ScopeError(f"'{path}' is binary or too large to be told line by line; its commits: iq log {path}")
    return loaded.content


def _folder(session: Session, words: str) -> str | None:
    """The folder that the words name, as a prefix of paths, or None."""
    for place in (os.path.join(session.cwd, words), os.path.join(session.root, words)):
        if os.path.isdir(place):
            inside = os.path.relpath(os.path.realpath(place), os.path.realpath(session.root)).replace(os.sep, "/")
            if inside.startswith(".."):
                raise ScopeError(f"'{words}' lies outside the workspace {session.root}; use --root to ask there")
            if why := floored(inside + "/x"):
                raise FlooredError(f"'{words}' never surfaces ({why})")
            return "" if inside == "." else inside + "/"
    return None

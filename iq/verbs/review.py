"""`iq review`: the hunks of a change in the order they deserve reading, and the questions to ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from iq.index.blame import ignored_revisions
from iq.index.commits import touches
from iq.index.hotspots import ASIDE, ranked
from iq.index.owners import Left, about, left
from iq.index.scope import matcher
from iq.index.session import Session
from iq.index.when import since
from iq.index.worktree import opened
from iq.plan import reach, risk
from iq.plan.reach import Reached
from iq.types import Answer, Item, Line, Request, Symbol
from iq.verbs import impact
from iq.verbs.impact import Changed, Facts

# A partner is asked for when it is at least this likely (chance): below, most commits do without it.
LIKELY = 0.3

# Lines of a hunk that are printed; a new file shows its start.
SHOWN = 12

QUESTIONS = 6

# Of the files that branch and changed in the WINDOW, the first SHARE are hotspots, at most TOP, and none of fewer commits than OFTEN.
WINDOW, SHARE, TOP, OFTEN = "1y", 0.1, 20, 3

# From this share of lines on, that their authors are away is said; half is where most of a file has nobody.
GONE = 0.5

# Changed files that are blamed, a fourth of it without a git binary: large ones take .3 s each, and four times that.
OWNED = 12

# Names that are told; the others are counted.
NAMES = 3


@dataclass(frozen=True, slots=True)
class _Past:
    """What history says of one changed file: its place among the hotspots in words, and its owners where most of them are away."""

    hotspot: str = ""
    owners: Left | None = None

    @property
    def away(self) -> tuple[str, float] | None:
        return (f"authors of {self.owners.lines} of its {self.owners.whole} lines are away", self.owners.share) if self.owners else None

    @property
    def told(self) -> str:
        if self.owners is None:
            return ""
        names = ", ".join(self.owners.names[:NAMES]) + (f" and {len(self.owners.names) - NAMES} more" if len(self.owners.names) > NAMES else "")
        return f"{self.owners.lines} of {self.owners.whole} lines are by people without a commit for half a year ({names})"


NONE = _Past()


def run(session: Session, request: Request) -> Answer:
    """Raises UsageError where git does not say what changed."""
    facts = impact.gather(session, request)
    if not facts.changed:
        return impact.closing("review", request, facts, [], [], "hunks")
    tests = impact.covering(session, facts)
    pasts, notes = _pasts(session, facts)
    facts = replace(facts, notes=(*facts.notes, *notes))
    inside = matcher(session.resolved(request.scope))
    rows: list[tuple[float, Item]] = []
    for changed in facts.changed:
        if inside(changed.path, None, None):
            rows += _hunks(session, facts, changed, pasts.get(changed.path, NONE))
    rows.sort(key=lambda row: (-row[0], row[1].path, row[1].start))
    items = [item for _, item in rows]
    return impact.closing("review", request, facts, items, [f"ask: {question}" for question in questions(session, facts, tests, pasts)[:QUESTIONS]], "hunks")


def _pasts(session: Session, facts: Facts) -> tuple[dict[str, _Past], list[str]]:
    """What history says of each changed file of code, and what of it was not looked up; nothing outside of a repository."""
    repository, _ = opened(session.root)
    if repository is None or not repository.head:
        return {}, []
    start = since(WINDOW, session.now, repository)
    repository, store, filled = session.history(start)
    rows = touches(store, start, until=session.now)
    spots = ranked(store, rows, start, session.now, ignored_revisions(repository), lambda path, file_class, language: file_class not in ASIDE).spots
    top = min(TOP, ceil(len(spots) * SHARE))
    heat = {
        spot.path: f"hotspot {rank} of {len(spots)}: {spot.churn.commits} commits in {WINDOW} × {spot.branches} branches"
        for rank, spot in enumerate(spots[:top], 1)
        if spot.churn.commits >= OFTEN
    }
    # Where nobody has committed for so long, everybody is away, which tells no file from another.
    present = about(store, session.now)
    code = sorted((row for row in facts.changed if facts.is_code(row.path) and row.status != "deleted"), key=lambda row: (-len(row.lines), row.path))
    most = OWNED if repository.binary else OWNED // 4
    owners = {row.path: left(repository, row.path, "\n".join(session.rows(row.path)), present) for row in code[:most]} if present else {}
    notes = [*filled.notes, *([f"owners of {len(code) - most} more changed files were not looked up: iq who FILE"] if present and len(code) > most else [])]
    return {row.path: _Past(heat.get(row.path, ""), owner if (owner := owners.get(row.path)) and owner.share >= GONE else None) for row in facts.changed}, notes


def _hunks(session: Session, facts: Facts, changed: Changed, past: _Past) -> list[tuple[float, Item]]:
    rows = session.rows(changed.path)
    symbols = session.outline(changed.path) if rows else []
    importers = facts.graph.importers(changed.path)
    code = facts.is_code(changed.path)
    missing = next(((row.path, row.chance) for row in _missing(facts, changed.path)), None)
    judge = partial(
        risk.judge,
        code=code,
        reached=_reached(facts, changed.path),
        tests_changed=any(facts.is_test(path) for path in facts.paths),
        missing=missing,
        hotspot=past.hotspot,
        away=past.away,
    )
    if changed.status == "deleted":
        orphans = len(
            {source for source, _, module in facts.graph.unresolved if reach.subject(changed.path) and module.lower().endswith(reach.subject(changed.path))}
        )
        found = judge(len(changed.texts), 0, signature=False, orphans=orphans)
        return [(found.total, Item(changed.path, 0, 0, "deleted", f"{found.total:.1f}: {found.why}"))]
    spans = risk.hunks(changed.lines) or [(1, max(1, len(rows)))]
    if facts.is_made(changed.path):
        # One row, behind all that people wrote: nobody reads its lines, and what it was made from is in the change or is not.
        said = f"written by a program · {risk.counted(len(changed.lines) or len(rows), 'changed line')} in {risk.counted(len(spans), 'hunk')}"
        return [(0.0, Item(changed.path, spans[0][0], spans[-1][1], said, "", tuple(Line(n, rows[n - 1]) for n in spans[0][:1] if n <= len(rows))))]
    judged = []
    for first, last in spans:
        last = min(last, max(1, len(rows)))
        around = [symbol for symbol in symbols if symbol.line <= last and symbol.end >= first and symbol.kind != "field"]
        # A definition that lies in the hunk as a whole is new: nobody relies on it yet.
        signature = code and any(symbol.exported and symbol.line < first <= symbol.name_line <= last for symbol in around)
        signature = signature or (code and any(symbol.exported and first <= symbol.name_line <= last < symbol.end for symbol in around))
        size = len([line for line in changed.lines if first <= line <= last]) or last - first + 1
        found = judge(size, len(importers), signature=signature)
        shown = tuple(Line(n, rows[n - 1]) for n in range(first, min(last, first + SHOWN - 1, len(rows)) + 1))
        label = _inner(around) or changed.status
        judged.append(
            (
                found.total,
                Item(
                    changed.path,
                    first,
                    last,
                    f"{label} · {found.total:.1f}: {found.why}",
                    "",
                    (Line(first, f"‹{label} · {found.total:.1f}: {found.why}›"), *shown),
                ),
            )
        )
    return judged


def _inner(symbols: Sequence[Symbol]) -> str:
    best = max(symbols, key=lambda symbol: (symbol.line, -symbol.end), default=None)
    return best.qualified if best is not None else ""


def _reached(facts: Facts, path: str) -> bool:
    return any(facts.is_test(other) for other in reach.distances([path], facts.graph) if other != path)


def _missing(facts: Facts, path: str) -> list[Reached]:
    """Likely partners of a file that are not part of the change."""
    mine = set(facts.paths)
    return [row for row in reach.partners(path, facts.files, facts.history) if row.path not in mine and row.chance >= LIKELY]


def questions(session: Session, facts: Facts, tests: Sequence[Reached], pasts: Mapping[str, _Past]) -> list[str]:
    """What a reviewer should ask, the weightiest first."""
    found: list[str] = []
    bare = [path for path in facts.paths if facts.is_code(path) and not _reached(facts, path)]
    if bare:
        found.append(f"how was {', '.join(bare[:3])} tried? no test reaches it")
    if not any(facts.is_test(path) for path in facts.paths) and tests:
        found.append(f"does {tests[0].path} cover this? no test changed")
    for path, past in pasts.items():
        if past.owners:
            found.append(f"who still knows {path}? {past.told}")
    outside: dict[str, set[str]] = {}
    mine = set(facts.paths)
    for item in impact.calls(session, replace(facts, changed=tuple(row for row in facts.changed if facts.is_code(row.path)))):
        if item.path not in mine and not item.why and item.label.startswith("call of "):
            outside.setdefault(item.label.partition(" of ")[2], set()).add(item.path)
    for name, paths in sorted(outside.items(), key=lambda row: (-len(row[1]), row[0]))[:2]:
        users = f"do the {len(paths)} other files that use {name} still hold" if len(paths) > 1 else f"does the other file that uses {name} still hold"
        found.append(f"{users}? {', '.join(sorted(paths)[:3])}")
    asked: set[str] = set()
    for path in (path for path in facts.paths if not facts.is_made(path)):
        for row in _missing(facts, path):
            if row.path not in asked:
                asked.add(row.path)
                found.append(f"should {row.path} change too? {next(iter(sorted(row.reasons, key=lambda reason: -row.reasons[reason])))} with {path}")
    found += [f"does {path} get simpler by this? {past.hotspot}" for path, past in pasts.items() if past.hotspot]
    found += [f"{note}?" for note in facts.notes if " is gone; " in note]
    return found

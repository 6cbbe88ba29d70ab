"""`iq review`: the hunks of a change in the order they deserve reading, and the questions to ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from iq.index.scope import matcher
from iq.index.session import Session
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


def run(session: Session, request: Request) -> Answer:
    """Raises UsageError where git does not say what changed."""
    facts = impact.gather(session, request)
    if not facts.changed:
        return impact.closing("review", request, facts, [], [], "hunks")
    tests = impact.covering(session, facts)
    inside = matcher(session.resolved(request.scope))
    rows: list[tuple[float, Item]] = []
    for changed in facts.changed:
        if inside(changed.path, None, None):
            rows += _hunks(session, facts, changed)
    rows.sort(key=lambda row: (-row[0], row[1].path, row[1].start))
    items = [item for _, item in rows]
    return impact.closing("review", request, facts, items, [f"ask: {question}" for question in questions(session, facts, tests)[:QUESTIONS]], "hunks")


def _hunks(session: Session, facts: Facts, changed: Changed) -> list[tuple[float, Item]]:
    rows = session.rows(changed.path)
    symbols = session.outline(changed.path) if rows else []
    importers = facts.graph.importers(changed.path)
    common = {
        "code": facts.is_code(changed.path),
        "reached": _reached(facts, changed.path),
        "tests_changed": any(facts.is_test(path) for path in facts.paths),
    }
    missing = next(((row.path, row.chance) for row in _missing(facts, changed.path)), None)
    if changed.status == "deleted":
        orphans = len(
            {source for source, _, module in facts.graph.unresolved if reach.subject(changed.path) and module.lower().endswith(reach.subject(changed.path))}
        )
        found = risk.judge(len(changed.texts), 0, **common, missing=missing, signature=False, orphans=orphans)
        return [(found.total, Item(changed.path, 0, 0, "deleted", f"{found.total:.1f}: {found.why}"))]
    spans = risk.hunks(changed.lines) or [(1, max(1, len(rows)))]
    judged = []
    for first, last in spans:
        last = min(last, max(1, len(rows)))
        around = [symbol for symbol in symbols if symbol.line <= last and symbol.end >= first and symbol.kind != "field"]
        # A definition that lies in the hunk as a whole is new: nobody relies on it yet.
        signature = common["code"] and any(symbol.exported and symbol.line < first <= symbol.name_line <= last for symbol in around)
        signature = signature or (common["code"] and any(symbol.exported and first <= symbol.name_line <= last < symbol.end for symbol in around))
        size = len([line for line in changed.lines if first <= line <= last]) or last - first + 1
        found = risk.judge(size, len(importers), **common, missing=missing, signature=signature)
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


def questions(session: Session, facts: Facts, tests: Sequence[Reached]) -> list[str]:
    """What a reviewer should ask, the weightiest first."""
    found: list[str] = []
    bare = [path for path in facts.paths if facts.is_code(path) and not _reached(facts, path)]
    if bare:
        found.append(f"how was {', '.join(bare[:3])} tried? no test reaches it")
    if not any(facts.is_test(path) for path in facts.paths) and tests:
        found.append(f"does {tests[0].path} cover this? no test changed")
    outside: dict[str, set[str]] = {}
    mine = set(facts.paths)
    for item in impact.calls(session, replace(facts, changed=tuple(row for row in facts.changed if facts.is_code(row.path)))):
        if item.path not in mine and not item.why and item.label.startswith("call of "):
            outside.setdefault(item.label.partition(" of ")[2], set()).add(item.path)
    for name, paths in sorted(outside.items(), key=lambda row: (-len(row[1]), row[0]))[:2]:
        found.append(f"do the {len(paths)} other files that use {name} still hold? {', '.join(sorted(paths)[:3])}")
    asked: set[str] = set()
    for path in facts.paths:
        for row in _missing(facts, path):
            if row.path not in asked:
                asked.add(row.path)
                found.append(f"should {row.path} change too? {next(iter(sorted(row.reasons, key=lambda reason: -row.reasons[reason])))} with {path}")
    found += [f"{note}?" for note in facts.notes if " is gone; " in note]
    return found

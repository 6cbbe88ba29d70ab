"""How closely should a hunk be read? Points for what usually goes wrong, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

# Points. Not fitted: an order for reading, whose reasons are printed so that a reader may disagree.
UNTESTED = 3.0  # no test reaches the file
UNCHANGED_TESTS = 1.0  # tests reach it, and none of them changed with it
PARTNER = 2.0  # times the chance of the file that usually changes too and has not
SIGNATURE = 1.5  # the first line of an exported definition changed
IMPORTERS = 0.5  # times log2(1 + files that import the file)
HOTSPOT = 1.5  # the file is one of the few that are both branched and often changed
AWAY = 2.0  # times the share of its lines whose authors are away: who could be asked is gone
GONE = 3.0  # deleted, and something still imports it
SIZE = 0.3  # times log2(1 + changed lines)

# What a line of a test or of prose counts beside one of the program.
BESIDE = 0.3

# Lines apart that two runs of changed lines may be and still be one hunk.
GAP = 3


@dataclass(frozen=True, slots=True)
class Risk:
    """Points of a hunk by reason; `total` orders hunks."""

    points: Mapping[str, float]

    @property
    def total(self) -> float:
        return sum(self.points.values())

    @property
    def why(self) -> str:
        return " · ".join(reason for reason, _ in sorted(self.points.items(), key=lambda row: (-row[1], row[0])))


def hunks(lines: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of changed lines, first and last, with gaps of up to GAP lines inside."""
    found: list[tuple[int, int]] = []
    for line in sorted(set(lines)):
        if found and line - found[-1][1] <= GAP + 1:
            found[-1] = found[-1][0], line
        else:
            found.append((line, line))
    return found


def counted(number: int, singular: str) -> str:
    return f"{number} {singular}" if number == 1 else f"{number} {singular}s"


def judge(
    size: int,
    importers: int,
    *,
    code: bool,
    reached: bool,
    tests_changed: bool,
    missing: tuple[str, float] | None,
    signature: bool,
    orphans: int = 0,
    hotspot: str = "",
    away: tuple[str, float] | None = None,
) -> Risk:
    """Points of one hunk; `missing` is the likeliest partner that has not changed, with its chance.

    `hotspot` and `away` are told by the caller, the second with the share of lines whose authors are away.
    """
    points = {counted(size, "changed line"): (SIZE if code else SIZE * BESIDE) * log2(1 + size)}
    if code and not reached:
        points["no test reaches it"] = UNTESTED
    elif code and not tests_changed:
        points["no test changed with it"] = UNCHANGED_TESTS
    if missing is not None:
        points[f"{missing[0]} usually changes too"] = PARTNER * missing[1]
    if signature:
        points["an exported signature changed"] = SIGNATURE
    if hotspot:
        points[hotspot] = HOTSPOT
    if away is not None:
        points[away[0]] = AWAY * away[1]
    if importers:
        points["1 file imports it" if importers == 1 else f"{importers} files import it"] = IMPORTERS * log2(1 + importers)
    if orphans:
        points[f"gone, and {orphans} still import it"] = GONE
    return Risk(points)

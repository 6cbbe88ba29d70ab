"""Points of a hunk, by hand."""

from __future__ import annotations

from math import log2

import pytest

from iq.plan import risk


@pytest.mark.parametrize(
    ("lines", "runs"),
    [
        ([], []),
        ([5], [(5, 5)]),
        ([1, 2, 3], [(1, 3)]),
        ([3, 1, 2, 2], [(1, 3)]),
        ([1, 1 + risk.GAP + 1], [(1, 2 + risk.GAP)]),
        ([1, 1 + risk.GAP + 2], [(1, 1), (3 + risk.GAP, 3 + risk.GAP)]),
    ],
)
def test_changed_lines_are_hunks(lines: list[int], runs: list[tuple[int, int]]) -> None:
    assert risk.hunks(lines) == runs


def test_points_add_up_and_the_weightiest_reason_comes_first() -> None:
    found = risk.judge(3, 7, code=True, reached=False, tests_changed=False, missing=("CHANGES.md", 0.5), signature=True)
    assert found.total == pytest.approx(risk.SIZE * 2 + risk.UNTESTED + risk.PARTNER * 0.5 + risk.SIGNATURE + risk.IMPORTERS * 3)
    assert found.why.startswith("no test reaches it · ")


def test_prose_is_not_untested() -> None:
    found = risk.judge(1, 0, code=False, reached=False, tests_changed=False, missing=None, signature=False)
    assert found.points == {"1 changed line": risk.SIZE * risk.BESIDE * log2(2)}

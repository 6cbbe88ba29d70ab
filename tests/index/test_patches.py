"""Hunks against difflib, lines mapped from one version to the next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from iq.index.patches import Hunk, Shift, hunks

ROWS = st.lists(st.sampled_from(["a", "b", "c", "", "def f():", "    return 1"]), max_size=14)


def data(rows: list[str]) -> bytes:
    return "".join(row + "\n" for row in rows).encode()


@given(ROWS, ROWS)
def test_hunks_lead_from_one_version_to_the_other(old: list[str], new: list[str]) -> None:
    made, at = [], 0
    for hunk in hunks(data(old), data(new)):
        start = hunk.old_start - 1 if hunk.removed else hunk.old_start
        made += old[at:start]
        assert tuple(old[start : start + len(hunk.removed)]) == hunk.removed
        assert len(made) == (hunk.new_start - 1 if hunk.added else hunk.new_start)
        made += hunk.added
        at = start + len(hunk.removed)
    assert made + old[at:] == new


@given(ROWS, ROWS)
def test_a_line_that_is_kept_is_found_again(old: list[str], new: list[str]) -> None:
    found = hunks(data(old), data(new))
    shift = Shift(found)
    gone = {hunk.old_start + at for hunk in found for at in range(len(hunk.removed))}
    for line, row in enumerate(old, 1):
        place, kept = shift.line(line)
        assert kept == (line not in gone) and place >= 1
        if kept:
            assert new[place - 1] == row


def test_hunks_by_hand() -> None:
    assert hunks(b"a\nb\nc\n", b"a\nB\nc\nd\n") == [Hunk(2, ("b",), 2, ("B",)), Hunk(3, (), 4, ("d",))]
    assert hunks(b"", b"a\n") == [Hunk(0, (), 1, ("a",))]
    assert hunks(b"a\r\nb\r\n", b"a\nb\n", ends=False) == []
    assert hunks(b"a\0", b"b\0") == [] and hunks(b"caf\xe9\n", b"") == [Hunk(1, ("café",), 0, ())]

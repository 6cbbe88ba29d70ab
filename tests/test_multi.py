"""Several calls in one: sections in order, one budget, and each unlucky row."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iq.errors import UsageError
from iq.multi import MOST, answer, calls
from iq.render.budget import tokens
from iq.types import Output, Reply
from tests.conftest import Place

FILES = {"a.py": "def needle():\n    return 1\n\n\ndef other():\n    return needle()\n", "b.md": "# Guide\n\nHow needles are threaded.\n" * 40}

ROWS = [
    ("where is it?", ["search", "--", "where is it?"]),
    ("find 'a b' --in lib", ["find", "a b", "--in", "lib"]),
    ("iq refs needle", ["refs", "needle"]),
    ("what doesn't work", ["search", "--", "what doesn't work"]),
    ("find it's", ["find", "it's"]),
    ("-> None", ["search", "--", "-> None"]),
    ("iq", ["search", "--", "iq"]),
    ("search retries", ["search", "retries"]),
]


@pytest.mark.parametrize(("row", "words"), ROWS, ids=[row for row, _ in ROWS])
def test_a_row_is_a_call_or_a_question(row: str, words: list[str]) -> None:
    assert calls([row, "", "  ", "# a comment"]) == [words]


@pytest.mark.parametrize(("rows", "said"), [([], "empty question"), (["", "# x"], "empty question"), (["multi a b"], "by itself"), (["mcp"], "by itself"),
                                            (["x"] * (MOST + 1), "at most")])  # fmt: skip
def test_rows_that_make_no_call(rows: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        calls(rows)


def test_sections_in_order_with_every_kind_of_end(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    code, out, err = ws.iq("multi", "find needle", "def nothing", "find x --bogus", "how are needles threaded?", "read a.py:1-2")
    assert (code, err) == (0, "")
    heads = [row for row in out.splitlines() if row.startswith(("════", "iq"))]
    assert [row.split(" — ")[0] for row in heads] == [
        "════ 1/5 ════", "iq find: needle", "════ 2/5 ════", "iq def: nothing", "════ 3/5 ════", "iq: unrecognized arguments: --bogus; see `iq find --help`",
        "════ 4/5 ════", "iq: how are needles threaded?", "════ 5/5 ════", "iq read: a.py:1-2",
    ]  # fmt: skip


def test_a_row_may_hold_any_byte(workspace: Callable[..., Place]) -> None:
    child = workspace(FILES).start("multi", "-", stdin=-1)
    out, err = child.communicate(b"verify a\0b\nfind needle\nfind a\0b\nread \xff\0\n", timeout=60)
    assert err == b"" and b"'a\\x00b' cannot be read" in out and b"cannot hold a NUL" in out and child.returncode == 0


def test_codes(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    assert ws.iq("multi", "find needle", "find zzz")[0] == 0
    assert ws.iq("multi", "find zzz", "def zzz")[0] == 1
    assert ws.iq("multi", "find zzz", "find x --bogus")[0] == 2
    assert ws.iq("multi")[0] == 2
    assert ws.iq("multi", "find needle", "find needle", "--budget", "20")[0] == 2


def test_flags_of_the_call_hold_for_each_and_rows_may_have_their_own(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    _, out, _ = ws.iq("multi", "find needle", "find needle --limit 2", "--limit", "1", "--in", "a.py")
    one, two = out.split("════ 2/2 ════")
    assert "b.md" not in out
    assert (one.count("‹"), two.count("‹")) == (1, 2)


@pytest.mark.parametrize("form", ["--json", "--ndjson", "--count"])
def test_no_row_outgrows_its_share_or_changes_the_form(form: str, workspace: Callable[..., Place]) -> None:
    """A `--budget` of a row went over that of the call, and a row's `--ndjson` or `--help` left no JSON that could be read."""
    ws = workspace({"many.txt": "many\n" * 3000})
    _, out, _ = ws.iq("multi", "find many --budget 9000", "find many --full", "find many --budget 60 -- x", "--budget", "600")
    assert tokens(out) <= 600 and out.count(" many") > 20
    _, out, _ = ws.iq("multi", "find many --budget 9000", f"find many {form}", "--budget", "600", "--json")
    assert tokens(out) <= 600 and len(json.loads(out)["sections"]) == 2
    code, _, err = ws.iq("multi", "find --help", "find many", "--json")
    assert code == 2 and "asks for help" in err


def test_every_shared_flag_reaches_each_row(workspace: Callable[..., Place]) -> None:
    """`--session`, `--features` and `--root` were passed over, so that lines were shown twice and a command that goes on had no root."""
    ws = workspace({"many.txt": "many\n" * 3000})
    _, out, _ = ws.iq("multi", "find many", "find many", "--session", "s", "--limit", "1", "--root", str(ws.root))
    assert "shown before" in out.split("════ 2/2 ════")[1]
    assert out.count(f" --root={ws.root} ") == 2
    assert "unknown feature 'rerankk'" in "".join(ws.iq("multi", "find many", "--features", "rerankk")[1:])


def test_from_stdin_and_as_json(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    child = ws.start("multi", "-", "--json", stdin=-1)
    out, err = child.communicate(b"find needle\n\n# no call\nfind x --bogus\ndef other\n", timeout=60)
    sections = json.loads(out)["sections"]
    assert [section.get("verb") for section in sections] == ["find", None, "def"]
    assert "unrecognized arguments" in sections[1]["error"]
    assert err == b""


@settings(max_examples=200, deadline=None)
@given(budget=st.integers(1, 3000), sizes=st.lists(st.integers(0, 20_000), min_size=1, max_size=MOST), form=st.sampled_from(["text", "json", "ndjson"]))
def test_the_budget_is_hard(budget: int, sizes: list[int], form: str) -> None:
    """Each call gets a share and fills it as far as it can; what one leaves is for the next."""
    todo = iter(sizes)
    given: list[int] = []

    def run(words: tuple[str, ...]) -> Reply:
        share = next(int(word.partition("=")[2]) for word in words if word.startswith("--budget="))
        given.append(share)
        body = b"x" * min(next(todo), share * 4 - 8)
        return Reply(b'{"a":"' + body + b'"}' if form != "text" else body, b"", 0)

    try:
        reply = answer([f"q{at}" for at in range(len(sizes))], Output(budget=budget, form=form), [], run)
    except UsageError:
        assert budget < 60 * len(sizes) + 60
        return
    assert tokens(reply.out.decode()) <= budget + (0 if form == "text" else 2)
    if len(given) > 1 and sizes[0] == 0:
        assert given[1] >= given[0]


def test_a_full_answer_has_no_budget(workspace: Callable[..., Place]) -> None:
    ws = workspace({"many.txt": "many\n" * 3000})
    _, out, _ = ws.iq("multi", "find many", "find many --limit 3", "--full")
    assert out.count(" many") >= 3003

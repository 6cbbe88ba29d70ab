"""Session economy: shown lines are cited, changed ones shown again, and the budget pays for new lines only."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from iq.render.seen import BEFORE, LINES, Seen, load, save
from iq.types import Answer, Coverage, Item, Line
from tests.conftest import Place

FILES = {
    "a.py": "def needle(x):\n    first = x\n    second = first\n    return second\n\n\ndef user():\n    return needle(1)\n",
    "b.py": "from a import needle\n\n\ndef other():\n    return needle(2)\n",
    "many.txt": "".join(f"many {n}\n" for n in range(400)),
}


def code(out: str) -> list[str]:
    return [row for row in out.splitlines() if row[:5].strip().isdigit()]


def test_lines_are_shown_once_and_cited_then(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    first = ws.iq("def", "needle", "--session", "s1")
    second = ws.iq("def", "needle", "--session", "s1")
    assert "   1 def needle(x):" in first[1]
    assert code(second[1]) == []
    assert BEFORE in second[1] and "a.py:1-4" in second[1]
    assert (first[0], second[0]) == (0, 0)
    assert ws.iq("def", "needle", "--session", "s2")[1] == first[1] == ws.iq("def", "needle")[1]


def test_a_line_that_changed_or_moved_is_shown_again(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    ws.iq("find", "needle", "--session", "s")
    (ws.root / "a.py").write_text(FILES["a.py"].replace("needle(1)", "needle(100)"))
    _, out, _ = ws.iq("find", "needle", "--session", "s")
    assert [row.split("   ‹")[0].strip() for row in code(out)] == ["8     return needle(100)"]
    assert f"a.py:1 · needle (function) · {BEFORE}" in out


def test_what_the_budget_cut_was_not_shown(workspace: Callable[..., Place]) -> None:
    """Asked again, a long answer goes on with new lines."""
    ws = workspace(FILES)
    seen: list[str] = []
    for _ in range(6):
        _, out, _ = ws.iq("find", "many", "--session", "s", "--budget", "1500", "--limit", "150")
        seen += code(out)
    assert len(seen) == len(set(seen))
    _, out, _ = ws.iq("find", "many", "--session", "s", "--limit", "3")
    assert code(out) == []


@pytest.mark.parametrize("form", ["--json", "--ndjson"])
def test_as_json(form: str, workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    ws.iq("def", "needle", "--session", "s", form)
    _, out, _ = ws.iq("def", "needle", "--session", "s", form)
    item = json.loads(out.splitlines()[0])
    item = item.get("items", [item])[0]
    assert item["lines"] == []
    assert BEFORE in item["why"]


@pytest.mark.parametrize("form", ["--json", "--ndjson"])
def test_lines_with_every_kind_of_line_end(form: str, workspace: Callable[..., Place]) -> None:
    """JSON was cut into lines at U+2028 and U+0085 as well, which ended in a traceback."""
    ws = workspace({"a.py": "x = 'needle\u2028\x85\u2029\x0b\x0c\x1c' + '\r' * 3\nneedle\n"})
    assert ws.iq("find", "needle", "--session", "s", form)[0] == 0
    _, out, err = ws.iq("find", "needle", "--session", "s", form)
    assert out.count(BEFORE) == 2 and not err


def test_what_follows_cited_lines_is_dressed_too(workspace: Callable[..., Place]) -> None:
    """Cited lines leave room for more, which then had neither their definition nor their context."""
    ws = workspace({"a.py": "def around():\n" + "".join(f"    needle_{n} = '{'x' * 60}'\n" for n in range(300))})
    ws.iq("find", "needle_", "--session", "s")
    _, out, _ = ws.iq("find", "needle_", "--session", "s")
    assert out.count(BEFORE) > 20 and len(code(out)) > 5
    assert all("‹around (function)›" in row for row in code(out))


def test_a_question_keeps_its_first_line(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    ws.iq("what does needle return?", "--session", "s")
    _, out, _ = ws.iq("what does needle return?", "--session", "s")
    assert "answer: a.py" in out
    assert BEFORE in out
    assert not set(code(out)) & set(code(ws.iq("what does needle return?")[1]))


def test_lines_that_are_asked_for_by_place_are_always_printed(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    for _ in range(2):
        assert "return second" in ws.iq("read", "a.py:1-4", "--session", "s")[1]


@pytest.mark.parametrize("name", ["../x", "", "a/b", "x" * 65, ".hidden", "a b"])
def test_names_that_are_none(name: str, workspace: Callable[..., Place]) -> None:
    code_, _, err = workspace(FILES).iq("needle", f"--session={name}")
    assert code_ == 2
    assert "is no name" in err


def test_a_spoiled_file_is_an_empty_session(tmp_path) -> None:  # type: ignore[no-untyped-def]
    for content in ("", "[]", "{", "5", '{"a": {}}'):
        (tmp_path / "sessions").mkdir(exist_ok=True)
        (tmp_path / "sessions/s.json").write_text(content)
        load(str(tmp_path), "s").withhold(Answer("find", "q", "regex", (), 0, 0, Coverage()))


def test_memory_is_bounded(tmp_path) -> None:  # type: ignore[no-untyped-def]
    seen = Seen()
    for at in range(0, LINES * 2, 1000):
        lines = tuple(Line(n, "x") for n in range(at, at + 1000))
        seen.note(Answer("find", "q", "", (Item("a", 1, 1, lines=lines),), 1, 1, Coverage()),
                  "──── a ────\n" + "".join(f"{line.number:>4} x\n" for line in lines), "text")  # fmt: skip
    assert len(seen.lines) == LINES
    for at in range(60):
        save(str(tmp_path), f"s{at}", seen if at == 0 else Seen())
    assert len(list((tmp_path / "sessions").iterdir())) == 50

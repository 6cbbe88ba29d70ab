"""`iq verify`: what holds, what does not, and what is no citation at all."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from iq.verbs.verify import citations
from tests.conftest import Place

FILES = {
    "src/app.py": "import os\n\n\nclass Parser:\n    def parse_args(self):\n        return os.getcwd()\n\n\ndef retry(times):\n    return times\n",
    "docs/guide.md": "# Guide\n",
    "setup.cfg": "[metadata]\n",
    ".env": "SECRET=swordfish\n",
}

# answer, what is said of it; empty: all hold
ROWS = [
    ("The parser is in `src/app.py:4-6` (`Parser.parse_args`).", ""),
    ("See src/app.py:9, [guide](docs/guide.md) and `setup.cfg`.", ""),
    ("See ./src/app.py#L9-L10 and src/app.py, lines 4–6.", ""),
    ("`retry()` sits at src/app.py:9", ""),
    ("the folder src/ and docs/", ""),
    ("See src/nothing.py:4", "no such file"),
    ("See `nothing.py`", "no such file"),
    ("See src/app.py:8-99", "the file has lines 1-10"),
    ("See src/app.py:0", "" if False else "src/app.py"),
    ("`retry` is defined at src/app.py:4", "moved: retry is at src/app.py:9-10"),
    ("`Parser.frob` is gone", "'frob' stands nowhere"),
    ("src/app.py:9 (`retry`), which `Parser` uses", ""),
    ("`notes.txt` says so", "no such file"),
    ("It calls `frobnicate_all()`", "'frobnicate_all' stands nowhere"),
    ("It uses `Parser.no_such_method`", "'no_such_method' stands nowhere"),
    ("the key is in .env:1 or `.env`", ""),
    ("read config/.env.local/x:1", "config/.env.local/x"),
    ("```\nsrc/quoted.py:5 `quoted_name`\n```\nsrc/app.py:1", ""),
    ("https://example.com/src/none.py:80 and me@example.com, e.g. v1.2.3, and/or 10/12", None),
    ("nothing is cited here", ""),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), [row for row in ROWS if row[1] is not None], ids=[row[0][:30] or "empty" for row in ROWS if row[1] is not None])
def test_answers(text: str, said: str, workspace: Callable[..., Place]) -> None:
    ws = workspace({**FILES, "answer.txt": ""})
    (ws.root.parent / "answer.md").write_text(text)
    code, out, err = ws.iq("verify", "../answer.md")
    assert said in out
    assert code == (1 if (said and said != "src/app.py") or said == "src/app.py" else 0), out
    assert err == ""
    assert "swordfish" not in out


def test_urls_versions_and_fractions_are_no_places() -> None:
    assert [c for c in citations(str(ROWS[-3][0])) if c.start or "." in c.path] == []


def test_stdin_and_json(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    child = ws.start("verify", "-", stdin=-1)
    out, err = child.communicate(b"src/app.py:9 and src/gone.py:3\n", timeout=60)
    assert child.returncode == 1
    assert b"stdin:1: src/gone.py:3 \xc2\xb7 no such file" in out
    assert b"2 citations checked, 1 do not hold" in out
    assert err == b""


@pytest.mark.parametrize("words", [("verify", "nosuch.md"), ("verify", "bin"), ("verify",), ("verify", "src")])
def test_what_cannot_be_read(words: tuple[str, ...], workspace: Callable[..., Place]) -> None:
    code, out, err = workspace({**FILES, "bin": bytes(range(256))}).iq(*words)
    assert (code, out) == (2, "")
    assert "give a file" in err or "needs FILE" in err


def test_a_long_answer_is_read_in_linear_time(workspace: Callable[..., Place]) -> None:
    import time

    begun = time.monotonic()
    citations("a/" * 100_000 + "\n" + "`" * 100_000 + "\n" + "x.y" * 50_000 + "\n" + "src/app.py:1 " * 20_000)
    assert time.monotonic() - begun < 20

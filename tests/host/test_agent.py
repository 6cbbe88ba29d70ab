"""`iq agent`: a block that comes and goes, and leaves every other byte as it was."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iq.host.agent import BEGIN, END, FILES, TEXT, _with, _without
from iq.render.budget import tokens
from tests.conftest import Place


def test_install_is_idempotent_and_removable(workspace: Callable[..., Place]) -> None:
    mine = {"AGENTS.md": "# Rules\n\nBe brief.", "CLAUDE.md": "# Claude\r\n\r\nText.\r\n", ".github/copilot-instructions.md": "",
            ".mcp.json": '{\n    "mcpServers": {\n        "other": {\n            "command": "x"\n        }\n    }\n}\n'}  # fmt: skip
    ws = workspace(mine)
    code, _, err = ws.iq("agent", "install")
    assert (code, err) == (0, "")
    first = {path: (ws.root / path).read_bytes() for path in mine}
    assert b"iq" in first["AGENTS.md"]
    assert first["CLAUDE.md"].count(b"\n") == first["CLAUDE.md"].count(b"\r\n")
    assert json.loads(first[".mcp.json"])["mcpServers"] == {"other": {"command": "x"}, "iq": {"command": "iq", "args": ["mcp"]}}
    assert not (ws.root / ".cursor").exists()
    ws.iq("agent", "install")
    assert first == {path: (ws.root / path).read_bytes() for path in mine}
    assert ws.iq("agent", "remove")[0] == 0
    for path, text in mine.items():
        if text:
            assert (ws.root / path).read_bytes().decode() == text, path
    assert "nothing was there" in ws.iq("agent", "remove")[1]


@given(text=st.text(alphabet=st.sampled_from("ab\n\r #é<!-"), max_size=60))
def test_what_is_removed_is_what_was_put_in(text: str) -> None:
    made = _with(text, "AGENTS.md")
    assert _without(made, "AGENTS.md") == text
    assert _with(made, "AGENTS.md") == made
    assert text in made


def test_files_that_are_named_are_made(workspace: Callable[..., Place]) -> None:
    ws = workspace({"a.py": ""})
    assert ws.iq("agent", "install")[0] == 2
    assert "none of AGENTS.md" in ws.iq("agent", "install")[2]
    assert ws.iq("agent", "install", "AGENTS.md", ".cursor/rules/iq.mdc", ".vscode/mcp.json")[0] == 0
    assert (ws.root / ".cursor/rules/iq.mdc").read_text().startswith("---\n")
    assert json.loads((ws.root / ".vscode/mcp.json").read_text()) == {"servers": {"iq": {"command": "iq", "args": ["mcp"]}}}
    assert ws.iq("agent", "remove")[0] == 0
    assert not any((ws.root / path).exists() for path in (*FILES, ".vscode/mcp.json"))


@pytest.mark.parametrize(
    ("files", "words", "said"),
    [
        ({"AGENTS.md": f"{BEGIN}\nhalf"}, ("install",), "are no pair"),
        ({"AGENTS.md": f"{END}\n{BEGIN}"}, ("remove",), "are no pair"),
        ({"AGENTS.md": b"\xff\xfe"}, ("install",), "cannot be read as UTF-8"),
        ({"CLAUDE.md": "x", ".mcp.json": "{ // comment\n}"}, ("install",), "is no plain JSON"),
        ({"CLAUDE.md": "x", ".mcp.json": '{"mcpServers": []}'}, ("install",), "holds no object"),
        ({"a.md": "x"}, ("install", "a.md"), "no file that agents read"),
        ({"a.md": "x"}, ("install", "../AGENTS.md"), "no file that agents read"),
        ({"a.md": "x"}, ("frob",), "unknown action"),
        ({"a.md": "x"}, (), "needs install|remove"),
    ],
)
def test_what_is_not_understood_is_not_touched(files: dict[str, str | bytes], words: tuple[str, ...], said: str, workspace: Callable[..., Place]) -> None:
    ws = workspace(files)
    before = {path: (ws.root / path).read_bytes() for path in files}
    code, _, err = ws.iq("agent", *words)
    assert code == 2
    assert said in err
    assert before == {path: (ws.root / path).read_bytes() for path in files}


def test_a_link_that_leaves_the_workspace(workspace: Callable[..., Place], tmp_path: Path) -> None:
    ws = workspace({})
    (tmp_path / "theirs.md").write_text("theirs")
    os.symlink(tmp_path / "theirs.md", ws.root / "AGENTS.md")
    assert ws.iq("agent", "install")[0] == 2
    assert (tmp_path / "theirs.md").read_text() == "theirs"


def test_it_is_short() -> None:
    assert tokens(TEXT) < 300


def test_help_is_example_first_and_short(workspace: Callable[..., Place]) -> None:
    _, out, _ = workspace({}).iq("--help")
    assert tokens(out) < 400
    assert out.index('iq "') < out.index("Scope")

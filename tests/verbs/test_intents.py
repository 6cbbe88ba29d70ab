"""Intents from the command line: declaring, asking, marking, learning, noting; and what a person may get wrong."""

from __future__ import annotations

import json
import subprocess

import pytest

FILES = {
    "src/bar.py": """class ProgressBar:
    def update(self, n):
        if n < 0:
            raise ProgressError("no way back")


class ProgressError(Exception):
    pass
""",
    "src/use.py": """from bar import ProgressBar, ProgressError


def main():
    try:
        ProgressBar().update(-1)
    except ProgressError:
        return 1
""",
    "examples/demo.py": "from bar import ProgressBar\n\nProgressBar().update(3)\n",
    "tests/test_bar.py": "from bar import ProgressBar\n\n\ndef test_progress_bar():\n    assert ProgressBar().update(1) is None\n",
    "docs/bar.md": "# Progress bar\n\nUse `ProgressBar` to show progress.\n",
    "CHANGES.md": "# 2.0\n\n- Drop old Pythons.\n- Add `ProgressBar`, a progress bar.\n\n# 1.0\n\n- First release.\n",
    "pyproject.toml": '[tool.progress]\nbar = "wide"\n',
    ".env": "PROGRESS_BAR=secret\n",
}  # fmt: skip


@pytest.fixture
def ws(workspace):
    return workspace(FILES)


def answer(out):
    return next(line for line in out.splitlines() if line.startswith("answer:"))


@pytest.mark.parametrize(
    ("intent", "first"),
    [
        ("test", "tests/test_bar.py"),
        ("testing", "tests/test_bar.py"),
        ("understand", "docs/bar.md"),
        ("history", "CHANGES.md:4"),
        ("configure", "pyproject.toml"),
        ("usage", "examples/demo.py"),
        ("implement", "src/bar.py"),
    ],
)
def test_a_declared_intent_decides_and_is_said(ws, intent, first):
    code, out, err = ws.iq("progress bar", "--intent", intent)
    assert (code, err) == (0, "")
    assert f"answer: {first}" in out
    assert "(declared)" in out.splitlines()[0]


def test_a_single_name_under_an_intent_is_ranked(ws):
    assert "answer: CHANGES.md:4" in ws.iq("ProgressBar", "--intent", "history")[1]
    assert "answer: src/bar.py" in ws.iq("ProgressBar")[1]


def test_inference_is_said_with_its_cue(ws):
    out = ws.iq("which version added the progress bar")[1]
    assert "intent history (inferred from 'which version added')" in out.splitlines()[0]
    assert "intent" not in ws.iq("how does the progress bar work")[1].splitlines()[0]
    assert "intent" not in ws.iq("which version added the progress bar", "--intent", "none")[1].splitlines()[0]


def test_the_call_goes_before_the_environment_and_that_before_the_session(ws):
    assert ws.iq("intent", "use", "history")[0] == 0
    assert "intent history (in use)" in ws.iq("progress bar")[1]
    environment = {**ws.environment(), "IQ_INTENT": "test"}
    assert "intent test (from IQ_INTENT)" in ws.iq("progress bar", env=environment)[1]
    assert "intent debug (declared)" in ws.iq("progress bar", "--intent", "debug", env=environment)[1]
    assert "intent" not in ws.iq("progress bar", "--intent", "auto", env=environment)[1].splitlines()[0]
    ws.iq("intent", "use", "auto")
    assert "intent" not in ws.iq("progress bar")[1].splitlines()[0]


def test_explain_shows_every_term(ws):
    out = ws.iq("progress bar", "--intent", "test", "--explain")[1]
    row = next(line for line in out.splitlines() if line.startswith("  1 "))
    for word in ("class tests", "base z", "log p", "evidence"):
        assert word in row


def test_an_authored_intent_from_add_to_rm(ws):
    code, out, _ = ws.iq("intent", "add", "security", "--description", "what is checked", "--only", "src", "--glob", "src/use*", "--pattern", "except")
    assert code == 0 and ".iq/intents.toml" in out
    assert "security" in ws.iq("intent", "list")[1]
    assert "globs: src/use*" in ws.iq("intent", "show", "security")[1]
    assert "answer: src/use.py" in ws.iq("progress error", "--intent", "security")[1]
    ws.iq("intent", "use", "security")
    assert "no longer is" in ws.iq("intent", "rm", "security")[1]
    assert "security" not in ws.iq("intent", "list")[1]
    assert ws.iq("progress bar")[0] == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["x y", "--intent", "tset"], "unknown intent 'tset'; known: implement, test"),
        (["intent", "use", "tset"], "unknown intent 'tset'"),
        (["intent", "use"], "takes one name"),
        (["intent", "fly"], "unknown action 'fly'; known: list, show"),
        (["intent", "add", "x"], "[x] has no text"),
        (["intent", "add", "debug", "--description", "d"], "is taken (built in)"),
        (["intent", "add", "x", "--description", "d", "--pattern", "("], "'(' is no regular expression"),
        (["intent", "add", "x", "--description", "d", "--only", "source"], "unknown class 'source'"),
        (["intent", "add", "x", "--exemplar", b"\xff\xfe"], "is not UTF-8"),
        (["intent", "rm", "debug"], "is built in and stays"),
        (["intent", "rm", "nobody"], "has no intent 'nobody'"),
        (["intent", "explain"], "needs a question"),
        (["feedback", "src/bar.py:1"], "no question is logged here"),
        (["feedback", "src/none.py:1", "--query", "q", "--intent", "test"], "src/none.py"),
        (["feedback", ".env:1", "--query", "q", "--intent", "test"], ".env"),
        (["feedback", "src/bar.py:1", "--query", "what is in .env", "--intent", "test"], "is not kept"),
        (["learn", "nobody"], "unknown intent 'nobody'"),
        (["note", ""], "empty question"),
        (["note", "text", "--at", "nowhere.py:3"], "nowhere.py"),
        (["note", "text", "--at", ".env:1"], ".env"),
        (["note", "text", "--at", "src/bar.py:900"], "'src/bar.py' has lines 1-"),
        (["note", "x" * 5000], "at most 4000"),
    ],
    ids=lambda value: " ".join(str(word)[:20] for word in value) if isinstance(value, list) else "",
)
def test_what_goes_wrong_is_said_in_one_line(ws, call, said):
    code, out, err = ws.iq(*call)
    assert (code, out) == (2, "")
    assert said in err and "Traceback" not in err and err.count("\n") == 1


def test_a_broken_file_of_intents_stops_what_needs_it_and_nothing_else(ws):
    (ws.root / ".iq/intents.toml").write_text("[x]\n")
    assert ws.iq("progress bar")[0] == 0
    assert ws.iq("progress bar", "--intent", "test")[0] == 0
    code, _, err = ws.iq("progress bar", "--intent", "x")
    assert code == 2 and "[x] has no text" in err


def test_a_session_intent_that_is_gone_says_how_to_undo_it(ws):
    (ws.root / ".iq/local").mkdir()
    (ws.root / ".iq/local/intent").write_text("gone\n")
    code, _, err = ws.iq("progress bar")
    assert code == 2 and "`iq intent use auto` undoes it" in err
    assert ws.iq("intent", "use", "auto")[0] == 0
    assert ws.iq("progress bar")[0] == 0


def test_questions_are_logged_unless_asked_not_to(ws):
    ws.iq("progress bar", "--intent", "test")
    ws.iq("hidden words", "--no-log")
    ws.iq("what sets .env here")
    ws.iq("more words", env={**ws.environment(), "IQ_NO_LOG": "1"})
    rows = [json.loads(line) for line in (ws.root / ".iq/local/queries.jsonl").read_text().splitlines()]
    assert rows == [{"query": "progress bar", "intent": "test"}]
    assert "queries.jsonl" not in ws.iq("find", "progress bar")[1]


def test_feedback_takes_the_last_question_and_says_contradictions(ws):
    ws.iq("progress bar", "--intent", "test")
    assert "1 mark useful for 'progress bar' under test" in ws.iq("feedback", "tests/test_bar.py:4-5")[1]
    assert "1 contradicted an earlier mark" in ws.iq("feedback", "tests/test_bar.py:4-5", "--not-useful")[1]
    ws.iq("progress bar")
    code, _, err = ws.iq("feedback", "src/bar.py:1")
    assert code == 2 or "under test" in err  # the last question of these words ran without an intent


def test_thousands_of_marks_of_one_question_teach_nothing(ws):
    (ws.root / ".iq/local").mkdir()
    row = {"query": "progress bar", "intent": "test", "useful": True}
    rows = [json.dumps({**row, "anchor": f"docs/bar.md:{n}-{n}"}) for n in range(10_000, 0, -1)]
    (ws.root / ".iq/local/feedback.jsonl").write_text("\n".join(rows) + "\n")
    code, out, _ = ws.iq("learn")
    assert code == 0 and "nothing learned; 1 queries with marks; 8 are needed" in out
    assert not (ws.root / ".iq/local/learned.json").exists()


def test_learned_weights_are_used_and_taken_back(ws):
    before = ws.iq("progress bar", "--intent", "test", "--explain")[1]
    (ws.root / ".iq/local/learned.json").write_text('[{"test": [4.5, 2.0]}]')
    after = ws.iq("progress bar", "--intent", "test", "--explain")[1]
    assert before != after
    assert "weights as shipped" in ws.iq("intent", "revert")[1]
    assert ws.iq("progress bar", "--intent", "test", "--explain")[1] == before
    assert "nothing was learned here" in ws.iq("intent", "revert")[1]


def test_suggestions_come_from_questions_without_an_intent(ws):
    for query in ("where is the cache filled", "cache eviction order", "is the cache shared", "something else"):
        ws.iq(query)
    out = ws.iq("intent", "suggest")[1]
    assert "iq intent add cache --description 'questions about cache" in out
    assert "where is the cache filled" in out


def test_a_note_is_a_file_that_its_phase_finds_again(ws):
    out = ws.iq("note", "we rejected threads because the bar is drawn by one", "--at", "src/bar.py:2", "--intent", "planning")[1]
    path = out.splitlines()[-1]
    assert path.startswith(".iq/notes/rejected-threads") and path.endswith(".md")
    text = (ws.root / path).read_text()
    assert "intent: planning\nat: src/bar.py:2\n" in text
    assert f"answer: {path}" in ws.iq("threads for the bar", "--intent", "planning")[1]
    assert f"answer: {path}" not in ws.iq("progress bar", "--intent", "test")[1]
    assert "answer: src/bar.py" in ws.iq("progress bar update")[1]
    (ws.root / path).unlink()
    assert path not in ws.iq("threads for the bar", "--intent", "planning")[1]


def test_the_same_note_twice_is_one_file(ws):
    for _ in range(2):
        ws.iq("note", "../../etc/passwd is not where this goes", "--intent", "debugging")
    assert len(list((ws.root / ".iq/notes").iterdir())) == 1
    assert "intent: debug" in next((ws.root / ".iq/notes").iterdir()).read_text()


def git(ws, *words):
    subprocess.run(("git", "-c", "user.name=A B", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", *words), cwd=ws.root, check=True, capture_output=True)


def test_a_review_is_about_the_change(ws):
    git(ws, "init", "-q")
    git(ws, "add", *(path for path in FILES if path != ".env"))
    git(ws, "commit", "-qm", "one")
    out = ws.iq("what could break", "--intent", "review")[1]
    assert "review of commit" in out
    (ws.root / "src/use.py").write_text(FILES["src/use.py"].replace("return 1", "return 2"))
    (ws.root / "fresh.py").write_text("def fresh():\n    pass\n")
    out = ws.iq("what could break", "--intent", "review")[1]
    assert "intent review of uncommitted changes" in out
    anchors = answer(out) + next(line for line in out.splitlines() if line.startswith("candidates:"))
    assert "src/use.py:" in anchors and "fresh.py:" in anchors and ".env" not in out
    assert "owners: A B (1 commit)" in out


def test_a_review_without_git_says_so(ws):
    assert "review of no git repository here" in ws.iq("progress bar", "--intent", "review")[1]

"""Calls as a person types them: what each answers, and how each unlucky one ends."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iq.cli import main
from iq.render.budget import tokens
from iq.verbs import VERBS as TABLE

ROOT = Path(__file__).parents[1]

FILES = {
    "a.py": 'import os\n\n\nclass Alpha:\n    """First letter."""\n\n    def beta(self):\n        return needle(1)\n\n\ndef needle(x):\n    return "SECRET_TOKEN"\n',  # noqa: E501
    "lib/b.go": 'package lib\n\n// Gamma adds.\nfunc Gamma(a int) int {\n\treturn needle(a)\n}\n',
    "docs/guide.md": "# Guide\n\nHow needles are threaded.\n\n## Threads\n\nText on threads.\n",
    "tests/test_a.py": "from a import needle\n\n\ndef test_needle():\n    assert needle(1)\n",
    ".env": "SECRET_TOKEN=hunter2 swordfish\n",
    "deploy/id_rsa": "hunter2 swordfish\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("polyglot")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "nul.py").write_bytes(b'def nul():\n    x = "\0"\n    return in_nul\n')
    (folder / "utf16.txt").write_bytes("\ufeffin_sixteen".encode("utf-16-le"))
    (folder / "latin.txt").write_bytes(b"caf\xe9 in_latin\n")
    (folder / "long.js").write_text("x" * 5_000_000 + " in_long\n")
    (folder / "image.png").write_bytes(bytes(range(256)) * 40 + b"in_image")
    (folder / "many.txt").write_text("".join(f"many {n}\n" for n in range(500)))
    Path(os.fsdecode(os.fsencode(str(folder)) + b"/bad\xff.py")).write_text("in_bad = 1\n")
    (folder / "loop").symlink_to(folder)
    return folder


def call(root: Path, capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str, str]:
    code = main([*words, "--root", str(root)])
    out, err = capfdbinary.readouterr()
    return code, out.decode("utf-8"), err.decode("utf-8")


# words, exit code, what stdout or stderr must say
ROWS = [
    (("where are needles threaded?",), 0, "answer: "),
    (("needle",), 0, "answer: a.py:11-12 · needle (function)"),
    (("a.py",), 0, "a.py"),
    ((r"def \w+dle",), 0, "regex"),
    (("/home/x/proj/lib/b.go",), 0, "1 file · path"),
    ((r"C:\proj\lib\b.go",), 0, "1 file · path"),
    (("/home/x/a.go",), 0, "no path '/home/x/a.go' here, so it was read as prose"),
    (("needle(1)",), 0, "literal"),
    (("'First letter.'",), 0, "1 line in 1 file"),
    (("--no-such-flag-here",), 1, "no literal '--no-such-flag-here' here, so it was read as prose"),
    (("a.py:11",), 0, "answer: a.py:11 · needle (function) 11-12"),
    (("nosuch.py:11",), 0, "no file of the workspace is 'nosuch.py', so it was read as prose"),
    (("needle sixteen",), 0, "prose"),
    (("frobnicate",), 1, "no symbol 'frobnicate' here, so it was read as prose"),
    (("",), 2, "empty question"),
    (("x" * 100_000,), 1, "nothing found"),
    (("word " * 20_000,), 1, "cut to its first 20000 characters"),
    (("-> None",), 1, "prose"),
    (("-> None", "--limit", "1"), 1, "iq: -> None — "),
    (("find", "needle"), 0, "7 lines in 4 files"),
    (("find", "in_nul"), 0, "nul.py"),
    (("find", "in_sixteen"), 0, "utf16.txt"),
    (("find", "in_latin"), 0, "café in_latin"),
    (("find", "in_bad"), 0, "bad\\xff.py"),
    (("find", "in_long"), 0, "column 5000002"),
    (("find", "in_image"), 1, "1 binary"),
    (("find", "nothing_like_this"), 1, "nothing found"),
    (("find", r"Alpha\|Gamma"), 0, "rewritten from grep's form to Alpha|Gamma"),
    (("find", "needle("), 0, "literal, since it is no regular expression"),
    (("find", "(?<=def )needle"), 0, "PCRE2 regex"),
    (("find", "--literal", "needle(x"), 0, "1 line in 1 file"),
    (("find", "--word", "needl"), 1, "nothing found"),
    (("find", "ALPHA"), 1, "nothing found"),
    (("find", "alpha"), 0, "class Alpha"),
    (("find", "alpha", "--case"), 1, "nothing found"),
    (("find", "needle", "--only", "tests"), 0, "3 lines in 1 file "),
    (("find", "needle", "--lang", "go"), 0, "1 line in 1 file"),
    (("find", "needle", "--glob", "*.go"), 0, "1 line in 1 file"),
    (("find", "needle", "--not-glob", "tests/"), 0, "4 lines in 3 files"),
    (("find", "needle", "--in", "lib"), 0, "1 line in 1 file"),
    (("find", "x", "--in", "nosuch"), 2, "matches nothing; tried"),
    (("find", "x", "--in", "/"), 2, "outside the workspace"),
    (("find", "x", "--in", ".env"), 2, "never surfaces"),
    (("find", "x", "--lang", "klingon"), 2, "unknown language 'klingon'"),
    (("find", "x", "--only", "junk"), 2, "unknown class 'junk'"),
    (("find", "x", "--limit", "0"), 2, "no positive number"),
    (("find", "x", "--bogus"), 2, "unrecognized arguments: --bogus"),
    (("find", "needle", "--after", "zzz:1"), 2, "not in this answer"),
    (("files", "guide"), 0, "docs/guide.md"),
    (("files", "--exact", "**/*.py"), 0, "tests/test_a.py"),
    (("files", "env"), 1, "nothing found"),
    (("def", "Alpha.beta"), 0, "Alpha.beta (method)"),
    (("def", "a.py::needle"), 0, "1 definition in 1 file"),
    (("def", "nothing"), 1, "nothing found"),
    (("refs", "needle"), 0, "uses: 1 def · 3 call · 1 import"),
    (("refs", "needle", "--kind", "import"), 0, "1 line in 1 file"),
    (("refs", "needle", "--kind", "nope"), 2, "unknown kind 'nope'"),
    (("sym", "*eta"), 0, "Alpha.beta (method)"),
    (("sym", "gam", "--kind", "function"), 0, "Gamma"),
    (("sym", "x", "--kind", "nope"), 2, "unknown kind 'nope'"),
    (("ast", "needle($X)", "--lang", "python"), 0, "2 matches"),
    (("ast", "needle($X)"), 2, "add --lang"),
    (("outline", "a.py"), 0, "def beta(self)"),
    (("outline", "nosuch.py"), 2, "iq files nosuch.py"),
    (("context", "a.py:8"), 0, "def beta(self)"),
    (("context", "a.py"), 2, "no PATH:LINE"),
    (("context", "a.py:99"), 2, "has lines 1-12"),
    (("read", "Alpha.beta"), 0, "return needle(1)"),
    (("read", "a.py::needle"), 0, "SECRET_TOKEN"),
    (("read", "a.py:4-5"), 0, "First letter"),
    (("read", "a.py:50-60"), 2, "has lines 1-12"),
    (("read", ".env"), 2, "never surfaces (secret)"),
    (("read", ".git/config"), 2, "never surfaces (git)"),
    (("index", "status"), 0, "chunks"),
    (("index", "frob"), 2, "unknown action 'frob'"),
    (("x", "--features", "rerankk"), 2, "unknown feature 'rerankk'; known:"),
    (("needle", "--features", "bm25", "--explain"), 0, "features bm25"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "code", "said"), ROWS, ids=[" ".join(words)[:40] or "empty" for words, _, _ in ROWS])
def test_calls(words: tuple[str, ...], code: int, said: str, root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    got, out, err = call(root, capfdbinary, *words)
    assert said in out + err
    assert got == code
    assert "swordfish" not in out + err
    assert bool(err) == (code == 2)


# stdin, words, exit code, what stdout or stderr must say
PIPED = [
    (b"where are needles threaded?\n", ("-",), 0, "answer: "),
    (b"needle", ("search", "-"), 0, "answer: a.py:11-12"),
    (b"needle", ("-", "--limit", "1"), 0, "answer: a.py:11-12"),
    (b"needle", ("--limit", "1", "-"), 0, "answer: a.py:11-12"),
    (b'Traceback (most recent call last):\n  File "/srv/a.py", line 8, in beta\n    return needle(1)\nKeyError: 1\n', ("-",), 0, "answer: a.py:8 "),
    (b'  File "/srv/a.py", line 8, in beta\r\n    return needle(1)\r\nKeyError: \xff\xfe\0\r\n', ("-",), 0, "answer: a.py:8 "),
    (b'  File "/srv/.env", line 1, in beta\n    swordfish\nKeyError: 1\n', ("-",), 0, "none of them in the workspace"),
    (b"", ("-",), 2, "empty question"),
    (b"\n\n", ("-",), 2, "empty question"),
    (b"needle", ("find", "-"), 1, "iq find: -"),
    (b"\xff" * 100_000, ("-",), 1, "nothing found"),
]  # fmt: skip


@pytest.mark.parametrize(("stdin", "words", "code", "said"), PIPED, ids=[f"{words} {stdin[:20]!r}" for stdin, words, _, _ in PIPED])
def test_a_question_on_stdin(
    stdin: bytes, words: tuple[str, ...], code: int, said: str, root: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
    got, out, err = call(root, capfdbinary, *words)
    assert said in out + err
    assert got == code
    assert "hunter2" not in out + err


def test_a_trace_marks_its_line_in_every_form(root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    trace = 'Traceback (most recent call last):\n  File "/srv/a.py", line 8, in beta\n    return needle(1)\nKeyError: 1\n'
    _, out, _ = call(root, capfdbinary, trace)
    assert "   8>         return needle(1)" in out.splitlines()
    assert "   7      def beta(self):" in out.splitlines()
    answer = json.loads(call(root, capfdbinary, trace, "--json")[1])
    assert answer["kind"] == "artefact"
    assert [row["number"] for row in answer["items"][0]["lines"] if row["hit"]] == [8]
    assert call(root, capfdbinary, trace, "--files-only", "--limit", "1")[1] == "a.py\n"
    first = answer["items"][0]["anchor"]
    assert f"answer: {first}" not in call(root, capfdbinary, trace, "--after", first)[1]


@pytest.mark.parametrize("budget", [100, 120, 140])
def test_a_first_answer_too_long_for_the_budget_is_shortened_around_its_hit(budget: int, root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """--json used to leave such an answer out, and with it all."""
    answer = json.loads(call(root, capfdbinary, "many.txt:250", "--json", "--budget", str(budget))[1])
    numbers = [row["number"] for row in answer["items"][0]["lines"]]
    assert 250 in numbers
    assert len(numbers) < 9


SECRETS = (
    ("find", "hunter2"), ("find", "hunter2", "--ignored"), ("find", "hunter2", "--glob", ".env", "--ignored"), ("refs", "hunter2"),
    ("files", ".env", "--ignored"), ("ast", "hunter2", "--lang", "python"), ("hunter2",), ("files", "--exact", ".env*"), ("files", "id_rsa"),
)  # fmt: skip


@pytest.mark.parametrize("words", SECRETS, ids=" ".join)
def test_secrets_never_surface(words: tuple[str, ...], root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = call(root, capfdbinary, *words)
    assert code == 1 or words == ("hunter2",)  # a question finds what shares a part of the word
    assert "swordfish" not in out and "SECRET_TOKEN=" not in out and "deploy/" not in out


@pytest.mark.parametrize("words", [("find", "many"), ("refs", "many"), ("sym", "e"), ("files", "a")], ids=" ".join)
def test_pages_together_are_the_whole(words: tuple[str, ...], root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """--after continues exactly: no result twice, none left out."""
    _, out, _ = call(root, capfdbinary, *words, "--json", "--full")
    whole = [item["anchor"] for item in json.loads(out)["items"]]
    pages: list[str] = []
    cursor: list[str] = []
    while True:
        _, out, _ = call(root, capfdbinary, *words, "--json", "--budget", "700", *cursor)
        page = json.loads(out)
        pages += [item["anchor"] for item in page["items"]]
        assert page["total"] == len(whole)
        if not page["more"]:
            break
        cursor = ["--after", page["more"]]
    assert pages == whole


def test_text_pages_name_the_cursor_that_goes_on(root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    seen, cursor = 0, []
    while True:
        _, out, _ = call(root, capfdbinary, "find", "many", *cursor)
        seen += sum(" many " in row for row in out.splitlines() if not row.startswith(("iq", "note", "more")))
        more = [row for row in out.splitlines() if row.startswith("more: ")]
        if not more:
            break
        cursor = ["--after", more[0].split()[-1]]
    assert seen == 500


VERBS = (
    ("needle",),
    ("where are needles threaded?",),
    ("find", "many"),
    ("refs", "needle"),
    ("read", "many.txt"),
    ("outline", "a.py"),
    ("files", "a"),
    ("def", "needle"),
    ('  File "/srv/a.py", line 8, in beta\nKeyError: 1',),
    ("a.py:8",),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(budget=st.integers(1, 3000), words=st.sampled_from(VERBS), form=st.sampled_from([(), ("--explain",), ("--files-only",), ("-C", "2")]))
def test_the_budget_is_hard(budget: int, words: tuple[str, ...], form: tuple[str, ...], root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    _, out, _ = call(root, capfdbinary, *words, "--budget", str(budget), *form)
    assert tokens(out) <= budget


def test_forms(root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(root, capfdbinary, "find", "many", "--count")[1] == "500\n"
    assert call(root, capfdbinary, "find", "needle", "--files-only")[1] == "a.py\ndocs/guide.md\nlib/b.go\ntests/test_a.py\n"
    rows = [json.loads(row) for row in call(root, capfdbinary, "find", "needle", "--ndjson", "--limit", "2")[1].splitlines()]
    assert [row.get("anchor") for row in rows] == ["a.py:8", "a.py:11", None]
    assert "-" in call(root, capfdbinary, "find", "beta", "-C", "1")[1]


def test_the_same_question_gives_the_same_bytes(root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    first = call(root, capfdbinary, "where are needles threaded?")
    assert first == call(root, capfdbinary, "where are needles threaded?")


def test_an_edit_is_seen_by_the_next_question(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "a.py").write_text("def before():\n    return 1\n")
    assert call(tmp_path, capfdbinary, "def", "before")[0] == 0
    (tmp_path / "a.py").write_text("# moved\n\ndef after():\n    return 2\n")
    assert call(tmp_path, capfdbinary, "def", "before")[0] == 1
    assert "after (function) 3-4" in call(tmp_path, capfdbinary, "def", "after")[1]
    assert "return 2" in call(tmp_path, capfdbinary, "read", "after")[1]


def test_a_file_that_vanishes_while_it_is_read(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    import iq.index.parse as module

    (tmp_path / "a.py").write_text("def stays(): ...\n")
    (tmp_path / "gone.py").write_text("def goes(): ...\n")
    real = module.read
    monkeypatch.setattr(module, "read", lambda root, path: (tmp_path / "gone.py").unlink(missing_ok=True) or real(root, path))
    assert call(tmp_path, capfdbinary, "def", "stays")[0] == 0


def test_an_empty_workspace(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for words in (("where is anything?",), ("find", "x"), ("def", "x"), ("files", "x")):
        code, out, err = call(tmp_path, capfdbinary, *words)
        assert (code, err) == (1, "") and "nothing found" in out


def test_a_closed_pipe_is_success(root: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from iq.cli import main; sys.exit(main(['find', 'many', '--full', '--root', {str(root)!r}]))"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None and child.stderr is not None
    child.stdout.close()
    assert child.wait(30) == 0
    assert child.stderr.read() == b""
    child.stderr.close()


def test_help_shows_what_may_be_left_out_in_one_pair_of_brackets(root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for verb in TABLE:
        _, out, _ = call(root, capfdbinary, verb, "--help")
        assert "[]" not in out and "[[" not in out and "[ ...]" not in out, verb

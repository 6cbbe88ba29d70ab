"""Hostile and unlucky input: each call ends in an honest answer, or in exit 2 with a message that names the value."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iq.cli import main
from iq.engine import Engine
from iq.index import grep
from iq.index.workspace import find as workspace_of
from iq.render.budget import tokens

CHECKOUT = Path(__file__).parents[1]
posix = pytest.mark.skipif(sys.platform == "win32", reason="names and links of this kind need a POSIX file system")

QUESTIONS = (("needle",), ("where is the needle?",), ("find", "needle"), ("refs", "needle"), ("def", "needle"), ("sym", "needle"), ("files", "a"),
             ("ast", "needle($$$)", "--lang", "python"))  # fmt: skip


@pytest.fixture
def iq(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """A call in this process; whatever it is given, its end is checked."""

    def call(root: Path, *words: str) -> tuple[int, str, str]:
        monkeypatch.setenv("IQ_ROOT", str(root))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"needle")))
        code = main(words)
        out, err = (stream.decode("utf-8") for stream in capfdbinary.readouterr())
        assert code in (0, 1, 2) and bool(err) == (code == 2) == (not out)
        assert not err or (err.startswith("iq: ") and err.count("\n") == 1 and len(err) < 800)
        return code, out, err

    return call


def fill(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return root


# Files.


def test_a_file_of_200_megabytes(iq, tmp_path: Path) -> None:
    fill(tmp_path, {"big.log": "first_needle\n" * 2000, "a.py": "def f(): ...\n"})
    with open(tmp_path / "big.log", "r+b") as file:
        file.truncate(200_000_000)  # a hole of NULs, one line for ripgrep
        file.seek(0, os.SEEK_END)
        file.write(b"\nlast_needle\n")
    code, out, _ = iq(tmp_path, "find", "last_needle")
    assert code == 0 and "1 line in 1 file" in out and "2002 last_needle" in out
    assert iq(tmp_path, "find", "last_needle", "-C", "1")[0] == 0
    code, out, _ = iq(tmp_path, "where does f live?")
    assert code == 0 and "1 too large" in out
    assert iq(tmp_path, "refs", "last_needle")[0] == 0
    assert iq(tmp_path, "read", "big.log:1-2")[0] in (0, 2)
    assert iq(tmp_path, "outline", "big.log")[0] in (0, 1, 2)


def test_a_line_of_5_megabytes(iq, tmp_path: Path) -> None:
    fill(tmp_path, {"a.js": "var a = needle(" + "1," * 2_500_000 + "2);\nneedle()\n", "b.py": "def needle(): ...\n\n\nneedle(1)\n"})
    for words in QUESTIONS:
        code, out, _ = iq(tmp_path, *words)
        assert code == 0 and tokens(out) <= 1500


@posix
def test_a_file_that_vanishes_between_the_match_and_its_reading(iq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = grep._is_binary

    def vanish(root: str, path: str) -> bool:
        (tmp_path / "gone.py").unlink(missing_ok=True)
        return real(root, path)

    monkeypatch.setattr(grep, "_is_binary", vanish)
    for words in (("find", "needle"), ("find", "needle", "-C", "2"), ("refs", "needle")):
        fill(tmp_path, {"gone.py": "needle = 1\n", "stays.py": "def needle(): ...\n"})
        code, out, _ = iq(tmp_path, *words)
        assert code == 0 and "stays.py" in out


def test_a_tree_that_changes_all_the_time(iq, tmp_path: Path) -> None:
    fill(tmp_path, {"a.py": "def needle(): ...\n\n\nneedle(1)\n"})
    stop = threading.Event()

    def churn() -> None:
        rng = random.Random(7)
        while not stop.is_set():
            name = f"d{rng.randrange(3)}/f{rng.randrange(20)}.py"
            if rng.random() < 0.5:
                fill(tmp_path, {name: "needle(1)\n" * rng.randrange(1, 50)})
            elif rng.random() < 0.8:
                (tmp_path / name).unlink(missing_ok=True)
            else:
                shutil.rmtree(tmp_path / name.partition("/")[0], ignore_errors=True)

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for words in QUESTIONS * 2:
            assert iq(tmp_path, *words)[0] == 0
    finally:
        stop.set()
        thread.join()


@posix
def test_links_in_a_loop_and_to_nowhere(iq, tmp_path: Path) -> None:
    fill(tmp_path, {"d/a.py": "def needle(): ...\n\n\nneedle(1)\n"})
    (tmp_path / "d" / "up").symlink_to("..")
    (tmp_path / "self").symlink_to("self")
    (tmp_path / "broken.py").symlink_to("absent")
    (tmp_path / "round").symlink_to(tmp_path)
    for words in QUESTIONS:
        code, out, _ = iq(tmp_path, *words)
        assert code == 0 and "d/a.py" in out and "up/" not in out and "round/" not in out
    for words in (("read", "self"), ("outline", "broken.py"), ("find", "needle", "--in", "self")):
        assert iq(tmp_path, *words)[0] in (1, 2)
    assert "2 lines in 1 file" in iq(tmp_path, "find", "needle", "--in", "round/d")[1]


@posix
def test_a_tree_deeper_than_python_recurses(iq, tmp_path: Path) -> None:
    fill(tmp_path, {".gitignore": "{x}\n"})  # a rule that makes iq walk by itself
    try:
        place = os.open(tmp_path, os.O_RDONLY)
        for _ in range(1000):  # step by step: the path may be longer than a call takes
            os.mkdir("d", dir_fd=place)
            inner = os.open("d", os.O_RDONLY, dir_fd=place)
            os.close(place)
            place = inner
        handle = os.open("a.py", os.O_WRONLY | os.O_CREAT, dir_fd=place)
        os.write(handle, b"def needle(): ...\n")
        os.close(handle)
        os.close(place)
        assert f"d/{'d/' * 20}" in iq(tmp_path, "find", "needle", "--files-only", "--full")[1]
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)  # Python's own removal recurses


ENCODED = {
    "nul.py": b"def needle():\n    x = '\0'\n    return needle\n",
    "utf16.py": "\ufeffdef needle():\n    return 'größe'\n".encode("utf-16-le"),
    "utf16be.py": "\ufeffdef needle():\n    return 'größe'\n".encode("utf-16-be"),
    "utf32.py": b"\xff\xfe\0\0" + "def needle():\n    return 1\n".encode("utf-32-le"),
    "latin.py": "def needle():\n    return 'größe'\n".encode("latin-1"),
    "bom.py": b"\xef\xbb\xbfdef needle():\n    return 1\n",
    "cr.py": b"def needle():\r    return 1\r",
}


@pytest.mark.parametrize("name", ENCODED)
def test_encodings(name: str, iq, tmp_path: Path) -> None:
    fill(tmp_path, {name: ENCODED[name]})
    for words in (("find", "needle"), ("def", "needle"), ("refs", "needle"), ("outline", name), ("context", f"{name}:1"), ("read", "needle"), ("needle",)):
        code, out, _ = iq(tmp_path, *words)
        assert (code == 0 and "needle" in out) or (name == "utf32.py" and words[0] in ("find", "refs")), words  # ripgrep reads no UTF-32


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="the file system takes UTF-8 names only")
@pytest.mark.parametrize("name", [b"caf\xe9.py", b"d\xff/a.py", b"new\nline.py", b"a;rm -rf $HOME'\".py", b"-rf.py", b" .py", b"\x1b[31mred.py"])
def test_names_of_every_kind_can_be_found_paged_and_read(name: bytes, iq, tmp_path: Path) -> None:
    fill(tmp_path, {os.fsdecode(name): "def needle():\n    return needle\n\n\nneedle()\n"})
    for words in QUESTIONS:
        code, out, _ = iq(tmp_path, *words) if words[0] != "files" else iq(tmp_path, "files", "py")
        assert code == 0 and "\x1b" not in out and not any(row.startswith("line.py") for row in out.splitlines())
    seen, after = [], []
    while True:
        out = iq(tmp_path, "find", "needle", "--json", "--limit", "1", *after)[1]
        page = json.loads(out)
        seen += [item["start"] for item in page["items"]]
        if not page["more"]:
            break
        after = [f"--after={page['more']}"]
    assert seen == [1, 2, 5]
    shown = iq(tmp_path, "files", "--exact", "**")[1].splitlines()[-1]  # as printed, so as a person would paste it
    assert "return needle" in iq(tmp_path, "read", "--", f"{shown}:1-2")[1]
    assert "3 lines in 1 file" in iq(tmp_path, "find", "needle", f"--in={shown}")[1]


def test_a_pattern_beyond_ascii_is_found_in_every_encoding(iq, tmp_path: Path) -> None:
    """ripgrep reads latin-1 as broken UTF-8, so that `größe` was not found there."""
    fill(tmp_path, {"u8.py": "größe = 1\n", "l1.py": "größe = 2\n".encode("latin-1"), "u16.py": "\ufeffgröße = 3\n".encode("utf-16-le"), "moji.py": "grÃ¶Ãe\n"})
    for ignore in ("", "{x}\n"):
        fill(tmp_path, {".gitignore": ignore})
        for words in (("find", "größe"), ("find", "gr[öo]ße"), ("refs", "größe")):
            code, out, _ = iq(tmp_path, *words)
            assert code == 0 and "3 lines in 3 files" in out and "größe = 2" in out, words


def test_a_line_that_matches_in_either_reading_of_a_file_is_counted_once(iq, tmp_path: Path) -> None:
    """`größe|foo` found the `foo` of a latin-1 file both as broken UTF-8 and as latin-1."""
    fill(tmp_path, {"l1.py": "größe foo\nfoo\ngröße\n".encode("latin-1"), "u8.py": "größe foo\n", "look/x.py": "foo größe\n".encode("latin-1")})
    for ignore in ("", "{x}\n"):
        fill(tmp_path, {".gitignore": ignore})
        found = json.loads(iq(tmp_path, "find", "größe|foo", "--json")[1])
        assert [item["anchor"] for item in found["items"]] == ["l1.py:1", "l1.py:2", "l1.py:3", "look/x.py:1", "u8.py:1"]
        assert found["total"] == 5


@pytest.mark.parametrize("line", ["中文" * 60, "д" * 400, "x" * 400], ids=["chinese", "cyrillic", "ascii"])
def test_the_match_of_a_long_line_is_shown_whatever_its_letters_take(iq, tmp_path: Path, line: str) -> None:
    """Columns are counted in bytes, and were taken for characters: of a line beyond ASCII another part was shown, or none."""
    fill(tmp_path, {"a.md": f"{line} needle\n"})
    assert f"{line[-20:]} needle" in iq(tmp_path, "find", "needle")[1]


# Words of a call as a shell reads them, and lines of which two match.
WORDS = [
    ("--literal", "a\x1bb", "a\x1bb"), ("--literal", "q\u2028r\u202e", "q\u2028r\u202e"),
    ("--literal", "it's \\x1b \x1b\"", "it's \\x1b \x1b\""), ("--literal", "x\ty", "x\ty"),
    ("a = .\nb", "", "a = 1\nb"), ("--literal", "a\nb", "a\nb"), ("needle", "--glob=esc\x1b*", "needle"), ("needle", "--glob=a\udcff*", "needle"),
    ("--", "--after", "--after"), ("--", "-h", "-h"), ("x", "--word", "--", "--help", "x --help"),
]  # fmt: skip


@posix
@pytest.mark.parametrize("words", WORDS, ids=[ascii(" ".join(words[:-1])) for words in WORDS])
def test_the_command_that_goes_on_is_read_by_a_shell_as_it_was_given(iq, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Control characters and undecodable bytes stood there as they are printed, so that another text was sought."""
    shell = shutil.which("bash") or shutil.which("zsh")
    if shell is None:
        pytest.skip("neither bash nor zsh")
    fill(tmp_path, dict.fromkeys(("plain", "esc\x1b.py", os.fsdecode(b"a\xff.py")), f"{words[-1]} 1\n\n{words[-1]} 2\n"))
    asked = [word for word in words[:-1] if word]
    whole = json.loads(iq(tmp_path, "find", "--json", "--full", *asked)[1])
    assert whole["total"] > 1
    (row,) = [row for row in iq(tmp_path, "find", "--limit=1", *asked)[1].split("\n") if row.startswith("more: ")]
    typed = row.partition(" · iq ")[2]
    read = subprocess.run([shell, "-c", f"printf '%s\\0' {typed}"], capture_output=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout
    given = [os.fsdecode(word) for word in read.split(b"\0")[:-1]]
    at = given.index("--after")
    assert [*given[:at], *given[at + 2 :]] == ["find", "--limit=1", *asked]
    second = json.loads(iq(tmp_path, given[0], "--json", *given[1:])[1])
    assert [item["anchor"] for item in second["items"]] == [whole["items"][1]["anchor"]]


# Workspaces.


def test_an_empty_workspace(iq, tmp_path: Path) -> None:
    for words in (*QUESTIONS, ("outline", "a.py"), ("read", "a.py:1-2"), ("context", "a.py:1")):
        code, out, _ = iq(tmp_path, *words)
        assert code == 2 or (code == 1 and "nothing found" in out)


def test_a_root_that_is_none(iq, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for root in ("absent", "file"):
        code, _, err = iq(tmp_path / root, "find", "x")
        assert code == 2 and root in err


@lru_cache(maxsize=1)
def bound() -> tuple[str, ...] | None:
    """How to run a command so that permission bits bind it, which they do not for root; None where that cannot be had."""
    if sys.platform == "win32":
        return None
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        return None
    prefix = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        return prefix if subprocess.run([*prefix, "sh", "-c", f"! touch {folder}/x"], capture_output=True).returncode == 0 else None


@pytest.fixture
def plainly(tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    """A call in a process that permission bits bind."""
    prefix = bound()
    if prefix is None:
        pytest.skip("root ignores permission bits, and setpriv cannot take that right away here")

    def call(root: Path, *words: str, cache: Path) -> tuple[int, str, str]:
        environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "XDG_CACHE_HOME": str(cache)}
        command = [*prefix, sys.executable, "-c", "import sys; from iq.cli import main; sys.exit(main())", *words, "--root", str(root)]
        done = subprocess.run(command, capture_output=True, env=environment, text=True, timeout=60)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    return call


def test_a_workspace_that_cannot_be_written(plainly, tmp_path: Path) -> None:
    root, cache = fill(tmp_path / "ws", {"a.py": "def needle(): ...\n"}), tmp_path / "cache"
    root.chmod(0o555)
    try:
        for words in (("where is the needle?",), ("def", "needle"), ("find", "needle")):
            code, out, _ = plainly(root, *words, cache=cache)
            assert code == 0 and "a.py" in out
        assert os.listdir(root) == ["a.py"] and list(cache.rglob("index-*.db"))
        cache = tmp_path / "shut"
        cache.mkdir()
        cache.chmod(0o555)
        code, out, err = plainly(root, "def", "needle", cache=cache)
        assert code == 2 and str(cache) in err and "XDG_CACHE_HOME" in err
        assert plainly(root, "find", "needle", cache=cache)[0] == 0  # needs no index
    finally:
        root.chmod(0o755)


def test_what_cannot_be_read_is_counted(plainly, tmp_path: Path) -> None:
    root = fill(tmp_path / "ws", {"a.py": "def needle(): ...\n", "shut/b.py": "needle\n", "c.py": "needle\n"})
    (root / "shut").chmod(0)
    (root / "c.py").chmod(0)
    try:
        for words, count in ((("find", "needle"), 2), (("refs", "needle"), 2), (("files", "a"), 1), (("where is the needle?",), 2)):
            code, out, _ = plainly(root, *words, cache=tmp_path)
            assert code == 0 and f"{count} unreadable" in out, words
        code, out, err = plainly(root, "find", "needle", "--in", "shut", cache=tmp_path)
        assert (code == 1 and "1 unreadable" in out) or (code == 2 and "shut" in err)
        assert plainly(root, "read", "c.py", cache=tmp_path)[0] == 2
        code, _, err = plainly(root / "shut", "find", "needle", cache=tmp_path)
        assert code in (1, 2)
    finally:
        (root / "shut").chmod(0o755)


# Questions.


@pytest.mark.parametrize(("words", "code", "said"), [
    (("",), 2, "empty question"), (("   ",), 2, "empty question"), (("find", ""), 2, "empty question"), (("def", " "), 2, "empty question"),
    (("x" * 100_000,), 1, "nothing found"), (("find", "y" * 100_000), 1, "nothing found"), (("def", "z" * 100_000), 1, "nothing found"),
    (("needle " * 15_000,), 0, "cut to its first 20000"), (("files", "q" * 100_000), 1, "nothing found"), (("sym", "*" * 100_000), 0, "symbols"),
    (("(" * 100_000,), 1, "nothing found"), (("find", "(" * 100_000), 1, "literal"), (("find", "[" * 1000), 1, "literal"),
    (("find", "needle", "--limit", "0"), 2, "'0' is no positive number"), (("find", "needle", "--limit", "-1"), 2, "'-1' is no positive number"),
    (("find", "needle", "--limit", "abc"), 2, "'abc' is no positive number"), (("find", "needle", "--budget", "0"), 2, "'0' is no positive number"),
    (("find", "needle", "--budget", "1e9"), 2, "'1e9'"), (("find", "needle", "-C", "x"), 2, "'x'"), (("find", "needle", "--limit", "9" * 5000), 2, "999"),
    (("find", "needle", "--limit", "²"), 2, "'²'"), (("find", "needle", "--limit"), 2, "--limit"), (("find", "needle", "--budget", "9" * 30), 0, "1 line"),
    (("find", "needle", "--json", "--budget", "3"), 2, "--budget 3 is too small for JSON; give at least 40"),
    (("find", "needle", "--after", "nosuch.py:1"), 2, "--after 'nosuch.py:1'"), (("find", "needle", "--after", ""), 2, "--after ''"),
    (("find", "needle", "--in", ""), 2, "--in '' names no path"), (("find", "needle", "--in", "a\0b"), 2, "matches nothing"),
    (("read", "a\0b"), 1, "nothing found"), (("find", "a\0b"), 2, "NUL"),
    (("needle\0",), 0, "needle"), (("find", "needle", "--in", "x" * 5000), 2, "matches nothing"), (("read", "x" * 5000), 1, "nothing found"),
    (("find", "needle", "--glob", "[z-a]"), 2, "glob '[z-a]'"), (("find", "needle", "--glob", "{" * 500), 1, "nothing found"),
    (("files", "--exact", "[z-a]"), 2, "[z-a]"), (("find", "needle", "--in", "../.."), 2, "outside the workspace"),
    (("find", "caf\udce9"), 2, "caf\\xe9"), (("caf\udce9",), 1, "nothing found"), (("where is caf\udce9 ?",), 1, "nothing found"),
    (("def", "caf\udce9"), 1, "nothing found"), (("find", "needle", "--in", "caf\udce9"), 2, "matches nothing"),
    (("context", "a.py:0"), 2, "a.py"), (("context", "a.py:99999999999999999999"), 2, "has lines"), (("read", "a.py:5-2"), 2, "5-2"),
    (("ast", "(((", "--lang", "python"), 1, "nothing found"), (("ast", "", "--lang", "python"), 2, "empty question"),
    (("ast", "x", "--lang", ""), 2, "unknown"),
    (("frobnicate", "the", "needle"), 0, "needle"), (("find", "needle", "--features", "zzz"), 2, "unknown feature 'zzz'"), (("--bogus",), 1, "nothing found"),
    (("find", "--", "--needle"), 1, "nothing found"), (("find", "needle\n"), 1, "nothing found"), (("find", "...\n\n\ndef"), 0, "lines"),
    (("find", "needle(\n"), 1, "nothing found"),
], ids=lambda value: (" ".join(value)[:30] or "empty").encode("ascii", "backslashreplace").decode() if isinstance(value, tuple) else "")  # fmt: skip
def test_questions(words: tuple[str, ...], code: int, said: str, iq, tmp_path: Path) -> None:
    fill(tmp_path, {"a.py": "def needle(): ...\n\n\ndef other(): ...\n"})
    got, out, err = iq(tmp_path, *words)
    assert said in out + err
    assert got == code


def test_expressions_that_explode(iq, tmp_path: Path) -> None:
    fill(tmp_path, {"a.txt": "a" * 60 + "b\n", "b.txt": "needle\n"})
    assert iq(tmp_path, "find", "(a+)+$")[0] == 1
    assert iq(tmp_path, "find", "(a|aa)+c")[0] == 1
    code, out, _ = iq(tmp_path, "find", "(?=a)(a+)+$")
    assert code == 1 and "1 given up: the pattern backtracks too much" in out
    code, out, _ = iq(tmp_path, "find", r"(\w{1000}){1000}")
    assert code == 1 and "literal, since" in out
    assert iq(tmp_path, "find", "(" * 300 + "needle" + ")" * 300)[0] in (0, 1)


def test_a_cursor_of_another_answer(iq, tmp_path: Path) -> None:
    fill(tmp_path, {"a.py": "def needle(): ...\n" * 40, "b.py": "def other(): ...\n" * 40})
    more = json.loads(iq(tmp_path, "find", "other", "--json", "--limit", "3")[1])["more"]
    code, _, err = iq(tmp_path, "find", "needle", "--after", more)
    assert code == 2 and more in err and "without --after" in err
    fill(tmp_path, {"b.py": "other\n"})
    assert iq(tmp_path, "find", "other", "--after", more)[0] == 2


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(budget=st.integers(40, 400), words=st.sampled_from(QUESTIONS), form=st.sampled_from(["--json", "--ndjson"]), files=st.booleans())
def test_the_budget_is_hard_in_json(budget: int, words: tuple[str, ...], form: str, files: bool, iq, tmp_path: Path) -> None:
    if not (tmp_path / "a.py").exists():
        fill(tmp_path, {"a.py": "def needle(x):\n    return needle(x)\n" * 60, "größe/" + "long" * 40 + ".py": "needle(1)\n"})
    out = iq(tmp_path, *words, form, "--budget", str(budget), *(["--files-only"] if files else []))[1]
    assert tokens(out) <= budget
    rows = [json.loads(row) for row in out.splitlines()]
    if form == "--json":
        assert rows[0]["total"] > 0 and (rows[0]["more"] is None or rows[0]["left"] > 0)


WORDS = st.lists(st.one_of(st.sampled_from(["find", "refs", "--in", "--limit", "-C", "--json", "--", "--after", "a.py:1", "--count", "index", "status",
                                            "--only", "read", "ast", "--lang", "python", "outline", "context", "a.py", "--glob", "needle", "-", "--full"]),
                           st.text(max_size=12)), min_size=1, max_size=6)  # fmt: skip


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=WORDS)
def test_any_words_at_all(words: list[str], iq, tmp_path: Path) -> None:
    fill(tmp_path, {"a.py": "def needle(): ...\n"})
    if "--root" in words or "--" in words or words[0] in ("--help", "-h", "help", "--version", "-V"):
        words = ["find", *(word for word in words if word not in ("--", "--help", "-h"))]
    iq(tmp_path, *(word for word in words if "\0" not in word or words[0] != "find"))


# The index.


@pytest.mark.parametrize("ask", ["rank", "level", "answer"])
def test_damage_that_a_query_meets_is_repaired(ask: str, tmp_path: Path) -> None:
    """The first page of the database is sound, so that only the query itself meets what is not."""
    fill(tmp_path, {f"m{n}.py": f"def needle{n}():\n    return {n}\n" for n in range(60)})
    engine = Engine.open(tmp_path, cwd=str(tmp_path))
    expected = engine.rank("where is needle7?").files[0].path
    engine.session.renew()
    path = workspace_of(str(tmp_path), str(tmp_path)).database
    with open(path, "r+b") as file:
        size = os.path.getsize(path)
        for page in range(4096 * 4, size, 4096):
            file.seek(page)
            file.write(random.Random(page).randbytes(4096))
    for suffix in ("-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    if ask == "level":
        engine.level()
    elif ask == "rank":
        assert engine.rank("where is needle7?").files[0].path == expected
    assert engine.rank("where is needle7?").files[0].path == expected
    assert main(["where is needle7?", "--root", str(tmp_path)]) == 0

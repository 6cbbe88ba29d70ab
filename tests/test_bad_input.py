"""Whatever a workspace holds and whatever is typed: an answer, or a message that says what to do; never a traceback."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import apsw
import pytest

from iq.cli import main
from iq.engine import Engine
from iq.errors import StorageError
from iq.index import parse, update
from iq.index.store import Store
from iq.index.update import coverage
from iq.index.walk import Tree
from iq.index.workspace import find

CODE = 'def parse_args(words):\n    """Splits the words of a call."""\n    return words.split()\n'
SMALL = {"app.py": CODE, "lib/run.py": "from app import parse_args\n\n\ndef start():\n    return parse_args('a b')\n"}


def index_of(root: Path) -> Path:
    return root / ".iq" / "local" / "index.db"


def numbers(root: Path) -> tuple[int, int, int, list[tuple[object, ...]]]:
    """What an index holds, whatever order it was built in."""
    store = Store.peek(str(index_of(root)))
    try:
        rows = store.db.execute("SELECT f.path, s.name, s.line FROM symbols s JOIN files f ON f.id = s.file ORDER BY 1, 3, 2").fetchall()
        return store.count("files"), store.count("symbols"), store.count("chunks"), rows
    finally:
        store.close()


# --- what is on the disk ---


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_an_unreadable_folder_is_counted(workspace) -> None:
    ws = workspace({**SMALL, "locked/in.py": "parse_args = 1\n"})
    (ws.root / "locked").chmod(0)
    try:
        code, out, err = ws.iq("how are words of a call split?")
    finally:
        (ws.root / "locked").chmod(0o755)
    assert code == 0 and "1 unreadable" in out and "Traceback" not in err


def test_what_the_walk_could_not_read_is_accounted_for(tmp_path) -> None:
    store, _ = Store.open(str(tmp_path / "index.db"))
    found = coverage(store, Tree(("a.py",), 2, 1, ("locked", "other")), "fresh")
    store.close()
    assert dict(found.skipped) == {"secret": 2, "symlink": 1, "unreadable": 2}


def test_a_file_that_vanishes_before_it_is_read_is_left_out(workspace, monkeypatch) -> None:
    ws = workspace({**SMALL, "gone.py": CODE})
    real = parse.read

    def vanishing(root: str, path: str) -> parse.Parsed | None:
        if path == "gone.py":
            os.unlink(os.path.join(root, path))
        return real(root, path)

    monkeypatch.setattr(update, "read", vanishing)
    store, level = Engine.open(ws.root, cwd=str(ws.root)).session.level()
    assert sorted(store.files()) == ["app.py", "lib/run.py"]
    assert level.coverage.searched == 2


def test_a_file_that_vanishes_after_the_index_was_built_is_not_shown(workspace) -> None:
    ws = workspace(SMALL)
    assert ws.iq("def", "start")[0] == 0
    (ws.root / "lib/run.py").unlink()
    for words in (("def", "start"), ("read", "start"), ("start",)):
        code, out, err = ws.iq(*words)
        assert "lib/run.py" not in out and "Traceback" not in err and code in (0, 1)


def test_a_loop_of_links_ends(workspace) -> None:
    ws = workspace(SMALL)
    (ws.root / "loop").symlink_to(ws.root)
    (ws.root / "a").symlink_to(ws.root / "b")
    (ws.root / "b").symlink_to(ws.root / "a")
    for words in (("find", "parse_args"), ("files", "run"), ("how are words split",), ("def", "parse_args", "--in", "loop")):
        code, out, err = ws.iq(*words)
        assert (code, err) == (0, ""), words
        assert "loop/" not in out
    for words in (("read", "a"), ("outline", "a"), ("find", "x", "--in", "a")):
        code, _, err = ws.iq(*words)
        assert code in (1, 2) and "Traceback" not in err


def test_a_file_of_200_mb_is_searched_in_little_memory(workspace) -> None:
    ws = workspace(SMALL)
    with open(ws.root / "big.log", "wb") as file:
        file.write(b"first parse_args line\n" * 600)
        file.truncate(200 << 20)
        file.seek(0, os.SEEK_END)
        file.write(b"\nlast parse_args line\n")

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (700 << 20, 700 << 20))

    code, out, err = ws.iq("find", "parse_args", "--count", preexec_fn=small)
    assert (code, out, err) == (0, "604\n", "")
    code, out, err = ws.iq("how are the words of a call split", preexec_fn=small)
    assert code == 0 and "app.py" in out and "1 too large" in out and err == ""
    code, _, err = ws.iq("read", "big.log")
    assert code == 2 and "too large" in err


def test_a_line_of_5_mb_is_cut(workspace) -> None:
    ws = workspace({**SMALL, "one.js": "var a = 1;" * 500_000 + "needle();\n", "mid.js": "needle(); " + "var a = 1;" * 100_000})
    code, out, err = ws.iq("find", "needle")
    assert code == 0 and err == "" and "one.js" in out and "mid.js" in out and len(out) < 4000
    code, out, err = ws.iq("where is needle called")
    assert code in (0, 1) and err == "" and len(out) < 6001


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("nul.py", b"def wobble():\n    return 'a\0b'\n" + b"# padding words here\n" * 40),
        ("utf16.py", "def wobble():\n    return 'żółć'\n".encode("utf-16")),
        ("utf16be.py", b"\xfe\xff" + "def wobble():\n    return 1\n".encode("utf-16-be")),
        ("latin.py", "def wobble():\n    return 'café'\n".encode("latin-1")),
        ("bom.py", b"\xef\xbb\xbfdef wobble():\n    return 1\n"),
        ("crlf.py", b"def wobble():\r\n    return 1\r\n"),
        ("no_end.py", b"def wobble(): return 1"),
    ],
)
def test_odd_encodings_are_found_by_every_verb(workspace, name, content) -> None:
    ws = workspace({**SMALL, name: content})
    for words in (("find", "wobble"), ("refs", "wobble"), ("def", "wobble"), ("wobble",), ("what does wobble return",), ("read", "wobble"), ("outline", name)):
        code, out, err = ws.iq(*words)
        assert code == 0 and name in out and err == "", (words, out, err)


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="file names of arbitrary bytes need a Unix file system")
@pytest.mark.parametrize("name", [b"caf\xe9.py", b"two\nlines.py", b"sp ace'quote.py", b"--flag.py", "żółć.py".encode(), b"\x1b[31m.py"])
def test_odd_file_names_answer_and_never_steer_the_terminal(workspace, name) -> None:
    ws = workspace(SMALL)
    with open(os.path.join(os.fsencode(ws.root), name), "wb") as file:
        file.write(b"def wobble():\n    return 1\n")
    for words in (("find", "wobble"), ("refs", "wobble"), ("def", "wobble"), ("files", "py"), ("what does wobble return",), ("read", "wobble")):
        for form in ((), ("--json",), ("--ndjson",), ("--files-only",)):
            code, out, err = ws.iq(*words, *form)
            assert code == 0 and err == "", (words, form, out, err)
            assert "\x1b" not in out


def test_a_file_of_bytes_for_a_name_can_be_read(workspace) -> None:
    ws = workspace(SMALL)
    with open(os.path.join(os.fsencode(ws.root), b"caf\xe9.py"), "wb") as file:
        file.write(b"def wobble():\n    return 1\n")
    code, out, err = ws.iq("read", b"caf\xe9.py")
    assert code == 0 and "return 1" in out and err == ""


def test_an_empty_workspace_finds_nothing(workspace) -> None:
    ws = workspace({})
    for words in (("find", "x"), ("files", "x"), ("def", "x"), ("refs", "x"), ("sym", "x"), ("ast", "$X", "--lang", "python"), ("anything at all",), ("read", "x")):
        code, out, err = ws.iq(*words)
        assert code == 1 and "nothing found" in out and err == "", words


def test_empty_files_and_folders_do_no_harm(workspace) -> None:
    ws = workspace({"empty.py": "", "spaces.md": " \n\n", "app.py": CODE})
    assert ws.iq("read", "empty.py")[0] == 1
    assert ws.iq("outline", "empty.py")[0] == 1
    assert ws.iq("split the words")[0] == 0


# --- what is typed ---


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("",), "empty question"),
        (("  ",), "empty question"),
        (("find", ""), "empty"),
        (("find",), "empty question"),
        (("def", ""), "empty question"),
        (("refs", "()"), "empty"),
        (("find", "x", "--in", "nowhere"), "tried"),
        (("question about x", "--in", "nowhere"), "tried"),
        (("find", "x", "--in", "/"), "outside"),
        (("find", "x", "--in", ".."), "outside"),
        (("files", "x", "--in", "../.."), "outside"),
        (("find", "x", "--in", ".git"), ""),
        (("find", "x", "--features", "rerankk"), "unknown feature 'rerankk'; known: "),
        (("find", "x", "--lang", "klingon"), "unknown language 'klingon'; known: "),
        (("question about x", "--lang", "klingon"), "unknown language"),
        (("refs", "x", "--kind", "calls"), "unknown kind 'calls'; known: "),
        (("sym", "x", "--kind", "klass"), "unknown kind 'klass'; known: "),
        (("find", "x", "--only", "srcs"), "unknown class 'srcs'"),
        (("files", "x", "--only", "srcs"), "unknown class 'srcs'"),
        (("find", "x", "--glob", "[z-a]"), "glob"),
        (("find", "x", "--budget", "0"), "budget"),
        (("find", "x", "--budget", "many"), "budget"),
        (("find", "x", "--limit", "-1"), "limit"),
        (("find", "x", "-C", "-1"), "-C"),
        (("find", "x", "--root", "nowhere"), "not a folder"),
        (("find", "parse_args", "--after", "no.py:1"), "--after"),
        (("read", "nowhere.py:3"), "tried"),
        (("read", "app.py:90"), "lines 1-3"),
        (("read", "app.py:3-1"), "lines 1-3"),
        (("read", "../outside.py:1"), "workspace"),
        (("context", "app.py"), "PATH:LINE"),
        (("outline", "nowhere.py"), "tried"),
        (("ast", "$X"), "--lang"),
        (("ast", "$X", "--lang", "toml"), "languages"),
        (("index", "burn"), "known: status, rebuild, drop"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_a_call_that_cannot_be_met_says_why(workspace, words, said) -> None:
    code, out, err = workspace(SMALL).iq(*words)
    assert code == 2 and out == "" and err.startswith("iq: ") and err.count("\n") == 1, (out, err)
    assert said in err


@pytest.mark.parametrize("words", [("statuss",), ("serach", "the", "app"), ("-> None",), ("??",), ("💥",), ("(((",), ("*",), ("\x1b[31m",), ("'; DROP TABLE files; --",), ("NEAR(a b) OR",)])
def test_any_words_are_a_question(workspace, words) -> None:
    code, _, err = workspace(SMALL).iq(*words)
    assert code in (0, 1) and err == ""


@pytest.mark.parametrize("verb", ["search", "find", "refs", "def", "sym", "files", "read", "outline", "ast"])
def test_a_question_of_100_kb_is_survived(workspace, verb) -> None:
    long = ("how are words split in parse_args " * 3000)[:100_000]
    extra = ("--lang", "python") if verb == "ast" else ()
    code, out, err = workspace(SMALL).iq(verb, long, *extra)
    assert code in (0, 1, 2) and "Traceback" not in err and len(out) <= 6000 and len(err) < 1000
    assert code == 0 or verb != "search"


# --- the index ---


def damage_all(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(path.stat().st_size))


def damage_body(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page : page + 4096] = random.Random(page).randbytes(4096)
    path.write_bytes(data)


def damage_some(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in random.Random(3).sample(range(4096, len(data)), 4000):
        data[at] ^= 0xFF
    path.write_bytes(data)


def cut_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def cut_all(path: Path) -> None:
    os.truncate(path, 0)


def leave_log(path: Path) -> None:
    damage_all(path)
    path.with_name("index.db-wal").write_bytes(random.Random(9).randbytes(40_000))


def be_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [damage_all, damage_body, damage_some, cut_half, cut_all, leave_log], ids=lambda f: f.__name__)
def test_a_damaged_index_is_built_anew(workspace, damage) -> None:
    files = {**SMALL, **{f"m{n}.py": f"def name_{n}(x):\n    return x + {n}\n" for n in range(120)}}
    ws = workspace(files)
    assert ws.iq("index", "status")[0] == 0
    before = numbers(ws.root)
    damage(index_of(ws.root))
    for words in (("find", "parse_args"), ("what splits the words of a call",), ("def", "name_77"), ("sym", "name_*"), ("read", "parse_args"), ("index", "status")):
        code, out, err = ws.iq(*words)
        assert code == 0 and "Traceback" not in err, (words, out, err)
    assert ws.iq("index", "rebuild")[0] == 0
    assert numbers(ws.root) == before


def test_an_index_that_is_a_folder_is_said(workspace) -> None:
    ws = workspace(SMALL)
    ws.iq("index", "status")
    be_a_folder(index_of(ws.root))
    code, _, err = ws.iq("what splits the words of a call")
    assert code == 2 and err.startswith("iq: index ")


def test_a_foreign_database_is_set_aside_not_deleted(workspace) -> None:
    ws = workspace(SMALL)
    index_of(ws.root).parent.mkdir(parents=True)
    with sqlite3.connect(index_of(ws.root)) as other:
        other.execute("CREATE TABLE mine (a)")
        other.execute("INSERT INTO mine VALUES (42)")
    other.close()
    code, out, err = ws.iq("what splits the words of a call")
    assert code == 0 and "not made by iq" in out and err == ""
    with sqlite3.connect(str(index_of(ws.root)) + ".broken") as kept:
        assert kept.execute("SELECT a FROM mine").fetchone() == (42,)
    kept.close()


def test_a_full_disk_is_said_on_the_first_build_and_noted_later(workspace, monkeypatch) -> None:
    ws = workspace(SMALL)

    def full(self: Store, parsed: parse.Parsed) -> None:
        raise apsw.FullError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "add", full)
        with pytest.raises(StorageError, match="disk is full.*free space"):
            Engine.open(ws.root, cwd=str(ws.root)).level()
    Engine.open(ws.root, cwd=str(ws.root)).level()
    (ws.root / "app.py").write_text(CODE + "\n\ndef more():\n    pass\n")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "add", full)
        store, level = Engine.open(ws.root, cwd=str(ws.root)).session.level()
    assert any("disk is full" in note for note in level.notes)
    assert set(store.files()) == {"app.py", "lib/run.py"}, "the old rows are kept"


def test_a_limit_on_file_sizes_is_said(workspace) -> None:
    ws = workspace({f"m{n}.py": f"def name_{n}(x):\n    return x + {n}\n" * 20 for n in range(60)})

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    code, out, err = ws.iq("what does name 7 return", preexec_fn=small)
    assert code == 2 and out == "" and err.startswith("iq: ") and "Traceback" not in err
    assert ws.iq("what does name 7 return")[0] == 0


def test_the_index_of_a_read_only_workspace_lies_in_the_cache(workspace, monkeypatch, tmp_path, capfdbinary) -> None:
    ws = workspace(SMALL)
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **how: not str(path).startswith(str(ws.root)) and real(path, mode, **how))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.chdir(ws.root)
    assert find(str(ws.root)).local.startswith(str(tmp_path / "elsewhere" / "iq"))
    assert main(["what splits the words of a call"]) == 0
    assert not (ws.root / ".iq" / "local").exists()
    assert list((tmp_path / "elsewhere" / "iq").glob("*/index.db"))


def test_a_cache_that_cannot_be_made_is_said(workspace) -> None:
    ws = workspace(SMALL)
    (ws.root / ".iq" / "local").write_text("in the way")
    code, _, err = ws.iq("what splits the words of a call")
    assert code == 2 and "cannot be written" in err
    assert ws.iq("find", "parse_args")[0] == 0


def test_two_calls_on_a_workspace_without_index_answer_the_same(workspace) -> None:
    files = {f"p{n % 9}/m{n}.py": f"def name_{n}(x):\n    return x + {n}\n" for n in range(300)}
    ws = workspace({**SMALL, **files})
    both = [ws.start("what splits the words of a call") for _ in range(3)]
    answers = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0, 0], answers
    assert all(err == b"" for _, err in answers)
    assert len({out.partition(b"answer:")[2] for out, _ in answers}) == 1


def test_a_kill_at_any_moment_leaves_a_usable_index(workspace) -> None:
    files = {f"p{n % 31}/m{n}.py": f'def name_{n}(x):\n    """Adds {n}."""\n    return x + {n}\n\n\nclass C{n}:\n    a = {n}\n' for n in range(1500)}
    ws, fresh = workspace(files), workspace(files)
    assert fresh.iq("index", "status")[0] == 0
    moments = random.Random(11)
    for turn in range(10):
        if turn % 4 == 3:
            ws.iq("index", "drop")
        (ws.root / "p0/m0.py").write_text(files["p0/m0.py"] + f"\nX{turn} = 1\n")
        process = ws.start("index", "status", start_new_session=True)
        time.sleep(moments.uniform(0.05, 1.2))
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate(timeout=60)
    (ws.root / "p0/m0.py").write_text(files["p0/m0.py"])
    code, out, err = ws.iq("def", "name_1234")
    assert code == 0 and "m1234.py" in out and err == ""
    assert numbers(ws.root) == numbers(fresh.root)


def test_a_file_edited_after_indexing_shows_its_new_lines(workspace) -> None:
    ws = workspace(SMALL)
    assert ws.iq("index", "status")[0] == 0
    (ws.root / "app.py").write_text("# one\n# two\n" + CODE.replace("words.split()", "list(words)"))
    code, out, _ = ws.iq("def", "parse_args")
    assert code == 0 and "app.py" in out and "   3" in out
    for words in (("read", "parse_args"), ("parse_args",), ("what splits the words of a call",)):
        code, out, _ = ws.iq(*words)
        assert code == 0 and "list(words)" in out and "words.split()" not in out, words


# --- the reader ---


@pytest.mark.parametrize("words", ["find . --full", "'what splits the words' --full", "find . --ndjson --full", "--help"])
def test_a_reader_that_leaves_is_success(workspace, words) -> None:
    ws = workspace({"long.txt": "some words on a line\n" * 20_000, **SMALL})
    call = f"\"$0\" -c 'import sys; from iq.cli import main; sys.exit(main())' {words}"
    import sys

    script = f"{call} | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script, sys.executable], cwd=ws.root, env=ws.environment(), capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("0\n", "")


# --- the floor ---

SECRETS = {
    ".env": "TOKEN_VALUE=hunter2secret\n",
    "sub/.env.local": "TOKEN_VALUE=hunter2secret\n",
    "keys/id_rsa": "hunter2secret\n",
    "server.pem": "hunter2secret TOKEN_VALUE\n",
    ".ssh/config": "hunter2secret\n",
    ".aws/credentials": "hunter2secret\n",
    "secrets.yaml": "TOKEN_VALUE: hunter2secret\n",
    ".git/config": "hunter2secret\n",
    ".iq/local/x": "hunter2secret\n",
}


@pytest.mark.parametrize(
    "words",
    [
        ("find", "hunter2secret"), ("find", "TOKEN_VALUE"), ("find", "."), ("find", "hunter2secret", "--ignored"), ("find", "hunter2secret", "--glob", ".env"),
        ("find", "hunter2secret", "--glob", "**"), ("find", "(?<=hunter2)secret"), ("find", r"hunter2secret\n"), ("find", "hunter2secret", "--in", "sub"),
        ("find", "hunter2secret", "--in", ".env"), ("find", "hunter2secret", "--in", ".git"), ("find", "hunter2secret", "--in", ".ssh", "--ignored"),
        ("find", "hunter2secret", "--in", "link.txt"), ("find", "hunter2secret", "--in", "folder"), ("refs", "TOKEN_VALUE"), ("refs", "hunter2secret", "--ignored"),
        ("files", "env"), ("files", "id_rsa", "--ignored"), ("files", "--exact", "**"), ("files", "--exact", ".env"), ("files", "x", "--in", ".iq/local"),
        ("ast", "TOKEN_VALUE", "--lang", "yaml"), ("ast", "$X", "--lang", "yaml", "--ignored"), ("ast", "$X", "--lang", "bash", "--ignored"),
        ("what is the token value",), ("hunter2secret",), ("TOKEN_VALUE",), ("hunter2secret", "--ignored"), (r"TOKEN_\w+=",), (".env",), ("sub/.env.local",),
        ("def", "TOKEN_VALUE"), ("sym", "*"), ("sym", "TOKEN_VALUE"), ("read", "TOKEN_VALUE"), ("read", ".env"), ("read", ".env:1"), ("read", "./sub/../.env"),
        ("read", "link.txt"), ("read", "folder/config:1"), ("outline", ".env"), ("outline", "secrets.yaml"), ("context", ".env:1"), ("context", "link.txt:1"),
        ("read", ".git/config"), ("read", ".iq/local/x"), ("read", ".env::TOKEN_VALUE"), ("index", "status"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_secret_never_surfaces(workspace, words) -> None:
    ws = workspace({**SECRETS, "app.py": CODE, "sub/a.py": "x = 1\n", "README.md": "About the token value.\n"})
    (ws.root / "link.txt").symlink_to(".env")
    (ws.root / "folder").symlink_to(".ssh")
    for form in ((), ("--json", "--full"), ("--files-only",)):
        code, out, err = ws.iq(*words, *form)
        assert code in (0, 1, 2) and "Traceback" not in err
        asked = " ".join(words)
        shown = out.replace(asked, "").replace(asked.partition(" ")[2], "").replace(words[-1], "")
        assert "=hunter2" not in out + err and ": hunter2" not in shown.partition("\n")[2]
        for name in (".env", "id_rsa", "server.pem", ".ssh", ".aws", "secrets.yaml", ".git/config"):
            assert name in asked or name not in shown, (name, out)
        if "hunter2secret" not in asked:
            assert "hunter2secret" not in out + err

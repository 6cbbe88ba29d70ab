"""The resident engine and its thin client: the same bytes as in process, and no trouble that a user would see."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from iq import __version__
from iq.host import client, place
from iq.host.server import LARGEST
from iq.host.start import CODE, claim
from tests.conftest import CHECKOUT
from tests.host.conftest import SCRIPT, Hosted, spawned

FILES = {
    "a.py": 'import os\n\n\nclass Alpha:\n    """First letter."""\n\n    def beta(self):\n        return needle(1)\n\n\ndef needle(x):\n    return "found"\n',
    "lib/b.go": "package lib\n\n// Gamma adds.\nfunc Gamma(a int) int {\n\treturn needle(a)\n}\n",
    "docs/guide.md": "# Guide\n\nHow needles are threaded.\n",
    "tests/test_a.py": "from a import needle\n\n\ndef test_needle():\n    assert needle(1)\n",
    ".env": "SECRET=swordfish\n",
}

# Calls over every kind of answer, error and form; the verbs that the client keeps for itself aside.
CALLS: list[tuple[str, ...]] = [
    ("where are needles threaded?",), ("needle",), ("a.py",), (r"def \w+dle",), ("nothing like this anywhere",), ("",),
    ('  File "/srv/a.py", line 8, in beta\n    return needle(1)\nKeyError: 1',), ("a.py:8",), ("-> None",),
    ("find", "needle"), ("find", "needle", "--json"), ("find", "needle", "--ndjson", "--limit", "2"), ("find", "zzz"), ("find", "needle", "--count"),
    ("find", "x", "--limit", "0"), ("find", "x", "--in", "nosuch"), ("find", "needle", "--in", "lib"), ("find", "needle", "--root", "."),
    ("files", "guide"), ("files", "env"), ("def", "Alpha.beta"), ("def", "nothing"), ("refs", "needle"), ("refs", "needle", "--kind", "nope"),
    ("sym", "*eta"), ("ast", "needle($X)", "--lang", "python"), ("outline", "a.py"), ("context", "a.py:8"), ("context", "a.py"),
    ("read", "Alpha.beta"), ("read", ".env"), ("read", "a.py:50-60"), ("needle", "--features", "rerankk"), ("needle", "--budget", "90"),
    ("intent",), ("intent", "list"), ("needle", "--intent", "test"), ("map",), ("impact", "needle"), ("review",), ("recent",), ("log", "needle"),
    ("who", "a.py"), ("hotspots",), ("multi", "needle", "find zzz"),
]  # fmt: skip


def test_every_answer_is_byte_for_byte_that_of_this_process(hosted: Callable[..., Hosted]) -> None:
    from iq.verbs import VERBS

    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    ws.serve()
    assert {words[0] for words in CALLS if words[0] in VERBS} | client.HERE | {"search"} >= set(VERBS) - {"note", "feedback", "learn", "verify"}
    for words in CALLS:
        here = ws.iq(*words, resident=False)
        assert ws.iq(*words) == here, words
        assert ws.iq(*words, cwd=ws.root / "lib") == ws.iq(*words, cwd=ws.root / "lib", resident=False), words
    assert ws.answered() == "answered by the resident engine"


def test_a_question_on_stdin_and_names_that_are_no_text(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    (Path(os.fsdecode(os.fsencode(str(ws.root)) + b"/bad\xff.py"))).write_text("odd_name = 1\n")
    ws.iq("needle", resident=False)
    ws.serve()
    for words in (("-", "--explain"), ("--explain", "-"), ("--explain", "--limit", "1", "search", "-")):
        assert b"answered by the resident engine" in ws.iq(*words, stdin=b"needle")[1], words
    for words, stdin in ((("-",), b"where are needles threaded?"), (("search", "-"), b"\xff\xfe\0"), (("-", "--limit", "1"), b"needle"), (("-",), b""),
                         (("find", "odd_name"), b""), ((b"find", b"\xff"), b""), ((b"read", b"bad\xff.py:1"), b"")):  # fmt: skip
        assert ws.iq(*words, stdin=stdin) == ws.iq(*words, stdin=stdin, resident=False), words


def test_the_first_call_starts_the_engine_for_the_next_and_never_waits_for_it(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    try:
        assert ws.answered() == "answered in process: no engine"
        until = time.monotonic() + 30
        while (said := ws.answered()) != "answered by the resident engine":
            assert said.startswith("answered in process"), said
            assert time.monotonic() < until
        assert len(spawned(ws.runtime)) == 1
        assert ws.iq("serve", "status")[0] == 0
        assert ws.iq("serve", "stop")[0] == 0
        while spawned(ws.runtime) and time.monotonic() < until:
            time.sleep(0.05)
        assert not list(ws.runtime.glob("*.sock"))
    finally:
        for process in spawned(ws.runtime):
            os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("off", [{"IQ_RESIDENT": "off"}, {}], ids=["variable", "flag"])
def test_where_no_engine_is_wanted_none_is_started(off: dict[str, str], hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    assert ws.iq("needle", *([] if off else ["--no-resident"]), **off)[0] == 0
    time.sleep(0.2)
    assert not spawned(ws.runtime) and not list(ws.runtime.iterdir())


def test_nothing_is_started_where_there_is_no_index(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    assert ws.iq("find", "needle")[0] == 0
    assert not list(ws.runtime.iterdir())


def test_fifty_first_calls_start_one_engine(hosted: Callable[..., Hosted], monkeypatch: pytest.MonkeyPatch) -> None:
    ws = hosted(FILES)
    monkeypatch.setenv("IQ_RUNTIME_DIR", str(ws.runtime))
    assert [claim(str(ws.root)) for _ in range(50)] == [True] + [False] * 49


def test_the_clients_way_imports_only_what_it_may(hosted: Callable[..., Hosted]) -> None:
    """Each further module is a millisecond of every call."""
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    ws.serve()
    code = (
        f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); before = set(sys.modules)\n"
        "from iq.host import client\ncode, why, _ = client.ask(['find', 'needle'])\nprint(sorted(set(sys.modules) - before), code, why, sep='|')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ws.root, env=ws.environment(), capture_output=True, text=True, check=True)
    modules, code_, _ = done.stdout.splitlines()[-1].split("|")
    assert code_ == "0"
    allowed = {"_blake2", "_json", "_socket", "iq", "iq.host", "iq.host.client", "iq.host.place", "iq.index", "iq.index.root"}
    assert set(json.loads(modules.replace("'", '"'))) <= allowed


class Impostor:
    """Something else at the engine's socket, which answers with `said` and then does what `ends` says."""

    def __init__(self, hosted: Hosted, said: bytes, hang: bool = False) -> None:
        os.environ["IQ_RUNTIME_DIR"], before = str(hosted.runtime), os.environ.get("IQ_RUNTIME_DIR")
        path = place.meeting(str(hosted.root)) + ".sock"
        os.environ.pop("IQ_RUNTIME_DIR") if before is None else os.environ.update(IQ_RUNTIME_DIR=before)
        code = (
            f"import socket, time\ns = socket.socket(socket.AF_UNIX); s.bind({path!r}); s.listen(5)\nprint('up', flush=True)\nkept = []\n"
            f"while True:\n c, _ = s.accept(); kept.append(c)\n try: c.recv(1 << 16); c.sendall({said!r})\n except OSError: pass\n if not {hang}: c.close()"
        )
        self.process = subprocess.Popen([sys.executable, "-c", code], stdout=-1)
        hosted.engines.append(self.process)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"up\n"


@pytest.mark.parametrize(
    ("said", "hang", "why"),
    [
        (b"", False, "the engine died"),
        (b'{"wait": true}\n', False, "the engine died"),
        (b"", True, "the engine hangs"),
        (b"\xff\0 garbage\n", False, "the engine's answer is garbled"),
        (b"[1, 2]\n", False, "the engine's answer is garbled"),
        (b"[" * 100_000 + b"\n", False, "the engine's answer is garbled"),
        (b'{"code": 0, "out": -5, "err": 3}\n', False, "the engine's answer is garbled"),
        (b'{"code": 0, "out": 99999999999, "err": 3}\n', False, "the engine's answer is garbled"),
        (b'{"code": "0"}\n', False, "the engine's answer is garbled"),
        (b'{"code": 0, "out": 100, "err": 0}\nhalf', False, "the engine died"),
        (b'{"refused": "the engine is busy"}\n', True, "the engine is busy"),
    ],
    ids=["closes", "dies at work", "hangs", "bytes", "list", "nested", "negative", "huge", "types", "half an answer", "busy"],
)
def test_an_engine_in_trouble_is_not_noticed(said: bytes, hang: bool, why: str, hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    here = ws.iq("needle", resident=False)
    Impostor(ws, said, hang)
    assert ws.iq("needle") == here
    assert ws.answered() == f"answered in process: {why}"


def request(ws: Hosted, **changes: object) -> dict[str, object]:
    env = ws.environment()
    kept = {name: value for name, value in env.items() if name in place._SETTINGS}
    whole = {"iq": client.PROTOCOL, "version": __version__, "home": place.HOME, "prefix": sys.prefix, "root": str(ws.root), "words": ["find", "needle"],
             "cwd": str(ws.root), "features": None, "colour": False, "columns": 0, "settings": kept, "stdin": None}  # fmt: skip
    return {**whole, **changes}


def talk(ws: Hosted, data: bytes) -> bytes:
    """What the engine sends until it closes or has answered."""
    (path,) = ws.runtime.glob("*.sock")
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(20)
        link.connect(str(path))
        try:
            link.sendall(data)
            link.shutdown(socket.SHUT_WR)
        except (BrokenPipeError, ConnectionResetError):
            pass
        got = b""
        try:
            while block := link.recv(1 << 16):
                got += block
        except ConnectionResetError:
            pass
        return got


def test_garbage_ends_a_connection_and_nothing_else(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    engine = ws.serve()
    for data in (b"\n", b"GET / HTTP/1.1\r\n\r\n", b"[]\n", b"{}\n", b"[" * 100_000 + b"\n", b"\xff\xfe\n", b'{"iq": 1}\n', b"no line feed"):
        said = talk(ws, data)
        assert not said or b"refused" in said, data
    for changes in ({"words": 5}, {"words": None}, {"columns": "x"}, {"stdin": 5}, {"stdin": "\u4e00"}):
        said = talk(ws, json.dumps(request(ws, **changes)).encode() + b"\n")
        assert b"refused" in said or b'"code"' in said, changes
    assert engine.poll() is None
    assert ws.answered() == "answered by the resident engine"


def test_a_request_of_100_megabytes_is_refused(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    engine = ws.serve()
    assert b"too large" in talk(ws, b'{"words": ["' + b"x" * (LARGEST + (36 << 20)) + b'"]}\n') or engine.poll() is None
    assert ws.answered() == "answered by the resident engine"


def test_requests_can_be_sent_one_behind_the_other(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    ws.serve()
    one = json.dumps(request(ws)).encode() + b"\n"
    said = talk(ws, one * 3)
    assert said.count(b"4 lines in 3 files") + said.count(b'"code": 0') >= 3


@pytest.mark.parametrize("changes", [{"version": "0.0.0"}, {"home": "/elsewhere"}, {"iq": 99}], ids=str)
def test_an_engine_of_another_version_makes_way(changes: dict[str, object], hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    engine = ws.serve()
    assert b"another version" in talk(ws, json.dumps(request(ws, **changes)).encode() + b"\n")
    assert engine.wait(10) == 0
    assert not list(ws.runtime.glob("*.sock"))
    assert ws.iq("needle", "--no-resident")[0] == 0


def test_an_engine_with_other_settings_does_not_answer(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    ws.serve(IQ_MODEL_DIR="/nowhere")
    assert ws.answered() == "answered in process: the engine has other settings"


def test_what_a_killed_engine_leaves_is_no_hindrance(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    engine = ws.serve()
    engine.kill()
    engine.wait()
    (stale,) = ws.runtime.glob("*.sock")
    assert ws.answered("needle", "--no-resident").startswith("answered in process")
    stale_inode = stale.stat().st_ino
    second = ws.serve()
    until = time.monotonic() + 20
    while (not stale.exists() or stale.stat().st_ino == stale_inode) and time.monotonic() < until:
        time.sleep(0.02)
    assert ws.answered() == "answered by the resident engine"
    assert second.poll() is None


def test_a_second_engine_of_a_workspace_ends_at_once(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    first = ws.serve()
    second = ws.serve()
    assert second.wait(20) == 0
    assert first.poll() is None


def test_rights_of_folder_and_socket(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    ws.serve()
    (path,) = ws.runtime.glob("*.sock")
    assert path.stat().st_mode & 0o777 == 0o600
    ws.runtime.chmod(0o755)
    assert ws.answered() == "answered in process: the engine's folder is open to others"
    ws.runtime.chmod(0o700)
    assert ws.answered() == "answered by the resident engine"


def test_a_folder_that_is_a_link_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert place.private(str(tmp_path / "real"))
    assert not place.private(str(tmp_path / "link"))
    assert not place.private(str(tmp_path / "nothing"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_folder_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o700)
    os.chown(tmp_path / "theirs", 12345, 12345)
    assert not place.private(str(tmp_path / "theirs"))


def test_where_a_socket_has_no_room_loopback_serves_with_a_token(hosted: Callable[..., Hosted], tmp_path: Path) -> None:
    ws = hosted(FILES, tmp_path / ("long" * 25))
    here = ws.iq("needle", resident=False)
    ws.serve()
    (port,) = ws.runtime.glob("*.port")
    assert port.stat().st_mode & 0o777 == 0o600
    assert ws.iq("needle") == here
    assert ws.answered() == "answered by the resident engine"
    number, token = port.read_text().split()
    for wrong in (request(ws), request(ws, token="0" * 32), request(ws, token=5)):
        with socket.create_connection(("127.0.0.1", int(number))) as link:
            link.sendall(json.dumps(wrong).encode() + b"\n")
            assert b"token is wrong" in link.recv(1000)
    with socket.create_connection(("127.0.0.1", int(number))) as link:
        link.sendall(json.dumps(request(ws, token=token)).encode() + b"\n")
        assert b"wait" in link.recv(1000)


def test_a_workspace_that_is_deleted_or_moved_ends_its_engine(hosted: Callable[..., Hosted]) -> None:
    for change in ("move", "delete"):
        ws = hosted(FILES)
        ws.iq("needle", resident=False)
        engine = ws.serve()
        assert ws.answered() == "answered by the resident engine"
        if change == "move":
            ws.root.rename(ws.root.with_name("elsewhere"))
        else:
            import shutil

            shutil.rmtree(ws.root)
        assert engine.wait(20) == 0


def test_an_idle_engine_ends(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    assert ws.serve(IQ_IDLE_SECONDS="0.5").wait(20) == 0
    assert not list(ws.runtime.glob("*.sock"))


def test_an_index_that_is_dropped_under_the_engine(hosted: Callable[..., Hosted]) -> None:
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    ws.serve()
    for action in ("drop", "rebuild"):
        assert ws.answered("where are needles threaded?") == "answered by the resident engine"
        assert ws.iq("index", action)[0] == 0
        code, out, _ = ws.iq("where are needles threaded?")
        assert (code, b"index fresh" in out) == (0, True)
    (database,) = (ws.root / ".iq/local").glob("index*.db")
    database.write_bytes(b"no database" * 1000)
    assert ws.iq("where are needles threaded?")[0] == 0


def test_a_reader_that_goes_away(hosted: Callable[..., Hosted]) -> None:
    ws = hosted({"many.txt": "many lines here\n" * 200_000})
    ws.iq("index", "status")
    ws.serve()
    child = subprocess.Popen([sys.executable, str(SCRIPT), "find", "many", "--full"], cwd=ws.root, env=ws.environment(), stdout=-1, stderr=-1)
    assert child.stdout is not None and child.stderr is not None
    child.stdout.read(100)
    child.stdout.close()
    assert child.wait(60) == 0
    assert child.stderr.read() == b""
    child.stderr.close()
    assert ws.answered("many", "--limit", "1") == "answered by the resident engine"


def test_an_engine_that_dies_over_a_piped_question_does_not_lose_it(hosted: Callable[..., Hosted]) -> None:
    """stdin can be read once."""
    ws = hosted(FILES)
    here = ws.iq("-", stdin=b"needle", resident=False)
    Impostor(ws, b'{"want": "stdin"}\n')
    assert ws.iq("-", stdin=b"needle") == here


def test_flags_before_a_verb_that_is_about_this_process(hosted: Callable[..., Hosted]) -> None:
    """`iq --root . mcp` would have made the engine serve its own stdin."""
    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    engine = ws.serve()
    assert ws.iq("--root", ".", "index", "status")[0] == 0
    assert ws.iq("--root", ".", "mcp")[0] == 0
    assert b"refused" in talk(ws, json.dumps(request(ws, words=["mcp"])).encode() + b"\n") or engine.poll() is None
    assert ws.answered() == "answered by the resident engine"


def test_an_index_that_was_not_built_to_its_end_starts_no_engine(hosted: Callable[..., Hosted]) -> None:
    import apsw

    ws = hosted(FILES)
    ws.iq("needle", resident=False)
    (database,) = (ws.root / ".iq/local").glob("index-*.db")
    apsw.Connection(str(database)).execute("DELETE FROM meta WHERE key = 'complete'")
    done = subprocess.run([sys.executable, "-c", CODE, str(ws.root)], cwd="/", env=ws.environment(), capture_output=True, timeout=30, check=False)
    assert b"no complete index" in done.stderr


@pytest.mark.parametrize("resident", [True, False], ids=["asking", "in process"])
def test_an_interrupted_call_ends_without_a_traceback(resident: bool, hosted: Callable[..., Hosted]) -> None:
    """At whatever moment the interrupt comes, once the script itself runs."""
    ws = hosted({f"many{at}.txt": "many lines here\n" * 2000 for at in range(5)})
    ws.iq("needle", resident=False)
    if resident:
        ws.serve()
    env = ws.environment(**({} if resident else {"IQ_RESIDENT": "off"}))
    # The script as it is, but that it says when it runs.
    source = SCRIPT.read_text().replace("    try:\n", "    try:\n        import os; os.write(1, b'!')\n", 1)
    assert "b'!'" in source
    code = f"import sys; sys.path[0] = {str(SCRIPT.parent)!r}\n{source}"
    for wait in range(0, 140, 20):
        child = subprocess.Popen([sys.executable, "-c", code, "find", "many", "--count"], cwd=ws.root, env=env, stdout=-1, stderr=-1)
        assert child.stdout is not None
        child.stdout.read(1)
        time.sleep(wait / 1000)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        assert (child.returncode, err[:15]) in ((130, b"iq: interrupted"), (0, b"")), (wait, out, err)

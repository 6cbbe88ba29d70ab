"""Files known to be binary are left unread, and nothing else is: a search that knows them finds what one that does not finds."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from iq import ahead
from iq.cli import run
from iq.index import binaries, rg
from iq.index.command import globs
from iq.index.grep import Found, Pattern, search
from iq.index.scope import matcher
from iq.types import Call, Scope
from tests.conftest import CHECKOUT, Place

# A time stamp that any clock tells from now.
AFTER = 10 * binaries.RACY_NS

BINARY = b"\x7fELF\0\1\2\3\0\0needle\0\0" * 40
TEXT = b"a needle in text\n"
FAR = b"# stray\n" * 2000 + b"\0needle far down\n"
NAMES = ["a", "x.so", "!b", "#c", "d[0]", "e*", "f?", "{g,h}", " i", "j ", "k\nl", "größe", "m\\n", "-o", "**", "p.q", "r s", "t\tu"]


def local(root: Path) -> str:
    (root / ".iq" / "local").mkdir(parents=True, exist_ok=True)
    return str(root / ".iq" / "local")


def note(root: Path, paths: list[str]) -> list[str]:
    import time

    binaries.note(local(root), str(root), paths, time.time_ns() + AFTER)
    return binaries.known(local(root), str(root))


def found(root: Path, knows: bool, scope: Scope = Scope(), pattern: str = "needle") -> Found:
    cache = os.path.join(local(root), "tracked") if knows else None
    return search(str(root), Pattern(pattern), matcher(scope), scope.ignored, cache, scope.within)


def places(result: Found) -> list[tuple[str, int, str]]:
    return [(match.path, match.line, match.text) for match in result.matches]


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_give_the_same_matches_known_or_not(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    root = tmp_path / rng.choice(["ws", "w[s]*", "w s"])
    root.mkdir()
    folders = ["", *rng.sample(NAMES, 3)]
    files: dict[str, bytes] = {}
    for folder in folders:
        for name in rng.sample(NAMES, 8):
            if name in folders and not folder:
                continue
            files[f"{folder}/{name}".lstrip("/")] = rng.choice([BINARY, TEXT, FAR, b"", b"\xff\xfe" + TEXT, "Größe needle".encode("latin-1")])
    for path, data in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(data)
    if rng.random() < 0.4:
        (root / ".gitignore").write_text("x.so\n!a\n")
    known = note(root, list(files))
    assert set(known) == {path for path, data in files.items() if data is BINARY}
    for path in rng.sample(sorted(files), 4):  # then some of it changes
        place = root / path
        stat = place.stat()
        change = rng.randrange(3)
        if change == 0:
            place.write_bytes(TEXT)
        elif change == 1:  # as long as it was, and dated back
            place.write_bytes(TEXT * (len(files[path]) // len(TEXT)) + b" " * (len(files[path]) % len(TEXT)))
            os.utime(place, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        else:
            place.unlink()
            place.mkdir()
            (place / "inside").write_bytes(TEXT)
    for cwd in (root, tmp_path, Path("/"), root / next(f for f in folders if f and (root / f).is_dir())):
        monkeypatch.chdir(cwd)
        for scope in (Scope(), Scope(ignored=True), Scope(within=(folders[1],)), Scope(globs=("*o*",))):
            quick, slow = found(root, True, scope), found(root, False, scope)
            assert places(quick) == places(slow), (cwd, scope)
            assert quick.skipped.get("binary", 0) >= slow.skipped.get("binary", 0)
        assert places(found(root, True, pattern="größe")) == places(found(root, False, pattern="größe"))


def test_what_is_known_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command leaves it out, and the answer says that it was not searched."""
    monkeypatch.chdir(tmp_path)
    for name in ("big.bin", "d[0].so"):
        (tmp_path / name).write_bytes(BINARY)
    (tmp_path / "a.txt").write_bytes(FAR)
    assert note(tmp_path, ["big.bin", "d[0].so", "a.txt"]) == ["big.bin", "d[0].so"]
    ran: list[list[str]] = []
    real = rg.Ripgrep._spawn
    monkeypatch.setattr(rg.Ripgrep, "_spawn", lambda self: (ran.append(self.arguments), real(self))[1])
    answer = found(tmp_path, True, pattern="nothing like it")
    assert any({"--glob=!/big.bin", "--glob=!/d\\[0\\].so"} <= set(arguments) for arguments in ran)
    assert (answer.matches, answer.skipped) == ([], {"binary": 2})
    assert [match.path for match in found(tmp_path, True).matches] == ["a.txt"]


@pytest.mark.parametrize("data", [b"", b"1", b"\0", b"no\0such", b"33188 1 1 1 1\0a", b"\xff\xfe\0\xff\0", b"gone\0nothing\0"], ids=repr)
def test_a_damaged_memory_of_them_is_none(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(BINARY)
    Path(local(tmp_path), "binary").write_bytes(data)
    assert binaries.known(local(tmp_path), str(tmp_path)) in ([], ["nothing"])
    (tmp_path / "nothing").write_bytes(TEXT)
    assert [match.path for match in found(tmp_path, True).matches] == ["nothing"]


def test_a_file_that_changed_just_now_is_not_known(tmp_path: Path) -> None:
    import time

    (tmp_path / "a.bin").write_bytes(BINARY)
    assert binaries.pending(local(tmp_path), str(tmp_path))
    binaries.note(local(tmp_path), str(tmp_path), ["a.bin"], time.time_ns())
    assert binaries.known(local(tmp_path), str(tmp_path)) == [] and binaries.pending(local(tmp_path), str(tmp_path)), "it is looked at again by the next update"
    assert note(tmp_path, ["a.bin"]) == ["a.bin"] and not binaries.pending(local(tmp_path), str(tmp_path))


def test_an_update_notes_them_when_they_come(workspace: Callable[..., Place], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "RACY_NS", -(10**12))
    ws = workspace({"a.py": "needle = 1\n"})
    (ws.root / "one.so").write_bytes(BINARY)
    call = Call(("index", "status", "--root", str(ws.root)), str(ws.root))
    for name in ("one.so", "two.so"):
        (ws.root / name).write_bytes(BINARY)
        run(call)
        assert name in binaries.known(local(ws.root), str(ws.root))
    (ws.root / "two.so").rename(ws.root / "three.so")  # as a copy: another inode under the name
    (ws.root / "two.so").write_bytes(BINARY)
    run(call)
    assert binaries.known(local(ws.root), str(ws.root)) == ["one.so", "three.so", "two.so"]
    (ws.root / "two.so").write_bytes(TEXT)
    assert [match.path for match in found(ws.root, True).matches] == ["a.py", "two.so"]


PLAIN = [
    ("find", "needle"), ("find", "needle", "--count"), ("find", "nee.le|x", "--limit", "3"), ("find", "a needle", "--literal"), ("find", "Needle", "--case"),
    ("find", "needle", "--ignored"), ("find", "need", "--word"), ("find", "a", "needle", "--json"), ("find", "needle", "--glob=*.txt", "--only", "docs"),
    ("find", r"(?<=a )needle"), ("find", "größe"),
]  # fmt: skip


@pytest.mark.parametrize("words", PLAIN, ids=str)
def test_a_search_that_was_begun_is_the_one_that_is_made(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_bytes(TEXT + FAR)
    (tmp_path / "b.so").write_bytes(BINARY)
    (tmp_path / ".iq").mkdir()
    monkeypatch.chdir(tmp_path)
    call = Call((*words, "--root", str(tmp_path)), str(tmp_path))
    note(tmp_path, ["b.so"])
    knowing = run(call)
    made: list[list[str]] = []
    real = rg.Ripgrep._spawn
    monkeypatch.setattr(rg.Ripgrep, "_spawn", lambda self: (made.append(self.arguments), real(self))[1])
    assert ahead.search(list(call.words[1:]), str(tmp_path))
    begun = len(made)
    assert run(call) == knowing
    assert not rg._begun
    assert all("--encoding" in arguments or "--files" in arguments for arguments in made[begun:]), "no second run, but for the one in latin-1"


@pytest.mark.parametrize(
    "words", [("find",), ("find", ""), ("find", "a\0b"), ("refs", "x"), (), ("find", "x", "--in", "d"), ("find", "x", "--nosuch"), ("find", "x", "--limit")],
    ids=repr,
)  # fmt: skip
def test_what_is_not_plain_is_not_begun_or_ends_unread(words: tuple[str, ...], tmp_path: Path) -> None:
    ahead.begin([*words, "--root", str(tmp_path)])
    rg.drop()
    assert not rg._begun


def test_a_wrong_guess_changes_nothing_and_leaves_no_process(tmp_path: Path) -> None:
    """The guess is of a pattern that matches everything; the command line fails on its last flag."""
    (tmp_path / "a.txt").write_bytes(TEXT * 200_000)
    env = {**os.environ, "IQ_RESIDENT": "off", "PYTHONPATH": str(CHECKOUT)}
    for words, code in ((("find", "e", "--limit", "0"), 2), (("find", "e", "--only", "nosuch"), 2), (("find", "e", "--count"), 0)):
        done = subprocess.run([sys.executable, str(CHECKOUT / "scripts/iq"), *words], cwd=tmp_path, env=env, capture_output=True, timeout=60, check=False)
        assert done.returncode == code, done.stderr
        assert b"Traceback" not in done.stderr


def test_a_known_binary_hides_no_other_file_whose_path_only_ends_or_goes_on_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "ws"
    inner = root / str(root).lstrip("/")
    for folder in (root / "src/_t", root / "src_t", inner, tmp_path / "w"):
        folder.mkdir(parents=True)
    for path in (root / "src/_t/d.bin", root / "top.bin"):
        path.write_bytes(BINARY)
    for path in (root / "src_t/d.bin", inner / "top.bin"):
        path.write_bytes(TEXT)
    assert len(note(root, ["src/_t/d.bin", "top.bin"])) == 2
    for cwd in (root, root / "src", tmp_path / "w", tmp_path, Path("/")):
        monkeypatch.chdir(cwd)
        assert len(places(found(root, True))) == 2, cwd


def test_a_known_binary_is_not_read_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ws/src").mkdir(parents=True)
    (tmp_path / "ws/top.bin").write_bytes(BINARY)
    root = tmp_path / "ws"
    note(root, ["top.bin"])
    for cwd in (root, root / "src", tmp_path, Path("/")):
        monkeypatch.chdir(cwd)
        run = rg.Ripgrep(["--files", "--hidden", *(f"--glob=!{path}" for path in globs(str(root), ["top.bin"])), str(root)])
        assert not [path for path in rg.records(run, b"\n") if path.endswith(b"top.bin")], cwd

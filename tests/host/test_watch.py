"""The watcher: an edit just before the question is never missed, and where events cannot be trusted the tree is looked at."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from iq.cli import run
from iq.engine import Engine
from iq.host.resident import Gone, Resident
from iq.host.watch import Watcher, remote
from iq.types import Call


def open_resident(root: Path, watcher: Callable[[str, str], Watcher] = Watcher) -> Resident:
    (root / ".iq" / "local").mkdir(parents=True, exist_ok=True)
    engine = Engine.open(str(root), cwd=str(root))
    return Resident(engine.session, lambda call: run(call, engine), watcher(str(root), engine.session.workspace.local))


def ask(resident: Resident, *words: str) -> str:
    reply = resident.answer(Call(words, resident.session.root))
    return (reply.out + reply.err).decode()


@pytest.fixture
def resident(tmp_path: Path) -> Resident:
    for at in range(20):
        (tmp_path / f"d{at}").mkdir()
        (tmp_path / f"d{at}" / "m.py").write_text(f"def name_{at}():\n    return {at}\n")
    os.environ.pop("IQ_INTENT", None)
    made = open_resident(tmp_path)
    assert made.watcher.mode == "events", made.watcher.mode
    ask(made, "def", "name_1")
    return made


def test_nothing_changed_means_no_look(resident: Resident) -> None:
    time.sleep(0.05)  # a file written within a clock tick is read again
    ask(resident, "def", "name_1")
    before = resident.looked
    for at in range(10):
        assert f"name_{at}" in ask(resident, "def", f"name_{at}")
    assert resident.looked == before


def edit(root: Path) -> tuple[str, str]:
    (root / "d1/m.py").write_text("# moved\n\n\ndef fresh_one():\n    return 1\n")
    return "fresh_one", "name_1"


def same_size(root: Path) -> tuple[str, str]:
    stat = (root / "d2/m.py").stat()
    (root / "d2/m.py").write_text("def eman_2():\n    return 2\n")
    os.utime(root / "d2/m.py", ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    return "eman_2", "name_2"


def rename(root: Path) -> tuple[str, str]:
    (root / "d3/m.py").rename(root / "d3/other_name.py")
    return "name_3", "nosuch"


def new_folders(root: Path) -> tuple[str, str]:
    (root / "x/y/z").mkdir(parents=True)
    (root / "x/y/z/deep.py").write_text("def deep_one(): ...\n")
    return "deep_one", "nosuch"


def delete_tree(root: Path) -> tuple[str, str]:
    shutil.rmtree(root / "d5")
    return "name_6", "name_5"


def replace_folder(root: Path) -> tuple[str, str]:
    (root / "d7").rename(root / "old7")
    (root / "d7").mkdir()
    (root / "d7/m.py").write_text("def seventh(): ...\n")
    shutil.rmtree(root / "old7")
    return "seventh", "name_7"


def ignore(root: Path) -> tuple[str, str]:
    (root / ".gitignore").write_text("d8/\n")
    return "name_9", "name_8"


def atomic(root: Path) -> tuple[str, str]:
    (root / "d10/tmp").write_text("def swapped_in(): ...\n")
    os.replace(root / "d10/tmp", root / "d10/m.py")
    return "swapped_in", "name_10"


CHANGES = (edit, same_size, rename, new_folders, delete_tree, replace_folder, ignore, atomic)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_is_seen_by_the_next_question(change: Callable[[Path], tuple[str, str]], resident: Resident) -> None:
    there, gone = change(Path(resident.session.root))
    assert f"{there} (function)" in ask(resident, "def", there)
    assert "nothing found" in ask(resident, "def", gone)


def test_a_hundred_edits_each_seen_at_once(resident: Resident) -> None:
    root = Path(resident.session.root)
    for at in range(100):
        (root / f"d{at % 20}/m.py").write_text("\n" * (at % 7) + f"def turn_{at}():\n    return {at}\n")
        assert f"{at % 7 + 1}-{at % 7 + 2}" in ask(resident, "def", f"turn_{at}")
        assert "nothing found" in ask(resident, "def", f"turn_{at - 20}")


def test_a_checkout_of_ten_thousand_files_is_level_or_said_to_be_behind(resident: Resident) -> None:
    root = Path(resident.session.root)
    for folder in range(100):
        (root / f"big{folder}").mkdir()
        for at in range(100):
            (root / f"big{folder}/f{at}.py").write_text(f"def big_{folder}_{at}(): ...\n")
    until = time.monotonic() + 120
    seen = set()
    while True:
        said = ask(resident, "how are big things done?")
        seen.add("behind" if "index behind by" in said else "fresh")
        if "index fresh" in said:
            break
        assert "index behind by" in said or "index being updated" in said
        assert time.monotonic() < until
    assert "big_99_99 (function)" in ask(resident, "def", "big_99_99")
    shutil.rmtree(root / "big99")
    assert "nothing found" in ask(resident, "def", "big_99_99")


def test_between_calls_the_index_follows(resident: Resident) -> None:
    root = Path(resident.session.root)
    (root / "d4/m.py").write_text("def while_idle(): ...\n")
    until = time.monotonic() + 10
    while not resident.rest():
        time.sleep(0.05)
        assert time.monotonic() < until
    looked = resident.looked
    assert "while_idle (function)" in ask(resident, "def", "while_idle")
    assert resident.looked - looked <= 1  # at most once more, for the file's time lay within a clock tick


class Silent:
    """Events of a file system that sends none."""

    def watch(self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: None) -> object:
        return "timeout"


class Dying(Silent):
    """Events that come at first, and then end."""

    def __init__(self, local: str) -> None:
        self.left, self.local = 1, local

    def watch(self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: None) -> object:
        if not self.left:
            raise RuntimeError("the watching thread is gone")
        self.left -= 1
        return {(2, os.path.join(self.local, f"cookie-{os.getpid()}-1"))}


def refusing(root: str) -> Silent:
    raise OSError("no space left: max_user_watches")


@pytest.mark.parametrize(
    ("make", "mode"),
    [(lambda root: Silent(), "no events come"), (refusing, "max_user_watches"), (lambda root: Dying(os.path.join(root, ".iq/local")), "events")],
    ids=["silent", "refused", "dying"],
)
def test_without_events_each_question_looks(make: Callable[[str], Silent], mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iq.host.watch.FIRST_MS", 50)
    (tmp_path / "a.py").write_text("def before(): ...\n")
    found = open_resident(tmp_path, lambda root, local: Watcher(root, local, make))
    assert mode in found.watcher.mode
    assert "before" in ask(found, "def", "before")
    (tmp_path / "a.py").write_text("def after_it(): ...\n")
    assert "after_it (function)" in ask(found, "def", "after_it")
    assert found.watcher.mode.startswith("looking at each question")


def test_an_index_outside_of_the_workspace_is_not_watched(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "elsewhere").mkdir()
    assert "outside of the workspace" in Watcher(str(tmp_path / "ws"), str(tmp_path / "elsewhere")).mode


def test_what_no_event_tells_is_found_after_a_while(resident: Resident, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not resident.watcher.changed()
    monkeypatch.setattr("iq.host.watch.TRUST", 0.0)
    assert resident.watcher.changed()


def test_ignore_rules_of_the_user_count_at_once(resident: Resident, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    ask(resident, "def", "name_1")
    assert not resident.watcher.changed()
    (home / "git").mkdir()
    (home / "git/ignore").write_text("d1/\n")
    assert "nothing found" in ask(resident, "def", "name_1")


def test_an_exclude_file_of_any_name_counts_at_once(resident: Resident, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (home / ".gitconfig").write_text("[core]\n\texcludesfile = ~/.gitignore_global\n")
    (home / ".gitignore_global").write_text("")
    ask(resident, "def", "name_1")
    assert not resident.watcher.changed()
    (home / ".gitignore_global").write_text("d1/\n")
    assert "nothing found" in ask(resident, "def", "name_1")


@pytest.mark.skipif(os.name == "nt", reason="there the time of change is the time of making")
def test_ignore_rules_of_the_user_count_though_their_time_is_set_back(
    resident: Resident, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    (home / "git").mkdir()
    (home / "git/ignore").write_text("dx/\n")
    ask(resident, "def", "name_1")
    before = (home / "git/ignore").stat()
    (home / "git/ignore").write_text("d1/\n")
    os.utime(home / "git/ignore", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "nothing found" in ask(resident, "def", "name_1")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_exclude_file_of_a_linked_worktree_counts_at_once(tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    (main / "a.log").write_text("needle\n")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "one"], ["worktree", "add", "-q", "../wt"]):
        subprocess.run(["git", *words], cwd=main, check=True)
    made = open_resident(tmp_path / "wt")
    assert "a.log" in ask(made, "find", "needle") and "a.log" in ask(made, "find", "needle")
    (main / ".git/info").mkdir(exist_ok=True)
    (main / ".git/info/exclude").write_text("*.log\n")
    assert "a.log" in ask(made, "find", "needle")  # it is tracked


def test_own_writes_are_no_change(resident: Resident) -> None:
    (Path(resident.session.root) / ".iq/local/scratch").write_text("x")
    assert not resident.watcher.changed()


def test_a_root_that_is_replaced(resident: Resident) -> None:
    root = Path(resident.session.root)
    root.rename(root.with_name("moved-away"))
    root.mkdir()
    with pytest.raises(Gone):
        ask(resident, "def", "name_1")
    with pytest.raises(Gone):
        resident.rest()


MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /home/me/nfs rw - nfs4 server:/x rw
31 22 0:41 / /home/me/code/mounted rw - fuse.sshfs host: rw
32 22 0:42 / /home/me/with\\040space rw - overlay overlay rw
broken line
"""


@pytest.mark.parametrize(
    ("root", "kind"),
    [("/home/me/plain", ""), ("/home/me/nfs", "nfs4"), ("/home/me/nfs/deep", "nfs4"), ("/home/me/nfs2", ""), ("/home/me/code", "fuse.sshfs"),
     ("/home/me/with space/x", "overlay"), ("/", "nfs4")],
)  # fmt: skip
def test_file_systems_whose_events_are_not_relied_on(root: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "mountinfo").write_text(MOUNTS)
    assert remote(root, str(tmp_path / "mountinfo")) == kind


def test_no_table_of_mounts() -> None:
    assert remote("/home", "/no/such/file") == ""

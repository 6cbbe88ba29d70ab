"""The events of a tree on Linux: every change in it is one, whatever became of its folders, and reading is none."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("inotify is Linux's", allow_module_level=True)

from inotify_simple import Event, INotify, flags

from iq.host.inotify import Tree

WAIT = 300


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    for path in ("a/one.py", "a/b/c/deep.py", "d/two.py", ".iq/local/index.db"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x\n")
    return root


def tree(root: Path) -> Tree:
    return Tree(str(root), str(root / ".iq" / "local"))


def events(watched: Tree, wait: int = WAIT) -> set[str]:
    """Paths below the root of all that has come."""
    found: set[str] = set()
    while isinstance(some := watched.watch(1, 1, wait, None), set):
        found |= {os.path.relpath(path, watched.root) for _, path in some}
        wait = 20
    return found


CHANGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "written": (lambda root: (root / "a/one.py").write_text("y\n"), "a/one.py"),
    "written deep down": (lambda root: (root / "a/b/c/deep.py").write_text("y\n"), "a/b/c/deep.py"),
    "made": (lambda root: (root / "a/new.py").write_text("y\n"), "a/new.py"),
    "removed": (lambda root: (root / "a/one.py").unlink(), "a/one.py"),
    "renamed": (lambda root: (root / "a/one.py").rename(root / "d/one.py"), "d/one.py"),
    "given other rights": (lambda root: (root / "a/one.py").chmod(0o600), "a/one.py"),
    "its time set back": (lambda root: os.utime(root / "a/one.py", (1, 1)), "a/one.py"),
    "a folder made": (lambda root: (root / "new").mkdir(), "new"),
    "a folder removed": (lambda root: shutil.rmtree(root / "a"), "a"),
}


@pytest.mark.parametrize(("change", "path"), CHANGES.values(), ids=CHANGES)
def test_a_change_is_told(change: Callable[[Path], object], path: str, root: Path) -> None:
    watched = tree(root)
    assert events(watched, 1) == set()
    change(root)
    assert path in events(watched)


MOVES: dict[str, tuple[Callable[[Path], object], str]] = {
    "made in one stroke": (lambda root: (root / "new/er/est").mkdir(parents=True), "new/er/est"),
    "copied": (lambda root: shutil.copytree(root / "a", root / "copy"), "copy/b/c"),
    "moved": (lambda root: (root / "a").rename(root / "d/moved"), "d/moved/b/c"),
    "moved twice": (lambda root: ((root / "a").rename(root / "x"), (root / "x").rename(root / "d/y")), "d/y/b"),
    "its parent moved": (lambda root: (root / "a/b").rename(root / "bb"), "bb/c"),
    "moved in from outside": (lambda root: (fill(root.parent / "out/er"), (root.parent / "out").rename(root / "in")), "in/er"),
    "removed and made again": (lambda root: (shutil.rmtree(root / "a/b"), (root / "a/b/c").mkdir(parents=True)), "a/b/c"),
    "exchanged": (lambda root: ((root / "a").rename(root / "t"), (root / "d").rename(root / "a"), (root / "t").rename(root / "d")), "d/b/c"),
}


def fill(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "f.py").write_text("x\n")


@pytest.mark.parametrize(("move", "folder"), MOVES.values(), ids=MOVES)
def test_a_folder_is_watched_wherever_it_came_from(move: Callable[[Path], object], folder: str, root: Path) -> None:
    watched = tree(root)
    move(root)
    assert events(watched)
    assert events(watched, 1) == set()
    (root / folder / "late.py").write_text("y\n")
    assert f"{folder}/late.py" in events(watched), "under the path that it has now"


def test_what_was_moved_out_is_watched_no_longer(root: Path) -> None:
    watched = tree(root)
    (root / "a").rename(root.parent / "gone")
    assert "a" in events(watched)
    (root.parent / "gone/b/c/deep.py").write_text("y\n")
    assert events(watched, 50) == set()
    assert not [folder for folder in watched._folders.values() if folder.startswith(str(root / "a"))]


def test_to_read_and_to_list_is_no_change(root: Path) -> None:
    watched = tree(root)
    for path in root.rglob("*.py"):
        path.read_text()
    list(root.rglob("*"))
    assert watched.watch(1, 1, 50, None) == "timeout"


def test_of_the_index_only_what_is_made_there_is_told(root: Path) -> None:
    watched = tree(root)
    (root / ".iq/local/index.db").write_text("y" * 100_000)
    (root / ".iq/local/index.db").unlink()
    assert events(watched, 50) == set()
    (root / ".iq/local/cookie").write_text("")
    assert events(watched) == {".iq/local/cookie"}


def test_of_a_repository_what_it_stores_is_not_told(root: Path) -> None:
    for path in (".git/objects/ab", ".git/refs/heads", ".git/info", ".git/modules/sub/objects", "objects"):
        (root / path).mkdir(parents=True)
    watched = tree(root)
    for path in (".git/objects/ab/cd", ".git/refs/heads/main", ".git/modules/sub/objects/ef"):
        (root / path).write_text("")
    (root / ".git/objects/new").mkdir()
    assert events(watched, 50) == set()
    for path in (".git/index", ".git/info/exclude", ".git/modules/sub/index", "objects/code.py"):
        (root / path).write_text("")
        assert path in events(watched)


def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "a/up").symlink_to("..")
    watched = tree(root)
    (tmp_path / "outside/f").write_text("")
    assert events(watched, 50) == set()


def test_after_an_overflow_the_tree_is_watched_anew_and_said_to_have_changed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = tree(root)
    (root / "lost/deep").mkdir(parents=True)
    list(watched._inotify.read(WAIT))  # as if the queue had dropped them
    monkeypatch.setattr(INotify, "read", lambda self, timeout: [Event(-1, int(flags.Q_OVERFLOW), 0, "")])
    assert watched.watch(1, 1, 0, None) == {(0, str(root))}
    monkeypatch.undo()
    (root / "lost/deep/f.py").write_text("")
    assert "lost/deep/f.py" in events(watched)


def test_a_real_overflow_loses_no_folder(root: Path) -> None:
    watched = tree(root)
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if most > 100_000:
        pytest.skip(f"the queue holds {most} events here")
    for at in range(most // 2 + 1000):
        (root / f"a/f{at}").write_text("")
    (root / "after/all").mkdir(parents=True)
    assert "." in events(watched)
    (root / "after/all/f.py").write_text("")
    assert "after/all/f.py" in events(watched)


@pytest.mark.parametrize("when", ["at first", "later"])
def test_watches_that_are_used_up_end_the_events_with_a_word(when: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: INotify, path: str, mask: int) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    watched = tree(root) if when == "later" else None
    monkeypatch.setattr(INotify, "add_watch", refuse)
    with pytest.raises(OSError, match="max_user_watches"):
        if watched:
            (root / "new").mkdir()
            events(watched)
        tree(root)


def test_a_folder_that_is_gone_before_it_is_watched_is_no_trouble(root: Path) -> None:
    watched = tree(root)
    for at in range(200):
        (root / f"flash{at}/deep").mkdir(parents=True)
        shutil.rmtree(root / f"flash{at}")
    assert events(watched)
    (root / "a/one.py").write_text("y\n")
    assert "a/one.py" in events(watched)


def test_what_happens_in_a_folder_after_it_was_moved_takes_no_namesake_out(root: Path) -> None:
    """`mv a x; mv x/b elsewhere` between two questions ended the watch over the `b` beside them."""
    (root / "b").mkdir()
    watched = tree(root)
    (root / "a").rename(root / "x")
    (root / "x/b").rename(root / "elsewhere")
    assert events(watched)
    (root / "b/late.py").write_text("y\n")
    assert "b/late.py" in events(watched)
    (root / "elsewhere/c/deep.py").write_text("y\n")
    assert "elsewhere/c/deep.py" in events(watched)


@pytest.mark.parametrize("opened", ["a/b", "a"])
def test_a_folder_that_may_be_read_from_now_on_is_watched(opened: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder given rights under the engine was looked into once and never again; an administrator may read all, so the refusal is played."""
    real = INotify.add_watch
    shut = [str(root / "a/b")]

    def refuse(self: INotify, path: str, mask: int) -> int:
        if path in shut:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(self, path, mask)

    monkeypatch.setattr(INotify, "add_watch", refuse)
    watched = tree(root)
    shut.clear()
    (root / opened).chmod(0o750)
    assert opened in events(watched)
    for path in ("a/b/late.py", "a/b/c/late.py"):
        (root / path).write_text("y\n")
        assert path in events(watched)

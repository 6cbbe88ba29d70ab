"""What changed together, by hand; renames, merges, wide commits, secrets, repositories without history."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import log2
from pathlib import Path

import pygit2
import pytest

from iq.index import cochange
from iq.index.cochange import MAX_FILES, Change, History
from iq.index.store import Store

Commit = Callable[..., str]


def changes(*commits: str) -> list[Change]:
    """Commits newest first, each the names of its files by spaces."""
    return [Change(str(at), tuple(sorted(files.split()))) for at, files in enumerate(commits)]


def test_a_share_by_hand() -> None:
    """Without decay: a changed in three commits of two files, twice with b; one commit is imagined beside them."""
    history = History(changes("a b", "a b", "a c"), half_life=1e9)
    weight = 1 / log2(3)
    (first, second) = history.together("a")
    assert (first.path, first.count, first.of) == ("b", 2, 3)
    assert first.score == pytest.approx(2 * weight / (3 * weight + 1))
    assert first.back == pytest.approx(2 * weight / (2 * weight + 1))
    assert second.path == "c"


def test_what_is_older_counts_less() -> None:
    history = History(changes("a b", "a c"), half_life=1)
    scores = {row.path: row.score for row in history.together("a")}
    assert scores["b"] == pytest.approx(2 * scores["c"])


def test_wide_commits_say_nothing() -> None:
    wide = " ".join(f"f{n}" for n in range(MAX_FILES)) + " a"
    assert History(changes(wide)).together("a") == []


def test_secrets_never_surface() -> None:
    assert [row.path for row in History(changes("a .env deploy.pem b")).together("a")] == ["b"]


def test_a_renamed_file_keeps_its_history(tmp_path: Path, commit: Commit) -> None:
    body = "\n".join(f"line {n}" for n in range(30))
    commit(tmp_path, {"x": "1"})
    commit(tmp_path, {"old.py": body, "x": "2"})
    commit(tmp_path, {"old.py": body + "\nmore", "x": "3"})
    commit(tmp_path, {"old.py": None, "new.py": body + "\nmore"})
    commit(tmp_path, {"new.py": body + "\nmore\nagain", "y": "1"})
    history = History(cochange.read(pygit2.Repository(str(tmp_path))))
    assert {row.path: row.count for row in history.together("new.py")} == {"x": 2, "y": 1}


def test_what_commits_touched_is_kept_and_only_new_ones_are_read(tmp_path: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "repo"
    commit(root, {"a": "1"})
    commit(root, {"a": "2", os.fsdecode(b"b\xff"): "1"})
    store, _ = Store.open(str(tmp_path / "index.db"))
    repo = pygit2.Repository(str(root))
    first = cochange.read(repo, store)
    seen: list[str] = []
    real = cochange.of
    monkeypatch.setattr(cochange, "of", lambda repo, commit: seen.append(str(commit.id)) or real(repo, commit))
    assert cochange.read(repo, store) == first and not seen
    newest = commit(root, {"a": "3"})
    assert cochange.read(pygit2.Repository(str(root)), store)[1:] == first and seen == [newest]
    assert first[0].files == ("a", os.fsdecode(b"b\xff"))
    store.close()


def test_merges_are_left_out(tmp_path: Path, commit: Commit) -> None:
    base = commit(tmp_path, {"a": "1"})
    commit(tmp_path, {"b": "1"})
    repo = pygit2.Repository(str(tmp_path))
    who = pygit2.Signature("A", "a@example.com", 1, 0)
    repo.create_commit("HEAD", who, who, "merge", repo.head.peel(pygit2.Tree).id, [repo.head.target, base])
    assert [change.files for change in cochange.read(repo)] == [("b",), ()]


def test_an_empty_repository_has_no_history(tmp_path: Path) -> None:
    assert cochange.read(pygit2.init_repository(str(tmp_path))) == []


def test_a_shallow_clone_ends_where_it_was_cut(tmp_path: Path, commit: Commit) -> None:
    """The commit whose parent is not there is left out; the others count."""
    root = tmp_path / "full"
    for n in range(4):
        commit(root, {"a": str(n), f"f{n}": "x"})
    repo = pygit2.Repository(str(root))
    cut = repo.head.peel(pygit2.Commit).parents[0]
    (root / ".git" / "shallow").write_text(f"{cut.id}\n")
    gone = str(cut.parent_ids[0])
    (root / ".git" / "objects" / gone[:2] / gone[2:]).unlink()
    again = pygit2.Repository(str(root))
    assert again.is_shallow
    assert cochange.read(again)[0].files == ("a", "f3")

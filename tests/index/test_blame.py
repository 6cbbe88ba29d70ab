"""Both engines name the same commit for each line; names and merges on the way change nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from iq.index.blame import _unquote, blame, by_git, by_libgit2, runs
from iq.index.repository import needed
from tests.repositories import BOB, Built

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="no git binary: the two engines cannot be compared")

TEXT = "".join(f"line {n} of a file that is long enough to be followed\n" for n in range(30))


@pytest.fixture
def repo(tmp_path: Path) -> Built:
    built = Built(tmp_path / "repo")
    built.commit("write", {"a b.txt": TEXT}, days=9)
    base = built.commit("edit", {"a b.txt": TEXT.replace("line 3 ", "LINE 3 ")}, author=BOB, days=8)
    moved = built.files[b"a b.txt"]
    left = built.commit("rename", {"a b.txt": None, "dir/é.txt": moved.replace(b"line 20 ", b"LINE 20 ")}, days=7)
    built.files = {b"a b.txt": moved.replace(b"line 9 ", b"LINE 9 ")}
    right = built.commit("side", {}, author=BOB, days=6, parents=[base], ref="refs/heads/side")
    merged = moved.replace(b"line 20 ", b"LINE 20 ").replace(b"line 9 ", b"LINE 9 ").replace(b"line 1 ", b"merged 1 ")
    built.files = {"dir/é.txt".encode(): merged}
    built.commit("merge", {}, days=5, parents=[left, right])
    built.commit("blanks", {"dir/é.txt": merged.replace(b"line 12 of", b"line 12  of")}, days=4)
    built.checkout()
    return built


@needs_git
@pytest.mark.parametrize("blanks", [True, False])
@pytest.mark.parametrize("asked", [range(1, 31), [4], [2, 3, 13, 21, 30]], ids=["all", "one", "some"])
def test_both_engines_name_the_same_commits(repo: Built, asked: list[int], blanks: bool) -> None:
    repository = needed(str(repo.root))
    ours = by_libgit2(repository, repository.head, "dir/é.txt", asked, blanks)
    theirs = by_git(repository, repository.head, "dir/é.txt", asked, blanks)
    assert theirs == ours and set(ours) == set(asked)


@pytest.mark.parametrize("engine", [pytest.param("git", marks=needs_git), ""])
def test_lines_and_their_commits(repo: Built, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IQ_GIT_PATH", engine)
    repository = needed(str(repo.root))
    live = (repo.root / "dir/é.txt").read_text("utf-8")
    found = blame(repository, "dir/é.txt", "new\n" + live)
    subjects = [repo.git[origin.sha].message.strip() if origin.sha else "-" for origin in found]  # type: ignore[union-attr]
    assert {line: subject for line, subject in enumerate(subjects) if subject != "write"} == {0: "-", 2: "merge", 4: "edit", 10: "side", 21: "rename"}
    assert found[13].skipped and found[13].skipped[0][1] == "white space"
    whole = blame(repository, "dir/é.txt", live, moves=False)
    assert [origin.sha for origin in whole] == [origin.sha for origin in found[1:]]


def test_runs_and_quoted_names() -> None:
    assert list(runs([5, 1, 2, 3, 9])) == [(1, 3), (5, 5), (9, 9)] and list(runs([])) == []
    assert [_unquote(name) for name in (b"plain", rb'"a\"b\\c\303\251\n"')] == [b"plain", 'a"b\\cé\n'.encode()]

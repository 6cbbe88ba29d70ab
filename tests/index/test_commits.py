"""Facts of commits: the same from both engines, level with HEAD whatever happened to it, honest about what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pygit2
import pytest

from iq.errors import ToolError, UsageError
from iq.index import commits
from iq.index.facts import Change, by_git, by_libgit2
from iq.index.repository import needed, open_repository
from iq.index.session import Session
from iq.index.workspace import Workspace
from tests.repositories import ADA, BOB, DAY, NOW, Built

GIT = shutil.which("git")
needs_git = pytest.mark.skipif(GIT is None, reason="no git binary: the two engines cannot be compared")

LONG = "".join(f"line {n} of a file that is long enough to be followed\n" for n in range(40))


def session(root: Path, place: Path | None = None) -> Session:
    return Session(Workspace(str(root), str(place or root / ".iq" / "local")), str(root), now=NOW)


def facts(root: Path, place: Path | None = None) -> list[tuple[str, str, str | None, int | None, int | None]]:
    _, store, _ = session(root, place).history()
    return [(touch.commit.subject, touch.path, touch.old, touch.added, touch.removed) for touch in commits.touches(store)]


@pytest.fixture
def many(tmp_path: Path) -> Built:
    """Every kind of change once."""
    repo = Built(tmp_path / "repo")
    repo.commit("root", {"a.py": LONG, "dir/b.txt": "1\n2\n3\n", "bin.dat": b"\0\1\2" * 100, b"caf\xe9.txt": "x\n", "no newline": "a\nb"}, days=9)
    repo.commit("edit", {"a.py": LONG.replace("line 7 ", "LINE 7 ") + "more\n"}, days=8)
    repo.commit("rename", {"a.py": None, "lib/a.py": LONG.replace("line 7 ", "LINE 7 ") + "less\n"}, days=7)
    repo.commit("binary", {"bin.dat": b"\0\2\3" * 90}, days=6)
    repo.commit("gone", {"dir/b.txt": None, b"caf\xe9.txt": "y\n"}, days=5)
    repo.commit("submodule", {"sub": "gitlink " + "1" * 40, "no newline": "a\nb\n"}, days=4)
    repo.commit("submodule moves", {"sub": "gitlink " + "2" * 40}, days=3.5)
    repo.commit("crlf and empty", {"crlf.txt": "a\r\nb\r\n", "empty": ""}, days=3)
    repo.commit("nothing", {}, days=2)
    base = repo.last
    left = repo.commit("left", {"left.txt": "l\n"}, days=1.9)
    assert base is not None
    right = repo.commit("right", {"left.txt": None, "right.txt": "r\n"}, days=1.8, parents=[base], ref="refs/heads/side")
    repo.files[b"left.txt"] = b"l\n"
    repo.commit("merge", {}, parents=[left, right], days=1)
    return repo


@needs_git
def test_both_engines_give_the_same_facts(many: Built) -> None:
    repository = needed(str(many.root))
    shas = [str(commit.id) for commit in many.git.walk(many.git.head.target) if len(commit.parent_ids) < 2]
    ours = {sha: by_libgit2(repository, sha) for sha in shas}
    theirs = by_git(repository, shas)
    assert theirs is not None
    assert {sha: theirs.get(sha, []) for sha in shas} == ours
    assert [Change(b"lib/a.py", b"a.py", 1, 1)] in ours.values()


@pytest.mark.parametrize("engine", [pytest.param("git", marks=needs_git), "libgit2"])
def test_what_is_stored(many: Built, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine == "libgit2":
        monkeypatch.setenv("IQ_GIT_PATH", "")
    rows = facts(many.root)
    assert ("edit", "a.py", None, 2, 1) in rows
    assert ("rename", "lib/a.py", "a.py", 1, 1) in rows
    assert ("binary", "bin.dat", None, None, None) in rows
    assert ("gone", "dir/b.txt", None, 0, 3) in rows
    assert ("gone", os.fsdecode(b"caf\xe9.txt"), None, 1, 1) in rows
    assert ("submodule", "no newline", None, 1, 1) in rows
    assert not [row for row in rows if row[0] in ("merge", "nothing") or row[1] == "sub"]
    assert [row[0] for row in rows][:2] == ["right", "left"]


def test_a_second_look_reads_only_what_is_new(many: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    facts(many.root)
    asked: list[str] = []
    real = commits.changes
    monkeypatch.setattr(commits, "changes", lambda repository, shas: asked.extend(shas) or real(repository, shas))
    facts(many.root)
    assert asked == []
    new = many.commit("new", {"a.txt": "1\n"}, days=0.5)
    assert facts(many.root)[0] == ("new", "a.txt", None, 1, 0)
    assert asked == [str(new)]


def test_an_interrupted_first_look_goes_on(many: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = facts(many.root, many.root.parent / "one")
    monkeypatch.setattr(commits, "BATCH", 2)
    real, calls = commits._Writer.add, []

    def stops(self: object, batch: list[str]) -> None:
        calls.append(len(batch))
        if len(calls) == 3:
            raise KeyboardInterrupt
        real(self, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(commits._Writer, "add", stops)
    with pytest.raises(KeyboardInterrupt):
        facts(many.root, many.root.parent / "two")
    asked: list[str] = []
    engine = commits.changes
    monkeypatch.setattr(commits, "changes", lambda repository, shas: asked.extend(shas) or engine(repository, shas))
    assert facts(many.root, many.root.parent / "two") == whole
    assert len(calls) == 3 + (12 - 4) // 2  # two batches were kept


def test_rewritten_history_is_forgotten(many: Built) -> None:
    facts(many.root)
    first = next(commit for commit in many.git.walk(many.git.head.target) if commit.message == "edit\n")
    many.commit("instead", {"other.txt": "1\n"}, parents=[first.id], days=1)
    rows = facts(many.root)
    assert {row[0] for row in rows} == {"instead", "edit", "root"}
    _, store, _ = session(many.root).history()
    assert commits.counted(store)["commits"] == 3
    unused = "SELECT path FROM commit_paths WHERE id NOT IN (SELECT path_id FROM commit_files UNION SELECT old_id FROM commit_files WHERE old_id IS NOT NULL)"
    assert not store.db.execute(unused).fetchall()
    assert not store.db.execute("SELECT 1 FROM commit_files WHERE commit_id NOT IN (SELECT id FROM commits)").fetchall()


def test_a_window_reads_no_more_than_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "SKEW", 3)
    repo = Built(tmp_path / "repo")
    for n in range(30):
        repo.commit(f"c{n}", {"a.txt": f"{n}\n"}, days=30 - n)
    one = session(repo.root)
    _, store, filled = one.history(NOW - 5 * DAY)
    assert not filled.complete and commits.counted(store)["commits"] == 5 + 4
    assert [touch.commit.subject for touch in commits.touches(store, NOW - 5 * DAY)] == ["c29", "c28", "c27", "c26"]
    _, store, filled = one.history()
    assert filled.complete and commits.counted(store)["commits"] == 30


def test_authors_go_through_the_mailmap_of_now(tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    repo.commit("one", {"a.txt": "1\n"}, author=("ada", "ada@old.example"), days=2)
    repo.commit("two", {"a.txt": "2\n"}, author=BOB, days=1)
    repo.checkout()
    _, store, _ = session(repo.root).history()
    assert {touch.commit.author for touch in commits.touches(store)} == {"ada", "Bob Stone"}
    (repo.root / ".mailmap").write_text("Ada Lovelace <ada@example.org> <ada@old.example>\nbroken line\n")
    _, store, _ = session(repo.root).history()
    assert {(touch.commit.author, touch.commit.email) for touch in commits.touches(store)} == {ADA, BOB}
    (repo.root / ".mailmap").unlink()
    (repo.root / ".mailmap").symlink_to("/etc/passwd")
    _, store, _ = session(repo.root).history()
    assert {touch.commit.author for touch in commits.touches(store)} == {"ada", "Bob Stone"}


def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    repo.commit(b"caf\xe9", {b"\xff/\xfe.py": "a\n"}, raw_author=b"Andr\xe9 <a@b.example>", days=1)
    _, store, _ = session(repo.root).history()
    (touch,) = commits.touches(store)
    assert (touch.commit.author, touch.path) == ("André", os.fsdecode(b"\xff/\xfe.py"))


def test_secrets_are_counted_and_not_stored(tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    repo.commit("leak", {".env": LONG, "deploy/id_rsa": "k\n", "a.txt": "1\n"}, days=3)
    repo.commit("rename", {".env": None, "notes.txt": LONG}, days=2)
    _, store, _ = session(repo.root).history()
    assert commits.counted(store)["held"] == 2
    rows = [(touch.commit.subject, touch.path, touch.old) for touch in commits.touches(store)]
    assert rows == [("rename", "notes.txt", None), ("leak", "a.txt", None)]
    dump = repr(store.db.execute("SELECT path FROM commit_paths").fetchall())
    assert ".env" not in dump and "id_rsa" not in dump


def test_a_workspace_inside_a_repository(tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    repo.commit("all", {"pkg/a.py": LONG, "other/b.py": "1\n"}, days=3)
    repo.commit("in", {"pkg/b.py": LONG.replace("line", "row"), "pkg/a.py": None, "other/a.py": LONG}, days=2)
    repo.checkout()
    (repo.root / "pkg").mkdir(exist_ok=True)
    rows = facts(repo.root / "pkg")
    assert rows == [("in", "b.py", None, 40, 0), ("all", "a.py", None, 40, 0)]


def test_a_shallow_clone_says_where_it_ends(tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    repo.commit("one", {"a.txt": "1\n"}, days=3)
    cut = repo.commit("two", {"a.txt": "2\n"}, days=2)
    repo.commit("three", {"a.txt": "3\n", "b.txt": "1\n"}, days=1)
    (repo.root / ".git" / "shallow").write_text(f"{cut}\n")
    _, store, filled = session(repo.root).history()
    assert "shallow clone" in filled.notes[0] and "--unshallow" in filled.notes[0]
    assert [touch.commit.subject for touch in commits.touches(store)] == ["three", "three"]
    assert commits.counted(store) == {"commits": 2, "merges": 0, "missing": 1, "held": 0}
    (repo.root / ".git" / "shallow").unlink()
    _, store, filled = session(repo.root).history()
    assert filled.notes == () and [touch.commit.subject for touch in commits.touches(store)] == ["three", "three", "two", "one"]
    assert commits.counted(store)["missing"] == 0


def test_missing_objects_are_said(tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    repo.commit("one", {"a.txt": "1\n"}, days=3)
    repo.commit("two", {"a.txt": "2\n"}, days=2)
    blob = str(pygit2.hash(b"2\n"))
    (repo.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    _, store, _ = session(repo.root).history()
    assert commits.counted(store)["missing"] == 1
    assert [touch.commit.subject for touch in commits.touches(store)] == ["one"]


def test_an_empty_repository_and_none(tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    _, store, filled = session(repo.root).history()
    assert filled.notes == ("the repository has no commits yet",) and not list(commits.touches(store))
    (tmp_path / "none").mkdir()
    with pytest.raises(UsageError, match="in no git repository"):
        session(tmp_path / "none").history()


def test_a_broken_repository_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / ".git").write_text("gitdir: ../nowhere\n")
    with pytest.raises(ToolError, match="cannot be opened"):
        session(tmp_path / "ws").history()
    repo = Built(tmp_path / "repo")
    repo.commit("one", {"a.txt": "1\n"})
    (repo.root / ".git" / "HEAD").write_text("nonsense\n")
    with pytest.raises(ToolError):
        session(repo.root).history()


def test_a_detached_head_counts_what_it_reaches(many: Built) -> None:
    first = next(commit for commit in many.git.walk(many.git.head.target) if commit.message == "edit\n")
    many.git.set_head(first.id)
    assert {row[0] for row in facts(many.root)} == {"edit", "root"}


def test_worktrees_bare_parents_and_submodules(many: Built, tmp_path: Path) -> None:
    whole = facts(many.root)
    many.git.add_worktree("linked", str(tmp_path / "linked"), many.git.references["refs/heads/side"])
    rows = facts(tmp_path / "linked")
    assert rows[0][0] == "right" and set(rows) < set(whole)
    bare = pygit2.clone_repository(str(many.root), str(tmp_path / "bare.git"), bare=True)
    assert facts(tmp_path / "bare.git", tmp_path / "cache") == whole
    bare.add_worktree("tree", str(tmp_path / "tree"))
    assert facts(tmp_path / "tree") == whole
    # A submodule keeps its git folder inside that of its parent.
    parent = Built(tmp_path / "parent")
    parent.commit("parent", {"p.txt": "1\n"})
    modules = tmp_path / "parent" / ".git" / "modules" / "sub"
    shutil.copytree(many.root / ".git", modules)
    (tmp_path / "parent" / "sub").mkdir()
    (tmp_path / "parent" / "sub" / ".git").write_text("gitdir: ../.git/modules/sub\n")
    assert facts(tmp_path / "parent" / "sub") == whole
    assert [row[0] for row in facts(tmp_path / "parent")] == ["parent"]


def test_a_merge_of_many_files_costs_and_counts_nothing(tmp_path: Path) -> None:
    repo = Built(tmp_path / "repo")
    one = repo.commit("one", {"a.txt": "1\n"}, days=5)
    two = repo.commit("two", {f"m/{n}.txt": "x\n" for n in range(300)}, days=4, parents=[one], ref="refs/heads/side")
    tips = [repo.commit(f"tip {n}", {"a.txt": f"{n}\n"}, days=3, parents=[one], ref=None) for n in range(9)]
    repo.commit("octopus", {}, days=1, parents=[two, *tips])
    rows = facts(repo.root)
    assert len([row for row in rows if row[0] == "two"]) == 300
    assert not [row for row in rows if row[0] == "octopus"]


@needs_git
def test_settings_of_a_repository_change_nothing_and_run_nothing(many: Built, tmp_path: Path) -> None:
    """diff.external, textconv and attributes of a hostile clone must not run; its settings must not bend the facts."""
    whole = facts(many.root, tmp_path / "one")
    mark = tmp_path / "ran"
    for key, value in (("diff.external", f"touch {mark}"), ("diff.noprefix", "true"), ("diff.renames", "false"), ("diff.renameLimit", "1"),
                       ("diff.algorithm", "patience"), ("core.quotePath", "true"),
                       ("core.fsmonitor", f"touch {mark}"), ("diff.x.textconv", f"touch {mark}")):  # fmt: skip
        subprocess.run(["git", "config", key, value], cwd=many.root, check=True)
    (many.root / ".gitattributes").write_text("* diff=x\n")
    assert facts(many.root, tmp_path / "two") == whole
    assert not mark.exists()


def test_a_partial_clone_is_never_given_to_git(many: Built) -> None:
    many.git.config["remote.origin.promisor"] = "true"
    repository = open_repository(str(many.root))
    assert repository is not None and repository.partial and not repository.binary


def test_progress_is_told_in_commits(many: Built) -> None:
    told: list[tuple[int, int, str]] = []
    one = Session(Workspace(str(many.root), str(many.root / "local")), str(many.root), lambda done, total, unit="files": told.append((done, total, unit)), NOW)
    one.history()
    assert told == [(12, 12, "commits")]


def test_two_at_once_fill_the_same_facts(many: Built) -> None:
    """A second process waits for the first facts; one that finds complete facts does not wait."""
    from iq.index.lock import writing

    place = many.root / "local"
    whole = facts(many.root, place)
    many.commit("new", {"n.txt": "1\n"}, days=0.5)
    with writing(str(place / "history.lock"), wait=True):
        _, store, filled = session(many.root, place).history()
        assert [touch.commit.subject for touch in commits.touches(store)] == [row[0] for row in whole]
        assert "another iq is reading new commits" in filled.notes[-1] and not filled.complete
    assert facts(many.root, place)[0][0] == "new"


def test_parts_are_what_counting_commit_by_commit_gives(tmp_path: Path) -> None:
    """Everything, a folder and one file: the sums of two statements that take different ways through the tables."""
    built = Built(tmp_path / "parts")
    (tmp_path / "parts" / ".mailmap").write_text(f"{BOB[0]} <{BOB[1]}> <bob@old.example.org>\n")
    for at in range(12):
        who = (ADA, BOB, ("Bob S.", "bob@old.example.org"))[at % 3]
        built.commit(f"c{at}", {f"src/{at % 4}.py": f"{at}\n" * (at + 1), "README": f"{at}\n", "alone": "a\n"}, author=who, days=20 - at)
    _, store, _ = session(built.root).history()
    for inside in (lambda path: True, lambda path: path.startswith("src/"), lambda path: path == "alone", lambda path: False):
        rows = [touch for touch in commits.touches(store) if inside(touch.path)]
        people, alone = commits.parts(store, inside)
        assert {(part.author, part.email): (part.added, part.commits, part.last) for part in people} == {
            who: (
                sum(row.added or 0 for row in mine),
                len({row.commit.sha for row in mine}),
                max(row.commit.time for row in mine),
            )
            for who in {(row.commit.author, row.commit.email) for row in rows}
            if (mine := [row for row in rows if (row.commit.author, row.commit.email) == who])
        }
        emails = {path: {row.commit.email for row in rows if row.path == path} for path in {row.path for row in rows}}
        assert alone == {path: len(found) == 1 for path, found in emails.items()}
    assert alone == {} and {part.author for part in commits.parts(store, lambda path: True)[0]} == {ADA[0], BOB[0]}

"""A look that trusts the folders' stamps finds what one that lists the ignore files finds, whatever came in between."""

from __future__ import annotations

import os
import random
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from iq.index import folders, rg
from iq.index.grep import Pattern, search
from iq.index.scope import matcher
from iq.index.walk import rules, walk
from iq.types import Scope
from tests.index.test_walk import fill, finish, git, grow, needs_git, needs_links, pattern, repository

# Longer than the clock of a file system takes to its next tick (s).
TICK = 0.02

TREE = {".gitignore": "*.log\nbuild/\n", "a.py": "", "src/b.py": "", "logs/x.log": "", "build/out": "", "deep/er/c.py": ""}


@pytest.fixture(params=[True, False], ids=["stamps", "young"])
def trusting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether stamps of folders that were made a moment ago count, as those of old ones do; else such folders are read each time."""
    if request.param:
        monkeypatch.setattr(folders, "RACY_NS", -(10**18))
    return bool(request.param)


@pytest.fixture
def listings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What ripgrep was asked to list, a word a run."""
    made: list[str] = []
    real = rg.Ripgrep._spawn
    monkeypatch.setattr(rg.Ripgrep, "_spawn", lambda self: (made.append("ignore files" if rg.NAME in self.arguments else "files"), real(self))[1])
    return made


def noted(root: Path) -> str:
    """The place of what is remembered, where that is all there is to know."""
    cache = str(root.parent / "tracked")
    walk(str(root), cache=cache, note=True)
    time.sleep(TICK)
    return cache


def afresh(root: Path) -> set[str]:
    """What a walk finds that remembers nothing, and whose own tests hold it against git."""
    return set(walk(str(root)).paths)


def look(root: Path, cache: str) -> set[str]:
    return set(walk(str(root), cache=cache).paths)


@needs_git
def test_as_long_as_nothing_comes_nothing_is_listed(tmp_path: Path, trusting: bool, listings: list[str]) -> None:
    root = fill(repository(tmp_path / "ws"), TREE)
    cache = noted(root)
    assert listings.count("ignore files") == 1
    changes: list[Callable[[], object]] = [
        lambda: (root / "a.py").write_text("more"), lambda: (root / "new.py").write_text(""), lambda: (root / "src" / "b.py").rename(root / "src" / "c.py"),
        lambda: shutil.rmtree(root / "deep"), lambda: (root / "build" / "sub").mkdir(), lambda: git(root, "add", "a.py"),
    ]  # fmt: skip
    for change in changes:
        change()
        listings.clear()
        seen = look(root, cache)
        assert "ignore files" not in listings, "files come and go without a new listing"
        assert seen == afresh(root)


CHANGES: dict[str, Callable[[Path], object]] = {
    "an ignore file in a folder of code": lambda root: fill(root, {"src/.gitignore": "b.py\n"}),
    "one that ripgrep reads otherwise": lambda root: fill(root, {"src/.gitignore": "*.{py,js}\n", "src/x.js": ""}),
    "one in a folder of ignored files": lambda root: fill(root, {"logs/.gitignore": "!*.[[:alpha:]]og\n"}),
    "one in an empty folder": lambda root: fill(root, {"empty/.gitignore": "[[:alpha:]].py\n", "empty/a.py": ""}),
    "one in a new folder": lambda root: fill(root, {"new/deep/.gitignore": "[[:alpha:]].py\n", "new/deep/a.py": ""}),
    "other rules that let a folder in": lambda root: fill(root, {".gitignore": "*.log\n", "build/.gitignore": "[[:alpha:]]ut\n"}),
    "a repository inside": lambda root: (repository(root / "src"), fill(root, {"src/x.log": ""})),
    "no ignore file any more": lambda root: (root / ".gitignore").unlink(),
    "a folder in the place of a file": lambda root: ((root / "a.py").unlink(), fill(root, {"a.py/.gitignore": "?[!b]o\n", "a.py/foo": ""})),
    "another folder under the name": lambda root: (
        shutil.rmtree(root / "deep"), fill(root.parent / "other", {"er/.gitignore": "*.p[!x]\n", "er/c.py": ""}).rename(root / "deep")),
    "an exclude file": lambda root: fill(root, {".git/info/exclude": "b.p[!x]\n"}),
}  # fmt: skip


@needs_git
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_can_change_the_rules_is_seen_at_once(change: Callable[[Path], object], tmp_path: Path, trusting: bool) -> None:
    root = fill(repository(tmp_path / "ws"), TREE)
    (root / "empty").mkdir()
    cache = noted(root)
    before = afresh(root)
    assert look(root, cache) == before
    change(root)
    assert look(root, cache) == afresh(root)
    assert look(root, noted(root)) == afresh(root)
    assert afresh(root) != before


@needs_git
def test_a_folder_that_is_let_in_later_is_watched_from_then_on(tmp_path: Path, trusting: bool) -> None:
    root = fill(repository(tmp_path / "ws"), TREE)
    cache = noted(root)
    fill(root, {".gitignore": "*.log\n"})
    assert look(root, cache) == afresh(root)
    time.sleep(TICK)
    fill(root, {"build/.gitignore": "*.{txt}\n", "build/a.txt": ""})
    assert look(root, cache) == afresh(root)


def mutate(rng: random.Random, root: Path) -> None:
    """One change of a tree: a line of an ignore file, a new or renamed or removed file or folder."""
    places = sorted(path for path in root.rglob("*") if ".git" not in path.relative_to(root).parts)
    inner = [root, *(path for path in places if path.is_dir() and not path.is_symlink())]
    folder, kind = rng.choice(inner), rng.random()
    if kind < 0.4:
        with open(folder / ".gitignore", "a") as file:
            file.write(pattern(rng, True) + "\n")
    elif kind < 0.6 and not (folder / "more").exists():
        grow(rng, folder / "more", True)
    elif kind < 0.75 and len(inner) > 1:
        shutil.rmtree(rng.choice(inner[1:]))
    elif kind < 0.9 and places:
        place = rng.choice(places)
        place.rename(place.with_name(f"renamed{rng.randrange(10**6)}"))
    else:
        (folder / f"file{rng.randrange(10**6)}.txt").write_text("x")


@needs_git
@pytest.mark.parametrize("seed", range(24))
def test_random_trees_under_random_changes(seed: int, tmp_path: Path, trusting: bool) -> None:
    rng = random.Random(seed)
    root = repository(tmp_path / "ws")
    grow(rng, root / "t", odd=seed % 2 == 1)
    finish(rng, root, 2)
    cache = str(tmp_path / "tracked")
    for step in range(12):
        walk(str(root), cache=cache, note=rng.random() < 0.5)
        time.sleep(TICK)
        mutate(rng, root)
        assert look(root, cache) == afresh(root), f"step {step}"


@pytest.mark.parametrize(
    "spoil",
    [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"\0" * 50, lambda data: data[:-1], os.urandom, None],
    ids=["half", "empty", "zeros", "short", "noise", "folder"],
)
def test_a_damaged_note_is_none(spoil: Callable[..., bytes] | None, tmp_path: Path) -> None:
    root = fill(tmp_path / "ws", TREE)
    place = Path(noted(root) + "-folders")
    assert folders.unchanged(str(place), str(root)) is not None
    data = place.read_bytes()
    if spoil is None:
        place.unlink()
        place.mkdir()
    else:
        place.write_bytes(spoil(64) if spoil is os.urandom else spoil(data))
    assert folders.unchanged(str(place), str(root)) is None
    assert look(root, str(tmp_path / "tracked")) == {".gitignore", "a.py", "src/b.py", "deep/er/c.py"}


def test_what_was_young_when_it_was_noted_is_noted_anew_when_it_has_aged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listings: list[str]) -> None:
    root = fill(tmp_path / "ws", {f"d{at}/a.py": "" for at in range(folders.READ + 5)})
    place = noted(root) + "-folders"

    def read() -> int:
        found = folders.unchanged(place, str(root))
        assert found is not None
        return found.read

    assert read() == folders.READ + 6
    noted(root)
    assert read() == folders.READ + 6, "still young"
    monkeypatch.setattr(folders, "RACY_NS", -(10**18))
    noted(root)
    assert read() == 0
    assert listings.count("ignore files") == 1


def test_too_many_folders_are_not_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MOST", 3)
    root = fill(tmp_path / "ws", TREE)
    cache = noted(root)
    assert folders.unchanged(cache + "-folders", str(root)) is None
    assert look(root, cache) == {".gitignore", "a.py", "src/b.py", "deep/er/c.py"}


def test_names_of_any_letters(tmp_path: Path, trusting: bool, listings: list[str]) -> None:
    names = ["new\nline", "größe", " x "] if sys.platform != "win32" else ["größe"]
    root = fill(tmp_path / "ws", {f"{name}/a": "" for name in names})
    if sys.platform == "linux":
        os.mkdir(os.path.join(os.fsencode(root), b"d\xff"))
    cache = noted(root)
    assert look(root, cache) == {f"{name}/a" for name in names}
    assert listings.count("ignore files") == 1
    fill(root, {f"{names[0]}/.gitignore": "a\n"})
    assert look(root, cache) == {f"{name}/a" for name in names[1:]} | {f"{names[0]}/.gitignore"}


def test_what_lies_under_the_index_counts_nowhere(tmp_path: Path, trusting: bool, listings: list[str]) -> None:
    root = fill(tmp_path / "ws", {"a.py": "", ".iq/local/.gitignore": "*\n", ".iq/notes/n.md": ""})
    cache = noted(root)
    fill(root, {".iq/local/deep/.gitignore": "x\n"})
    assert look(root, cache) == {"a.py", ".iq/notes/n.md"}
    assert listings.count("ignore files") == 1


def test_rules_without_a_look_need_no_note(tmp_path: Path) -> None:
    root = fill(tmp_path / "ws", TREE)
    assert rules(str(root), True, noted(root)).look is None


@needs_git
@needs_links
@pytest.mark.parametrize("link", ["home/.config/git/ignore", "ws/.git/info/exclude"])
def test_an_exclude_file_that_is_a_link_counts_by_what_it_leads_to(link: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules kept among other settings and linked: a line added there took tracked files out without a word."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    fill(tmp_path, {"settings/ignore": "", "home/.config/git/none": ""})
    root = fill(repository(tmp_path / "ws"), {"a.log": "", "b.py": ""})
    git(root, "add", ".")
    (tmp_path / link).symlink_to(tmp_path / "settings" / "ignore")
    cache = noted(root)
    fill(tmp_path, {"settings/ignore": "*.log\n"})
    assert look(root, cache) == {"a.log", "b.py"} == afresh(root)


def test_rules_that_change_during_the_look_are_not_remembered_with_the_files_of_before(tmp_path: Path, trusting: bool) -> None:
    """A folder let in after ripgrep had listed the ignore files and before they were stamped: the one in that folder was never read again."""
    root = fill(tmp_path / "ws", {".gitignore": "build/\n", "build/.gitignore": "*.{py}\n", "build/x.py": ""})
    cache = str(tmp_path / "tracked")
    slow = rules(str(root), cache=cache).look
    assert slow and slow._run
    listing = list(rg.files(slow._run, str(root)))
    slow._run = type("Ended", (), {"__iter__": lambda self: iter([b"\0".join(map(os.fsencode, listing))]), "code": 0, "errors": ""})()
    fill(root, {".gitignore": "# none\n"})
    slow.settle()
    slow.note()
    time.sleep(TICK)
    assert look(root, cache) == {".gitignore", "build/.gitignore", "build/x.py"} == afresh(root)


@pytest.mark.parametrize("odd", ["", "*.{x}\n"], ids=["plain", "odd"])
def test_only_the_folder_of_the_index_is_left_out(odd: str, tmp_path: Path) -> None:
    root = fill(tmp_path / "ws", {".gitignore": odd, "my.iq/local/a.py": "", ".iq/local/tracked": "", "sub/.iq/local/tracked": ""})
    assert afresh(root) == {".gitignore", "my.iq/local/a.py"}


@needs_git
@needs_links
@pytest.mark.parametrize("link", ["outside", "ws/inside"])
def test_a_root_that_is_a_link_is_what_it_leads_to(link: str, tmp_path: Path) -> None:
    """Of a root that is a link into a repository, no file was in that git tracks and a pattern matches."""
    root = fill(repository(tmp_path / "ws"), {".gitignore": "/src/out\n", "src/.gitignore": "*.log\n", "src/a.log": "", "src/b.log": "", "src/out": ""})
    git(root, "add", "-f", "src/a.log")
    (tmp_path / link).symlink_to(root / "src")
    assert afresh(tmp_path / link) == {".gitignore", "a.log"} == afresh(root / "src")


@needs_git
@needs_links
def test_a_link_to_an_ignore_file_above_the_root_does_not_count(tmp_path: Path) -> None:
    fill(repository(tmp_path / "ws"), {"rules": "*.log\n", "src/a.log": ""})
    (tmp_path / "ws/.gitignore").symlink_to("rules")
    assert afresh(tmp_path / "ws/src") == {"a.log"}


INSIDE: dict[str, tuple[dict[str, str], set[str]]] = {
    "its exclude file in forms that ripgrep reads otherwise": ({"sub/.git/info/exclude": "*.{py,js}\n", "sub/x.py": "x"}, {"sub/x.py"}),
    "a tracked file that its patterns match": ({"sub/.gitignore": "*.log\n", "sub/d/a.log": "x", "sub/b.log": "x"}, {"sub/.gitignore", "sub/d/a.log"}),
    "patterns around it": ({".gitignore": "*.log\n", "x.log": "x", "sub/x.log": "x"}, {".gitignore", "sub/x.log"}),
    "both": ({".gitignore": "*.log\n", "sub/.gitignore": "*.{x}\n", "sub/x.log": "x"}, {".gitignore", "sub/.gitignore", "sub/x.log"}),
}


@needs_git
@pytest.mark.parametrize(("files", "expected"), INSIDE.values(), ids=INSIDE)
@pytest.mark.parametrize("around", [True, False], ids=["repository", "folder"])
def test_a_repository_inside_has_its_own_rules(files: dict[str, str], expected: set[str], around: bool, tmp_path: Path) -> None:
    """What a repository inside tracks or lets in was missed where its own index or exclude file had to be read, or where none is around it."""
    root = repository(tmp_path / "ws") if around else tmp_path / "ws"
    fill(repository(root / "sub"), {})
    fill(root, files)
    if "sub/d/a.log" in files:
        git(root / "sub", "add", "-f", "d/a.log")
    cache = noted(root)
    assert afresh(root) == look(root, cache) == expected
    for within in ((), ("sub",)):
        for _ in range(2):
            found = search(str(root), Pattern("."), matcher(Scope(within=within)), False, cache, within)
            assert {match.path for match in found.matches} == {path for path in expected if not within or path.startswith("sub/")}


@needs_git
@pytest.mark.parametrize("around", [True, False], ids=["repository", "folder"])
@pytest.mark.parametrize("change", ["its exclude file", "its index", "no repository any more"])
def test_what_changes_in_a_repository_inside_is_seen_at_once(change: str, around: bool, tmp_path: Path, trusting: bool) -> None:
    root = repository(tmp_path / "ws") if around else tmp_path / "ws"
    sub = repository(root / "sub")
    fill(sub, {".git/info/exclude": "build/\n", "build/.gitignore": "*.{py}\n*.log\n", "build/x.py": "", "build/x.{py}": "", "build/a.log": ""})
    cache = noted(root)
    assert look(root, cache) == afresh(root) == set()
    if change == "its exclude file":
        fill(sub, {".git/info/exclude": ""})
    elif change == "its index":
        git(sub, "add", "-f", "build/a.log")
    else:
        shutil.rmtree(sub / ".git")
    assert look(root, cache) == afresh(root) == ({"sub/build/a.log"} if change == "its index" else {"sub/build/.gitignore", "sub/build/x.py"})


@needs_git
def test_a_linked_worktree_inside_stays_out(tmp_path: Path) -> None:
    root = fill(repository(tmp_path / "ws"), {"a.py": ""})
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    git(root, "worktree", "add", "-q", "wt")
    assert afresh(root) == look(root, noted(root)) == {"a.py"}


@needs_git
@needs_links
@pytest.mark.parametrize("place", ["", "lib", "lib/sub", "link"])
@pytest.mark.parametrize("rule", ["*.log", "*.{x}og\n*.lo[g]"], ids=["plain", "odd"])
def test_the_exclude_file_of_a_submodule_counts(rule: str, place: str, tmp_path: Path) -> None:
    """Ripgrep finds no exclude file of a submodule, whose repository lies elsewhere."""
    root = fill(repository(tmp_path / "ws"), {"lib/sub/a.log": "", "lib/sub/b.py": "", "lib/sub/kept.log": ""})
    (root / ".git/modules").mkdir()
    (repository(root / "lib/sub") / ".git").rename(root / ".git/modules/sub")
    (root / "lib/sub/.git").write_text("gitdir: ../../.git/modules/sub\n", "utf-8")
    git(root / "lib/sub", "add", "kept.log")
    (root / "link").symlink_to("lib")
    cache = noted(root / place)
    prefix = {"": "lib/sub/", "lib/sub": ""}.get(place, "sub/")
    assert look(root / place, cache) == {f"{prefix}{name}" for name in ("a.log", "b.py", "kept.log")}
    fill(root, {".git/modules/sub/info/exclude": f"# how\n{rule}\n"})
    assert look(root / place, cache) == afresh(root / place) == {f"{prefix}{name}" for name in ("b.py", "kept.log")}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_the_place_of_iqs_own_rules_is_not_waited_for(tmp_path: Path) -> None:
    root = fill(tmp_path / "ws", {"a.py": ""})
    os.mkfifo(root / ".iqignore")
    assert walk(str(root)).paths == ("a.py",)

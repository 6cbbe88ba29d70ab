"""The walk against git itself on random trees, against ripgrep's vectors, and on what git has no word for.

Trees stand side by side in one repository, since a process for each would cost minutes: an ignore file in a folder
means there what it would mean at a root. Every batch also has a few trees that are a repository of their own.

Half of the repositories also hold the forms on which ripgrep and git differ (measured, 15.2 and 2.39): a line that is only
`!`, POSIX classes, braces, negated classes between other letters, `**//` and `***`.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from iq.errors import StorageError
from iq.floor.paths import floored
from iq.index import gitignore
from iq.index.grep import Pattern, search
from iq.index.scope import matcher
from iq.index.walk import walk
from iq.types import Scope

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
needs_links = pytest.mark.skipif(not hasattr(os, "symlink") or sys.platform == "win32", reason="links need a right of their own here")

VECTORS = Path(__file__).parents[2] / "bench" / "datasets" / "ignore-vectors" / "ripgrep-gitignore.jsonl"

# 8 batches of 12 repositories with 20 trees, and 10 trees that are repositories.
BATCHES, FORESTS, TREES, ALONE = 8, 12, 20, 10

NAMES = ("a", "b", "foo", "bar", "foo.txt", "b.log", ".hid", "x y", "#h", "!n", "[a]")
PATTERNS = (
    "a", "b", "*.log", "*.txt", "/foo", "/a", "foo/", "/bar/", "**/bar", "**/b.log", "a/**", "a/**/b", "foo/**/b.log", "**/a/**", "!b.log", "!foo", "!a/",
    "!foo/b", "!*/", "!**/b", "[ab]", "[!a]", "[^a]", "[a-c]", "[]a]", "*.l[no]g", "?", "a?", "fo?", "\\#h", "\\!n", "\\[a\\]", "f\\oo", "# comment", "",
    "foo ", "b.log  ", "foo\\ ", "x y", "x\\ y", "\tfoo", "*", "/*", "**", "*/", "**/", ".*", "!.hid", "foo/*", "/b/*/a", "a/b", "/a/b", "foo**", "**foo",
    "?*", "?*.log", "f?*", "/foo*/?*", "a/?*/", "!?*x", "./a", "//a", "a//b", "/", "\\", "[a", "a]", "#h", "a\\", "foo\r",
)  # fmt: skip
ODD = (
    "!", "[[:alpha:]]", "[[:digit:]a]", "*.{log,txt}", "{a,b}", "{a}", "?[!b]foo", "a[!b]foo", "f[!a]o", "[!a]*", "**//", "**//a", "***/a", "a/***", "***",
    "a***b", "foo**/b", "f**/b", "[a/b]", "[[:nope:]]", "[[:alpha:]", "[a-", "[!]a]", "}", "[\\]]", "[a\\-c]", "[--a]", "[c-a]", "*/**/*.{log}", 
    "**/[[:lower:]]",
)  # fmt: skip


def git(root: Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@t", *words], capture_output=True, check=True).stdout


def repository(root: Path) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "--template=")
    (root / ".git" / "info").mkdir()
    return root


def fill(root: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def listed(root: Path) -> set[str]:
    """What git lists, without links and what the floor holds back."""
    names = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split(b"\0")
    paths = {os.fsdecode(name) for name in names if name}
    return {path for path in paths if not floored(path) and not os.path.islink(root / path)}


def pattern(rng: random.Random, odd: bool) -> str:
    """A line of an ignore file: mostly one that people write, else letters at random."""
    if odd and rng.random() < 0.3:
        return rng.choice(ODD)
    if rng.random() < 0.8:
        return rng.choice(PATTERNS)
    letters = ("a", "b", "foo", "/", "*", "**/", "/**", "?", "[ab]", ".log", ".txt", "!", " ")
    made = "".join(rng.choices(letters + (("[!b]", "[[:alpha:]]", "{a,b}", "\\", "***", "//") if odd else ()), k=rng.randint(1, 4)))
    return made if odd or not (made.strip() == "!" or "//" in made or "***" in made) else "a"


def grow(rng: random.Random, folder: Path, odd: bool = False, depth: int = 0) -> None:
    folder.mkdir(exist_ok=True)
    for name in rng.sample(NAMES, rng.randint(1, 4)):
        if depth < 2 and "." not in name and rng.random() < 0.6:
            grow(rng, folder / name, odd, depth + 1)
        elif name == "foo.txt" and rng.random() < 0.1 and sys.platform != "win32":
            (folder / name).symlink_to(".")
        else:
            (folder / name).write_text("x")
    if rng.random() < (0.3 if depth else 0.9):
        (folder / ".gitignore").write_text("\n".join(pattern(rng, odd) for _ in range(rng.randint(1, 5))) + "\n", newline="")


def differ(root: Path) -> str:
    """How the walk and git differ on a repository, with the ignore files that took part."""
    found, expected = set(walk(str(root)).paths), listed(root)
    if found == expected:
        return ""
    odd = sorted(found ^ expected)
    near = {folder / ".gitignore" for path in odd for folder in (root / path).parents if folder.is_relative_to(root)}
    rules = "\n".join(f"{file.relative_to(root)}: {file.read_text()!r}" for file in sorted(near) if file.is_file())
    return f"only iq: {sorted(found - expected)}\nonly git: {sorted(expected - found)}\n{rules}"


def finish(rng: random.Random, root: Path, forced: int) -> None:
    """Adds an exclude file to some repositories, and tracks some of their files whatever the patterns say."""
    if rng.random() < 0.5:
        (root / ".git" / "info" / "exclude").write_text(rng.choice(("b.log", "/foo", "*.txt", "bar/", "**/a/b", "!a", "[ab].log", "# no")) + "\n")
    files = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and ".git" not in path.relative_to(root).parts)
    if files:
        git(root, "--literal-pathspecs", "add", "-f", "--", *rng.sample(files, min(forced, len(files))))


@needs_git
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_trees(batch: int, tmp_path: Path) -> None:
    template = repository(tmp_path / "template")
    for number in range(FORESTS + ALONE):
        rng = random.Random(batch * 1000 + number)
        root = tmp_path / f"tree{number}"
        shutil.copytree(template, root)
        if number < FORESTS:
            for at in range(TREES):
                grow(rng, root / f"t{at:02}", odd=number % 2 == 1)
            finish(rng, root, TREES // 3)
        else:
            grow(rng, root, odd=number % 2 == 1)
            finish(rng, root, rng.randint(0, 1))
        assert not (why := differ(root)), f"batch {batch}, repository {number}\n{why}"
        shutil.rmtree(root)


ROWS = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_vectors(row: dict[str, str], tmp_path: Path) -> None:
    """A row says what one ignore file makes of one path; a folder is judged by the file in it."""
    path = os.path.normpath(row["path"])
    if row["name"] in ("ig28", "ignot14"):  # their paths repeat the root
        path = os.path.relpath(path, os.path.normpath(row["root"])) if row["name"] == "ig28" else path
    inside = path + "/inside" if row["is_dir"] else path
    fill(tmp_path, {".gitignore": row["gitignore"], inside: "x"})
    if row["name"] in ("ignot13", "ignot16"):
        # `foo/**` takes the content, not the folder; `!**/` lets the folder in again, not the file that `*` takes.
        assert inside not in walk(str(tmp_path)).paths
        (tmp_path / ".gitignore").write_text(row["gitignore"] + "\n!inside\n")
    assert (inside not in walk(str(tmp_path)).paths) == row["ignored"]


def test_empty_workspace(tmp_path: Path) -> None:
    tree = walk(str(tmp_path))
    assert (tree.paths, tree.floored, tree.links, tree.unreadable) == ((), 0, 0, ())


def test_root_that_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is not a folder"):
        walk(str(tmp_path / "absent"))


def test_paths_are_sorted_and_hidden_files_are_in(tmp_path: Path) -> None:
    fill(tmp_path, {"b": "", "a/z": "", "a.txt": "", ".hid": "", ".github/x.yml": ""})
    assert walk(str(tmp_path)).paths == (".github/x.yml", ".hid", "a.txt", "a/z", "b")


def test_root_with_a_slash_at_its_end(tmp_path: Path) -> None:
    fill(tmp_path, {"a/b": ""})
    assert walk(f"{tmp_path}/").paths == ("a/b",)


def test_floor_holds_back_and_counts(tmp_path: Path) -> None:
    fill(tmp_path, {"a": "", ".env": "", "keys/id_rsa": "", ".git/config": "", "sub/.git/config": "", ".iq/config.toml": "", ".iq/local/x": ""})
    tree = walk(str(tmp_path))
    assert (tree.paths, tree.floored) == ((".iq/config.toml", "a"), 2)
    assert walk(str(tmp_path), ignored=True).paths == (".iq/config.toml", "a")


def test_ignored_files_on_demand(tmp_path: Path) -> None:
    fill(tmp_path, {".gitignore": "*.log\n", ".iqignore": "big/\n", "a.log": "", "big/b": "", "c": ""})
    assert walk(str(tmp_path)).paths == (".gitignore", ".iqignore", "c")
    assert walk(str(tmp_path), ignored=True).paths == (".gitignore", ".iqignore", "a.log", "big/b", "c")


def test_iqignore_takes_out_and_lets_in_again(tmp_path: Path) -> None:
    fill(tmp_path, {".iqignore": "# data\n\n*.csv\ndata/\n/top.txt\n!keep.csv\n", "a.csv": "", "keep.csv": "", "x/data/d": "", "top.txt": "", "x/top.txt": ""})
    assert walk(str(tmp_path)).paths == (".iqignore", "keep.csv", "x/top.txt")


def test_rules_of_ripgrep_alone_are_not_read(tmp_path: Path) -> None:
    fill(tmp_path, {".ignore": "a\n", ".rgignore": "b\n", "a": "", "b": ""})
    assert walk(str(tmp_path)).paths == (".ignore", ".rgignore", "a", "b")


def test_rules_above_the_root_do_not_count_outside_of_a_repository(tmp_path: Path) -> None:
    fill(tmp_path, {".gitignore": "*\n", "ws/a": ""})
    assert walk(str(tmp_path / "ws")).paths == ("a",)


@needs_git
def test_root_inside_a_repository_keeps_the_rules_above(tmp_path: Path) -> None:
    fill(repository(tmp_path), {".gitignore": "*.log\n/ws/gone\n", "ws/a": "", "ws/a.log": "", "ws/gone": "", "ws/kept.log": ""})
    git(tmp_path, "add", "-f", "ws/kept.log")
    assert walk(str(tmp_path / "ws")).paths == ("a", "kept.log")


@needs_git
def test_tracked_files_are_in_though_a_pattern_matches(tmp_path: Path) -> None:
    fill(repository(tmp_path), {".gitignore": "build/\n", "build/kept": "", "build/out": "", "build/deleted": "", "build/.env": ""})
    git(tmp_path, "add", "-f", "build/kept", "build/deleted", "build/.env")
    (tmp_path / "build" / "deleted").unlink()
    assert walk(str(tmp_path)).paths == (".gitignore", "build/kept")


@needs_git
def test_tracked_files_are_remembered_until_the_index_changes(tmp_path: Path) -> None:
    root, cache = fill(repository(tmp_path / "ws"), {".gitignore": "*.log\n", "a.log": "", "b.log": ""}), str(tmp_path / "cache")
    git(root, "add", "-f", "a.log")
    for _ in range(2):
        assert walk(str(root), cache=cache).paths == (".gitignore", "a.log")
    git(root, "add", "-f", "b.log")
    assert walk(str(root), cache=cache).paths == (".gitignore", "a.log", "b.log")


@needs_git
def test_exclude_file_of_the_repository(tmp_path: Path) -> None:
    fill(repository(tmp_path), {".git/info/exclude": "*.log\n/a\n", "a": "", "x/a": "", "b.log": "", ".gitignore": "!kept.log\n", "kept.log": ""})
    assert walk(str(tmp_path)).paths == (".gitignore", "kept.log", "x/a")


@needs_git
def test_linked_worktrees_are_out(tmp_path: Path) -> None:
    root = fill(repository(tmp_path / "ws"), {"a": "x", "trees-of-ours": "x"})
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    git(root, "worktree", "add", "-q", "trees/one")
    git(root, "worktree", "add", "-q", "../outside")
    assert walk(str(root)).paths == ("a", "trees-of-ours")
    assert walk(str(root), ignored=True).paths == ("a", "trees-of-ours")
    # A worktree that is itself the workspace is whole.
    assert walk(str(root / "trees" / "one")).paths == ("a", "trees-of-ours")
    assert walk(str(tmp_path / "outside")).paths == ("a", "trees-of-ours")


@needs_git
def test_exclude_file_in_a_linked_worktree(tmp_path: Path) -> None:
    root = fill(repository(tmp_path / "ws"), {".git/info/exclude": "*.log\n", "a": "x"})
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    git(root, "worktree", "add", "-q", "../other")
    fill(tmp_path / "other", {"b.log": "", "b": ""})
    assert walk(str(tmp_path / "other")).paths == ("a", "b")


@needs_git
def test_nested_repositories_are_in(tmp_path: Path) -> None:
    fill(repository(tmp_path), {"a": ""})
    fill(repository(tmp_path / "libs" / "one"), {"b": "", "c.log": "", ".gitignore": "*.log\n"})
    assert walk(str(tmp_path)).paths == ("a", "libs/one/.gitignore", "libs/one/b")


@needs_git
def test_submodule_is_in(tmp_path: Path) -> None:
    other = fill(repository(tmp_path / "other"), {"b": "x"})
    git(other, "add", ".")
    git(other, "commit", "-qm", "one")
    root = fill(repository(tmp_path / "ws"), {"a": "x"})
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    assert (root / "sub" / ".git").is_file()
    assert walk(str(root)).paths == (".gitmodules", "a", "sub/b")
    assert walk(str(root / "sub")).paths == ("b",)


@needs_git
@needs_links
def test_links_are_not_followed_and_tracked_ones_counted(tmp_path: Path) -> None:
    root = fill(repository(tmp_path / "ws"), {"real/a": ""})
    fill(tmp_path / "outside", {"secret-plan": ""})
    (root / "folder").symlink_to("real", target_is_directory=True)
    (root / "away").symlink_to(tmp_path / "outside", target_is_directory=True)
    (root / "file").symlink_to("real/a")
    (root / "broken").symlink_to("absent")
    git(root, "add", "folder", "file")
    tree = walk(str(root))
    assert (tree.paths, tree.links) == (("real/a",), 2)


@needs_links
def test_links_in_a_loop(tmp_path: Path) -> None:
    fill(tmp_path, {"a/b/c": ""})
    (tmp_path / "a" / "b" / "up").symlink_to("..", target_is_directory=True)
    (tmp_path / "self").symlink_to("self")
    assert walk(str(tmp_path)).paths == ("a/b/c",)


@pytest.mark.skipif(sys.platform != "linux", reason="the file system takes UTF-8 names only")
def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    for name in (b"caf\xe9.py", b"new\nline", "größe".encode()):
        (tmp_path / os.fsdecode(name)).write_text("x")
    (tmp_path / os.fsdecode(b"d\xff")).mkdir()
    (tmp_path / os.fsdecode(b"d\xff") / "a").write_text("x")
    paths = walk(str(tmp_path)).paths
    assert {os.fsencode(path) for path in paths} == {b"caf\xe9.py", b"new\nline", "größe".encode(), b"d\xff/a"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads every folder")
def test_unreadable_folder_is_named(tmp_path: Path) -> None:
    fill(tmp_path, {"a": "", "shut/b": ""})
    (tmp_path / "shut").chmod(0)
    try:
        tree = walk(str(tmp_path))
    finally:
        (tmp_path / "shut").chmod(0o700)
    assert tree.paths == ("a",)
    assert [path.rpartition("/")[2] for path in tree.unreadable] == ["shut"]


@needs_git
@pytest.mark.filterwarnings("error")
def test_damaged_index_adds_nothing(tmp_path: Path) -> None:
    fill(repository(tmp_path), {".gitignore": "a\n", "a": "", "b": "", ".git/index": "not an index"})
    assert walk(str(tmp_path)).paths == (".gitignore", "b")


@needs_git
def test_a_pattern_added_over_a_tracked_file_does_not_hide_it(tmp_path: Path) -> None:
    """git's index was unchanged, so a remembered answer hid a tracked file under a rule that was written later."""
    root, cache = fill(repository(tmp_path / "ws"), {"build/kept": "x", "a": "x"}), str(tmp_path / "cache")
    git(root, "add", ".")
    assert walk(str(root), cache=cache).paths == ("a", "build/kept")
    fill(root, {".gitignore": "build/\n", "build/new": "x"})
    for _ in range(2):
        assert walk(str(root), cache=cache).paths == (".gitignore", "a", "build/kept")


def test_odd_rules_come_and_go(tmp_path: Path) -> None:
    """Also in a folder whose ignore file takes itself out, and with what was remembered of the look before."""
    root, cache = fill(tmp_path / "ws", {"sub/.gitignore": "*\n!{a}.txt\n", "sub/a.txt": "", "sub/{a}.txt": ""}), str(tmp_path / "cache")
    for _ in range(2):
        assert walk(str(root), cache=cache).paths == ("sub/{a}.txt",)
    fill(root, {"sub/.gitignore": "*\n!a.txt\n"})
    for _ in range(2):
        assert walk(str(root), cache=cache).paths == ("sub/a.txt",)


@needs_git
@needs_links
def test_a_linked_ignore_file_does_not_count(tmp_path: Path) -> None:
    root, cache = fill(repository(tmp_path / "ws"), {"rules": "*.log\n", "a.log": ""}), str(tmp_path / "cache")
    (root / ".gitignore").symlink_to("rules")
    for _ in range(2):
        assert walk(str(root), cache=cache).paths == ("a.log", "rules") == tuple(sorted(listed(root)))


@needs_git
def test_exclude_files_of_each_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The repository's own names one that ripgrep does not look for."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    root = fill(repository(tmp_path / "ws"), {"a.log": "", "a.tmp": "", "b": ""})
    fill(tmp_path, {".config/git/ignore": "*.log\n", "mine": "*.tmp\n"})
    assert walk(str(root)).paths == ("a.tmp", "b")
    git(root, "config", "core.excludesFile", "~/mine")
    assert walk(str(root)).paths == ("a.log", "b") == tuple(sorted(listed(root)))
    (tmp_path / "mine").write_text("*.{tmp,log}\n!\n")
    assert walk(str(root)).paths == ("a.log", "a.tmp", "b") == tuple(sorted(listed(root)))


@pytest.mark.parametrize("odd", ["", "\n{x}\n!\n"], ids=["plain", "odd"])
@pytest.mark.parametrize("inside", [True, False], ids=["repository", "folder"])
def test_search_sees_what_the_walk_sees(odd: str, inside: bool, tmp_path: Path) -> None:
    if inside:
        pytest.importorskip("pygit2").init_repository(str(tmp_path))
    fill(tmp_path, {".gitignore": "*.log\nout/\n" + odd, "a": "needle", "a.log": "needle", "lib/b": "needle", "lib/b.log": "needle", "out/c": "needle"})
    cache = str(tmp_path / ".git-cache")
    for within, expected in (((), ["a", "lib/b"]), (("lib",), ["lib/b"]), (("a", "lib/b"), ["a", "lib/b"]), (("out",), ["out/c"]), (("a.log",), ["a.log"])):
        for _ in range(2):
            found = search(str(tmp_path), Pattern("needle"), matcher(Scope(within=within)), False, cache, within)
            assert [match.path for match in found.matches] == expected


@pytest.mark.skipif(sys.platform == "win32", reason="names cannot hold a line feed here")
@pytest.mark.parametrize("odd", ["", "{x}\n"], ids=["plain", "odd"])
def test_names_with_line_feeds_are_whole_in_a_search(odd: str, tmp_path: Path) -> None:
    """ripgrep's output was cut at line feeds, names included: a match in `a\\nb` was said to be in `b`."""
    names = ["a\nb.py", "\nx", "plain", "two\n\nfeeds/c\n"]
    fill(tmp_path, {".gitignore": odd, **dict.fromkeys(names, "needle 1\nno\nneedle 2\n")})
    found = search(str(tmp_path), Pattern("needle"), matcher(Scope()), False, None)
    assert [(match.path, match.line) for match in found.matches] == [(name, line) for name in sorted(names) for line in (1, 3)]


def test_many_paths_are_searched_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iq.index.ignores.COMMAND_BYTES", 200)
    fill(tmp_path, {".gitignore": "{x}\n", **{f"f{n:03}": "needle" for n in range(40)}})
    assert len(search(str(tmp_path), Pattern("needle"), matcher(Scope()), False, None).matches) == 40


def test_tables_of_rules_give_the_first_rule_that_fits() -> None:
    """Plain lines and globs, for files and folders, mixed: each path gets what trying one line after the other gives."""
    rng = random.Random(5)
    for _ in range(300):
        rows = gitignore.parse("\n".join(pattern(rng, True) for _ in range(rng.randint(0, 9))).encode())
        rules = gitignore.Rules(rows)
        for _ in range(30):
            path = "/".join(rng.choices(NAMES, k=rng.randint(1, 3))).encode()
            name, folder = path.rpartition(b"/")[2], rng.random() < 0.5
            fits = (rule for rule in rows if (folder or not rule.folders) and re.fullmatch(rule.test, path if rule.whole else name, re.DOTALL))
            assert rules.first(path, name, folder) is next(fits, None), (rows, path)


@needs_git
@pytest.mark.parametrize("rules", [b"*.log\n# Gr\xf6\xdfe\n!b.log\n", b"*.log\n!b.log\0x\n", b"*.log\n\xf6\n!b.log\n", b"*.log\n!b.log \0\r\n"])
def test_bytes_that_ripgrep_stops_at(rules: bytes, tmp_path: Path) -> None:
    repository(fill(tmp_path, {"a.log": "", "b.log": ""}))
    (tmp_path / ".gitignore").write_bytes(rules)
    assert differ(tmp_path) == ""
    assert "b.log" in walk(str(tmp_path)).paths


@needs_git
@needs_links
def test_a_tracked_link_to_an_ignore_file_in_a_folder_does_not_count(tmp_path: Path) -> None:
    root = fill(repository(tmp_path / "ws"), {"sub/a.txt": "", "b.txt": ""})
    (tmp_path / "rules").write_text("*.txt\n")
    (root / "sub/.gitignore").symlink_to(tmp_path / "rules")
    git(root, "add", "sub/.gitignore")
    assert "sub/a.txt" in walk(str(root)).paths


@needs_git
def test_what_is_remembered_of_tracked_files_counts_only_where_it_is_whole(tmp_path: Path) -> None:
    root = fill(repository(tmp_path / "ws"), {".gitignore": "*.log\n", **{f"d/{at}.log": "" for at in range(30)}})
    git(root, "add", "-f", ".")
    cache = tmp_path / "tracked"
    paths = walk(str(root), cache=str(cache)).paths
    assert len(paths) == 31
    whole = cache.read_bytes()
    for size in range(len(whole)):
        if size % 7 == 0 or size > len(whole) - 20:
            cache.write_bytes(whole[:size])
            assert walk(str(root), cache=str(cache)).paths == paths, size
    assert cache.read_bytes() == whole and sorted(tmp_path.iterdir()) == [cache, root]


@needs_git
def test_the_configuration_that_linked_worktrees_share_names_their_exclude_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    main = fill(repository(tmp_path / "main"), {"a.py": ""})
    git(main, "add", ".")
    git(main, "commit", "-qm", "one")
    git(main, "worktree", "add", "-q", str(tmp_path / "wt"))
    fill(tmp_path / "wt", {"u.log": "", "v.txt": ""})
    (tmp_path / ".gitconfig").write_text("[core]\n excludesfile = ~/.mine\n")
    (tmp_path / ".mine").write_text("*.log\n")
    (tmp_path / ".theirs").write_text("*.txt\n")
    git(main, "config", "core.excludesfile", str(tmp_path / ".theirs"))
    assert walk(str(tmp_path / "wt")).paths == ("a.py", "u.log")

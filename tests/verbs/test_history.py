"""recent, log, who, hotspots: calls as a person types them, over a repository whose every commit is known."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from iq.engine import Engine
from iq.features import DEFAULTS
from iq.render import capsule, jsonl
from iq.render.budget import tokens
from iq.types import Answer, Output, Request, Scope
from iq.verbs import VERBS, recent
from tests.repositories import BOB, NOW, Built

CORE = '''"""Words and their parts."""


def split_words(text):
    """Cuts a text at spaces."""
    return text.split(" ")


class Reader:
    def read_all(self, path):
        with open(path) as file:
            return file.read()


def unrelated():
    return 1
'''


def ask(root: Path, verb: str, words: str = "", scope: Scope = Scope(), output: Output = Output(full=True), **options: object) -> Answer:
    own = {name.partition("=")[0].lstrip("-"): None for name, _ in VERBS[verb].options} | options
    return Engine.open(root, cwd=str(root), now=NOW).answer(Request(verb, (words,) if words else (), own, scope, output, DEFAULTS))


def told(answer: Answer) -> list[str]:
    """Each item as `anchor | commit | first line | why`."""
    return [f"{item.anchor} | {item.commit.subject if item.commit else ''} | {item.lines[0].text if item.lines else ''} | {item.why}" for item in answer.items]


@pytest.fixture
def repo(tmp_path: Path) -> Built:
    built = Built(tmp_path / "repo")
    built.commit("first words", {"core.py": CORE, "README.md": "# Words\n", "other.py": "def helper():\n    return 2\n"}, days=100)
    built.commit("limit", {"core.py": CORE.replace('split(" ")', 'split(" ", LIMIT)')}, author=BOB, days=60)
    built.commit("move to lib", {"core.py": None, "lib/core.py": built.files[b"core.py"]}, days=40)
    built.commit("rename split", {"lib/core.py": built.files[b"lib/core.py"].replace(b"def split_words", b"def cut_words")}, author=BOB, days=20)
    moved = built.files[b"lib/core.py"].replace(b"def unrelated():\n    return 1\n", b"")
    built.commit("reader gets a limit", {"lib/core.py": moved.replace(b"file.read()", b"file.read(LIMIT)")}, days=6)
    built.commit("docs", {"README.md": "# Words\n\nHow words are cut.\n"}, author=BOB, days=1)
    built.checkout()
    return built


# --- recent


def test_recent_lists_commits_at_lines_of_today(repo: Built) -> None:
    text = (repo.root / "lib/core.py").read_text()
    (repo.root / "lib/core.py").write_text("# a line more\n" + text)
    repo.git.index.add("lib/core.py")
    repo.git.index.write()
    answer = ask(repo.root, "recent", since="7d")
    assert told(answer)[0] == "lib/core.py:1 |  | + # a line more | staged, +1 −0"
    rows = {item.anchor: item for item in answer.items}
    # Committed as line 12, one further down today.
    assert "+ " + (repo.root / "lib/core.py").read_text().splitlines()[12] == rows["lib/core.py:13"].lines[0].text
    assert rows["lib/core.py:13"].label == "Reader.read_all (method)"
    assert "reader gets a limit" in rows["lib/core.py:13"].why and "6d ago, Ada Lovelace" in rows["lib/core.py:13"].why
    assert "README.md:3" in rows and answer.notes[0] == "uncommitted: 1 hunk"
    assert not [item for item in answer.items if item.commit and item.commit.subject == "rename split"]


def test_recent_tells_staged_unstaged_and_untracked_in_this_order(repo: Built) -> None:
    (repo.root / "other.py").write_text("def helper():\n    return 3\n")
    (repo.root / "new.py").write_text("def brand_new(): ...\n")
    (repo.root / "README.md").write_text("# Words\n\nStaged.\n")
    repo.git.index.add("README.md")
    repo.git.index.write()
    (repo.root / "README.md").write_text("\n# Words\n\nStaged.\n")
    (repo.root / ".env").write_text("SECRET=swordfish\n")
    rows = told(ask(repo.root, "recent", since="1h"))
    assert rows == [
        "README.md:4 |  | + Staged. | staged, +1 −1",
        "README.md:1 |  | +  | unstaged, +1 −0",
        "other.py:2 |  | +     return 3 | unstaged, +1 −1",
        "new.py:1 |  | + def brand_new(): ... | untracked, 1 lines",
    ]


def test_recent_follows_a_rename_that_is_not_committed(repo: Built) -> None:
    (repo.root / "lib" / "core.py").rename(repo.root / "lib" / "words.py")
    rows = told(ask(repo.root, "recent", since="7d"))
    assert rows[0] == "lib/words.py:1 |  |  | unstaged, renamed from lib/core.py"
    assert [row for row in rows if row.startswith("lib/words.py:12 | reader gets a limit")]


def test_recent_with_a_pattern_shows_the_hunks_that_match(repo: Built) -> None:
    answer = ask(repo.root, "recent", "limit", since="1y")
    assert [row.split(" | ")[:3] for row in told(answer)] == [
        ["lib/core.py:12", "reader gets a limit", "+             return file.read(LIMIT)"],
        ["lib/core.py:6", "limit", '+     return text.split(" ", LIMIT)'],
    ]
    assert ask(repo.root, "recent", "LIMit", since="1y").total == 0  # a capital means case
    assert ask(repo.root, "recent", "read(", since="1y").total > 0  # no regular expression: taken as text


def test_recent_by_author(repo: Built) -> None:
    (repo.root / "new.py").write_text("x\n")
    subjects = {item.commit.subject for item in ask(repo.root, "recent", since="1y", author="bob").items if item.commit}
    assert subjects == {"docs", "rename split", "limit"}
    answer = ask(repo.root, "recent", since="1y", author="nobody")
    assert answer.total == 0 and "there are: Bob Stone, Ada Lovelace" in answer.notes[-1]


def test_recent_tells_files_that_are_gone(repo: Built) -> None:
    repo.commit("drop", {"other.py": None}, days=0.5)
    (repo.root / "other.py").unlink()
    repo.checkout()
    (row,) = [row for row in told(ask(repo.root, "recent", since="20h")) if "other.py" in row]
    assert row.startswith("other.py | drop |") and "the file is gone" in row


def test_recent_without_a_window_goes_back_to_the_last_commits(tmp_path: Path) -> None:
    built = Built(tmp_path / "old")
    built.commit("ancient", {"a.py": "x = 1\n"}, days=900)
    built.checkout()
    answer = ask(built.root, "recent")
    assert [item.commit.subject for item in answer.items if item.commit] == ["ancient"]
    assert "nothing was committed in 14d" in answer.notes[0]
    assert ask(built.root, "recent", since="14d").total == 0


def test_recent_takes_apart_no_more_of_a_wide_window_than_it_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed, page by page, are the lines that the whole window gives in the same order; the count is that of changed files."""
    built = Built(tmp_path / "wide")
    lines = [f"line {n}\n" for n in range(60)]
    for at in range(40):
        lines[at] = f"changed {at}\n"
        lines[59 - at % 7] = f"again {at}\n"
        built.commit(f"c{at}", {"a.txt": "".join(lines), f"b{at % 5}.txt": f"{at}\n" * 3}, days=60 - at)
    built.commit("renamed", {"a.txt": None, "z.txt": "".join(lines)}, days=2)
    built.checkout()
    (built.root / "z.txt").write_text("first\n" + "".join(lines))
    whole = [item for item in ask(built.root, "recent", since="1y").items if item.lines]
    monkeypatch.setattr(recent, "WIDE", 10)
    full = ask(built.root, "recent", since="1y")
    assert (full.total, full.unit) == (82, "changes") and full.notes[0] == "uncommitted: 1 hunk"
    assert [(item.anchor, item.lines) for item in full.items if item.lines] == [(item.anchor, item.lines) for item in whole]
    taken: list[str] = []
    real = recent.versions
    monkeypatch.setattr(recent, "versions", lambda *of: (taken.append(of[1]), real(*of))[1])
    seen: list[str] = []
    cursor = None
    while True:
        output = Output(budget=300, after=cursor)
        answer = ask(built.root, "recent", output=output, since="1y")
        capsule_ = capsule.render(answer, output)
        page = answer.items[: capsule_.shown]
        assert all(item.lines or "renamed" in item.why for item in page)
        seen += [item.anchor for item in page if item.lines]
        if cursor is None:
            assert len(taken) < 40 and answer.total == 82 and re.search(r"— 82 changes in 6 files", capsule_.text)
        if capsule_.shown == len(answer.items):
            break
        cursor = page[-1].anchor
    assert seen == [item.anchor for item in whole]
    taken.clear()
    assert ask(built.root, "recent", output=Output(count=True), since="1y").total == 82 and not taken
    paths = {item.path for item in ask(built.root, "recent", output=Output(files_only=True), since="1y").items}
    assert paths == {"z.txt", *(f"b{n}.txt" for n in range(5))} and not taken


# --- log


def test_log_finds_commits_that_add_or_remove_a_text(repo: Built) -> None:
    answer = ask(repo.root, "log", "LIMIT")
    assert [(item.commit.subject if item.commit else "", [line.text for line in item.lines]) for item in answer.items] == [
        ("reader gets a limit", ["+             return file.read(LIMIT)"]),
        ("limit", ['+     return text.split(" ", LIMIT)']),
    ]
    assert answer.items[0].anchor == f"lib/core.py@{repo.git.revparse_single('HEAD~1').id!s:.10}"


@pytest.mark.parametrize("engine", ["git", ""])
def test_log_says_the_same_with_and_without_git(repo: Built, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    if engine and not shutil.which("git"):
        pytest.skip("no git binary")
    monkeypatch.setenv("IQ_GIT_PATH", engine)
    for words in ("return", "LIMIT", "def unrelated", "text.split", "# ", '"', "é"):
        found = {(row.commit.subject, row.path) for row in ask(repo.root, "log", words, text=True).items if row.commit}
        assert found == EXPECTED[words], words


EXPECTED = {
    "return": {("first words", "core.py"), ("first words", "other.py"), ("reader gets a limit", "lib/core.py")},
    "LIMIT": {("limit", "core.py"), ("reader gets a limit", "lib/core.py")},
    "def unrelated": {("first words", "core.py"), ("reader gets a limit", "lib/core.py")},
    "text.split": {("first words", "core.py")},
    "# ": {("first words", "README.md")},
    '"': {("first words", "core.py")},
    "é": set(),
}  # fmt: skip


def test_log_with_regex_path_and_since(repo: Built) -> None:
    assert {item.commit.subject for item in ask(repo.root, "log", r"def (cut|split)_words", regex=True).items if item.commit} == {"first words"}
    assert {item.commit.subject for item in ask(repo.root, "log", r"split_word", regex=True).items if item.commit} == {"first words", "rename split"}
    assert {item.path for item in ask(repo.root, "log", "return", path="lib").items} == {"lib/core.py"}
    assert {item.path for item in ask(repo.root, "log", "return", path="core.py").items} == {"core.py"}
    assert ask(repo.root, "log", "LIMIT", since="7d").total == 1
    with pytest.raises(Exception, match="no regular expression"):
        ask(repo.root, "log", "a(", regex=True)


def test_log_of_a_definition_goes_through_edits_moves_and_renames(repo: Built) -> None:
    answer = ask(repo.root, "log", "lib/core.py::cut_words")
    assert [(item.commit.subject if item.commit else "", item.lines[0].text.partition(": ")[2]) for item in answer.items] == [
        ("rename split", "renamed from split_words +1 −1"),
        ("move to lib", "its file was renamed from core.py"),
        ("limit", "changed +1 −1"),
        ("first words", "added +3 −0"),
    ]
    subjects = [item.commit.subject for item in ask(repo.root, "log", "Reader.read_all").items if item.commit]
    assert subjects == ["reader gets a limit", "move to lib", "first words"]


def test_log_of_a_definition_that_moved_from_another_file(repo: Built) -> None:
    body = "def helper():\n    return 2\n"
    repo.commit("gather", {"other.py": "X = 1\n", "README.md": "# W\n", "lib/more.py": "Y = 1\n\n\n" + body}, days=0.5)
    repo.commit("edit", {"lib/more.py": "Y = 1\n\n\n" + body.replace("2", "3")}, days=0.4)
    repo.checkout()
    answer = ask(repo.root, "log", "lib/more.py::helper")
    assert [(item.commit.subject if item.commit else "", item.lines[0].text.partition(": ")[2]) for item in answer.items] == [
        ("edit", "changed +1 −1"),
        ("gather", "moved from other.py"),
        ("first words", "added +2 −0"),
    ]


def test_log_of_a_file_follows_its_renames(repo: Built) -> None:
    answer = ask(repo.root, "log", "lib/core.py")
    assert [item.commit.subject for item in answer.items if item.commit] == ["reader gets a limit", "rename split", "move to lib", "limit", "first words"]
    assert "renamed from core.py" in answer.items[2].why and answer.unit == "commits"
    gone = ask(repo.root, "log", "core.py")
    assert [item.commit.subject for item in gone.items if item.commit] == ["limit", "first words"] and "not there any more" in gone.notes[-1]


def test_log_text_takes_a_path_as_words(repo: Built) -> None:
    assert ask(repo.root, "log", "README.md", text=True).kind == "text"
    assert ask(repo.root, "log", "README.md").kind == "file"


# --- who


def test_who_tells_the_commit_of_a_line(repo: Built) -> None:
    answer = ask(repo.root, "who", "lib/core.py:4-6")
    assert [(item.anchor, item.commit.subject if item.commit else "") for item in answer.items] == [
        ("lib/core.py:4", "rename split"),
        ("lib/core.py:5", "first words"),
        ("lib/core.py:6", "limit"),
    ]
    assert "then core.py:5" in answer.items[1].why


def test_who_says_what_is_not_committed(repo: Built) -> None:
    text = (repo.root / "other.py").read_text()
    (repo.root / "other.py").write_text("# new\n" + text)
    rows = told(ask(repo.root, "who", "other.py:1-2"))
    assert rows[0].endswith("| not committed yet") and "first words" in rows[1]
    (repo.root / "fresh.py").write_text("x = 1\n")
    assert told(ask(repo.root, "who", "fresh.py:1"))[0].endswith("not committed yet")


def test_who_passes_over_white_space_moves_and_listed_commits(tmp_path: Path) -> None:
    built = Built(tmp_path / "repo")
    block = "def first_function(value):\n    return value + one_constant\n"
    other = "def second_function(value):\n    return value + two_constant\n"
    built.commit("write", {"a.py": block + other}, days=9)
    built.commit("indent", {"a.py": (block + other).replace("    ", "  ")}, author=BOB, days=8)
    swapped = (other + block).replace("    ", "  ")
    built.commit("swap", {"a.py": swapped}, author=BOB, days=7)
    quoted = swapped.replace("one_constant", "ONE_CONSTANT")
    formatted = built.commit("format", {"a.py": quoted}, author=BOB, days=6)
    built.checkout()
    answer = ask(built.root, "who", "a.py:4")
    assert [item.commit.subject for item in answer.items if item.commit] == ["format"]
    (built.root / ".git-blame-ignore-revs").write_text(f"# formatters\n{formatted}\nnonsense\n")
    answer = ask(built.root, "who", "a.py:3-4")
    assert {item.commit.subject for item in answer.items if item.commit} == {"write"}
    assert "(listed to be ignored)" in answer.items[-1].why and "(moved)" in answer.items[-1].why and "(white space)" in answer.items[-1].why
    assert ".git-blame-ignore-revs passes over 1 commits" in answer.notes


def test_who_passes_over_a_move_between_files(tmp_path: Path) -> None:
    built = Built(tmp_path / "repo")
    block = "def a_function_of_some_length(value):\n    return value + one_constant\n"
    built.commit("write", {"a.py": "import os\n" + block, "b.py": "import sys\n"}, days=9)
    built.commit("move", {"a.py": "import os\n", "b.py": "import sys\n" + block}, author=BOB, days=8)
    built.checkout()
    (item,) = ask(built.root, "who", "b.py:2-3").items
    assert item.commit is not None and item.commit.subject == "write"
    assert "then a.py:2" in item.why and "(moved from a.py)" in item.why


def test_who_of_a_file_names_owners_and_the_bus_factor(repo: Built) -> None:
    answer = ask(repo.root, "who", "lib/core.py")
    assert [(item.label, item.why) for item in answer.items] == [
        ("Ada Lovelace <ada@example.org>", "6 surviving lines (75 %) · 3 commits, last 6d ago"),
        ("Bob Stone <bob@example.org>", "2 surviving lines (25 %) · 2 commits, last 2w ago"),
    ]
    assert answer.notes[0].startswith("bus factor 1: Ada Lovelace holds ")
    assert answer.notes[1] == "last: Ada Lovelace 6d ago, Bob Stone 2w ago"


def test_an_address_is_one_owner_whatever_name_the_commits_give(tmp_path: Path) -> None:
    """pgjones and Phil Jones, of one address, stood as two owners with one cursor."""
    built = Built(tmp_path / "named")
    built.commit("write", {"a.py": "x = 1\ny = 2\nz = 3\n"}, author=("Bob Stone", "bob@example.org"), days=9)
    built.commit("more", {"a.py": "x = 1\ny = 2\nz = 3\nw = 4\n"}, author=("bobs", "Bob@example.org"), days=8)
    built.checkout()
    for question in ("a.py", "."):
        (item,) = ask(built.root, "who", question).items
        assert item.label == "Bob Stone <bob@example.org>" and item.why.startswith("4 ") and "2 commits" in item.why


def test_recent_says_how_old_the_last_commit_is_where_none_is_asked_for(tmp_path: Path) -> None:
    built = Built(tmp_path / "old")
    built.commit("ancient", {"a.py": "x = 1\n"}, days=900)
    built.checkout()
    assert ask(built.root, "recent", since="2d").notes == ("nothing was committed since 2d; the last commit is 2y old",)


def test_who_of_a_folder(repo: Built) -> None:
    answer = ask(repo.root, "who", "lib")
    assert [(item.label, item.why) for item in answer.items] == [
        ("Ada Lovelace <ada@example.org>", "1 line written (50 %) · 2 commits, last 6d ago"),
        ("Bob Stone <bob@example.org>", "1 line written (50 %) · 1 commit, last 2w ago"),
    ]
    assert [item.anchor for item in answer.items] == ["lib#ada@example.org", "lib#bob@example.org"]
    assert "0 of 1 files have had one author only" in answer.notes[-1]


# --- hotspots


@pytest.fixture
def busy(tmp_path: Path) -> Built:
    built = Built(tmp_path / "busy")
    branched = "def f(a):\n    if a:\n        return 1\n    if not a:\n        return 2\n"
    files = {"hot.py": branched, "cold.py": branched * 2, "flat.py": "x = 0\n", "notes.md": "# N\n", **{f"many/{n}.py": "x = 1\n" for n in range(40)}}
    first = built.commit("start", files, days=300)
    for n in range(6):
        built.commit(f"edit {n}", {"hot.py": branched + f"# {n}\n", "flat.py": f"x = {n}\n", "notes.md": f"# {n}\n"}, days=60 - n)
    built.commit("cold", {"cold.py": branched * 2 + "# 1\n"}, days=200)
    sweep = built.commit("sweep", {f"many/{n}.py": "x = 2\n" for n in range(40)} | {"hot.py": branched + "# sweep\n"}, days=10)
    side = built.commit("side", {}, parents=[first], days=9, ref=None)
    built.commit("merge", {}, parents=[sweep, side], days=8)
    built.commit("rename", {"hot.py": None, "hotter.py": built.files[b"hot.py"]}, days=5)
    built.checkout()
    return built


def test_hotspots_are_commits_times_branches(busy: Built) -> None:
    answer = ask(busy.root, "hotspots")
    assert [item.path for item in answer.items] == ["hotter.py", "cold.py"]
    assert answer.items[0].why.startswith("↑ 7 commits × 2 branches = 14 · ") and answer.items[0].why.endswith("most in f:1 (2)")
    assert answer.items[1].why.startswith("→ 1 commit × 4 branches = 4")
    notes = " ".join(answer.notes)
    assert "12 commits, of which 1 merges and 3 of over 30 files or listed as reformats are not counted" in notes
    assert "2 changed files have nothing that branches" in notes


def test_hotspots_in_a_window_and_a_scope(busy: Built) -> None:
    assert [item.path for item in ask(busy.root, "hotspots", since="100d").items] == ["hotter.py"]
    assert ask(busy.root, "hotspots", scope=Scope(languages=("go",))).total == 0
    assert [item.path for item in ask(busy.root, "hotspots", scope=Scope(globs=("cold*",))).items] == ["cold.py"]


def test_hotspots_page_is_safe_against_names(tmp_path: Path) -> None:
    built = Built(tmp_path / "repo")
    code = "def f(a):\n    if a:\n        return 1\n"
    hostile = ["</script><script>alert(1)", "a\u2028b", "__proto__", "\u202egnp", "x\" onload=alert(1) '", "new\nline"]
    built.commit("hostile", {**{f"{name}.py": code for name in hostile}, b"\xff.py": code}, days=3)
    built.checkout()
    answer = ask(built.root, "hotspots", html="out.html")
    page = (built.root / "out.html").read_text("utf-8")
    assert f"{len(hostile) + 1} files drawn in out.html" in answer.notes
    assert page.count("<script") == 2 and "alert(1)" in page and "<script>alert" not in page
    data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    paths = [row[0] for row in data["files"]]
    assert "__proto__.py" in paths and "\\xff.py" in paths and "</script><script>alert(1).py" in paths
    assert not any("\u202e" in path or "\n" in path for path in paths)
    assert "http" not in re.sub(r'http-equiv|"http', "", page) and "default-src 'none'" in page


def test_hotspots_writes_over_nothing_but_its_own_pages(busy: Built) -> None:
    ask(busy.root, "hotspots", html="page.html")
    ask(busy.root, "hotspots", html="page.html")
    for name, said in (("cold.py", "is no page of iq"), ("nowhere/x.html", "cannot be written")):
        with pytest.raises(Exception, match=said):
            ask(busy.root, "hotspots", html=name)
    assert (busy.root / "cold.py").read_text().startswith("def f")


# --- all of them


CALLS = (
    ("recent", "", {"since": "1y"}), ("recent", "limit", {"since": "1y"}), ("log", "return", {}), ("log", "Reader.read_all", {}), ("log", "lib/core.py", {}),
    ("who", "lib/core.py:1-12", {}), ("who", "lib/core.py", {}), ("who", "lib", {}),
)  # fmt: skip


@pytest.mark.parametrize(("verb", "words", "options"), CALLS, ids=lambda value: str(value))
def test_budgets_hold_and_pages_join(repo: Built, verb: str, words: str, options: dict[str, object]) -> None:
    whole = [item.anchor for item in ask(repo.root, verb, words, **options).items]
    assert len(set(whole)) == len(whole) and whole
    pages: list[str] = []
    cursor = None
    while True:
        answer = ask(repo.root, verb, words, output=Output(budget=420, form="ndjson", after=cursor), **options)
        rows = [json.loads(row) for row in jsonl.render(answer, Output(budget=420, form="ndjson")).text.splitlines()]
        pages += [row["anchor"] for row in rows if "anchor" in row]
        if "more" not in rows[-1]:
            break
        cursor = rows[-1]["more"]
    assert pages == whole
    for budget in (1, 40, 150, 600):
        page = capsule.render(ask(repo.root, verb, words, **options), Output(budget=budget))
        assert tokens(page.text) <= budget


def test_examples_of_the_help_name_flags_that_exist() -> None:
    for verb in ("recent", "log", "who", "hotspots"):
        assert len(VERBS[verb].examples) == 2
        flags = {flag.partition("=")[0] for flag, _ in VERBS[verb].options}
        for example in VERBS[verb].examples:
            assert set(re.findall(r"--[a-z]+", example)) <= flags | {"--only", "--lang"}


SECRET = "swordfish-1234"


@pytest.fixture
def leaked(tmp_path: Path) -> Built:
    built = Built(tmp_path / "leaked")
    lines = "".join(f"KEY_{n}={SECRET}\n" for n in range(30))
    built.commit("leak it", {".env": lines, "keys/id_rsa": SECRET + "\n", "a.py": "def f(a):\n    if a:\n        return 1\n"}, days=9)
    built.commit("hide it", {".env": None, "keys/id_rsa": None, "settings.txt": lines.replace(SECRET, "hidden")}, days=8)
    built.commit("code", {"a.py": "def f(a):\n    if a:\n        return 2\n"}, days=7)
    built.checkout()
    (built.root / ".env").write_text(SECRET + "\n")
    built.git.index.add(".env")
    built.git.index.write()
    return built


@pytest.mark.parametrize("engine", ["git", ""])
def test_a_secret_once_committed_never_surfaces(leaked: Built, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    if engine and not shutil.which("git"):
        pytest.skip("no git binary")
    monkeypatch.setenv("IQ_GIT_PATH", engine)
    calls: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("recent", "", {"since": "1y"}), ("recent", SECRET, {"since": "1y"}), ("log", SECRET, {}), ("log", SECRET[:5], {"regex": True}), ("log", "KEY_1", {}),
        ("who", "settings.txt", {}), ("who", "settings.txt:1-3", {}), ("who", ".", {}), ("hotspots", "", {}), ("log", "settings.txt", {}),
    )  # fmt: skip
    for verb, words, options in calls:
        answer = ask(leaked.root, verb, words, **options)
        text = capsule.render(answer, Output(full=True)).text.replace(f"iq {verb}: {words}", "") + jsonl.render(answer, Output(full=True, form="ndjson")).text
        assert SECRET not in text and ".env" not in text and "id_rsa" not in text, (verb, words, text)
    assert ask(leaked.root, "log", "hidden").coverage.skipped == {"changes of secrets": 4}
    for verb, words in (("log", ".env"), ("log", "keys/id_rsa"), ("who", ".env"), ("who", ".env:1")):
        with pytest.raises(Exception, match="never surfaces"):
            ask(leaked.root, verb, words)
    with pytest.raises(Exception, match="never surfaces"):
        ask(leaked.root, "log", SECRET, path=".env")


def test_each_verb_answers_an_empty_repository_and_none(tmp_path: Path) -> None:
    built = Built(tmp_path / "empty")
    (built.root / "a.py").write_text("x = 1\n")
    rows = ask(built.root, "recent")
    assert told(rows) == ["a.py:1 |  | + x = 1 | untracked, 1 lines"] and "the repository has no commits yet" in rows.notes
    for verb, words in (("log", "x"), ("hotspots", ""), ("who", ".")):
        answer = ask(built.root, verb, words)
        assert answer.total == 0 and "the repository has no commits yet" in answer.notes
    assert told(ask(built.root, "who", "a.py:1"))[0].endswith("not committed yet")
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "a.py").write_text("x = 1\n")
    for verb, words in (("recent", ""), ("log", "x"), ("hotspots", ""), ("who", "a.py:1"), ("who", "a.py")):
        with pytest.raises(Exception, match="in no git repository"):
            ask(tmp_path / "none", verb, words)


def test_bad_calls_name_the_value(repo: Built) -> None:
    for verb, words, options, said in (
        ("recent", "", {"since": "soon"}, "--since 'soon' is no time"),
        ("log", "x", {"since": "2026-02-31"}, "no date of the calendar"),
        ("who", "lib/core.py:900", {}, "has lines 1-14"),
        ("who", "lib/core.py:9-3", {}, "9-3 is no range"),
        ("who", "nosuch.py", {}, "no file of the workspace"),
        ("log", "lib/core.py::nothing_like_it", {}, "defines no 'nothing_like_it'"),
    ):
        with pytest.raises(Exception, match=re.escape(said)):
            ask(repo.root, verb, words, **options)


def test_names_that_are_no_utf8_are_told(tmp_path: Path) -> None:
    built = Built(tmp_path / "repo")
    code = b"def f(a):\n    if a:\n        return caf\xe9\n"
    built.commit(b"caf\xe9 \xff", {b"d\xff/\xfe.py": code}, raw_author=b"Andr\xe9 \xff <a\xff@b.example>", days=2)
    built.checkout()
    name = os.fsdecode(b"d\xff/\xfe.py")
    render: Callable[[Answer], str] = lambda answer: capsule.render(answer, Output()).text  # noqa: E731
    for verb, words in (("recent", ""), ("log", "return"), ("who", name + ":1"), ("who", name), ("hotspots", ""), ("log", name)):
        text = render(ask(built.root, verb, words))
        assert "d\\xff/\\xfe.py" in text, (verb, text)
        text.encode("utf-8")


def test_recent_and_log_in_a_folder_of_the_repository(repo: Built) -> None:
    rows = told(ask(repo.root / "lib", "recent", since="7d"))
    assert [row.split(" | ")[:2] for row in rows] == [["core.py:12", "reader gets a limit"], ["core.py:14", "reader gets a limit"]]
    assert {item.path for item in ask(repo.root / "lib", "log", "LIMIT").items} == {"core.py"}
    assert "first words" in told(ask(repo.root / "lib", "who", "core.py:5"))[0]


def test_calls_of_the_command_line(repo: Built, tmp_path: Path) -> None:
    """Whole processes with the real clock: exit codes, streams, JSON."""
    from tests.conftest import Place

    place = Place(repo.root, tmp_path / "cache")
    for words, code, said in (
        (("log", "LIMIT"), 0, "2 changes in 2 files"),
        (("log", "nothing-like-this"), 1, "nothing found"),
        (("log", "LIMIT", "--count"), 0, "2"),
        (("log", "LIMIT", "--files-only"), 0, "core.py"),
        (("who", "lib/core.py:6"), 0, "limit"),
        (("who",), 2, "empty question: iq who needs"),
        (("recent", "--since", "2020-01-01", "--limit", "1"), 0, "more: "),
        (("recent", "--since", "soon"), 2, "write 2d, 3w, 6m, 1y"),
        (("hotspots", "--since", "2020-01-01"), 1, "nothing found"),
        (("hotspots", "--in", "nosuch"), 2, "matches nothing"),
        (("log", "LIMIT", "--root", str(tmp_path)), 2, "in no git repository"),
    ):
        got, out, err = place.iq(*words)
        assert (got, bool(err)) == (code, code == 2) and said in out + err, (words, out, err)
    answer = json.loads(place.iq("log", "LIMIT", "--json")[1])
    assert set(answer["items"][0]["commit"]) == {"sha", "time", "author", "email", "subject"}
    assert answer["items"][0]["rev"] == answer["items"][0]["commit"]["sha"]


def test_what_lies_behind_a_link_is_never_read(leaked: Built, tmp_path: Path) -> None:
    """A link to a secret was shown as an untracked file, and lines of its target as context."""
    (leaked.root / "innocent.txt").symlink_to(leaked.root / ".env")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.py").write_text(SECRET + "\n")
    (leaked.root / "far").symlink_to(tmp_path / "elsewhere")
    leaked.commit("far", {"far/b.py": "x = 1\n"}, days=0.5)
    for verb, words in (("recent", ""), ("recent", SECRET), ("log", "far/b.py"), ("hotspots", "")):
        answer = ask(leaked.root, verb, words, output=Output(context=3), **({"since": "1y"} if verb == "recent" else {}))
        assert SECRET not in capsule.render(answer, Output(full=True, context=3)).text.replace(f"iq {verb}: {words}", "")
    with pytest.raises(Exception, match=r"leaves the workspace|never surfaces"):
        ask(leaked.root, "who", "far/b.py:1")


def test_a_bare_repository_tells_history_and_never_its_own_files(repo: Built, tmp_path: Path) -> None:
    import pygit2

    repo.commit("config", {"config": "x = 1\n"}, days=0.5)
    pygit2.clone_repository(str(repo.root), str(tmp_path / "bare.git"), bare=True)
    (tmp_path / "bare.git" / "config").write_text(f"[core]\n\tbare = true\n[remote]\n\turl = https://{SECRET}@example.org\n")
    assert "config:1 | config | + x = 1 | added, +1 −0" in told(ask(tmp_path / "bare.git", "recent", since="20h"))[0]
    for words in ("", "url"):
        assert SECRET not in capsule.render(ask(tmp_path / "bare.git", "recent", words, since="1y", output=Output(context=9)), Output(full=True)).text
    assert ask(tmp_path / "bare.git", "log", "LIMIT").total == 2
    with pytest.raises(Exception, match="bare repository"):
        ask(tmp_path / "bare.git", "who", "config:1")
    assert "a bare repository has no files" in " ".join(ask(tmp_path / "bare.git", "hotspots").notes)


def test_a_repository_of_another_object_format_is_an_error_that_says_so(tmp_path: Path) -> None:
    import shutil
    import subprocess

    if not shutil.which("git"):
        pytest.skip("no git binary: libgit2 makes no such repository")
    if subprocess.run(["git", "init", "-q", "--object-format=sha256", str(tmp_path / "ws")], check=False).returncode:
        pytest.skip("this git makes no such repository")
    with pytest.raises(Exception, match="cannot be opened"):
        ask(tmp_path / "ws", "recent")


def test_empty_files_and_files_of_one_line(tmp_path: Path) -> None:
    built = Built(tmp_path / "repo")
    built.commit("start", {"empty.py": "", "one.py": "x = 1", "crlf.py": "a = 1\r\nb = 2\r\n"}, days=3)
    built.checkout()
    assert ask(built.root, "who", "empty.py").total == 1
    assert [item.commit.subject for item in ask(built.root, "who", "one.py:1").items if item.commit] == ["start"]
    assert [item.anchor for item in ask(built.root, "who", "crlf.py:1-2").items] == ["crlf.py:1-2"]
    assert {item.path for item in ask(built.root, "recent", since="7d").items} == {"empty.py", "one.py", "crlf.py"}
    with pytest.raises(Exception, match="has lines 1-0"):
        ask(built.root, "who", "empty.py:1")


# --- review


def branched(count: int) -> str:
    return "def run(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(count))


@pytest.fixture
def aged(tmp_path: Path) -> Built:
    """`hot.py`: 12 branches, 4 commits within a year; 25 lines of Bob, who left 200 days ago, and 2 of Ada, who is still about."""
    built = Built(tmp_path / "aged")
    built.commit("begin", {"hot.py": branched(9), "cold.py": branched(30), "mild.py": branched(2), "gone.py": branched(3)}, author=BOB, days=500)
    for at in range(10, 13):
        built.commit(f"more {at}", {"hot.py": branched(at)}, author=BOB, days=260 - at * 5)
    built.commit("last of Ada", {"hot.py": branched(12) + "# one\n# two\n", "mild.py": branched(3), "cold.py": branched(29) + "# x\n" * 80}, days=3)
    built.checkout()
    return built


def test_review_says_what_is_a_hotspot_and_whose_authors_are_away(aged: Built) -> None:
    for name in ("hot.py", "cold.py"):
        (aged.root / name).write_text((aged.root / name).read_text().replace("a == 1:", "a == 100:"))
    answer = ask(aged.root, "review")
    rows = {item.path: item.label for item in answer.items}
    # 27 lines with text, of which one is not committed: 24 of Bob's 25 are left.
    assert "authors of 24 of its 26 lines are away" in rows["hot.py"]
    assert "hotspot 1 of 3: 4 commits in 1y × 12 branches" in rows["hot.py"]
    # 58 of 138 lines are Bob's, and two commits make no hotspot.
    assert "away" not in rows["cold.py"] and "hotspot" not in rows["cold.py"]
    assert answer.items[0].path == "hot.py"
    assert "ask: who still knows hot.py? 24 of 26 lines are by people without a commit for half a year (Bob Stone)" in answer.related
    assert "ask: does hot.py get simpler by this? hotspot 1 of 3: 4 commits in 1y × 12 branches" in answer.related
    points = [float(item.label.partition(" · ")[2].partition(":")[0]) for item in answer.items]
    assert points == sorted(points, reverse=True)
    # The counts are those of the verbs that can be asked about them.
    assert "4 commits × 12 branches" in next(item.why for item in ask(aged.root, "hotspots").items if item.path == "hot.py")
    assert any("24 surviving lines (92 %)" in item.why for item in ask(aged.root, "who", "hot.py").items)


@pytest.mark.parametrize("binary", ["git", ""])
def test_review_tells_no_owners_where_all_or_none_are_away(aged: Built, binary: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two years on nobody has committed lately, which tells no file from another; and Bob is back with one commit."""
    monkeypatch.setenv("IQ_GIT_PATH", binary)
    (aged.root / "hot.py").write_text(branched(12) + "# one\n# 2\n")
    later = Engine.open(aged.root, cwd=str(aged.root), now=NOW + 730 * 86_400)
    own = {name.partition("=")[0].lstrip("-"): None for name, _ in VERBS["review"].options}
    answer = later.answer(Request("review", (), own, Scope(), Output(full=True), DEFAULTS))
    assert answer.total == 1 and "away" not in answer.items[0].label and "hotspot" not in answer.items[0].label
    assert "away" in ask(aged.root, "review").items[0].label
    aged.commit("back", {"README": "x\n"}, author=BOB, days=1)
    assert "away" not in ask(aged.root, "review").items[0].label


def test_review_of_many_files_says_whose_owners_were_not_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IQ_GIT_PATH", "")
    built = Built(tmp_path / "wide")
    built.commit("begin", {f"f{n}.py": branched(2) for n in range(15)}, days=5)
    built.checkout()
    for n in range(15):
        (built.root / f"f{n}.py").write_text(branched(3))
    (built.root / "notes.md").write_text("new\n")
    answer = ask(built.root, "review")
    assert "owners of 12 more changed files were not looked up: iq who FILE" in answer.notes

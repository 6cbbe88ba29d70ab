"""Each verb over one small workspace of several languages: what it finds, how it is cut, how it goes on."""

from __future__ import annotations

import json
import re
import shlex
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iq.engine import Engine
from iq.features import DEFAULTS
from iq.render import capsule, jsonl
from iq.render.budget import tokens
from iq.types import Output, Request, Scope
from iq.verbs import VERBS

FILES = {
    "src/app.py": (
        "import os\n\n\nclass Command:\n    \"\"\"One call.\"\"\"\n\n"
        "    def invoke(self, words):\n        # TODO: limits\n        return parse_args(words)\n\n\n"
        "def parse_args(words):\n    \"\"\"Splits the words of a call.\"\"\"\n    return list(words)\n\n\nLIMIT = 4\n"
    ),
    "src/web.ts": "import { Command } from './app';\n\nexport function render(page: string): string {\n  // FIXME: escape\n  return page.trim();\n}\n",
    "cmd/main.go": "package main\n\n"
    "import \"fmt\"\n\nfunc main() {\n\tif err := run(); err != nil {\n"
    "\t\tfmt.Println(err)\n\t}\n}\n\nfunc run() error { return nil }\n",
    "tests/test_app.py": "from src.app import parse_args\n\n\ndef test_parse_args():\n    assert parse_args(['a']) == ['a']\n",
    "README.md": "# Words\n\nHow `parse_args` splits words.\n\n## Limits\n\nNone yet. A value a[0] is first.\n",
    **{f"many/m{n:02}.py": f"def helper_{n:02}(value):\n    return shared(value) + {n}\n" for n in range(30)},
}  # fmt: skip


# Verbs that need a repository have their rows in test_history.py.
HISTORY = {"recent", "log", "who", "hotspots"}


@pytest.fixture(scope="module")
def ws(tmp_path_factory):
    from tests.conftest import Place

    folder = tmp_path_factory.mktemp("verbs")
    for path, content in FILES.items():
        target = folder / "ws" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    (folder / "ws" / ".iq").mkdir()
    return Place(folder / "ws", folder / "cache")


@pytest.mark.parametrize(
    ("call", "code", "total", "first"),
    [
        ("find parse_args", 0, 6, "README.md"),
        ("find 'TODO|FIXME'", 0, 2, "src/app.py"),
        (r"find 'TODO\|FIXME'", 0, 2, "src/app.py"),
        ("find 'a[0]'", 1, 0, ""),
        ("find --literal 'a[0]'", 0, 1, "README.md"),
        ("find 'value) +'", 0, 30, "many/m00.py"),
        ("find --word parse", 1, 0, ""),
        ("find --case command", 1, 0, ""),
        ("find command", 0, 2, "src/app.py"),
        ("find '(?<=def )parse_args'", 0, 1, "src/app.py"),
        (r"find '(\w)\1ape'", 1, 0, ""),
        ("find parse_args --only tests", 0, 3, "tests/test_app.py"),
        ("find parse_args --lang python --not-glob 'tests/**'", 0, 2, "src/app.py"),
        ("find parse_args --in src", 0, 2, "src/app.py"),
        ("files app", 0, 2, "src/app.py"),
        ("files --exact 'src/*'", 0, 2, "src/app.py"),
        ("files --exact '*.rs'", 1, 0, ""),
        ("def Command", 0, 1, "src/app.py"),
        ("def Command.invoke", 0, 1, "src/app.py"),
        ("def src/app.py::parse_args", 0, 1, "src/app.py"),
        ("def nowhere", 1, 0, ""),
        ("refs parse_args --kind call", 0, 2, "src/app.py"),
        ("refs parse_args --kind def", 0, 1, "src/app.py"),
        ("refs Command --kind import", 0, 1, "src/web.ts"),
        ("refs nowhere", 1, 0, ""),
        ("sym 'helper_*'", 0, 30, "many/m00.py"),
        ("sym command --kind class", 0, 1, "src/app.py"),
        ("sym 'zz*'", 1, 0, ""),
        ("ast 'return list($X)' --lang python", 0, 1, "src/app.py"),
        ("ast 'if $A; err != nil { $$$ }' --lang go", 0, 1, "cmd/main.go"),
        ("outline src/app.py", 0, 4, "src/app.py"),
        ("context src/app.py:9", 0, 1, "src/app.py"),
        ("read Command.invoke", 0, 1, "src/app.py"),
        ("read src/app.py:12-14", 0, 1, "src/app.py"),
        ("read nowhere", 1, 0, ""),
        ("impact src/app.py", 0, 6, "tests/test_app.py"),
        ("impact src/app.py --in src", 0, 2, "src/app.py"),
        ("map --in src", 0, 2, "src/app.py"),
        ("map --in tests --lang go", 1, 0, ""),
    ],
)  # fmt: skip
def test_what_each_verb_finds(ws, call, code, total, first) -> None:
    words = shlex.split(call)
    got, out, err = ws.iq(*words, "--json", "--full")
    answer = json.loads(out)
    assert (got, answer["total"], len(answer["items"]), err) == (code, total, total, "")
    assert (answer["items"][0]["path"] if answer["items"] else "") == first
    assert ws.iq(*words, "--count")[:2] == (code, f"{total}\n")


def test_every_verb_has_a_row() -> None:
    marks = next(mark for mark in test_what_each_verb_finds.pytestmark if mark.name == "parametrize")
    elsewhere = {"search", "index", "models", "review", "intent", "feedback", "learn", "note", "serve", "mcp", "multi", "verify", "agent"}
    assert {row[0].split()[0] for row in marks.args[1]} | elsewhere | HISTORY == set(VERBS)


@pytest.mark.parametrize("call", ["find value", "refs shared", "files m", "sym 'helper_*'"])
def test_pages_joined_are_the_whole(ws, call) -> None:
    words = shlex.split(call)
    whole = [item["anchor"] for item in json.loads(ws.iq(*words, "--json", "--full")[1])["items"]]
    assert len(whole) >= 30
    pages, command = [], [*words, "--budget", "260"]
    while True:
        out = ws.iq(*command)[1]
        assert tokens(out) <= 260
        path = ""
        for row in out.split("\n"):
            if row.startswith("──── "):
                path = row.strip("─ ")
            elif found := re.match(r" +(\d+) ", row):
                pages.append((path, found[1]))
            elif words[0] == "files" and row in FILES:
                pages.append((row, ""))
        more = re.search(r"^more: .* · iq (.*)$", out, re.MULTILINE)
        if more is None:
            break
        command = shlex.split(more[1])
    shown = [path if not line else f"{path}:{line}" for path, line in pages]
    assert shown == [re.sub(r"-\d+$", "", anchor) for anchor in whole]


@pytest.mark.parametrize("call", ["find value", "refs shared", "files m", "sym 'helper_*'"])
def test_pages_of_json_joined_are_the_whole(ws, call) -> None:
    words = shlex.split(call)
    whole = [item["anchor"] for item in json.loads(ws.iq(*words, "--json", "--full")[1])["items"]]
    pages, cursor = [], []
    while True:
        rows = [json.loads(row) for row in ws.iq(*words, "--ndjson", "--budget", "700", *cursor)[1].splitlines()]
        pages += [row["anchor"] for row in rows if "anchor" in row]
        if "more" not in rows[-1]:
            break
        cursor = ["--after", rows[-1]["more"]]
    assert pages == whole


def test_files_only_limit_and_context(ws) -> None:
    assert ws.iq("find", "parse_args", "--files-only")[1].splitlines() == ["README.md", "src/app.py", "tests/test_app.py"]
    assert len(json.loads(ws.iq("find", "value", "--limit", "3", "--json")[1])["items"]) == 3
    out = ws.iq("find", "TODO", "-C", "1")[1]
    assert "7- " in out and "8: " in out and "9- " in out


def test_explain_shows_legs_and_factors(ws) -> None:
    code, out, _ = ws.iq("what splits the words of a call", "--explain")
    assert code == 0 and "plan: prose · legs " in out and "src/app.py" in out


def test_how_a_pattern_was_run_is_said(ws) -> None:
    assert "rewritten from grep's form to TODO|FIXME" in ws.iq("find", r"TODO\|FIXME")[1]
    assert "literal, since it is no regular expression that ripgrep can run" in ws.iq("find", "value) +")[1]
    assert "PCRE2" in ws.iq("find", "(?<=def )parse_args")[1]


CALLS = (
    ("search", "what splits the words of a call"), ("search", "parse_args"), ("find", "value"), ("files", "m"), ("def", "parse_args"), ("refs", "shared"),
    ("sym", "helper_*"), ("ast", "shared($X)"), ("outline", "src/app.py"), ("context", "src/app.py:9"), ("read", "src/app.py"), ("index", "status"),
)  # fmt: skip


@lru_cache(maxsize=1)
def engine(root: str) -> Engine:
    return Engine.open(root, cwd=root)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(budget=st.integers(1, 3000), call=st.sampled_from(CALLS), files_only=st.booleans(), form=st.sampled_from(("text", "ndjson", "json")))
def test_a_budget_is_never_exceeded(ws, budget, call, files_only, form) -> None:
    verb, text = call
    budget = max(budget, jsonl.LEAST) if form == "json" else budget
    output = Output(budget=budget, files_only=files_only, form=form)
    request = Request(verb, (text,), {}, Scope(languages=("python",) if verb == "ast" else ()), output, DEFAULTS)
    answer = engine(str(ws.root)).answer(request)
    page = (capsule if form == "text" else jsonl).render(answer, output)
    assert tokens(page.text) <= budget
    if form == "json":
        row = json.loads(page.text)
        assert row["total"] == answer.total and (row["left"] > 0 or len(row["items"]) == len({i.path for i in answer.items} if files_only else answer.items))
    elif form == "ndjson":
        assert all(json.loads(line) for line in page.text.splitlines())


def test_an_answer_in_code_names_its_best_document(ws) -> None:
    out = ws.iq("how are the words of a call split")[1]
    assert "\nanswer: src/app.py" in out
    assert "\ndocs: README.md:1-" in out
    assert "\ndocs: " not in ws.iq("how are the words of a call split", "--only", "docs")[1]


def test_a_licence_or_a_drawing_is_no_document_to_read_on(workspace) -> None:
    said = "the words of a call split into parts for the parser\n"
    files = {"a.py": "def split_words(call):\n    return call.split()\n", "LICENSE": said * 3, "docs/logo.svg": f"<svg><!-- {said} --></svg>\n"}
    question = "how are the words of a call split into parts"
    assert "\ndocs: " not in workspace(files).iq(question)[1]
    assert "\ndocs: docs/usage.md" in workspace({**files, "docs/usage.md": "# Usage\n\n" + said}).iq(question)[1]


def test_explain_names_what_holds_a_place_up(ws) -> None:
    out = ws.iq("how are the words of a call split", "--explain", "--budget", "4000")[1]
    assert re.search(r"^ +1 [\d.]+ src/app.py · .*bm25 rank \d+ · chunks .* · without \w+: (rank \d+|not ranked)$", out, re.MULTILINE)


@pytest.mark.parametrize("budget", [220, 260, 300])
def test_a_long_command_does_not_cut_the_last_line(ws, budget: int) -> None:
    """What `more:` repeats of the command was not reserved, so that the line which says how to read on lost its end."""
    out = ws.iq("where is helper_07 and what does it share with the others", "--root", str(ws.root), "--not-glob", "x" * 300, "--budget", str(budget))[1]
    assert out.endswith("\n") and tokens(out) <= budget


def test_a_span_from_inside_a_definition_stands_under_the_line_that_opens_it(workspace) -> None:
    rows = [f"    step_{n} = prepare(step_{n - 1}, {n})  # {'x' * 60}" for n in range(1, 60)]
    rows[45] = "    drain_the_overflowing_barrel(step_44)"
    place = workspace({"long.py": "import os\n\n\ndef brew(step_0):\n" + "\n".join(rows) + "\n\n\ndef other():\n    return 1\n"})
    _, out, _ = place.iq("draining an overflowing barrel")
    shown = [row for row in out.split("\n") if row[:5].strip().isdigit() or row.strip() == "⋮"]
    assert shown[0].endswith("def brew(step_0):") and shown[0].split()[0] == "4"
    assert shown[1].strip() == "⋮" and int(shown[2].split()[0]) > 5
    assert any("drain_the_overflowing_barrel" in row for row in shown)
    assert sum("def brew" in row for row in shown) == 1, "a second span of one definition does not open it again"
    first = json.loads(place.iq("draining an overflowing barrel", "--json")[1])["items"][0]
    assert first["lines"][0]["number"] == 4 and not first["lines"][0].get("hit", True)
    assert first["start"] == int(shown[2].split()[0]), "the anchor is the span's"


@pytest.mark.parametrize("limit", [1, 2])
def test_what_a_short_ranked_answer_leaves_out_is_counted(ws, limit: int) -> None:
    """Hits beyond the window of an answer of less than 40 were dropped, so that `more` and `left` named too few, or none."""
    words = ("what splits the words of a call", "--limit", str(limit))
    answer = json.loads(ws.iq(*words, "--json")[1])
    assert limit < answer["total"] < 40 and answer["left"] == answer["total"] - limit
    assert f"\nmore: {answer['left']} hit{'s' * (answer['left'] > 1)} · iq " in ws.iq(*words)[1]


def test_a_match_with_more_context_than_the_budget_holds_is_still_shown(workspace) -> None:
    place = workspace({"long.py": "".join(f"row_{n} = {n}  # {'x' * 40}\n" for n in range(400)) + "needle = 1\n"})
    _, out, _ = place.iq("find", "needle", "-C", "5000", "--budget", "400")
    assert " 401: needle = 1\n" in out and tokens(out) <= 400
    assert re.search(r"^ +… \d+ more lines: iq read long.py:1-401 --full$", out, re.MULTILINE)


def test_an_answer_that_fits_no_budget_says_so(ws) -> None:
    assert "\nmore: 30 lines, none of which fits --budget 40; give a larger one\n" in ws.iq("find", "return shared", "--budget", "40")[1]


def test_a_long_question_is_not_repeated_instead_of_its_answer(ws) -> None:
    out = ws.iq("what splits the words of a call " * 120, "--limit", "1")[1]
    assert "the same command with --after src/app.py:" in out and "def parse_args(words):" in out and tokens(out) < 400


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        ("read Makefile", 0, "   1 all:"),
        ("read no/such.py", 2, "look for it with `iq files such.py`"),
        ("read nothing", 1, "nothing found"),
        ("map src", 2, "narrow the map with --in PATH"),
    ],
)
def test_an_argument_is_taken_or_refused_never_passed_over(workspace, call: str, code: int, said: str) -> None:
    got, out, err = workspace({"Makefile": "all:\n\ttrue\n", "src/a.py": "def a():\n    return 1\n"}).iq(*shlex.split(call))
    assert got == code and said in out + err and "Traceback" not in err


def test_a_limit_of_files_counts_files(ws) -> None:
    """It counted lines, so that `--files-only --limit 3` gave one file with three."""
    assert ws.iq("find", "parse_args", "--files-only", "--limit", "2")[1] == "README.md\nsrc/app.py\n"
    answer = json.loads(ws.iq("find", "parse_args", "--files-only", "--limit", "2", "--json")[1])
    assert ([item["path"] for item in answer["items"]], answer["left"]) == (["README.md", "src/app.py"], 1)


@pytest.mark.parametrize(
    "call",
    ["search --limit 1 -- 'what splits the words of a call'", "find --limit 1 -- 'value'", "search --limit 1 'the words -- of what it isn'\"'\"'t a call'"],
)
def test_the_cursor_stands_before_what_ends_the_flags(ws, call: str) -> None:
    """Behind `--` the cursor was a word of the question."""
    first = ws.iq(*shlex.split(call))[1]
    more = re.search(r"^more: (\d+) .* · iq (.*)$", first, re.MULTILINE)
    assert more is not None
    second = ws.iq(*shlex.split(more[2]))[1]
    assert first.partition(" — ")[0] == second.partition(" — ")[0]
    assert f"more: {int(more[1]) - 1} " in second or int(more[1]) == 1


@pytest.mark.parametrize(
    ("pattern", "language", "lines"),
    [
        ("$X.Use($$$)", "go", [4]),
        ("errors.New($X)", "go", [5, 6]),
        ("g(errors.New($X))", "go", [6]),
        ("[]byte($X)", "go", [7]),
        ("free($X)", "c", [2]),
        ("free($X);", "c", [2]),
        ("$F($X) + $G($Y)", "c", [3]),
    ],
)
def test_a_call_alone_is_found_where_it_is_read_as_a_type(workspace, pattern: str, language: str, lines: list[int]) -> None:
    go = 'package p\n\nfunc f() {\n\trouter.Use(a, b)\n\tx := errors.New("x")\n\tg(errors.New("y"))\n\ty := []byte(z)\n}\n'
    place = workspace({"a.go": go, "a.c": "void f(void) {\n  free(x);\n  y = one(x) + two(x);\n}\n"})
    items = json.loads(place.iq("ast", pattern, "--lang", language, "--json")[1])["items"]
    assert [item["start"] for item in items] == lines


@pytest.mark.parametrize("budget", [200, 300, 500])
def test_lines_that_the_budget_leaves_out_are_counted_from_the_whole_place(workspace, budget: int) -> None:
    """Of a place that is cut anyway, only the rows of the shortened form were counted."""
    place = workspace({"long.py": "def brew():\n" + "".join(f"    pour_the_water_slowly({n})\n" for n in range(99))})
    _, out, _ = place.iq("read", "brew", "--budget", str(budget))
    _, ranked, _ = place.iq("brew", "--budget", str(budget))
    for text in (out, ranked):
        shown = sum(row[:5].strip().isdigit() for row in text.split("\n"))
        left = re.search(r"… (\d+) more lines: iq read long.py:1-100 --full$", text, re.MULTILINE)
        assert left is not None and 1 < shown < 60 and shown + int(left[1]) == 100


@pytest.mark.parametrize("call", ["def parse_agrs", "def Command.invok", "def 'src/app.py::parse_arg'", "sym parse_agrs", "refs parse_agrs", "read parse_agrs"])
def test_a_misspelt_name_is_answered_with_those_near_it(ws, call: str) -> None:
    code, out, _ = ws.iq(*shlex.split(call))
    assert code == 1 and "nothing found" in out
    assert f"hint: no such name; near it: {'invoke' if 'invok' in call else 'parse_args'}" in out


def test_a_name_that_nothing_is_near_has_no_hint(ws) -> None:
    code, out, _ = ws.iq("def", "Quetzalcoatl")
    assert code == 1 and "hint" not in out


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        ("parse_agrs", "no such name; near it: parse_args"),
        ("Command.invok", "no such name; near it: invoke"),
        ("src/ap.py", "no such file; near it: src/app.py"),
        ("lib/app.py", "no such file; near it: src/app.py"),
    ],
)
def test_a_slip_in_a_name_or_a_path_is_told_in_place_of_what_the_question_is_not_about(ws, question: str, hint: str) -> None:
    """`handelHTTPRequest` and `src/clii.py` were said to be about something else, beside the answer that they meant."""
    _, out, _ = ws.iq(question)
    assert "about something else" not in out
    assert f"hint: {hint}" in out


@pytest.mark.parametrize(("call", "hint"), [("read app.py", "src/app.py"), ("read ap.py", "src/app.py"), ("files zapp.py", "src/app.py")])
def test_a_file_that_is_not_there_is_answered_with_those_near_it(ws, call: str, hint: str) -> None:
    code, out, _ = ws.iq(*call.split())
    assert code == 1 and f"hint: no such file; near it: {hint}" in out


def test_a_star_makes_a_pattern_of_files_a_glob(ws) -> None:
    """`iq files '*.py'` looked for files with a star in their names."""
    assert "src/app.py" in ws.iq("files", "*.py")[1].split("\n")


def test_a_folder_where_a_file_is_asked_for_leads_to_its_shape(ws) -> None:
    for verb in ("outline", "read"):
        code, _, err = ws.iq(verb, "src/")
        assert code == 2 and "'src/' is a folder" in err and "iq map --in src/" in err


def test_uses_of_a_name_say_that_its_owner_is_not_told_apart(ws) -> None:
    assert "note: of every 'invoke': whose it is, is not told apart" in ws.iq("refs", "Command.invoke")[1]
    assert "whose it is" not in ws.iq("refs", "invoke")[1]


def test_an_empty_workspace_says_that_there_is_nothing_to_search(workspace) -> None:
    """`0 hits` alone did not tell a wrong folder from a question without an answer; the index counted one file."""
    place = workspace({})
    code, out, _ = place.iq("where is the parser")
    assert code == 1 and f"note: no file to search in {place.root}; --root DIR or IQ_ROOT names another workspace" in out
    code, out, _ = place.iq("index", "status")
    assert code == 0 and "1 file" not in out and "languages" not in out


DEEP = "/".join(["a_folder_with_a_long_name"] * 15) + "/file.py"


PAGED = [("--budget=400",), ("--budget=460", "-C", "1"), ("--budget=700", "--json", "-C", "30"), ("--budget=700", "--ndjson")]


@pytest.mark.parametrize("words", PAGED, ids=" ".join)
@pytest.mark.parametrize("path", [DEEP, "a.py"])
def test_a_long_path_or_much_context_loses_no_line_between_pages(workspace, path: str, words: tuple[str, ...]) -> None:
    """A cursor longer than what was kept free for it cut the last lines of a page off, and the next page began behind them."""
    place = workspace({path: "".join(f"needle_{n} = '{'x' * 60}'\n" for n in range(12))})
    seen: list[int] = []
    cursor: tuple[str, ...] = ()
    for _ in range(13):
        _, out, _ = place.iq("find", "needle_", *words, *cursor)
        assert tokens(out) <= int(words[0].partition("=")[2])
        if words[1:2] in (("--json",), ("--ndjson",)):
            rows = [json.loads(row) for row in out.splitlines()]
            seen += [item["start"] for row in rows for item in row.get("items", [row]) if "start" in item]
            more = rows[-1].get("more")
        else:
            seen += [int(row.split(":")[0].split()[0]) for row in out.split("\n") if re.match(r" +\d+:? ", row)]
            more = next((row.split()[-1] for row in out.split("\n") if row.startswith("more: ")), None)
        if not more:
            break
        cursor = ("--after", more)
    assert seen == list(range(1, 13))


def test_files_whose_names_take_much_are_paged_to_the_end(workspace) -> None:
    place = workspace({f"{DEEP[:-3]}{n}.py": "needle\n" for n in range(9)})
    seen: list[str] = []
    cursor: tuple[str, ...] = ()
    for _ in range(10):
        _, out, _ = place.iq("find", "needle", "--files-only", "--budget=700", *cursor)
        *rows, more = out.split("\n")[:-1]
        if not more.startswith("more: "):
            seen += [*rows, more]
            break
        seen += rows
        cursor = ("--after", more.split()[-1])
    assert seen == sorted(f"{DEEP[:-3]}{n}.py" for n in range(9))
    assert "9 files, none of which fits --budget 60; give a larger one" in place.iq("find", "needle", "--files-only", "--budget=60")[1]


@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_a_first_item_that_is_shortened_leaves_room_for_its_cursor(form: str) -> None:
    """It took what the cursor needed, so that nothing was shown and nothing could go on."""
    from iq.render.jsonl import render
    from iq.types import Answer, Coverage, Item, Line

    lines = tuple(Line(n, "x" * (n % 7), n == 40) for n in range(1, 80))
    answer = Answer("find", "x", "regex", tuple(Item("a.py", n, n, lines=lines) for n in range(40, 44)), 4, 1, Coverage(), unit="lines")
    for budget in range(120, 400):
        assert render(answer, Output(budget=budget, form=form)).shown > 0, budget

"""Sources that ended the process which read them, or kept it for ever; found by nesting 150 openers in every grammar and by cutting real files short."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from multiprocessing import parent_process
from pathlib import Path

import pytest

from iq.index import nesting, parse, text, trees, trial, update
from iq.index.parse import GAVE_UP, Parsed, take_apart
from iq.index.workspace import Workspace

PERL = ('"${', "`${", '"@{[', 's"${', "qq{${", '"$a{', '"$a[', '"@a[', '"$a->{', '"$a->[', "m{${", "qr{${", "s{${", '"$$a{', "/${", "qx{${", '"$a{x}{')


def read(name: str, source: str) -> Parsed:
    decoded = text.decode(source.encode())
    assert decoded is not None
    return take_apart(name, decoded, len(source), 0, b"")


@pytest.mark.parametrize("depth", [83, 100, 1100])
@pytest.mark.parametrize("opener", PERL)
def test_strings_nested_in_perl_end_no_process(opener: str, depth: int) -> None:
    found = read("a.pl", "sub near { return 1 }\nmy $x = " + opener * depth + "\n")
    assert found.unparsed == GAVE_UP and not found.symbols
    assert "near" in " ".join(row[2] for row in found.chunk_terms), "it is still searched as text"


@pytest.mark.parametrize(("opener", "depth"), [('"${', 1025), ('"""${', 1025), ('"""${"${', 513), ('"${', 2000), ('"${', 100_000)])
def test_strings_nested_in_kotlin_end_no_process(opener: str, depth: int) -> None:
    assert read("a.kt", "fun near() = 1\nval x = " + opener * depth).unparsed == GAVE_UP


@pytest.mark.parametrize(
    "hidden", ['"$a{x].', '"$a{ # }\n.', "\"$a{'}'.", '"$a{q}}.', '"$a{q }}.', '"$a{m/}/.', '"$a{ "}".', '"$a{\n=pod }\n\n=cut\n'], ids=lambda text: repr(text)
)
def test_brackets_that_only_seem_to_close_hide_no_depth(hidden: str) -> None:
    """The bound stays one: what closes in a comment, in a string or as the delimiter of a quote leaves the level open."""
    assert nesting.deep("perl", hidden.encode() * 200)


def test_common_perl_and_kotlin_is_not_deep() -> None:
    perl = "".join(f"sub f{n} {{\n  my ($self, %h) = @_;\n  print \"$self->{{name}} is $h{{'a'}}[{n}] of @{{$self->{{all}}}}\\n\";\n}}\n" for n in range(500))
    kotlin = "".join(f'fun f{n}(a: Int) = "value ${{a + {n}}} of ${{f(a)}}"\n' for n in range(400))
    for name, source in (("perl", perl), ("kotlin", kotlin)):
        assert not nesting.deep(name, source.encode())
    assert len(read("a.pl", perl).symbols) == 500 and len(read("a.kt", kotlin).symbols) == 400


def test_what_may_be_deep_and_is_not_is_read_as_ever() -> None:
    """A table of many quoted keys reaches the bound; tried elsewhere, it is sound."""
    perl = "sub first {\n" + "".join(f'  print "$h{{lc "a/{n}"}}";\n' for n in range(200)) + "}\n"
    assert nesting.deep("perl", perl.encode())
    assert [symbol.name for symbol in read("a.pl", perl).symbols] == ["first"]


@pytest.mark.parametrize("end", ["x # end", "return # end", "f # a", "x#"])
def test_a_perl_file_that_ends_in_a_comment_is_read_to_its_end(end: str) -> None:
    """Without a line's end behind it the grammar read the comment for ever."""
    code = "import sys; from iq.index import trees; sys.exit(trees.parse('perl', sys.argv[1].encode()) is None)"
    assert subprocess.run([sys.executable, "-c", code, "sub f { 1 }\n" + end], timeout=60, check=False).returncode == 0


@pytest.mark.parametrize("end", ["sub g { 2 }", "sub g {", "package A", "=pod", "# end", "x # end", "1; # }", "__END__", "<<A", '"#', "sub h { # }"])
def test_a_perl_file_without_a_last_line_end_is_taken_apart(end: str) -> None:
    found = read("a.pl", "sub f { 1 }\n" + end)
    assert "f" in [symbol.name for symbol in found.symbols] and found.lines == 2
    deep = "sub f { 1 }\n" + "".join(f'print "$h{{lc "a/{n}"}}";\n' for n in range(100)) + end
    assert nesting.deep("perl", deep.encode()) and "f" in [symbol.name for symbol in read("a.pl", deep).symbols]


def test_definitions_nested_a_thousand_deep_are_cut() -> None:
    """1,000 in Ruby ended in a traceback that no answer came after."""
    found = read("a.rb", "".join(" " * n + f"def f{n} =\n" for n in range(1100)))
    assert found.symbols and found.chunks[-1].end == 1100


def test_a_trial_that_takes_too_long_or_cannot_start_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    trial.survives.cache_clear()
    assert trial.survives("python", b"x = 1\n")
    first = trial._process
    trial.survives.cache_clear()
    monkeypatch.setattr(trial, "SECONDS", 0.0)
    start = time.monotonic()
    assert not trial.survives("python", b"x = [" * 200_000) and time.monotonic() - start < 30
    monkeypatch.setattr(trial, "SECONDS", 10.0)
    assert trial.survives("python", b"x = 2\n") and trial._process is not first
    trial._end()
    trial.survives.cache_clear()
    monkeypatch.setattr(trial.sys, "executable", "/nowhere/python")
    assert not trial.survives("python", b"x = 1\n")
    trial.survives.cache_clear()


def test_the_trial_ends_with_its_process() -> None:
    code = "from iq.index import trial; assert trial.survives('python', b'x = 1'); print(trial._process.pid, flush=True); import os; os.kill(os.getpid(), 9)"
    pid = int(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False).stdout)
    end = time.monotonic() + 20
    while time.monotonic() < end and Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]


def test_from_the_command_line(workspace) -> None:
    ws = workspace(
        {
            "deep.pl": "sub near { 1 }\nmy $x = " + '"${' * 300,
            "deep.kt": "fun near() = 1\nval x = " + '"${' * 1100,
            "deep.yaml": "- " * 600 + "a",
            "fine.kt": "fun other() = 2\n",
        }
    )
    code, out, _ = ws.iq("index", "status")
    assert code == 0 and "note: 3 files searched as text alone, the grammar gave up: deep.kt, deep.pl, deep.yaml\n" in out
    for words in (("near",), ("find", "near"), ("refs", "near"), ("outline", "deep.pl"), ("read", "deep.pl:1"), ("context", "deep.kt:1")):
        code, out, err = ws.iq(*words)
        assert code in (0, 1) and "Traceback" not in err, words
    code, out, _ = ws.iq("ast", "fun $A() = $B", "--lang", "kotlin")
    assert code == 0 and "1 not (1 nested too deep)" in out.splitlines()[0] and "fun other() = 2" in out
    assert ws.iq("ast", "a", "--lang", "yaml")[0] == 1


def _boom(root: str, path: str) -> Parsed:
    if path == "f7.py" and parent_process() is not None:
        os._exit(11)
    return Parsed(path, 0, 0, b"", "", "src", "careful" if trees._careful else "", 0, "")


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor has no workers")
def test_a_worker_that_dies_loses_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It raised BrokenProcessPool up to the command line, and again at each question."""
    monkeypatch.setattr(parse, "read", _boom)
    paths = [f"f{n}.py" for n in range(update.POOL_FROM + 50)]
    found = list(update._read_all("/", paths, str(tmp_path)))
    assert [row.path for row in found if row] == paths
    assert found[7] is not None and found[7].encoding == "careful" and not trees._careful


def test_after_a_reading_that_ended_its_process_all_is_tried_elsewhere_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root, local = tmp_path / "ws", tmp_path / "ws/.iq/local"
    local.mkdir(parents=True)
    (root / "a.py").write_text("def found():\n    return 1\n")
    (root / "b.py").write_text("def lost():\n    return 1\n")
    tried: list[bytes] = []
    monkeypatch.setattr(trial, "survives", lambda language, source: tried.append(source) or b"lost" not in source)
    (local / "reading").touch()
    store, _ = update.update(Workspace(str(root), str(local)))
    assert len(tried) == 2 and [symbol.name for *_, symbol in store.all_symbols()] == ["found"]
    assert store.db.execute("SELECT path FROM files WHERE unparsed != ''").fetchall() == [("b.py",)]
    assert not (local / "reading").exists()
    (root / "c.py").write_text("def more():\n    return 1\n")
    update.update(Workspace(str(root), str(local)), store=store)
    assert len(tried) == 2 and store.db.execute("SELECT count(*) FROM files").fetchone() == (3,)

"""Each language's query against a fixture written for this project and its golden symbols."""

from __future__ import annotations

from pathlib import Path

import pytest

from iq.index.languages import LANGUAGES, detect
from iq.index.symbols import extract
from iq.types import KINDS

FIXTURES = Path(__file__).parent / "fixtures" / "languages"
FOLDERS = sorted(path for path in FIXTURES.iterdir() if path.is_dir())


def table(language: str, source: bytes) -> str:
    """Symbols as lines: span, name line, kind, mark of export, qualified name, signature, doc; then the imports."""
    syntax = extract(language, source)
    rows = []
    for symbol in syntax.symbols:
        assert symbol.kind in KINDS
        row = f"{symbol.line}-{symbol.end} @{symbol.name_line} {symbol.kind} {'+' if symbol.exported else '-'}{symbol.qualified} | {symbol.signature}"
        rows.append(row + (f" | {symbol.doc}" if symbol.doc else ""))
    rows += [f"{'package' if row.kind == 'package' else 'import'} {row.module} @{row.line}" for row in syntax.imports]
    rows.append(f"comments {len(syntax.comments)}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("folder", FOLDERS, ids=[path.name for path in FOLDERS])
def test_symbols_match_the_golden_table(folder: Path, golden) -> None:
    (sample,) = [path for path in folder.iterdir() if path.name != "golden.txt"]
    source = sample.read_bytes()
    assert detect(sample.name, source[:4096]) == folder.name
    golden(folder / "golden.txt", table(folder.name, source))


def test_every_query_has_a_fixture() -> None:
    queries = Path(__file__).parents[2] / "iq" / "index" / "queries"
    assert {path.stem for path in queries.glob("*.scm")} == {folder.name for folder in FOLDERS} <= set(LANGUAGES)


TWO_HEADS = [
    ("csharp", "namespace N;\n\nclass Binder\n{\n    readonly int _a;\n\n#if SPAN\n    public int Bind(Span<int> x)\n#else\n"
     "    public int Bind(int[] x)\n#endif\n    {\n        return 1;\n    }\n\n    int After() { return 2; }\n}\n",
     ["N", "Binder", "Binder._a", "Binder.Bind", "Binder.After"]),
    ("c", "int a;\n#ifdef ONE\nint\nbrew(int cups)\n#else\nint\npour(void)\n#endif\n{\n    return 1;\n}\n\nint after(void) { return 2; }\n",
     ["a", "brew", "after"]),
    ("c", "int a;\n#ifdef ONE\nint brew(void) { return 1; }\n#else\nint brew(void) { return 2; }\n#endif\n\nint after(void) { return 2; }\n",
     ["a", "brew", "brew", "after"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "names"), TWO_HEADS, ids=["methods", "functions", "whole functions stay two"])
def test_a_definition_with_two_heads_hides_nothing(language: str, source: str, names: list[str]) -> None:
    """A method with a head for each way to compile it took the class around it away."""
    found = extract(language, source.replace("\n", "\r\n" if language == "csharp" else "\n").encode())
    assert [symbol.qualified for symbol in found.symbols] == names
    assert [symbol.line for symbol in found.symbols if symbol.name in ("After", "after")] == [source[: source.lower().index("int after")].count("\n") + 1]

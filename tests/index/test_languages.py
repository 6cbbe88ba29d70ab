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

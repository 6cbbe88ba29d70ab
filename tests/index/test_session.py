"""What encloses a line is the same whether asked of the index line by line, for many at once, or of the file as it is now."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from iq.engine import Engine
from iq.index import store
from iq.index.session import Session

SOURCE = """\
import os

class Outer:
    limit = 3

    def first(self):
        def inner():
            return 1
        return inner

    def second(self): ...

def last():
    pass
"""
LINES = SOURCE.count("\n")


def indexed(root: Path, files: dict[str, str]) -> Session:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        os.utime(root / path, (1, 1))
    engine = Engine.open(root, cwd=str(root))
    engine.level()
    return engine.session


def fresh(root: Path) -> Session:
    return Engine.open(root, cwd=str(root)).session


@pytest.mark.parametrize("most", [1, 3, 400])
def test_many_at_once(most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PLACES", most)
    paths = ["a.py", "b/c.py", "größe.py", "plain.txt", "empty.py"]
    if sys.platform == "linux":
        paths.append(os.fsdecode(b"caf\xe9.py"))
    indexed(tmp_path, {path: "" if path == "empty.py" else SOURCE for path in paths})
    places = [(path, line) for line in range(LINES + 2) for path in paths] + [("nosuch.py", 3), ("a.py", 3)]
    alone, together, parsed = fresh(tmp_path), fresh(tmp_path), fresh(tmp_path)
    together.foresee(places)
    assert len(together._places) == len(set(places)) - 1
    monkeypatch.setattr(parsed, "peek", lambda: False)
    expected = [parsed.enclosing(*place) for place in places]
    assert [together.enclosing(*place) for place in places] == [alone.enclosing(*place) for place in places] == expected
    assert {symbol.qualified for symbol in expected if symbol} == {"Outer", "Outer.first", "Outer.first.inner", "Outer.second", "last"}


def test_of_a_file_that_has_changed_the_text_of_now_counts(tmp_path: Path) -> None:
    indexed(tmp_path, {"a.py": SOURCE, "b.py": SOURCE, "c.py": SOURCE})
    (tmp_path / "a.py").write_text("\n\n" + SOURCE.replace("first", "other"))
    (tmp_path / "b.py").unlink()
    session = fresh(tmp_path)
    session.foresee([("a.py", 8), ("b.py", 6), ("c.py", 6)])
    assert [symbol and symbol.qualified for symbol in (session.enclosing("a.py", 8), session.enclosing("b.py", 6), session.enclosing("c.py", 6))] == [
        "Outer.other", None, "Outer.first",
    ]  # fmt: skip


def test_what_was_foreseen_is_forgotten_with_what_is_known_of_the_tree(tmp_path: Path) -> None:
    indexed(tmp_path, {"a.py": SOURCE})
    session = fresh(tmp_path)
    session.foresee([("a.py", 6)])
    (tmp_path / "a.py").write_text(SOURCE.replace("first", "other"))
    session.renew()
    symbol = session.enclosing("a.py", 6)
    assert symbol and symbol.qualified == "Outer.other"


def test_without_an_index_nothing_is_foreseen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    session = fresh(tmp_path)
    session.foresee([("a.py", 6)])
    symbol = session.enclosing("a.py", 6)
    assert symbol and symbol.qualified == "Outer.first"

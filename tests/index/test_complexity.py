"""Branches, counted by hand: the same program in many languages, and the fallback by indentation."""

# ruff: noqa: E501
from __future__ import annotations

import pytest

from iq.index.complexity import COUNTED, branch_lines, deeper, measure
from iq.index.symbols import extract
from iq.index.text import lines
from iq.index.trees import parse

# if + and + or + else-if, a for with a while in it, a handler, a conditional expression, a case beside a default, a closing loop.
C_LIKE = "if (a && b || c) {{}} else if (d) {{}} else {{}} {loop} {{ while (z) {{}} }} {handler} int q = a ? 1 : 2; switch (a) {{ case 1: break; default: break; }} do {{}} while (x);"
TRY = "try {} catch (E e) {}"

ROWS = [
    ("python", "def f(a):\n    if a and b or c:\n        pass\n    elif d:\n        pass\n    else:\n        pass\n    for x in y:\n        while z:\n            pass\n"
     "    try:\n        pass\n    except E:\n        pass\n    q = 1 if a else 2\n    r = [x for x in y if x]\n    match a:\n        case 1: pass\n", 11),
    ("javascript", "function f(a) { if (a && b || c) {} else if (d) {} else {} for (let x of y) { while (z) {} } for (;;) {} try {} catch (e) {} "
     "const q = a ? 1 : 2; switch (a) { case 1: break; default: } do {} while (x); return a ?? b }", 12),
    ("go", "package p\nfunc f() { if a && b || c {\n} else if d {\n} else { }\nfor i := range x { }\nfor { }\nswitch a {\ncase 1:\ncase 2:\ndefault:\n}\nselect {\n"
     "case <-c:\ndefault:\n}\n}", 9),
    ("rust", "fn f() { if a && b || c {} else if d {} else {} for x in y { while z {} } loop {} match a { 1 => 2, _ => 3 }; }", 9),
    ("java", "class A { void f() { " + C_LIKE.format(loop="for (int x : y)", handler=TRY) + " } }", 10),
    ("c", "void f() { " + C_LIKE.format(loop="for (;;)", handler="") + " }", 9),
    ("cpp", "void f() { " + C_LIKE.format(loop="for (auto x : y)", handler=TRY) + " }", 10),
    ("csharp", "class A { void F() { " + C_LIKE.format(loop="foreach (var x in y)", handler=TRY) + " } }", 10),
    ("php", "<?php function f() { if ($a && $b || $c) {} elseif ($d) {} else {} foreach ($x as $y) { while ($z) {} } try {} catch (E $e) {} $q = $a ? 1 : 2; "
     "switch ($a) { case 1: break; default: } do {} while ($x); }", 10),
    ("ruby", "def f\n if a && b || c\n elsif d\n else\n end\n while z\n end\n x if y\n unless a\n end\n case a\n when 1\n else\n end\n begin\n rescue E\n end\n"
     " q = a ? 1 : 2\nend\n", 10),
    ("kotlin", "fun f() { if (a && b || c) {} else if (d) {} else {}\nfor (x in y) { while (z) {} }\ntry {} catch (e: E) {}\nwhen (a) { 1 -> {}\nelse -> {} }\n}", 8),
    ("swift", "func f() { if a && b || c {} else if d {} else {}\nfor x in y { while z {} }\ndo { } catch { }\nswitch a { case 1: break\ndefault: break }\n"
     "guard a else { return } }", 9),
    ("bash", "f() { if a && b || c; then :; elif d; then :; else :; fi; for x in y; do while z; do :; done; done; case a in 1) ;; *) ;; esac; }", 8),
    ("lua", "function f() if a and b or c then elseif d then else end for i=1,2 do while z do end end repeat until x end", 7),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "branches"), ROWS, ids=[row[0] for row in ROWS])
def test_branches_of_a_language(language: str, source: str, branches: int) -> None:
    tree = parse(language, source.encode())
    assert tree is not None and language in COUNTED
    assert len(branch_lines(language, source.encode(), tree)) == branches


def test_definitions_count_what_is_inside_them() -> None:
    source = "class A:\n    def f(self):\n        if x:\n            pass\n\n    def g(self):\n        return 1\n\n\nif main:\n    pass\n"
    tree = parse("python", source.encode())
    found = measure("python", source.encode(), tree, lines(source), extract("python", source.encode(), tree).symbols)
    assert found == ((0, "", 2), (1, "A", 1), (2, "A.f", 1))


def test_indentation_stands_in_where_no_branch_can_be_told() -> None:
    rows = ["defmodule A do", "  def f do", "    if a do", "", "      b", "    end", "  end", "\tx", "end"]
    assert deeper(rows) == [2, 3, 5, 8]
    assert measure("elixir", b"", None, rows, ()) == ((0, "", 4),)


def test_prose_and_data_do_not_branch() -> None:
    assert measure("markdown", b"", None, ["# if", "  deep", "    deeper"], ()) == ()
    assert measure("json", b"{}", parse("json", b"{}"), ["{}"], ()) == ()

"""`iq impact` and `iq map` as a person calls them, and over repositories in every unlucky state."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pygit2
import pytest

Make = Callable[..., "object"]

FILES = {
    "src/shop/__init__.py": "from .cart import Cart\n",
    "src/shop/cart.py": "from .money import total\n\n\nclass Cart:\n    def price(self):\n        return total([1])\n\n    def clear(self): ...\n",
    "src/shop/money.py": "def total(parts):\n    return sum(parts)\n\n\ndef unused(parts):\n    return parts\n",
    "src/shop/alone.py": "def lonely():\n    return 1\n",
    "tests/test_cart.py": "from shop import Cart\n\n\ndef test_price():\n    assert Cart().price() == 1\n",
    "tests/test_money.py": "from shop.money import total\n\n\ndef test_total():\n    assert total([]) == 0\n",
    "CHANGES.md": "# Changes\n",
}


@pytest.fixture
def shop(workspace: Make, commit: Callable[..., str]):  # type: ignore[no-untyped-def]
    """A small repository with a history: money and its test change together, the changelog with everything."""
    ws = workspace(FILES)
    commit(ws.root, FILES)
    for n in range(4):
        commit(
            ws.root,
            {
                "src/shop/money.py": FILES["src/shop/money.py"] + f"# {n}\n",
                "tests/test_money.py": FILES["tests/test_money.py"] + f"# {n}\n",
                "CHANGES.md": f"# {n}\n",
            },
        )
    return ws


def test_uncommitted_work_is_what_changed(shop) -> None:  # type: ignore[no-untyped-def]
    money = shop.root / "src/shop/money.py"
    money.write_text(money.read_text().replace("return sum(parts)", "return sum(parts) + 0"))
    code, out, err = shop.iq("impact")
    assert code == 0 and not err
    assert "modified: src/shop/money.py (total) · 2 importers" in out
    assert re.search(r"tests to run: tests/test_money.py", out)
    assert "call of total" in out and "src/shop/cart.py" in out
    assert "tests/test_money.py · test · 0." in out and "changed together before" in out
    assert "unused" not in out.split("tests to run")[0]


def test_a_named_file_a_definition_and_a_revision(shop) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = shop.iq("impact", "src/shop/cart.py")
    assert code == 0 and "named: src/shop/cart.py" in out and "import of src/shop/money.py" in out and "imports it, 1 step" in out
    code, out, _ = shop.iq("impact", "src/shop/cart.py::Cart.price")
    assert "(Cart.price)" in out and "call of Cart.price" in out
    code, out, _ = shop.iq("impact", "--diff", "HEAD~1")
    assert code == 0 and "modified: src/shop/money.py" in out and "CHANGES.md" in out
    code, out, _ = shop.iq("impact", "--diff", "HEAD~3..HEAD~1")
    assert code == 0 and "modified: tests/test_money.py" in out


def test_the_facade_is_seen_through(shop) -> None:  # type: ignore[no-untyped-def]
    """tests/test_cart.py imports the package, whose `__init__` passes Cart on."""
    _, out, _ = shop.iq("impact", "src/shop/cart.py", "--full")
    assert re.search(r"──── tests/test_cart.py ────\n +1 from shop import Cart +‹imports it through a facade, 1 step›", out)


def test_what_no_test_reaches_is_said(shop) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = shop.iq("impact", "src/shop/alone.py")
    assert "no test reaches: src/shop/alone.py" in out


def test_partners_that_have_not_changed_are_named(shop) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = shop.iq("impact", "src/shop/money.py")
    assert re.search(r"CHANGES.md · changes with it · 0.\d\d: .*changed together in 4 of 4 commits", out)


def test_nothing_changed(shop) -> None:  # type: ignore[no-untyped-def]
    code, out, err = shop.iq("impact")
    assert code == 1 and "nothing differs" in out and not err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["impact", "gone.py"], "is no file of the workspace"),
        (["impact", "src/shop/cart.py::Gone"], "defines no 'Gone'; it defines Cart"),
        (["impact", "--diff", "nonsense"], "is no revision of this repository"),
        (["impact", "--diff", "HEAD~99"], "is no revision of this repository"),
        (["impact", "--diff", "HEAD", "src/shop/cart.py"], "--diff names the change already"),
        (["impact", ".env"], "never surfaces"),
        (["map", "--html", "no/such/folder/x.html"], "cannot be written"),
        (["map", "--after", "nothing.py:1"], "is not in this answer"),
    ],
)
def test_what_cannot_be_met_says_why(shop, words: list[str], message: str) -> None:  # type: ignore[no-untyped-def]
    (shop.root / ".env").write_text("TOKEN=1\n")
    code, out, err = shop.iq(*words)
    assert code == 2 and message in err and not out and "Traceback" not in err


def test_no_repository(workspace: Make) -> None:
    ws = workspace({"a.py": "import b\n", "b.py": "def f(): ...\n"})
    code, _, err = ws.iq("impact")  # type: ignore[attr-defined]
    assert code == 2 and "no git repository here" in err and "iq impact src/app.py" in err
    code, out, _ = ws.iq("impact", "b.py")  # type: ignore[attr-defined]
    assert code == 0 and "nothing is known of what changed together" in out and "a.py" in out


def test_an_empty_repository_is_all_new(workspace: Make) -> None:
    ws = workspace({"a.py": "def f(): ...\n"})
    pygit2.init_repository(str(ws.root))  # type: ignore[attr-defined]
    code, out, _ = ws.iq("impact")  # type: ignore[attr-defined]
    assert "no commit yet" in out and "untracked: a.py (f)" in out and code in (0, 1)


def test_a_bare_parent_a_detached_head_and_a_subfolder(workspace: Make, commit: Callable[..., str], tmp_path: Path) -> None:
    ws = workspace({"sub/a.py": "def f(): ...\n", "other.py": "import sub.a\n"})
    root: Path = ws.root  # type: ignore[attr-defined]
    commit(root, {"sub/a.py": "def f(): ...\n", "other.py": "import sub.a\n"})
    last = commit(root, {"sub/a.py": "def f(): return 1\n", "sub/b.py": "x = 1\n"})
    repo = pygit2.Repository(str(root))
    repo.set_head(pygit2.Oid(hex=last))
    (root / "sub/a.py").write_text("def f(): return 2\n")
    _, out, _ = ws.iq("impact")  # type: ignore[attr-defined]
    assert f"detached at {last[:10]}" in out and "modified: sub/a.py (f)" in out
    code, out, err = ws.iq("impact", "--root", str(root / "sub"))  # type: ignore[attr-defined]
    assert code == 0 and "modified: a.py (f)" in out and "b.py" in out and not err
    bare = tmp_path / "bare.git"
    pygit2.init_repository(str(bare), bare=True)
    (bare / "x.py").write_text("y = 1\n")
    code, _, err = ws.iq("impact", "--root", str(bare))  # type: ignore[attr-defined]
    assert code == 2 and "Traceback" not in err


def test_a_broken_repository_a_submodule_and_names_that_are_no_utf8(workspace: Make, commit: Callable[..., str]) -> None:
    ws = workspace({"a.c": "int f(void) { return 1; }\n"})
    root: Path = ws.root  # type: ignore[attr-defined]
    odd = os.fsdecode(b"b\xff.c")
    commit(root, {"a.c": "int f(void) { return 1; }\n", odd: '#include "a.c"\n'})
    commit(root, {"a.c": "int f(void) { return 2; }\n", odd: '#include "a.c"\nint g;\n'})
    inner = pygit2.init_repository(str(root / "inner"))
    who = pygit2.Signature("A", "a@example.com", 1, 0)
    inner.create_commit("HEAD", who, who, "m", inner.index.write_tree(), [])
    (root / odd).write_text('#include "a.c"\nint h;\n')
    code, out, err = ws.iq("impact")  # type: ignore[attr-defined]
    assert code == 0 and "b\\xff.c" in out and "Traceback" not in err
    code, out, _ = ws.iq("impact", "--json", "a.c")  # type: ignore[attr-defined]
    assert json.loads(out)["items"]
    (root / ".git/HEAD").write_text("garbage")
    code, out, err = ws.iq("impact", "a.c")  # type: ignore[attr-defined]
    assert code == 0 and "Traceback" not in err and "git repository" in out


def test_secrets_in_the_change_never_show(shop, commit: Callable[..., str]) -> None:  # type: ignore[no-untyped-def]
    (shop.root / "deploy.pem").write_text("key")
    (shop.root / ".env").write_text("TOKEN=1")
    commit(shop.root, {"deploy.pem": "key2", "src/shop/alone.py": "def lonely():\n    return 2\n"})
    for words in (["impact"], ["impact", "src/shop/alone.py", "--full"], ["impact", "--diff", "HEAD~1"], ["map", "--full"]):
        _, out, err = shop.iq(*words)
        assert "pem" not in out + err and ".env" not in out + err


def test_a_deleted_file_names_those_that_still_import_it(shop) -> None:  # type: ignore[no-untyped-def]
    (shop.root / "src/shop/money.py").unlink()
    code, out, _ = shop.iq("impact")
    assert "deleted: src/shop/money.py" in out and "src/shop/cart.py" in out and code == 0


def test_a_map_fits_its_budget_and_goes_on(shop) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = shop.iq("map", "--budget", "300")
    assert code == 0 and len(out.encode()) <= 300 * 4
    assert out.index("src/shop/money.py ────") < out.index("src/shop/cart.py ────")
    assert "languages: python 6 files" in out and "src/shop/money.py (2)" in out
    _, out, _ = shop.iq("map", "--in", "tests")
    assert "test_money" in out and "def total" not in out


def test_what_is_left_of_a_map_is_counted_to_its_end(workspace: Make) -> None:
    """Only those that the budget had chosen and the printing then cut were counted: 5 of hundreds."""
    ws = workspace({f"m{at:02}.py": f"def work_number_{at:02}(first, second):\n    return first\n" for at in range(40)})
    _, out, _ = ws.iq("map", "--budget", "400")  # type: ignore[attr-defined]
    shown = re.findall(r"^──── (m\d+)\.py", out, re.MULTILINE)
    left = re.search(r"more: (\d+) files", out)
    assert left is not None and 0 < len(shown) < 30 and int(left[1]) == 39 - int(shown[-1][1:])


def test_the_page_holds_hostile_names_as_text(workspace: Make) -> None:
    """A file may be called `</script><img onerror=…>`: the page must not become another one."""
    hostile = "a<img src=x onerror=alert(1)>.py"
    ws = workspace({hostile: "import b\n", "b.py": "def f0(): ...\n", "</script><script>alert(1)</script>/c.py": "import b\n", "q\"'&\u2028.py": "import b\n"})
    code, _, err = ws.iq("map", "--html", "page.html")  # type: ignore[attr-defined]
    page = (ws.root / "page.html").read_text("utf-8")  # type: ignore[attr-defined]
    assert code == 0 and not err
    assert page.count("</script>") == 2 and "<img" not in page and "onerror=alert" in page
    assert not re.search(r"(?:src|href)\s*=\s*[\"']|https?://|@import|url\(", page)
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert hostile in [node[0] for node in data["nodes"]] and len(data["links"]) == 3


def test_a_map_of_nothing(workspace: Make) -> None:
    code, out, err = workspace().iq("map")  # type: ignore[attr-defined]
    assert code == 1 and "nothing found" in out and not err


def test_a_review_reads_the_risky_hunk_first(shop) -> None:  # type: ignore[no-untyped-def]
    """An untested file before a tested one; the changelog that goes with everything is asked for."""
    (shop.root / "src/shop/alone.py").write_text("def lonely(more):\n    return 1\n")
    (shop.root / "src/shop/money.py").write_text("def total(parts):\n    return sum(parts) + 0\n\n\ndef unused(parts):\n    return parts\n")
    code, out, err = shop.iq("review")
    assert code == 0 and not err
    assert out.index("lonely · ") < out.index("──── src/shop/money.py")
    assert "no test reaches it" in out and "an exported signature changed" in out
    assert "ask: how was src/shop/alone.py tried?" in out and "ask: should CHANGES.md change too? changed together in 4 of 4 commits" in out
    assert "other files that use total" in out


def test_a_review_leaves_what_programs_wrote_for_the_end_and_its_lines_out(shop) -> None:  # type: ignore[no-untyped-def]
    """Hunks of a lock file filled the first screen, since it usually changes with its manifest."""
    (shop.root / "poetry.lock").write_text("".join(f"[[package]]\nname = 'p{at}'\n\n\n\n\n\n" for at in range(40)))
    (shop.root / "src/shop/money.py").write_text("def total(parts):\n    return sum(parts) + 0\n")
    code, out, err = shop.iq("review")
    assert code == 0 and not err
    assert out.index("──── src/shop/money.py") < out.index("──── poetry.lock")
    assert out.count("[[package]]") == 1 and "[[package]]   ‹written by a program · 280 changed lines in 1 hunk›" in out
    assert "poetry.lock" not in "".join(row for row in out.splitlines() if row.startswith("ask: "))


def test_a_review_of_nothing_and_of_a_deletion(shop) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = shop.iq("review")
    assert code == 1 and "nothing differs" in out
    (shop.root / "src/shop/money.py").unlink()
    code, out, _ = shop.iq("review")
    assert code == 0 and "src/shop/money.py · deleted" in out and "still import" in out

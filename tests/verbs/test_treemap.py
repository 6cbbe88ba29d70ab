"""The page's own script, run: every file is drawn, areas are sizes, folders open and close, names stay names."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from iq.verbs.treemap import MARK, Leaf, page

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="no node: the script of the page cannot be run")
def test_the_script_draws_what_it_is_given(tmp_path: Path) -> None:
    leaves = [Leaf("src/a.py", 60, 9, "hot"), Leaf("src/b.py", 20, 1, "b"), Leaf("__proto__", 10, 3, "p"), Leaf("</script>", 10, 0, "\u2028<img>")]
    (tmp_path / "page.html").write_text(page("<b>title</b>", leaves), "utf-8")
    assert NODE is not None
    done = subprocess.run([NODE, str(Path(__file__).with_name("treemap.js")), str(tmp_path / "page.html")], capture_output=True, text=True, check=True)
    drawn = json.loads(done.stdout)
    assert drawn["title"] == "<b>title</b>" and drawn["most"] == "9"
    assert drawn["area"] == pytest.approx(1000 * 700)
    assert [name for name, _ in drawn["boxes"]] == ["src/a.py — hot", "src/b.py — b", "</script> — \\u2028<img>", "__proto__ — p"]
    assert len({colour for _, colour in drawn["boxes"]}) == 4
    assert (drawn["zoomed"], drawn["back"]) == (2, 3)


def test_nothing_in_the_data_can_end_the_script() -> None:
    text = page("</script><script>alert(1)</script>", [Leaf("<!--<script>", 1, 1, "&lt;"), Leaf("\ud800x\udcff", 1, 1, "\x00\x1b[31m")])
    assert text.startswith(MARK) and text.count("<script") == 2 and text.count("</script>") == 2
    assert "<!--<script>" not in text and "\x1b" not in text
    text.encode("utf-8")


def test_an_empty_map_is_a_page_too() -> None:
    assert '"files":[]' in page("nothing", [])

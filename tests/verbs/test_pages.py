"""The pages in a real browser, where one is installed: nothing goes wrong in them, and clicks do what they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from iq.verbs.treemap import Leaf, page

Make = Callable[..., "object"]

BROWSER = next((found for name in ("chromium", "chromium-browser", "google-chrome", "chrome") if (found := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium: the pages cannot be shown")


def shown(file: Path, script: str, profile: Path) -> tuple[str, str]:
    """The page's document after `script` ran at its end, and what the console says."""
    text = file.read_text("utf-8")
    at = text.rindex("</script>")
    file.write_text(text[:at] + script + text[at:], "utf-8")
    assert BROWSER is not None
    words = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--virtual-time-budget=9000", "--enable-logging=stderr"]
    done = subprocess.run([*words, "--dump-dom", file.as_uri()], capture_output=True, text=True, check=False, timeout=120, env={**os.environ, "LC_ALL": "C"})
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


def test_a_tree_map_opens_and_closes_folders(tmp_path: Path) -> None:
    leaves = [Leaf("src/deep/a.py", 60, 9, "hot"), Leaf("src/b.py", 20, 1, "b"), Leaf("top.py", 10, 3, "p")]
    (tmp_path / "map.html").write_text(page("title <b>", leaves), "utf-8")
    script = """
    const seen = [document.querySelectorAll(".file").length];
    document.querySelector(".folder").click();
    seen.push(document.querySelectorAll(".file").length, document.querySelector("nav").textContent);
    dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    seen.push(document.querySelectorAll(".file").length, document.querySelectorAll(".hot").length);
    document.title += " " + seen.join(",");
    """
    dom, console = shown(tmp_path / "map.html", script, tmp_path / "profile")
    assert not console
    assert "<title>title &lt;b&gt; 3,2,all/src,3,1</title>" in dom
    assert 'title="src/deep/a.py — hot"' in dom


def test_an_empty_tree_map_says_so(tmp_path: Path) -> None:
    (tmp_path / "map.html").write_text(page("nothing", []), "utf-8")
    dom, console = shown(tmp_path / "map.html", "dispatchEvent(new Event('resize'));", tmp_path / "profile")
    assert not console and dom.count("<p>No file that branches was changed") == 1


def test_a_graph_tells_what_a_file_imports(workspace: Make, tmp_path: Path) -> None:
    ws = workspace({"a.py": "import b\nimport c\n", "b.py": "import c\n", "c.py": "def something(): ...\n", "alone.py": "Y = 1\n"})
    code, _, err = ws.iq("map", "--html", "graph.html")  # type: ignore[attr-defined]
    assert code == 0, err
    script = """
    setTimeout(() => {
      choose(nodes.find(n => n.path === "b.py"));
      dark.onchange();
      const seen = (at, size) => at > 0 && at < size;
      const inside = nodes.every(n => seen(n.x * scale + ox, canvas.clientWidth) && seen(n.y * scale + oy, canvas.clientHeight));
      document.title += inside ? " all inside" : " some outside";
    }, 4000);
    """
    dom, console = shown(ws.root / "graph.html", script, tmp_path / "profile")  # type: ignore[attr-defined]
    assert not console
    assert re.search(r"<title>.*: import graph all inside</title>", dom)
    assert "4 files, 3 imports" in dom
    assert re.findall(r"<li>(.*?)</li>", dom) == ["a.py", "c.py"]
    assert "imported by (1)" in dom and "imports (1)" in dom

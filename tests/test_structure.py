"""What keeps the style without a reviewer: layers, light start-up, a complete README, a wheel that holds the package."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from iq.features import FEATURES
from iq.verbs import VERBS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")

# Imports run one way, downwards; names on one line never import each other.
LAYERS = (
    ("cli",), ("multi", "ahead", "parser"), ("engine",), ("flags",), ("verbs", "render"), ("host",),
    ("plan",), ("index",), ("models",), ("floor",), ("features",), ("types", "errors"), ("frozen",)
)  # fmt: skip
LEVEL = {name: at for at, row in enumerate(LAYERS) for name in row}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {name.split(".")[1] for name in found if name.startswith("iq.")}


@pytest.mark.parametrize("path", sorted((ROOT / "iq").rglob("*.py")), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_run_one_way(path: Path) -> None:
    own = path.relative_to(ROOT / "iq").parts[0].removesuffix(".py")
    for name in imports(path) - {own}:
        if own == "__init__":
            continue
        assert LEVEL[name] > LEVEL[own], f"{own} may not import {name}"


@pytest.mark.parametrize("path", sorted((ROOT / "iq").rglob("*.py")), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_modules_are_short_and_say_what_they_are_for(path: Path) -> None:
    source = path.read_text("utf-8")
    assert source.startswith('"""')
    assert source.count("\n") < 400


def test_every_verb_flag_and_feature_is_in_the_readme() -> None:
    for name in VERBS:
        assert f"iq {name}" in README, name
    for verb in VERBS.values():
        for flag, _ in verb.options:
            assert flag.partition("=")[0] in README, flag
    for feature in FEATURES:
        assert f"`{feature}`" in README, feature
    flags = "--in --lang --glob --not-glob --only --ignored --root --budget --limit -C --files-only --count --full --json --ndjson --after --explain --features"
    for flag in flags.split():
        assert flag in README, flag


def test_find_loads_nothing_heavy(tmp_path: Path) -> None:
    """`iq find` must not pay for what it does not use."""
    (tmp_path / "a.py").write_text("def f():\n    return needle\n")
    os.utime(tmp_path / "a.py", (1, 1))  # an index trusts only a time that lies behind
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from iq.cli import main; main(['index', 'status', '--root', {str(tmp_path)!r}])"
    subprocess.run([sys.executable, "-c", start], capture_output=True, check=True)
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from iq.cli import main; main(['find', 'needle', '--root', {str(tmp_path)!r}]);"
        "print(sorted(set(sys.modules) & {'numpy', 'rich', 'typer', 'onnxruntime', 'pygit2', 'tokenizers', 'asyncio', 'ast_grep_py', 'multiprocessing', "
        "'dataclasses', 'inspect', 'typing', 'pathlib', 'shutil', 'tree_sitter'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "‹f (function)›" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_wheel_holds_exactly_the_package(tmp_path: Path) -> None:
    builder = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    import zipfile

    (wheel,) = builder.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name and ".data" not in name} == {"iq"}
    assert any(name.endswith("data/scripts/iq") for name in names)
    assert any(name.endswith("queries/python.scm") for name in names) and "iq/index/schema.sql" in names

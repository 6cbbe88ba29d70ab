"""The strongest caller, callee and test of a definition."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from iq.index import edges
from iq.index.neighbours import Near, Neighbours, neighbours
from iq.index.session import Session
from iq.index.workspace import find

Make = Callable[..., object]

FILES = {
    "pkg/__init__.py": "from .core import run\n",
    "pkg/core.py": (
        "from .deep import load\n\n\n"
        "# run() is described here\n"
        "def run(x):\n    data = load(x)\n    x.get(1)\n    return finish(data)\n\n\n"
        "def finish(data):\n    return data\n\n\n"
        "class Engine:\n    def __init__(self):\n        self.x = 1\n"
    ),
    "pkg/deep.py": "def load(x):\n    return x\n\n\nclass Other:\n    def get(self): ...\n\n    def nobody(self): ...\n",
    "pkg/main.py": "from pkg import run\nfrom pkg.core import Engine\n\n\ndef go():\n    run(1)\n    run(2)\n    return Engine()\n",
    "examples/demo.py": "from pkg import run\nrun(1)\nrun(2)\nrun(3)\n",
    "tests/test_core.py": "from pkg.core import run\n\n\ndef test_run():\n    assert run(1)\n",
    "unrelated.py": "def run(): ...\nrun()\nrun()\n",
    os.fsdecode(b"caf\xe9.py"): "def run(): ...\n",
}


def asked(root: Path, path: str, name: str) -> Neighbours:
    session = Session(find(str(root), str(root)), str(root))
    store, _ = session.level()
    edges.ensure(store, session.root, os.path.join(session.workspace.local, "lock"))
    symbol = next(symbol for symbol in store.symbols_of(path) if symbol.qualified == name)
    found = neighbours(store, session.root, path, symbol)
    session.renew()
    return found


def test_one_of_each(workspace: Make) -> None:
    """A caller of the program before one of an example, though that calls more often; never a file that cannot mean it."""
    root: Path = workspace(FILES).root  # type: ignore[attr-defined]
    found = asked(root, "pkg/core.py", "run")
    assert found == Neighbours(Near("pkg/main.py", 6, "go"), Near("pkg/deep.py", 1, "load"), Near("tests/test_core.py", 5, "test_run"))
    assert str(found) == "called from pkg/main.py:6 · calls pkg/deep.py:1 · test tests/test_core.py:5"


def test_a_constructor_is_called_by_its_class(workspace: Make) -> None:
    root: Path = workspace(FILES).root  # type: ignore[attr-defined]
    assert asked(root, "pkg/core.py", "Engine.__init__").caller == Near("pkg/main.py", 8, "go")


def test_a_name_that_is_no_utf8_has_neighbours_too(workspace: Make) -> None:
    """Its stem cannot be bound as text; no test is looked for by it."""
    root: Path = workspace(FILES).root  # type: ignore[attr-defined]
    assert asked(root, os.fsdecode(b"caf\xe9.py"), "run").callee is None


def test_nobody_calls_it(workspace: Make) -> None:
    root: Path = workspace(FILES).root  # type: ignore[attr-defined]
    assert str(asked(root, "pkg/deep.py", "Other.nobody")) == ""


@pytest.mark.parametrize("name", ["a+b", "(", "\\", "x" * 5000, "ü"])
def test_no_name_is_an_error(workspace: Make, name: str) -> None:
    from dataclasses import replace

    root: Path = workspace(FILES).root  # type: ignore[attr-defined]
    session = Session(find(str(root), str(root)), str(root))
    store, _ = session.level()
    edges.ensure(store, session.root, os.path.join(session.workspace.local, "lock"))
    symbol = replace(store.symbols_of("pkg/core.py")[0], name=name)
    assert neighbours(store, session.root, "pkg/core.py", symbol).caller is None
    assert neighbours(store, session.root, "gone.py", symbol) == Neighbours()
    session.renew()


def test_a_hub_costs_no_more_than_the_files_that_may_be_read(workspace: Make) -> None:
    """500 importers: at most MAX_FILES are read. The bound is ten times what it takes, for a busy machine."""
    root: Path = workspace({"hub.py": "def hub(): ...\n", **{f"m{n}.py": "from hub import hub\nhub()\n" for n in range(500)}}).root  # type: ignore[attr-defined]
    asked(root, "hub.py", "hub")
    start = time.process_time()
    asked(root, "hub.py", "hub")
    assert time.process_time() - start < 2

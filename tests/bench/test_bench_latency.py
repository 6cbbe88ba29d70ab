"""The tree of the latency bench grows to the size asked for, and each size has a row."""

from __future__ import annotations

import json
from pathlib import Path

from bench import latency
from bench.corpora import place
from bench.datasets import load
from bench.engine import real


def test_a_row_a_size(tmp_path: Path) -> None:
    corpus = load(("semble",), ("click",))[0].corpus
    root = place(tmp_path, corpus)
    root.mkdir(parents=True)
    root.with_suffix(".json").write_text(json.dumps({"tree": corpus.tree, "source": "test", "exact": True, "reason": "", "absent": []}))
    for n in range(5):
        (root / f"m{n}.py").write_text("".join(f"def parse_{n}_{k}(words):\n    '''" + "word " * 100 + "'''\n    return words\n\n\n" for k in range(4)))
    said: list[str] = []
    table = latency.measure(tmp_path, real(), "-vectors", (30, 90), said.append)
    rows = [[int(cell) for cell in row.split("|")[1:3]] for row in said]
    assert [size for size, _ in rows] == sorted(size for size, _ in rows)
    assert 30 <= rows[0][0] < 60 and 90 <= rows[1][0] < 180
    assert table.count("\n") == 4

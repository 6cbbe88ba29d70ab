"""A page of tables and a chart, made from result files alone: nothing is run, so both can always be made again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.chart import Bar, Group, svg
from bench.results import Results, values
from bench.rivals import of_set
from bench.scoring import HEADLINES
from bench.stats import bootstrap
from bench.tables import DEFAULT, against, breakdown, capsules, corpora, headline, of, sets, table

# Rivals that a chart shows of each set; the tables hold all.
SHOWN_RIVALS = 4


def provenance(results: Results) -> str:
    models = ", ".join(f"{name} {sha[:12]}" for name, sha in sorted(results.models.items())) or "none"
    rows = [
        ["command", f"`{results.command}`"],
        ["commit", results.commit],
        ["models", models],
        ["tokenizer", results.tokenizer],
        ["seed", str(results.seed)],
        ["machine", f"{results.machine}, Python {results.python}"],
    ]
    return table(["run", ""], rows)


def section(results: Results) -> str:
    """All tables of one result file, empty ones left out."""
    parts = [provenance(results)]
    for name in sets(results):
        parts += [f"### {name}", headline(results, name)]
        if len(results.runs) > 1:
            parts += ["Against the first configuration:", against(results, name)]
        if text := capsules(results, name):
            parts += ["Targets shown within a budget of printed tokens, as an anchor or code (`shown`), and with code (`code`):", text]
        parts += [text for field in ("category", "repo") if (text := breakdown(results, name, field))]
    return "\n\n".join([*parts, "### Corpora", corpora(results)])


def chart(results: Results) -> str:
    """A group a set: each configuration on the set's figure, then its first rivals; a figure formed another way says so."""
    groups = []
    for name in sets(results):
        metric = HEADLINES[name][0]
        bars = []
        for run in results.runs:
            if scores := values(of(run, name), metric):
                spread = bootstrap(scores, results.seed)
                bars.append(Bar(f"iq {run.config or DEFAULT}", spread.mean, spread.low, spread.high))
        for rival in of_set(name, of(results.runs[0], name))[:SHOWN_RIVALS]:
            theirs = metric if metric in rival.figures else next(iter(rival.figures))
            bars.append(Bar(rival.name + ("" if theirs == metric else f", {theirs}"), rival.figures[theirs], ours=False))
        groups.append(Group(f"{name}: {metric}", tuple(bars)))
    return svg("Retrieval, mean over queries with 95 % intervals", groups)


def write(files: Sequence[tuple[str, Results]], folder: Path) -> tuple[Path, Path]:
    """tables.md with a section a file, and chart.svg of the first one."""
    page, picture = folder / "tables.md", folder / "chart.svg"
    text = ["# Runs", "Made by `iq-bench report` from the files beside it; what each figure means stands in `metrics.py`.", "![chart](chart.svg)"]
    for title, results in files:
        text += [f"## {title}", section(results)]
    folder.mkdir(parents=True, exist_ok=True)
    page.write_text("\n\n".join(text) + "\n", "utf-8")
    picture.write_text(chart(files[0][1]) + "\n", "utf-8")
    return page, picture

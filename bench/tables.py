"""Markdown tables of a run: per set, per category, per repository, per corpus, and one configuration against another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench.results import Results, Row, Run, mean, values
from bench.rivals import Rival, of_set, shown
from bench.scoring import BUDGETS, CAPSULE, HEADLINES
from bench.stats import Paired, bootstrap, compare, percentile

# What an empty spec is called in a table.
DEFAULT = "default"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column to the left, figures to the right."""
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(["---"] + ["---:"] * (len(header) - 1)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows])


def number(value: float | None) -> str:
    """Three digits, without the leading zero of a share: `.889`, `1.000`, `412` from a hundred on."""
    if value is None:
        return "–"
    if abs(value) >= 100:
        return f"{value:.0f}"
    text = f"{value:.3f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def signed(value: float) -> str:
    return ("+" if value >= 0 else "−") + number(abs(value))


def name(config: str) -> str:
    return f"`{config}`" if config else DEFAULT


def sets(results: Results) -> list[str]:
    """The sets that any configuration has rows of, in the order of HEADLINES."""
    present = {row.set for run in results.runs for row in run.rows}
    return [known for known in HEADLINES if known in present]


def of(run: Run, set_name: str) -> list[Row]:
    return [row for row in run.rows if row.set == set_name]


def headline(results: Results, set_name: str) -> str:
    """A row a configuration: its figures, the interval of the first, latency; rivals under it in the same columns."""
    metrics = HEADLINES[set_name]
    lines = []
    for run in results.runs:
        if run.skipped:
            lines.append([name(run.config), f"skipped: {run.skipped}"] + ["–"] * (len(metrics) + 3))
            continue
        rows = of(run, set_name)
        spread = bootstrap(values(rows, metrics[0]), results.seed)
        times = [row.ms for row in rows]
        lines.append(
            [name(run.config), str(len(rows)), number(spread.mean), f"{number(spread.low)}–{number(spread.high)}"]
            + [number(mean(rows, metric)) for metric in metrics[1:]]
            + [f"{percentile(times, 0.5):.1f}", f"{percentile(times, 0.95):.1f}"]
        )
    ran = next((of(run, set_name) for run in results.runs if not run.skipped), [])
    for rival in of_set(set_name, ran):
        figures = [number(rival.figures.get(metric)) for metric in metrics]
        lines.append([titled(rival), "published", figures[0], "–", *figures[1:], "–", "–"])
    return table(["configuration", "n", metrics[0], "95 %", *metrics[1:], "p50 ms", "p95 ms"], lines)


def capsules(results: Results, set_name: str) -> str:
    """Share of targets shown within each budget; empty where no capsule was printed."""
    lines = []
    for run in results.runs:
        rows = [row for row in of(run, set_name) if "tokens" in row.scores]
        if rows:
            lines.append([name(run.config), *(number(mean(rows, metric)) for metric in CAPSULE)])
    if not lines:
        return ""
    if set_name == "semble":
        rival, figures = shown()
        lines.append([rival, *["–"] * len(BUDGETS), *(number(figures[budget]) for budget in BUDGETS), "–"])
    return table(["configuration", *CAPSULE], lines)


def breakdown(results: Results, set_name: str, field: str) -> str:
    """The set's figure by `category` or `repo`: a row a configuration, a column a value with its number of queries.

    Rivals with figures by repository stand under ours, and ours are then given in each form that theirs have.
    """
    ran = [run for run in results.runs if not run.skipped]
    groups = sorted({getattr(row, field) for run in ran for row in of(run, set_name)})
    if len(groups) < 2:
        return ""
    rivals = [rival for rival in of_set(set_name, of(ran[0], set_name)) if rival.by_repo] if field == "repo" else []
    metrics = list(dict.fromkeys([HEADLINES[set_name][0], *(metric for rival in rivals for metric in rival.figures)]))
    lines = []
    for metric in metrics:
        for run in ran:
            found = [mean([row for row in of(run, set_name) if getattr(row, field) == group], metric) for group in groups]
            lines.append([name(run.config) + (f": {metric}" if len(metrics) > 1 else ""), *map(number, found)])
    lines += [[titled(rival), *(number(rival.by_repo.get(group)) for group in groups)] for rival in rivals]
    sizes = {group: sum(getattr(row, field) == group for row in of(ran[0], set_name)) for group in groups}
    return table([" / ".join(metrics), *(f"{group} ({sizes[group]})" for group in groups)], lines)


def titled(rival: Rival) -> str:
    return rival.name + (f" ({rival.note})" if rival.note else "")


def paired(before: Run, after: Run, set_name: str, metric: str, seed: int) -> Paired | None:
    """`after` against `before` on the queries both have the metric of; None where there are none."""
    first = {row.id: row.scores[metric] for row in of(before, set_name) if metric in row.scores}
    second = {row.id: row.scores[metric] for row in of(after, set_name) if metric in row.scores}
    both = [case for case in first if case in second]
    return compare([first[case] for case in both], [second[case] for case in both], seed) if both else None


def paired_row(label: str, value: float | None, found: Paired | None) -> list[str]:
    if found is None:
        return [label, number(value), *["–"] * 4]
    spread = f"{signed(found.delta.low)} … {signed(found.delta.high)}"
    return [label, number(value), signed(found.delta.mean), spread, f"{found.wins}/{found.losses}/{found.ties}", number(found.p)]


PAIRED_HEADER = ("Δ", "95 % of Δ", "won/lost/tied", "sign p")


def against(results: Results, set_name: str, labels: Sequence[str] = ()) -> str:
    """Every further configuration against the first, on the set's figure."""
    metric = HEADLINES[set_name][0]
    base, *others = results.runs
    lines = [[(labels or [name(base.config)])[0], number(mean(of(base, set_name), metric)), "–", "–", "–", "–"]]
    for at, run in enumerate(others, 1):
        label = labels[at] if labels else name(run.config)
        if run.skipped:
            lines.append([label, f"skipped: {run.skipped}", *["–"] * 4])
        else:
            lines.append(paired_row(label, mean(of(run, set_name), metric), paired(base, run, set_name, metric, results.seed)))
    return table(["configuration", metric, *PAIRED_HEADER], lines)


def corpora(results: Results) -> str:
    lines = [
        [f"{row.tree} {row.root}".strip(), row.source + ("" if row.exact else ", not the pin"), f"{row.seconds:.1f}", "built" if row.fresh else "brought level"]
        for row in results.corpora
    ]
    text = table(["corpus", "from", "index s", "index"], lines)
    return text + "".join(f"\n\nSkipped: {tree}: {why}" for tree, why in sorted(results.missing.items()))

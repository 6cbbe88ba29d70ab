"""Figures that others have published for the same queries, weighted as ours are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.datasets import DATA, rows
from bench.results import Row


@dataclass(frozen=True, slots=True)
class Rival:
    """A published configuration. `figures` go by the name of our metric that is formed the same way; `note` is what differs."""

    name: str
    figures: Mapping[str, float]
    by_repo: Mapping[str, float]
    note: str = ""


# octocode, benchmark/RESULTS.md of 2026-06-21, code.csv, jina-embeddings-v2-base-code; its MRR looks at 20 results.
# Its nDCG lets overlapping chunks count a target again, so a pipeline that returns such chunks is flattered by it: MRR
# and hits are the fairer columns.
OCTOCODE = tuple(
    Rival(name, {"published ndcg@10": ndcg, "span mrr@10": mrr, "span hit@10": hit}, {}, "MRR@20")
    for name, ndcg, mrr, hit in (
        ("octocode hybrid 30/70", 0.620, 0.572, 0.835),
        ("octocode vectors only", 0.528, 0.485, 0.717),
        ("octocode hybrid + bge-reranker-base", 0.524, 0.499, 0.630),
    )
)

# cqs, README v1.50.0, over 218 queries, of which this set is the development half (109).
CQS = (Rival("cqs, EmbeddingGemma-300m + SPLADE", {"span recall@1": 0.472, "span recall@5": 0.707, "span recall@20": 0.867}, {}, "all 218 queries"),)

# Tools that rank files; all other published methods rank chunks.
RANK_FILES = ("colgrep", "grepai", "probe", "ripgrep-fixed")


def semble(ours: Sequence[Row]) -> tuple[Rival, ...]:
    """Published nDCG@10 per repository, weighted by the queries that `ours` holds of it; best first.

    A method without a figure for one of the repositories is left out, since its mean would be over other queries.
    """
    weights = Counter(row.repo for row in ours if row.set == "semble")
    methods: dict[str, dict[str, float]] = {}
    for row in rows("semble/published-per-repo.jsonl"):
        methods.setdefault(row["method"], {})[row["repo"]] = row["ndcg10"]
    rivals = [
        Rival(
            name=method,
            figures={"file ndcg@10" if method in RANK_FILES else "chunk ndcg@10": sum(figures[repo] * n for repo, n in weights.items()) / weights.total()},
            by_repo={repo: figures[repo] for repo in weights},
            note="ranks files" if method in RANK_FILES else "ranks chunks",
        )
        for method, figures in methods.items()
        if weights and weights.keys() <= figures.keys()
    ]
    return tuple(sorted(rivals, key=lambda rival: (-max(rival.figures.values()), rival.name)))


def shown() -> tuple[str, Mapping[int, float]]:
    """semble's share of targets inside the chunks that fit a budget of tokens, over all its 1,251 queries."""
    published = json.loads((DATA / "semble/published-token-efficiency.json").read_text("utf-8"))
    return "semble (published, all 1,251 queries)", {int(budget): value for budget, value in published["recall_at_budget"]["semble"].items()}


def of_set(name: str, ours: Sequence[Row]) -> tuple[Rival, ...]:
    """The rivals of a set; `ours` are our rows of it, whose repositories weight those published by repository."""
    if name == "semble":
        return semble(ours)
    return {"octocode": OCTOCODE, "cqs": CQS}.get(name, ())

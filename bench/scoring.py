"""What each set measures: from one answered case to named scores, and which of them stands for the set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bench import metrics
from bench.datasets import Case
from bench.metrics import Unit

Scores = dict[str, float]
Scorer = Callable[[Case, Sequence[Unit], Sequence[Unit]], Scores]

# The first is the set's figure: the one compared, ablated and drawn. The others stand beside it in its table.
HEADLINES: Mapping[str, tuple[str, ...]] = {
    "semble": ("file ndcg@10", "chunk ndcg@10", "recall@1", "recall@5", "recall@10", "mrr@10"),
    "iq-bench": ("file ndcg@10", "anchor ndcg@10", "recall@1", "recall@5", "recall@10", "mrr@10"),
    "exact": ("anchor recall@5", "anchor recall@1", "anchor recall@10", "anchor mrr@10", "anchor ndcg@10"),
    "commitloc": ("file ndcg@10", "recall@1", "recall@5", "recall@10", "mrr@10"),
    "octocode": ("span ndcg@10", "published ndcg@10", "span hit@5", "span hit@10", "span mrr@10", "span recall@5", "span recall@10"),
    "cqs": ("span recall@5", "span recall@1", "span recall@20", "span mrr@10"),
    "swebench": ("file acc@5", "file acc@1", "file acc@3", "file acc@10", "span acc@5", "span acc@10"),
    "intent-code": ("span hit@1", "span ndcg@10", "span mrr@10"),
    "noanswer": ("weak",),
    "paraphrase": ("file recall@10", "span recall@10", "file mrr@10"),
}

# Budgets of the printed capsule, in tokens, of semble's token-efficiency table.
BUDGETS = (500, 1000, 2000)
CAPSULE = (*(f"shown@{budget}" for budget in BUDGETS), *(f"code@{budget}" for budget in BUDGETS), "tokens")
# Sets whose capsules are printed and read. Printing costs a second answer and one rendering a budget.
PRINTED = ("semble", "iq-bench")


def by_file(case: Case, files: Sequence[Unit], chunks: Sequence[Unit]) -> Scores:
    """Retrieval of whole files: each once, spans not looked at."""
    wanted = metrics.as_files(case.targets)
    units = metrics.files_once(files)
    return {
        "file ndcg@10": metrics.ndcg(units, wanted),
        **{f"recall@{k}": metrics.recall(units, wanted, k) for k in (1, 5, 10)},
        "mrr@10": metrics.mrr(units, wanted),
    }


def semble(case: Case, files: Sequence[Unit], chunks: Sequence[Unit]) -> Scores:
    """File-once, and the published form: the first ten chunks, spans enforced where a target has one."""
    return {**by_file(case, files, chunks), "chunk ndcg@10": metrics.ndcg(chunks, case.targets)}


def iq_bench(case: Case, files: Sequence[Unit], chunks: Sequence[Unit]) -> Scores:
    """File-once, and the set's own form, where the anchors have to be met."""
    return {**by_file(case, files, chunks), "anchor ndcg@10": metrics.ndcg_anchors(files, case.targets)}


def exact(case: Case, files: Sequence[Unit], chunks: Sequence[Unit]) -> Scores:
    """The answer's own units (`engine.answer_units`), anchors enforced."""
    return {
        **{f"anchor recall@{k}": metrics.recall(files, case.targets, k) for k in (1, 5, 10)},
        "anchor mrr@10": metrics.mrr(files, case.targets),
        "anchor ndcg@10": metrics.ndcg_anchors(files, case.targets),
    }


def octocode(case: Case, files: Sequence[Unit], chunks: Sequence[Unit]) -> Scores:
    return {
        "span ndcg@10": metrics.ndcg_graded(chunks, case.targets),
        "published ndcg@10": metrics.ndcg_octocode(chunks, case.targets),
        **{f"span hit@{k}": metrics.hit(chunks, case.targets, k) for k in (5, 10)},
        **{f"span recall@{k}": metrics.recall(chunks, case.targets, k) for k in (5, 10)},
        "span mrr@10": metrics.mrr(chunks, case.targets),
    }


def cqs(case: Case, files: Sequence[Unit], chunks: Sequence[Unit]) -> Scores:
    return {
        **{f"span recall@{k}": metrics.recall(chunks, case.targets, k) for k in (1, 5, 20)},
        "span mrr@10": metrics.mrr(chunks, case.targets),
    }


def swebench(case: Case, files: Sequence[Unit], chunks: Sequence[Unit]) -> Scores:
    """File level as LocAgent and SweRank score it; span level asks for every patched run of lines."""
    wanted = metrics.as_files(case.targets)
    units = metrics.files_once(files)
    return {
        **{f"file acc@{k}": metrics.accuracy(units, wanted, k) for k in (1, 3, 5, 10)},
        **{f"span acc@{k}": metrics.accuracy(chunks, case.targets, k) for k in (5, 10)},
    }


def intent_code(case: Case, files: Sequence[Unit], chunks: Sequence[Unit]) -> Scores:
    return {
        "span hit@1": metrics.hit(chunks, case.targets, 1),
        "span ndcg@10": metrics.ndcg(chunks, case.targets),
        "span mrr@10": metrics.mrr(chunks, case.targets),
    }


def paraphrase(case: Case, files: Sequence[Unit], chunks: Sequence[Unit]) -> Scores:
    """Whether the definition's file, and a span that meets it, are among the first ten."""
    wanted = metrics.as_files(case.targets)
    units = metrics.files_once(files)
    return {
        "file recall@10": metrics.recall(units, wanted, 10),
        "span recall@10": metrics.recall(chunks, case.targets, 10),
        "file mrr@10": metrics.mrr(units, wanted),
    }


SCORERS: Mapping[str, Scorer] = {
    "semble": semble,
    "iq-bench": iq_bench,
    "exact": exact,
    "commitloc": by_file,
    "octocode": octocode,
    "cqs": cqs,
    "swebench": swebench,
    "intent-code": intent_code,
    "paraphrase": paraphrase,
}

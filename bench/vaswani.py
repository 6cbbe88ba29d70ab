"""Are BM25 and RM3 of iq the ones of the literature? Checked on the Vaswani collection against Anserini's output.

Anserini 0.22.1 (Lucene 9) ran the same 93 queries over the same 11,429 abstracts; its analysed query terms, feedback
terms and top 20 are in `datasets/vaswani`. The functions under test get the collection as postings and lengths, so they
are the ones that run over code, with nothing of the index between.

What "the same settings" takes, found by fitting the reference: Lucene's idf ln(1 + (N − df + .5)/(df + .5)) without the
factor k1 + 1, lengths in one byte (exact below 40); for RM3 terms of 2 to 20 letters in at most a tenth of the documents,
each feedback document cut to its 10 most frequent terms before it is normalised, weighted by its raw score.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.datasets import DATA, rows
from bench.metrics import average_precision
from bench.porter import stem

# Anserini's settings for the run (PROVENANCE.md), and trec_eval's depth.
K1, B = 0.9, 0.4
FEEDBACK_DOCUMENTS, FEEDBACK_TERMS, ORIGINAL_WEIGHT = 10, 10, 0.5
DEPTH = 1000

# What Anserini reaches, from PROVENANCE.md, and how near is the same.
MAP_BM25, MAP_RM3 = 0.2856, 0.2955
MAP_TOLERANCE = 0.005
TERM_AGREEMENT = 0.90

# Lucene's English stop words (EnglishAnalyzer.ENGLISH_STOP_WORDS_SET).
STOP = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of", "on", "or", "such",
        "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Collection:
    """`postings`: term -> document -> how often, and `counts` the other way round; `lengths`: document -> terms, stop words not counted."""

    postings: Mapping[str, Mapping[str, int]]
    counts: Mapping[str, Mapping[str, int]]
    lengths: Mapping[str, int]

    @property
    def average(self) -> float:
        return sum(self.lengths.values()) / len(self.lengths)


@dataclass(frozen=True, slots=True)
class Reference:
    """What Anserini made of one query: analysed terms, feedback terms with weights, the top 20 of each run with scores."""

    id: str
    terms: Mapping[str, float]
    feedback: Mapping[str, float]
    bm25: tuple[tuple[str, float], ...]
    rm3: tuple[tuple[str, float], ...]


Ranked = Sequence[tuple[str, float]]

# (weighted query terms, collection, k1, b) -> documents with scores, best first, ties by document number.
Bm25 = Callable[[Mapping[str, float], Collection, float, float], Ranked]
# (query terms, first ranking, collection, feedback documents, feedback terms, weight of the original) -> weighted terms.
Expand = Callable[[Mapping[str, float], Ranked, Collection, int, int, float], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Check:
    """`agreement` is the share of Anserini's feedback terms that are ours too, over all queries."""

    map_bm25: float
    map_rm3: float
    agreement: float

    @property
    def passes(self) -> bool:
        return abs(self.map_bm25 - MAP_BM25) <= MAP_TOLERANCE and abs(self.map_rm3 - MAP_RM3) <= MAP_TOLERANCE and self.agreement >= TERM_AGREEMENT


def analyse(text: str) -> list[str]:
    """Lower case, runs of letters and digits, possessive 's off, Lucene's stop words out, Porter stems."""
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text.lower())
    return [stem(word) for word in (re.sub(r"['’]s$", "", word) for word in words) if word not in STOP]


def collection() -> Collection:
    postings: dict[str, dict[str, int]] = {}
    counts: dict[str, Counter[str]] = {}
    lengths: dict[str, int] = {}
    with gzip.open(DATA / "vaswani/docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            terms = analyse(row["text"])
            lengths[row["id"]] = len(terms)
            counts[row["id"]] = Counter(terms)
            for term, count in counts[row["id"]].items():
                postings.setdefault(term, {})[row["id"]] = count
    return Collection(postings, counts, lengths)


def queries() -> Mapping[str, str]:
    return {row["id"]: row["query"] for row in rows("vaswani/queries.jsonl")}


def qrels() -> Mapping[str, frozenset[str]]:
    """Query -> its relevant documents."""
    relevant: dict[str, set[str]] = {}
    for line in (DATA / "vaswani/qrels.tsv").read_text("utf-8").splitlines():
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            relevant.setdefault(query, set()).add(document)
    return {query: frozenset(found) for query, found in relevant.items()}


def reference() -> tuple[Reference, ...]:
    return tuple(
        Reference(row["id"], row["terms"], row["rm3_terms"], pairs(row["bm25_k0.9_b0.4"]), pairs(row["bm25_rm3"]))
        for row in rows("vaswani/anserini-0.22.1.jsonl")
    )


def pairs(ranked: Sequence[Sequence]) -> tuple[tuple[str, float], ...]:
    return tuple((str(document), float(score)) for document, score in ranked)


def mean_average_precision(runs: Mapping[str, Ranked], depth: int = DEPTH) -> float:
    """MAP over the judged queries; one that was not run counts 0."""
    judged = qrels()
    return sum(average_precision([document for document, _ in runs.get(query, ())[:depth]], relevant) for query, relevant in judged.items()) / len(judged)


def check(bm25: Bm25, expand: Expand) -> Check:
    """Runs both over all queries with Anserini's settings. The terms are ours: `analyse` is held to Anserini's by a test."""
    documents = collection()
    plain: dict[str, Ranked] = {}
    expanded: dict[str, Ranked] = {}
    shared = wanted = 0
    for row in reference():
        terms = {term: float(count) for term, count in Counter(analyse(queries()[row.id])).items()}
        plain[row.id] = bm25(terms, documents, K1, B)
        weights = expand(terms, plain[row.id], documents, FEEDBACK_DOCUMENTS, FEEDBACK_TERMS, ORIGINAL_WEIGHT)
        expanded[row.id] = bm25(weights, documents, K1, B)
        theirs, ours = fed(row.feedback, row.terms), fed(weights, terms)
        shared += len(theirs & ours)
        wanted += len(theirs)
    return Check(mean_average_precision(plain), mean_average_precision(expanded), shared / wanted)


def fed(weights: Mapping[str, float], terms: Mapping[str, float]) -> frozenset[str]:
    """The terms that feedback added or raised above their share of the original query.

    1e-5 only absorbs rounding: the smallest weight that feedback adds in the reference is .0129.
    """
    total = sum(terms.values())
    return frozenset(term for term, weight in weights.items() if weight - ORIGINAL_WEIGHT * terms.get(term, 0.0) / total > 1e-5)


def text(found: Check) -> str:
    return "\n".join(
        [
            f"BM25       MAP {found.map_bm25:.4f}, Anserini {MAP_BM25:.4f}, within {MAP_TOLERANCE}",
            f"BM25 + RM3 MAP {found.map_rm3:.4f}, Anserini {MAP_RM3:.4f}, within {MAP_TOLERANCE}",
            f"feedback terms shared {found.agreement:.1%}, at least {TERM_AGREEMENT:.0%}",
            "passes" if found.passes else "FAILS",
        ]
    )

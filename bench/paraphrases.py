"""The words that a question of `paraphrase` must not use: all terms of the definition that answers it, of its path and of its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bench.datasets import rows
from iq.index import text
from iq.index.tokens import query_terms, terms

QUERIES = "paraphrase/queries.jsonl"

# id -> those terms, sorted, so that the rule is held without the repositories.
TARGETS = "paraphrase/targets.jsonl"


def kept() -> dict[str, frozenset[str]]:
    return {row["id"]: frozenset(row["terms"].split()) for row in rows(TARGETS)}


def read(tree: Path, row: Mapping) -> frozenset[str]:
    """The terms of a row's target in a checked-out corpus. Raises ValueError where the lines do not hold its name."""
    decoded = text.decode((tree / row["path"]).read_bytes())
    body = "\n".join(text.lines(decoded.content)[row["start"] - 1 : row["end"]]) if decoded else ""
    if row["symbol"].rpartition(".")[2] not in body:
        raise ValueError(f"{row['id']}: {row['path']}:{row['start']}-{row['end']} does not hold '{row['symbol']}'")
    return frozenset(terms(f"{body} {row['path']} {row['symbol']}").split())


def shared(query: str, target: frozenset[str]) -> list[str]:
    """The terms of a question, stop words out, that its target holds."""
    return [term for term in query_terms(query) if term in target]

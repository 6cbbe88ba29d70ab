"""Does anything here answer the question? Probabilities of a cross-encoder for the first files: they gate, they never order.

As the order they cost .135 nDCG@10, as a vote of weight 1 .043 (prototype, 241 queries); over the first files their best tells
questions about something else from answerable ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from iq.floor.paths import floored
from iq.index import live, text
from iq.index.store import Store, to_db
from iq.index.tokens import parts
from iq.models import files, reranker
from iq.models.files import ModelError
from iq.models.reranker import Reranker
from iq.types import Candidate, Ranking

# Files read, and tokens of question and passage together. They bound the latency: 15 ms a file at 128 tokens, 40 at 256. Off-topic
# questions (97 against 121 answerable ones over six repositories) are told apart by the best of the first 3, 5 or 10 with AUC .991,
# .990, .990 at 128 tokens, .983 at 64, .990 at 256; by the first alone with .981.
DEPTH = 5
TOKENS = 128

# A question is cut here (characters), so that half of the tokens stay for the passage.
QUESTION = 240

# Lines of code taken into a passage: 128 tokens are seldom more.
LINES = 20

_LETTER = re.compile(r"\w")


def rerank(store: Store, question: str, ranking: Ranking, given: Reranker | None = None) -> Ranking:
    """The ranking as it is, with a probability `rerank` among the boosts of each of the first files; a note where there is no model.

    Files that are gone or no text get none.
    """
    if not ranking.files:
        return ranking
    if given is None and not files.present("reranker"):
        return replace(ranking, notes=(*ranking.notes, f"no reranker, so the answer is unjudged; `{files.REMEDY}` brings it"))
    model = given or reranker.loaded()
    if isinstance(model, str):
        return replace(ranking, notes=(*ranking.notes, f"{model}; the answer is unjudged"))
    read = [(candidate.path, passage(store, candidate)) for candidate in ranking.files[:DEPTH]]
    read = [(path, body) for path, body in read if body]
    try:
        found = model.score(question[:QUESTION], [body for _, body in read], TOKENS) if read else []
    except ModelError as error:
        return replace(ranking, notes=(*ranking.notes, f"{error}; the answer is unjudged"))
    worth = {path: value for (path, _), value in zip(read, found, strict=True)}
    return replace(ranking, files=_with(ranking.files, worth), chunks=_with(ranking.chunks, worth))


def _with(candidates: Sequence[Candidate], worth: dict[str, float]) -> tuple[Candidate, ...]:
    return tuple(replace(c, boosts={**c.boosts, "rerank": worth[c.path]}) if c.path in worth else c for c in candidates)


def passage(store: Store, candidate: Candidate) -> str:
    """A candidate as a reader of natural words sees it best: split name, first line of its documentation, words of the path, code."""
    root = store.meta("root")
    # The index holds no floored path; this keeps it so whatever hands in candidates.
    loaded = live.load(root, candidate.path) if root and not floored(candidate.path) else None
    if loaded is None:
        return ""
    start = max(candidate.start, 1)
    rows = text.lines(loaded.content)[start - 1 : candidate.end if candidate.start else LINES]
    name = candidate.symbol.rpartition(".")[2]
    row = store.db.execute(
        "SELECT s.doc FROM symbols s JOIN files f ON f.id = s.file WHERE f.path = ? AND s.name = ? AND s.line <= ? AND s.end >= ? ORDER BY s.line DESC",
        (to_db(candidate.path), name, max(candidate.end, start), start),
    ).fetchone()
    doc = str(row[0]).strip().splitlines() if row else []
    head = [" ".join(parts(word)) for word in candidate.symbol.split(".") if word]
    words = " ".join(part for word in re.findall(r"\w+", candidate.path.rpartition(".")[0]) for part in parts(word))
    code = [row.strip() for row in rows if _LETTER.search(row)][:LINES]
    return "\n".join(filter(None, (" ".join(head), doc[0] if doc else "", words, *code)))

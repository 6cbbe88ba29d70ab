"""The stages that can be switched off, and the specs that switch them.

A spec lists names: `bm25,symbols` means only those; `-rm3,-pathrules` means the defaults without those; `+rm3` adds one
to the defaults. Read in one place, `plan.route`; every later stage sees only a Plan.
"""

from __future__ import annotations

from iq.errors import UsageError

# name -> (on by default, what it does)
FEATURES: dict[str, tuple[bool, str]] = {
    "symbols": (True, "symbol table leg: definitions whose name matches"),
    "paths": (True, "path leg: files whose path matches"),
    "bm25": (True, "FTS5 leg over chunks and whole files"),
    "bm25f": (True, "fielded BM25 re-scoring of the candidates"),
    "vectors": (True, "vector leg: chunks whose meaning is near; needs the embedder"),
    "rm3": (True, "pseudo-relevance feedback where the first pass finds little"),
    "scoresum": (True, "order by sums of normalised scores; off, reciprocal ranks decide the order too"),
    "coherence": (True, "a file's second and third best units count beside its best one"),
    "wholefile": (True, "a file's whole text counts beside its units"),
    "saturation": (True, "each span listed of a file lowers the file's next"),
    "ownscore": (True, "a span's own score counts beside that of its file"),
    "pack": (True, "each further place of a file is printed later than its worth alone would have it; orders no ranking"),
    "pathrules": (True, "terms for a path that says what the question says"),
    "defrules": (True, "terms for a definition whose name the question holds"),
    "graph": (True, "terms for files that many others import"),
    "twins": (True, "factors on platform copies and older versions beside their twin"),
    "intent": (True, "an intent, declared or inferred, that changes which files answer and which syntax speaks for them"),
    "rerank": (False, "cross-encoder's probability that the first files answer; orders nothing"),
    "verdict": (True, "how far an answer can be trusted: confident, ambiguous, weak or unjudged; orders nothing"),
    "classprior": (True, "factors on the class of a file: code questions are answered by code"),
}

DEFAULTS = frozenset(name for name, (on, _) in FEATURES.items() if on)


def parse(spec: str | None) -> frozenset[str]:
    """The features a spec leaves on; an empty spec means the defaults. Raises UsageError on an unknown name."""
    words = [word.strip() for word in (spec or "").split(",") if word.strip()]
    for word in words:
        if word.lstrip("+-") not in FEATURES:
            raise UsageError(f"unknown feature '{word.lstrip('+-')}'; known: {', '.join(FEATURES)}")
    bare = [word for word in words if word[0] not in "+-"]
    chosen = set(bare) if bare else set(DEFAULTS)
    for word in words:
        if word[0] == "-":
            chosen.discard(word[1:])
        elif word[0] == "+":
            chosen.add(word[1:])
    return frozenset(chosen)

"""Models that need no files: an embedder of hashed words that counts what it is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy

WIDTH = 32


@dataclass
class Hashed:
    """Each word is a fixed random direction; a text the mean of its words. Fails at passage number `fails_at`, if given."""

    space: str = "hashed"
    seen: list[str] = field(default_factory=list)
    fails_at: int | None = None

    def embed(self, texts: Sequence[str], query: bool = False) -> numpy.ndarray:
        rows = []
        for text in texts:
            if not query and text != "width":
                self.seen.append(text)
                if self.fails_at is not None and len(self.seen) > self.fails_at:
                    raise KeyboardInterrupt
            rows.append(sum((_direction(word) for word in re.findall(r"[a-z]+", text.lower())), numpy.full(WIDTH, 1e-3)))
        found = numpy.array(rows, numpy.float32).reshape(len(rows), WIDTH)
        return found / numpy.linalg.norm(found, axis=1, keepdims=True)


def _direction(word: str) -> numpy.ndarray:
    return numpy.random.default_rng(int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")).standard_normal(WIDTH)

"""The text of a chunk as an embedder reads it, and the hash that names it in the cache."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

# A passage is cut here before it is hashed (characters): more than any 256 tokens of code.
MAX = 3000


def passage(path: str, symbol: str, rows: Sequence[str]) -> str:
    """`path § qualified symbol`, then the lines. Without that header nDCG@10 falls by .03 to .06 (prototype, 241 queries)."""
    head = f"{path} § {symbol}" if symbol else path
    return (head + "\n" + "\n".join(row.rstrip() for row in rows))[:MAX]


def name(text: str) -> bytes:
    """16 bytes that stand for a passage."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()

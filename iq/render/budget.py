"""How many tokens is a text? An estimate that needs no tokenizer.

One token is taken as four bytes of UTF-8: what the common BPE vocabularies reach on source code within about a tenth,
with prose a little below and dense symbols a little above. The budget is hard in this unit.
"""

from __future__ import annotations

BYTES_PER_TOKEN = 4


def tokens(text: str) -> int:
    """Estimated tokens of a text, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def clip(text: str, limit: int) -> str:
    """The longest start of a text that is within `limit` tokens."""
    if tokens(text) <= limit:
        return text
    return text.encode("utf-8", "surrogatepass")[: max(0, limit) * BYTES_PER_TOKEN].decode("utf-8", "ignore")

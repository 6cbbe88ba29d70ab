"""iq's own scoring in the form that the Vaswani check calls: the one place to change when their signatures do."""

from __future__ import annotations

from bench.vaswani import Bm25, Expand


def scoring() -> tuple[Bm25, Expand]:
    """Raises LookupError where iq does not have them."""
    try:
        from iq.plan.rm3 import expand  # type: ignore[import,unused-ignore]
        from iq.plan.score import bm25  # type: ignore[import,unused-ignore]
    except ImportError as error:
        raise LookupError(f"iq has no {error.name} to check; bench/plugged.py says what is called") from error
    return bm25, expand

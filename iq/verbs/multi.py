"""Verbs whose answer is no single Answer; the command line runs them itself."""

from __future__ import annotations

from iq.errors import UsageError
from iq.index.session import Session
from iq.types import Answer, Request


def run(session: Session, request: Request) -> Answer:
    """Raises UsageError: an engine is asked for the single calls."""
    raise UsageError(f"'{request.verb}' is for the command line; ask for its calls one by one")

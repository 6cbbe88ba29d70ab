"""`iq agent install|remove [FILE…]`: tells the coding agents of a workspace about iq, or takes that back."""

from __future__ import annotations

from iq.errors import UsageError
from iq.host import agent
from iq.index.session import Session
from iq.types import Answer, Coverage, Item, Request


def run(session: Session, request: Request) -> Answer:
    """Raises UsageError for an unknown action or file, or a file that cannot be changed safely."""
    action, files = request.words[0], request.words[1:]
    if action not in ("install", "remove"):
        raise UsageError(f"unknown action '{action}'; known: install, remove")
    done = (agent.install if action == "install" else agent.remove)(session.root, tuple(files))
    items = tuple(Item(path, 0, 0, "", said) for path, said in done)
    note = "agents read these files when they start" if action == "install" else "nothing was there to take out" if not done else "everything else is as it was"
    return Answer("agent", " ".join(request.words), "agent", items, max(1, len(items)), len(items), Coverage(), (note,), unit="")

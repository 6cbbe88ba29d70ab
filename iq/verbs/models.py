"""`iq models install|status|path`: the models that vectors and the verdict need, which no question ever fetches."""

from __future__ import annotations

import os

from iq.errors import IqError, UsageError
from iq.index.session import Session
from iq.models import files
from iq.models.files import ModelError
from iq.types import Answer, Coverage, Item, Request


def run(session: Session, request: Request) -> Answer:
    """Raises UsageError for an unknown action, IqError where an install fails."""
    action = request.text or "status"
    items: tuple[Item, ...] = ()
    notes: list[str] = []
    if action == "path":
        items = (Item(files.folder(), 0, 0),)
    elif action == "status":
        notes = [_state(role) for role in files.ROLES]
    elif action == "install":
        from iq.models.install import install

        source = request.options.get("from")
        try:
            notes = install(os.path.join(session.cwd, str(source)) if source else None)
        except ModelError as error:
            raise IqError(str(error)) from error
    else:
        raise UsageError(f"unknown action '{action}'; known: install, status, path")
    found = 1 if action != "status" else sum(files.present(role) for role in files.ROLES)
    return Answer("models", action, "models", items, found, 0, Coverage(), tuple(notes), unit="")


def _state(role: str) -> str:
    try:
        model = files.find(role)
    except ModelError as error:
        return str(error)
    return f"{role} for {files.ROLES[role]}: {os.path.relpath(model.network, files.folder())}, sha256 {model.hash[:16]}…"

"""`iq serve status|stop|start`: the resident engine, which is otherwise invisible."""

from __future__ import annotations

from iq.errors import UsageError
from iq.host import client
from iq.host.start import start
from iq.index.session import Session
from iq.types import Answer, Coverage, Request


def run(session: Session, request: Request) -> Answer:
    """Raises UsageError for an unknown action."""
    action = request.text or "status"
    if action not in ("status", "stop", "start"):
        raise UsageError(f"unknown action '{action}'; known: status, stop, start")
    notes: tuple[str, ...]
    if action == "start":
        started = start(session.root)
        told = f"an engine of {session.root} is starting" if started else "nothing to start: one runs, one is starting, or no index is here"
        found, notes = int(started), (told,)
    elif (state := client.control(session.root, action)) is None:
        found = int(action == "stop")
        notes = (f"no engine of {session.root} runs; the next question starts one, unless IQ_RESIDENT=off",)
    else:
        found, notes = 1, _told(state, action)
    return Answer("serve", action, "engine", (), found, 0, Coverage(), notes, unit="")


def _told(state: dict[str, object], action: str) -> tuple[str, ...]:
    seconds, memory = state.get("seconds"), state.get("memory")
    return (
        f"engine {state.get('pid')} of {state.get('root')}, iq {state.get('version')}{', told to stop' if action == 'stop' else ''}",
        f"up {seconds} s, {state.get('answered')} calls answered, the tree looked at {state.get('looked')} times, "
        f"{memory / 1e6 if isinstance(memory, int) else 0:.0f} MB, ends after {state.get('idle')} s without a call",
        f"changes: {state.get('watching')}",
    )

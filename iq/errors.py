"""The errors a user can meet.

IqError                       exit 2, a message that names the value, the rule and the next step
├── UsageError                the call's words do not fit
├── ScopeError                a path or filter matches nothing, or lies outside the workspace
├── FlooredError              the path may never surface
├── ToolError                 a program iq needs (ripgrep) is missing or failed
└── StorageError              the index folder cannot be written or read
    └── IndexBusyError        another process is writing the index
"""

from __future__ import annotations


class IqError(Exception):
    exit_code = 2


class UsageError(IqError):
    pass


class ScopeError(IqError):
    pass


class FlooredError(IqError):
    pass


class ToolError(IqError):
    pass


class StorageError(IqError):
    pass


class IndexBusyError(StorageError):
    pass


class InputWanted(Exception):
    """The question stands on stdin and the call did not bring it; whoever holds stdin reads it and calls again."""


def brief(value: str, limit: int = 120) -> str:
    """A value as a message quotes it: the middle of a long one left out, so that the rule and the next step stay readable."""
    return value if len(value) <= limit else f"{value[: limit // 2]}…{value[-limit // 4 :]}"

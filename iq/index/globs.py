"""Globs as users write them, as expressions for paths of the workspace.

They are those of gitignore: without a slash they match a name at any depth, with one they match from the root; `**` crosses folders.
"""

from __future__ import annotations

import re
from functools import lru_cache

from iq.errors import UsageError


@lru_cache(maxsize=256)
def glob(pattern: str) -> re.Pattern[str]:
    """A gitignore-style glob as an expression for whole workspace paths; a trailing `/` takes a folder's content."""
    text = pattern[:-1] + "/**" if pattern.endswith("/") else pattern
    anchored = "/" in pattern.rstrip("/")
    text = text.lstrip("/")
    out, at = [], 0
    while at < len(text):
        letter = text[at]
        if text.startswith("**/", at) and (at == 0 or text[at - 1] == "/"):
            out.append("(?:[^/]+/)*")
            at += 3
            continue
        if letter == "*":
            run = len(text[at:]) - len(text[at:].lstrip("*"))
            out.append(".*" if run > 1 else "[^/]*")
            at += run
            continue
        if letter == "?":
            out.append("[^/]")
        elif letter == "[" and (close := text.find("]", at + 2)) > 0:
            body = text[at + 1 : close].replace("\\", "\\\\")
            out.append(f"[{'^' + body[1:] if body[0] in '!^' else body}]")
            at = close
        elif letter == "{" and (close := text.find("}", at)) > 0:
            out.append("(?:" + "|".join(_body(part) for part in text[at + 1 : close].split(",")) + ")")
            at = close
        elif letter == "\\" and at + 1 < len(text):
            at += 1
            out.append(re.escape(text[at]))
        else:
            out.append(re.escape(letter))
        at += 1
    try:
        # A glob that names a folder takes its content in.
        return re.compile(("" if anchored else "(?:.*/)?") + "".join(out) + "(?:/.*)?", re.DOTALL)
    except re.error as error:
        raise UsageError(f"glob '{pattern}' cannot be read: {error}; see the gitignore format") from error


def _body(part: str) -> str:
    """One alternative of a brace group: literal text with `*` and `?`."""
    return "".join("[^/]*" if letter == "*" else "[^/]" if letter == "?" else re.escape(letter) for letter in part)

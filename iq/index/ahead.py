"""Starts the search of a plain `iq find` at once, so that ripgrep works while the rest of this program is imported.

A start is a guess: `Ripgrep` takes over a run whose command is word for word the one it would start itself, and any other is
ended unread. So nothing here can change an answer. Imported by the entry point before anything else; what it imports costs 1 ms.
"""

from __future__ import annotations

import os

from iq.index import binaries, rg
from iq.index.command import attempts, command, globs, rule_flags
from iq.index.root import find_git

# Flags that leave the search as it is, and those that take a value.
_PLAIN = frozenset({"--count", "--files-only", "--json", "--ndjson", "--full", "--explain", "--no-resident"})
_VALUED = frozenset({"--limit", "--budget", "-C", "--after", "--session", "--features", "--root", "--lang", "--glob", "--not-glob", "--only"})


def start(words: list[str], root: str) -> bool:
    """Starts what `words` will search for in `root`, where that is plain to see; whether it did. Never raises."""
    if words[:1] != ["find"]:
        return False
    patterns, own, at = [], set(), 1
    while at < len(words):
        word = words[at]
        if not word.startswith("-"):
            patterns.append(word)
        elif word in ("--literal", "--word", "--case", "--ignored"):
            own.add(word)
        elif word in _VALUED:
            at += 1
        elif word not in _PLAIN and word.partition("=")[0] not in _VALUED:
            return False
        at += 1
    text = " ".join(patterns)
    if not text or "\0" in text:
        return False
    flags, expression, _ = attempts(text, "--literal" in own, "--word" in own, "sensitive" if "--case" in own else "smart")[0]
    rules = rule_flags(find_git(root) is not None, "--ignored" in own)
    local = os.path.join(root, ".iq", "local")
    try:
        rg.begin([*command(flags, rules, expression, globs(root, binaries.known(local, root))), root])
        if "--ignored" not in own:
            rg.begin(rg.ignore_files(rules, root))
    except Exception:
        return False
    return True

"""What a call that is answered in process can begin before the rest of the program is imported.

The search of a plain `iq find` is a guess: `Ripgrep` takes over a run whose command is word for word the one it would start itself, and
any other is ended unread. So nothing here can change an answer. Imported by the entry point first; what a search imports costs 2 ms.
"""

from __future__ import annotations

import gc
import os

from iq.host.client import Away, workspace

# Objects made between two looks for garbage (see gc): imports leave none, and to look as often as by default takes .7 ms of a call.
COLLECTED = (50_000, 20, 20)


def begin(words: list[str]) -> None:
    """Never raises: the call itself meets what is wrong, and says so."""
    gc.set_threshold(*COLLECTED)
    try:
        if words[:1] == ["find"]:
            search(words[1:], workspace(words))
        elif words == ["serve", "start"]:
            from iq.host.start import start

            start(workspace(words))
    except (Away, OSError):
        return


def search(words: list[str], root: str) -> bool:
    """Starts what the words behind `find` will search for in `root`, where that is plain to see; whether it did. Never raises."""
    from iq.flags import read
    from iq.index import binaries, rg
    from iq.index.command import attempts, command, globs, rule_flags
    from iq.index.root import find_git

    options = read("find", words)
    text = " ".join(options.words) if options else ""
    if options is None or options.within or not text or "\0" in text:
        return False
    flags, expression, _ = attempts(text, options.literal, options.word, "sensitive" if options.case else "smart")[0]
    rules = rule_flags(find_git(root) is not None, options.ignored)
    local = os.path.join(root, ".iq", "local")
    try:
        rg.begin([*command(flags, rules, expression, globs(root, binaries.ahead(local, root))), root])
    except Exception:
        return False
    return True

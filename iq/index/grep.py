"""Live search: every line of the workspace that a pattern matches, through ripgrep."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter

from iq.errors import UsageError
from iq.frozen import dataclass
from iq.index import binaries, text
from iq.index.command import MAX_COLUMNS, attempts, command, globs
from iq.index.ignores import batches
from iq.index.rg import Ripgrep, drop, records, refused
from iq.index.walk import Rules, is_file, rules

# ripgrep says this where it has cut a line.
_CUT = r" \[\.\.\. (?:\d+ more match(?:es)?|omitted end of long line)\]$"


@dataclass(frozen=True, slots=True)
class Pattern:
    """What to look for. `case` is smart (any case unless a capital stands in it), sensitive or ignore."""

    text: str
    literal: bool = False
    word: bool = False
    case: str = "smart"


@dataclass(frozen=True, slots=True)
class Match:
    """A matching line; `column` is where its first match begins, in characters from 1, and beyond `text` where ripgrep has cut that."""

    path: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """All matches in order of path and line, how the pattern was run, and what could not be read."""

    matches: list[Match]
    ran: str
    skipped: dict[str, int]


def search(
    root: str, pattern: Pattern, inside: Callable[[str, str | None, str | None], bool], ignored: bool, cache: str | None, within: tuple[str, ...] = (),
    known: Rules | None = None, meanwhile: Callable[[], object] | None = None,
) -> Found:  # fmt: skip
    """Every matching line. A pattern that is no regular expression is run as literal text, and `ran` says so.

    `known` are the rules of the workspace, where they were looked up already. `meanwhile` is called while ripgrep is at work.
    """
    if not pattern.text:
        raise UsageError("empty pattern; give the text or regular expression to find")
    if "\0" in pattern.text:
        raise UsageError("a pattern cannot hold a NUL byte; write \\x00 to find one")
    chosen = known or rules(root, ignored, cache)
    places = [os.path.join(root, path) for path in within] or [root]
    misled = chosen.misled(root, within)
    unread = binaries.known(os.path.dirname(cache) if cache else None, root)
    for flags, expression, ran in attempts(pattern.text, pattern.literal, pattern.word, pattern.case):
        arguments = command(flags, chosen.flags, expression, globs(root, unread))
        matches: list[Match] = []
        skipped: Counter[str] = Counter()
        binary: dict[str, bool] = {path: True for path in unread if inside(path, None, None)}
        run = Ripgrep([*arguments, *places])
        if not misled:
            run.start()
            drop()
            if meanwhile:
                meanwhile()
                meanwhile = None
            matches += _matches(run, root, chosen.keep, inside, binary)
            if _refused(run, root, skipped):
                continue
            if not expression.isascii():
                matches = _joined(matches, _latin(root, _matches(Ripgrep([*_LATIN, *arguments, *places]), root, chosen.keep, inside, binary)))
        beyond = chosen.settle()
        paths = set(beyond.extra) - {match.path for match in matches}
        if chosen.look and (misled or beyond.exact):
            matches, skipped = [], Counter()
            paths = {*beyond.extra, *chosen.look.listing(within)}
        more = [path for path in sorted(paths) if not binary.get(path) and inside(path, None, None) and is_file(root, path)]
        for group in batches([os.path.join(root, path) for path in more]):
            run = Ripgrep([*arguments, *group])
            matches += _matches(run, root, chosen.keep, inside, binary)
            if _refused(run, root, skipped):
                break
            if not expression.isascii():
                matches = _joined(matches, _latin(root, _matches(Ripgrep([*_LATIN, *arguments, *group]), root, chosen.keep, inside, binary)))
        else:
            if unsearched := sum(binary.values()):
                skipped["binary"] = unsearched
            return Found(sorted(matches, key=attrgetter("path", "line")), ran, dict(sorted(skipped.items())))
    raise UsageError(f"pattern '{pattern.text}' could not be run: {run.errors.strip()}")


def _refused(run: Ripgrep, root: str, skipped: Counter[str]) -> bool:
    """Whether ripgrep could not run the pattern at all. What it could not read or finish is counted in `skipped`.

    A file that is gone by the time it is opened is none of the workspace's any more.
    """
    if refused(run, root):
        return True
    for line in run.errors.splitlines() if run.code == 2 else ():
        if not line.startswith("rg: "):
            continue
        if "PCRE2: error matching" in line:
            skipped["given up: the pattern backtracks too much"] += 1
        elif not line.endswith("(os error 2)"):
            skipped["unreadable"] += 1
    return False


_LATIN = ("--encoding", "latin1")


def _matches(
    run: Ripgrep, root: str, keep: Callable[[str], bool], inside: Callable[[str, str | None, str | None], bool], binary: dict[str, bool]
) -> Iterator[Match]:
    """What a run finds in text; `binary` says of each file with a match whether it is none, and keeps what was found out.

    Ripgrep was told to read all, so that a stray NUL hides nothing.
    """
    cut = len(root.rstrip("/")) + 1
    last, wanted = b"", False
    path = ""
    begun = b""
    for record in records(run, b"\n"):
        name, end, rest = record.partition(b"\0")
        if not end:
            begun += record + b"\n"  # a name may hold a line feed
            continue
        name, begun = begun + name, b""
        if name != last:
            last = name
            path = os.fsdecode(name)[cut:].replace(os.sep, "/")
            wanted = keep(path) and inside(path, None, None)
            if wanted:
                if path not in binary:
                    binary[path] = _is_binary(root, path)
                wanted = not binary[path]
        if not wanted:
            continue
        line, column, content = rest.split(b":", 2)
        before = int(column) - 1
        try:
            shown = content.decode("utf-8")
            if before and not content.isascii():
                before -= min(before, len(content)) - len(content[:before].decode("utf-8", "ignore"))
        except UnicodeDecodeError:
            shown = content.decode("latin-1")
        if len(content) >= MAX_COLUMNS:
            import re

            shown = re.sub(_CUT, "", shown)
        yield Match(path, int(line), before + 1, shown.rstrip("\r"))


def _latin(root: str, matches: Iterable[Match]) -> list[Match]:
    """Those of the matches under latin-1 whose file is no UTF-8, so that `größe` is found in either."""
    known: dict[str, bool] = {}
    kept = []
    for match in matches:
        if match.path not in known:
            try:
                with open(os.path.join(root, match.path), "rb") as file:
                    found = text.decode(file.read())
                known[match.path] = found is not None and found.encoding == "latin-1"
            except OSError:
                known[match.path] = False
        if known[match.path]:
            kept.append(match)
    return kept


def _joined(matches: list[Match], latin: list[Match]) -> list[Match]:
    """Each line once, though both runs may find it: the plain parts of a pattern stand in either reading of a file."""
    again = {(match.path, match.line) for match in latin}
    return [match for match in matches if (match.path, match.line) not in again] + latin


def _is_binary(root: str, path: str) -> bool:
    # Half of what `open` costs, over hundreds of files.
    try:
        handle = os.open(os.path.join(root, path), os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return False
    try:
        return text.binary(os.read(handle, text.SNIFF))
    except OSError:
        return False
    finally:
        os.close(handle)

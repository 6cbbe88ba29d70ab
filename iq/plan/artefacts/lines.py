"""Finding quoted lines in files: near a line, as a block, or anywhere in the tree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from iq.index.classes import classify
from iq.index.grep import Match, Pattern, search
from iq.index.scope import matcher
from iq.index.session import Session
from iq.types import Place, Scope, Symbol

# Lines of a block that are looked for in the tree: the longest tell most.
TELLING = 8

# Files that may hold a block are read up to this many.
FILES = 30

# Lines of a block may have been put apart by this many others.
SLACK = 3

# Lines that may be missing between two neighbours of a block beyond that.
GAP = 25

# A shorter line (characters) stands everywhere: `}`, `else:`.
SHORT = 4

# Places that a message or a block of code is found at.
PLACES = 3

# A message is found where at least this share of its constant words stands in one line.
SHARE = 0.5

# Words and letters of a message that a line must hold: fewer stand anywhere. Two words are enough where they are long, or
# where a string begins with them.
WORDS, LETTERS, MANY_LETTERS = 3, 9, 16

QUOTES = "\"'`"

# Runs of words that are looked for at once.
RUNS = 40

# The rank of files that repeat a message in fifty languages, or tell of it in the past: shown only where nothing else says it.
TRANSLATED = 3

# Of the lines that say a message, those with less of it than this share of the best are about something else.
WORSE = 0.5


def flat(row: str) -> str:
    """A line without its indentation, its runs of blanks as one; empty where it is too short to tell."""
    text = " ".join(row.split())
    return text if len(text) >= SHORT and any(letter.isalnum() for letter in text) else ""


def nearest(rows: Sequence[str], quoted: str, line: int, around: Symbol | None = None) -> int:
    """The line that reads as quoted, nearest to `line`, those of a definition first; 0 where none does."""
    wanted = " ".join(quoted.split())
    if not wanted:
        return 0
    if 0 < line <= len(rows):
        there = " ".join(rows[line - 1].split())
        # A paste may end in the middle of a line.
        if there == wanted or (len(wanted) >= 2 * SHORT and there.startswith(wanted)):
            return line
    if not flat(quoted):
        return 0
    # Traces cut long lines, and compilers may.
    found = [at for at, row in enumerate(rows, 1) if (text := " ".join(row.split())) == wanted or (len(wanted) > 60 and text.startswith(wanted))]
    return min(found, key=lambda at: (around is not None and not around.line <= at <= around.end, abs(at - line), at), default=0)


def align(rows: Sequence[str], wanted: Sequence[str], line: int = 0) -> list[int]:
    """The lines of a file that a block of lines fits best, in order; ties go to the place nearest to `line`."""
    places: dict[str, list[int]] = {}
    keys = [flat(row) for row in wanted]
    needed = set(keys) - {""}
    for at, row in enumerate(rows, 1):
        if (text := flat(row)) in needed:
            places.setdefault(text, []).append(at)
    votes: Counter[int] = Counter()
    for index, key in enumerate(keys):
        # A line that stands in many places says nothing about which of them it is.
        for at in places.get(key, ())[:50]:
            votes[at - index] += 1
    if not votes:
        return []

    def near(offset: int) -> int:
        return sum(votes.get(offset + step, 0) for step in range(-SLACK, SLACK + 1))

    best = max(votes, key=lambda offset: (near(offset), votes[offset], -abs(offset - line), -offset))
    hits: dict[int, int] = {}
    for index, key in enumerate(keys):
        close = [at for at in places.get(key, ()) if abs(at - index - best) <= SLACK]
        if close:
            hits[index] = min(close, key=lambda at: (abs(at - index - best), at))
    # What was left out of a paste, or has been put in since, moves the rest; it still follows in order.
    last = max(hits, default=0)
    at = hits.get(last, 0)
    for index in range(last + 1, len(keys)):
        following = next((place for place in places.get(keys[index], ()) if at < place <= at + GAP), 0)
        if following:
            hits[index] = at = following
    first = min(hits, default=0)
    at = hits.get(first, 0)
    for index in range(first - 1, -1, -1):
        before = max((place for place in places.get(keys[index], ()) if at - GAP <= place < at), default=0)
        if before:
            hits[index] = at = before
    return sorted(set(hits.values()))


def _anywhere(session: Session, patterns: Iterable[str], scope: Scope) -> list[Match]:
    """The lines of the tree that hold one of the expressions, live."""
    expression = "|".join(patterns)
    known = session.rules(scope.ignored)
    found = search(session.root, Pattern(expression, case="sensitive"), matcher(scope), scope.ignored, session.workspace.tracked, scope.within, known)
    return found.matches if found.ran.startswith(("regex", "PCRE2")) else []


def _escape(text: str) -> str:
    """Literal text with any blanks between its words, as ripgrep reads it; no `\\|`, which grep.search takes for grep's form."""
    return r"\s+".join(re.sub(r"([\\.+*?()\[\]{}^$])", r"\\\1", word).replace("|", "[|]") for word in text.split())


def holding(session: Session, wanted: Sequence[str], scope: Scope) -> list[tuple[str, list[str]]]:
    """Files with lines of a block, those with most first, and their rows."""
    telling = sorted({text for row in wanted if len(text := flat(row)) >= 2 * SHORT}, key=lambda text: (-len(text), text))[:TELLING]
    telling = [text[:200] for text in telling]
    if not telling:
        return []
    held: dict[str, set[str]] = {}
    for match in _anywhere(session, (_escape(text) for text in telling), scope):
        text = " ".join(match.text.split())
        held.setdefault(match.path, set()).update(line for line in telling if line in text)
    order = sorted(held, key=lambda path: (-sum(map(len, held[path])), classify(path) != "src", path))
    return [(path, session.rows(path)) for path in order[:FILES]]


def code(session: Session, wanted: Sequence[str], scope: Scope) -> list[Place]:
    """The places where pasted code stands, exactly or nearly."""
    filled = sum(bool(flat(row)) for row in wanted)
    found = []
    for path, rows in holding(session, wanted, scope):
        hits = align(rows, wanted)
        # Half of the lines, or a line that nothing else would have: the rest has been changed since.
        if hits and (len(hits) * 2 >= filled or sum(len(flat(rows[at - 1])) for at in hits) >= 120):
            why = "" if len(hits) == filled else f"{len(hits)} of its {filled} lines"
            found.append((-len(hits), classify(path) != "src", path, Place(path, tuple(hits), "verified", why)))
    found.sort(key=lambda row: row[:3])
    best = -found[0][0] if found else 0
    return [row[3] for row in found if -row[0] * 2 >= best][:PLACES]


def spoken(session: Session, parts: Sequence[str], scope: Scope) -> list[Place]:
    """The lines that say a message, by its constant parts: whole parts first, then runs of three and two of their words.

    Code comes before tests that expect the message, those before pages that speak of it; shorter runs are tried for as long
    as no code says it.
    """
    words = [part.split() for part in parts]
    found: dict[tuple[str, int], tuple[int, bool, int]] = {}
    for size in (0, 3, 2):
        runs = [(at, index, run) for at, part in enumerate(words) for index, run in _runs(part, size)]
        runs = [run for run in runs if len("".join(run[2])) >= SHORT * 2 or len(run[2]) > 1][:RUNS]
        for match in _anywhere(session, dict.fromkeys(_escape(" ".join(run)) for _, _, run in runs), scope) if runs else ():
            if (match.path, match.line) in found or not (letters := _said(match.text, words, runs)):
                continue
            # A message stands in quotes in the code.
            found[match.path, match.line] = (_kind(session, match), not any(mark in match.text for mark in QUOTES), -letters)
        if any(rank == 0 for rank, _, _ in found.values()):
            break
    if not found:
        return []
    best = min(letters for _, _, letters in found.values())
    kept = sorted((*how, path, line) for (path, line), how in found.items() if how[2] <= best * WORSE)
    kept = [row for row in kept if row[0] < TRANSLATED or kept[0][0] == TRANSLATED]
    return [Place(path, (line,), "verified", "says the message") for _, _, _, path, line in kept][:PLACES]


def _said(text: str, words: Sequence[Sequence[str]], runs: Sequence[tuple[int, int, list[str]]]) -> int:
    """Letters of a message that a line holds; 0 where they are too few to mean it."""
    text = " ".join(text.split())
    here = [(at, index, run) for at, index, run in runs if " ".join(run) in text]
    covered = {(at, index + step) for at, index, run in here for step in range(len(run))}
    letters = sum(len(words[at][index]) for at, index in covered)
    begins = any(mark + " ".join(run) in text for _, _, run in here for mark in QUOTES)
    telling = len(covered) >= WORDS or letters >= MANY_LETTERS or begins
    return letters if telling and letters >= LETTERS and len(covered) >= SHARE * sum(map(len, words)) else 0


def _kind(session: Session, match: Match) -> int:
    """How far from the code that says a message a line is: tests of some languages stand in the files they test."""
    rank = _says(match.path)
    if rank == 0 and (symbol := session.enclosing(match.path, match.line)) is not None:
        return 1 if symbol.kind == "test" or symbol.qualified.startswith("tests.") else 0
    return rank


def _says(path: str) -> int:
    """How far from the code that says a message a file of this kind is."""
    if path.endswith((".po", ".pot", ".arb", ".xlf", ".xliff", ".strings")):
        return TRANSLATED
    return {"src": 0, "generated": 2, "docs": 2, "history": TRANSLATED}.get(classify(path), 1)


def _runs(words: Sequence[str], size: int) -> list[tuple[int, list[str]]]:
    if not size or len(words) <= size:
        return [(0, list(words))]
    return [(at, list(words[at : at + size])) for at in range(len(words) - size + 1)]

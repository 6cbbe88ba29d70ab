"""`iq multi`: several calls in one, under one budget, their answers in order."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from iq.errors import UsageError
from iq.flags import HELP, before
from iq.render.budget import clip, tokens
from iq.types import Output, Reply
from iq.verbs import VERBS

# Calls in one; each needs room for a head and a line (tokens).
MOST = 50
LEAST = 48

# Verbs that make no section: they take over the process, or would ask themselves.
_ALONE = ("multi", "mcp")


def calls(rows: Sequence[str]) -> list[list[str]]:
    """The words of each call: a row that begins with a verb is split as a shell would, any other is a question. Raises UsageError."""
    found = []
    for row in rows:
        row = row.strip()
        if not row or row.startswith("#"):
            continue
        try:
            words = shlex.split(row)
        except ValueError:  # an apostrophe in a question
            words = row.split()
        words = words[1:] if words[:1] == ["iq"] and len(words) > 1 else words
        if words and words[0] in _ALONE:
            raise UsageError(f"'{words[0]}' cannot be one of several calls; run it by itself")
        if words and words[0] in VERBS and not HELP.isdisjoint(before(words)):
            raise UsageError(f"'{row[:80]}' asks for help; run it by itself")
        found.append(words if words and words[0] in VERBS else ["search", "--", row])
    if not found:
        raise UsageError(f"empty question: iq multi needs {VERBS['multi'].words}; for example {VERBS['multi'].examples[0]}")
    if len(found) > MOST:
        raise UsageError(f"{len(found)} calls are too many for one; give at most {MOST}")
    return found


def answer(rows: Sequence[str], output: Output, shared: Sequence[str], run: Callable[[tuple[str, ...]], Reply]) -> Reply:
    """One reply for all rows. What a short answer leaves of its share is the next ones'; no text exceeds `output.budget`.

    `shared` are flags for every call. The code is 0 where any call found something, else 2 where any failed.
    """
    todo = calls(rows)
    json = output.form != "text"
    room = 1 << 40 if output.full else output.budget
    sections: list[str] = []
    codes, left_out = [], 0
    frame = 8 if json else 0
    for at, words in enumerate(todo):
        head = "" if json else f"{'' if at == 0 else chr(10)}════ {at + 1}/{len(todo)} ════\n"
        share = (room - frame) // (len(todo) - at) - tokens(head)
        if share < LEAST:
            left_out = len(todo) - at
            break
        verb, *rest = before(words)
        others = words[1 + len(rest) :]
        flags = (*shared, "--full") if output.full else (*shared, f"--budget={share}")
        # All sections have one form, so that together they can be read.
        form = (f"--{output.form}",) if json else ()
        reply = run((verb, *flags, *rest, *form, *others))
        if not output.full and tokens(reply.out.decode("utf-8")) > share:  # the row has a larger budget of its own
            reply = run((verb, *shared, *rest, f"--budget={share}", *form, *others))
        said = reply.out.decode("utf-8")
        if reply.err and json:
            import json as coder

            said = coder.dumps({"error": clip(reply.err.decode("utf-8").strip(), share - 8)}, ensure_ascii=False) + "\n"
        elif reply.err:
            said = clip(said + reply.err.decode("utf-8"), share)
        codes.append(reply.code)
        sections.append(head + said)
        room -= tokens(sections[-1]) + (1 if json else 0)
    if left_out and not sections:
        raise UsageError(f"--budget {output.budget} is too small for {len(todo)} calls; give at least {LEAST * 2 * len(todo)}")
    code = 0 if 0 in codes else max(codes)
    if output.form == "json":
        text = '{"sections": [' + ", ".join(section.strip() for section in sections) + f'], "left": {left_out}}}\n'
    else:
        text = "".join(sections)
        if left_out and not json:
            text = clip(text, max(0, output.budget - 16)) + f"more: {left_out} calls not answered within the budget\n"
    return Reply(text.encode("utf-8"), b"", code)

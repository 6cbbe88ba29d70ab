"""An answer as text: the answer first, then where else to look, then the lines, cut hard at the budget."""

from __future__ import annotations

from collections.abc import Iterator

from iq.frozen import dataclass
from iq.index.text import quoted, safe
from iq.render.budget import clip, tokens
from iq.types import Answer, Coverage, Item, Output

# A printed line is cut here (characters): a minified line would eat the budget.
LINE_WIDTH = 240

# Lines of one place in a ranked answer: the first may take a long definition, the others show what they are.
FIRST_LINES = 60
OTHER_LINES = 24

CANDIDATES = 6

# Kept free while places are printed, for the `more:` line beside the command that it repeats: at the least, and beside a long cursor (tokens).
RESERVE, COUNTED = 40, 12

# A command is repeated up to this part of the budget.
REPEATED = 4


# Between lines of a place that do not follow each other.
GAP = "     ⋮"


@dataclass(frozen=True, slots=True)
class Capsule:
    """Printed text, its size by the estimate, and how many items it shows."""

    text: str
    tokens: int
    shown: int


def render(answer: Answer, output: Output) -> Capsule:
    """The text of an answer, at most `output.budget` tokens unless `output.full`."""
    budget = 1 << 40 if output.full else output.budget
    if output.count:
        return _close([str(answer.total)], 0, budget)
    if output.files_only:
        return _files(answer, output, budget)
    items = list(answer.items if output.limit is None else answer.items[: output.limit])
    head = _head(answer, items)
    if answer.plan:
        head += [safe(row) for row in answer.plan.split("\n")]
    spent = tokens("\n".join(head)) + tokens(_again(answer, output))
    body: list[str] = []
    shown, last_path = 0, None
    for item in items:
        kept_free = _reserve(item)
        if answer.ranked and shown and not item.lines and spent + kept_free <= budget:
            shown += 1
            continue
        rows = list(_rows(answer, item, output, shown))
        heading = _heading(item)
        title = [] if heading == last_path or not heading else [f"──── {heading} ────"]
        if not item.lines:
            said = (item.path,) if answer.ranked else ("" if item.key else item.anchor, item.label, item.why)
            rows = [safe(" · ".join(part for part in said if part))]
        cost = sum(tokens(row + "\n") for row in (*title, *rows))
        if spent + cost + kept_free > budget:
            rest = f"more lines: iq read {quoted(safe(item.path))}:{_extent(item)} --full" if item.lines else ""
            room = budget - spent - kept_free - tokens(rest) - 4
            kept = _fitting(title + (rows if answer.ranked or not item.lines else _around(item, rows, room)), room)
            # The first item is never left out for its length: an answer that shows nothing is none.
            if len(kept) > len(title) and (answer.ranked or answer.unit == "bodies" or not shown) and len(rows) > 2:
                body += kept
                printed = sum(row != GAP for row in kept[len(title) :])
                body.append(f"     … {len(item.lines) - printed} {rest}")
                shown += 1
            break
        body += title + rows
        spent += cost
        last_path = heading
        shown += 1
    more = _more(answer, items, shown, output)
    if not answer.items and answer.unit:
        head.append("nothing found" if not answer.total else "")
    return _close([row for row in (*head, *more, *body) if row], shown, budget)


def _heading(item: Item) -> str:
    """What an item with lines stands under: its path or, where they are lines of a commit, the commit."""
    if not item.lines:
        return ""
    if item.rev and item.commit:
        from iq.index.when import day

        return safe(f"{item.commit.short} {day(item.commit.time)} {item.commit.author}: {item.commit.subject[:LINE_WIDTH]}")
    return safe(item.path)


def _fitting(rows: list[str], room: int) -> list[str]:
    kept: list[str] = []
    for row in rows:
        room -= tokens(row + "\n")
        if room < 0:
            break
        kept.append(row)
    return kept


def _around(item: Item, rows: list[str], room: int) -> list[str]:
    """The rows from where half of the room is left for the first hit and what follows: much context may stand before it."""
    at = next((at for at, line in enumerate(item.lines) if line.hit), 0)
    room //= 2
    while at and (room := room - tokens(rows[at - 1] + "\n")) >= 0:
        at -= 1
    return rows[at:]


def _close(rows: list[str], shown: int, budget: int) -> Capsule:
    text = clip("\n".join(rows) + "\n", budget)
    return Capsule(text, tokens(text), shown)


def _head(answer: Answer, items: list[Item]) -> list[str]:
    query = safe((answer.query if len(answer.query) <= 100 else answer.query[:100] + "…").replace("\n", " ").strip())
    parts = [f"iq {answer.verb if answer.verb != 'search' else ''}".strip() + f": {query}"]
    counts = [_count(answer.total, answer.unit)] if answer.unit else []
    if answer.unit not in ("", "files"):
        counts.append(_count(answer.files, "files"))
    intent = f"intent {safe(answer.intent)}" if answer.intent else ""
    facts = [" in ".join(counts), answer.kind, intent, _coverage(answer.coverage), f"verdict {answer.verdict}" if answer.verdict else ""]
    head = [parts[0] + " — " + " · ".join(fact for fact in facts if fact)]
    head += [f"hint: {safe(answer.hint)}"] if answer.hint else []
    head += [f"note: {safe(note)}" for note in answer.notes]
    if answer.ranked and items:
        first, rest = items[0], items[1 : CANDIDATES + 1]
        head.append("answer: " + " · ".join(safe(part) for part in (first.anchor, first.label, first.why) if part))
        if rest:
            head.append("candidates: " + " · ".join(safe(item.anchor) for item in rest))
    head += [safe(row) for row in answer.related]
    head += [f"docs: {safe(answer.docs)}"] if answer.docs else []
    return head


def _count(number: int, plural: str) -> str:
    singular = {"matches": "match", "bodies": "body"}.get(plural, plural.removesuffix("s"))
    return f"{number} {singular if number == 1 else plural}"


def _coverage(coverage: Coverage) -> str:
    state = "live" if coverage.fresh == "live" else f"index {coverage.fresh}"
    reasons = ", ".join(f"{count} {why}" for why, count in coverage.skipped.items())
    total = sum(coverage.skipped.values())
    if coverage.searched:
        return f"{state} · {_count(coverage.searched, 'files')} searched" + (f", {total} not ({reasons})" if total else "")
    return state + (f" · {_count(total, 'files')} not searched ({reasons})" if total else "")


def _rows(answer: Answer, item: Item, output: Output, position: int) -> Iterator[str]:
    """The printed lines of one item; ranked answers and definitions open with their anchor."""
    limit = len(item.lines) if output.full or not answer.ranked else FIRST_LINES if position == 0 else OTHER_LINES
    width = len(str(item.lines[-1].number)) if item.lines else 1
    tail = f"   ‹{safe(item.label)}›" if item.label and len(item.lines) == 1 else ""
    if answer.unit in ("definitions", "symbols") and item.start != item.end:
        tail = f"   ‹{safe(item.label)} {item.start}-{item.end}›" if item.label else f"   ‹{item.start}-{item.end}›"
    # What is told of a commit stands once, behind the line that changed.
    first = next((at for at, line in enumerate(item.lines) if line.hit), 0)
    pointed = answer.kind in ("artefact", "place") and any(not line.hit for line in item.lines)
    if item.why and not answer.ranked:
        tail += f"  {safe(item.why)}"
    for at, line in enumerate(item.lines[:limit]):
        if at and line.number > item.lines[at - 1].number + 1 and answer.ranked:
            yield GAP
        text = line.text if len(line.text) <= LINE_WIDTH else line.text[:LINE_WIDTH] + " …"
        # The line that a pasted trace means stands out in the definition around it.
        mark = (">" if line.hit else " ") if pointed else (":" if line.hit else "-") if output.context else ""
        place = f"{safe(item.path)}:{line.number}" if item.rev else f"{line.number:>{max(width, 4)}}"
        yield f"{place}{mark} {safe(text)}{tail if item.commit is None or at == first else ''}"
    if len(item.lines) > limit:
        yield f"     … {len(item.lines) - limit} more lines: iq read {quoted(safe(item.path))}:{_extent(item)}"


def _extent(item: Item) -> str:
    """The lines to read on: a named line is printed with the definition around it, a span of one below the line that opens it."""
    first = next((line.number for line, then in zip(item.lines, item.lines[1:], strict=False) if then.number == line.number + 1), item.start)
    return f"{min(item.start, first)}-{max(item.end, item.lines[-1].number)}"


def _more(answer: Answer, items: list[Item], shown: int, output: Output) -> list[str]:
    """How to go on: the command with a cursor behind the last item shown."""
    left = len(answer.items) + answer.beyond - shown
    if left <= 0:
        return []
    if not shown:
        return [f"more: {_count(left, answer.unit)}, none of which fits --budget {output.budget}; give a larger one"]
    return [f"more: {_count(left, answer.unit)} · {_going_on(answer, output, items[shown - 1])}"]


def _again(answer: Answer, output: Output) -> str:
    """The command to repeat; a question of pages is named instead, since its answer would have no room beside it."""
    command = safe(answer.command or "iq …")
    return command if tokens(command) <= output.budget // REPEATED else "the same command with"


def _going_on(answer: Answer, output: Output, item: Item) -> str:
    """The command with its cursor, which stands before a `--`: behind one it would be a word of the question."""
    command = _again(answer, output)
    if " -- " not in command:
        return f"{command} {_after(item)}"
    import re
    import shlex

    for mark in re.finditer(" -- ", command):
        try:
            shlex.split(command[: mark.start()])
        except ValueError:
            continue  # inside of a quoted word
        return f"{command[: mark.start()]} {_after(item)}{command[mark.start() :]}"
    return f"{command} {_after(item)}"


def _after(item: Item) -> str:
    """The flag that goes on behind an item; a name may begin with a dash."""
    cursor = quoted(safe(item.anchor))
    return f"--after={cursor}" if item.anchor.startswith("-") else f"--after {cursor}"


def _reserve(item: Item) -> int:
    """What a `more:` line with its cursor behind this item takes beside the command (tokens)."""
    return max(RESERVE, COUNTED + tokens(_after(item)))


def _files(answer: Answer, output: Output, budget: int) -> Capsule:
    last = {item.path: item for item in answer.items}
    rows: list[str] = []
    shown: Item | None = None
    room = budget - tokens(_again(answer, output))
    for path, item in list(last.items())[: output.limit]:
        room -= tokens(safe(path) + "\n")
        if room < _reserve(item):
            how = _going_on(answer, output, shown) if shown else f"none of which fits --budget {output.budget}; give a larger one"
            rows.append(f"more: {_count(len(last) - len(rows), 'files')}{' · ' if shown else ', '}{how}")
            break
        rows.append(safe(path))
        shown = item
    return _close(rows, len(rows), budget)

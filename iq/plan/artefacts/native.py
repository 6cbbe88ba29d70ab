"""Crashes of C and its kin as debuggers, sanitizers and valgrind print them, failed assertions, and what linkers miss."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iq.plan.artefacts.paste import Sighting, frame

# gdb: `#2  0x… in f (a=1) at src/a.c:12`; sanitizers: `#0 0x… in f src/a.c:12:5`; lldb: `frame #0: 0x… app`f(a=1) at a.c:12:5`.
_NUMBERED = re.compile(r"^\s*(?:(?:\*\s+)?(?:frame )?#\d{1,4}:?\s+(?:0x[0-9a-f]{1,16}\s+(?:in\s+)?)?|0x[0-9a-f]{1,16} in )(\S.{0,1000})$")
_VALGRIND = re.compile(r"^==\d{1,9}==\s+(?:at|by) 0x[0-9A-F]{1,16}: (\S.{0,500}) \((?:in )?([^()]{1,500})\)$")
_SPOT = re.compile(r"^(\S{1,500}\.[A-Za-z]\w{0,7}):(\d{1,7})(?::\d{1,7})?$")
_MODULE = re.compile(r"\((?:/|\w:\\)?[^()\s]{1,500}\+0x[0-9a-f]{1,16}\)(?: \(BuildId: \w{1,64}\))?$|\(BuildId: \w{1,64}\)$")
_ASSERTION = re.compile(r"^(?:[^\s:]{1,200}: )?([^\s:]{1,500}\.[A-Za-z]\w{0,7}):(\d{1,7}): (.{1,600}): (Assertion [`'].{1,500}' failed)")
_SAID = re.compile(
    r"^(?:==\d{1,9}==\s*ERROR: |SUMMARY: |WARNING: )?(\w{4,16}Sanitizer: [\w\- ]{1,80}?)(?: \(pid=\d+\))?(?: on (?:unknown )?address\b.{0,200}| 0x.{0,200})?$"
    r"|^((?:Program|Thread \d{1,6} \"[^\"]{0,40}\") received signal .{1,100}|Program terminated with signal .{1,100})$"
    r"|^==\d{1,9}== ((?:Invalid|Conditional|Use of|Syscall|Mismatched|Source and).{1,200})$"
    r"|^\* thread #\d.{0,200}stop reason = (.{1,200})$"
)

# What ld, gold, lld, Apple's and Microsoft's linkers and the loader say of a name that nobody defines, or two.
_MISSING = re.compile(
    r"(?:undefined reference to|multiple definition of|duplicate symbol:?|undefined symbol:|unresolved external symbol|first defined here:)\s+"
    r"(?:[`'\"“]([^`'\"“”]{1,500})['\"”]|\"[^\"]{1,500}\" \((\w{1,200})\)|([\w:~?@$]{1,500}))"
)
_APPLE = re.compile(r'^\s*"([^"]{1,500})", referenced from:$')
_WITHIN = re.compile(r"(?:: in function|referenced in function|>>> referenced by) [`'\"]?([\w:~]{1,200})")
_OBJECT = re.compile(r"^(?:\S{1,300}: )?([^\s:()]{1,500}\.(?:c|cc|cpp|cxx|m|mm|h|hpp)):(\d{1,7}):")


def crashes(rows: Sequence[str]) -> Sighting:
    """Calls from the innermost on; a report's later stacks, of who freed or allocated, follow."""
    seen = Sighting("native stack trace")
    for at, row in enumerate(rows):
        if ("#" in row or "0x" in row) and (match := _NUMBERED.match(row)) is not None:
            entry = _call(match[1])
            if entry is None:
                continue
            seen.frames.append(frame(*entry))
        elif row.startswith("==") and (match := _VALGRIND.match(row)) is not None:
            spot = _SPOT.match(match[2])
            seen.frames.append(frame(spot[1], spot[2], _plain(match[1])) if spot else frame("<library>"))
        elif "Assertion" in row and (match := _ASSERTION.match(row)) is not None:
            seen.frames.insert(0, frame(match[1], match[2], _plain(match[3])))
            seen.message = seen.message or match[4]
        elif (match := _SAID.match(row)) is not None:
            seen.message = seen.message or match[match.lastindex or 0].strip()
        else:
            continue
        seen.used.add(at)
    return seen if any(not entry.away for entry in seen.frames) else Sighting()


def _call(text: str) -> tuple[str, int, str] | None:
    """Path, line and function of a numbered row; the path of a library is one nowhere, None is no call."""
    if " from " in text or _MODULE.search(text):
        stem = _MODULE.sub("", text).rstrip()
        if stem == text or (found := _spotted(stem)) is None:
            return "<library>", 0, ""
        return found
    return _spotted(text.removesuffix(" [opt]").removesuffix(" [inlined]"))


def _spotted(text: str) -> tuple[str, int, str] | None:
    name, _, place = text.rpartition(" ")
    if (spot := _SPOT.match(place)) is None or not name:
        return None
    name = name.removesuffix(" at").rpartition("`")[2]
    return spot[1], int(spot[2]), _plain(name)


def _plain(name: str) -> str:
    """`ns::T<int>::f(int) const` as `T.f`: without arguments, templates and what is nameless; every program has a `main`."""
    flat, depth = [], 0
    for letter in name.replace("(anonymous namespace)::", "").replace("operator<", "operator"):
        depth += (letter in "<(") - (letter in ">)")
        if depth == 0 and letter not in "<>()":
            flat.append(letter)
    words = "".join(flat).removesuffix(" const").split()
    parts = [part for part in (words[-1] if words else "").split("::") if part and not part.startswith("{")]
    return ".".join(parts[-2:]) if parts != ["main"] else ""


def linkers(rows: Sequence[str]) -> Sighting:
    """The definitions of the names that a linker misses or has twice, before the functions that use them."""
    seen = Sighting("linker message")
    users = []
    for at, row in enumerate(rows):
        found = _MISSING.search(row) if "ymbol" in row or "efinition" in row or "reference" in row else None
        name = (found[1] or found[2] or found[3]) if found else (match[1].removeprefix("_") if (match := _APPLE.match(row)) else "")
        user = _plain(inside[1]) if (inside := _WITHIN.search(row)) else ""
        if not name and inside is None:
            continue
        if name:
            seen.frames.append(frame("", 0, _plain(name), kind="call"))
            seen.message = seen.message or (found[0] if found else row.strip())
        if (place := _OBJECT.match(row)) is not None:
            users.append(frame(place[1], place[2], user))
        elif user:
            users.append(frame("", 0, user, kind="call"))
        seen.used.add(at)
    if not seen.frames:
        return Sighting()
    seen.frames = list(dict.fromkeys([*seen.frames, *users]))
    return seen

"""Log lines and bare messages: what is constant in them stands in the code, the values do not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from iq.plan.artefacts.paste import Sighting, frame
from iq.types import Frame

# Distinct messages that are looked up; a log repeats itself, and what went wrong stands near its end.
MESSAGES = 12

# Up to here a paste is a message rather than a log (rows).
FEW = 3

_TIME = re.compile(
    r"\d{4}[-/.]\d{2}[-/.]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: ?Z| ?[+-]\d{2}:?\d{2})?"
    r"|\d{4}/\d{2}/\d{2} - \d{2}:\d{2}:\d{2}|\d{2}/[A-Z][a-z]{2}/\d{4}:\d{2}:\d{2}:\d{2}(?: [+-]\d{4})?"
    r"|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}|\b\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?\b"
)
_LEVEL = re.compile(
    r"\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC|trace|debug|info|notice|warn|warning|error|fatal|critical)\b"
)
_GLOG = re.compile(r"^([IWEF])\d{4} \d{2}:\d{2}:\d{2}\.\d{1,6}\s+\d{1,9} (\S{1,200}:\d{1,7})\] (.*)$")
_JSON_FIELD = re.compile(r'"(?:message|msg|event|error|err|exception)"\s*:\s*"((?:[^"\\]|\\.){1,1500})"')
_LOGFMT = re.compile(r'\b(?:msg|message|error|err)=(?:"((?:[^"\\]|\\.){1,1500})"|(\S{1,500}))')
_PYTHON_LOG = re.compile(r"^(DEBUG|INFO|WARNING|ERROR|CRITICAL):([\w.\-]{1,100}):(.+)$")
_BARE_ERROR = re.compile(
    r"^(?:Uncaught (?:\(in promise\) )?|Exception in thread \"[^\"]{0,100}\" |panic: |E\s{1,8})?"
    r"((?:[\w$]{1,100}[.:]{1,2}){0,12}\w{0,100}(?:Error|Exception|Panic|Warning|Fault|panic)|(?:[\w$]{1,100}\.){1,12}[A-Z]\w{0,100})(?: \[\w{1,60}\])?: (\S.*)$"
)
_SOURCE = re.compile(
    r"(?:^|[\s\[(])((?:[\w.\-]{1,100}/){0,12}[\w.\-]{1,100}\.(?:go|py|rs|java|kt|cc|cpp|c|h|ts|js|rb|php|cs|swift|scala)):(\d{1,7})(?=[\s\]),:]|$)"
)

# What stands between the level and the message: a process id, a logger's name, `host program[12]:`.
_ORIGIN = re.compile(
    r"^(?:(?:pid|tid|proc)?\s?\d{1,9}(?=\s)|(?:[\w$]{1,60}\.){1,8}[\w$]{1,60}(?=\s{0,40}[:\-|]\s)|(?:\w[\w.\-]{0,60}\s)?[\w.\-]{1,60}\[\d{1,9}\]:?"
    r"|in [\w.]{1,60}(?=: )|-{2,}|[\w.\-]{1,60}(?=\s{1,40}[:\-|]\s))"
)
_SEVERE = ("ERROR", "ERR", "FATAL", "CRITICAL", "SEVERE", "PANIC")

# A level as one sign, as servers print that write little: `12:M 01 Jan … # Can't save`.
_SIGN = re.compile(r"^[.*#]\s+(?=\S)")

# Quoted text in a message is a value; so are words that hold digits, flags, paths, addresses, key=value, and what stands
# in angle brackets.
_QUOTED = re.compile(r"\"[^\"]{0,500}\"|'[^']{0,500}'(?!\w)|`[^`]{0,500}`|\{[^{}]{0,500}\}")
_VALUE = re.compile(r"[\d@/\\=<>]|\w:\w|^--?\w")


def logs(rows: Sequence[str]) -> Sighting:
    """Messages of the rows as text frames, severe ones first, and the source places some loggers print."""
    seen = Sighting("log lines")
    found: list[tuple[bool, str]] = []
    filled = 0
    for at, row in enumerate(rows):
        if not row.strip():
            continue
        filled += 1
        if (entry := _entry(row.strip())) is None:
            continue
        level, message = entry
        seen.used.add(at)
        if (match := _SOURCE.search(row)) is not None:
            seen.frames.append(frame(match[1], match[2]))
        if message:
            found.append((level.upper() in _SEVERE, message))
    # One odd line in a page of prose makes no log.
    if not found or len(seen.used) * 2 < filled:
        return Sighting()
    seen.frames = list(dict.fromkeys(seen.frames))
    messages = dict.fromkeys(message for _, message in sorted(found, key=lambda pair: not pair[0]))
    texts: dict[Frame, str] = {}
    for message in messages:
        if (entry_frame := spoken(message)) is not None:
            texts.setdefault(entry_frame, message)
    severe = [message for bad, message in found if bad]
    seen.message = severe[-1] if severe else found[-1][1]
    seen.frames += list(texts)[:MESSAGES]
    seen.words += [" ".join(entry_frame.quoted) for entry_frame in list(texts)[:MESSAGES]]
    if filled <= FEW:
        if not any(_TIME.search(row) for row in rows):
            seen.name, seen.message = "message", bare_error(rows) or seen.message
        seen.used.clear()  # a single message is asked for whole, with its values and the name of its class
    return seen


def _entry(text: str) -> tuple[str, str] | None:
    """Level and message of a log line; None where the row is none."""
    if (match := _GLOG.match(text)) is not None:
        return {"I": "INFO", "W": "WARNING", "E": "ERROR", "F": "FATAL"}[match[1]], match[3]
    if (match := _PYTHON_LOG.match(text)) is not None:
        return match[1], match[3]
    if text[0] == "{" and text[-1] == "}" and '":' in text:
        if (match := _JSON_FIELD.search(text)) is None:
            return None
        level = _LEVEL.search(text)
        return level[1] if level else "", match[1].replace('\\"', '"')
    head = text[:120]
    time, level = _TIME.search(head), _LEVEL.search(head)
    if time is not None and time.start() > 40:
        time = None
    if level is not None and (level.start() > 80 or not _set_off(head, level)):
        level = None
    if (match := _LOGFMT.search(text)) is not None and ("level=" in text or "time=" in text or "ts=" in text):
        return level[1] if level else "", (match[1] or match[2]).replace('\\"', '"')
    if time is not None:
        end = level.end() if level is not None and level.start() >= time.end() - 1 else time.end()
        return level[1] if level else "", _message(text[end:])
    if level is not None and level[1].isupper() and level.start() <= 1:
        return level[1], _message(text[level.end() :])
    if (match := _BARE_ERROR.match(text)) is not None:
        return "ERROR", match[2]
    return None


def _set_off(head: str, level: re.Match[str]) -> bool:
    """Whether a level stands as one: in brackets, before a colon or bar, in capitals, or as level=…"""
    before, after = head[: level.start()], head[level.end() :]
    if before.endswith(("[", "level=", 'level":"', 'level": "')):
        return not after[:1].isalpha()
    if not before.strip() and after[:1] == ":":
        return True
    if not level[1].isupper():
        return False
    return after[:1] in ("]", ":", "|", ")", "\t") or after[:2] in (" [", "  ", " -", " |", " :") or before[-1:] in ("[", "|", "(", " ", "")


def _message(rest: str) -> str:
    """The message behind the time and level: without process ids, thread and logger names in brackets or before a dash."""
    rest = _SIGN.sub("", rest.lstrip(" \t]:|)-,>"))
    for _ in range(6):
        if rest.startswith(("[", "(")) and 0 < (end := rest.find("]" if rest[0] == "[" else ")")) < 100:
            rest = rest[end + 1 :].lstrip(" \t:|-")
            continue
        match = _ORIGIN.match(rest)
        if match is None or match.end() >= len(rest):
            break
        rest = rest[match.end() :].lstrip(" \t:|-")
    return rest.strip()


# The class of an exception is printed before its message and stands elsewhere in the code.
_CLASS = re.compile(
    r"^(?:(?:[\w$]{1,100}(?:\.|::)){0,12}\w{0,100}(?:Error|Exception|Warning|Panic|Exit|Fault|Interrupt)"
    r"|(?:[\w$]{1,100}\.){1,12}[A-Z]\w{0,100})(?: \[\w{1,60}\])?: "
)


def spoken(message: str) -> Frame | None:
    """The constant parts of a message as a text frame; None where nothing is left to look for.

    What an assertion says is its own source, which no code says.
    """
    text = _CLASS.sub("", message[:1500])
    if text.startswith("assert "):
        return None
    parts: list[str] = [""]
    for word in _QUOTED.sub(" 0 ", text).split():
        if _VALUE.search(word):
            parts.append("")
        else:
            parts[-1] = f"{parts[-1]} {word}".strip()
            if word.endswith(":"):
                parts.append("")  # what follows is often another message that was put behind
    kept = [part.strip(" \t.,:;()[]{}!?-|'\"") for part in parts]
    kept = [part for part in kept if sum(letter.isalpha() for letter in part) >= 4]
    return Frame("", 0, "", tuple(dict.fromkeys(kept)), (), "text") if kept else None


def bare_error(rows: Iterable[str]) -> str:
    """The last row that is an exception with its message; empty where there is none."""
    last = ""
    for row in rows:
        if ": " in row and (match := _BARE_ERROR.match(row.strip())) is not None:
            last = f"{match[1]}: {match[2]}"
    return last

"""Failing tests (pytest, jest, vitest, go test, cargo test, JUnit) and what compilers and linters say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iq.plan.artefacts.paste import Sighting, frame, gutter, shown
from iq.types import Frame

_TITLE = re.compile(r"^_{3,} (.{1,300}) _{3,}$")
_PYTEST_AT = re.compile(r"^([^\s:][^:]{0,500}\.py):(\d{1,7}):(?: in (.{1,200})| ((?:\w{1,60}\.){0,8}[A-Z]\w*)(?:: .*)?)?$")
_SUMMARY = re.compile(r"^(?:FAILED|ERROR) ([^\s:]{1,500}\.py)(?:::(\S{1,500}))?(?: - (.{0,1500}))?$")

_JEST_FAIL = re.compile(r"^\s*(?:FAIL|❌|×|✗)\s+(?:\|\S+\|\s+)?(\S{1,500}\.[cm]?[jt]sx?)(?: > (.{1,500}))?(?: \[.*\])?$")
_TAP = re.compile(r"^\s+location: '(.{1,500}):(\d{1,7}):\d{1,7}'$")
_JEST_TITLE = re.compile(r"^\s*● (.{1,500})$")

_GO_FAIL = re.compile(r"^\s*--- FAIL: (\w{1,200})(?:/(\S{1,300}))? \(\d")
_GO_SPOT = re.compile(r"^\s+(?:Error Trace:\s+)?(\S{1,500}\.go):(\d{1,7})(?:: (.*))?$")
_GO_PACKAGE = re.compile(r"^FAIL\t(\S{1,300})(?:\t| \[)")

_CARGO_FAIL = re.compile(r"^(?:---- (\S{1,300}) stdout ----|test (\S{1,300}) \.\.\. FAILED)$")

_SUREFIRE = re.compile(r"^(?:\[ERROR\]|\[FAIL\])\s+(?:[a-z_][\w]*\.)*([A-Z]\w{0,200})\.([a-z_]\w{0,200})(?:\(.{0,100}?\))?:(\d{1,7})(?:->\S*)?(?: (.*))?$")
_GRADLE = re.compile(r"^([A-Z]\w{0,200}) > (\w{1,200})\(.{0,100}?\)(?: > .{0,200})? FAILED$")
_GRADLE_AT = re.compile(r"^\s+(?:([\w.$]{1,300}) )?at (\w{1,200}\.(?:java|kt|groovy|scala)):(\d{1,7})$")


def pytest(rows: Sequence[str]) -> Sighting:
    seen = Sighting("pytest failure")
    blocks: list[list[Frame]] = [[]]
    summary: list[Frame] = []
    for at, row in enumerate(rows):
        if row.startswith("___") and (match := _TITLE.match(row)) is not None:
            blocks.append([])
            seen.words.append(match[1].removeprefix("ERROR at setup of ").removeprefix("ERROR collecting "))
        elif row.startswith(("FAILED ", "ERROR ")) and (match := _SUMMARY.match(row)) is not None:
            name = (match[2] or "").partition("[")[0].replace("::", ".")
            summary.append(frame(match[1], 0, name))
            seen.words.append(name)
            seen.message = seen.message or match[3] or ""
        elif ".py:" in row and (match := _PYTEST_AT.match(row)) is not None and (match[3] or match[4] or _inside(rows, at)):
            quoted = ""
            if match[3]:
                quoted = rows[at + 1].strip() if at + 1 < len(rows) and rows[at + 1][:1].isspace() else ""
            else:
                # the long style shows the code first, and marks its line
                quoted = next((rows[index][1:].strip() for index in range(at - 1, max(-1, at - 40), -1) if rows[index].startswith(">")), "")
            blocks[-1].append(frame(match[1], match[2], "" if match[3] == "<module>" else match[3] or "", quoted))
        elif row.startswith("E  "):
            seen.message = seen.message or row[1:].strip()
        elif set(row) <= {"_", " ", "=", "-"} or (row.startswith("===") and row.endswith("===")):
            pass
        else:
            continue
        seen.used.add(at)
    # Where each test failed comes before how the first of them got there.
    seen.frames += [block[-1] for block in blocks if block]
    for block in blocks:
        seen.frames += reversed(block)
    seen.frames += summary
    return seen if seen.frames else Sighting()


def _inside(rows: Sequence[str], at: int) -> bool:
    """Whether a bare `path:line:` stands in a pytest report: code marked with `>` or `_ _ _` is near."""
    return any(rows[index].startswith((">", "_ _ _", "E  ")) for index in range(max(0, at - 40), min(len(rows), at + 3)))


def scripts(rows: Sequence[str]) -> Sighting:
    """jest, vitest and node's own runner; where it failed is told by the JavaScript frames."""
    seen = Sighting("jest or vitest failure")
    file = ""
    titles: list[tuple[str, str]] = []
    for at, row in enumerate(rows):
        if (match := _JEST_FAIL.match(row)) is not None and ("FAIL" in row or match[2]):
            file = match[1]
            titles.append((file, (match[2] or "").split(" > ")[-1]))
        elif "●" in row and (match := _JEST_TITLE.match(row)) is not None:
            titles.append((file, match[1].split(" › ")[-1].strip()))
        elif "location: '" in row and (match := _TAP.match(row)) is not None:
            seen.frames.append(frame(match[1], match[2]))
        else:
            continue
        seen.used.add(at)
    for path, title in dict.fromkeys(titles):
        if path:
            seen.frames.append(frame(path, 0, "", title, kind="test"))
        if title:
            seen.words.append(title)
    return seen if seen.frames else Sighting()


def golang(rows: Sequence[str]) -> Sighting:
    seen = Sighting("go test failure")
    package = next((match[1] for row in rows if row.startswith("FAIL\t") and (match := _GO_PACKAGE.match(row)) is not None), "")
    test = ""
    tests: list[Frame] = []
    for at, row in enumerate(rows):
        if "--- FAIL" in row and (match := _GO_FAIL.match(row)) is not None:
            test = match[1]
            tests.append(frame("", 0, test))
            seen.words += [test, (match[2] or "").replace("_", " ")]
            seen.used.add(at)
        elif test and ".go:" in row and (match := _GO_SPOT.match(row)) is not None:
            path = match[1] if "/" in match[1] or not package else f"{package}/{match[1]}"
            seen.frames.append(frame(path, match[2], test))
            seen.message = seen.message or match[3] or ""
            seen.used.add(at)
        elif row.startswith(("FAIL", "=== RUN", "--- PASS", "ok  \t", "=== CONT", "=== PAUSE")):
            seen.used.add(at)
    seen.frames += dict.fromkeys(tests)
    return seen if seen.frames else Sighting()


def cargo(rows: Sequence[str]) -> Sighting:
    """cargo test; where it failed is told by the panic."""
    seen = Sighting("cargo test failure")
    for at, row in enumerate(rows):
        if (match := _CARGO_FAIL.match(row)) is not None:
            name = match[1] or match[2]
            seen.frames.append(frame("", 0, name.rpartition("::")[2]))
            seen.words.append(name)
            seen.used.add(at)
    seen.frames = list(dict.fromkeys(seen.frames))
    return seen if seen.frames else Sighting()


def junit(rows: Sequence[str]) -> Sighting:
    """Maven's and Gradle's summaries; stack traces below them are read as such."""
    seen = Sighting("JUnit failure")
    owner = ""
    for at, row in enumerate(rows):
        if (match := _SUREFIRE.match(row)) is not None:
            seen.frames.append(frame("", match[3], f"{match[1]}.{match[2]}"))
            seen.message = seen.message or match[4] or ""
        elif (match := _GRADLE.match(row)) is not None:
            owner = f"{match[1]}.{match[2]}"
            seen.words.append(owner)
        elif " at " in row and (match := _GRADLE_AT.match(row)) is not None:
            seen.frames.append(frame(match[2], match[3], owner if owner.startswith(match[2].partition(".")[0]) else ""))
            seen.message = seen.message or match[1] or ""
        else:
            continue
        seen.used.add(at)
    return seen if seen.frames else Sighting()


# `path:12:3: …`, `path(12,3): …`, `path:[12,3] …`, with what build tools print before it.
_DIAGNOSTIC = re.compile(
    r"^\s*(?:\[(?:ERROR|WARNING|INFO)\] |[ew]: |ERROR in |error: |##\[error\])?(?:file://)?"
    r"((?:[A-Za-z]:)?[^\s:()\[\]\"'|<>,;]{1,500}\.[A-Za-z]\w{0,7})"
    r"(?::(\d{1,7})(?::\d{1,7})?(?:-\d{1,7})?|\((\d{1,7})(?:,\d{1,7})?\)|:\[(\d{1,7})(?:,\d{1,7})?\])(?=\s|:|$)\s?:?\s*(?:- )?(.*)$"
)
_ARROW = re.compile(r"^\s*(?:-->|:::|╭▸|┌─|└─|╭─\[|,-\[)\s*(\S{1,500}?):(\d{1,7}):\d{1,7}")
_ESLINT = re.compile(r"^\s+(\d{1,7}):\d{1,7}\s+(error|warning)\s+(\S.{0,499})")
_ESLINT_FILE = re.compile(r"^(?:[A-Za-z]:)?[/\\]?(?:[^\s:/\\]{1,200}[/\\])*[^\s:/\\]{1,200}\.\w{1,8}$")
_ANNOTATION = re.compile(r"^::(error|warning|notice) (?:.{0,300}?,)?file=([^,]{1,500}),(?:.{0,100}?,)?line=(\d{1,7})[^:]{0,200}::(.{0,1500})$")
# `CMake Error at CMakeLists.txt:61 (add_library):`; `… in src/a.c on line 70: …`, `… at run.pl line 3.`, `…, file a.c, line 12.`
_ERROR_AT = re.compile(r"^[\w \[\]]{0,60}\b(?:[Ee]rror|[Ww]arning):? (?:at|in) ([^\s:()\"',]{1,500}\.\w{1,8}):(\d{1,7})\b")
_ON_LINE = re.compile(r"\b(?:in|at|file) \"?([^\s:()\"',]{1,500}\.[A-Za-z]\w{0,7})\"?,? (?:on )?line (\d{1,7})\b")
_WEBPACK = re.compile(r"^(?:ERROR in|@) (\.\S{1,500}) (\d{1,7}):\d")
_SEVERITY = re.compile(r"\b(fatal error|error|warning|note|info|hint|help)\b", re.IGNORECASE)
_HEADLINE = re.compile(r"^\s{0,4}(error|warning)(?:\[(\w{1,20})\])?: (.{1,1000})$")

_RANK = {"fatal error": 0, "error": 0, "": 0, "warning": 1, "info": 2, "hint": 2, "note": 2, "help": 2}


def compilers(rows: Sequence[str]) -> Sighting:
    """Errors in the order they are printed, then warnings, then notes."""
    seen = Sighting("compiler or linter message")
    found: list[tuple[int, Frame]] = []
    severity, file = "", ""
    for at, row in enumerate(rows):
        if (match := _HEADLINE.match(row)) is not None:
            severity = match[1]
            seen.message = seen.message or match[3]
            if match[2]:
                seen.words.append(match[2])
        elif ("-->" in row or ":::" in row or "─" in row or ",-[" in row) and (match := _ARROW.match(row)) is not None:
            rank = 2 if row.lstrip().startswith(":::") else _RANK[severity]
            if at and not seen.message and gutter(rows[at - 1]) is None:
                seen.message = rows[at - 1].strip()
            found.append((rank, frame(match[1], match[2], "", shown(rows, at, int(match[2])))))
            seen.used.add(at)
        elif (match := _DIAGNOSTIC.match(row)) is not None:
            line, rest = match[2] or match[3] or match[4], match[5]
            word = _SEVERITY.match(rest) or _SEVERITY.search(rest[:12])
            found.append((_RANK[word[1].lower() if word else ""], frame(match[1], line, "", shown(rows, at, int(line)))))
            if not seen.message or (rest and found[-1][0] == 0 and len(seen.frames) == 1):
                seen.message = rest
            seen.words.append(rest)
            seen.used.add(at)
        elif (match := _ERROR_AT.match(row) or (_ON_LINE.search(row) if " line " in row else None)) is not None:
            following = rows[at + 1].strip() if row.endswith(":") and at + 1 < len(rows) else ""
            found.append((0, frame(match[1], match[2])))
            seen.message = seen.message or following or row.strip()
            seen.words.append(row.strip())
            seen.used.add(at)
        elif row.startswith("::") and (match := _ANNOTATION.match(row)) is not None:
            found.append((_RANK.get(match[1], 2), frame(match[2], match[3])))
            seen.message = seen.message or match[4]
            seen.words.append(match[4])
            seen.used.add(at)
        elif (match := _WEBPACK.match(row)) is not None:
            found.append((0, frame(match[1], match[2])))
            seen.used.add(at)
        elif file and row[:1].isspace() and (match := _ESLINT.match(row)) is not None:
            found.append((_RANK[match[2]], frame(file, match[1])))
            seen.words.append(match[3])
            seen.message = seen.message or match[3]
            seen.used.add(at)
        elif at + 1 < len(rows) and _ESLINT.match(rows[at + 1]) and _ESLINT_FILE.match(row.strip()):
            file = row.strip()
            seen.used.add(at)
    found.sort(key=lambda pair: pair[0])
    seen.frames = [entry for _, entry in found]
    return seen if seen.frames else Sighting()

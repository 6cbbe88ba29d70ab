"""What the readers of pasted texts share: clean rows, and what one reader saw in them.

Every expression here and in the readers is applied to one row of at most MAX_ROW characters and anchored at its start or at
a literal, with neighbouring repetitions over disjoint characters, so that reading is linear in the paste.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from iq.types import Frame

# A row is looked at up to here (characters): what follows in a log line is data.
MAX_ROW = 2000

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\ufeff]")

# Where the rows of a trace began that came through a chat or a form as one.
_FOLDED = re.compile(r"\s(?=File \"[^\"]{1,500}\", line \d|at [\w.$<>/#]{1,300} ?\([^()]{1,300}:\d|\w{1,60}(?:Error|Exception): )")

# `  12 | code`, `> 12 | code`, `---> 12 code`: how compilers, jest and IPython show a source line.
_GUTTER = re.compile(r"^\s*(?:[>❯]|-{2,}>|→)?\s*(\d{1,7})\s*[|│](?: (.*))?$|^-{2,}>\s*(\d{1,7}) (.*)$")

# `web-1  | `, `2024-05-01T12:00:00.123Z ` behind `job<TAB>step<TAB>`, `[pod/web] `, `May 01 12:00:00 host web[12]: `.
_CARRIER = re.compile(
    r"^(?:[A-Za-z][\w.\-/]{0,80}\s{0,40}\| ?|(?:[^\t]{1,120}\t[^\t]{1,120}\t)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)(?:[ \t]|$)"
    r"|\[pod/[\w.\-/]{1,120}\] |[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,80} [\w.\-/@]{1,80}(?:\[\d{1,9}\])?: ?)"
)
# A value of a JSON object; its end may have been cut with the row.
_STRING = re.compile(r'(?:(?<=":)|(?<=": ))"((?:[^"\\]|\\.){1,2000})(?:"|\\?$)')
_ESCAPED_LF = re.compile(r"(?<!\\)\\n")

_CARET = re.compile(r"^[\s|^~\-─╰─┬·.]*[\^~][\s^~\-]*$")


@dataclass(slots=True)
class Sighting:
    """What one reader saw: `name` of the family or "", frames in the order of likely cause, rows used up, words worth asking for.

    `message` is the sentence that says what went wrong, without its place.
    """

    name: str = ""
    frames: list[Frame] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    words: list[str] = field(default_factory=list)
    message: str = ""


def rows_of(text: str) -> list[str]:
    """The rows of a paste without colours, NULs, other control characters and CRs, each at most MAX_ROW long."""
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n"))
    if "\n" not in text.strip() and len(_FOLDED.findall(text)) > 1:
        text = _FOLDED.sub("\n", text)
    return [row[:MAX_ROW].rstrip() for row in text.split("\n")]


def unprefixed(rows: Sequence[str]) -> list[str]:
    """The rows without what a runner of containers or jobs, kubectl or the journal puts before each of them."""
    if not all(_CARRIER.match(row) for row in rows if row.strip()):
        return list(rows)
    return [_CARRIER.sub("", row, count=1) for row in rows]


def unescaped(rows: Sequence[str]) -> list[str]:
    """The rows with each JSON string of several lines, as structured logs carry a trace, as rows of their own."""
    found: list[str] = []
    for row in rows:
        if row.count("\\n") < 2 or '"' not in row:
            found.append(row)
            continue
        for at, part in enumerate(_STRING.split(row)):
            rows_in = _ESCAPED_LF.split(part) if at % 2 else [part]
            found += [text.replace("\\t", "\t").replace('\\"', '"').replace("\\/", "/") for text in rows_in] if len(rows_in) > 1 else rows_in
    return found


def gutter(row: str) -> tuple[int, str] | None:
    """Line number and source of a row that shows one."""
    if (match := _GUTTER.match(row)) is None:
        return None
    return (int(match[1]), match[2] or "") if match[1] else (int(match[3]), match[4])


def caret(row: str) -> bool:
    """Whether a row only points at the one above it."""
    return bool(row) and ("^" in row or "~" in row) and _CARET.match(row) is not None


def shown(rows: Sequence[str], at: int, line: int, reach: int = 8) -> str:
    """The source of `line` where one of the rows behind `at` shows it: in a gutter, or above a caret."""
    for index in range(at + 1, min(at + 1 + reach, len(rows))):
        if (found := gutter(rows[index])) is not None:
            if found[0] == line:
                return found[1].strip()
            continue
        if index + 1 < len(rows) and caret(rows[index + 1]) and not caret(rows[index]):
            # TypeScript's pretty form has the number before the source, without a bar.
            return rows[index].strip().removeprefix(str(line)).strip()
    return ""


# Marks of a path outside the user's own code -> how many leading parts of the rest name the package (`click/core.py` keeps its
# package folder, `express/lib/router.js` does not).
_AWAY = (
    ("/site-packages/", 0), ("/dist-packages/", 0), ("/node_modules/", 1), ("/pkg/mod/", 1), ("/registry/src/", 1), ("/usr/local/go/src/", 0),
    ("/usr/lib/go/src/", 0), ("/libexec/src/", 0), ("/gems/", 1),
)  # fmt: skip
_PYTHON_LIB = re.compile(r"/lib/python\d[^/]*/|/Python\d+/[Ll]ib/")
_SCHEME = re.compile(r"^(?:webpack-internal:///|webpack://[^/]*/|(?:https?|file|app|capacitor|ng|rsc)://[^/]*(?=/)|[A-Za-z]:(?=[\\/]))")
_NOWHERE = ("node:", "<", "native", "internal/", "deno:", "ext:", "bun:", "/rustc/", "eval at ", "chrome-extension:", "java.base", "jdk.")


def written(path: str) -> tuple[str, bool]:
    """A path of any machine as `/`-separated parts without scheme, drive, query and leading dots; whether it lies in a library.

    Of a library's path only what follows its folder is kept; a runtime's own path is empty.
    """
    if path.startswith(_NOWHERE):
        return "", True
    path = _SCHEME.sub("", path.strip().strip("\"'"), count=1).replace("\\", "/")
    path = re.sub(r"^/?\([\w.\-]+\)/", "", path)  # bundler layers: (rsc)/./src/x.ts
    path = path.partition("?")[0].replace("/./", "/").replace("%20", " ")
    if path.startswith("/@fs/"):
        path = path[4:]
    while path.startswith(("./", "../")):
        path = path.partition("/")[2]
    if "/rustc/" in path:
        return "", True
    padded = path if path.startswith("/") else "/" + path
    for mark, package in _AWAY:
        if (at := padded.rfind(mark)) >= 0:
            parts = padded[at + len(mark) :].split("/")
            if mark == "/node_modules/" and parts[0].startswith("@"):
                package += 1
            if mark == "/pkg/mod/":
                package = next((index + 1 for index, part in enumerate(parts) if "@" in part), 1)
            parts = parts[package:]
            if mark == "/registry/src/" and parts:
                parts[0] = re.sub(r"-\d[\w.+\-]*$", "", parts[0])  # a crate's folder carries its version
            return "/".join(parts), True
    if (match := _PYTHON_LIB.search(padded)) is not None:
        return padded[match.end() :], True
    return path, False


def frame(path: str, line: int | str = 0, function: str = "", quoted: str = "", kind: str = "frame") -> Frame:
    """A frame from its written parts."""
    clean, away = written(path)
    return Frame(clean, int(line or 0), function.strip(), (quoted.strip(),) if quoted.strip() else (), (), kind, away or (not clean and bool(path)))

"""Stack traces of Python, JavaScript, the JVM, Go, Rust, Ruby and PHP.

Each reader yields its frames in the order of likely cause: the root exception before those it led to, and in each the
innermost frame first (Python and Ruby's newer form print it last, the others first).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from iq.plan.artefacts.paste import Sighting, caret, frame, gutter, shown
from iq.types import Frame

_PYTHON = re.compile(r'File (?:"([^"]{1,1000})", line (\d{1,7})|([^\s":]{1,1000}):(\d{1,7}))(?:, in ([\w.<>]{1,200}))?')
_EXCEPTION = re.compile(r"^(?:[^\W\d][\w$]*\.)*[^\W\d][\w$]*(?:: .*)?$")

# Names that are no function one could look for.
_NAMELESS = re.compile(r"^(?:<.*>|\(anonymous.*\)|anonymous|Object\.<anonymous>|eval|new Promise.*|Module\..*|\{closure.*\}|.*\.<computed>|\?)$")

_SPOT = re.compile(r"^(.{1,1000}?):(\d{1,7})(?::(\d{1,7}))?$")
_SCRIPT = re.compile(r"\.\w{1,6}(?:\?.*)?$|^node:|^<anonymous>$|^native$|^internal/")
_GECKO = re.compile(r"^([^@\s]{0,200})@((?:https?|file|webpack(?:-internal)?|resource|/)[^\s]{0,1000}?):(\d{1,7}):\d{1,7}$")
_JVM = re.compile(r"^\s*(?:\|\s*)?at (?:[\w.\-@$]+/)?(?:[\w.\-@]*/)?([\w.$<>\-]{1,500})\(([\w.$\-]{1,200}|Native Method|Unknown Source)(?::(\d{1,7}))?\)")
_GO = re.compile(r"^\s+(\S{1,1000}\.(?:go|s)):(\d{1,7})(?: \+0x[0-9a-f]+)?$")
_RUST_AT = re.compile(r"^\s+at (\S{1,1000}\.rs):(\d{1,7})(?::\d{1,7})?$")
_RUST_FRAME = re.compile(r"^\s*\d{1,5}:\s+(?:0x[0-9a-f]+ - )?(.{1,500})$")
_PANIC = re.compile(
    r"^.{0,80}?thread '([^']{0,200})' (?:\(\d+\) )?panicked at (?:'(.{0,1500})', )?"
    r"([^\s':,][^\s':]{0,500}):(\d{1,7}):\d{1,7}:?(?: (\S.{0,1500}))?$"
)
_RUBY = re.compile(r"^\s*(?:\d+: )?(?:from )?([^\s:][^:]{0,500}\.rb):(\d{1,7}):in [`']([^']{1,200})'(?::? (.*))?$")
_PHP = re.compile(r"^#\d{1,4} (/?[^\s(][^(]{0,500}\.php)\((\d{1,7})\): (.{1,300})$")
_PHP_SAID = re.compile(r"^(?:\[[^\]]{1,60}\] )?(?:PHP )?(?:(?:Fatal|Parse|Recoverable fatal) error|Warning|Notice|Deprecated): {1,2}(?:Uncaught )?(.{1,1500})$")
_PHP_AT = re.compile(r"\bin (/?[^\s:]{1,500}\.php)(?: on line |:)(\d{1,7})$")


def python(rows: Sequence[str]) -> Sighting:
    seen = Sighting("Python traceback")
    blocks: list[list[Frame]] = [[]]
    open_block = False
    for at, row in enumerate(rows):
        if "Traceback (most recent call last)" in row:
            blocks.append([])
            seen.used.add(at)
            open_block = True
            continue
        if at == 0 and '", line ' in row and "File " not in row:
            row = f'File "{row.strip()}'  # the first row of a paste may have lost its beginning
        match = _PYTHON.search(row) if "File " in row else None
        if match is not None and (match[1] or match[5]):
            tail = row[match.end() :]
            quoted = tail.rstrip(" ^~") if tail.startswith(" ") else ""  # a trace that was folded into one row
            for index in range(at + 1, min(at + 6, len(rows))):
                following = rows[index]
                if (line := gutter(following)) is not None:  # IPython shows the lines around
                    seen.used.add(index)
                    quoted = line[1] if line[0] == int(match[2] or match[4]) else quoted
                elif index == at + 1 and following[:1].isspace() and not following.lstrip().startswith("File ") and not caret(following):
                    quoted = _bare(following)
                    seen.used.add(index)
                elif caret(_bare(following)):
                    seen.used.add(index)
                else:
                    break
            blocks[-1].append(frame(match[1] or match[3], match[2] or match[4], _named(match[5] or ""), quoted))
            seen.used.add(at)
            open_block = True
        elif "[Previous line repeated" in row or "above exception was the direct cause" in row or "another exception occurred" in row:
            seen.used.add(at)
        elif open_block and at not in seen.used and row.strip() and _EXCEPTION.match(_bare(row)) and not row.startswith("    "):
            seen.message = _bare(row)
            open_block = False
    for block in blocks:
        seen.frames += reversed(block)
    return seen


def _bare(row: str) -> str:
    """A row without the bar of an exception group."""
    return row.strip().removeprefix("|").strip()


def _named(name: str) -> str:
    return "" if _NAMELESS.match(name) else name


def javascript(rows: Sequence[str]) -> Sighting:
    seen = Sighting("JavaScript stack trace")
    shown_at: list[Frame] = []
    sections: list[list[Frame]] = [[]]
    for at, row in enumerate(rows):
        text = row.strip()
        if text.startswith(("[cause]: ", "Caused by: ")):
            sections.append([])
        name, place = "", ""
        if text.startswith(("at ", "❯ ")):
            place = text.partition(" ")[2].removeprefix("async ")
            if place.endswith((")", ") {")) and " (" in place:
                name, _, place = place.removesuffix(" {").rpartition(" (")
                place = place[:-1]
            elif text.startswith("❯ ") and " " in place:
                name, _, place = place.rpartition(" ")
        elif "@" in text and (match := _GECKO.match(text)) is not None:
            name, place = match[1], f"{match[2]}:{match[3]}"
        elif (thrown := _thrown_at(rows, at)) is not None:
            shown_at.append(thrown)
            seen.used.update((at, at + 1, at + 2))
            continue
        else:
            # A cause comes after the error it led to, and says more.
            if not sections[-1] and (error := _THROWN.match(text)) is not None:
                seen.message = error[1].rstrip("{ ")
            continue
        if (match := _SPOT.match(place)) is None or not _SCRIPT.search(match[1]) or match[1].endswith((".rs", ".java", ".kt", ".scala", ".go", ".cs")):
            if place in ("<anonymous>", "native") or place.startswith("node:"):
                sections[-1].append(frame("node:"))
                seen.used.add(at)
            continue
        if " " in match[1] and not match[1].startswith(("/", "file:", "webpack")) and match[1][1:2] != ":":
            continue  # a sentence that begins with "at"
        sections[-1].append(frame(match[1], match[2], _method(name), shown(rows, at, int(match[2]), 3)))
        seen.used.add(at)
    sections[0][:0] = shown_at
    for section in reversed(sections):
        seen.frames += section
    if not seen.frames:
        seen.message = ""
    return seen


def _thrown_at(rows: Sequence[str], at: int) -> Frame | None:
    """Where an error was thrown, which node shows before its trace: the place, its source, a caret."""
    text = rows[at].strip()
    if not text.startswith(("/", "file:", ".")) and text[1:2] != ":":
        return None
    if at + 2 >= len(rows) or not caret(rows[at + 2]) or caret(rows[at + 1]) or (match := _SPOT.match(text)) is None or not _SCRIPT.search(match[1]):
        return None
    return frame(match[1], match[2], "", rows[at + 1])


_THROWN = re.compile(r"^(?:\[cause\]: |Caused by: |Uncaught (?:\(in promise\) )?)?((?:[A-Za-z_$][\w$.]{0,100})?(?:Error|Exception)\b.*)$")


def _method(name: str) -> str:
    """`new Foo`, `Object.foo [as bar]`, `Foo.<anonymous>`, `Object.handler`: the name as it is defined."""
    name = name.partition(" [as ")[0].removeprefix("new ").removeprefix("async ")
    if _NAMELESS.match(name) or name.endswith(".<anonymous>"):
        return ""
    for owner in ("Object.", "Function.", "process.", "exports.", "Module.", "global."):
        name = name.removeprefix(owner)
    return name.strip()


def jvm(rows: Sequence[str]) -> Sighting:
    seen = Sighting("Java stack trace")
    section: list[Frame] = []
    sections = [section]
    for at, row in enumerate(rows):
        text = row.strip()
        if text.startswith(("Caused by: ", "Suppressed: ")):
            # The last cause is the root; what was suppressed on the way explains least.
            section = []
            sections.insert(0 if text.startswith("S") else len(sections), section)
            if text.startswith("C"):
                seen.message = text.removeprefix("Caused by: ")
                seen.used.add(at)
            continue
        if text.startswith("... ") and text.endswith(("more", "omitted")):
            seen.used.add(at)
            continue
        # node has a space before its parenthesis, so its frames do not fit
        match = _JVM.match(row) if "at " in row and "(" in row else None
        if match is None or "." not in match[1]:
            continue
        if not seen.message and at:
            seen.message = rows[at - 1].strip()
        section.append(_jvm_frame(match[1], match[2], match[3]))
        seen.used.add(at)
    for section in reversed(sections):
        seen.frames += section
    seen.message = re.sub(r'^Exception in thread "[^"]*" ', "", seen.message)
    return seen if seen.frames else Sighting()


def _jvm_frame(call: str, file: str, line: str | None) -> Frame:
    """`com.a.Outer$Inner.method` in `Outer.java`; a file of Kotlin need not lie in its package's folder, but its name is right."""
    owner, _, method = call.rpartition(".")
    if "." not in file:
        return frame("<native>")
    package, _, cls = owner.rpartition(".")
    inner = [part for part in cls.split("$") if part and not part.isdigit()]
    if (inside := re.match(r"^lambda\$(\w+)\$\d+$", method)) is not None:
        method = inside[1]
    elif method == "<init>":
        method = inner[-1] if inner else ""
    elif method.startswith(("<", "access$", "invoke0")):
        method = ""
    method = method.partition("$")[0]
    name = f"{inner[-1]}.{method}" if method and inner and file.endswith(".java") else method
    return frame(f"{package.replace('.', '/')}/{file}" if package else file, line or 0, name)


def go(rows: Sequence[str]) -> Sighting:
    seen = Sighting("Go stack trace")
    for at, row in enumerate(rows):
        if row.startswith("panic: ") or "fatal error: " in row[:13]:
            seen.name, seen.message = "Go panic", seen.message or row.partition(": ")[2].partition(" [recovered]")[0]
        if row.startswith(("goroutine ", "exit status ", "[signal ", "\tpanic: ", "panic: ")) and (row.endswith(":") or not row.startswith("goroutine ")):
            seen.used.add(at)
            continue
        # The first row of a pair names the function, the second the file.
        if row[:1].isspace() and ".go:" in row and at and (match := _GO.match(row)) is not None and (name := _go_function(rows[at - 1])) is not None:
            seen.frames.append(frame(match[1], match[2], name))
            seen.used.update((at - 1, at))
    return seen if seen.frames else Sighting()


def _go_function(row: str) -> str | None:
    """`github.com/a/b.(*T).Method.func1(0x1)` gives `T.Method`; None where the row is no call."""
    text = row.strip().removeprefix("created by ").partition(" in goroutine")[0]
    if not text or " " in text.partition("(0x")[0].partition("({")[0].partition("(...")[0]:
        return None
    if text.endswith(")"):
        # the arguments are the last parenthesis; a receiver's is closed before them
        depth = 0
        for at in range(len(text) - 1, -1, -1):
            depth += (text[at] == ")") - (text[at] == "(")
            if depth == 0:
                text = text[:at] if at and text[at - 1] != "." else text
                break
    parts = [part.strip("(*)") for part in text.rpartition("/")[2].split(".")][1:]
    parts = [part.partition("[")[0] for part in parts if part and not re.fullmatch(r"func\d+|\d+|gowrap\d+|\]?", part)]
    return ".".join(parts[:2])


def rust(rows: Sequence[str]) -> Sighting:
    seen = Sighting("Rust panic")
    panics: list[Frame] = []
    for at, row in enumerate(rows):
        if "panicked at" in row and (match := _PANIC.match(row)) is not None:
            panics.append(frame(match[3], match[4]))
            seen.message = seen.message or match[2] or match[5] or (rows[at + 1].strip() if at + 1 < len(rows) else "")
            if "::" in match[1]:
                seen.words.append(match[1])
            seen.used.add(at)
        elif row.startswith(("note: run with `RUST_BACKTRACE", "note: Some details are omitted", "stack backtrace:")):
            seen.used.add(at)
        elif ".rs:" in row and (match := _RUST_AT.match(row)) is not None:
            name = _RUST_FRAME.match(rows[at - 1]) if at else None
            seen.frames.append(frame(match[1], match[2], _rust_name(name[1]) if name else ""))
            seen.used.update((at, at - 1) if name else (at,))
        elif row[:1].isspace() and (name := _RUST_FRAME.match(row)) is not None and "::" in name[1] and panics:
            seen.used.add(at)
    seen.frames = panics + seen.frames
    return seen if seen.frames else Sighting()


def _rust_name(path: str) -> str:
    """`<axum::routing::Router<S> as Clone>::call::{{closure}}::h0123` gives the last plain names."""
    path = re.sub(r"::h[0-9a-f]{16}$", "", path.strip())
    flat, depth = [], 0
    for letter in path:
        depth += (letter == "<") - (letter == ">")
        if depth == 0 and letter not in "<>":
            flat.append(letter)
    names = [part for part in "".join(flat).split("::") if part and not part.startswith("{")]
    return names[-1].strip() if names else ""


def others(rows: Sequence[str]) -> Sighting:
    """Ruby and PHP."""
    seen = Sighting()
    thrown: list[Frame] = []
    for at, row in enumerate(rows):
        if ".rb:" in row and (match := _RUBY.match(row)) is not None:
            seen.name = "Ruby backtrace"
            seen.frames.append(frame(match[1], match[2], re.split(r"[#.]|block in |rescue in | ", match[3])[-1].strip("<>")))
            seen.message = seen.message or match[4] or ""
        elif ".php(" in row and (match := _PHP.match(row)) is not None:
            seen.name = "PHP stack trace"
            seen.frames.append(frame(match[1], match[2]))
            seen.words.append(match[3].partition("(")[0])
        elif ".php" in row and (place := _PHP_AT.search(row)) is not None and ((match := _PHP_SAID.match(row)) or row.startswith("  thrown in ")):
            seen.name = "PHP stack trace"
            # What is said first of an error may tell of another place than its last row, which is the one.
            thrown = [frame(place[1], place[2])]
            seen.message = seen.message or (match[1][: place.start() - match.start(1)].rstrip() if match else "")
        elif ".php" not in row and (match := _PHP_SAID.match(row)) is not None and match[0].startswith("PHP "):
            seen.message = seen.message or match[1]
        else:
            continue
        seen.used.add(at)
    seen.frames = thrown + seen.frames
    return seen if seen.frames else Sighting()

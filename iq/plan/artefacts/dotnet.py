"""Stack traces of .NET, with the lines of a debug build or the signatures of a release."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iq.plan.artefacts.paste import Sighting, frame

_CALL = re.compile(r"^\s+at (\S[^()]{1,400}?)\(([^()]{0,600})\)(?: in (.{1,500}):line (\d{1,7}))?$")
_PARAMETER = re.compile(r"^[\w.`<>\[\]&*+?]{1,200}(?: \w{1,100})$")
_RUNTIME = ("System.", "Microsoft.", "lambda_method", "Xunit.", "NUnit.")

# `<SendAsync>d__5.MoveNext`, `<>c.<Send>b__0_1`, `<>c__DisplayClass3_0.<Send>g__Local|0`: the method that the compiler made it from.
_MADE = re.compile(r"(?:^|[.+])(?:<>c\w*[.+])?<(\w{1,200})>[^.]*(?:\.MoveNext)?$")


def dotnet(rows: Sequence[str]) -> Sighting:
    seen = Sighting(".NET stack trace")
    for at, row in enumerate(rows):
        match = _CALL.match(row) if " at " in row and row.endswith((")", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")) else None
        if match is None or "." not in match[1] or not (match[3] or _typed(match[2])):
            if row.lstrip().startswith(("--- End of", "at System.")):
                seen.used.add(at)
            elif " ---> " in f" {row.lstrip()}" and seen.frames == []:
                seen.message = row.rpartition("---> ")[2]  # the innermost cause is told last, and its calls first
            continue
        if not seen.message and not seen.frames and at:
            # A runner puts a heading between what was thrown and its calls.
            said = at - 2 if rows[at - 1].strip() == "Stack Trace:" and at > 1 else at - 1
            seen.message = rows[said].strip().removeprefix("Unhandled exception. ").removeprefix("Unhandled Exception: ")
        name = _named(match[1])
        if match[3]:
            seen.frames.append(frame(match[3], match[4], name))
        elif match[1].startswith(_RUNTIME):
            seen.frames.append(frame("<runtime>"))
        else:
            seen.frames.append(frame("", 0, name, match[2], kind="call"))
        seen.used.add(at)
    return seen if any(not entry.away for entry in seen.frames) else Sighting()


def _typed(parameters: str) -> bool:
    """Whether what stands in the parentheses are types with names, or nothing: other languages print a file there."""
    return all(_PARAMETER.match(part.strip()) for part in re.sub(r"\[[\w.,`]{0,200}\]", "", parameters).split(",")) if parameters.strip() else True


def _named(call: str) -> str:
    """`N.Outer+Inner`1.Method[T]` as `Inner.Method`; a constructor is named as its type."""
    call = re.sub(r"\[[^\]]{0,300}\]|`\d+", "", call).strip()
    made = _MADE.search(call)
    owner, _, name = (call[: made.start()] + "." + made[1]).rpartition(".") if made else call.rpartition(".")
    owner = owner.rstrip(".").replace("+", ".").rpartition(".")[2]
    if name in ("ctor", "cctor"):
        return owner
    return f"{owner}.{name}" if owner else name

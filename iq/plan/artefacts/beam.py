"""Stack traces of Elixir and Erlang, and the failures that ExUnit prints."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iq.plan.artefacts.paste import Sighting, frame
from iq.types import Frame

# `(app 1.2.0) lib/a.ex:12: A.B.f/2`, `test/a_test.exs:9: (test)`.
_CALL = re.compile(r"^\s{2,}(?:\([\w.]{1,100} [\w.\-+]{1,60}\) |\([\w.]{1,100}\) )?([\w./\-]{1,500}\.(?:exs?|erl|eex|heex)):(\d{1,7}): (\S.{0,300})$")
_THROWN = re.compile(r"^\s*\*\* \((?:EXIT from [^)]{1,100}\) )?\(?([\w.]{1,200})\) ?(.*)$")
_TITLE = re.compile(r"^\s+\d{1,4}\) (?:test|doctest|property) (.{1,300}) \(([\w.]{1,200})\)$")
_TITLE_AT = re.compile(r"^\s+([\w./\-]{1,500}\.exs):(\d{1,7})$")

# `{shop,total,1,[{file,"src/shop.erl"},{line,12}]}` and `in call from shop:total/1 (src/shop.erl, line 12)`.
_TUPLE = re.compile(r"(\w{1,200}),(?:\d{1,3}|\[[^\]]{0,300}\]),\s{0,80}\[\{file,\s?\"([^\"]{1,500})\"\},\s{0,80}\{line,\s?(\d{1,7})\}")
_CALLED = re.compile(r"(?:(\w{1,200})/\d{1,3} )?\((\S{1,500}\.erl), line (\d{1,7})\)")


def beam(rows: Sequence[str]) -> Sighting:
    seen = Sighting("Elixir stack trace")
    titles: list[Frame] = []
    for at, row in enumerate(rows):
        if ".e" in row and (match := _CALL.match(row)) is not None:
            seen.frames.append(frame(match[1], match[2], _function(match[3])))
        elif row.lstrip().startswith("** (") and (match := _THROWN.match(row)) is not None:
            seen.message = seen.message or f"{match[1]}: {match[2]}".rstrip(": ")
        elif ") " in row and (match := _TITLE.match(row)) is not None:
            seen.name = "ExUnit failure"
            seen.words.append(match[1])
        elif at and ".exs:" in row and (match := _TITLE_AT.match(row)) is not None and _TITLE.match(rows[at - 1]):
            titles.append(frame(match[1], match[2]))
            if at + 1 < len(rows) and not _THROWN.match(rows[at + 1]):
                seen.message = seen.message or rows[at + 1].strip()
        elif ".erl" in row and (found := [*_TUPLE.finditer(row), *_CALLED.finditer(row)]):
            seen.name = "Erlang stack trace"
            seen.frames += [frame(match[2], match[3], match[1] or "") for match in found]
        else:
            continue
        seen.used.add(at)
    # Where a test failed says more than where it begins.
    seen.frames += titles
    return seen if seen.frames else Sighting()


def _function(call: str) -> str:
    """`anonymous fn/1 in Plug.Router.call/2`, `A.B.f/2`, `(test)`: module and name as they are defined."""
    call = call.rpartition(" in ")[2]
    if call.startswith(("(", ":")):
        return ""
    return ".".join(part.strip('"') for part in call.partition("/")[0].split(".")[-2:])

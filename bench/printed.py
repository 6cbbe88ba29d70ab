"""Which places does a printed capsule show its reader? Read from the text alone, as a reader has nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bench.metrics import Place

# A group's header, `──── path ────`, with or without remarks after the path.
HEADER = re.compile(r"^─{2,}\s+(?P<path>\S+)(?P<rest>.*?)(?:\s*─{2,})?$")
# A line of code under it: its number, then the text.
NUMBERED = re.compile(r"^[\s>*+|│▸→-]{0,6}(?P<number>\d+)[\s:|│+>-]")
ANCHOR = re.compile(r"(?P<path>[^\s·,;()'\"`:]+):(?P<start>\d+)(?:-(?P<end>\d+))?")
# The line that repeats the question, and the one that offers the next page: what they name is not an answer.
NOT_ANSWERS = ("iq:", "more:", "hint:", "plan:", "note:")


@dataclass(frozen=True, slots=True)
class Printed:
    """`code` holds each unbroken run of printed lines, `anchors` what is only pointed at, both in the order of the text."""

    code: tuple[Place, ...]
    anchors: tuple[Place, ...]

    @property
    def all(self) -> tuple[Place, ...]:
        return self.code + self.anchors


def read(text: str, root: str = "") -> Printed:
    """`root` is put before every path, so that places are relative to the repository where a folder of it was searched."""
    code: list[Place] = []
    anchors: list[Place] = []
    path = ""
    for line in text.splitlines():
        if header := HEADER.match(line):
            path = under(root, header["path"].partition(":")[0])
        elif path and (numbered := NUMBERED.match(line)):
            number = int(numbered["number"])
            if code and code[-1].path == path and code[-1].end == number - 1:
                code[-1] = Place(path, code[-1].start, number)
            else:
                code.append(Place(path, number, number))
        elif not line.startswith(NOT_ANSWERS):
            for anchor in ANCHOR.finditer(line):
                start = int(anchor["start"])
                anchors.append(Place(under(root, anchor["path"]), start, int(anchor["end"] or start)))
    return Printed(tuple(code), tuple(anchors))


def under(root: str, path: str) -> str:
    return f"{root}/{path}" if root else path

"""What the bench asks of the engine, and how the real one is reached. Tests put a fake in the same place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.metrics import Place, Unit
from bench.printed import read, under
from iq.types import Answer, Candidate, Item, Output, Ranking, Request, Scope

# The verb of a question in words.
PROSE = "q"


class Engine(Protocol):
    """Three methods and not one: a run needs the same opened index for all of them."""

    def level(self) -> object: ...

    def rank(self, text: str, *, scope: Scope = ..., features: frozenset[str] | None = None) -> Ranking: ...

    def answer(self, request: Request) -> Answer: ...


class Capsule(Protocol):
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Kit:
    """The functions of iq that a run calls. `defaults` says of each feature whether it is on by itself.

    `lacking` names what a set of features needs and is not installed (a model), empty where it can run: such a
    configuration is skipped by name. `models` are the files in use, name -> sha256, for the record.
    """

    open: Callable[[Path], Engine]
    parse: Callable[[str], frozenset[str]]
    render: Callable[[Answer, Output], Capsule]
    defaults: Mapping[str, bool]
    lacking: Callable[[frozenset[str]], str] = lambda features: ""
    models: Callable[[], Mapping[str, str]] = dict


def real() -> Kit:
    """Imported late: the data sets, metrics and reports work without an engine."""
    from bench import opened
    from iq.features import FEATURES, parse
    from iq.render.capsule import render  # type: ignore[import,unused-ignore]

    return Kit(
        open=opened.opened,
        parse=parse,
        render=render,
        defaults={name: on for name, (on, _) in FEATURES.items()},
        lacking=opened.lacking,
        models=opened.models,
    )


def chunk_units(ranking: Ranking, root: str) -> list[Unit]:
    return [(place(chunk, root),) for chunk in ranking.chunks]


def file_units(ranking: Ranking, root: str) -> list[Unit]:
    return [(place(file, root),) for file in ranking.files]


def place(found: Candidate | Item, root: str) -> Place:
    return Place(under(root, found.path), found.start, found.end)


def answer_units(answer: Answer, root: str) -> list[Unit]:
    """The rank units of intentic's iq-bench: files of the answer in first-seen order, each with its anchors, then `related`.

    A related entry counts where it is an anchor, alone or with words around it.
    """
    files: dict[str, list[Place]] = {}
    for item in answer.items:
        files.setdefault(item.path, []).append(place(item, root))
    units: list[Unit] = [tuple(places) for places in files.values()]
    return units + [tuple(anchors) for entry in answer.related if (anchors := related_places(entry, root))]


def related_places(entry: str, root: str) -> tuple[Place, ...]:
    return read("related " + entry, root).anchors

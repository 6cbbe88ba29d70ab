"""The verb `calibrate`: measures or reads observations, prints the tables and the constants, saves them where asked."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.calibrate import FORMS, USED, fit, literal, report
from bench.datasets import Case
from bench.observed import Observation, observe
from bench.opened import lacking
from iq.models import calibration
from iq.models.files import ModelError


def run(args: argparse.Namespace, cases: Sequence[Case], cache: Path, say: Callable[[str], None]) -> int:
    """1 where nothing could be measured."""
    rows = read(args.json) if args.json and args.json.is_file() else []
    if not rows:
        if missing := lacking(frozenset({"vectors", "rerank"})):
            raise ValueError(missing)
        rows = observe(cases, args.cache or cache, say)
        if args.json:
            write(rows, args.json)
    if not any(row.off for row in rows) or not any(row.good for row in rows):
        return 1
    print(report(rows))
    for name in USED:
        form = FORMS[name]
        fitted = fit(rows, form)
        try:
            key = calibration.name("cosine" in form.topic, "probability" in form.topic)
        except ModelError as error:
            if args.save:
                raise ValueError(f"nothing saved for {name}: {error}") from error
            key = str(error)
        print(f"\n{name} = {literal(fitted)}  # {key}")
        if args.save:
            say(f"saved in {calibration.save(key, fitted)}")
    return 0


def write(rows: Sequence[Observation], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(asdict(row), sort_keys=True, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def read(path: Path) -> list[Observation]:
    return [Observation(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]

"""Every data set as one type: a case is a query asked of one corpus, with the places that answer it.

Target paths are relative to the repository, also where only a folder of it (`Corpus.root`) is indexed. Where each set
comes from, and under which licence, stands in the PROVENANCE.md beside its data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from iq.types import Scope

DATA = Path(__file__).with_name("datasets")

# Repositories that serve as the corpus of a set whose rows do not name a commit (see the set's PROVENANCE.md).
OCTOCODE = ("Muvon/octocode", "b1771ba48214ce7404ad7158e277eb60680912b4")
CQS = ("jamie8johnson/cqs", "2be23c6e66d35bb202655b52c286a11ee425186f")

SLUGS = {"click": "pallets/click", "cobra": "spf13/cobra", "hono": "honojs/hono"}

# Lines either side of an iq-bench anchor that still count, where the row sets no tolerance of its own (upstream's default).
TOLERANCE = 10

EVERYTHING = Scope()

# octocode's code queries were published against its code index, which leaves Markdown to another one.
CODE_ONLY = Scope(not_globs=("*.md",))


@dataclass(frozen=True, slots=True, order=True)
class Corpus:
    """A tree at a commit; `root` is the folder of it that is indexed, empty for all."""

    slug: str
    rev: str
    root: str = ""

    @property
    def tree(self) -> str:
        return f"{self.slug}@{self.rev[:12]}"


@dataclass(frozen=True, slots=True)
class Target:
    """A place that answers: a file, or lines `start..end` of it, both inclusive. A higher `grade` answers better."""

    path: str
    start: int | None = None
    end: int | None = None
    grade: int = 1


@dataclass(frozen=True, slots=True)
class Case:
    """One judged query. `category` is the set's own; `verb` is `q` for a ranked question; no targets means no answer exists."""

    id: str
    set: str
    repo: str
    query: str
    category: str
    targets: tuple[Target, ...]
    corpus: Corpus
    verb: str = "q"
    scope: Scope = EVERYTHING


def rows(path: str) -> Iterator[dict]:
    """The objects of a JSON-lines file under `bench/datasets`, in file order."""
    with (DATA / path).open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def semble() -> tuple[Case, ...]:
    """Primary and secondary targets alike: the published measure takes both as relevant."""
    repos = {row["name"]: row for row in json.loads((DATA / "semble/repos.json").read_text("utf-8"))}
    corpora = {
        name: Corpus(row["url"].removeprefix("https://github.com/").removesuffix(".git"), row["revision"], row.get("benchmark_root") or "")
        for name, row in repos.items()
    }
    return tuple(
        Case(
            id=row["id"],
            set="semble",
            repo=row["repo"],
            query=row["query"],
            category=row["category"],
            targets=tuple(Target(place["path"], place.get("start_line"), place.get("end_line")) for place in row["relevant"] + row["secondary"]),
            corpus=corpora[row["repo"]],
        )
        for row in rows("semble/queries.jsonl")
    )


def anchor(row: Mapping) -> Target:
    """An iq-bench anchor with its tolerance as a span: `line ± tolerance`, cut at line 1."""
    if "line" not in row:
        return Target(row["file"])
    slack = row.get("tolerance", TOLERANCE)
    return Target(row["file"], max(1, row["line"] - slack), row["line"] + slack)


def iq_bench() -> tuple[Case, ...]:
    """The questions in words; `exact` holds the other verbs of the same file."""
    return tuple(case for case in anchored("iq-bench") if case.verb == "q")


def exact() -> tuple[Case, ...]:
    """def, sym, find, files and refs: verbs that answer from the live tree and must be complete."""
    return tuple(case for case in anchored("exact") if case.verb != "q")


def anchored(name: str) -> tuple[Case, ...]:
    return tuple(
        Case(
            id=row["id"],
            set=name,
            repo=row["repo"],
            query=row["query"],
            category=row["verb"],
            targets=tuple(anchor(place) for place in row["expected"]),
            corpus=Corpus(SLUGS[row["repo"]], row["sha"]),
            verb=row["verb"],
        )
        for row in rows("iq-bench/cases.jsonl")
    )


def commitloc() -> tuple[Case, ...]:
    return tuple(
        Case(
            id=row["id"],
            set="commitloc",
            repo=row["repo"],
            query=row["query"],
            category="names the file" if row["names_file"] else "does not name it",
            targets=tuple(Target(path) for path in row["gold_files"]),
            corpus=Corpus(row["slug"], row["index_at"]),
        )
        for row in rows("commitloc/queries.jsonl")
    )


def octocode() -> tuple[Case, ...]:
    return tuple(
        Case(
            id=row["id"],
            set="octocode",
            repo="octocode",
            query=row["query"],
            category="hard" if row["hard"] else "plain",
            targets=tuple(Target(place["path"], place["start_line"], place["end_line"], place["grade"]) for place in row["targets"]),
            corpus=Corpus(*OCTOCODE),
            scope=CODE_ONLY,
        )
        for row in rows("octocode/code.jsonl")
    )


def cqs() -> tuple[Case, ...]:
    return tuple(
        Case(
            id=row["id"],
            set="cqs",
            repo="cqs",
            query=row["query"],
            category=row["category"],
            targets=(Target(row["gold"]["path"], row["gold"]["start_line"], row["gold"]["end_line"]),),
            corpus=Corpus(*CQS),
        )
        for row in rows("cqs/v3-dev.jsonl")
    )


def swebench() -> tuple[Case, ...]:
    """The gold file of each issue, as the lines its patch replaces; every case has a tree of its own."""
    return tuple(
        Case(
            id=row["id"],
            set="swebench",
            repo=row["repo"].rpartition("/")[2],
            query=row["query"],
            category="scored by LocAgent" if row["in_locagent_274"] else "not scored by LocAgent",
            targets=tuple(Target(place["path"], place["start_line"], place["end_line"]) for place in row["gold_spans"]),
            corpus=Corpus(row["repo"], row["base_commit"]),
        )
        for row in rows("swebench-lite-loc/queries.jsonl")
    )


def intent_code() -> tuple[Case, ...]:
    """One query under several intents, each with its own gold; the intent is the category."""
    return tuple(
        Case(
            id=f"{row['repo']}-{row['intent']}-{number:03}",
            set="intent-code",
            repo=row["repo"],
            query=row["query"],
            category=row["intent"],
            targets=tuple(Target(place["path"], place["line"], place["end"]) for place in row["gold"]),
            corpus=Corpus(SLUGS[row["repo"]], row["rev"]),
        )
        for number, row in enumerate(rows("intent-code/cases.jsonl"))
    )


def noanswer() -> tuple[Case, ...]:
    """Queries asked of the wrong repository: no targets."""
    return tuple(
        Case(
            id=f"{row['target_repo']}<{row['from_query']}",
            set="noanswer",
            repo=row["target_repo"],
            query=row["query"],
            category=row["category"],
            targets=(),
            corpus=Corpus(row["target_slug"], row["target_rev"], row["target_root"]),
        )
        for row in rows("noanswer-cross/pairs.jsonl")
    )


def paraphrase() -> tuple[Case, ...]:
    """Questions that share no word with the definition that answers them."""
    return tuple(
        Case(
            id=row["id"],
            set="paraphrase",
            repo=row["repo"],
            query=row["query"],
            category="paraphrase",
            targets=(Target(row["path"], row["start"], row["end"]),),
            corpus=Corpus(row["slug"], row["sha"]),
        )
        for row in rows("paraphrase/queries.jsonl")
    )


def intent_db(track: str) -> tuple[Case, ...]:
    """Texts instead of code: a target's path is a document id of `intent_db_texts(track)`; the intent is the category."""
    return tuple(
        Case(
            id=f"{track}-{number:03}",
            set="intent-db",
            repo=track,
            query=row["query"],
            category=row["intent"],
            targets=(Target(row["gold"]),),
            corpus=Corpus("intent-db", track),
        )
        for number, row in enumerate(rows(f"intent-db/{track}.cases.jsonl"))
    )


def intent_db_texts(track: str) -> Mapping[str, str]:
    return {row["id"]: row["text"] for row in rows(f"intent-db/{track}.docs.jsonl")}


# The sets that are asked of a checked-out corpus.
SETS: Mapping[str, Callable[[], tuple[Case, ...]]] = {
    "semble": semble,
    "iq-bench": iq_bench,
    "exact": exact,
    "commitloc": commitloc,
    "octocode": octocode,
    "cqs": cqs,
    "swebench": swebench,
    "intent-code": intent_code,
    "noanswer": noanswer,
    "paraphrase": paraphrase,
}


def load(names: tuple[str, ...], repos: tuple[str, ...] = ()) -> tuple[Case, ...]:
    """The cases of the named sets, in their order, of `repos` only where any are named. Raises ValueError on an unknown name."""
    for name in names:
        if name not in SETS:
            raise ValueError(f"unknown set '{name}'; known: {', '.join(SETS)}")
    cases = tuple(case for name in names for case in SETS[name]())
    known = sorted({case.repo for case in cases})
    for repo in repos:
        if repo not in known:
            raise ValueError(f"no case of {', '.join(names)} is asked of '{repo}'; known: {', '.join(known)}")
    return tuple(case for case in cases if not repos or case.repo in repos)

"""iq-bench imports: do imports mean the files that iq says? Per language, against compilers and labelled samples.

Python is judged by `ast` and the interpreter's path finder, C by the headers that the compiler reports, TypeScript by the
stored answers of its compiler, C#, Scala and Swift by the declarations and words of the files (`declared`), the others by
samples that were read (`datasets/imports/PROVENANCE.md`).
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

import pygit2

from bench.pasts import Past, Repository

HERE = Path(__file__).parent / "datasets" / "imports"

# (repository, folders that stand on the interpreter's path when its tests run)
PYTHON = (
    ("pallets/click", ("src", "")),
    ("pallets/flask", ("src", "")),
    ("psf/requests", ("src", "")),
    ("fastapi/fastapi", ("",)),
    ("pytest-dev/pytest", ("src", "")),
)

# (language, end of its sources, repository, include folders of its own build, folders whose files are judged)
C = (
    ("c", ".c", "libuv/libuv", ("include", "src"), ("src/unix/", "src/", "test/")),
    ("cpp", ".cc", "google/leveldb", (".", "include"), ("db/", "table/", "util/", "helpers/memenv/")),
)

# Seconds for one compiler run; none takes a tenth of it.
PATIENCE = 60


@dataclass(frozen=True, slots=True)
class Judged:
    """One import: what iq says and what is true, both as files of the repository."""

    language: str
    repo: str
    place: str
    said: frozenset[str]
    true: frozenset[str]


def labelled(mirror: Path, say: Callable[[str], None]) -> Iterator[Judged]:
    """The stored samples; repositories without a mirror are skipped, and said."""
    groups: dict[tuple[str, str], list[dict[str, object]]] = {}
    for file in sorted(HERE.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            groups.setdefault((row["repo"], row["rev"]), []).append(row)
    for (repo, rev), rows in groups.items():
        past = brought(mirror, repo, rev, say)
        if past is None:
            continue
        said: dict[tuple[str, str], set[str]] = {}
        for each in past.resolved[1]:
            said.setdefault((each.source, each.row.module), set()).update(each.targets or ())
        for row in rows:
            path, module = str(row["path"]), str(row["module"])
            targets = row["targets"]
            true: set[str] = set()
            for target in targets if isinstance(targets, list) else ():
                true.update(_package(past, target) if target.endswith("/*.go") else [target])
            yield Judged(str(row["language"]), repo, f"{path}:{row['line']} {module}", frozenset(said.get((path, module), ())), frozenset(true - {path}))


def _package(past: Past, pattern: str) -> list[str]:
    folder = pattern.removesuffix("/*.go")
    return [path for path in past.blobs if path.rpartition("/")[0] == folder and path.endswith(".go") and not path.endswith("_test.go")]


def brought(mirror: Path, repo: str, rev: str, say: Callable[[str], None]) -> Past | None:
    place = mirror / repo.replace("/", "+") / "repo"
    try:
        git = Repository(str(place))
        return Past(git, git.git.revparse_single(rev).peel(pygit2.Commit))
    except (pygit2.GitError, KeyError) as error:
        say(f"skipped {repo}: {error}")
        return None


def written(past: Past, folder: Path, endings: tuple[str, ...]) -> None:
    """The files of a commit that end so, on disk."""
    for path, blob in past.blobs.items():
        if path.endswith(endings):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(past.repo.data(blob))


def said_by(past: Past, path: str) -> frozenset[str]:
    return frozenset(target for each in past.resolved[1] if each.source == path for target in each.targets or ())


def python(mirror: Path, say: Callable[[str], None]) -> Iterator[Judged]:
    """Every statement of every file that parses, found as the interpreter would find it, without running anything."""
    for repo, roots in PYTHON:
        past = brought(mirror, repo, "HEAD", say)
        if past is None:
            continue
        said: dict[tuple[str, int], set[str]] = {}
        for each in past.resolved[1]:
            said.setdefault((each.source, each.row.line), set()).update(each.targets or ())
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch)
            written(past, root, (".py",))
            for path in sorted(past.blobs):
                if not path.endswith(".py"):
                    continue
                try:
                    tree = ast.parse((root / path).read_bytes())
                except (SyntaxError, ValueError):
                    continue
                truth: dict[int, set[str]] = {}
                for node in ast.walk(tree):
                    for target in _python_targets(root, roots, path, node):
                        truth.setdefault(node.lineno, set()).add(target)  # type: ignore[attr-defined]
                lines = {node.lineno for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))}
                for line in sorted(lines):
                    yield Judged("python", repo, f"{path}:{line}", frozenset(said.get((path, line), set())), frozenset(truth.get(line, set()) - {path}))


def _python_targets(root: Path, roots: Sequence[str], path: str, node: ast.AST) -> Iterator[str]:
    folder = (root / path).parent
    outer = folder
    while (outer / "__init__.py").is_file():
        outer = outer.parent
    places = [str(root / each) for each in roots] + [str(outer)]
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.split(".")[0] not in sys.stdlib_module_names - {"test"} and (found := _find(alias.name, places)) and found[0]:
                yield os.path.relpath(found[0], root)
    elif isinstance(node, ast.ImportFrom):
        base: tuple[str, list[str]] | None
        if node.level:
            place = folder
            for _ in range(node.level - 1):
                place = place.parent
            if not place.is_relative_to(root):
                return
            init = place / "__init__.py"
            base = (str(init) if init.is_file() else "", [str(place)])
            if node.module:
                base = _find(node.module, [str(place)])
        else:
            if (node.module or "").split(".")[0] in sys.stdlib_module_names - {"test"}:
                return
            base = _find(node.module or "", places)
        if base is None:
            return
        for alias in node.names:
            child = _find(alias.name, base[1]) if alias.name != "*" and base[1] else None
            if child and child[0]:
                yield os.path.relpath(child[0], root)
            elif base[0]:
                yield os.path.relpath(base[0], root)


def _find(name: str, places: list[str]) -> tuple[str, list[str]] | None:
    """(file, or "" for a namespace; where its submodules lie) of a module under the places; nothing is run."""
    spec = None
    for part in name.split("."):
        spec = PathFinder.find_spec(part, places)
        if spec is None:
            return None
        places = list(spec.submodule_search_locations or ())
    origin = spec.origin if spec is not None and spec.has_location and spec.origin else ""
    return origin, places


def headers(mirror: Path, say: Callable[[str], None]) -> Iterator[Judged]:
    """What each source file includes directly on this system, as the compiler lists it. Headers that it leaves out for
    another system are judged by nobody."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        say("skipped c: no compiler")
        return
    for language, end, repo, includes, folders in C:
        past = brought(mirror, repo, "HEAD", say)
        if past is None:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch)
            written(past, root, (end, ".h"))
            for path in sorted(past.blobs):
                if not path.endswith(end) or path.rpartition("/")[0] + "/" not in folders:
                    continue
                flags = ("-fsyntax-only", "-w", "-H", "-D_GNU_SOURCE", "-DLEVELDB_PLATFORM_POSIX")
                command = [compiler, *flags, *(f"-I{root / each}" for each in includes), str(root / path)]
                done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
                if done.returncode:
                    continue
                listed = [line[2:] for line in done.stderr.splitlines() if line.startswith(". ")]
                true = frozenset(
                    os.path.relpath(os.path.realpath(each), os.path.realpath(root))
                    for each in listed
                    if os.path.realpath(each).startswith(os.path.realpath(root))
                )
                names = {each.rpartition("/")[2] for each in true}
                said = frozenset(each for each in said_by(past, path) if each in true or each.rpartition("/")[2] in names)
                yield Judged(language, repo, path, said, true)


def table(rows: Iterable[Judged], misses: int) -> str:
    """Per language: imports judged, precision and recall over files, share of imports that are exactly right, some that are not."""
    by: dict[str, list[Judged]] = {}
    for row in rows:
        by.setdefault(row.language, []).append(row)
    out = ["| language | repositories | imports judged | precision | recall | exactly right |", "|---|---|---|---|---|---|"]
    wrong = []
    for language, each in sorted(by.items()):
        both = sum(len(row.said & row.true) for row in each)
        said, true = sum(len(row.said) for row in each), sum(len(row.true) for row in each)
        right = sum(row.said == row.true for row in each)
        repos = Counter(row.repo for row in each)
        out.append(
            f"| {language} | {', '.join(sorted(repos))} | {len(each)} | {both / max(1, said):.3f} | {both / max(1, true):.3f} | {right / len(each):.1%} |"
        )
        wrong += [f"- {language} {row.repo} {row.place}: said {_names(row.said)}, true {_names(row.true)}" for row in each if row.said != row.true][:misses]
    return "\n".join([*out, "", *wrong]) + "\n"


def _names(paths: frozenset[str]) -> str:
    shown = sorted(paths)
    return ", ".join(shown[:2]) + (f" and {len(shown) - 2} more" if len(shown) > 2 else "") or "nothing"


def main(mirror: Path, misses: int, say: Callable[[str], None]) -> str:
    from bench.declared import tokens

    return table([*labelled(mirror, say), *python(mirror, say), *headers(mirror, say), *tokens(mirror, say)], misses)

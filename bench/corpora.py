"""Brings each corpus at its pin into a cache folder, and says which could not be had.

Three sources, tried in this order: a folder of bare mirrors (`owner+name/repo`), the repository itself
(`git fetch --depth 1 URL SHA`), and the registry package that `corpora.jsonl` names as nearest to the pin. A tree is
written beside its place and then renamed, so what is in the cache is whole. No `.git` is written: a corpus has no history.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.datasets import SETS, Corpus, load, rows

# Seconds after which a transfer is given up. The largest trees hold 41 MB.
PATIENCE = 600

# Share of a commit's files that a source may lack. Above it the corpus would be another one; the worst mirror seen lacks 2 of 956.
ABSENT_SHARE = 0.01

# Packages whose files lie deeper in the repository than in the tarball.
PREFIX = {"npm:zod": "packages/zod"}

GIT = ("git", "-c", "core.autocrlf=false", "-c", "core.symlinks=true", "-c", "advice.detachedHead=false")


@dataclass(frozen=True, slots=True)
class Brought:
    """Where a corpus came from. `exact` is false for a registry package; `reason` says why it is not there at all.

    `absent` names files of the commit whose content the source does not hold: a mirror may leave out its largest files.
    """

    tree: str
    source: str
    exact: bool = True
    reason: str = ""
    absent: tuple[str, ...] = ()


def default_cache() -> Path:
    """`IQ_BENCH_CACHE`, else `iq-bench` in the user's cache folder."""
    if named := os.environ.get("IQ_BENCH_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "iq-bench"


def place(cache: Path, corpus: Corpus) -> Path:
    """The folder of a corpus's tree, whichever part of it is indexed."""
    return cache / corpus.slug.replace("/", "+") / corpus.rev


def wanted(names: Iterable[str] = SETS, repos: tuple[str, ...] = ()) -> tuple[Corpus, ...]:
    """The trees that the cases of the named sets (and repositories) ask, each once, without their roots."""
    return tuple(sorted({Corpus(case.corpus.slug, case.corpus.rev) for case in load(tuple(names), repos)}))


def substitutes() -> Mapping[Corpus, str]:
    """`pypi:name==version` or `npm:name@version` by tree; the first word, since remarks may follow it."""
    return {
        Corpus(row["slug"], row["rev"]): row["registry_alternative_all_gold_present"].split()[0]
        for row in rows("corpora.jsonl")
        if row.get("registry_alternative_all_gold_present")
    }


def recorded(cache: Path, corpus: Corpus) -> Brought | None:
    """What was noted when the corpus was brought, or None where it is not in the cache."""
    folder = place(cache, corpus)
    note = folder.with_suffix(".json")
    if not folder.is_dir() or not note.is_file():
        return None
    row = json.loads(note.read_text("utf-8"))
    return Brought(**{**row, "absent": tuple(row["absent"])})


def bring(corpus: Corpus, cache: Path, mirror: Path | None = None, sources: tuple[str, ...] = ("mirror", "git", "registry")) -> Brought:
    """Puts one tree in place unless it is there, and says how. Never raises for a source that has not got it."""
    if (known := recorded(cache, corpus)) is not None:
        return known
    folder = place(cache, corpus)
    folder.parent.mkdir(parents=True, exist_ok=True)
    reasons = []
    for source in sources:
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".part-") as scratch:
            tree = Path(scratch) / "tree"
            tree.mkdir()
            try:
                if source == "mirror":
                    brought = from_mirror(corpus, mirror, tree)
                elif source == "git":
                    brought = from_git(corpus, tree)
                else:
                    brought = from_registry(corpus, tree)
            except (Missing, OSError, subprocess.SubprocessError, tarfile.TarError) as error:
                reasons.append(f"{source}: {first_line(error)}")
                continue
            if folder.exists():
                shutil.rmtree(folder)
            os.replace(tree, folder)
            folder.with_suffix(".json").write_text(json.dumps(asdict(brought)), "utf-8")
            return brought
    return Brought(corpus.tree, "", exact=False, reason="; ".join(reasons) or "no source was allowed")


class Missing(Exception):
    """A source has not got the corpus."""


def first_line(error: Exception) -> str:
    """The line of an error worth a table cell: the program's last complaint where a program failed."""
    if isinstance(error, subprocess.CalledProcessError):
        said = (error.stderr or b"").decode("utf-8", "replace").strip().splitlines()
        return (said[-1] if said else f"{error.cmd[0]} exited with {error.returncode}")[:160]
    return (str(error).splitlines() or [type(error).__name__])[0][:160]


def run(*command: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> bytes:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, "GIT_TERMINAL_PROMPT": "0", **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    return done.stdout


def export(repository: Path, rev: str, tree: Path) -> tuple[str, ...]:
    """Writes the files of a commit into `tree`; returns those whose content the repository lacks, as paths.

    The index is a scratch file, so the repository is only read. Not `git archive`: that leaves out what the repository
    marks `export-ignore`, often its tests and docs. Raises Missing where more than `ABSENT_SHARE` of the files lack content.
    """
    index = {"GIT_INDEX_FILE": str(tree.parent.resolve() / "index"), "GIT_OPTIONAL_LOCKS": "0"}
    git = (*GIT, f"--git-dir={repository.resolve()}", f"--work-tree={tree.resolve()}")
    run(*git, "read-tree", rev, env=index)
    with suppress(subprocess.CalledProcessError):  # it writes all it can and fails at the end: judged below
        run(*git, "checkout-index", "--all", "--force", cwd=tree, env=index)
    listed = [line.partition("\t") for line in os.fsdecode(run(*git, "ls-tree", "-r", "-z", rev)).split("\0") if line]
    files = [path for about, _, path in listed if not about.startswith("160000")]  # 160000: a submodule, no file
    absent = tuple(path for path in files if not os.path.lexists(tree / path))
    if len(absent) > ABSENT_SHARE * len(files):
        raise Missing(f"{len(absent)} of {len(files)} files have no content here")
    return absent


def from_mirror(corpus: Corpus, mirror: Path | None, tree: Path) -> Brought:
    if mirror is None:
        raise Missing("none given")
    folder = mirror / corpus.slug.replace("/", "+") / "repo"
    repository = folder / ".git" if (folder / ".git").is_dir() else folder
    if not repository.is_dir():
        raise Missing(f"no {folder.parent.name}/repo")
    try:
        run(*GIT, f"--git-dir={repository}", "cat-file", "-e", corpus.rev + "^{tree}")
    except subprocess.CalledProcessError as error:
        raise Missing(f"{folder.parent.name} lacks {corpus.rev[:12]}") from error
    return Brought(corpus.tree, "mirror", absent=export(repository, corpus.rev, tree))


def from_git(corpus: Corpus, tree: Path, host: str = "https://github.com") -> Brought:
    repository = tree.parent / "bare"
    run(*GIT, "init", "--quiet", "--bare", repository)
    run(*GIT, f"--git-dir={repository}", "fetch", "--quiet", "--depth", "1", f"{host}/{corpus.slug}.git", corpus.rev)
    return Brought(corpus.tree, "git", absent=export(repository, corpus.rev, tree))


def from_registry(corpus: Corpus, tree: Path) -> Brought:
    """The nearest published package: `pip download` of a source archive, or `npm pack`. No package is installed."""
    package = substitutes().get(Corpus(corpus.slug, corpus.rev))
    if package is None:
        raise Missing("no package stands in for it")
    registry, _, name = package.partition(":")
    parcel = tree.parent / "parcel"
    parcel.mkdir()
    if registry == "pypi":
        run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", parcel, name)
    else:
        run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", parcel, name)
    archive = next(iter(sorted(parcel.glob("*.t*gz"))), None)
    if archive is None:
        raise Missing(f"{package} came without a source archive")
    unpack(archive, tree / PREFIX.get(registry + ":" + name.rpartition("@")[0], ""))
    return Brought(corpus.tree, package, exact=False)


def unpack(archive: Path, folder: Path) -> None:
    """The regular files of an archive without its single top folder."""
    with tarfile.open(archive) as bundle:
        for member in bundle.getmembers():
            _, _, inner = member.name.partition("/")
            if not member.isfile() or not inner:
                continue
            member.name = inner
            bundle.extract(member, folder, filter="data")


def report(results: Iterable[Brought]) -> str:
    """One line a corpus, then what is missing by name."""
    results = tuple(results)
    lines = [f"{row.tree:<44} {row.source + ('' if row.exact else ' (stands in for the pin)') if row.source else 'SKIPPED'}" for row in results]
    missing = [row for row in results if not row.source]
    lines.append(f"{len(results) - len(missing)} of {len(results)} corpora in the cache, {sum(row.exact for row in results)} of them at their pin")
    lines += [f"{row.tree} came without {', '.join(row.absent)}" for row in results if row.absent]
    lines += [f"skipped {row.tree}: {row.reason}" for row in missing]
    return "\n".join(lines)

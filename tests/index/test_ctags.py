"""What universal-ctags finds in a file, the queries find as well: a differential test (`-s` prints the recall of each language).

Python and C are read from what every machine has, the standard library and /usr/include; the rest from the fixtures.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sysconfig
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from iq.index.languages import detect
from iq.index.symbols import extract

FIXTURES = Path(__file__).parent / "fixtures" / "languages"

# What ctags calls our languages; it has no parser for the others.
PARSERS = {
    "bash": "Sh",
    "c": "C",
    "clojure": "Clojure",
    "cmake": "CMake",
    "cpp": "C++",
    "csharp": "C#",
    "css": "CSS",
    "elixir": "Elixir",
    "erlang": "Erlang",
    "go": "Go",
    "java": "Java",
    "javascript": "JavaScript",
    "julia": "Julia",
    "kotlin": "Kotlin",
    "lua": "Lua",
    "make": "Make",
    "markdown": "Markdown",
    "objc": "ObjectiveC",
    "ocaml": "OCaml",
    "perl": "Perl",
    "php": "PHP",
    "proto": "Protobuf",
    "python": "Python",
    "r": "R",
    "rst": "ReStructuredText",
    "ruby": "Ruby",
    "rust": "Rust",
    "scss": "SCSS",
    "sql": "SQL",
    "tsx": "TypeScript",
    "typescript": "TypeScript",
}

# Kinds of tags that an engineer jumps to and that mean the same on both sides. Left out: fields, constants and variables, where
# ctags counts locals in some languages.
KINDS = frozenset(
    (
        *("function", "func", "method", "singletonMethod", "subroutine", "procedure", "generator", "macro"),
        *("class", "interface", "protocol", "trait", "struct", "union", "record", "enum", "typedef", "type", "module", "message", "service"),
        *("table", "target", "chapter", "section", "subsection"),
    )
)

# Names that are no definitions: those that ctags makes up, heads it misreads (`try (` as a Java method, `def self.all` as a method
# called self, a block's parameter and a member of NS_ENUM as types), macros that only guard a header, test macros, which we name by
# what they test, and a module named after the file.
NOISE = {
    "": re.compile(r"^(?:__anon|anonFunc|[Aa]nonymous|<lambda>)"),
    "c": re.compile(r"_H_*$|^[A-Z_]*(?:TEST|BENCH)[A-Z_]*$"),
    "cpp": re.compile(r"_H_*$|^TEST"),
    "java": re.compile(r"^try$|\."),
    "objc": re.compile(r"^(?:berth|WeatherStorm)$"),
    "ocaml": re.compile(r"^Sample$|^\(\)$"),
    "ruby": re.compile(r"^self$"),
    "tsx": re.compile(r"^(?:extends|new)$"),
    "typescript": re.compile(r"^(?:extends|new)$"),
}

# In these a function's later clauses belong to its definition, as its span says.
JOINED = frozenset({"erlang", "elixir", "haskell"})

# A name counts as found when our symbol is this near (lines): ctags and we may differ on where a long head names what it defines.
NEAR = 2
FILES = 150

# Measured with Universal Ctags 5.9; 1 where a language is not listed. SLACK is for other versions of ctags and of the two real corpora.
FLOORS = {
    "c": 0.96,  # a #define in the body of an enum and heads made of macros, which the grammar cannot read
    "julia": 0.93,  # a constructor with its type parameters
    "make": 0.89,  # variables of one target
    "python": 0.99,  # local lambdas
    "r": 0.9,  # local functions
    "scss": 0.66,  # interpolated selectors, and what follows a rest parameter
}
SLACK = 0.02


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    line: int
    kind: str
    text: str


@cache
def parsers() -> frozenset[str]:
    """The languages of the installed ctags; skips where it is missing or not the universal one."""
    ctags = shutil.which("ctags")
    if ctags is None:
        pytest.skip("ctags is not installed")
    version = subprocess.run([ctags, "--version"], capture_output=True, text=True).stdout
    if "Universal Ctags" not in version:
        pytest.skip(f"ctags is not Universal Ctags: {version.splitlines()[0] if version else 'no version'}")
    if "json" not in subprocess.run([ctags, "--list-features"], capture_output=True, text=True).stdout.split():
        pytest.skip("this Universal Ctags is built without JSON output")
    return frozenset(subprocess.run([ctags, "--list-languages"], capture_output=True, text=True).stdout.split())


def corpus(language: str) -> list[Path]:
    folder = {"python": Path(sysconfig.get_path("stdlib")), "c": Path("/usr/include")}.get(language)
    if folder is not None and folder.is_dir():
        files = sorted(path for path in folder.glob("*.[ph]*") if path.suffix in (".py", ".h") and path.is_file())
        files = [path for path in files if detect(path.name, path.read_bytes()[:4096]) == language]
        if files:
            return files[:FILES]
    return [path for path in (FIXTURES / language).iterdir() if path.name != "golden.txt"]


def tags(language: str, files: list[Path]) -> Iterator[tuple[Path, Tag]]:
    command = ["ctags", "--output-format=json", "--fields=+n", "--extras=-p", f"--language-force={PARSERS[language]}", "-f", "-", "-L", "-"]
    output = subprocess.run(command, input="\n".join(map(str, files)), capture_output=True, text=True, errors="replace").stdout
    for line in output.splitlines():
        row = json.loads(line)
        if row.get("_type") == "tag" and row["kind"] in KINDS and not noise(language, row):
            yield Path(row["path"]), Tag(row["name"], row["line"], row["kind"], row["pattern"])


def noise(language: str, row: dict[str, str]) -> bool:
    """Whether ctags is wrong here: see NOISE; also an import alias as a C# type, Kotlin's lambda parameters and names in ticks."""
    if language == "rst" and row["kind"] == "target":
        return ":$/" not in row["pattern"]  # a name for an address: nothing to jump to
    if language == "csharp" and row["kind"] == "typedef":
        return True
    if language == "kotlin" and row["kind"] == "method" and ("fun" not in row["pattern"] or "`" in row["pattern"]):
        return True
    return bool(NOISE[""].search(row["name"]) or (language in NOISE and NOISE[language].search(row["name"])))


def parts(language: str, name: str) -> list[str]:
    """What we name of a tag: of a selector each class and id in it, of an Objective-C selector the first word."""
    if language in ("css", "scss"):
        return re.findall(r"(?<!:not\()[.#]([\w-]+)", name)
    return [bare(name.split(":")[0] or name) if language == "objc" else bare(name)]


def bare(name: str) -> str:
    """The last part of a qualified name, an operator without its space: ctags and we qualify differently."""
    return re.split(r"::|(?<=\w)[.#:\\](?=\w)", name.replace("operator ", "operator").removeprefix("Elixir."))[-1].strip("`'\"#:")


@pytest.mark.parametrize("language", sorted(PARSERS))
def test_what_ctags_finds_is_found(language: str) -> None:
    if PARSERS[language] not in parsers():
        pytest.skip(f"this ctags has no parser for {PARSERS[language]}")
    if not (FIXTURES / language).is_dir():
        pytest.skip(f"no fixture for {language}")
    files = corpus(language)
    ours: dict[Path, dict[str, list[tuple[int, int]]]] = {}
    for path in files:
        ours[path] = defaultdict(list)
        for symbol in extract(language, path.read_bytes()).symbols:
            last = symbol.end if language in JOINED else symbol.name_line + NEAR
            ours[path][bare(symbol.name).lstrip(".#&%")].append((symbol.line, max(last, symbol.name_line + NEAR)))
            ours[path][bare(symbol.name)].append(ours[path][bare(symbol.name).lstrip(".#&%")][-1])
    missed, total = [], 0
    for path, tag in tags(language, files):
        total += 1
        if not all(any(first - NEAR <= tag.line <= last for first, last in ours[path].get(name, ())) for name in parts(language, tag.name)):
            missed.append(f"{path.name}:{tag.line} {tag.kind} {tag.name} {tag.text}")
    if not total:
        pytest.skip(f"ctags finds nothing to compare in {len(files)} files of {language}")
    recall = 1 - len(missed) / total
    print(f"\n{language:12} {len(files):4} files {total:6} tags  recall {recall:.4f}", *missed[:8], sep="\n    " if missed else "")
    assert recall >= FLOORS.get(language, 1) - SLACK, f"{len(missed)} of {total} tags missed:\n" + "\n".join(missed[:20])

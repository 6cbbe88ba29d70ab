"""C#, Scala and Swift: which files does an import of a namespace, package or module mean?

No compiler of them runs here, so the truth is a second reading of the same files that shares nothing with iq's: comments and
strings are cut, declarations are told by the line they begin with, and an import means those files of what it names that declare,
outside of any other type, a name which stands in the importing file. It knows nothing of extension methods and implicits, so imports of the repository's
own of which the file names nothing are not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench.imports import Judged, brought
from bench.pasts import Past

REPOSITORIES: Mapping[str, tuple[str, ...]] = {
    "csharp": ("JamesNK/Newtonsoft.Json", "AutoMapper/AutoMapper"),
    "scala": ("com-lihaoyi/os-lib", "playframework/play-json", "typelevel/cats-effect"),
    "swift": ("apple/swift-argument-parser", "Alamofire/Alamofire"),
}

# Where the manifests of the Swift repositories, read by hand, put the modules that others import.
MODULES: Mapping[str, Mapping[str, str]] = {
    "apple/swift-argument-parser": {
        "ArgumentParser": "Sources/ArgumentParser/",
        "ArgumentParserToolInfo": "Sources/ArgumentParserToolInfo/",
        "ArgumentParserTestHelpers": "Sources/ArgumentParserTestHelpers/",
    },
    "Alamofire/Alamofire": {"Alamofire": "Source/"},
}

_CUT = re.compile(r'"""[\s\S]*?"""|@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'|//[^\n]*|/\*[\s\S]*?\*/')
_WORD = re.compile(r"[^\W\d]\w*")
_ENDINGS = {"csharp": ".cs", "scala": ".scala", "swift": ".swift"}

_CSHARP = re.compile(r"\b(?:class|struct|interface|enum|record(?:\s+(?:class|struct))?)\s+(\w+)|\bdelegate\s+[\w<>\[\],.?\s]+?\s(\w+)\s*(?:<[^>]*>)?\s*\(")
_NAMESPACE = re.compile(r"\bnamespace\s+([\w.]+)\s*([{;])")
_SCALA = re.compile(r"^(?:(?:private|protected|sealed|abstract|final|case|implicit|lazy|inline|opaque|open)(?:\[\w+\])?\s+)*"
                    r"(?:class|object|trait|enum|type|def|val|var|given)\s+(\w+)", re.MULTILINE)  # fmt: skip
_INSIDE = re.compile(r"^[ ]{2}(?:(?:private|protected|sealed|final|case|implicit|lazy|inline)(?:\[\w+\])?\s+)*(?:class|object|trait|type|def|val|var)\s+(\w+)",
                     re.MULTILINE)  # fmt: skip
_MODULE = re.compile(r"\s*(?:@\w+\s+|public\s+|internal\s+)*import\s+(\w+)\s*")
_SWIFT = re.compile(r"^(?:@\w+(?:\([^)\n]*\))?\s+|(?:public|open|internal|package|final|indirect|prefix|private|fileprivate)\s+)*"
                    r"(?:class|struct|enum|protocol|actor|typealias|func|let|var|macro)\s+(\w+)", re.MULTILINE)  # fmt: skip


def tokens(mirror: Path, say: Callable[[str], None]) -> Iterator[Judged]:
    for language, repositories in REPOSITORIES.items():
        for repo in repositories:
            past = brought(mirror, repo, "HEAD", say)
            if past is not None:
                yield from _judged(past, language, repo)


def _judged(past: Past, language: str, repo: str) -> Iterator[Judged]:
    said: dict[tuple[str, int], set[str]] = {}
    for each in past.resolved[2]:
        if each.row.kind != "sibling":
            said.setdefault((each.source, each.row.line), set()).update(each.targets or ())
    files = {path: past.repo.data(blob).decode("utf-8-sig", "replace") for path, blob in past.blobs.items() if path.endswith(_ENDINGS[language])}
    plain = {path: _CUT.sub(lambda match: '""' + "\n" * match[0].count("\n"), text) for path, text in files.items()}
    homes: dict[str, dict[str, set[str]]] = {}  # what is imported -> file -> names it declares there
    for path, text in plain.items():
        for home, name in _declared(language, repo, path, text):
            homes.setdefault(home, {}).setdefault(path, set()).add(name)
    for path, text in sorted(plain.items()):
        rows = list(_imports(language, text))
        body = set(_WORD.findall("\n".join(line for line in text.split("\n") if not re.match(r"\s*(?:@\w+ )?(?:import|using|package|namespace)\b", line))))
        for line, home, names in rows:
            wanted = names or (body | {word + "Attribute" for word in body} if language == "csharp" else body)
            true = {other for other, own in homes.get(home, {}).items() if other != path and own & wanted}
            outer, _, last = home.rpartition(".")
            if language == "scala" and home not in homes:  # members of an object of a package
                true = {other for other, own in homes.get(outer, {}).items() if other != path and last in own}
            if not true and home in homes:
                continue  # what it brings may be extension methods or implicits, or nothing
            yield Judged(language, repo, f"{path}:{line} {home}", frozenset(said.get((path, line), ())), frozenset(true))


def _imports(language: str, text: str) -> Iterator[tuple[int, str, set[str]]]:
    """(line, what is imported, the names where they are said) of each import that stands alone on a line."""
    for number, row in enumerate(text.split("\n"), 1):
        if (language == "csharp" and (match := re.fullmatch(r"\s*using\s+([\w.]+)\s*;\s*", row))) or (
            language == "swift" and (match := _MODULE.fullmatch(row))
        ):
            yield number, match[1], set()
        elif language == "scala" and (match := re.fullmatch(r"import\s+([a-z][\w.]*?)\.(?:([_*])|(\w+)|\{([^}]*)\})\s*", row)):
            selectors = [part.strip() for part in (match[4] or "").split(",") if part.strip()]
            if any("=>" in part or " as " in part or part in ("_", "*", "given") for part in selectors):
                continue
            if all(part[:1].islower() for part in match[1].split(".")):
                yield number, match[1], {match[3]} if match[3] else set(selectors)


def _declared(language: str, repo: str, path: str, text: str) -> Iterator[tuple[str, str]]:
    """(where it is found by importers, name) of what a file declares outside of any type."""
    if language == "swift":
        for module, folder in MODULES[repo].items():
            if path.startswith(folder):
                yield from ((module, name) for name in _SWIFT.findall(text))
    elif language == "scala":
        package = ".".join(re.findall(r"^package\s+(?!object\b)([\w.]+)[ \t]*$", text, re.MULTILINE))
        yield from ((package, name) for name in _SCALA.findall(text))
        for match in re.finditer(r"^(?:private\[\w+\]\s+)?package\s+object\s+(\w+)", text, re.MULTILINE):
            home = f"{package}.{match[1]}".strip(".")
            yield from ((home, name) for name in _INSIDE.findall(text))
    else:
        yield from _of_csharp(text)


def _of_csharp(text: str) -> Iterator[tuple[str, str]]:
    """Types at the depth of their namespace; `namespace A.B;` holds to the end of the file."""
    spaces: list[tuple[int, str]] = []
    depth, whole = 0, ""
    for match in re.finditer(rf"{_NAMESPACE.pattern}|{_CSHARP.pattern}|[{{}}]", text):
        if match[1]:
            if match[2] == ";":
                whole = match[1]
            else:
                spaces.append((depth, match[1]))
                depth += 1
        elif match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            while spaces and spaces[-1][0] >= depth:
                spaces.pop()
        elif depth == (spaces[-1][0] + 1 if spaces else 0):
            yield ".".join([whole, *(name for _, name in spaces)]).strip("."), match[3] or match[4]

"""What does an import statement say? One node of an `@import` capture becomes the modules it names, and how.

Kinds of an import:

    import    a module, package or crate by its name
    export    the same, and what it brings is exported on (`export … from`, `pub use`)
    relative  a file by its place (`#include "x.h"`, `require_relative`, PHP `include`)
    system    `#include <x.h>`
    mod       Rust: the file is a child module of this one
    static    Java: members of a class
    global    C#: an import for all files of the project, which is none of the file it stands in
    dynamic   a module that is loaded when the code runs (`require`, `import()`, `import_module`)
    package   no import at all: the package this file itself belongs to
    sibling   none either: words that may name what another file of the package defines, where that needs no import
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from iq.types import Import

# A module name longer than this names no file (bytes); the longest path a file system takes is 4,096.
MAX_MODULE = 4096

# Names of one statement that are kept: generated barrels list thousands.
MAX_NAMES = 200

# A Rust use tree is read this far (characters) and this deep.
MAX_TREE, MAX_NESTING = 20_000, 40

# Words of a file that may be names of its package: types by their capital, where functions and objects need no type calls as well,
# never behind a dot.
_CAPITAL = re.compile(r"(?<![.\w])[A-Z]\w+")
SIBLINGS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("java", "kotlin", "csharp"), _CAPITAL),
    **dict.fromkeys(("scala", "swift"), re.compile(r"(?<![.\w])(?:[A-Z]\w+|[a-z]\w{2,}(?=[(\[{.]))")),
    "go": re.compile(r"(?<![.\w])(?:[A-Z]\w+|[a-z]\w{2,}(?=\(|\{|\.))"),
}

# Different words kept of one file.
MAX_SIBLINGS = 2000

_ECMASCRIPT = ("javascript", "typescript", "tsx", "vue", "svelte", "html")


def written(language: str, source: bytes, node: Node, module: str) -> list[Import]:
    """The imports that one captured node stands for; `module` is its text without quotes."""
    line = node.start_point[0] + 1
    if len(module) > MAX_TREE or "\0" in module:
        return []
    if language == "rust":
        return [row for row in _rust(source, node, module, line) if len(row.module) <= MAX_MODULE]
    if len(module) > MAX_MODULE or not module:
        return []
    if language == "python":
        return (
            [Import(module, line, "import", _python(source, node))]
            if node.parent is None or node.parent.type != "argument_list"
            else [Import(module, line, "dynamic")]
        )
    if language in _ECMASCRIPT:
        return [_ecmascript(source, node, module, line)]
    if language in ("c", "cpp", "objc"):
        return [Import(module, line, "system" if node.type == "system_lib_string" else "relative")]
    if language == "csharp":
        statement = node.parent
        return [Import(module, line, "global" if statement is not None and _text(source, statement).startswith("global") else "import")]
    if language in ("java", "scala", "kotlin"):
        return [_jvm(source, node, module, line)]
    if language == "ruby":
        verb = node.parent.parent.child_by_field_name("method") if node.parent and node.parent.parent else None
        return [Import(module, line, "relative" if verb is not None and _text(source, verb) == "require_relative" else "import")]
    if language == "php":
        if node.type == "namespace_name" and node.parent is not None and (group := node.parent.child_by_field_name("body")) is not None:
            clauses = [_text(source, clause).partition(" as ")[0].strip() for clause in group.named_children[:MAX_NAMES]]
            return [Import(f"{module}\\{name}", line) for name in clauses]
        chain = [above.type for above in _above(node, 3)]
        return [Import(module, line, "relative" if any("include" in kind or "require" in kind for kind in chain) else "import")]
    if language in ("bash", "make", "css", "scss", "zig", "dockerfile", "hcl", "cmake"):
        return [Import(module, line, "relative")]
    return [Import(module, line)]


def package(language: str, source: bytes, node: Node) -> list[Import]:
    """The package that a captured name declares. Scala's clauses continue each other, one behind or inside the other."""
    parts = [_text(source, node)]
    place = node.parent if language == "scala" else None
    while place is not None and len(parts) < MAX_NESTING:
        # A clause without a body holds for what follows it, one with a body for what is inside.
        before = place.prev_named_sibling
        while before is not None and (before.type != "package_clause" or before.child_by_field_name("body") is not None):
            before = before.prev_named_sibling
        place = before or place.parent
        if place is not None and place.type == "package_clause" and (name := place.child_by_field_name("name")) is not None:
            parts.append(_text(source, name))
    return [Import(".".join(reversed(parts))[:MAX_MODULE], node.start_point[0] + 1, "package")]


# Comments of the languages in SIBLINGS; strings are matched so that what they hold is not taken for one.
_REMARK = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)

_ATTRIBUTE = re.compile(r"[\[,]\s*(?:\w+:\s*)?([A-Z]\w+)(?=\s*[\](,])")


def siblings(language: str, text: str) -> tuple[Import, ...]:
    """One row with the words that may name things of the file's own package; empty where a language imports everything."""
    pattern = SIBLINGS.get(language)
    if pattern is None:
        return ()
    code = _REMARK.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)
    words = sorted(set(pattern.findall(code)))[:MAX_SIBLINGS]
    if language == "csharp":  # `[Frozen]` is FrozenAttribute
        words += [f"{word}Attribute" for word in sorted(set(_ATTRIBUTE.findall(code)))][:MAX_NAMES]
    return (Import(".", 0, "sibling", tuple(words)),) if words else ()


# `fmt.Println`: a package's name in the file, and what is taken from it.
_SELECTED = re.compile(r"(?<![.\w])([a-z]\w*)\.([A-Z]\w*)")
_VERSION = re.compile(r"(?:/v\d+|\.v\d+)$")


def selected(language: str, text: str, rows: tuple[Import, ...]) -> tuple[Import, ...]:
    """Go's imports with the names that the file takes from each, which stand where they are used; other rows as they are."""
    if language != "go" or not rows:
        return rows
    taken: dict[str, set[str]] = {}
    for package, name in _SELECTED.findall(text):
        taken.setdefault(package, set()).add(name)
    found = []
    for row in rows:
        alias = re.search(rf'(\w+)\s+"{re.escape(row.module)}"', text)
        last = _VERSION.sub("", row.module).rpartition("/")[2]
        names = next((taken[name] for name in (alias[1] if alias else "", last, last.removeprefix("go-"), last.replace("-", "")) if name in taken), set())
        found.append(Import(row.module, row.line, row.kind, tuple(sorted(names)[:MAX_NAMES])))
    return tuple(found)


def _above(node: Node, count: int) -> Iterator[Node]:
    for _ in range(count):
        if node.parent is None:
            return
        node = node.parent
        yield node


def _text(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _python(source: bytes, node: Node) -> tuple[str, ...]:
    statement = node.parent
    if statement is None or statement.type != "import_from_statement":
        return ()
    names = []
    for child in statement.children_by_field_name("name")[:MAX_NAMES]:
        inner = child.child_by_field_name("name") if child.type == "aliased_import" else child
        names.append(_text(source, inner or child))
    if any(child.type == "wildcard_import" for child in statement.children):
        names.append("*")
    return tuple(names)


def _ecmascript(source: bytes, node: Node, module: str, line: int) -> Import:
    statement = node.parent
    if statement is None or statement.type not in ("import_statement", "export_statement"):
        return Import(module, line, "dynamic" if statement is not None and statement.type == "arguments" else "import")
    names: list[str] = []
    todo = [child for child in statement.named_children if child.type in ("import_clause", "export_clause", "namespace_export")]
    while todo and len(names) < MAX_NAMES:
        child = todo.pop(0)
        if child.type in ("import_specifier", "export_specifier"):
            named = child.child_by_field_name("name")
            names.append(_text(source, named) if named else "")
        elif child.type in ("namespace_import", "namespace_export"):
            names.append("*")
        elif child.type == "identifier":
            names.append("default")
        else:
            todo[:0] = child.named_children
    if statement.type == "export_statement":
        return Import(module, line, "export", tuple(names) or ("*",))
    return Import(module, line, "import", tuple(names))


def _jvm(source: bytes, node: Node, module: str, line: int) -> Import:
    """A wildcard keeps its package as the module and `*` as the name."""
    statement = node.parent
    around = _text(source, statement) if statement is not None else ""
    words = around.split()
    if node.type == "import_declaration":  # Scala's capture is the whole statement, already cut
        around = _text(source, node).rstrip()
        if not around.endswith("}"):
            return Import(module, line, "import", ("*",) if around.endswith(("_", "*")) else ())
        chosen = [re.split(r"\s*=>\s*|\s+as\s+", part.strip())[0] for part in around[around.find("{") + 1 : -1].split(",")]
        wild = any(name in ("_", "*", "given") or " " in name for name in chosen)
        return Import(module, line, "import", ("*",) if wild else tuple(name.strip("`") for name in chosen if name)[:MAX_NAMES] or ("*",))
    kind = "static" if "static" in words[:2] else "import"
    wild = around.rstrip().rstrip(";").rstrip().endswith("*")
    return Import(module, line, kind, ("*",) if wild else ())


def _rust(source: bytes, node: Node, module: str, line: int) -> list[Import]:
    inline = [
        _text(source, name)
        for above in _above(node, MAX_NESTING)
        if above.type == "mod_item" and (name := above.child_by_field_name("name")) is not None and above.child_by_field_name("body") is not None
    ]
    inline.reverse()
    statement = node.parent
    if statement is not None and statement.type == "mod_item":
        return [Import("::".join((*inline, module)), line, "mod", (_path_attribute(source, statement),))]
    kind = "import"
    if statement is not None and statement.type == "use_declaration" and any(child.type == "visibility_modifier" for child in statement.children):
        kind = "export"
    return [Import(_outside(path, inline), line, kind, (name,)) for path, name in use_tree(module)]


def _path_attribute(source: bytes, item: Node) -> str:
    """The file that `#[path = "…"]` before a `mod` names, or `""`."""
    sibling = item.prev_sibling
    while sibling is not None and sibling.type == "attribute_item":
        text = _text(source, sibling)
        if text.replace(" ", "").startswith("#[path="):
            return text.partition('"')[2].partition('"')[0]
        sibling = sibling.prev_sibling
    return ""


def _outside(path: str, inline: list[str]) -> str:
    """A path as the file's own module would write it: `super::` of an inline module is the file itself."""
    if not inline or (not path.startswith(("super::", "self::")) and path not in ("super", "self")):
        return path
    place, parts = list(inline), path.split("::")
    while place and parts and parts[0] in ("super", "self"):
        if parts.pop(0) == "super":
            place.pop()
    return "::".join(("self", *place, *parts)) if parts[:1] != ["super"] else "::".join(parts)


def use_tree(text: str) -> list[tuple[str, str]]:
    """The leaves of a Rust use tree: (full path, name it is known by); a glob leaf is its module and `*`.

    `a::{b, c::{self, d as e}, f::*}` gives a::b, a::c, a::c::d (as e) and a::f (as *).
    """
    found: list[tuple[str, str]] = []
    stack: list[str] = [""]
    word = ""

    def leaf(piece: str) -> None:
        path, _, alias = piece.strip().partition(" as ")
        path = path.strip()
        if not path or len(found) >= MAX_NAMES:
            return
        full = stack[-1] + path
        if path == "self":
            full = stack[-1].removesuffix("::")
        elif path.endswith("::self"):
            full = full.removesuffix("::self")
        if path == "*" or path.endswith("::*"):
            found.append((full.removesuffix("*").removesuffix("::").lstrip(":"), "*"))
        elif full:
            found.append((full.lstrip(":"), alias.strip() or full.rpartition("::")[2]))

    for letter in " ".join(text[:MAX_TREE].split()).replace(" ::", "::").replace(":: ", "::"):
        if letter == "{":
            stack.append(stack[-1] + word.strip() if len(stack) < MAX_NESTING else stack[-1])
            word = ""
        elif letter in ",}":
            leaf(word)
            word = ""
            if letter == "}" and len(stack) > 1:
                stack.pop()
        else:
            word += letter
    leaf(word)
    return found

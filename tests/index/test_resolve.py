"""What imports mean, one table a language: files of a workspace, the importing file and what it writes, the files it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from iq.index.edges import at_top
from iq.index.imports import siblings, use_tree
from iq.index.languages import detect
from iq.index.resolve.families import narrowed, resolve
from iq.index.resolve.view import View
from iq.index.symbols import extract
from iq.types import Import, Symbol

Files = Mapping[str, str]


def top(language: str, symbols: Sequence[Symbol]) -> list[str]:
    return at_top(language, [(row.name, row.kind, row.container, row.line, row.end) for row in symbols])


def meant(files: Files, source: str) -> dict[str, tuple[str, ...] | None]:
    """module (and the names it gives) -> targets, of every import of `source`, extracted and resolved as the index does."""
    languages = {path: detect(path, text.encode()) for path, text in sorted(files.items())}
    syntax = {path: extract(languages[path], text.encode("utf-8", "surrogateescape")) for path, text in files.items()}
    rows = {path: [row for row in syntax[path].imports if row.kind != "package"] for path in languages}
    packages: dict[str, dict[str, list[str]]] = {}
    for path in languages:
        names = [row.module for row in syntax[path].imports if row.kind == "package"]
        if languages[path] in ("csharp", "php"):
            names += [symbol.qualified for symbol in syntax[path].symbols if symbol.kind == "module"]
        for name in names:
            packages.setdefault(languages[path], {}).setdefault(name, []).append(path)

    def define(language: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path, each in syntax.items():
            for name in top(language, each.symbols) if languages[path] == language else ():
                found.setdefault(name, []).append(path)
        return found

    view = View(languages, lambda path: files.get(path, ""), packages, define)
    return {each.row.module: each.targets for each in resolve(view, rows) if each.source == source}


PYTHON = {
    "src/app/__init__.py": "from .core import run\n",
    "src/app/core.py": "",
    "src/app/sub/__init__.py": "",
    "src/app/sub/leaf.py": (
        "from .. import core\nfrom ..core import run\nfrom . import missing\nfrom .gone import x\nimport json\nimport numpy\nimport app.core\n"
    ),
    "src/space/one/mod.py": "",
    "src/space/two/mod.py": "from space.one import mod\nimport space.one.mod\n",
    "tests/conftest.py": "",
    "tests/typing.py": "",
    "tests/helper.py": "",
    "tests/test_app.py": (
        "from app import core, run\nimport helper\nimport typing\nfrom app.sub.leaf import *\nimport app.gone\n"
        "import importlib\nx = importlib.import_module('app.core')\n"
    ),
    "stubs/native.pyi": "",
    "setup.py": "",
}
TS = {
    "package.json": '{"name": "root", "workspaces": ["packages/*"]}',
    "tsconfig.base.json": '{ // shared\n "compilerOptions": {"baseUrl": ".", "paths": {"~lib/*": ["packages/lib/src/*"],},}, }',
    "packages/app/tsconfig.json": '{"extends": "../../tsconfig.base.json"}',
    "packages/app/src/main.ts": (
        'import a from "./a.js"; import {b} from "./dir"; import "./style.css"; import "@acme/lib"; import "@acme/lib/deep/thing"; import "~lib/util";\n'
        'import React from "react"; export * from "./gone"; const c = require("../../tools/c"); const d = import("./a");\n'
        'import x from "./data.json"; import "#inner"'
    ),
    "packages/app/package.json": '{"name": "@acme/app", "imports": {"#inner": "./src/a.ts"}}',
    "packages/app/src/a.ts": "",
    "packages/app/src/data.json": "{}",
    "packages/app/src/style.css": "",
    "packages/app/src/dir/index.tsx": "",
    "packages/lib/package.json": (
        '{"name": "@acme/lib", "exports": {".": {"import": "./dist/index.js", "types": "./dist/index.d.ts"}, "./deep/*": "./dist/deep/*.js"}}'
    ),
    "packages/lib/src/index.ts": "",
    "packages/lib/src/util.ts": "",
    "packages/lib/src/deep/thing.ts": "",
    "packages/tools/c.cjs": "",
}
GO = {
    "go.mod": "module example.com/app // the root\n\nreplace example.com/other => ./third\n",
    "main.go": (
        'package main\nimport (\n"fmt"\n"example.com/app/store"\nm "example.com/app/sub/pkg"\n"example.com/other/x"\n'
        '"example.com/app/none"\n"github.com/a/b"\n"github.com/v/w"\n)\n'
    ),
    "store/a.go": "",
    "store/b.go": "",
    "store/a_test.go": "",
    "sub/go.mod": "module example.com/app/sub\n",
    "sub/pkg/p.go": "",
    "third/x/x.go": "",
    "vendor/github.com/v/w/w.go": "",
}
RUST = {
    "Cargo.toml": '[workspace]\nmembers = ["core", "app"]\n',
    "core/Cargo.toml": '[package]\nname = "my-core"\n',
    "core/src/lib.rs": "pub mod shapes;\npub use shapes::square;\nmod inner { pub mod deep; }\n",
    "core/src/shapes.rs": (
        "pub mod square;\nmod round;\nuse super::inner::deep::X;\nuse self::round::R;\n"
        "#[cfg(test)] mod tests { use super::*; use super::square::S; use super::super::inner; }\n"
    ),
    "core/src/shapes/square.rs": "use crate::shapes::round::{self, R};\nuse std::fmt;\n",
    "core/src/shapes/round/mod.rs": "",
    "core/src/inner/deep.rs": "",
    "app/Cargo.toml": '[package]\nname = "app"\n[dependencies]\nkernel = { package = "my-core", path = "../core" }\n',
    "app/src/main.rs": "mod cli;\nuse kernel::square::Side;\nuse kernel::shapes::{square::Side as S, *};\nuse cli::Args;\nuse serde::Serialize;\nmod gone;\n",
    "app/src/cli.rs": "",
    "app/tests/it.rs": "mod common;\nuse common::x;\n",
    "app/tests/common/mod.rs": "",
}
JAVA = {
    "src/main/java/org/acme/Gson.java": (
        "package org.acme;\nimport org.acme.io.Reader;\nimport static org.acme.io.Reader.open;\nimport org.acme.io.*;\n"
        "import org.acme.io.Reader.Token;\nimport java.util.List;\nimport org.acme.io.Gone;\n"
        "import org.acme.kt.Helper;\nimport org.acme.kt.topLevel;\nclass Gson {}"
    ),
    "src/main/java/org/acme/io/Reader.java": "package org.acme.io;\nclass Reader {}",
    "src/main/java/org/acme/io/Writer.java": "package org.acme.io;\nclass Writer {}",
    "src/main/kotlin/Things.kt": "package org.acme.kt\nclass Helper\nfun topLevel() {}\n",
}
C = {
    "src/net/a.c": (
        '#include "a.h"\n#include "../util/u.h"\n#include <lib/pub.h>\n#include <string.h>\n#include "string.h"\n'
        '#include "gone.h"\n#include <zlib.h>\n#include "v.h"\n'
    ),
    "src/net/a.h": "",
    "src/util/u.h": "",
    "src/util/v.h": "",
    "include/lib/pub.h": "",
    "deps/compat/string.h": "",
}
RUBY = {
    "lib/gem.rb": "require 'gem/base'\nrequire_relative 'gem/extra'\nrequire 'json'\nrequire 'gem/gone'\nautoload :X, 'gem/base'\n",
    "lib/gem/base.rb": "",
    "lib/gem/extra.rb": "",
    "test/gem_test.rb": "require 'helper'\nrequire 'gem'\n",
    "test/helper.rb": "",
}
PHP = {
    "composer.json": '{"autoload": {"psr-4": {"Acme\\\\": "src/", "Acme\\\\Extra\\\\": ["extra"]}}}',
    "src/App.php": "<?php\nnamespace Acme;\nuse Acme\\Http\\Kernel;\nuse Acme\\Extra\\{One, Two};\nuse Other\\Thing;\nrequire __DIR__ . '/boot.php';\n",
    "src/Http/Kernel.php": "<?php\nnamespace Acme\\Http;\nclass Kernel {}",
    "src/boot.php": "",
    "extra/One.php": "<?php\nnamespace Acme\\Extra;\nclass One {}",
    "extra/Both.php": "<?php\nnamespace Acme\\Extra;\nclass Two {}",
}
CSHARP = {
    "A/Program.cs": "using System;\nusing Acme.Core;\nusing static Acme.Core.Tool;\nnamespace Acme.App;\nclass Program {}",
    "B/Tool.cs": "namespace Acme.Core;\npublic class Tool {}",
    "B/More.cs": "namespace Acme.Core { public class More {} }",
}

CASES = [
    (
        "python-relative",
        PYTHON,
        "src/app/sub/leaf.py",
        {
            "..": ("src/app/core.py",),
            "..core": ("src/app/core.py",),
            ".": ("src/app/sub/__init__.py",),
            ".gone": (),
            "json": None,
            "numpy": None,
            "app.core": ("src/app/core.py",),
        },
    ),
    ("python-namespace", PYTHON, "src/space/two/mod.py", {"space.one": ("src/space/one/mod.py",), "space.one.mod": ("src/space/one/mod.py",)}),
    (
        "python-tests",
        PYTHON,
        "tests/test_app.py",
        {
            "app": ("src/app/__init__.py", "src/app/core.py"),
            "helper": ("tests/helper.py",),
            "typing": None,
            "app.sub.leaf": ("src/app/sub/leaf.py",),
            "app.gone": (),
            "importlib": None,
            "app.core": ("src/app/core.py",),
        },
    ),
    (
        "typescript",
        TS,
        "packages/app/src/main.ts",
        {
            "./a.js": ("packages/app/src/a.ts",),
            "./dir": ("packages/app/src/dir/index.tsx",),
            "./style.css": ("packages/app/src/style.css",),
            "@acme/lib": ("packages/lib/src/index.ts",),
            "@acme/lib/deep/thing": ("packages/lib/src/deep/thing.ts",),
            "~lib/util": ("packages/lib/src/util.ts",),
            "react": None,
            "./gone": (),
            "../../tools/c": ("packages/tools/c.cjs",),
            "./a": ("packages/app/src/a.ts",),
            "./data.json": ("packages/app/src/data.json",),
            "#inner": ("packages/app/src/a.ts",),
        },
    ),
    (
        "go",
        GO,
        "main.go",
        {
            "fmt": None,
            "example.com/app/store": ("store/a.go", "store/b.go"),
            "example.com/app/sub/pkg": ("sub/pkg/p.go",),
            "example.com/other/x": ("third/x/x.go",),
            "example.com/app/none": (),
            "github.com/a/b": None,
            "github.com/v/w": ("vendor/github.com/v/w/w.go",),
        },
    ),
    (
        "rust-root",
        RUST,
        "core/src/lib.rs",
        {"shapes": ("core/src/shapes.rs",), "shapes::square": ("core/src/shapes/square.rs",), "inner::deep": ("core/src/inner/deep.rs",)},
    ),
    (
        "rust-super",
        RUST,
        "core/src/shapes.rs",
        {
            "square": ("core/src/shapes/square.rs",),
            "round": ("core/src/shapes/round/mod.rs",),
            "super::inner::deep::X": ("core/src/inner/deep.rs",),
            "self::round::R": ("core/src/shapes/round/mod.rs",),
            "self": None,
            "self::square::S": ("core/src/shapes/square.rs",),
            "super::inner": ("core/src/lib.rs",),
        },
    ),
    (
        "rust-crate",
        RUST,
        "core/src/shapes/square.rs",
        {"crate::shapes::round": ("core/src/shapes/round/mod.rs",), "crate::shapes::round::R": ("core/src/shapes/round/mod.rs",), "std::fmt": None},
    ),
    (
        "rust-other-crate",
        RUST,
        "app/src/main.rs",
        {
            "cli": ("app/src/cli.rs",),
            "kernel::square::Side": ("core/src/shapes/square.rs",),
            "kernel::shapes": ("core/src/shapes.rs",),
            "kernel::shapes::square::Side": ("core/src/shapes/square.rs",),
            "cli::Args": ("app/src/cli.rs",),
            "serde::Serialize": None,
            "gone": (),
        },
    ),
    ("rust-test-crate", RUST, "app/tests/it.rs", {"common": ("app/tests/common/mod.rs",), "common::x": ("app/tests/common/mod.rs",)}),
    (
        "java",
        JAVA,
        "src/main/java/org/acme/Gson.java",
        {
            "org.acme.io.Reader": ("src/main/java/org/acme/io/Reader.java",),
            "org.acme.io.Reader.open": ("src/main/java/org/acme/io/Reader.java",),
            "org.acme.io": ("src/main/java/org/acme/io/Reader.java", "src/main/java/org/acme/io/Writer.java"),
            "org.acme.io.Reader.Token": ("src/main/java/org/acme/io/Reader.java",),
            "java.util.List": None,
            "org.acme.io.Gone": (),
            "org.acme.kt.Helper": ("src/main/kotlin/Things.kt",),
            "org.acme.kt.topLevel": ("src/main/kotlin/Things.kt",),
        },
    ),
    (
        "c",
        C,
        "src/net/a.c",
        {
            "a.h": ("src/net/a.h",),
            "../util/u.h": ("src/util/u.h",),
            "lib/pub.h": ("include/lib/pub.h",),
            "string.h": ("deps/compat/string.h",),
            "gone.h": (),
            "zlib.h": None,
            "v.h": ("src/util/v.h",),
        },
    ),
    ("ruby", RUBY, "lib/gem.rb", {"gem/base": ("lib/gem/base.rb",), "gem/extra": ("lib/gem/extra.rb",), "json": None, "gem/gone": ()}),
    ("ruby-test", RUBY, "test/gem_test.rb", {"helper": ("test/helper.rb",), "gem": ("lib/gem.rb",)}),
    (
        "php",
        PHP,
        "src/App.php",
        {
            "Acme\\Http\\Kernel": ("src/Http/Kernel.php",),
            "Acme\\Extra\\One": ("extra/One.php",),
            "Acme\\Extra\\Two": ("extra/Both.php",),
            "Other\\Thing": None,
            "/boot.php": ("src/boot.php",),
        },
    ),
    ("csharp", CSHARP, "A/Program.cs", {"System": None, "Acme.Core": ("B/More.cs", "B/Tool.cs"), "Acme.Core.Tool": ("B/Tool.cs",)}),
]


@pytest.mark.parametrize(("files", "source", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_an_import_means_these_files(files: Files, source: str, expected: dict[str, tuple[str, ...] | None]) -> None:
    assert meant(files, source) == expected


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("a::b", [("a::b", "b")]),
        ("a::{b, c::{self, d as e}, f::*}", [("a::b", "b"), ("a::c", "c"), ("a::c::d", "e"), ("a::f", "*")]),
        ("{a, b::c}", [("a", "a"), ("b::c", "c")]),
        ("::a::b", [("a::b", "b")]),
        ("super::*", [("super", "*")]),
        ("a::{", []),
        ("}}}", []),
        ("{" * 5000, []),
    ],
    ids=["plain", "nested", "top group", "global", "glob", "open", "closed", "deep"],
)
def test_a_use_tree_is_its_leaves(text: str, leaves: list[tuple[str, str]]) -> None:
    assert use_tree(text) == leaves


UNLUCKY: list[tuple[str, Files, str, str]] = [
    ("broken tsconfig", {"tsconfig.json": '{"compilerOptions": {"paths": [1, {]}}', "a.ts": 'import "x/y"'}, "a.ts", "x/y"),
    ("tsconfig that extends itself", {"tsconfig.json": '{"extends": "./tsconfig.json"}', "a.ts": 'import "x/y"'}, "a.ts", "x/y"),
    ("tsconfig cycle", {"tsconfig.json": '{"extends": "./b.json"}', "b.json": '{"extends": "./tsconfig.json"}', "a.ts": 'import "x"'}, "a.ts", "x"),
    (
        "paths of wrong types",
        {"tsconfig.json": '{"compilerOptions": {"baseUrl": 7, "paths": {"x": "y", "z": [3]}}, "extends": {"a": 1}}', "a.ts": 'import "x"'},
        "a.ts",
        "x",
    ),
    ("exports of wrong types", {"package.json": '{"name": "x", "exports": [[[1]], {"a": {"b": null}}], "main": 3}', "a.ts": 'import "x"'}, "a.ts", "x"),
    ("broken manifest", {"package.json": '{"name": ', "a.ts": 'import "x"'}, "a.ts", "x"),
    ("broken Cargo.toml", {"Cargo.toml": "[package\nname", "src/lib.rs": "use serde::X;"}, "src/lib.rs", "serde::X"),
    ("Cargo.toml of wrong types", {"Cargo.toml": "package = 3\nlib = 4\n", "src/lib.rs": "use serde::X;"}, "src/lib.rs", "serde::X"),
    ("broken go.mod", {"go.mod": "modul\0e", "a.go": 'package a\nimport "x/y"\n'}, "a.go", "x/y"),
    ("broken composer.json", {"composer.json": '{"autoload": {"psr-4": 3}}', "a.php": "<?php\nuse A\\B;\n"}, "a.php", "A\\B"),
    ("above the root", {"a.ts": 'import "../../../../etc/passwd"'}, "a.ts", "../../../../etc/passwd"),
]


@pytest.mark.parametrize(("files", "source", "module"), [row[1:] for row in UNLUCKY], ids=[row[0] for row in UNLUCKY])
def test_a_broken_configuration_leaves_the_import_unresolved(files: Files, source: str, module: str) -> None:
    assert not meant(files, source)[module]


@pytest.mark.parametrize(
    "language", ["python", "typescript", "rust", "go", "java", "c", "ruby", "php", "csharp", "scala", "swift", "lua", "scss", "zig", "dart", "proto"]
)
@pytest.mark.parametrize("module", ["a\0b", "x" * 10_000, "../" * 3000, "..", "", "/", "\udc80", "a" + ".b" * 5000, "::", "\\", "*"], ids=range(11))
def test_no_module_name_is_an_error(language: str, module: str) -> None:
    """NULs, 10 kB names, paths out of the workspace and names that are no UTF-8 mean no file."""
    source = "d/x"
    view = View({source: language, "d/y": language, "go.mod": "go"}, lambda path: "", {}, None)
    for kind in ("import", "relative", "system", "mod"):
        (found,) = resolve(view, {source: [Import(module, 1, kind)]})
        assert not found.targets or source not in found.targets


def test_files_import_each_other_and_themselves() -> None:
    """A cycle resolves both ways; an import of the file itself is no edge."""
    files = {"pkg/__init__.py": "", "pkg/a.py": "from . import b\nfrom . import a\n", "pkg/b.py": "from . import a\n"}
    view = View(dict.fromkeys(files, "python"), lambda path: "")
    rows = {"pkg/a.py": [Import(".", 1, "import", ("b",)), Import(".", 2, "import", ("a",))], "pkg/b.py": [Import(".", 1, "import", ("a",))]}
    assert [(each.source, each.targets) for each in resolve(view, rows)] == [("pkg/a.py", ("pkg/b.py",)), ("pkg/a.py", None), ("pkg/b.py", ("pkg/a.py",))]


def test_case_clashes_are_two_files() -> None:
    files = {"a.ts": 'import "./Util"; import "./util"', "Util.ts": "", "util.ts": ""}
    assert meant(files, "a.ts") == {"./Util": ("Util.ts",), "./util": ("util.ts",)}


def test_two_re_exports_in_a_cycle_end() -> None:
    files = {
        "Cargo.toml": '[package]\nname = "c"\n',
        "src/lib.rs": "mod a;\nmod b;\nuse a::x::Y;\n",
        "src/a.rs": "pub use super::b::x;\n",
        "src/b.rs": "pub use super::a::x;\n",
    }
    assert meant(files, "src/lib.rs")["a::x::Y"] == ("src/a.rs",)


def edges(files: Files) -> set[tuple[str, str, str]]:
    """(file, kind, file) of everything that is linked, as the graph has it."""
    languages = {path: detect(path, text.encode()) for path, text in sorted(files.items())}
    syntax = {path: extract(languages[path], text.encode()) for path, text in files.items()}
    rows = {path: [row for row in (*syntax[path].imports, *siblings(languages[path], files[path])) if row.kind != "package"] for path in languages}
    packages: dict[str, dict[str, list[str]]] = {}
    defined: dict[str, dict[str, list[str]]] = {}
    for path, language in languages.items():
        names = [row.module for row in syntax[path].imports if row.kind == "package"]
        for name in names + [symbol.qualified for symbol in syntax[path].symbols if symbol.kind == "module" and language == "csharp"]:
            packages.setdefault(language, {}).setdefault(name, []).append(path)
        for name in top(language, syntax[path].symbols):
            defined.setdefault(language, {}).setdefault(name, []).append(path)
    view = View(languages, lambda path: files.get(path, ""), packages, lambda language: defined.get(language, {}))
    found = narrowed(view, list(resolve(view, rows)), rows)
    return {(each.source, each.row.kind, target) for each in found for target in each.targets or ()}


def test_csharp_sees_what_its_project_and_the_namespaces_around_it_give() -> None:
    """A global using links no file to the one it stands in, attributes have two names, and System is nobody's own."""
    files = {
        "src/App/App.csproj": '<Project><ItemGroup><Using Include="Acme.Extra" /></ItemGroup></Project>',
        "src/App/Usings.cs": "global using Acme.Core;\nglobal using System.Text;\n",
        "src/App/Deep/Job.cs": "using System.Text;\nnamespace Acme.App.Deep;\nclass Job { Tool tool; More more; Root root; [Frozen] int x; // Ghost\n }",
        "src/App/Root.cs": "namespace Acme.App;\nclass Root { class Inner {} }",
        "src/Core/Tool.cs": "namespace Acme.Core { public class Tool { public class Job2 {} } public class FrozenAttribute {} }",
        "src/Core/Ghost.cs": "namespace Acme.Core;\npublic class Ghost {}\npublic class Unseen { Tool tool; }",
        "src/Extra/More.cs": "namespace Acme.Extra;\npublic record More;",
        "src/Poly/Polyfill.cs": "namespace System;\nclass Index { Inner inner; }",
        "other/Other.cs": "namespace Other;\nclass Other { Tool tool; }",
    }
    job = "src/App/Deep/Job.cs"
    assert edges(files) == {
        (job, "sibling", "src/Core/Tool.cs"),
        (job, "sibling", "src/Extra/More.cs"),
        (job, "sibling", "src/App/Root.cs"),
        ("src/Core/Ghost.cs", "sibling", "src/Core/Tool.cs"),
    }


def test_scala_clauses_continue_each_other_and_imports_begin_in_scope() -> None:
    files = {
        "a/Reads.scala": "package play.json\n\nobject Reads { def one = 1 }\n",
        "a/Spec.scala": "package play.json\n\nimport Reads._\n\nclass Spec\n",
        "b/package.scala": "package play\n\nimport java.io\n\npackage object tools {\n  def hammer(): Int = 1\n  type Nail = Int\n}\n",
        "b/std/Queue.scala": "package play\npackage std\n\nclass Queue { val spec: Spec = null }\n",
        "b/Use.scala": "package play\npackage user\n\nimport play.tools.{hammer, Nail => N}\nimport std.Queue\nimport play.other.Gone\n"
        "import cats.syntax.all._\n\nclass Use { hammer() }\n",
        "c/Wild.scala": "package elsewhere\n\nimport play.json._\n\nclass Wild { def x = Reads.one }\n",
    }
    assert edges(files) == {
        ("a/Spec.scala", "import", "a/Reads.scala"),
        ("a/Spec.scala", "sibling", "a/Reads.scala"),
        ("b/Use.scala", "import", "b/package.scala"),
        ("b/Use.scala", "import", "b/std/Queue.scala"),
        ("c/Wild.scala", "import", "a/Reads.scala"),
    }
    # `play` is only opened here: what else is in it may be another library's.
    files["b/Use.scala"] = "package play\npackage user\n\nimport play.{Eval, Show}\n\nclass Use\n"
    assert meant(files, "b/Use.scala") == {"play": None}


def test_kotlin_extensions_are_names_of_their_file() -> None:
    files = {
        "a/Lockable.kt": "package a\n\ninterface Lockable { fun inner() {} }\n\nfun Lockable.withLock() {}\nfun String.shout() = this\n",
        "b/Use.kt": "package b\n\nimport a.withLock\nimport a.shout\nimport a.inner\n\nclass Use\n",
    }
    assert meant(files, "b/Use.kt") == {"a.withLock": ("a/Lockable.kt",), "a.shout": ("a/Lockable.kt",), "a.inner": None}


def test_swift_modules_are_targets_of_a_manifest_or_folders() -> None:
    files = {
        "Package.swift": 'let package = Package(name: "x", targets: [\n  .target(name: "Kit", path: "Source"),\n  .target(name: "Info"),\n'
        '  .testTarget(name: "KitTests", dependencies: ["Kit"])])\n',
        "Source/Parser.swift": "import Foundation\nimport Info\npublic struct Parser { var info: Facts }\n",
        "Source/Deep/Lexer.swift": "struct Lexer { let parser: Parser }\npublic func lexed() {}\n",
        "Sources/Info/Facts.swift": "public struct Facts {}\n",
        "Sources/Info/Rest.swift": "public struct Rest { let word = Lexer() }\n",
        "Tests/KitTests/ParserTests.swift": "@testable import Kit\nclass ParserTests { func testIt() { lexed() } }\n",
        "Example/App/Main.swift": "import Kit\nimport struct Info.Rest\nstruct Main { let p = Parser() }\n",
    }
    assert edges(files) == {
        ("Source/Parser.swift", "import", "Sources/Info/Facts.swift"),
        ("Source/Deep/Lexer.swift", "sibling", "Source/Parser.swift"),
        ("Tests/KitTests/ParserTests.swift", "import", "Source/Deep/Lexer.swift"),
        ("Example/App/Main.swift", "import", "Source/Parser.swift"),
        ("Example/App/Main.swift", "import", "Sources/Info/Rest.swift"),
    }

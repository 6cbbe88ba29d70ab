"""Which language is a file written in, and which grammar reads it?

One row a language. `grammar` names the parser in tree-sitter-language-pack; a row whose query file is missing has text
and chunks but no symbols. `exported` says how the language marks what other files may use: a keyword before the name,
`capital` (Go), `underscore` (Python: everything but a leading underscore) or `all`.
"""

from __future__ import annotations

from iq.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    name: str
    grammar: str
    suffixes: tuple[str, ...]
    filenames: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    exported: str = "all"


_ROWS = (
    Language("python", "python", (".py", ".pyi", ".pyw"), ("SConstruct", "SConscript"), ("py",), ("python", "python3", "pypy3"), "underscore"),
    Language("javascript", "javascript", (".js", ".mjs", ".cjs", ".jsx"), (), ("js", "jsx"), ("node", "deno", "bun"), "export"),
    Language("typescript", "typescript", (".ts", ".mts", ".cts"), (), ("ts",), ("ts-node", "tsx"), "export"),
    Language("tsx", "tsx", (".tsx",), (), (), (), "export"),
    Language("go", "go", (".go",), (), ("golang",), (), "capital"),
    Language("rust", "rust", (".rs",), (), ("rs",), (), "pub"),
    Language("java", "java", (".java",), (), (), (), "public"),
    Language("kotlin", "kotlin", (".kt", ".kts"), (), ("kt",), (), "not private"),
    Language("c", "c", (".c", ".h"), (), ("h",), (), "not static"),
    Language(
        "cpp",
        "cpp",
        (".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tcc", ".inl", ".cu", ".cuh"),
        (),
        ("c++", "cxx"),
        (),
        "not static",
    ),
    Language("csharp", "csharp", (".cs", ".csx"), (), ("c#", "cs"), (), "public"),
    Language("ruby", "ruby", (".rb", ".rake", ".gemspec", ".ru"), ("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile"), ("rb",), ("ruby",)),
    Language("php", "php", (".php", ".phtml", ".php5", ".inc.php"), (), (), ("php",), "not private"),
    Language("swift", "swift", (".swift",), (), (), (), "not private"),
    Language("scala", "scala", (".scala", ".sc", ".sbt"), (), (), (), "not private"),
    Language("lua", "lua", (".lua", ".rockspec"), (), (), ("lua", "luajit"), "not local"),
    Language(
        "bash",
        "bash",
        (".sh", ".bash", ".zsh", ".ksh", ".bats"),
        (".bashrc", ".zshrc", ".profile", ".bash_profile", "PKGBUILD"),
        ("sh", "shell", "zsh"),
        ("sh", "bash", "zsh", "dash", "ksh"),
    ),
    Language("elixir", "elixir", (".ex", ".exs"), (), ("ex",), ("elixir",), "not defp"),
    Language("haskell", "haskell", (".hs",), (), ("hs",), ("runghc", "runhaskell")),
    Language("ocaml", "ocaml", (".ml",), (), ("ml",), ("ocaml",)),
    Language("ocaml_interface", "ocaml_interface", (".mli",), (), ("mli",)),
    Language("zig", "zig", (".zig", ".zon"), (), (), (), "pub"),
    Language("dart", "dart", (".dart",), (), (), ("dart",), "underscore"),
    Language("r", "r", (".r", ".R"), (".Rprofile",), (), ("Rscript",)),
    Language("julia", "julia", (".jl",), (), ("jl",), ("julia",)),
    Language("perl", "perl", (".pl", ".pm", ".t", ".pod"), (), ("pl",), ("perl",), "underscore"),
    Language("objc", "objc", (".m", ".mm"), (), ("objective-c", "objectivec"), ()),
    Language("erlang", "erlang", (".erl", ".hrl", ".escript"), ("rebar.config",), ("erl",), ("escript",)),
    Language("clojure", "clojure", (".clj", ".cljs", ".cljc", ".edn", ".bb"), (), ("clj",), ("bb",), "not defn-"),
    Language("sql", "sql", (".sql", ".ddl", ".psql")),
    Language("hcl", "hcl", (".tf", ".tfvars", ".hcl", ".nomad"), (), ("terraform", "tf")),
    Language("proto", "proto", (".proto",), (), ("protobuf",)),
    Language("graphql", "graphql", (".graphql", ".gql", ".graphqls"), (), ("gql",)),
    Language("vue", "vue", (".vue",)),
    Language("svelte", "svelte", (".svelte",)),
    Language("html", "html", (".html", ".htm", ".xhtml")),
    Language("css", "css", (".css",)),
    Language("scss", "scss", (".scss",), (), ("sass",)),
    Language("dockerfile", "dockerfile", (".dockerfile", ".containerfile"), ("Dockerfile", "Containerfile"), ("docker",)),
    Language("make", "make", (".mk", ".mak"), ("Makefile", "makefile", "GNUmakefile", "Makefile.am", "Makefile.in"), ("makefile",), ("make",)),
    Language("cmake", "cmake", (".cmake",), ("CMakeLists.txt",)),
    Language("markdown", "markdown", (".md", ".markdown", ".mdx", ".mdown"), (), ("md",)),
    Language("rst", "rst", (".rst",), (), ("restructuredtext",)),
    Language("toml", "toml", (".toml",), ("Cargo.lock", "poetry.lock", "uv.lock", "Pipfile")),
    Language("yaml", "yaml", (".yaml", ".yml"), (".clang-format", ".clang-tidy"), ("yml",)),
    Language("json", "json", (".json", ".jsonc", ".json5", ".webmanifest"), (".babelrc", ".eslintrc", ".prettierrc", "composer.lock")),
    Language("ini", "ini", (".ini", ".cfg", ".editorconfig"), (".gitconfig", ".gitmodules", ".pylintrc", ".flake8")),
    Language(
        "text", "", (".txt", ".text", ".adoc", ".asciidoc", ".org"), ("LICENSE", "COPYING", "NOTICE", "AUTHORS", "README", "CHANGELOG", "CHANGES", "NEWS")
    ),
)

LANGUAGES = {row.name: row for row in _ROWS}

# What `--lang` accepts: the name, an alias, or a file suffix without its dot.
NAMES = {
    **{suffix[1:].lower(): row.name for row in reversed(_ROWS) for suffix in row.suffixes},
    **{alias: row.name for row in _ROWS for alias in row.aliases},
    **{row.name: row.name for row in _ROWS},
}

# `--lang typescript` should not miss the components written beside it.
FAMILIES = {"typescript": ("typescript", "tsx"), "ocaml": ("ocaml", "ocaml_interface"), "css": ("css", "scss"), "c": ("c",)}

_BY_SUFFIX = {suffix: row.name for row in reversed(_ROWS) for suffix in row.suffixes}
_BY_FILENAME = {name: row.name for row in _ROWS for name in row.filenames}
_BY_INTERPRETER = {name: row.name for row in _ROWS for name in row.interpreters}

# Words that only one of the languages sharing a suffix can have near its top.
_CPP_MARKS = (b"namespace ", b"template<", b"template <", b"class ", b"public:", b"private:", b"std::", b"#include <c", b'extern "C++"')
_OBJC_MARKS = (b"@interface", b"@implementation", b"@protocol", b"#import", b"@class")


def detect(path: str, head: bytes = b"") -> str:
    """The language's name, or `""`. `head` is the start of the file (4 KiB do) and settles `.h`, `.m` and scripts."""
    name = path.rpartition("/")[2]
    if found := _BY_FILENAME.get(name):
        return found
    dot = name.rfind(".")
    suffix = name[dot:] if dot >= 0 else ""
    found = _BY_SUFFIX.get(suffix) or _BY_SUFFIX.get(suffix.lower(), "")
    if found == "c" and suffix == ".h":
        if any(mark in head for mark in _OBJC_MARKS):
            return "objc"
        return "cpp" if (any(mark in head for mark in _CPP_MARKS) and b"\nclass " in b"\n" + head) or b"namespace " in head or b"template" in head else "c"
    if found:
        return found
    stem = name.partition(".")[0]
    if stem in ("Dockerfile", "Containerfile", "Makefile"):
        return _BY_FILENAME[stem]
    if head.startswith(b"#!"):
        words = head[2:200].split(b"\n", 1)[0].decode("latin-1").replace("/", " ").split()
        for word in words:
            if hit := _BY_INTERPRETER.get(word) or _BY_INTERPRETER.get(word.rstrip("0123456789.")):
                return hit
    return ""

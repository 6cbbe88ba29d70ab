"""What kind of question each of these is."""

from __future__ import annotations

import pytest

from iq.plan.classify import classify

ROWS = {
    "path": [
        "src/click/core.py", "core.py", "lib/", "docs/index.md", "*.toml", "src/**/*.ts", "package.json", "a/b", "./scripts/test", "../other/file.c",
        "Makefile.am", "tests/test_app.py", "internal/server/http.go", "/etc/hosts", "README.md", "main.rs", "app/models/user.rb", ".github/workflows",
        "setup.cfg", "@scope/pkg/index.ts", "foo-bar/baz.py",
    ],
    "symbol": [
        "Command", "parse_args", "parseArgs", "Class.method", "std::vector", "make_response()", "HTTPServer", "foo", "_private", "__init__", "A::b::c",
        "obj->field", "Array#map", "x1", "MAX_WEIGHT", "useState", "createElement", "Größe", "T.A.B", "retry",
    ],
    "regex": [
        r"def get_\w+", "TODO|FIXME", "foo.*bar", r"\bword\b", "^import", r"return\s+None", "[a-z]+_id", "(?:a|b)c", r"fn \w+\(", "err(or)?$", r"\d{3}",
        "(?i)readme", "class .*Error", "x+", "a.+b",
    ],
    "prose": [
        "how are options parsed?", "where are retries handled?", "retry logic", "what does Command.invoke do", "parse args", "user login flow",
        "why is the cache invalidated", "how does the router match a path", "error handling in the parser", "JSON serialization of dates", "-> None",
        "does it support C++?", "where is x used?", "convert UTF-8 to UTF-16", "list of supported languages", "connect to database", "if x > 3 then",
        "how do I configure logging?", "what happens on SIGTERM?", "thread pool implementation", "the main entry point", "rate limit (per user)",
        "read file line by line", "Wo werden Optionen gelesen?", "как разбираются аргументы", "选项 如何 解析", "open a file, then close it",
    ],
    "empty": ["", "   ", "\n\t"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in ROWS.items() for text in texts])
def test_kind(kind: str, text: str) -> None:
    assert classify(text).kind == kind

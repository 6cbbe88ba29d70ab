"""What kind of question each of these is."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from iq.plan.classify import classify

DATASETS = Path(__file__).parents[2] / "bench" / "datasets"

# kind -> rows; a row is the text, or (id, text) where the text is no good id.
ROWS: dict[str, list[str | tuple[str, str]]] = {
    "path": [
        "src/click/core.py", "core.py", "lib/", "docs/index.md", "*.toml", "src/**/*.ts", "package.json", "a/b", "./scripts/test", "../other/file.c",
        "Makefile.am", "tests/test_app.py", "internal/server/http.go", "/etc/hosts", "README.md", "main.rs", "app/models/user.rb", ".github/workflows",
        "setup.cfg", "@scope/pkg/index.ts", "foo-bar/baz.py", ".gitignore", ".eslintrc.json", ".pre-commit-config.yaml", "**/*_test.go", "*.{js,ts}",
        ("windows path", r"src\click\core.py"),
        ("windows, like an escape", r"src\shop\cart.py"), ("windows, one folder", r"src\shop.py"), ("windows drive", r"C:\proj\src\app.py"),
        "~/.bashrc", "a.test.tsx", "/home/me/proj/src/app.py",
        "pkg/[id]/page.tsx", "docs/**", "config.dev.yaml",
    ],
    "symbol": [
        "Command", "parse_args", "parseArgs", "Class.method", "std::vector", "make_response()", "HTTPServer", "foo", "_private", "__init__", "A::b::c",
        "obj->field", "Array#map", "x1", "MAX_WEIGHT", "useState", "createElement", "Größe", "T.A.B", "retry", "foo()", "x.y()", "a.b.c", "HTTP_PROXY",
        "E0308", "TS2345", "authentication", "parser", "server.port", "spring.datasource.url", "选项", "解析器", "http2", "i18n", "$store_x".lstrip("$"),
        "os.path.join", "crate::routing::Router", "self.name", "UTF8",
    ],
    "regex": [
        r"def get_\w+", "TODO|FIXME", "foo.*bar", r"\bword\b", "^import", r"return\s+None", "[a-z]+_id", "(?:a|b)c", r"fn \w+\(", "err(or)?$", r"\d{3}",
        "(?i)readme", "class .*Error", "x+", "a.+b", r"\.unwrap\(\)", "a{2,3}", r"raise \w+Error", "[A-Z]{3,}", "get(User|Account)", r"^\s*#", r"v\d+\.\d+",
        r"log\.(warn|error)", r"return\sNone", r"foo\d+", r"a\.b", r"\w+",
    ],
    "literal": [
        "C++", "c++", "g++", "i++", "#include", "#include <stdio.h>", "TODO", "FIXME", "v1.2.3", "1.2.3", "https://example.com/a?b=1", "me@example.org",
        '"quoted phrase"', "'no such option'", "`retry later`", "--dry-run", "-v", "--no-cache-dir", "$HOME", '<div class="x">', "<br/>", "🚀",
        "a[0]", "items[i]", "#[derive(Debug)]", "@app.route", "@property", "&str", "Vec<String>", "operator==", "/users/:id", "key=value", "->", "...",
        "if err != nil {", "return self.make(x)", "x = foo(bar);", "def f(x):", "$(x)", "obj?.field", "application/json;charset=utf-8", "!important",
        "public static void main(String[] args) {", "{{block}}", "127.0.0.1:8080", "#fff000", "%s", "lodash@4.17.21",
    ],
    "prose": [
        "how are options parsed?", "where are retries handled?", "retry logic", "what does Command.invoke do", "parse args", "user login flow",
        "why is the cache invalidated", "how does the router match a path", "error handling in the parser", "JSON serialization of dates", "-> None",
        "does it support C++?", "where is x used?", "convert UTF-8 to UTF-16", "list of supported languages", "connect to database", "if x > 3 then",
        "how do I configure logging?", "what happens on SIGTERM?", "thread pool implementation", "the main entry point", "rate limit (per user)",
        "read file line by line", "Wo werden Optionen gelesen?", "как разбираются аргументы", "选项 如何 解析", "open a file, then close it",
        "how?", "rate-limit", "dry-run", "data-test-id", "git commit -m 'first draft'", "pip install -e .", "docker compose up --build",
        "SELECT * FROM users WHERE id = ?", "SELECT name FROM t;", "don't", "retry!", "not found", "Note: this is important", "npm run build:prod",
        "what calls parse_args()", "Fix the javadoc of JsonDeserializer.deserialize()", "win: return fractional seconds in uv_uptime()",
        "Add support for PowerShell 7.2+", "every chardet package maps to requests.packages.chardet.* package respectively", "is this a bug?",
        "user.name?", "E0308 mismatched types in a match arm", "environment variable HTTP_PROXY", "the --dry-run flag", "GET /users/:id handler",
        ("two lines", "how are options parsed\nand where are defaults applied?"),
        ("paragraphs", "We see slow answers since last week.\n\nIt happens only with large files (over 2 MB).\nWhere is the limit set?"),
        ("bullet list", "- retry on timeout\n- log the error\n- give up after three times"),
        ("pros and cons", "+ fast\n+ small\n- no types at all\n- hard to read"),
        ("numbered steps", "1. open the file\n2. read the header\n3. close it"),
        ("at a time", "it runs\nat noon (12:30) every day\nat least it should"),
        ("mail quote", "> how do I set a default?\n> it is never used\nSee the guide, please."),
        ("sentence, then code", "When I call this function it fails without a message\n\nx = make(1)\nx.run()"),
        ("error in a sentence", "I get a TypeError when the list is empty, why is that so?"),
        ("commit message", "Fix parsing of flags\n\nThe parser dropped the last flag when it had no value.\nCloses #12."),
        ("haiku", "lines of the old code\nnobody knows who wrote them\nthe tests are all green"),
    ],
    "artefact": [
        "src/app.py:12", "app.py:12:5", r"C:\proj\src\app.py:40", "src/app.ts(3,5)", "lib/a.rb#L12",
        "TypeError: Cannot read properties of undefined (reading 'map')", "click.exceptions.NoSuchOption: No such option: --foo",
        "src/app.py:12: error: Missing return statement  [return]", "./main.go:12:3: undefined: foo", "src/a.ts(3,5): error TS2322: Type 'x' is wrong",
        "FAILED tests/test_app.py::test_parse - assert 1 == 2", "2024-05-01 12:00:01,123 ERROR app.db: connection to db01 lost",
        "ERROR:root:could not open the settings file", 'level=error msg="request failed" status=500', '{"level":"error","msg":"request failed"}',
        'File "src/app.py", line 3, in main', "    at Router.match (/app/src/router.js:3:17)", "thread 'main' panicked at src/main.rs:3:5:",
        "\tat com.acme.Cart.total(Cart.java:12)", "E0102 03:04:05.678901 12 server.go:88] cannot bind the port",
        ("traceback", 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nValueError: no'),
        ("diff", "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-a = 1\n+a = 2\n b = 3"),
        ("bare hunk", " def f(x):\n-    return x + 1\n+    return x + 2\n"),
        ("code", "for item in items:\n    total += item.price\nreturn total"),
        ("fenced code", "```js\nconst a = load()\nexport default a\n```"),
        ("java code", "public int total() {\n  int n = 0;\n  return n;\n}"),
        ("rust error", "error[E0308]: mismatched types\n --> src/lib.rs:4:9\n  |\n4 |  &self.x\n  |  ^^^^^^^"),
        ("prose, then a trace", 'It fails when I start it:\n\nTraceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: no'),
        ("go panic", "panic: boom\n\ngoroutine 1 [running]:\nmain.run(0x1)\n\t/app/main.go:12 +0x1d\nexit status 2"),
        ("crlf", 'Traceback (most recent call last):\r\n  File "a.py", line 1, in f\r\nValueError: no\r\n'),
        ("coloured", "\x1b[31mFAILED\x1b[0m tests/test_app.py::test_x - assert 0"),
    ],
    "empty": ["", ("blanks", "   "), ("newlines", "\n\t")],
}  # fmt: skip

CASES = [(kind, *(row if isinstance(row, tuple) else (row, row))) for kind, rows in ROWS.items() for row in rows]


def test_there_are_enough_rows() -> None:
    assert len(CASES) >= 150
    assert len({text for _, _, text in CASES}) == len(CASES)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, _, text in CASES], ids=[f"{kind}: {name}"[:60] for kind, name, _ in CASES])
def test_kind(kind: str, text: str) -> None:
    assert classify(text).kind == kind


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("make_response()", "make_response"),
        (r"C:\proj\src\app.py", "/proj/src/app.py"),
        (r"src\click\core.py", "src/click/core.py"),
        ('"no such option"', "no such option"),
        ("  retry  ", "retry"),
    ],
)
def test_what_is_looked_for(text: str, asked: str) -> None:
    """Quotes, brackets of a call and another system's separators are no part of the question."""
    assert classify(text).text == asked


SETS = ("commitloc/queries", "semble/queries", "octocode/code", "cqs/v3-dev", "intent-code/cases", "iq-bench/cases", "noanswer-cross/pairs")


@pytest.mark.parametrize("name", SETS)
def test_questions_that_people_wrote_are_words_or_names(name: str) -> None:
    """None of the bench's questions is a paste, and hardly one is to be taken literally."""
    rows = [json.loads(row) for row in (DATASETS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    kinds = Counter(classify(row["query"]).kind for row in rows if isinstance(row.get("query"), str))
    assert kinds and set(kinds) <= {"prose", "symbol", "literal"}
    assert kinds["literal"] <= 1

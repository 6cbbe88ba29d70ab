"""Pasted traces, failures, messages, hunks, log lines and code: which places they name, and what became of each on disk.

The pastes are what the tools print, from a checkout of the same files under another root, or in a container, or compiled.
"""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iq.engine import Engine
from iq.features import DEFAULTS
from iq.plan.classify import classify
from iq.types import Output, Query, Request, Scope
from iq.verbs import pasted

CART_PY = '''"""Carts."""

from shop.price import parse


class Cart:
    def __init__(self, lines):
        self.lines = lines

    def total(self):
        return sum(self.cost(line) for line in self.lines)

    def cost(self, line):
        try:
            return parse(line["price"])
        except KeyError as error:
            raise CartError(f"line {line!r} has no price") from error


class CartError(Exception):
    pass
'''
PRICE_PY = '''import logging

log = logging.getLogger(__name__)


def parse(text):
    amount, _, unit = text.partition(" ")
    if unit not in ("EUR", "USD"):
        raise ValueError(f"unknown currency {unit!r} in a price")
    log.warning("price of %s taken from the list of %s", amount, unit)
    return float(amount)


def deep(n):
    return deep(n + 1)
'''
TEST_PY = '''from shop.cart import Cart


def test_total():
    assert Cart([{"price": "3 EUR"}]).total() == 4


class TestEmpty:
    def test_none(self):
        assert Cart([]).total() == 1
'''
ROUTER_TS = '''import { compile } from './pattern'

export class Router {
  routes: string[] = []

  match(path: string): string {
    const found = this.routes.find((route) => compile(route).test(path))
    return found!.trim()
  }
}

export const handle = (req: { path: string }) => {
  const router = new Router()
  return router.match(req.path)
}
'''
ROUTER_TEST_TS = '''import { handle } from '../src/router'

describe('router', () => {
  it('matches the root', () => {
    expect(handle({ path: '/' })).toBe('/')
  })
})
'''
SERVER_GO = '''package server

import "fmt"

type Server struct{ names []string }

func (s *Server) Name(at int) string {
	return s.names[at]
}

func Serve(at int) string {
	s := &Server{}
	fmt.Println("listening on port", at)
	return s.Name(at)
}
'''
SERVER_TEST_GO = '''package server

import "testing"

func TestServe(t *testing.T) {
	if got := Serve(0); got != "a" {
		t.Errorf("got %q, want a", got)
	}
}
'''
GSON_JAVA = '''package com.acme.shop;

public class Gson {
  public <T> T fromJson(String json) {
    return read(json);
  }

  private <T> T read(String json) {
    throw new IllegalStateException("Expected BEGIN_OBJECT but was " + json);
  }

  static class Adapter {
    Object write(Object value) {
      return value;
    }
  }
}
'''
LIB_RS = '''pub struct Route {
    pub parts: Vec<String>,
}

impl Route {
    pub fn first(&self) -> &str {
        &self.parts[0]
    }
}

pub fn dispatch(route: &Route) -> String {
    route.first().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatches() {
        assert_eq!(dispatch(&Route { parts: vec!["a".into()] }), "x");
    }
}
'''
LIST_C = '''#include "list.h"

int list_sum(struct list *l) {
    unsigned s = 0;
    for (; l; l = l->nxt) s += l->value;
    return s;
}
'''

FILES = {
    "src/shop/__init__.py": "",
    "src/shop/cart.py": CART_PY,
    "src/shop/price.py": PRICE_PY,
    "tests/test_cart.py": TEST_PY,
    "web/src/router.ts": ROUTER_TS,
    "web/src/pattern.ts": "export const compile = (text: string) => new RegExp(text)\n",
    "web/test/router.test.ts": ROUTER_TEST_TS,
    "server/server.go": SERVER_GO,
    "server/server_test.go": SERVER_TEST_GO,
    "java/src/main/java/com/acme/shop/Gson.java": GSON_JAVA,
    "java/src/main/java/com/acme/other/Gson.java": "package com.acme.other;\n\npublic class Gson {\n  void other() {}\n}\n",
    "java/src/test/java/com/acme/shop/GsonTest.java": (
        "package com.acme.shop;\n\nclass GsonTest {\n  void readsText() {\n    new Gson().fromJson(\"x\");\n  }\n}\n"
    ),
    "rust/src/lib.rs": LIB_RS,
    "rust/src/main.rs": "fn main() {\n    demo::dispatch(&demo::Route { parts: vec![] });\n}\n",
    "c/src/list.c": LIST_C,
    "c/src/list.h": "struct list { struct list *next; int value; };\n",
    "a/utils.py": "def left(x):\n    return x\n\n\ndef both(x):\n    return left(x)\n",
    "b/utils.py": "def right(x):\n    return x\n\n\ndef both(x):\n    return right(x)\n",
    "sub/src/shop/price.py": "def other():\n    return None\n",
    "kt/src/Main.kt": "package com.acme\n\nfun main() {\n    error(\"no\")\n}\n",
    "rb/lib/cart.rb": "class Cart\n  def total\n    raise 'no'\n  end\nend\n",
    "php/src/Cart.php": "<?php\nclass Cart {\n  function total() {\n    throw new Exception('no');\n  }\n}\n",
    "cs/Cart.cs": "class Cart {\n  int Total() {\n    throw new System.Exception();\n  }\n}\n",
    "cs/Basket.cs": (
        "namespace Shop;\n\nclass Basket {\n  void Put(int count) {\n    Put(count, 1);\n  }\n\n  void Put(int count, Item item) {\n    Check(item);\n  }\n}\n"
    ),
    "ex/lib/shop/cart.ex": "defmodule Shop.Cart do\n  def total(lines) do\n    raise ArgumentError, \"no lines\"\n  end\nend\n",
    "ex/test/cart_test.exs": "defmodule Shop.CartTest do\n  use ExUnit.Case\n\n  test \"adds\" do\n    assert Shop.Cart.total([]) == 1\n  end\nend\n",
    "erl/src/shop.erl": "-module(shop).\n\ntotal([]) ->\n    error(empty).\n",
    "c/CMakeLists.txt": "project(list C)\nadd_library(list src/nope.c)\n",
    "c/main.c": "#include <stdio.h>\n\nint main(void) {\n  return 0;\n}\n",
    **{f"web/src/mw/{name}/index.ts": f"export const {name} = () => {{\n  throw new Error('boom')\n}}\n" for name in ("cors", "jwt")},
    **{f"web/src/page{number}/index.ts": f"export const page{number} = {number}\n" for number in range(45)},
    "web/cli.py": 'def usage():\n    print("usage:\\n  run\\n")\n\n\ndef other():\n    return 1\n',
    "web/bench/index.js": "run()\n",
    "po/de.po": 'msgid "line {line} has no price"\nmsgstr "Zeile {line} hat keinen Preis"\n',
    "docs/errors.md": "# Errors\n\nYou may see: unknown currency 'X' in a price\n",
    ".env": "PASSWORD=swordfish\nprint(1)\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    root = tmp_path_factory.mktemp("pasted")
    (root / ".iq").mkdir()
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Engine.open(root)


def line(path: str, text: str, nth: int = 1) -> str:
    """`path:line` of the nth line that holds a text, so that the tables need no counting."""
    found = [at for at, row in enumerate(FILES[path].split("\n"), 1) if text in row]
    return f"{path}:{found[nth - 1]}"


def at(path: str, text: str, nth: int = 1) -> int:
    return int(line(path, text, nth).rpartition(":")[2])


def ask(engine: Engine, text: str, **output: object) -> object:
    return engine.answer(Request("search", (text,), {}, Scope(), Output(**output), DEFAULTS))  # type: ignore[arg-type]


def named(engine: Engine, text: str, scope: Scope = Scope()) -> tuple[Query, list[str], str]:
    """The query, the first lines of its named places in order, and the notes."""
    query = classify(text)
    items, notes, _ = pasted.places(engine.session, query, scope)
    return query, [item.path if not item.start else f"{item.path}:{item.start}" for item in items], " / ".join(notes)


PARSE = at("src/shop/price.py", "raise ValueError")
PYTHON = f'''Traceback (most recent call last):
  File "/srv/app/main.py", line 3, in <module>
    run()
  File "/srv/app/src/shop/cart.py", line {at("src/shop/cart.py", "return sum")}, in total
    return sum(self.cost(line) for line in self.lines)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/srv/app/src/shop/cart.py", line {at("src/shop/cart.py", "return parse")}, in cost
    return parse(line["price"])
           ^^^^^^^^^^^^^^^^^^^^
  File "/srv/app/src/shop/price.py", line {PARSE}, in parse
    raise ValueError(f"unknown currency {{unit!r}} in a price")
ValueError: unknown currency 'GBP' in a price
'''
CHAINED = f'''Traceback (most recent call last):
  File "/usr/lib/python3.11/site-packages/shop/cart.py", line {at("src/shop/cart.py", "return parse")}, in cost
    return parse(line["price"])
                 ~~~~^^^^^^^^^
KeyError: 'price'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "<string>", line 3, in <module>
  File "/usr/lib/python3.11/site-packages/shop/cart.py", line {at("src/shop/cart.py", "return sum")}, in <genexpr>
    return sum(self.cost(line) for line in self.lines)
               ^^^^^^^^^^^^^^^
  File "/usr/lib/python3.11/site-packages/shop/cart.py", line {at("src/shop/cart.py", "raise CartError")}, in cost
    raise CartError(f"line {{line!r}} has no price") from error
shop.cart.CartError: line {{}} has no price
'''
GROUP = f'''  + Exception Group Traceback (most recent call last):
  |   File "<string>", line 8, in <module>
  | ExceptionGroup: many (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/app/src/shop/price.py", line {PARSE}, in parse
    |     raise ValueError(f"unknown currency {{unit!r}} in a price")
    | ValueError: unknown currency 'GBP' in a price
    +------------------------------------
'''
IPYTHON = f'''File ~/x/src/shop/price.py:{PARSE}, in parse(text)
      8     if unit not in ("EUR", "USD"):
----> {PARSE}         raise ValueError(f"unknown currency {{unit!r}} in a price")
     10     log.warning("price of %s taken from the list of %s", amount, unit)

ValueError: unknown currency 'GBP' in a price
'''
ENDLESS = (
    "Traceback (most recent call last):\n"
    + f'  File "/a/shop/price.py", line {at("src/shop/price.py", "return deep")}, in deep\n    return deep(n + 1)\n' * 3
    + "  [Previous line repeated 996 more times]\nRecursionError: maximum recursion depth exceeded\n"
)
PYTEST_LONG = f'''=================================== FAILURES ===================================
__________________________________ test_total __________________________________

    def test_total():
>       assert Cart([{{"price": "3 EUR"}}]).total() == 4
E       AssertionError: assert 3.0 == 4
E        +  where 3.0 = total()

tests/test_cart.py:{at("tests/test_cart.py", "== 4")}: AssertionError
______________________________ TestEmpty.test_none ______________________________

self = <test_cart.TestEmpty object at 0x7fc8d4ceaf10>

    def test_none(self):
>       assert Cart([]).total() == 1
E       assert 0 == 1

tests/test_cart.py:{at("tests/test_cart.py", "== 1")}: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - AssertionError: assert 3.0 == 4
FAILED tests/test_cart.py::TestEmpty::test_none - assert 0 == 1
2 failed in 0.03s
'''
PYTEST_SHORT = f'''______________________________ test_currency _______________________________
tests/test_cart.py:{at("tests/test_cart.py", "== 4")}: in test_total
    assert Cart([{{"price": "3 EUR"}}]).total() == 4
src/shop/cart.py:{at("src/shop/cart.py", "return parse")}: in cost
    return parse(line["price"])
           ^^^^^^^^^^^^^^^^^^^^
src/shop/price.py:{PARSE}: in parse
    raise ValueError(f"unknown currency {{unit!r}} in a price")
E   ValueError: unknown currency 'GBP' in a price
'''
MATCH = at("web/src/router.ts", "found!")
NODE = f'''/home/u/web/src/router.ts:{MATCH}
    return found!.trim()
                  ^

TypeError: Cannot read properties of undefined (reading 'trim')
    at Router.match (/home/u/web/src/router.ts:{MATCH}:18)
    at handle (/home/u/web/src/router.ts:{at("web/src/router.ts", "router.match")}:17)
    at Object.<anonymous> (/home/u/web/node_modules/express/lib/router/layer.js:95:5)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2
'''
CAUSE = f'''Error: request failed
    at main (/home/u/web/other/app.js:11:40)
    at node:internal/main/run_main_module:28:49 {{
  [cause]: TypeError: Cannot read properties of undefined (reading 'trim')
      at Router.match (/home/u/web/src/router.ts:{MATCH}:18)
      at node:internal/main/run_main_module:28:49
}}
'''
WEBPACK = f'''Uncaught (in promise) TypeError: Cannot read properties of undefined (reading 'trim')
    at Router.match (webpack:///./src/router.ts:{MATCH}:18)
    at handle (webpack-internal:///(rsc)/./src/router.ts?6a1b:{at("web/src/router.ts", "router.match")}:17)
'''
FIREFOX = f'''match@http://localhost:5173/src/router.ts:{MATCH}:18
handle@http://localhost:5173/src/router.ts:{at("web/src/router.ts", "router.match")}:17
'''
COMPILED = '''TypeError: Cannot read properties of undefined (reading 'trim')
    at Router.match (/app/dist/router.js:107:11)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
'''
JEST = f'''FAIL web/test/router.test.ts
  ● router › matches the root

    expect(received).toBe(expected) // Object.is equality

    Expected: "/"
    Received: "x"

      3 | describe('router', () => {{
      4 |   it('matches the root', () => {{
    > 5 |     expect(handle({{ path: '/' }})).toBe('/')
        |                                   ^
      6 |   }})
      7 | }})

      at Object.<anonymous> (web/test/router.test.ts:{at("web/test/router.test.ts", "expect")}:35)

Test Suites: 1 failed, 1 total
'''
VITEST = f''' FAIL  test/router.test.ts > router > matches the root
TypeError: Cannot read properties of undefined (reading 'trim')
 ❯ Router.match src/router.ts:{MATCH}:18
      6|   match(path: string): string {{
      8|     return found!.trim()
       |                   ^
 ❯ test/router.test.ts:{at("web/test/router.test.ts", "expect")}:12
'''
NAME = at("server/server.go", "s.names[at]")
GO = f'''panic: runtime error: index out of range [0] with length 0

goroutine 1 [running]:
example.com/shop/server.(*Server).Name(...)
	/go/src/example.com/shop/server/server.go:{NAME}
example.com/shop/server.Serve(0x0)
	/go/src/example.com/shop/server/server.go:{at("server/server.go", "s.Name(at)")} +0x1d
net/http.HandlerFunc.ServeHTTP(0xc000012345?, {{0x102b6c1d8, 0x140001c6000}}, 0x0)
	/usr/local/go/src/net/http/server.go:2136 +0x29
created by net/http.(*Server).Serve in goroutine 1
	/usr/local/go/src/net/http/server.go:8 +0x5cc
exit status 2
'''
GO_TEST = f'''--- FAIL: TestServe (0.00s)
    server_test.go:{at("server/server_test.go", "t.Errorf")}: got "b", want a
FAIL
FAIL	example.com/shop/server	0.003s
FAIL
'''
JAVA = f'''Exception in thread "main" com.acme.shop.ShopException: java.lang.IllegalStateException: Expected BEGIN_OBJECT but was x
	at com.acme.shop.Gson.fromJson(Gson.java:{at("java/src/main/java/com/acme/shop/Gson.java", "return read")})
	at com.acme.missing.App.main(App.java:14)
	at java.base/java.lang.Thread.run(Thread.java:833)
Caused by: java.lang.IllegalStateException: Expected BEGIN_OBJECT but was x
	at com.acme.shop.Gson.read(Gson.java:{at("java/src/main/java/com/acme/shop/Gson.java", "throw new")})
	... 11 more
'''
SUREFIRE = '''[ERROR] Failures:
[ERROR]   GsonTest.readsText:5 expected: <1> but was: <2>
[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0
'''
GRADLE = '''GsonTest > readsText() FAILED
    java.lang.IllegalStateException at GsonTest.java:5
'''
FIRST = at("rust/src/lib.rs", "&self.parts[0]")
RUST = f'''
thread 'main' (31155) panicked at src/lib.rs:{FIRST}:20:
index out of bounds: the len is 0 but the index is 0
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:80:14
   6: demo::Route::first
             at ./src/lib.rs:{FIRST}:20
   7: demo::dispatch
             at ./src/lib.rs:{at("rust/src/lib.rs", "route.first()")}:11
   8: demo::main
             at ./src/main.rs:2:5
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
'''
CARGO = f'''---- tests::dispatches stdout ----

thread 'tests::dispatches' (31350) panicked at src/lib.rs:{at("rust/src/lib.rs", "assert_eq")}:9:
assertion `left == right` failed
  left: "a"
 right: "x"

failures:
    tests::dispatches
'''
OLD_PANIC = f"thread 'main' panicked at 'index out of bounds: the len is 0', src/lib.rs:{FIRST}:9\nnote: run with `RUST_BACKTRACE=1` environment variable"
RUSTC = f'''error[E0308]: mismatched types
 --> src/lib.rs:{FIRST}:9
  |
6 |     pub fn first(&self) -> &str {{
  |                            ---- expected `&str` because of return type
{FIRST} |         &self.parts[0]
  |         ^^^^^^^^^^^^^^ expected `&str`, found `&Option<&String>`

For more information about this error, try `rustc --explain E0308`.
'''
GCC = f'''src/list.c: In function 'list_sum':
src/list.c:{at("c/src/list.c", "nxt")}:22: error: 'struct list' has no member named 'nxt'; did you mean 'next'?
    5 |     for (; l; l = l->nxt) s += l->value;
      |                      ^~~
src/list.c:4:14: warning: unused variable 's' [-Wunused-variable]
src/list.h:1:1: note: declared here
'''
TSC = f"src/router.ts({MATCH},12): error TS2532: Object is possibly 'undefined'.\nsrc/pattern.ts:1:14 - error TS7006: Parameter implicitly has an 'any' type.\n"
ESLINT = f'''
/home/ci/work/web/src/router.ts
  4:3   warning  'routes' is assigned but never used  no-unused-vars
  {MATCH}:12  error    Forbidden non-null assertion         @typescript-eslint/no-non-null-assertion

✖ 2 problems (1 error, 1 warning)
'''
JAVAC = f'''java/src/main/java/com/acme/shop/Gson.java:{at("java/src/main/java/com/acme/shop/Gson.java", "throw new")}: error: cannot find symbol
    throw new IllegalStateException("Expected BEGIN_OBJECT but was " + json);
              ^
  symbol:   class IllegalStateException
1 error
'''
MAVEN = "[ERROR] /build/java/src/main/java/com/acme/shop/Gson.java:[5,12] cannot find symbol\n[ERROR]   symbol: method read(String)\n"
MYPY = f'src/shop/price.py:{PARSE}: error: Unsupported operand types for + ("int" and "str")  [operator]\nFound 1 error in 1 file (checked 2 source files)\n'
RUFF = f'''F821 Undefined name `unit`
 --> src/shop/price.py:{PARSE}:47
  |
8 |     if unit not in ("EUR", "USD"):
9 |         raise ValueError(f"unknown currency {{unit!r}} in a price")
  |                                             ^^^^
  |

Found 1 error.
'''
GO_VET = f"# example.com/shop/server\n./server.go:{NAME}:9: s.nams undefined (type *Server has no field or method nams)\n"
DIFF = '''diff --git a/src/shop/cart.py b/src/shop/cart.py
index 4d4d52a..beae26f 100644
--- a/src/shop/cart.py
+++ b/src/shop/cart.py
@@ -10,4 +10,4 @@ class Cart:
     def total(self):
-        return sum(self.cost(line) for line in self.lines)
+        return math.fsum(self.cost(line) for line in self.lines)
 
     def cost(self, line):
'''
APPLIED = DIFF.replace("-        return sum(", "-        return fold(").replace("+        return math.fsum(", "+        return sum(")
BARE_HUNK = '''     def cost(self, line):
         try:
-            return parse(line["price"])
+            return parse(line["amount"])
         except KeyError as error:
'''
MOVED_HUNK = '''@@ -1200,3 +1200,3 @@
     if unit not in ("EUR", "USD"):
-        raise ValueError(f"unknown currency {unit!r} in a price")
+        raise LookupError(unit)
     log.warning("price of %s taken from the list of %s", amount, unit)
'''
NXT = at("c/src/list.c", "nxt")
NET_RELEASE = '''System.InvalidOperationException: no
   at Shop.Basket.Put(Int32 count, Item item)
   at Shop.Cart.Total()
   at System.Linq.Enumerable.Sum[TSource](IEnumerable`1 source, Func`2 selector)
--- End of stack trace from previous location ---
'''
NET_ASYNC = '''Unhandled exception. System.AggregateException: One or more errors occurred.
 ---> System.Exception: no
   at Shop.Basket.<Put>d__5.MoveNext() in /_/cs/Basket.cs:line 9
   at Shop.Cart.Sum[T](T item, List`1 more) in /_/cs/Cart.cs:line 3
   at Program.<Main>$(String[] args) in C:\\app\\Program.cs:line 7
'''
ELIXIR = '''** (ArgumentError) no lines
    (shop 0.1.0) lib/shop/cart.ex:3: Shop.Cart.total/1
    (elixir 1.15.0) lib/enum.ex:942: Enum.map/2
'''
ELIXIR_ERROR = '''    error: undefined variable "x"
    │
  3 │     raise x
    │           ^
    │
    └─ lib/shop/cart.ex:3:11: Shop.Cart.total/1

'''
CMAKE = '''CMake Error at CMakeLists.txt:2 (add_library):
  Cannot find source file:

    src/nope.c
'''
EXUNIT = '''  1) test adds (Shop.CartTest)
     test/cart_test.exs:4
     Assertion with == failed
     code:  assert Shop.Cart.total([]) == 1
     stacktrace:
       test/cart_test.exs:5: (test)
'''
GDB = f'''Program received signal SIGSEGV, Segmentation fault.
#0  0x00007ffff7a42387 in raise () from /lib64/libc.so.6
#1  0x000000000041a0b3 in list_sum (l=0x6b1e20 <default>, n=-1) at /build/c/src/list.c:{NXT}
#2  0x0000000000408aa0 in main (argc=1, argv=0x7ffe) at /build/app/main.c:3
'''
ASAN = f'''==12345==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x55d0 bp 0x7ffd sp 0x7ffd
READ of size 8 at 0x602000000010 thread T0
    #0 0x55d0e1 in list_sum(list*) /home/ci/c/src/list.c:{NXT}:12
    #1 0x4c1b in main /home/ci/app/main.c:3
    #2 0x7f in __libc_start_main (/lib/x86_64-linux-gnu/libc.so.6+0x29d8f) (BuildId: 0b)
'''
LLDB = f'''* thread #1, queue = 'main', stop reason = EXC_BAD_ACCESS (code=1, address=0x0)
  * frame #0: 0x0000000100003f50 app`list_sum(l=0x0000000000000000) at list.c:{NXT}:18 [opt]
    frame #1: 0x0000000100003f9c app`main at main.c:3:3
    frame #2: 0x00000001800f50e0 dyld`start + 2360
'''
VALGRIND = f'''==4242== Invalid read of size 8
==4242==    at 0x4E7B1C: list_sum (list.c:{NXT})
==4242==    by 0x4E8000: start (in /usr/lib/libfoo.so)
==4242==  Address 0x5204040 is 0 bytes inside a block of size 64 free'd
'''
CODE = '''```python
def cost(self, line):
    try:
        return parse(line["price"])
    except KeyError as error:
        raise CartError("no price") from error
```'''

PY3 = [line("src/shop/price.py", "raise ValueError"), line("src/shop/cart.py", "return parse"), line("src/shop/cart.py", "return sum")]

# id, paste, its places in order, notes that must be there
ROWS: list[tuple[str, str, list[str], str]] = [
    ("python", PYTHON, PY3, "4 places named · 3 verified · 1 outside the workspace"),
    ("python, chained, in site-packages", CHAINED, [line("src/shop/cart.py", "return parse"), line("src/shop/cart.py", "return sum")],
     "4 places named · 3 verified · 1 outside"),
    ("python, group", GROUP, [line("src/shop/price.py", "raise ValueError")], "1 verified · 1 outside"),
    ("python, coloured", PYTHON.replace("ValueError", "\x1b[1;35mValueError\x1b[0m").replace('"/srv', '\x1b[35m"/srv'),
     PY3, "3 verified"),
    ("python, crlf", PYTHON.replace("\n", "\r\n"), PY3, "3 verified"),
    ("python, NULs", PYTHON.replace("shop", "sh\0op"), PY3, "3 verified"),
    ("python, windows", PYTHON.replace("/srv/app/", "C:\\proj\\").replace("src/shop/", "src\\shop\\"), PY3, "3 verified"),
    ("python, docker prefix", "".join(f"web-1  | {row}\n" for row in PYTHON.split("\n")), PY3, "3 verified"),
    ("python, top cut off", "shop/price.py" + PYTHON.rpartition("shop/price.py")[2], PY3[:1], "1 verified"),
    ("python, half a frame cut off", '  File "/srv' + PYTHON.rpartition('File "/srv')[2], PY3[:1], "1 verified"),
    ("python, end cut off", PYTHON[: PYTHON.index("line[\"price\"]")], PY3[1:], "2 verified"),
    ("python, endless", ENDLESS, [line("src/shop/price.py", "return deep")], "1 place named"),
    ("python, folded into one row", " ".join(PYTHON.split()), PY3, "3 verified"),
    ("node, folded into one row", " ".join(NODE.partition("TypeError")[2].split()),
     [line("web/src/router.ts", "found!"), line("web/src/router.ts", "router.match")], "2 verified"),
    ("ipython", IPYTHON, PY3[:1], "1 verified"),
    ("python, syntax error", '  File "/a/src/shop/cart.py", line 6\n    class Cart:\n          ^\nSyntaxError: invalid syntax\n', ["src/shop/cart.py:6"],
     "1 verified"),
    ("pytest, long", PYTEST_LONG, [line("tests/test_cart.py", "== 4"), line("tests/test_cart.py", "== 1")], "4 verified"),
    ("pytest, short", PYTEST_SHORT, [*PY3[:2], line("tests/test_cart.py", "== 4")], "3 verified"),
    ("pytest, summary", "FAILED tests/test_cart.py::TestEmpty::test_none - assert 0 == 1", [line("tests/test_cart.py", "def test_none")], "1 verified"),
    ("node", NODE, [line("web/src/router.ts", "found!"), line("web/src/router.ts", "router.match")], "3 verified · 3 outside"),
    ("node, cause", CAUSE, [line("web/src/router.ts", "found!")], "1 verified"),
    ("webpack", WEBPACK, [line("web/src/router.ts", "found!"), line("web/src/router.ts", "router.match")], "2 verified"),
    ("firefox", FIREFOX, [line("web/src/router.ts", "found!"), line("web/src/router.ts", "router.match")], "2 verified"),
    ("compiled script", COMPILED, [line("web/src/router.ts", "match(path")], "1 moved"),
    ("jest", JEST, [line("web/test/router.test.ts", "expect")], "verified"),
    ("vitest", VITEST, [line("web/src/router.ts", "found!"), line("web/test/router.test.ts", "expect")], "verified"),
    ("go", GO, [line("server/server.go", "s.names[at]"), line("server/server.go", "s.Name(at)")], "2 verified · 2 outside"),
    ("go test", GO_TEST, [line("server/server_test.go", "t.Errorf")], "2 verified"),
    ("java", JAVA, [line("java/src/main/java/com/acme/shop/Gson.java", "throw new"), line("java/src/main/java/com/acme/shop/Gson.java", "return read")],
     "2 verified · 2 outside"),
    ("java, inner class", "java.lang.Error: no\n\tat com.acme.shop.Gson$Adapter.write(Gson.java:14)\n", ["java/src/main/java/com/acme/shop/Gson.java:14"],
     "1 verified"),
    ("java, ambiguous file", "java.lang.Error: no\n\tat Gson.other(Gson.java:4)\n", ["java/src/main/java/com/acme/other/Gson.java:4"], "1 verified"),
    ("surefire", SUREFIRE, ["java/src/test/java/com/acme/shop/GsonTest.java:5"], "1 verified"),
    ("gradle", GRADLE, ["java/src/test/java/com/acme/shop/GsonTest.java:5"], "1 verified"),
    ("kotlin", "Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat com.acme.MainKt.main(Main.kt:4)\n\tat com.acme.MainKt.main(Main.kt)\n",
     ["kt/src/Main.kt:4"], "2 verified"),
    ("kotlin compiler", "e: file:///build/kt/src/Main.kt:4:5 Unresolved reference: error\n", ["kt/src/Main.kt:4"], "1 verified"),
    ("ruby", "rb/lib/cart.rb:3:in `total': no (RuntimeError)\n\tfrom bin/run:3:in `<main>'\n", ["rb/lib/cart.rb:3"], "1 verified"),
    ("php", "PHP Fatal error:  Uncaught Exception: no\n#0 /var/www/php/src/Cart.php(4): Cart->total()\n#1 {main}\n", ["php/src/Cart.php:4"], "1 verified"),
    (".net, signatures alone", NET_RELEASE, [line("cs/Basket.cs", "Item item"), line("cs/Cart.cs", "int Total")], "3 places named · 2 verified · 1 outside"),
    (".net, generic and asynchronous", NET_ASYNC, ["cs/Basket.cs:9", "cs/Cart.cs:3"], "2 verified · 1 outside"),
    ("php, where it was thrown", "PHP Fatal error:  Uncaught TypeError: no in /var/www/php/src/Cart.php:4\nStack trace:\n"
     "#0 /x/run.php(9): Cart->total()\n#1 {main}\n"
     "  thrown in /var/www/php/src/Cart.php on line 4\n", ["php/src/Cart.php:4"], "1 verified · 1 outside"),
    ("php, warning", "PHP Warning:  Undefined variable $x in /var/www/php/src/Cart.php on line 3\n", ["php/src/Cart.php:3"], "1 verified"),
    ("elixir", ELIXIR, ["ex/lib/shop/cart.ex:3"], "1 verified · 1 outside"),
    ("exunit", EXUNIT, ["ex/test/cart_test.exs:5"], "2 verified"),
    ("erlang", "** exception error: no lines\n     in function  shop:total/1 (src/shop.erl, line 4)\n     in call from lists:map/2 (lists.erl, line 1342)\n",
     ["erl/src/shop.erl:4"], "1 verified · 1 outside"),
    ("erlang, crash report", 'crash_report:\n  {badmatch,[{shop,total,1,[{file,"src/shop.erl"},{line,4}]},\n   {lists,map,2,[{file,"lists.erl"},{line,1}]}]}\n',
     ["erl/src/shop.erl:4"], "1 verified"),
    ("gdb", GDB, [line("c/src/list.c", "nxt")], "3 places named · 1 verified · 2 outside"),
    ("gdb, where it stopped", f'Thread 1 "app" received signal SIGSEGV, Segmentation fault.\n0x00005555 in list_sum (l=0x0) at c/src/list.c:{NXT}\n',
     [line("c/src/list.c", "nxt")], "1 verified"),
    ("address sanitizer", ASAN, [line("c/src/list.c", "nxt")], "3 places named · 1 verified · 2 outside"),
    ("lldb", LLDB, [line("c/src/list.c", "nxt")], "2 verified"),
    ("valgrind", VALGRIND, [line("c/src/list.c", "nxt")], "1 verified · 1 outside"),
    ("assertion", f"app: c/src/list.c:{NXT}: list_sum: Assertion `list->nxt' failed.\nAborted (core dumped)\n", [line("c/src/list.c", "nxt")], "1 verified"),
    ("linker", "/usr/bin/ld: main.c.o: in function `main':\nmain.c:(.text+0x1a): undefined reference to `list_sum'\n"
     "collect2: error: ld returned 1 exit status\n",
     [line("c/src/list.c", "list_sum(")], "1 verified"),
    ("linker, apple", 'Undefined symbols for architecture arm64:\n  "_list_sum", referenced from:\n      _main in main.o\nld: symbol(s) not found\n',
     [line("c/src/list.c", "list_sum(")], "1 verified"),
    ("python, journal", "".join(f"May 01 12:00:00 host web[12]: {row}\n" for row in PYTHON.split("\n")), PY3, "3 verified"),
    ("python, job log", "".join(f"2024-05-01T12:00:00.1234567Z {row}\n" for row in PYTHON.split("\n")), PY3, "3 verified"),
    ("rust, folded into one row", "thread 'main' panicked at src/main.rs:2:5: no such route", ["rust/src/main.rs:2"], "1 verified"),
    ("elixir's compiler", ELIXIR_ERROR, ["ex/lib/shop/cart.ex:3"], "1 verified"),
    ("cmake", CMAKE, ["c/CMakeLists.txt:2"], "1 verified"),
    ("an assertion's own words", f"Assertion failed in c/src/list.c on line {NXT}: `a == b` (0 == 1)\n", [line("c/src/list.c", "nxt")], "1 verified"),
    ("assertion of macOS", f"Assertion failed: (a == b), function list_sum, file list.c, line {NXT}.\n", [line("c/src/list.c", "nxt")], "1 verified"),
    ("annotation", f"::error title=x,file=src/shop/price.py,line={PARSE},col=5::no such unit\n", [line("src/shop/price.py", "raise ValueError")], "1 verified"),
    ("annotation of a job log", f"2024-05-01T12:00:00.1Z ##[error]src/shop/price.py({PARSE},9): error: no\n", [line("src/shop/price.py",
     "raise ValueError")], ""),
    ("trace in a JSON string", json.dumps({"level": "error", "msg": "boom", "stack": PYTHON}) + "\n", PY3, "3 verified"),
    ("trace in a JSON string that was cut", json.dumps({"stack": PYTHON * 9})[:9000], PY3, "4 verified"),
    ("source with line ends in a string",
     'Traceback (most recent call last):\n  File "/srv/src/web/cli.py", line 9, in usage\n    print("usage:\\n  run\\n")\nValueError: no\n',
     [line("web/cli.py", "print")], "1 moved"),
    ("built script of a common name", "Error: boom\n    at cors (/app/dist/mw/cors/index.js:9:1)\n"
     "    at jwt (/app/node_modules/shop/dist/mw/jwt/index.js:9:1)\n",
     ["web/src/mw/cors/index.ts:1", "web/src/mw/jwt/index.ts:1"], "2 moved"),
    (".net", "System.Exception: no\n   at Shop.Cart.Total() in C:\\build\\cs\\Cart.cs:line 3\n", ["cs/Cart.cs:3"], "1 verified"),
    ("node's test runner", "not ok 1 - adds\n  ---\n  location: '/w/web/test/router.test.ts:5:1'\n  failureType: 'testCodeFailure'\n",
     ["web/test/router.test.ts:5"], "1 verified"),
    ("webpack build", "ERROR in ./src/router.ts 8:11-20\nModule parse failed: Unexpected token (8:11)\n", ["web/src/router.ts:8"], "1 verified"),
    ("path of a folder below", 'File "src/shop/price.py", line 2, in other\n    return None\nValueError: 1\n', ["sub/src/shop/price.py:2"], "1 verified"),
    ("message with a translation", "ERROR: line 3 has no price", [line("src/shop/cart.py", "has no price")], ""),
    ("rust", RUST, [line("rust/src/lib.rs", "&self.parts[0]"), line("rust/src/lib.rs", "route.first()"), "rust/src/main.rs:2"], "4 verified · 2 outside"),
    ("rust, old form", OLD_PANIC, [line("rust/src/lib.rs", "&self.parts[0]")], "1 verified"),
    ("cargo test", CARGO, [line("rust/src/lib.rs", "assert_eq")], "2 verified"),
    ("rustc", RUSTC, [line("rust/src/lib.rs", "&self.parts[0]")], "1 verified"),
    ("gcc: error before warning", GCC, [line("c/src/list.c", "nxt"), "c/src/list.h:1"], "3 verified"),
    ("tsc", TSC, [line("web/src/router.ts", "found!"), "web/src/pattern.ts:1"], "2 verified"),
    ("eslint: error before warning", ESLINT, [line("web/src/router.ts", "found!")], "2 verified"),
    ("javac", JAVAC, [line("java/src/main/java/com/acme/shop/Gson.java", "throw new")], "1 verified"),
    ("maven", MAVEN, ["java/src/main/java/com/acme/shop/Gson.java:5"], "1 verified"),
    ("mypy", MYPY, [line("src/shop/price.py", "raise ValueError")], "1 verified"),
    ("ruff", RUFF, [line("src/shop/price.py", "raise ValueError")], "1 verified"),
    ("go vet", GO_VET, [line("server/server.go", "s.names[at]")], "1 verified"),
    ("diff", DIFF, [line("src/shop/cart.py", "return sum")], "1 hunk named · 1 verified"),
    ("diff, applied", APPLIED, [line("src/shop/cart.py", "return sum")], "1 hunk named · 1 verified"),
    ("hunk without headers", BARE_HUNK, [line("src/shop/cart.py", "return parse")], "1 hunk named · 1 verified"),
    ("hunk without a path, moved", MOVED_HUNK, [line("src/shop/price.py", "raise ValueError")], "1 moved"),
    ("diff of a file that is gone", DIFF.replace("cart.py", "gone.py").replace("cost", "tally").replace("total", "tally").replace("sum", "tally"), [],
     "none of them"),
    ("log line", "2024-05-01 12:00:01,123 WARNING shop.price: price of 12.5 taken from the list of EUR", [line("src/shop/price.py", "log.warning")], ""),
    ("log line, json", '{"time":"2024-05-01T12:00:01Z","level":"warn","msg":"price of 3 taken from the list of USD"}',
     [line("src/shop/price.py", "log.warning")], ""),
    ("log line, logfmt", 'time=2024-05-01T12:00:01Z level=info msg="listening on port 8080"', [line("server/server.go", "listening")], ""),
    ("log lines, severe first", "INFO: listening on port 8080\nERROR: line {'a': 1} has no price\n",
     [line("src/shop/cart.py", "has no price"), line("server/server.go", "listening")], ""),
    ("glog", f"E0102 03:04:05.678901 12 server.go:{NAME}] cannot serve", [line("server/server.go", "s.names[at]")], "1 verified"),
    ("message alone", "ValueError: unknown currency 'GBP' in a price", [line("src/shop/price.py", "unknown currency"), "docs/errors.md:3"], ""),
    ("message in a question", "Since the update I get this:\n\nValueError: unknown currency 'GBP' in a price\n\nwhat is missing?", PY3[:1], ""),
    ("message with bare values", "ValueError: unknown currency GBP in a price", [line("src/shop/price.py", "unknown currency")], ""),
    ("trace elsewhere, message here", 'Traceback (most recent call last):\n  File "/x/y.py", line 3, in z\n    q()\nValueError: unknown currency X in a price',
     [line("src/shop/price.py", "unknown currency")], "none of them in the workspace"),
    ("code", CODE, [line("src/shop/cart.py", "def cost")], ""),
    ("place", f"src/shop/price.py:{PARSE}", [f"src/shop/price.py:{PARSE}"], ""),
    ("place, absolute elsewhere", f"/home/x/src/shop/price.py:{PARSE}:9", [f"src/shop/price.py:{PARSE}"], ""),
]  # fmt: skip


@pytest.mark.parametrize(("paste", "places", "note"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_places(paste: str, places: list[str], note: str, engine: Engine) -> None:
    query, found, notes = named(engine, paste)
    assert query.kind == "artefact"
    assert found[: len(places)] == places
    assert note in notes
    # A place more may be named by the way: the test around it, the file of a note.
    assert len(found) <= len(places) + 1


def test_a_bare_name_in_a_runtime_is_no_file_of_ours(engine: Engine) -> None:
    """`/usr/local/go/src/net/http/server.go` ends like `server/server.go`, which defines neither function nor line."""
    frame = "net/http.(*conn).serve(0x1)\n\t/usr/local/go/src/net/http/server.go:8 +0x1\n"
    assert named(engine, f"panic: x\n\ngoroutine 1 [running]:\n{frame}")[1] == []
    python = 'Traceback (most recent call last):\n  File "/usr/lib/python3.11/json/price.py", line 3, in loads\n    return 1\nKeyError: 1\n'
    assert named(engine, python)[1] == []
    node = "Error: x\n    at load (/app/node_modules/left/router.ts:8:1)\n"
    assert named(engine, node)[1] == []


def test_files_of_one_name_are_told_apart_by_what_they_define(engine: Engine) -> None:
    for name, path in (("left", "a/utils.py"), ("right", "b/utils.py")):
        text = f'Traceback (most recent call last):\n  File "/srv/x/utils.py", line 2, in {name}\n    return x\nValueError: 1\n'
        assert named(engine, text)[1] == [f"{path}:2"]


def test_an_ending_that_many_files_share_is_said_to(engine: Engine) -> None:
    text = "utils.py:2: error: Returning Any"
    query = classify(text)
    items, *_ = pasted.places(engine.session, query, Scope())
    assert [item.path for item in items] == ["a/utils.py"]
    assert items[0].why == "one of 2 files of that ending"


MOVED = [
    ("by its source", 3, '    raise ValueError(f"unknown currency {unit!r} in a price")\n', PARSE, "moved from line 3, found by its source"),
    ("past the end", 4000, '    raise ValueError(f"unknown currency {unit!r} in a price")\n', PARSE, "moved from line 4000, found by its source"),
    ("by its definition", 4000, "", at("src/shop/price.py", "def parse"), "moved from line 4000, found by its definition"),
    ("source is gone", 4000, "    raise TypeError(unit)\n", at("src/shop/price.py", "def parse"), "line 4000 reads differently now; parse is where it was"),
]


@pytest.mark.parametrize(("old", "source", "now", "why"), [row[1:] for row in MOVED], ids=[row[0] for row in MOVED])
def test_a_line_that_no_longer_fits_is_found_again_and_said_to_have_moved(old: int, source: str, now: int, why: str, engine: Engine) -> None:
    text = f'Traceback (most recent call last):\n  File "/srv/src/shop/price.py", line {old}, in parse\n{source}ValueError: 1\n'
    items, notes, _ = pasted.places(engine.session, classify(text), Scope())
    assert (items[0].path, items[0].start, items[0].why) == ("src/shop/price.py", now, why)
    assert "1 moved" in notes[0]


def test_a_line_past_the_end_of_a_file_whose_function_is_gone(engine: Engine) -> None:
    text = 'Traceback (most recent call last):\n  File "/srv/src/shop/price.py", line 4000, in vanished\n    x()\nValueError: 1\n'
    items, *_ = pasted.places(engine.session, classify(text), Scope())
    assert items[0].anchor == "src/shop/price.py"
    assert items[0].why.startswith("line 4000 is past its end (")


def test_a_hunk_says_whether_it_was_applied(engine: Engine) -> None:
    rows = DIFF.replace("-        return", "         return").split("\n")
    inserted = "\n".join("+        check()" if "fsum" in row else row for row in rows)
    items, *_ = pasted.places(engine.session, classify(inserted), Scope())
    assert items[0].why == "not applied"
    for text, why in ((DIFF, "not applied"), (APPLIED, "already applied")):
        items, *_ = pasted.places(engine.session, classify(text), Scope())
        assert why in items[0].why
        assert [row.number for row in items[0].lines if row.hit] == [at("src/shop/cart.py", "return sum")]


def test_the_body_is_the_definition_with_the_line_marked(engine: Engine) -> None:
    items, *_ = pasted.places(engine.session, classify(PYTHON), Scope())
    first = items[0]
    assert first.label == "parse (function) 6-11"
    assert [row.number for row in first.lines] == list(range(6, 12))
    assert [row.number for row in first.lines if row.hit] == [PARSE]


def test_a_long_definition_is_cut_around_the_line(tmp_path) -> None:
    body = "".join(f"    x{n} = {n}\n" for n in range(300))
    (tmp_path / ".iq").mkdir()
    (tmp_path / "long.py").write_text(f"def long():\n{body}")
    text = 'Traceback (most recent call last):\n  File "/x/long.py", line 202, in long\n    x200 = 200\nValueError: 1\n'
    items, *_ = pasted.places(Engine.open(tmp_path).session, classify(text), Scope())
    numbers = [row.number for row in items[0].lines]
    assert numbers[0] == 1 and 202 in numbers and len(numbers) == pasted.FIRST


def test_places_come_before_the_ranking_and_are_not_repeated(engine: Engine) -> None:
    answer = ask(engine, PYTHON)
    assert answer.kind == "artefact"
    assert answer.items[0].anchor == f"src/shop/price.py:{PARSE}"
    spans = [(item.path, item.start, item.end) for item in answer.items]
    assert len(spans) == len(set(spans))
    assert not any(path == "src/shop/price.py" and start < PARSE <= end for path, start, end in spans[1:])


def test_what_is_left_is_ranked_by_its_words(engine: Engine) -> None:
    query = classify("Why do I get this when a price is in pounds?\n\n" + PYTHON)
    assert "pounds" in query.text and "unknown currency" in query.text and "parse" in query.text
    assert "/srv/app" not in query.text and "^^^" not in query.text


def test_a_paste_that_names_nothing_here_is_answered_from_its_words(engine: Engine) -> None:
    answer = ask(engine, 'Traceback (most recent call last):\n  File "/x/y.py", line 3, in currency\n    q()\nKeyError: 7\n')
    assert answer.items and "none of them in the workspace" in answer.notes[0]
    assert ask(engine, "nosuch/file.py:12").kind == "prose"


def test_the_scope_holds(engine: Engine) -> None:
    _, found, notes = named(engine, PYTHON, Scope(not_globs=("price.py",)))
    assert found[0] == line("src/shop/cart.py", "return parse")
    assert "2 outside the workspace" in notes


def test_secrets_do_not_surface(engine: Engine) -> None:
    for text in ('Traceback (most recent call last):\n  File "/srv/.env", line 1, in <module>\n    PASSWORD=swordfish\nValueError: 1\n', ".env:1",
                 "--- a/.env\n+++ b/.env\n@@ -1,2 +1,2 @@\n PASSWORD=swordfish\n-print(1)\n+print(2)\n"):  # fmt: skip
        assert all("env" not in place for place in named(engine, text)[1])


def test_the_engine_ranks_named_places_first(engine: Engine) -> None:
    ranking = engine.rank(PYTHON)
    assert [candidate.path for candidate in ranking.files[:2]] == ["src/shop/price.py", "src/shop/cart.py"]
    assert (ranking.chunks[0].path, ranking.chunks[0].start, ranking.chunks[0].ranks) == ("src/shop/price.py", 6, {"artefact": 1})
    assert len({candidate.path for candidate in ranking.files}) == len(ranking.files)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.sampled_from([row[1] for row in ROWS]), min_size=1, max_size=3), cut=st.tuples(st.integers(0, 1500), st.integers(0, 1500)))
def test_any_part_of_any_pastes_is_answered(rows: list[str], cut: tuple[int, int], engine: Engine) -> None:
    """Pastes are cut anywhere and put one behind the other; no place outside of the files comes out."""
    text = "\n".join(rows)
    query = classify(text[cut[0] : len(text) - cut[1]])
    items, *_ = pasted.places(engine.session, query, Scope())
    for item in items:
        assert item.path in FILES
        assert item.start <= FILES[item.path].count("\n") + 1


# Longest time that 100 kB of hostile text may take to classify (seconds of processor time); linear readers take under 1.
PATIENCE = 5.0

HOSTILE = [chr(code) for code in range(32, 127)] + ["\t", "\n", "\r", "\0", "\x1b", "é", "│", "❯", "→", "\u200b"]
TOKENS = [
    "a.", "a/", "a:", "a::", "a b ", "at ", "at a(", " at a (", 'File "', 'File "a", line 1, in ', "\x1b[", "\x1b]", "@a", "a@", "(a", "[a", "{a", "<a",
    "a=", "'a", '"a', "--- ", "+++ ", "@@ -1 +1 @@", "1:1:", ":1", "Error: ", "a.a:1:1: ", "Caused by: ", "goroutine ", " panicked at ", "   1 | ", "^~",
    "msg=", '"msg":"', "\\", "\\\"", "2024-", "12:00:00", "a.py:1: in ", "- a\n", "+ a\n-", "foo(", ")(", "a\n", "\n ", "  File ", "--> ", "● ", "❯ a ",
    "#0 a ", "#0 a(b:1", '{"a":"\\n\\n', "web | ", "in a.b line ", "   at a.b(", "undefined reference to `", "a.exs:1: ", "==1== at 0x0: ",
]  # fmt: skip


@pytest.mark.parametrize("text", [letter * 100_000 for letter in HOSTILE], ids=[f"U+{ord(letter):04X}" for letter in HOSTILE])
def test_one_letter_a_hundred_thousand_times(text: str) -> None:
    start = time.process_time()
    classify(text)
    classify("\n".join(text[at : at + 1990] for at in range(0, len(text), 1990)))
    assert time.process_time() - start < PATIENCE


@pytest.mark.parametrize("token", TOKENS, ids=[repr(token) for token in TOKENS])
def test_one_token_over_and_over(token: str) -> None:
    """The nested repetitions a reader may have show on its own syntax: on one line, on rows of full length, one a row."""
    start = time.process_time()
    whole = (token * (100_000 // len(token) + 1))[:100_000]
    long_rows = "\n".join(whole[at : at + 1990] for at in range(0, len(whole), 1990))
    for text in (whole, long_rows, (token + "\n") * (50_000 // len(token)), " " * 1900 + token + " " * 90_000 + token):
        classify(text)
    assert time.process_time() - start < PATIENCE


def test_a_megabyte_of_log(engine: Engine) -> None:
    rows = [f"2024-05-01 12:00:{n % 60:02},{n % 1000:03} INFO worker[{n}]: request {n:032x} served in {n} ms" for n in range(12_000)]
    rows[9_000:9_000] = PYTHON.split("\n")
    text = "\n".join(rows)
    assert len(text) > 1_000_000
    start = time.process_time()
    answer = ask(engine, text)
    assert answer.items[0].anchor == f"src/shop/price.py:{PARSE}"
    assert len(answer.query) <= 200
    assert time.process_time() - start < 6 * PATIENCE


def test_a_megabyte_of_one_message(engine: Engine) -> None:
    text = "\n".join(f"2024-05-01 12:00:01,123 WARNING shop.price: price of {n} taken from the list of EUR" for n in range(14_000))
    assert named(engine, text)[1][0] == line("src/shop/price.py", "log.warning")


def test_a_paste_longer_than_is_read_says_so(engine: Engine) -> None:
    text = PYTHON + "x" * (5 << 20)
    answer = ask(engine, text)
    assert answer.items[0].anchor == f"src/shop/price.py:{PARSE}"
    assert f"the question was cut to its first {4 << 20} characters" in answer.notes


def test_undecodable_and_empty_pastes(engine: Engine) -> None:
    assert classify("\0\0\n\0").kind in ("prose", "empty", "literal")
    assert classify("\x1b[31m\x1b[0m\n\n").kind in ("prose", "empty")
    assert named(engine, PYTHON.replace("GBP", "\udcff"))[1][0] == f"src/shop/price.py:{PARSE}"
    assert ask(engine, PYTHON.replace("shop", "\udcff")).items


TITLES = [
    ("python behind a container's name", "".join(f"web-1  | {row}\n" for row in PYTHON.split("\n"
     "")), "Python traceback: ValueError: unknown currency 'GBP' in a price"),
    ("node shows the line first", "/app/web/src/router.ts:8\n    return found!.trim()\n                 ^\n\nTypeError: no\n"
     "    at run (/app/web/src/router.ts:8:18)\n",
     "JavaScript stack trace: TypeError: no"),
    ("php", "PHP Fatal error:  Uncaught TypeError: no in /x/php/src/Cart.php:4\nStack trace:\n#0 /x/run.php(9): Cart->total()\n",
     "PHP stack trace: TypeError: no"),
    (".net", NET_RELEASE, ".NET stack trace: System.InvalidOperationException: no"),
    (".net, innermost cause", NET_ASYNC, ".NET stack trace: System.Exception: no"),
    ("elixir", ELIXIR, "Elixir stack trace: ArgumentError: no lines"),
    ("exunit", EXUNIT, "ExUnit failure: Assertion with == failed"),
    ("address sanitizer", ASAN, "native stack trace: AddressSanitizer: heap-use-after-free"),
    ("gdb", 'Thread 1 "app" received signal SIGSEGV, Segmentation fault.\n0x00005555 in list_sum (l=0x0) at list.c:5\n',
     'native stack trace: Thread 1 "app" received signal SIGSEGV, Segmentation fault.'),
    ("valgrind", VALGRIND, "native stack trace: Invalid read of size 8"),
    (".net, a runner's", f"  Error Message:\n   Assert.Equal() Failure\n  Stack Trace:\n{NET_RELEASE[NET_RELEASE.index('   at'):]}",
     ".NET stack trace: Assert.Equal() Failure"),
    ("ruff", "F841 Local variable `x` is assigned to but never used\n"
     f"   --> src/shop/price.py:{PARSE}:9\n    |\n",
     "compiler or linter message: F841 Local variable `x` is assigned to but never used"),
    ("elixir's compiler", ELIXIR_ERROR, 'compiler or linter message: undefined variable "x"'),
    ("cmake", CMAKE, "compiler or linter message: Cannot find source file:"),
    ("go, logged", "x.Run\n\t/src/server/server.go:8\n", "Go stack trace"),
]  # fmt: skip


@pytest.mark.parametrize(("paste", "title"), [row[1:] for row in TITLES], ids=[row[0] for row in TITLES])
def test_the_title_says_what_it_is_and_what_went_wrong(paste: str, title: str) -> None:
    assert classify(paste).title == title

"""A pasted artefact is a question too: its answer says what is missing, how far to trust it, and has the vectors made behind it."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

FILES = {
    "shop/price.py": "def parse(text):\n    amount, _, currency = text.partition(' ')\n    return float(amount), currency\n",
    "shop/cart.py": "from shop.price import parse\n\n\ndef total(lines):\n    return sum(parse(line)[0] for line in lines)\n",
    "README.md": "# Shop\n\nPrices are parsed.\n",
}
TRACE = """Traceback (most recent call last):
  File "/srv/app/shop/cart.py", line 5, in total
    return sum(parse(line)[0] for line in lines)
  File "/srv/app/shop/price.py", line 3, in parse
    return float(amount), currency
ValueError: could not convert string to float: 'EUR'
"""
FAILED = "FAILED tests/test_gone.py::test_price - ValueError: the amount of a price is no number\n"
FOREIGN = 'Exception in thread "main" java.lang.NullPointerException: ledger amount\n\tat com.bank.Amortizer.compute(Amortizer.java:42)\n'
HUNK = "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -2,2 +2,2 @@ def parse(text):\n     amount, _, currency = text.partition(' ')\n-    return float(amount), currency\n+    return int(amount), currency\n"  # noqa: E501


def head(out: str) -> str:
    return out.partition("answer:")[0]


@pytest.mark.parametrize(
    ("paste", "verdict"),
    [
        pytest.param(TRACE, "confident", id="every place verified"),
        pytest.param(TRACE.replace("line 5,", "line 4,"), "ambiguous", id="a place moved"),
        pytest.param(HUNK, "confident", id="a hunk that applies"),
        pytest.param(FAILED, "unjudged", id="a test that is not here"),
        pytest.param(FOREIGN, "unjudged", id="another program's trace"),
    ],
)
def test_the_verdict_is_what_the_live_tree_says(workspace, paste: str, verdict: str) -> None:
    ws = workspace(FILES)
    code, out, _ = ws.iq(paste)
    assert code == 0 and out.splitlines()[0].endswith(f"verdict {verdict}"), out
    assert "verdict" not in head(ws.iq(paste, "--features=-verdict")[1])


@pytest.mark.parametrize("paste", [TRACE, FAILED, FOREIGN, HUNK], ids=["trace", "test", "foreign", "diff"])
def test_what_is_missing_is_said_and_made_behind(workspace, tiny, paste: str) -> None:
    """A paste said nothing of models and vectors, and left an index without vectors as it was."""
    ws = workspace(FILES)
    assert "no models, so only words" in head(ws.iq(paste)[1]) and "no models" in head(ws.iq("how are prices parsed?")[1])
    tiny(ws)
    code, out, _ = ws.iq(paste)
    assert code == 0 and "vectors 0 %" in head(out)
    assert until(lambda: "vectors 100 %" in ws.iq("index", "status")[1])
    assert "vectors" not in head(ws.iq(paste)[1])


def test_an_intent_of_ones_own_has_its_affinities_for_a_paste_too(workspace) -> None:
    ws = workspace({**FILES, ".iq/intents.toml": '[money]\ndescription = "what handles money"\nexemplars = ["where are amounts added up"]\n'})
    paste, question = (head(ws.iq(text, "--intent", "money")[1]) for text in (TRACE, "how are prices parsed?"))
    lacking = [row for row in question.splitlines() if row.startswith("note:") and "money" in row]
    assert lacking and all(row in paste for row in lacking)


def until(holds: Callable[[], bool], seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.2)
    return False


def test_a_built_script_is_that_of_its_own_folder(workspace) -> None:
    """Of sources with one name that define the same, the one whose folders the script's path repeats is meant, not the first by path."""
    body = "export class {} {{\n  match(path: string) {{\n    return path\n  }}\n}}\n"
    place = workspace({f"src/router/{name}/router.ts": body.format(name.title()) for name in ("linear", "smart", "trie")})
    trace = "TypeError: no\n    at Object.match (/app/node_modules/x/dist/router/smart/router.js:34:19)\n"
    assert "\nanswer: src/router/smart/router.ts:2 " in place.iq(trace)[1]


@pytest.mark.parametrize("sign", ["#", "*", ".", "-"])
def test_a_level_of_one_sign_is_no_part_of_the_message(workspace, sign: str) -> None:
    source = 'void save(void) {\n    log("Can\'t save in background: fork: %s", why());\n}\n'
    place = workspace({"save.c": source, "other.c": "int other(void) { return 1; }\n"})
    out = place.iq(f"12345:M 01 Jan 2024 00:00:00.000 {sign} Can't save in background: fork: Cannot allocate memory")[1]
    assert "\nanswer: save.c:2 " in out and "stands nowhere" not in out

"""`.iq/intents.toml`: what is accepted, what is refused and in which words, and that editing leaves the rest alone."""

from __future__ import annotations

import os

import pytest

from iq.errors import UsageError
from iq.plan import authored
from iq.types import Intent

GOOD = """# ours
[security]
description = "what an attacker could reach"   # short
exemplars = ["who may call this"]
classes = ["src", "config"]
globs = ["src/auth/**"]
patterns = ["(?i)sanitize|escape"]

# the other one
[release-notes]
exemplars = ["was bringt die neue Version", "新しいバージョン"]
"""


def put(root, text):
    (root / ".iq").mkdir(exist_ok=True)
    (root / ".iq/intents.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(root)


def test_a_good_file(tmp_path):
    found = authored.load(put(tmp_path, GOOD))
    assert list(found) == ["security", "release-notes"]
    assert found["security"] == Intent(
        "security", "what an attacker could reach", ("who may call this",), "", ("src", "config"), ("src/auth/**",), ("(?i)sanitize|escape",)
    )


def test_exemplars_may_be_in_any_language(tmp_path):
    assert authored.load(put(tmp_path, GOOD))["release-notes"].exemplars[1] == "新しいバージョン"


def test_no_file_is_no_intents(tmp_path):
    assert authored.load(str(tmp_path)) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[x]\n", "[x] has no text; give it a description or exemplars"),
        ('[x]\ndescription = "  "\nexemplars = [""]\n', "[x] has no text"),
        ('[x]\ndescription = "a"\n[x]\ndescription = "b"\n', "two intents have one name"),
        ('[x-y]\ndescription = "a"\n[x_y]\ndescription = "b"\n', "intents 'x-y' and 'x_y' have one name"),
        ('[x]\ndescription = "a"\npatterns = ["(a"]\n', "[x] patterns: '(a' is no regular expression"),
        ('[x]\ndescription = "a"\npatterns = ["(a+)+b"]\n', "'(a+)+b' repeats what repeats already"),
        ('[x]\ndescription = "a"\nglobs = ["[z-a]"]\n', "[x] globs: glob '[z-a]' cannot be read"),
        ('[x]\ndescription = "a"\nclasses = ["source"]\n', "[x] classes: unknown class 'source'; known: src, tests"),
        ('[x]\ndescription = 3\n', "[x] description = 3 has to be a string"),
        ('[x]\ndescription = "a"\nexemplars = "one"\n', "[x] exemplars = 'one' has to be a list of strings"),
        ('[x]\ndescription = "a"\nweight = 2\n', "[x] has unknown key 'weight'; known: description, instruction, exemplars"),
        ('[debug]\ndescription = "a"\n', "intent name 'debug' is taken (built in)"),
        ('[reviewing]\ndescription = "a"\n', "intent name 'reviewing' is taken"),
        ('[none]\ndescription = "a"\n', "intent name 'none' is taken (reserved)"),
        ('["Big Name"]\ndescription = "a"\n', "intent name 'Big Name' has to be a lower-case word"),
        ('x = 1\n', "'x' is no table; write it as [x]"),
        ("[x\n", "it is no TOML"),
        (b"[x]\ndescription = '\xff'\n", "is not UTF-8 at byte"),
        ('[x]\ndescription = "' + "a" * 2001 + '"\n', "description has 2001 characters; at most 2000"),
        ("# " + "a" * (1 << 20), "is larger than 1 MiB"),
        ("x = " + "[" * 100_000, "intents.toml"),
    ],
    ids=lambda value: str(value)[:30].replace("\n", " "),
)  # fmt: skip
def test_what_is_refused(tmp_path, text, said):
    with pytest.raises(UsageError) as error:
        authored.load(put(tmp_path, text))
    assert said in str(error.value)
    assert "intents.toml" in str(error.value)


def test_add_appends_and_keeps_comments(tmp_path):
    root = put(tmp_path, GOOD)
    authored.add(root, Intent("perf", 'a "fast"\tpath', ("why slow?",), "", ("src",), (), (r"\bcache\b",)))
    text = (tmp_path / ".iq/intents.toml").read_text()
    assert text.startswith(GOOD)
    assert authored.load(root)["perf"] == Intent("perf", 'a "fast"\tpath', ("why slow?",), "", ("src",), (), (r"\bcache\b",))


def test_add_refuses_a_name_that_is_there(tmp_path):
    root = put(tmp_path, GOOD)
    with pytest.raises(UsageError, match="has an intent 'release-notes' already"):
        authored.add(root, Intent("release_notes", "again"))


def test_remove_takes_one_table_out(tmp_path):
    root = put(tmp_path, GOOD)
    authored.remove(root, "security")
    assert list(authored.load(root)) == ["release-notes"]
    assert "# ours" in (tmp_path / ".iq/intents.toml").read_text()
    authored.remove(root, "release-notes")
    assert authored.load(root) == {}
    with pytest.raises(UsageError, match="has no intent 'security'; it has none"):
        authored.remove(root, "security")


def test_remove_is_not_fooled_by_a_bracket_in_a_list(tmp_path):
    root = put(tmp_path, '[x]\nexemplars = [\n"a",\n["b"][0]\n]\n'.replace('["b"][0]\n', '"[y]",\n') + '[y]\ndescription = "y"\n')
    authored.remove(root, "x")
    assert list(authored.load(root)) == ["y"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    root = put(tmp_path, GOOD)
    (tmp_path / ".iq").chmod(0o500)
    with pytest.raises(UsageError, match="cannot be written"):
        authored.add(root, Intent("perf", "fast"))

"""`.iq/intents.toml`: the intents that people wrote for this workspace, read, checked and written.

[security]
description = "what an attacker could reach: parsing of untrusted input, permissions, secrets"
exemplars = ["is this input validated", "who may call this"]
instruction = ""                      # put before a question that is embedded under this intent
classes = ["src", "config"]           # file classes that answer it
globs = ["src/auth/**"]               # places that speak for it
patterns = ["(?i)sanitize|escape"]    # expressions that speak for a chunk
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping

from iq.errors import UsageError
from iq.index.globs import glob
from iq.plan.intents import ALIASES, BUILT_IN
from iq.types import CLASSES, Intent

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = ".iq/intents.toml"

# Names with a meaning of their own: no intent, and inference.
RESERVED = ("none", "auto")

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
# `(a+)+` and the like backtrack without end.
_NESTED = re.compile(r"\((?:[^()\\]|\\.)*[+*](?:[^()\\]|\\.)*\)[+*{]")
_LISTS = ("exemplars", "classes", "globs", "patterns")
_TEXTS = ("description", "instruction")

# Texts of one intent are embedded together; more and longer ones say nothing new (texts, characters).
MAX_TEXTS = 200
MAX_LENGTH = 2000

# A file larger than this is no list of intents (bytes).
MAX_BYTES = 1 << 20


def load(root: str) -> dict[str, Intent]:
    """The authored intents by name, in file order; empty where there is no file. Raises UsageError naming file, key, value and rule."""
    path = os.path.join(root, FILE)
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(f"{FILE} cannot be read: {error.strerror}; make it readable or remove it") from error
    if len(data) > MAX_BYTES:
        raise UsageError(f"{FILE} is larger than {MAX_BYTES >> 20} MiB; keep descriptions and a few exemplars in it")
    try:
        tables = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{FILE} is not UTF-8 at byte {error.start}; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        # TOML itself refuses a second table of one name; its message names the place.
        why = "two intents have one name, or a key stands twice" if "overwrite" in str(error) or "twice" in str(error) else "it is no TOML"
        raise UsageError(f"{FILE}: {why} ({error}); every intent is one [name] table") from error
    except RecursionError as error:
        raise UsageError(f"{FILE} is nested too deeply; every intent is one flat [name] table") from error
    found: dict[str, Intent] = {}
    for name, table in tables.items():
        intent = check(name, table)
        if (twin := next((known for known in found if _folded(known) == _folded(name)), None)) is not None:
            raise UsageError(f"{FILE}: intents '{twin}' and '{name}' have one name; rename or remove one")
        found[name] = intent
    return found


def check(name: str, table: object) -> Intent:
    """An intent from its table. Raises UsageError for the first rule it breaks."""
    if not isinstance(table, Mapping):
        raise UsageError(f"{FILE}: '{name}' is no table; write it as [{name}] with a description")
    if not _NAME.fullmatch(name):
        raise UsageError(f"{FILE}: intent name '{name}' has to be a lower-case word of letters, digits, - and _, at most 40, beginning with a letter")
    if name in RESERVED or name in BUILT_IN or name in ALIASES:
        raise UsageError(f"{FILE}: intent name '{name}' is taken ({'reserved' if name in RESERVED else 'built in'}); choose another")
    known = (*_TEXTS, *_LISTS)
    for key in table:
        if key not in known:
            raise UsageError(f"{FILE}: [{name}] has unknown key '{key}'; known: {', '.join(known)}")
    texts = {key: _text(name, key, table.get(key, "")) for key in _TEXTS}
    lists = {key: _list(name, key, table.get(key, [])) for key in _LISTS}
    if not texts["description"].strip() and not any(row.strip() for row in lists["exemplars"]):
        raise UsageError(f"{FILE}: [{name}] has no text; give it a description or exemplars, from which its lens is made")
    for word in lists["classes"]:
        if word not in CLASSES:
            raise UsageError(f"{FILE}: [{name}] classes: unknown class '{word}'; known: {', '.join(CLASSES)}")
    for pattern in lists["globs"]:
        try:
            glob(pattern)
        except UsageError as error:
            raise UsageError(f"{FILE}: [{name}] globs: {error}") from error
    for pattern in lists["patterns"]:
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise UsageError(f"{FILE}: [{name}] patterns: '{pattern}' is no regular expression: {error}; fix or remove it") from error
        if _NESTED.search(pattern):
            raise UsageError(f"{FILE}: [{name}] patterns: '{pattern}' repeats what repeats already, which can take for ever; repeat once")
    return Intent(name, texts["description"].strip(), lists["exemplars"], texts["instruction"], lists["classes"], lists["globs"], lists["patterns"])


def _text(name: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{FILE}: [{name}] {key} = {value!r} has to be a string")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise UsageError(f"{FILE}: [{name}] {key} is not UTF-8; write it in that encoding")
    if len(value) > MAX_LENGTH:
        raise UsageError(f"{FILE}: [{name}] {key} has {len(value)} characters; at most {MAX_LENGTH}")
    return value


def _list(name: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(row, str) for row in value):
        raise UsageError(f"{FILE}: [{name}] {key} = {value!r} has to be a list of strings")
    if len(value) > MAX_TEXTS:
        raise UsageError(f"{FILE}: [{name}] {key} has {len(value)} entries; at most {MAX_TEXTS}")
    return tuple(_text(name, key, row) for row in value)


def _folded(name: str) -> str:
    return name.replace("-", "_")


def add(root: str, intent: Intent) -> None:
    """Appends an intent to the file, whose comments and order stay. Raises UsageError where it breaks a rule or one of its name is there."""
    table = {key: value for key in _TEXTS if (value := getattr(intent, key))} | {key: list(value) for key in _LISTS if (value := getattr(intent, key))}
    check(intent.name, table)
    if (twin := next((known for known in load(root) if _folded(known) == _folded(intent.name)), None)) is not None:
        raise UsageError(f"{FILE} has an intent '{twin}' already; `iq intent rm {twin}` first, or edit the file")
    rows = [f"[{intent.name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    old = _source(root)
    gap = "" if not old else "\n" if old.endswith("\n") else "\n\n"
    _replace(root, old + gap + "\n".join(rows) + "\n")


def remove(root: str, name: str) -> None:
    """Takes the table of an intent out of the file. Raises UsageError where there is none, or where it is written another way."""
    known = load(root)
    if name not in known:
        raise UsageError(f"{FILE} has no intent '{name}'; it has {', '.join(known) or 'none'}")
    rows = _source(root).splitlines(keepends=True)
    heads = [at for at, row in enumerate(rows) if row.lstrip().startswith("[") and not row.lstrip().startswith("[[")]
    own = next((at for at in heads if re.fullmatch(rf"\s*\[\s*[\"']?{re.escape(name)}[\"']?\s*\]\s*(?:#.*)?", rows[at].rstrip("\r\n"))), None)
    if own is None:
        raise UsageError(f"{FILE}: intent '{name}' is not written as a [{name}] table; take it out by hand")
    end = own + 1
    # A table ends where the file without it is sound and still holds every other intent.
    for end in [at for at in heads if at > own] + [len(rows)]:
        text = "".join(rows[:own] + rows[end:])
        try:
            left = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        if list(left) == [other for other in known if other != name]:
            return _replace(root, text)
    raise UsageError(f"{FILE}: the table [{name}] cannot be told from what follows it; take it out by hand")


def _toml(value: str | list[str]) -> str:
    """A value as TOML: JSON's strings are TOML's, save that TOML wants DEL escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _source(root: str) -> str:
    path = os.path.join(root, FILE)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def _replace(root: str, text: str) -> None:
    """Writes the file in one step. Raises UsageError where the folder cannot be written."""
    path = os.path.join(root, FILE)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(path + ".new", path)
    except OSError as error:
        raise UsageError(f"{FILE} cannot be written: {error.strerror}; make the folder writable") from error

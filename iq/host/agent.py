"""What a coding agent is told about iq, and where: a marked block in its instruction files, and the MCP entry.

Everything outside of the marks is somebody else's and stays as it is, byte for byte.
"""

from __future__ import annotations

import json
import os

from iq.errors import UsageError

BEGIN, END = "<!-- iq: begin -->", "<!-- iq: end -->"

# The instruction files of common agents, under the root of the workspace.
FILES = ("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md", ".cursor/rules/iq.mdc")

# Where agents look for MCP servers of a project, and the key that holds them there.
SERVERS = {".mcp.json": "mcpServers", ".cursor/mcp.json": "mcpServers", ".vscode/mcp.json": "servers"}

TEXT = """\
## Searching this code: iq

- `iq "where are retries handled?"` when you do not know the exact text: ranked `path:line` anchors with the code under them, within 1500 tokens.
- `iq refs NAME` for every use, `iq def NAME` for the definition, `iq read PATH::NAME` for a body, `iq outline PATH` for a file's skeleton.
- Pipe failing tests, traces, compiler output or a diff into it: `pytest 2>&1 | iq -`. Several calls at once: `iq multi "QUESTION" "refs NAME"`.
- Plain `grep` or `rg` is enough for one known string, and reading is enough for one known file.
- `verdict weak` means that nothing here answers: stop, or rephrase once. `iq verify FILE` checks the places a written answer cites.
"""

_FRONT = "---\ndescription: how to search this code\nalwaysApply: true\n---\n"


def install(root: str, named: tuple[str, ...]) -> list[tuple[str, str]]:
    """Writes the block into the files named, or those there are, and the MCP entry beside it: (path, what was done).

    Raises UsageError where there is no file to write to, or one cannot be written or understood.
    """
    files = _chosen(root, named)
    if not files:
        raise UsageError(f"none of {', '.join(FILES)} is here; name one: iq agent install AGENTS.md")
    planned = [(path, _with(_read(root, path), path)) for path in files if path not in SERVERS]
    planned += [(path, _entered(root, path)) for path in _servers(root, named)]
    return [(path, _write(root, path, text)) for path, text in planned]


def remove(root: str, named: tuple[str, ...]) -> list[tuple[str, str]]:
    """Takes the blocks and entries out again, from the files named or all: (path, what was done). A file that held only them goes."""
    done = []
    for path in named or (*FILES, *SERVERS):
        if (before := _read(root, path)) is None:
            continue
        after = _left(root, path) if path in SERVERS else _without(before, path)
        if after == before:
            continue
        if after.strip() in ("", _FRONT.strip()):
            os.unlink(os.path.join(root, path))
            done.append((path, "removed: it held nothing else"))
        else:
            _write(root, path, after)
            done.append((path, "taken out"))
    return done


def _chosen(root: str, named: tuple[str, ...]) -> tuple[str, ...]:
    for path in named:
        if path not in FILES and path not in SERVERS:
            raise UsageError(f"'{path}' is no file that agents read; known: {', '.join((*FILES, *SERVERS))}")
    rules = os.path.isdir(os.path.join(root, ".cursor/rules"))
    return named or tuple(path for path in FILES if os.path.isfile(os.path.join(root, path)) or (rules and path.startswith(".cursor/")))


def _servers(root: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """MCP files to write: those named, or those there are and, beside CLAUDE.md, that of the project."""
    if named:
        return tuple(path for path in named if path in SERVERS)
    beside = os.path.isfile(os.path.join(root, "CLAUDE.md"))
    return tuple(path for path in SERVERS if os.path.isfile(os.path.join(root, path)) or (beside and path == ".mcp.json"))


def _read(root: str, path: str) -> str | None:
    place = os.path.join(root, path)
    if not os.path.lexists(place):
        return None
    if os.path.relpath(os.path.realpath(place), os.path.realpath(root)).startswith(".."):
        raise UsageError(f"'{path}' is a link that leaves the workspace; write the file itself")
    try:
        with open(place, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"'{path}' cannot be read as UTF-8 ({error}); repair it or name another file") from error


def _write(root: str, path: str, text: str) -> str:
    before = _read(root, path)
    if text == before:
        return "unchanged"
    place = os.path.realpath(os.path.join(root, path))
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        mode = os.stat(place).st_mode & 0o777 if before is not None else None
        with open(place + ".new", "w", encoding="utf-8", newline="") as file:
            file.write(text)
        if mode is not None:
            os.chmod(place + ".new", mode)
        os.replace(place + ".new", place)
    except OSError as error:
        raise UsageError(f"'{path}' cannot be written: {error.strerror}; make it writable") from error
    return "written" if before is None else "updated"


def _span(text: str, path: str) -> tuple[int, int] | None:
    """Where the block stands; raises UsageError for marks that are not one pair."""
    if text.count(BEGIN) != text.count(END) or text.count(BEGIN) > 1 or (BEGIN in text and text.index(BEGIN) > text.index(END)):
        raise UsageError(f"'{path}' holds marks of iq that are no pair; delete the lines with {BEGIN} and {END}")
    return (text.index(BEGIN), text.index(END) + len(END)) if BEGIN in text else None


def _with(text: str | None, path: str) -> str:
    """A file's text with the block as it is now; its line ends are the file's."""
    block = f"{BEGIN}\n{TEXT}{END}"
    if text is None:
        return (_FRONT if path.endswith(".mdc") else "") + block + "\n"
    span = _span(text, path)
    end = "\r\n" if "\r\n" in (text[span[0] : span[1]] if span else text) else "\n"
    block = block.replace("\n", end)
    if span:
        return text[: span[0]] + block + text[span[1] :]
    # One line end is the block's own: it is taken out with it, so that removing gives back what was there.
    return f"{text}{end}{block}{end}"


def _without(text: str, path: str) -> str:
    span = _span(text, path)
    if span is None:
        return text
    before, after = text[: span[0]], text[span[1] :]
    end = "\r\n" if "\r\n" in text[span[0] : span[1]] else "\n"
    return before[: -len(end)] + after[len(end) :] if before.endswith(end) and after.startswith(end) else before + after


def _servers_of(root: str, path: str) -> dict[str, object]:
    text = _read(root, path)
    try:
        found = json.loads(text) if text and text.strip() else {}
    except ValueError as error:
        raise UsageError(f"'{path}' is no plain JSON ({error}); add the server yourself: command 'iq', args ['mcp']") from error
    if not isinstance(found, dict) or not isinstance(found.get(SERVERS[path], {}), dict):
        raise UsageError(f"'{path}' holds no object '{SERVERS[path]}'; add the server yourself: command 'iq', args ['mcp']")
    return found


def _entered(root: str, path: str) -> str:
    found = _servers_of(root, path)
    servers = found.setdefault(SERVERS[path], {})
    assert isinstance(servers, dict)
    if servers.get("iq") == {"command": "iq", "args": ["mcp"]}:
        return _read(root, path) or ""
    servers["iq"] = {"command": "iq", "args": ["mcp"]}
    return json.dumps(found, indent=_indent(_read(root, path)), ensure_ascii=False) + "\n"


def _left(root: str, path: str) -> str:
    """A server file without iq; empty where nothing is left."""
    found = _servers_of(root, path)
    servers = found.get(SERVERS[path], {})
    assert isinstance(servers, dict)
    if "iq" not in servers:
        return _read(root, path) or ""
    del servers["iq"]
    if not servers:
        del found[SERVERS[path]]
    return json.dumps(found, indent=_indent(_read(root, path)), ensure_ascii=False) + "\n" if found else ""


def _indent(text: str | None) -> int | str:
    """The indent of the file's own lines, so that a diff shows only the entry."""
    for row in (text or "").split("\n"):
        if row[:1] in (" ", "\t") and row.strip():
            lead = row[: len(row) - len(row.lstrip())]
            return lead if "\t" in lead else len(lead)
    return 2

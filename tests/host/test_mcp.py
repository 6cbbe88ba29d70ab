"""The MCP server through the SDK's own client, over a real pipe and over loopback HTTP."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import LATEST_PROTOCOL_VERSION

from iq.host.tools import TOOLS, BadArguments, schema, words
from iq.render.budget import tokens
from iq.render.seen import BEFORE
from iq.verbs import VERBS
from tests.conftest import Place
from tests.host.conftest import SCRIPT

FILES = {
    "app.py": 'def handle(request):\n    """Answers one request."""\n    return retry(request)\n\n\n'
    "def retry(request):\n    for _ in range(3):\n        request()\n",
    "lib/pool.py": "class Pool:\n    def grow(self):\n        return retry(1)\n",
    "tests/test_app.py": "from app import retry\n\n\ndef test_retry():\n    assert retry is not None\n",
    "docs/guide.md": "# Guide\n\nRetries are handled in app.py.\n",
    "many.txt": "many lines\n" * 2000,
    ".env": "SECRET=swordfish\n",
}

MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])


def drive(ws: Place, mode: str, do: Callable[[Client], Awaitable[Any]]) -> Any:
    """Runs `do` with a client of a server that is a child of this process."""
    server = StdioServerParameters(command=sys.executable, args=[str(SCRIPT), "mcp"], env=ws.environment(), cwd=str(ws.root))

    async def run() -> Any:
        with anyio.fail_after(120):
            async with Client(stdio_client(server), mode=mode) as client:
                return await do(client)

    return anyio.run(run)


def text(result: Any) -> str:
    return str(result.content[0].text)


@MODES
def test_ask_read_edit_ask_again_see_the_edit(mode: str, workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)

    async def session(client: Client) -> None:
        found = await client.call_tool("search", {"question": "where are retries handled?"})
        assert not found.is_error
        assert "app.py" in text(found)
        assert found.structured_content["items"][0]["path"] in ("app.py", "lib/pool.py", "docs/guide.md")
        body = await client.call_tool("read", {"place": "app.py::retry"})
        assert "for _ in range(3):" in text(body)
        assert [row["number"] for row in body.structured_content["items"][0]["lines"]] == [6, 7, 8]
        (ws.root / "app.py").write_text(FILES["app.py"].replace("range(3)", "range(ATTEMPTS)").replace("def retry", "ATTEMPTS = 5\n\n\ndef retry"))
        body = await client.call_tool("read", {"place": "app.py::retry"})
        assert "range(ATTEMPTS)" in text(body)
        assert "   9 def retry" in text(body)
        uses = await client.call_tool("refs", {"name": "ATTEMPTS"})
        assert uses.structured_content["total"] == 2
        again = await client.call_tool("search", {"question": "how many attempts are there?"})
        assert "app.py" in text(again)
        assert "ATTEMPTS = 5" in text(uses) + text(again)  # once, and cited then
        (ws.root / "app.py").unlink()
        gone = await client.call_tool("def", {"name": "retry"})
        assert gone.structured_content["total"] == 0
        assert not gone.is_error

    drive(ws, mode, session)


@MODES
def test_every_tool_answers_what_its_verb_prints(mode: str, workspace: Callable[..., Place], commit: Callable[..., str]) -> None:
    ws = workspace(FILES)
    commit(ws.root, {})
    asked: dict[str, dict[str, object]] = {
        "search": {"question": "-> retries"}, "find": {"pattern": "retry", "in": ["lib"]}, "refs": {"name": "retry", "kind": "call"},
        "def": {"name": "Pool.grow"},
        "read": {"place": "app.py:1-2"}, "outline": {"path": "lib/pool.py"}, "context": {"place": "app.py:7", "context": 1}, "map": {"budget": 400},
        "impact": {"place": "app.py"}, "recent": {}, "who": {"place": "app.py:1"}, "hotspots": {"since": "9y"},
        "note": {"text": "retries stay at three", "at": "app.py:6"}, "feedback": {"anchors": ["app.py:6-8"]},
    }  # fmt: skip

    async def session(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [name for name in TOOLS if name in VERBS]
        assert set(asked) == set(TOOLS)
        for tool in tools:
            assert tool.input_schema["examples"]
            result = await client.call_tool(tool.name, asked[tool.name])
            assert tokens(text(result)) <= 1500
            if tool.name not in ("note", "feedback", "who", "recent"):
                code, out, err = ws.iq(*words(tool.name, asked[tool.name]))
                same = set((out + err.removeprefix("iq: ")).splitlines())
                for row in text(result).splitlines():
                    assert row in same or BEFORE in row or row.startswith(("more:", "note: no")), (tool.name, row)
                assert result.is_error == (code == 2)
            if not result.is_error:
                assert result.structured_content["verb"] == tool.name

    drive(ws, mode, session)


BAD: list[tuple[str, dict[str, object], str]] = [
    ("find", {"patern": "x"}, "unknown argument 'patern'"),
    ("find", {}, "find needs 'pattern'"),
    ("find", {"pattern": 5}, "a string, not '5'"),
    ("find", {"pattern": "x", "limit": "5"}, "an integer"),
    ("find", {"pattern": "x", "limit": True}, "an integer"),
    ("find", {"pattern": "x", "limit": 0}, "no positive number"),
    ("find", {"pattern": "x", "in": "lib"}, "a list of strings"),
    ("find", {"pattern": "x", "in": ["nosuch"]}, "matches nothing"),
    ("find", {"pattern": "x", "in": ["../.."]}, "outside the workspace"),
    ("find", {"pattern": "x", "only": ["sources"]}, "one of src, tests"),
    ("find", {"pattern": "a\0b"}, "NUL"),
    ("read", {"place": ".env"}, "never surfaces"),
    ("read", {"place": "app.py:99"}, "has lines"),
    ("refs", {"name": "x", "kind": "used"}, "one of def, call"),
    ("context", {"place": "app.py"}, "no PATH:LINE"),
]


def test_bad_arguments_are_told_to_the_model(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)

    async def session(client: Client) -> None:
        for name, given, said in BAD:
            result = await client.call_tool(name, given)
            assert result.is_error, (name, given)
            assert said in text(result), (name, given, text(result))
            assert "Traceback" not in text(result) and "swordfish" not in text(result)
        with pytest.raises(MCPError, match="unknown tool 'nope'; known: search"):
            await client.call_tool("nope", {})
        assert not (await client.call_tool("find", {"pattern": "retry"})).is_error

    drive(ws, "auto", session)


def test_words_that_look_like_flags_are_words() -> None:
    assert words("find", {"pattern": "--root=/"}) == ("find", "--", "--root=/")
    assert words("find", {"pattern": "x", "in": ["--root"], "literal": True, "case": False, "limit": 3, "context": 2}) == (
        "find", "--in=--root", "--literal", "--limit=3", "-C", "2", "--", "x",
    )  # fmt: skip
    assert words("recent", {}) == ("recent",)
    with pytest.raises(BadArguments):
        words("read", {"place": ""})


def test_schemas_hold_their_examples() -> None:
    for name, tool in TOOLS.items():
        made = schema(tool)
        assert words(name, tool.example)[0] == name
        assert set(tool.example) <= set(made["properties"])  # type: ignore[call-overload]
        assert json.dumps(made)
    assert sum(tokens(json.dumps(schema(tool))) + tokens(tool.purpose) for tool in TOOLS.values()) < 4000


def test_the_first_index_reports_its_progress_and_can_be_cancelled(workspace: Callable[..., Place]) -> None:
    ws = workspace({f"d{at % 20}/f{at}.py": f"def f{at}():\n    return {at}\n" * 60 for at in range(1500)})
    seen: list[tuple[float, float | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, total))

    async def session(client: Client) -> None:
        with anyio.move_on_after(0.3):
            await client.call_tool("search", {"question": "what is returned?"})
        found = await client.call_tool("search", {"question": "what is returned?"}, progress_callback=progress)
        assert "index fresh" in text(found)
        assert found.structured_content["total"] > 0

    drive(ws, "auto", session)
    assert seen, "no progress was told"
    assert all(total and 0 < done <= total for done, total in seen)
    assert seen == sorted(seen)


async def at_once(client: Client, calls: int) -> None:
    """So many calls of three kinds at the same time: each is answered, and as its kind."""
    answers: dict[int, str] = {}

    async def one(at: int) -> None:
        answers[at] = text(await client.call_tool("find", {"pattern": ("retry", "many", "Pool")[at % 3], "limit": 2})).split("\n")[0]

    async with anyio.create_task_group() as group:
        for at in range(calls):
            group.start_soon(one, at)
    assert len(answers) == calls
    assert all(answers[at] == answers[at % 3] for at in answers)


def test_calls_at_the_same_time(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)

    drive(ws, "auto", lambda client: at_once(client, 30))


def raw(ws: Place, data: bytes) -> list[dict[str, Any]]:
    """What the server writes to lines of bytes; its stdout holds nothing but the protocol."""
    child = subprocess.Popen([sys.executable, str(SCRIPT), "mcp"], cwd=ws.root, env=ws.environment(), stdin=-1, stdout=-1, stderr=-1)
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    child.stdin.write(data)
    child.stdin.flush()
    found = []
    while len(found) < data.count(b'"id"') and (line := child.stdout.readline()):
        found.append(json.loads(line))
    child.stdin.close()
    assert child.wait(30) == 0
    child.stdout.close()
    child.stderr.close()
    return found


def test_protocol_errors(workspace: Callable[..., Place]) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}}  # fmt: skip
    lines = [hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 2, "method": "no/such"},
             {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"arguments": {}}},
             {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "find", "arguments": {"pattern": "retry"}}}]  # fmt: skip
    rows = [json.dumps(line).encode() for line in lines]
    answers = {answer["id"]: answer for answer in raw(workspace(FILES), b"\n".join([rows[0], rows[1], b"this is no JSON", b'{"half": ', *rows[2:]]) + b"\n")}
    assert answers[1]["result"]["serverInfo"]["name"] == "iq"
    assert answers[2]["error"]["code"] == -32601
    assert "error" in answers[3]
    assert "4 lines" in answers[4]["result"]["content"][0]["text"] or "lines in" in answers[4]["result"]["content"][0]["text"]


def test_a_workspace_that_is_deleted_under_the_server(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)

    async def session(client: Client) -> None:
        assert not (await client.call_tool("find", {"pattern": "retry"})).is_error
        ws.root.rename(ws.root.with_name("moved"))
        result = await client.call_tool("find", {"pattern": "retry"})
        assert result.is_error
        assert "was moved or deleted" in text(result)

    drive(ws, "auto", session)


@contextlib.contextmanager
def served(ws: Place) -> Iterator[str]:
    """The address of a server over HTTP."""
    child = subprocess.Popen([sys.executable, str(SCRIPT), "mcp", "--http", "0"], cwd=ws.root, env=ws.environment(), stdin=-1, stdout=-1, stderr=-1)
    assert child.stderr is not None
    try:
        url = child.stderr.readline().decode().split()[-1]
        assert url.startswith("http://127.0.0.1:")
        yield url
    finally:
        child.terminate()
        child.communicate(timeout=20)


def over_http(url: str, mode: str, do: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        with anyio.fail_after(120):
            async with Client(streamable_http_client(url), mode=mode) as client:
                return await do(client)

    return anyio.run(run)


# The handshake with a session, the newest protocol found by asking, and that protocol pinned: it has no sessions.
HTTP_MODES = pytest.mark.parametrize("mode", ["legacy", "auto", LATEST_PROTOCOL_VERSION])


@HTTP_MODES
def test_over_http_ask_edit_ask_again_see_the_edit(mode: str, workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)

    async def session(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == {name for name in TOOLS if name in VERBS}
        assert "app.py" in text(await client.call_tool("search", {"question": "where are retries handled?"}))
        (ws.root / "app.py").write_text("def handle(request):\n    return 1\n\n\ndef give_up(request):\n    return 2\n")
        found = await client.call_tool("def", {"name": "give_up"})
        assert "give_up (function) 5-6" in text(found) and found.structured_content["total"] == 1
        assert (await client.call_tool("find", {"pattern": 5})).is_error
        with pytest.raises(MCPError, match="unknown tool"):
            await client.call_tool("rm", {})

    with served(ws) as url:
        over_http(url, mode, session)


@HTTP_MODES
def test_over_http_lines_are_remembered_by_the_session_alone(mode: str, workspace: Callable[..., Place]) -> None:
    """A protocol without sessions has nothing that is one reader's, so nothing is held back."""
    ws = workspace(FILES)

    async def twice(client: Client) -> tuple[str, str]:
        first, again = [text(await client.call_tool("search", {"question": "where are retries handled?"})) for _ in range(2)]
        return first, again

    with served(ws) as url:
        first, again = over_http(url, mode, twice)
        assert "app.py" in first and BEFORE not in first
        assert (BEFORE in again) == (mode == "legacy")
        assert over_http(url, mode, twice)[0] == first, "another connection starts anew"


@HTTP_MODES
def test_over_http_progress_and_cancelling(mode: str, workspace: Callable[..., Place]) -> None:
    ws = workspace({f"d{at % 20}/f{at}.py": f"def f{at}():\n    return {at}\n" * 60 for at in range(1500)})
    seen: list[tuple[float, float | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, total))

    async def session(client: Client) -> None:
        with anyio.move_on_after(0.3):
            await client.call_tool("search", {"question": "what is returned?"})
        found = await client.call_tool("search", {"question": "what is returned?"}, progress_callback=progress)
        assert "index fresh" in text(found) and found.structured_content["total"] > 0

    with served(ws) as url:
        over_http(url, mode, session)
    assert seen and all(total and 0 < done <= total for done, total in seen) and seen == sorted(seen)


@HTTP_MODES
def test_over_http_calls_at_the_same_time(mode: str, workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)

    with served(ws) as url:
        over_http(url, mode, lambda client: at_once(client, 12))


def post(url: str, body: object, headers: dict[str, str], method: str = "POST") -> tuple[int, str]:
    """Status and session of one raw request."""
    import urllib.error
    import urllib.request

    kind = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), {**kind, **headers}, method=method), timeout=20) as answer:
            return answer.status, answer.headers.get("mcp-session-id") or ""
    except urllib.error.HTTPError as error:
        return error.code, ""


def test_over_http_hosts_origins_and_sessions_that_are_not_ours(workspace: Callable[..., Place]) -> None:
    """A page in a browser must not reach the code through a name that it made point to this machine."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}}  # fmt: skip
    ask = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    with served(workspace(FILES)) as url:
        for headers in ({"Host": "evil.example"}, {"Host": "127.0.0.1.evil.example:80"}, {"Origin": "http://evil.example"}, {"Origin": "https://127.0.0.1"},
                        {"Origin": "null"}):  # fmt: skip
            for body in (hello, ask, {}):
                assert post(url, body, headers)[0] in (403, 421), headers
        status, session = post(url, hello, {"Origin": url.removesuffix("/mcp")})
        assert status == 200 and session
        assert post(url, ask, {"mcp-session-id": session, "mcp-protocol-version": "2025-06-18"})[0] == 200
        assert post(url, ask, {"mcp-session-id": "0" * 32, "mcp-protocol-version": "2025-06-18"})[0] == 404
        assert post(url, ask, {"mcp-protocol-version": "2025-06-18"})[0] == 400
        assert post(url, ask, {"mcp-session-id": session, "mcp-protocol-version": "1999-01-01"})[0] == 400
        assert post(url, {}, {"mcp-session-id": session}, "DELETE")[0] == 200
        assert post(url, ask, {"mcp-session-id": session, "mcp-protocol-version": "2025-06-18"})[0] == 404
        assert post(url, hello, {"Content-Type": "text/plain"})[0] in (400, 415)


@pytest.mark.parametrize("port", ["x", "-1", "70000"])
def test_ports_that_are_none(port: str, workspace: Callable[..., Place]) -> None:
    code, _, err = workspace(FILES).iq("mcp", f"--http={port}")
    assert code == 2
    assert "is no port" in err


def test_without_the_sdk(workspace: Callable[..., Place]) -> None:
    ws = workspace(FILES)
    code = "import sys; sys.modules['mcp'] = None; sys.modules['mcp.server.lowlevel'] = None; from iq.cli import main; sys.exit(main(['mcp']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ws.root, env=ws.environment(), capture_output=True, text=True, stdin=-3, check=False)
    assert done.returncode == 2
    assert "iq-search[mcp]" in done.stderr
    assert os.sep + "Traceback" not in done.stderr

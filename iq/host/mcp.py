"""The MCP server: the verbs as tools of a coding agent, over stdio or loopback HTTP. Needs the extra `mcp`.

Each call makes a command line (`tools`), so that a tool answers what the verb does: the text a person reads, within its budget,
and the same answer as structured content. One call runs at a time, on a thread; a call that is cancelled ends at the next
report of its progress, or its answer is dropped.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from iq import __version__
from iq.errors import IqError, UsageError
from iq.host.resident import Gone, Resident
from iq.host.server import TICK
from iq.host.tools import TOOLS, BadArguments, schema, words
from iq.index.session import Session
from iq.types import Call, Reply

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

INSTRUCTIONS = (
    "Searches the code of one workspace. Ask `search` where or how something is done; it returns ranked path:line anchors with the code under them, live, "
    "within a token budget. `find` lists every line that matches a pattern, `refs` every use of a name, `def` its definition, `read` a body. A verdict `weak` "
    "means that nothing here answers the question. Lines you were shown are cited as `shown before` instead of repeated; `read` prints them again. "
    "For one known file, reading it is enough."
)

# Connections whose shown lines are remembered, the latest.
CONNECTIONS = 32

# What a connection was shown; made and read by the answering function alone.
Memory = object
Structured = Callable[[Call, "Memory | None"], tuple[Reply, str]]


class Cancelled(IqError):
    """The caller no longer waits."""


class Tools:
    """The tools of one workspace; `answering` gives a reply and its JSON, `remember` makes what it keeps of a connection."""

    def __init__(self, session: Session, answering: Structured, remember: Callable[[], Memory], verbs: frozenset[str]) -> None:
        self.names = tuple(name for name in TOOLS if name in verbs)
        self._json = ""
        self._answering, self._remember = answering, remember
        self._memories: dict[str, Memory] = {}
        self._memory: Memory | None = None
        self._lock = threading.Lock()
        self.resident = Resident(session, self._answer)

    def _answer(self, call: Call) -> Reply:
        reply, self._json = self._answering(call, self._memory)
        return reply

    def run(self, line: tuple[str, ...], connection: str, report: Callable[[int, int, str], None], cancelled: threading.Event) -> tuple[Reply, str]:
        """A reply and its JSON; to a connection without a name lines may be shown twice. Raises Cancelled where `cancelled` was set before its end."""
        session = self.resident.session

        def progress(done: int, total: int, unit: str = "files") -> None:
            if cancelled.is_set():
                raise Cancelled("cancelled")
            report(done, total, unit)

        with self._lock:
            if cancelled.is_set():
                raise Cancelled("cancelled")
            session.progress = progress
            self._memory = self._recall(connection)
            try:
                reply = self.resident.answer(Call(line, session.root))
            except Gone as error:
                raise UsageError(f"the workspace {session.root} was moved or deleted; start the server again where it is now") from error
            finally:
                session.progress = None
            return reply, self._json

    def _recall(self, connection: str) -> Memory | None:
        if not connection:
            return None
        memory = self._memories.pop(connection, None) or self._remember()
        self._memories[connection] = memory
        while len(self._memories) > CONNECTIONS:
            del self._memories[next(iter(self._memories))]
        return memory

    def rest(self) -> None:
        """Brings the index level where files have changed; not while a call runs."""
        if self._lock.acquire(blocking=False):
            try:
                self.resident.rest()
            except Gone:
                pass  # the next call says so
            finally:
                self._lock.release()


def server(tools: Tools) -> Server:
    """The protocol's side of the tools. Raises UsageError where the SDK is not installed."""
    try:
        import anyio
        import anyio.from_thread
        import anyio.to_thread
        from mcp.server.lowlevel import Server
        from mcp.shared.exceptions import MCPError
        from mcp_types import INVALID_PARAMS, CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations
    except ImportError as error:
        raise UsageError(f"the MCP server needs the package '{error.name}'; install it with `pip install 'iq-search[mcp]'`") from error

    async def listed(ctx: ServerRequestContext, params: PaginatedRequestParams | None) -> ListToolsResult:
        rows = [
            Tool(
                name=name,
                description=TOOLS[name].purpose,
                input_schema=schema(TOOLS[name]),
                output_schema={"type": "object"},
                annotations=ToolAnnotations(read_only_hint=not TOOLS[name].writes, destructive_hint=False, open_world_hint=False),
            )
            for name in tools.names
        ]
        return ListToolsResult(tools=rows)

    async def called(ctx: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in tools.names:
            raise MCPError(INVALID_PARAMS, f"unknown tool '{params.name}'; known: {', '.join(tools.names)}")
        try:
            line = words(params.name, params.arguments or {})
        except BadArguments as error:
            return CallToolResult(content=[TextContent(text=str(error))], is_error=True)
        cancelled = threading.Event()
        # A pipe is one connection; over HTTP each request names its own, or is by itself.
        connection = "pipe" if ctx.request is None else str(ctx.request.headers.get("mcp-session-id") or "")

        async def told(done: int, total: int, unit: str) -> None:
            await ctx.session.report_progress(done, total, f"indexing: {done} of {total} {unit}")

        def report(done: int, total: int, unit: str) -> None:
            anyio.from_thread.run(told, done, total, unit)

        try:
            reply, found = await anyio.to_thread.run_sync(tools.run, line, connection, report, cancelled, abandon_on_cancel=True)
        except IqError as error:
            return CallToolResult(content=[TextContent(text=str(error))], is_error=True)
        finally:
            cancelled.set()
        text = (reply.out + reply.err).decode("utf-8")
        return CallToolResult(content=[TextContent(text=text)], structured_content=json.loads(found or "{}"), is_error=reply.code == 2)

    return Server("iq", version=__version__, instructions=INSTRUCTIONS, on_list_tools=listed, on_call_tool=called)


async def _rest(tools: Tools) -> None:
    import anyio
    import anyio.to_thread

    while True:
        await anyio.sleep(TICK)
        await anyio.to_thread.run_sync(tools.rest, abandon_on_cancel=True)


async def _stdio(made: Server, tools: Tools) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as group:
        group.start_soon(_rest, tools)
        await made.run(incoming, outgoing, made.create_initialization_options())
        group.cancel_scope.cancel()


async def _http(made: Server, tools: Tools, port: int) -> None:
    import socket
    import sys

    import anyio
    import uvicorn

    listener = socket.create_server(("127.0.0.1", port))
    sys.stderr.write(f"iq: MCP on http://127.0.0.1:{listener.getsockname()[1]}/mcp\n")
    sys.stderr.flush()
    app = made.streamable_http_app()  # refuses hosts and origins that are not this machine
    async with anyio.create_task_group() as group:
        group.start_soon(_rest, tools)
        await uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on")).serve(sockets=[listener])
        group.cancel_scope.cancel()


def serve(session: Session, answering: Structured, remember: Callable[[], Memory], verbs: frozenset[str], http: str | None) -> None:
    """Serves until the client hangs up or, over HTTP, until it is interrupted. Raises UsageError for a port that is none or taken."""
    if http is not None and not (http.isdigit() and int(http) < 65536):
        raise UsageError(f"--http '{http}' is no port; give a number up to 65535, 0 for any")
    tools = Tools(session, answering, remember, verbs)
    made = server(tools)
    import anyio

    try:
        anyio.run(_stdio, made, tools) if http is None else anyio.run(_http, made, tools, int(http))
    except OSError as error:
        raise UsageError(f"port {http} cannot be served: {error.strerror}; give another, 0 for any") from error
    finally:
        if tools.resident.watcher:
            tools.resident.watcher.close()

"""The resident engine's server: takes calls of the protocol in `client`, one at a time, until it is idle, told to stop or outdated.

Whatever goes wrong with a call is told to its caller as `refused`, who then answers in process; only garbage ends a connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import iq
from iq.errors import InputWanted, IqError
from iq.host import place
from iq.host.client import FIRST, LARGEST, PROTOCOL
from iq.host.resident import Gone, Resident, memory
from iq.index.rg import heed_children
from iq.types import Call, Reply

Opened = Callable[[], tuple[Resident, Callable[[], None]]]

# An engine that nobody asks ends after this (s).
IDLE = 15 * 60.0

# A caller that comes while another is answered waits this long (s) before it is sent to answer itself; below the client's FIRST.
BUSY = FIRST / 2

# Events are taken this often between calls (s): a saved file is level before the next question, and an idle engine wakes once.
TICK = 1.0

# An idle engine above this (bytes) ends: the next call starts a small one. With both models and 100k chunks it takes 450 MB.
MEMORY = 900 << 20


class Server:
    """One workspace's engine behind one socket."""

    def __init__(self, root: str, opened: Opened, idle: float = IDLE) -> None:
        self.root, self._opened, self.idle = os.path.realpath(root), opened, idle
        self._resident: Resident | None = None
        self.meeting = place.meeting(self.root)
        self.token = ""
        self._worker = ThreadPoolExecutor(1, "iq")
        self._turn = asyncio.Lock()
        self._end = asyncio.Event()
        self._settings, self._source, self._compared = place.settings(), _source(), time.monotonic()
        self._begun = self._asked = time.monotonic()
        self._why = ""

    async def run(self) -> str:
        """Serves until there is a reason to end, which it returns."""
        server = await self._listen()
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            if hasattr(signal, name):
                try:
                    loop.add_signal_handler(getattr(signal, name), self._stop, "told to stop")
                except NotImplementedError:
                    break
        behind = asyncio.create_task(self._between())
        async with server:
            await self._end.wait()
        behind.cancel()
        self._unlink()
        return self._why

    async def _listen(self) -> asyncio.Server:
        self._unlink()
        if place.sockets(self.meeting):
            before = os.umask(0o177)
            try:
                return await asyncio.start_unix_server(self._serve, self.meeting + ".sock", limit=LARGEST)
            finally:
                os.umask(before)
        self.token = secrets.token_hex(16)
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=LARGEST)
        handle = os.open(self.meeting + ".port", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        os.write(handle, f"{server.sockets[0].getsockname()[1]} {self.token}".encode("ascii"))
        os.close(handle)
        return server

    def _unlink(self) -> None:
        """Removes what clients would connect to; what stands there before the start is of an engine that was killed."""
        for end in (".sock", ".port"):
            with contextlib.suppress(OSError):
                os.unlink(self.meeting + end)

    def _stop(self, why: str) -> None:
        self._why = self._why or why
        self._end.set()

    async def _between(self) -> None:
        """What an engine does that is not asked: loads the models, keeps the index level, ends when it is not needed."""
        loop = asyncio.get_running_loop()
        try:
            async with self._turn:
                resident, preload = await loop.run_in_executor(self._worker, self._opened)
                self._resident = resident
            async with self._turn:  # behind who has been waiting for the first
                await loop.run_in_executor(self._worker, resident.warm)
            # A thread of its own: words are answered while the models load.
            await asyncio.to_thread(preload)
            while True:
                await asyncio.sleep(TICK)
                if self._turn.locked():
                    continue
                if time.monotonic() - self._asked > self.idle:
                    return self._stop("idle")
                if memory() > MEMORY:
                    return self._stop("grown too large")
                async with self._turn:
                    await loop.run_in_executor(self._worker, resident.rest)
        except IqError as error:
            self._stop(str(error))
        except Gone:
            self._stop("the workspace is gone")
        except Exception:
            traceback.print_exc()
            self._stop("failed between calls")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                if not await self._one(line, writer):
                    break
        except (ValueError, asyncio.LimitOverrunError):
            await _send(writer, {"refused": "the question is too large to pass"})
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the caller is gone, or the engine ends
        finally:
            writer.close()

    async def _one(self, line: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answers one request; whether the connection can go on."""
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise ValueError
        except (ValueError, RecursionError):
            await _send(writer, {"refused": "no request of this protocol"})
            return False
        if self.token and not secrets.compare_digest(str(request.get("token", "")).encode(), self.token.encode()):
            await _send(writer, {"refused": "the token is wrong"})
            return False
        if control := request.get("control"):
            await _send(writer, self._control(str(control)))
            return True
        if why := self._foreign(request):
            await _send(writer, {"refused": why})
            return True
        try:
            stdin = request.get("stdin")
            call = Call(
                tuple(map(str, request["words"])), str(request["cwd"]), request["features"], bool(request["colour"]), int(request["columns"]),
                None if stdin is None else str(stdin).encode("latin-1"),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError):
            await _send(writer, {"refused": "no request of this protocol"})
            return False
        await self._answer(call, writer)
        return True

    async def _answer(self, call: Call, writer: asyncio.StreamWriter) -> None:
        await _send(writer, {"wait": True})
        self._asked = time.monotonic()
        try:
            await asyncio.wait_for(self._turn.acquire(), BUSY)
        except (TimeoutError, asyncio.TimeoutError):
            return await _send(writer, {"refused": "the engine is busy"})
        if self._resident is None:
            self._turn.release()
            return await _send(writer, {"refused": "the engine has not opened the index"})
        work = asyncio.get_running_loop().run_in_executor(self._worker, self._resident.answer, call)
        work.add_done_callback(lambda _: self._turn.release())
        try:
            if not self._same_source():  # looked at while the worker waits for events
                self._stop("its source has changed")
                return await _send(writer, {"refused": "the engine is of another version"})
            while not (await asyncio.wait({work}, timeout=1.0))[0]:
                await _send(writer, {"wait": True})
            reply: Reply = work.result()
        except InputWanted:
            return await _send(writer, {"want": "stdin"})
        except Gone:
            self._stop("the workspace is gone")
            return await _send(writer, {"refused": "the workspace is gone"})
        except ConnectionError:
            raise
        except Exception as error:
            traceback.print_exc()  # into the engine's log; the caller meets the same in process, or not
            return await _send(writer, {"refused": f"the engine failed ({type(error).__name__})"})
        finally:
            self._asked = time.monotonic()
            if work.done() and not work.cancelled():
                work.exception()
        if len(reply.out) + len(reply.err) > LARGEST:
            return await _send(writer, {"refused": "the answer is too large to pass"})
        await _send(writer, {"code": reply.code, "out": len(reply.out), "err": len(reply.err)}, reply.out + reply.err)

    def _foreign(self, request: dict[str, object]) -> str:
        """Why this engine is not the one to answer; one that is outdated ends."""
        if not (isinstance(request.get("iq"), int) and isinstance(request.get("version"), str)):
            return "no request of this protocol"
        if request.get("iq") != PROTOCOL or (request.get("version"), request.get("home"), request.get("prefix")) != (iq.__version__, place.HOME, sys.prefix):
            self._stop("another version is in use")
            return "the engine is of another version"
        if os.path.realpath(str(request.get("root"))) != self.root:
            return "the engine is of another workspace"
        settings = request.get("settings")
        if settings != self._settings:
            return "the engine has other settings"
        if any(name.endswith(("_DIR", "_PATH", "_HOME")) and not os.path.isabs(value) for name, value in self._settings.items()):
            return "settings name folders relative to the current one"
        return ""

    def _same_source(self) -> bool:
        """Whether the package's files are those this engine was made of; looked at once a second at most, since it takes two milliseconds."""
        if time.monotonic() - self._compared < 1.0:
            return True
        self._compared = time.monotonic()
        return _source() == self._source

    def _control(self, word: str) -> dict[str, object]:
        if word == "stop":
            self._stop("told to stop")
        resident = self._resident
        return {
            "code": 0, "pid": os.getpid(), "root": self.root, "seconds": int(time.monotonic() - self._begun), "answered": resident.answered if resident else 0,
            "looked": resident.looked if resident else 0, "memory": memory(),
            "watching": resident.watcher.mode if resident and resident.watcher else "looking at each question: starting",
            "idle": max(0, int(self.idle - (time.monotonic() - self._asked))), "version": iq.__version__,
        }  # fmt: skip


async def _send(writer: asyncio.StreamWriter, head: dict[str, object], body: bytes = b"") -> None:
    writer.write(json.dumps(head).encode("ascii") + b"\n" + body)
    await writer.drain()


def _source() -> tuple[int, int]:
    """Number and latest time of the package's files: an engine whose source was replaced is of another version."""
    count, latest, todo = 0, 0, [os.path.dirname(os.path.abspath(iq.__file__))]
    while todo:
        try:
            entries = list(os.scandir(todo.pop()))
        except OSError:
            return 0, 0
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    todo.append(entry.path)
            elif entry.name.endswith((".py", ".scm", ".sql")):
                count, latest = count + 1, max(latest, entry.stat().st_mtime_ns)
    return count, latest


def main(root: str, opened: Opened) -> None:
    """The process of an engine, until it ends; never returns, since no thread of it must be waited for."""
    try:
        heed_children()
        os.chdir(os.path.abspath(os.sep))
        sys.stderr.write(f"ended: {serve(root, opened)}\n")
        sys.stderr.flush()
    finally:
        os._exit(0)


def serve(root: str, opened: Opened) -> str:
    """Runs the engine of a workspace in this process and returns why it ended; at once where another one has it.

    `opened` is called behind the first listening, and gives what answers and what loads its models.
    """
    meeting = place.meeting(root)
    os.makedirs(os.path.dirname(meeting), 0o700, exist_ok=True)
    if not place.private(os.path.dirname(meeting)):
        return "the engine's folder is open to others"
    handle = os.open(meeting + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _alone(handle):
            return "another engine serves"
        idle = os.environ.get("IQ_IDLE_SECONDS", "")
        return asyncio.run(_run(root, opened, float(idle) if idle.replace(".", "", 1).isdigit() else IDLE))
    finally:
        os.close(handle)


async def _run(root: str, opened: Opened, idle: float) -> str:
    return await Server(root, opened, idle).run()


def _alone(handle: int) -> bool:
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
    except BlockingIOError:
        return False
    return True

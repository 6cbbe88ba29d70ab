"""The thin client: hands a call to the resident engine of its workspace and prints what comes back.

A call passes through here before anything else is imported, so this page may import only what ALLOWED in its test lists:
the interpreter's own modules, no `socket` (15 ms), no `json` (5 ms), no `subprocess` (10 ms).

The protocol, version 1: one JSON object a line, UTF-8, each way. A request holds `iq` (the protocol), `version`, `home` and
`prefix` (which iq is asking), `root`, `words`, `cwd`, `features`, `colour`, `columns`, `stdin` (bytes as latin-1, or null),
`settings` (what of the environment can change an answer) and, on loopback, `token`. The engine sends `{"wait": true}` at once
and each second while it works, then one of

    {"code": 0, "out": 1234, "err": 0}   followed by that many bytes for stdout and stderr
    {"want": "stdin"}                    the question stands on stdin: ask again and bring it
    {"refused": "why"}                   the caller answers in its own process

and takes the next request. Every trouble ends in the same way: the call is answered in process, and only `--explain` says why.
"""

import os
import sys

from iq import __version__
from iq.host import place
from iq.index.root import around

PROTOCOL = 1

# Verbs that are about this process or replace the index itself.
HERE = frozenset({"index", "models", "serve", "mcp", "agent"})

# Words that ask for no answer.
APART = frozenset({"--help", "-h", "--version", "-V"})

# An engine that does not say within this that it is at work (s) hangs; one that is at work says so each second.
FIRST = 1.0
NEXT = 5.0

# An answer that takes longer than this in all (s) is better sought here, where it can be interrupted.
LONGEST = 60.0

# Requests and answers above this (bytes) do not pass; the engine refuses the same.
LARGEST = 64 << 20

# Two calls this close (s) start one engine.
SPAWN_SECONDS = 10.0


class Away(Exception):
    """Why the engine does not answer, and what of stdin was read before that."""

    def __init__(self, why: str, stdin: bytes | None = None) -> None:
        super().__init__(why)
        self.stdin = stdin


def ask(words: list[str]) -> tuple[int | None, str, bytes | None]:
    """The exit code of a call that the engine answered and this printed; else None, why it is to be answered here, and stdin if that was read."""
    if os.environ.get("IQ_RESIDENT") == "off" or "--no-resident" in words:
        return None, "in process: no resident engine wanted", None
    if not words or words[0] in HERE or not APART.isdisjoint(words) or (words[0].startswith("-") and not HERE.isdisjoint(words)):
        return None, "in process", None
    try:
        root, cwd = workspace(words), os.getcwd()
        settings = place.settings()
        request = _object(
            iq=PROTOCOL, version=__version__, home=place.HOME, prefix=sys.prefix, root=root, words=words,
            cwd=cwd, features=os.environ.get("IQ_FEATURES"), colour=os.isatty(1) and not os.environ.get("NO_COLOR"), columns=_columns(),
            settings=settings,
        )  # fmt: skip
        code, out, err = exchange(root, request)
    except Away as why:
        return None, f"in process: {why}", why.stdin
    except OSError as error:
        return None, f"in process: {error.strerror or error}", None
    return _print(code, out, err), "", None


def workspace(words: list[str]) -> str:
    """The root a call is about: `--root`, else IQ_ROOT, else around the current folder. Raises Away where there is none."""
    given = os.environ.get("IQ_ROOT")
    for at, word in enumerate(words):
        if word == "--":
            break
        if word.startswith("--root"):
            given = word[7:] if word[6:7] == "=" else words[at + 1] if word == "--root" and at + 1 < len(words) else given
    if given and not os.path.isdir(given):
        raise Away("no such root")
    return os.path.abspath(given) if given else around(os.getcwd())


def exchange(root: str, request: str) -> tuple[int, bytes, bytes]:
    """Sends a request, a JSON object without its stdin, to the engine of `root`: exit code, stdout, stderr. Raises Away or OSError."""
    link, token = connect(root)
    try:
        line = request[:-1] + (f', "token": {_text(token)}' if token else "")
        reply, body = _turn(link, line + ', "stdin": null}\n')
        if reply.get("want") == "stdin":
            from iq.host import piped

            stdin = piped.read()
            try:
                reply, body = _turn(link, f'{line}, "stdin": {_text(stdin.decode("latin-1"))}}}\n')
            except (Away, OSError) as why:
                raise Away(str(why) if isinstance(why, Away) else "the engine died", stdin) from why  # read once, it is gone
        if "refused" in reply:
            raise Away(str(reply["refused"]))
        code, out, err = reply.get("code"), reply.get("out"), reply.get("err")
        if not (isinstance(code, int) and isinstance(out, int) and isinstance(err, int) and 0 <= out + err <= LARGEST):
            raise Away("the engine's answer is garbled")
        while len(body) < out + err:
            body += _read(link, NEXT)
        return code, body[:out], body[out : out + err]
    finally:
        link.close()


def control(root: str, word: str) -> dict[str, object] | None:
    """What the engine of a workspace says to `status` or `stop`; None where none runs."""
    try:
        link, token = connect(root)
        try:
            return _turn(link, _object(iq=PROTOCOL, control=word, token=token) + "\n")[0]
        finally:
            link.close()
    except (Away, OSError):
        return None


def connect(root: str):  # type: ignore[no-untyped-def]
    """(connected socket, token) of the engine of a workspace; the token is empty on a Unix socket. Raises Away where there is none."""
    import _socket

    meeting = place.meeting(root)
    if not place.private(os.path.dirname(meeting)):
        raise Away("no engine" if not os.path.lexists(os.path.dirname(meeting)) else "the engine's folder is open to others")
    try:
        if place.sockets(meeting):
            link, token = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM), ""
            link.settimeout(FIRST)
            link.connect(meeting + ".sock")
        else:
            with open(meeting + ".port", encoding="ascii") as file:
                port, _, token = file.read(200).partition(" ")
            link = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
            link.settimeout(FIRST)
            link.connect(("127.0.0.1", int(port)))
    except (OSError, ValueError) as error:
        raise Away("no engine") from error
    return link, token.strip()


def _turn(link, line: str) -> tuple[dict[str, object], bytes]:  # type: ignore[no-untyped-def]
    """One request: the engine's last word on it, and what of the body has come with it."""
    if len(line) > LARGEST:
        raise Away("the question is too large to pass")
    link.sendall(line.encode("ascii"))
    received, patience, spent = b"", FIRST, 0.0
    while True:
        while b"\n" not in received:
            received += _read(link, patience)
        head, _, received = received.partition(b"\n")
        reply = parse(head.decode("utf-8", "replace"))
        if not reply.get("wait"):
            return reply, received
        patience = NEXT
        spent += 1.0
        if spent > LONGEST:
            raise Away("the engine is too slow")


def _read(link, patience: float) -> bytes:  # type: ignore[no-untyped-def]
    link.settimeout(patience)
    try:
        block: bytes = link.recv(1 << 16)
    except TimeoutError as error:
        raise Away("the engine hangs") from error
    except OSError as error:
        raise Away("the engine died") from error
    if not block:
        raise Away("the engine died")
    return block


def _print(code: int, out: bytes, err: bytes) -> int:
    try:
        for handle, data in ((1, out), (2, err)):
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
    except BrokenPipeError:
        return 0  # the reader has seen enough
    except OSError as error:
        os.write(2, f"iq: the answer cannot be written: {error.strerror or error}\n".encode("utf-8", "replace"))
        return 2
    return code


def _columns() -> int:
    try:
        return os.get_terminal_size().columns
    except OSError:
        return 0


def _object(**values: object) -> str:
    return "{" + ", ".join(f'"{name}": {_json(value)}' for name, value in values.items()) + "}"


def _json(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(name)}: {_json(entry)}" for name, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_json, value)) + "]"
    return {None: "null", True: "true", False: "false"}.get(value) if value is None or isinstance(value, bool) else str(value)  # type: ignore[return-value]


def _text(value: str) -> str:
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json.encoder import encode_basestring_ascii  # type: ignore[assignment]
    return encode_basestring_ascii(value)


class _Plain:
    """What the interpreter's own JSON scanner asks of its caller."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}


def parse(line: str) -> dict[str, object]:
    """A JSON object. Raises Away for anything else."""
    try:
        try:
            from _json import make_scanner
        except ImportError:
            from json import loads

            found = loads(line)
        else:
            found, _ = make_scanner(_Plain())(line, 0)  # type: ignore[arg-type]
    except (ValueError, StopIteration, RecursionError) as error:
        raise Away("the engine's answer is garbled") from error
    if not isinstance(found, dict):
        raise Away("the engine's answer is garbled")
    return found


def leave(code: int) -> None:
    """Ends the process, where it can without taking the interpreter apart, which costs 2 ms.

    It cannot where threads are to be waited for or an index that was written is to be closed.
    """
    if "iq.index.rg" in sys.modules:
        sys.modules["iq.index.rg"].drop()
    if "threading" in sys.modules or "iq.index.update" in sys.modules:
        sys.exit(code)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # closed; what could be written was written
    os._exit(code)


def spawn(words: list[str]) -> bool:
    """Starts an engine for the next call, detached, where there is an index for it to answer from; whether it did. Never waits or raises."""
    if os.environ.get("IQ_RESIDENT") == "off" or "--no-resident" in words or not words or words[0] in HERE:
        return False
    try:
        from iq.host.start import start

        return start(workspace(words))
    except (Away, OSError):
        return False

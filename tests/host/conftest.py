"""A workspace with a resident engine: the script a user runs, and an engine that ends with its test."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from iq.host.start import CODE
from tests.conftest import CHECKOUT, Place

SCRIPT = CHECKOUT / "scripts" / "iq"


@dataclass
class Hosted:
    """A place, a folder for sockets, and the engines that were started for it."""

    place: Place
    runtime: Path
    engines: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def root(self) -> Path:
        return self.place.root

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in self.place.environment().items() if name != "IQ_RESIDENT"}
        return {**kept, "IQ_RUNTIME_DIR": str(self.runtime), **more}

    def start(self, *words: str | bytes, cwd: Path | None = None, resident: bool = True, **more: str) -> subprocess.Popen[bytes]:
        env = self.environment(**more) if resident else {**self.environment(**more), "IQ_RESIDENT": "off"}
        return subprocess.Popen([sys.executable, str(SCRIPT), *words], cwd=cwd or self.root, env=env, stdin=-1, stdout=-1, stderr=-1)

    def iq(self, *words: str | bytes, stdin: bytes = b"", **how: object) -> tuple[int, bytes, bytes]:
        """Exit code, stdout and stderr of the user's command."""
        child = self.start(*words, **how)  # type: ignore[arg-type]
        out, err = child.communicate(stdin, timeout=120)
        return child.returncode, out, err

    def serve(self, **more: str) -> subprocess.Popen[bytes]:
        """An engine, started as the script does, that has come up."""
        engine = subprocess.Popen([sys.executable, "-c", CODE, str(self.root)], cwd="/", env=self.environment(**more), stderr=-1)
        self.engines.append(engine)
        until = time.monotonic() + 30
        while not self.listening():
            assert engine.poll() is None, engine.stderr.read() if engine.stderr else ""
            assert time.monotonic() < until, "the engine did not come up"
            time.sleep(0.01)
        return engine

    def listening(self) -> bool:
        """Whether an engine has opened its index: it takes connections before that, and its socket has a name before that."""
        if any(self.runtime.glob("*.port")):
            return True
        for path in self.runtime.glob("*.sock"):
            with socket.socket(socket.AF_UNIX) as link:
                if link.connect_ex(str(path)) == 0:
                    link.sendall(b'{"control": "status"}\n')
                    return b"starting" not in link.recv(1 << 16)
        return False

    def answered(self, *words: str) -> str:
        """Who answered a question."""
        _, out, err = self.iq(*(words or ("needle",)), "--explain")
        return next((row for row in out.decode().splitlines() if row.startswith("answered ")), err.decode())


@pytest.fixture
def hosted(workspace: Callable[..., Place]) -> Iterator[Callable[..., Hosted]]:
    """Makes a hosted workspace of `{path: text}`; its folder of sockets has a name short enough for one."""
    made: list[Hosted] = []

    def make(files: Mapping[str, str | bytes] | None = None, runtime: Path | None = None) -> Hosted:
        folder = runtime or Path(tempfile.mkdtemp(prefix="iq-test-"))
        folder.mkdir(mode=0o700, exist_ok=True, parents=True)
        made.append(Hosted(workspace(files), folder))
        return made[-1]

    yield make
    for hosted in made:
        for engine in hosted.engines:
            if engine.poll() is None:
                engine.send_signal(signal.SIGTERM)
            try:
                engine.wait(10)
            except subprocess.TimeoutExpired:
                engine.kill()
                engine.wait()
            if engine.stderr:
                engine.stderr.close()
        for process in spawned(hosted.runtime):
            os.kill(process, signal.SIGKILL)
        shutil.rmtree(hosted.runtime, ignore_errors=True)


def spawned(runtime: Path) -> list[int]:
    """Ids of the engines that the script itself started for a runtime folder."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                mine = f"IQ_RUNTIME_DIR={runtime}".encode() in (entry / "environ").read_bytes()
                if mine and b"iq.host.server import main" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found

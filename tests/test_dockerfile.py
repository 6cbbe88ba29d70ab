"""The Dockerfile without an engine: parsed, then its steps run in order under a scratch folder in place of `/`.

What is left out, with the reason: FROM (needs an engine), useradd (would change this machine), dependencies of `pip install`
(need a network: those of this environment are used), and the models' download (the tiny ones are put in place).
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import site
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from iq.index.rg import executable
from tests import tiny_onnx

ROOT = Path(__file__).parents[1]


@dataclass
class Stage:
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def of(self, word: str) -> list[str]:
        return [rest for step, rest in self.steps if step == word]


def stages(text: str) -> list[Stage]:
    found: list[Stage] = []
    for line in text.replace("\\\n", " ").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.strip().partition(" ")
        if word == "FROM":
            found.append(Stage(rest.rpartition(" AS ")[2]))
        else:
            found[-1].steps.append((word, rest.strip()))
    return found


STAGES = stages((ROOT / "Dockerfile").read_text("utf-8"))


def test_two_stages_and_a_user_who_is_not_root() -> None:
    build, final = STAGES
    assert build.name == "build"
    assert final.of("USER") == ["iq"] and final.of("WORKDIR") == ["/workspace"] and json.loads(final.of("ENTRYPOINT")[0]) == ["iq"]
    words = [word for word, _ in final.steps]
    assert words.index("USER") > max(at for at, word in enumerate(words) if word in ("RUN", "COPY"))
    assert any("models install" in command for command in build.of("RUN"))
    assert any("pip install" in command and shlex.split(command)[-1] == ".[mcp]" for command in build.of("RUN")), "README runs `iq mcp` in it"
    known = {word for word, _ in (*build.steps, *final.steps)}
    assert known <= {"WORKDIR", "COPY", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD"}


def test_what_is_copied_exists_and_is_not_ignored() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert rules[0] == "*"
    for rest in STAGES[0].of("COPY"):
        for source in rest.split()[:-1]:
            assert (ROOT / source).exists() and f"!{source}" in rules, source


def test_the_final_stage_copies_what_the_build_made() -> None:
    made = " ".join(STAGES[0].of("RUN") + STAGES[0].of("ENV"))
    for rest in STAGES[1].of("COPY"):
        flag, source, target = rest.split()
        assert flag == "--from=build" and source in made and source == target


def test_its_steps_run_in_order(tmp_path: Path) -> None:
    """Ends with the entry point answering a question about a mounted workspace."""
    pytest.importorskip("hatchling", reason="hatchling builds the wheel and is not installed")
    if os.name != "posix":
        pytest.skip("the steps are those of a shell")
    root = tmp_path / "image"
    env = {name: value for name, value in os.environ.items() if not name.startswith(("IQ_", "PIP_"))}
    # pip without an index: this environment's libraries stand in for what it would fetch.
    libraries = [sysconfig.get_path("purelib"), *site.getsitepackages()]
    env |= {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PYTHONPATH": os.pathsep.join(dict.fromkeys(libraries))}
    env["IQ_RG_PATH"] = executable()
    place = root

    def inside(text: str) -> str:
        for folder in ("/opt/", "/cache", "/workspace", "/src"):
            text = text.replace(folder, f"{root}{folder}")
        return text

    for stage in STAGES:
        for word, rest in stage.steps:
            if word == "WORKDIR":
                place = Path(inside(rest))
                place.mkdir(parents=True, exist_ok=True)
            elif word == "ENV":
                for pair in shlex.split(rest):
                    name, _, value = pair.partition("=")
                    env[name] = inside(value).replace("$PATH", env["PATH"])
            elif word == "COPY" and not rest.startswith("--from"):
                *sources, target = rest.split()
                for source in sources:
                    where = place / target / source if target == "./" else place / target
                    if (ROOT / source).is_dir():
                        shutil.copytree(ROOT / source, where, ignore=shutil.ignore_patterns("__pycache__"))
                    else:
                        shutil.copy(ROOT / source, where)
            elif word == "RUN" and "models install" in rest:
                tiny_onnx.embedder(Path(env["IQ_MODEL_DIR"]) / "embedder")
                tiny_onnx.reranker(Path(env["IQ_MODEL_DIR"]) / "reranker")
                env_command = rest.replace("models install", "models status")
                subprocess.run(inside(env_command), shell=True, cwd=place, env=env, check=True, capture_output=True)
            elif word == "RUN" and not rest.startswith("useradd"):
                command = inside(rest).replace("python -m venv", f"{sys.executable} -m venv")
                done = subprocess.run(command, shell=True, cwd=place, env=env, capture_output=True, text=True, check=False)
                assert done.returncode == 0, f"{rest}\n{done.stdout}{done.stderr}"
    (root / "workspace/a.py").write_text("def remove_color(text):\n    return text\n")
    entry = json.loads(STAGES[1].of("ENTRYPOINT")[0])
    for words, said in ((["index", "embed"], "vectors 100 %"), (["how are colours removed?"], "answer: a.py")):
        done = subprocess.run([*entry, *words], cwd=place, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and said in done.stdout, done.stdout + done.stderr
    asked = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
        }
    )
    done = subprocess.run([*entry, "mcp"], cwd=place, env=env, input=asked + "\n", capture_output=True, text=True, check=False, timeout=60)
    assert '"serverInfo"' in done.stdout, done.stdout + done.stderr
    assert shutil.which("iq", path=env["PATH"]) == str(root / "opt/iq/bin/iq"), "the image's own iq answered"

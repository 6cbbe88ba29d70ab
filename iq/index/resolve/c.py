"""C, C++ and Objective-C: includes beside the file, then under the folders that are likely on the include path.

Include paths live in build files that only the build tool understands, so they are guessed: a header is found by the end
of its path, the nearest one first. A name in angle brackets must lie where headers are published.
"""

from __future__ import annotations

from collections.abc import Callable

from iq.index.resolve.view import Targets, View, join, parent, shared
from iq.types import Import

PUBLIC = frozenset({"include", "inc", "includes", "Include", "public", "api", "src", "headers", "Headers", "lib"})

# Headers of the standard libraries and of POSIX that projects also have files called.
_STANDARD = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool
    stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype dirent dlfcn fcntl getopt glob grp netdb poll pthread
    pwd regex sched semaphore spawn strings syslog termios unistd utime wordexp alloca malloc memory process io windows"""
STANDARD = frozenset(_STANDARD.split())


def resolver(view: View) -> Callable[[str, Import], Targets]:
    cache: dict[tuple[str, str, str], Targets] = {}

    def resolve(source: str, row: Import) -> Targets:
        key = (parent(source), row.module, row.kind)
        if key not in cache:
            cache[key] = look(source, row)
        return cache[key]

    def look(source: str, row: Import) -> Targets:
        name = row.module.replace("\\", "/")
        if row.kind != "system" and (beside := join(parent(source), name)) in view:
            return (beside,)
        tail = name
        while tail.startswith(("../", "./")):
            tail = tail.partition("/")[2]
        if not tail:
            return None
        last = tail.rpartition("/")[2]
        stem = last.rpartition(".")[0] or last
        found = [path for path in view.named.get(last, ()) if path == tail or path.endswith("/" + tail)]
        if row.kind == "system":
            if "/" not in tail and stem in STANDARD:
                return None
            found = [path for path in found if path[: len(path) - len(tail)].rstrip("/").rpartition("/")[2] in PUBLIC or path == tail]
        best = min(found, key=lambda path: rank(source, path, tail), default=None)
        if best is not None:
            return (best,)
        if row.kind == "system" or ("/" not in tail and stem in STANDARD):
            return None
        return ()

    def rank(source: str, path: str, tail: str) -> tuple[bool, int, int, str]:
        root = path[: len(path) - len(tail)].rstrip("/")
        return root.rpartition("/")[2] not in PUBLIC and bool(root) and shared(source, path) == 0, -shared(source, path), path.count("/"), path

    return resolve

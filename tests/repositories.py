"""Repositories built in a test, through libgit2, so that they need no git binary."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

# 2026-03-01 12:00 UTC: the `now` of tests. Commits are a day apart and end the day before.
NOW = 1_772_366_400
DAY = 86_400

ADA = ("Ada Lovelace", "ada@example.org")
BOB = ("Bob Stone", "bob@example.org")

Files = Mapping[str | bytes, str | bytes | None]


class Built:
    """A repository at `root`. `commit` writes trees directly, so any name can be committed; `checkout` brings the work tree level."""

    def __init__(self, root: Path, bare: bool = False) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git = pygit2.init_repository(str(root), bare=bare, initial_head="main")
        self.files: dict[bytes, bytes] = {}
        self.last: pygit2.Oid | None = None

    def commit(self, message: str | bytes, files: Files | None = None, author: tuple[str, str] = ADA, days: float = 1,
               parents: Sequence[pygit2.Oid] | None = None, ref: str | None = "refs/heads/main", raw_author: bytes | None = None) -> pygit2.Oid:  # fmt: skip
        """Commits the files (None takes one out) `days` before NOW on top of the last commit, or of `parents`."""
        for path, content in (files or {}).items():
            name = path.encode() if isinstance(path, str) else path
            if content is None:
                del self.files[name]
            else:
                self.files[name] = content.encode() if isinstance(content, str) else content
        tree = self._tree(self.files)
        above = list(parents) if parents is not None else [self.last] if self.last else []
        time = NOW - int(days * DAY)
        who = raw_author or f"{author[0]} <{author[1]}>".encode()
        rows = [b"tree " + str(tree).encode(), *(b"parent " + str(parent).encode() for parent in above)]
        rows += [b"author %s %d +0000" % (who, time), b"committer %s %d +0000" % (who, time), b"", message.encode() if isinstance(message, str) else message]
        oid = self.git.odb.write(pygit2.enums.ObjectType.COMMIT, b"\n".join(rows) + b"\n")
        if ref:
            self.git.references.create(ref, oid, force=True)
        self.last = oid
        return oid

    def _tree(self, files: Mapping[bytes, bytes]) -> pygit2.Oid:
        rows: dict[bytes, tuple[int, pygit2.Oid]] = {}
        folders: dict[bytes, dict[bytes, bytes]] = {}
        for path, content in files.items():
            head, slash, rest = path.partition(b"/")
            if slash:
                folders.setdefault(head, {})[rest] = content
            elif content.startswith(b"gitlink "):
                rows[head] = (0o160000, pygit2.Oid(hex=content[8:].decode()))
            else:
                rows[head] = (int(FileMode.BLOB), self.git.create_blob(content))
        for name, inner in folders.items():
            rows[name] = (int(FileMode.TREE), self._tree(inner))
        body = b"".join(
            b"%o %s\0%s" % (mode, name, oid.raw) for name, (mode, oid) in sorted(rows.items(), key=lambda row: row[0] + (b"/" if row[1][0] == 0o40000 else b""))
        )
        return self.git.odb.write(pygit2.enums.ObjectType.TREE, body)

    def checkout(self) -> None:
        """Writes the last commit's files and makes the index equal to it."""
        for path, content in self.files.items():
            if content.startswith(b"gitlink "):
                continue
            target = Path(os.fsdecode(os.fsencode(str(self.root)) + b"/" + path))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        assert self.last is not None
        self.git.index.read_tree(self.git[self.last].peel(pygit2.Tree))
        self.git.index.write()

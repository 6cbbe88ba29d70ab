"""One file, read and taken apart: everything the index stores about it. Runs in worker processes."""

from __future__ import annotations

import os
from hashlib import blake2b

from iq.frozen import dataclass
from iq.index import live, text, tokens, trees
from iq.index.chunk import MAX_LINE, chunk
from iq.index.classes import classify
from iq.index.complexity import measure
from iq.index.imports import selected, siblings
from iq.index.languages import detect
from iq.index.symbols import extract
from iq.types import Chunk, Import, Symbol, Syntax

# More chunks than this share one file id's range of chunk ids.
MAX_CHUNKS = 1 << 16

# Too deep, too slow or too broken: the three are one to who wants to know why a name is not found.
GAVE_UP = "grammar gave up"


@dataclass(frozen=True, slots=True)
class Parsed:
    """What is stored of one file; `chunk_terms[i]` and `file_terms` are (path, symbols, body, comments) for FTS5.

    `unparsed` says why there is no syntax though the language has a grammar: the text is all that was read.
    `complexity` holds (line, qualified name, branches) of each definition that has some, and of the file as line 0.
    """

    path: str
    size: int
    mtime: int
    hash: bytes
    language: str
    file_class: str
    encoding: str
    lines: int
    skipped: str
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    chunk_terms: tuple[tuple[str, str, str, str], ...] = ()
    file_terms: tuple[str, str, str, str] = ("", "", "", "")
    names: str = ""
    complexity: tuple[tuple[int, str, int], ...] = ()
    unparsed: str = ""


def read(root: str, path: str) -> Parsed | None:
    """Reads and takes apart one file; None where it vanished meanwhile. Never raises for what a file holds."""
    full = os.path.join(root, path)
    try:
        before = os.stat(full)
        size, mtime = before.st_size, live.changed(before)
        if size > text.MAX_BYTES:
            with open(full, "rb") as file:
                head = file.read(text.SNIFF)
            why = "binary" if text.binary(head) else "too large"
            return Parsed(path, size, mtime, b"", detect(path, head), classify(path, head), "", 0, why)
        with open(full, "rb") as file:
            data = file.read(text.MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError:
        return Parsed(path, 0, 0, b"", detect(path), classify(path), "", 0, "unreadable")
    digest = blake2b(data, digest_size=16).digest()
    decoded = text.decode(data)
    if decoded is None:
        return Parsed(path, size, mtime, digest, detect(path), classify(path), "", 0, "binary")
    return take_apart(path, decoded, size, mtime, digest)


def take_apart(path: str, decoded: text.Text, size: int, mtime: int, digest: bytes) -> Parsed:
    """Symbols, chunks and terms of decoded text."""
    source = decoded.source
    language = detect(path, source[:4096])
    file_class = classify(path, source[:1024])
    tree = trees.parse(language, source)
    syntax = extract(language, source, tree) if tree is not None else Syntax()
    why = GAVE_UP if trees.known(language) and (tree is None or trees.hopeless(tree.root_node)) else ""
    content = decoded.content
    rows = text.lines(content)
    imports = selected(language, content, syntax.imports) + siblings(language, content)
    chunks = tuple(chunk(rows, syntax.symbols, file_class == "history")[:MAX_CHUNKS])
    path_terms = tokens.terms(path)
    bodies, comments = _split(source, rows, chunks, syntax.comments)
    chunk_terms = []
    for piece, body, comment in zip(chunks, bodies, comments, strict=True):
        names = piece.symbol.replace(".", " ") + " " + " ".join(piece.names)
        chunk_terms.append((path_terms, tokens.terms(names), tokens.terms(body), tokens.terms(comment)))
    whole = (
        path_terms,
        tokens.terms(" ".join(symbol.name for symbol in syntax.symbols)),
        " ".join(row[2] for row in chunk_terms),
        " ".join(row[3] for row in chunk_terms),
    )
    top = tokens.terms(" ".join(symbol.name for symbol in syntax.symbols if not symbol.container))
    names = " ".join(dict.fromkeys(top.split()))
    branches = measure(language, source, tree, rows, syntax.symbols)
    stored = (syntax.symbols, imports, chunks, tuple(chunk_terms), whole, names, branches, why)
    return Parsed(path, size, mtime, digest, language, file_class, decoded.encoding, len(rows), "", *stored)


def _split(source: bytes, rows: list[str], chunks: tuple[Chunk, ...], spans: tuple[tuple[int, int], ...]) -> tuple[list[str], list[str]]:
    """The text of each chunk without its comments, and the comments; `spans` are sorted byte ranges of comments."""
    starts = [0]
    at = source.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = source.find(b"\n", at + 1)
    starts.append(len(source))
    bodies, comments = [], []
    index = 0
    for piece in chunks:
        low, high = starts[piece.start - 1], starts[min(piece.end, len(starts) - 1)]
        if high - low > MAX_LINE * (piece.end - piece.start + 1):
            high = low + MAX_LINE * (piece.end - piece.start + 1)
        while index < len(spans) and spans[index][1] <= low:
            index += 1
        body, comment, position, look = [], [], low, index
        while look < len(spans) and spans[look][0] < high:
            first, last = max(spans[look][0], low), min(spans[look][1], high)
            if first >= position:
                body.append(source[position:first])
                comment.append(source[first:last])
                position = last
            look += 1
        body.append(source[position:high])
        bodies.append(b" ".join(body).decode("utf-8", "replace"))
        comments.append(b" ".join(comment).decode("utf-8", "replace"))
    return bodies, comments

"""Bytes to text, once and for all: which files are text, in which encoding, and where their lines are.

A line ends at LF, as for ripgrep, git and tree-sitter; CR before LF is not part of it, and a lone CR is a character in a
line, so that every anchor means the same line to every tool. Encodings: UTF-8 (with or without BOM), UTF-16 and UTF-32
with BOM, and latin-1 for what is no valid UTF-8 and does not look binary.
"""

from __future__ import annotations

import os

from iq.frozen import dataclass

# Larger files are generated or data; they stay open to live search but are not indexed (bytes).
MAX_BYTES = 2 << 20

# How much of a file decides whether it is binary, as in git (bytes).
SNIFF = 8192

# Share of control bytes above which a file without a BOM is binary, unless all are ASCII and none is NUL. Source with a stray NUL stays far below; compiled
# code and images lie above .1.
MAX_CONTROL = 0.02

_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b\x08") + b"\x7f"

# The order matters: the UTF-32 little-endian mark begins with the UTF-16 one.
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_BOMS = tuple(mark for mark, _ in _MARKS)


# Letters that could steer a terminal or turn the direction of text.
CONTROL = r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"

# Letters that no shell reads as anything else.
_BARE = dict.fromkeys(map(ord, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"))


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded file: `source` is its UTF-8 form without BOM, which every span and offset refers to."""

    source: bytes
    encoding: str

    @property
    def content(self) -> str:
        return self.source.decode("utf-8", "replace")


def binary(head: bytes) -> bool:
    """Whether a file that begins with `head` is binary rather than text."""
    sample = head[:SNIFF]
    if (sample.isascii() and b"\0" not in sample) or sample.startswith(_BOMS):
        return False
    return len(sample) - len(sample.translate(None, _CONTROL)) > MAX_CONTROL * len(sample) + 1


def decode(data: bytes) -> Text | None:
    """The text in `data`, or None where it is binary or its BOM lies about its encoding."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                body = data[len(mark) :]
                return Text(body.decode(encoding.removesuffix("-sig")).encode("utf-8", "replace"), encoding)
            except UnicodeDecodeError:
                return None
    if binary(data):
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return Text(data.decode("latin-1").encode("utf-8"), "latin-1")
    return Text(data, "utf-8")


def lines(content: str) -> list[str]:
    """The lines of a text, without their ends; a text that ends in LF has no empty last line."""
    rows = content.split("\n")
    if rows and rows[-1] == "":
        rows.pop()
    return [row[:-1] if row.endswith("\r") else row for row in rows] if "\r" in content else rows


def decodable(text: str) -> str:
    """Text that can be written as UTF-8: undecodable bytes of names show as \\xNN."""
    return text if text.isascii() else "".join(f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else c for c in text)


def safe(text: str) -> str:
    """A line of text without control characters, which could steer a terminal or forge a line; tabs stay."""
    if text.replace("\t", "").isprintable():  # what is not is more than CONTROL
        return text
    import re

    return decodable(re.sub(CONTROL, lambda m: f"\\x{ord(m.group()):02x}" if ord(m.group()) < 256 else f"\\u{ord(m.group()):04x}", text))


def unsafe(shown: str) -> str:
    """What `safe` made `shown` of: the name of a file whose control characters and undecodable bytes were printed as \\xNN."""
    import re

    return os.fsdecode(re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), os.fsencode(shown)))


def quoted(word: str) -> str:
    """A word as a shell reads it back: what `shlex.quote` gives, without the 6 ms that its import takes.

    Control characters and undecodable bytes, which are printed nowhere, stand as escapes in the form that bash, zsh and ksh know.
    """
    if word and word.isascii() and not word.translate(_BARE):
        return word
    if safe(word) != word:
        import re

        odd = rf"[\\']|[\udc80-\udcff]|{CONTROL}"
        return "$'" + re.sub(odd, lambda m: "".join(f"\\x{byte:02x}" for byte in m.group().encode("utf-8", "surrogateescape")), word) + "'"
    return "'" + word.replace("'", "'\"'\"'") + "'"

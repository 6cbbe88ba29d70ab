"""Bytes as files hold them, and the text, encoding and lines that they are read as."""

from __future__ import annotations

import pytest

from iq.index.text import SNIFF, binary, decode, lines

# id: (bytes, encoding, lines); encoding None means binary.
ROWS = {
    "empty": (b"", "utf-8", []),
    "one line": (b"a", "utf-8", ["a"]),
    "ends in LF": (b"a\nb\n", "utf-8", ["a", "b"]),
    "only LF": (b"\n", "utf-8", [""]),
    "blank last line": (b"a\n\n", "utf-8", ["a", ""]),
    "utf-8": ("größe 选项\n".encode(), "utf-8", ["größe 选项"]),
    "utf-8 mark": (b"\xef\xbb\xbfa\nb\n", "utf-8-sig", ["a", "b"]),
    "utf-8 mark alone": (b"\xef\xbb\xbf", "utf-8-sig", []),
    "utf-8 mark that lies": (b"\xef\xbb\xbf\xff\xfe", None, []),
    "utf-16 LE": (b"\xff\xfe" + "é\nx".encode("utf-16-le"), "utf-16-le", ["é", "x"]),
    "utf-16 BE": (b"\xfe\xff" + "é\nx".encode("utf-16-be"), "utf-16-be", ["é", "x"]),
    "utf-16 CRLF": (b"\xff\xfe" + "a\r\nb\r\n".encode("utf-16-le"), "utf-16-le", ["a", "b"]),
    "utf-16 cut in a letter": (b"\xff\xfea", None, []),
    "utf-16 beyond the plane": (b"\xff\xfe" + "😀".encode("utf-16-le"), "utf-16-le", ["😀"]),
    "utf-32 LE": (b"\xff\xfe\x00\x00" + "a\nb".encode("utf-32-le"), "utf-32-le", ["a", "b"]),
    "utf-32 BE": (b"\x00\x00\xfe\xff" + "a\nb".encode("utf-32-be"), "utf-32-be", ["a", "b"]),
    "utf-32 that lies": (b"\xff\xfe\x00\x00abc", None, []),
    "latin-1": (b"caf\xe9\n", "latin-1", ["café"]),
    "latin-1 after utf-8": ("größe ".encode() + b"\xe9", "latin-1", ["grÃ¶Ã\x9fe é"]),
    "CRLF": (b"a\r\nb\r\n", "utf-8", ["a", "b"]),
    "mixed ends": (b"a\r\nb\nc", "utf-8", ["a", "b", "c"]),
    "lone CR": (b"a\rb\nc", "utf-8", ["a\rb", "c"]),
    "CR twice": (b"a\r\r\n", "utf-8", ["a\r"]),
    "other separators": ("a\x0bb\x0cc\u2028d\x85e\n".encode(), "utf-8", ["a\x0bb\x0cc\u2028d\x85e"]),
    "NUL in source": (b"x = '\0'\n" * 1 + b"y = 1\n" * 20, "utf-8", ["x = '\0'", *["y = 1"] * 20]),
    "escapes of a terminal": (b"\x1b[31mred\x1b[0m\n", "utf-8", ["\x1b[31mred\x1b[0m"]),
    "NULs": (b"\0" * 100, None, []),
    "ELF": (b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\x03\0>\0\x01\0\0\0", None, []),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0", None, []),
    "utf-16 without mark": ("def f(): pass\n".encode("utf-16-le"), None, []),
    "5 MB line": (b"x" * 5_000_000, "utf-8", ["x" * 5_000_000]),
    "5 MB line of latin-1": (b"\xe9" * 5_000_000, "latin-1", ["é" * 5_000_000]),
}


@pytest.mark.parametrize("name", ROWS)
def test_text(name: str) -> None:
    data, encoding, expected = ROWS[name]
    text = decode(data)
    if encoding is None:
        assert text is None
        return
    assert text is not None
    assert text.encoding == encoding
    # No assert on the lists themselves: a difference in 5 MB would take minutes to print.
    assert (lines(text.content) == expected) is True
    assert text.content.encode() == text.source


def test_only_the_head_decides_what_is_binary() -> None:
    head = b"a\n" * (SNIFF // 2)
    assert not binary(head + b"\0" * SNIFF)
    assert binary(b"\0" * SNIFF + head)


def test_letters_without_a_nul_are_text_whatever_steers_a_terminal_among_them() -> None:
    log = b"\x01\x02\x07\x0e" * 50
    assert not binary(log)
    assert binary(log + b"\0") and binary(log + b"\xff")


def test_control_bytes_up_to_the_share_are_text() -> None:
    """2 of 100 bytes, and one for a stray NUL in a short file."""
    assert not binary(b"\0" * 3 + b"a" * 97)
    assert binary(b"\0" * 4 + b"a" * 96)

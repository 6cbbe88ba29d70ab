"""From text to terms."""

from __future__ import annotations

import pytest

from iq.index.tokens import identifiers, query_terms, terms

ROWS = [
    ("parse_args", "parsearg pars arg"),
    ("parseArgs", "parsearg pars arg"),
    ("HTTPServer2", "httpserver2 http server 2"),
    ("running", "run"),
    ("was", "was"),
    ("__init__", "init"),
    ("x1", "x1 x 1"),
    ("größeÄndern", "größeändern größe ändern"),
    ("選項 解析", "選項 解析"),
    ("a.b->c", "a b c"),
    ("", ""),
    ("___ !!", ""),
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text or "empty" for text, _ in ROWS])
def test_terms(text: str, expected: str) -> None:
    assert terms(text) == expected


def test_decomposed_letters_meet_composed_ones() -> None:
    assert terms("cafe\u0301") == terms("caf\u00e9")


def test_stop_words_leave_a_question_unless_nothing_else_is_left() -> None:
    assert query_terms("where are the retries handled") == ["retri", "handl"]
    assert query_terms("where is it") == ["where", "is", "it"]


def test_a_word_that_is_long_data_is_no_term() -> None:
    assert terms("a" * 5000) == ""


def test_identifiers_are_words_written_like_code() -> None:
    assert identifiers("how does parse_args call HTTPServer for x2 and plain words") == ["parse_args", "HTTPServer", "x2"]

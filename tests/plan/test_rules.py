"""What a path and its names add to a file's score."""

from __future__ import annotations

import pytest

from iq.plan.rules import (
    EXACT_NAME,
    FOLDER_SHARE,
    NAMES_SHARE,
    STEM_BEGINS_WORD,
    STEM_IS_WORD,
    STEM_SHARE,
    ask,
    exact_term,
    names_term,
    path_term,
    place_factor,
)

ASKED = ask("how does the option parser read values", {"option": 1.0, "parser": 1.0, "read": 1.0, "valu": 1.0}, ())


def test_a_stem_that_is_a_word_of_the_question() -> None:
    assert path_term("src/parser.py", ASKED) == pytest.approx(STEM_IS_WORD + STEM_SHARE / 4)


def test_neighbouring_words_joined_and_the_folder_of_an_index_file() -> None:
    assert path_term("lib/optionParser/index.ts", ASKED) == pytest.approx(STEM_IS_WORD + STEM_SHARE / 2)
    assert path_term("option/x/y.py", ASKED) == pytest.approx(FOLDER_SHARE / 4)


@pytest.mark.parametrize("path", ["src/opt.py", "src/opts.py"])
def test_a_stem_that_begins_a_word(path: str) -> None:
    assert path_term(path, ASKED) == pytest.approx(STEM_BEGINS_WORD)


def test_names_that_the_question_holds_count_together() -> None:
    assert names_term(["option", "parser", "other"], ASKED) == pytest.approx(NAMES_SHARE / 2)
    assert names_term(["unrelated"], ASKED) == 0


def test_a_word_that_is_everywhere_says_little() -> None:
    """The project's own name as a file stem outranked every answer."""
    asked = ask("where does click open an editor", {"click": 0.1, "open": 2.0, "editor": 3.0}, ())
    assert path_term("click/__init__.py", asked) < 0.1


def test_an_exact_name_is_worth_less_the_more_files_define_it() -> None:
    asked = ask("what does parse_args do", {}, ("parse_args",))
    nine = {f"{n}.py" for n in range(9)}
    assert exact_term("0.py", asked, {"parse_args": {"0.py"}}) == pytest.approx(EXACT_NAME)
    assert exact_term("0.py", asked, {"parse_args": nine}) == pytest.approx(EXACT_NAME / 3)
    assert exact_term("x.py", asked, {"parse_args": nine}) == 0


def test_places_that_mirror_others_count_less_unless_named() -> None:
    assert place_factor("src/compat/x.py", ASKED) == 0.8
    assert place_factor("src/compat/x.py", ask("the compat layer", {"compat": 1.0, "layer": 1.0}, ())) == 1.0
    assert place_factor("src/a.py", ASKED) == 1.0

from __future__ import annotations

from collections import Counter

import pytest

from bench.datasets import DATA, SETS, Corpus, Target, intent_db, intent_db_texts, load, rows


@pytest.mark.parametrize(
    ("name", "cases", "targets", "repos"),
    [
        ("semble", 241, 311, 12),
        ("iq-bench", 39, 42, 2),
        ("exact", 23, 23, 2),
        ("commitloc", 423, None, 12),
        ("octocode", 127, 163, 1),
        ("cqs", 109, 109, 1),
        ("swebench", 33, None, 2),
        ("intent-code", 392, None, 2),
        ("noanswer", 360, 0, 12),
    ],
)
def test_every_row_becomes_a_case(name: str, cases: int, targets: int | None, repos: int) -> None:
    found = SETS[name]()
    assert len(found) == cases
    assert len({case.id for case in found}) == cases, "ids are unique in a set"
    assert {case.set for case in found} == {name}
    assert len({case.repo for case in found}) == repos
    if targets is not None:
        assert sum(len(case.targets) for case in found) == targets
    for case in found:
        assert len(case.corpus.rev) == 40
        assert case.query
        assert all(target.start is None or 1 <= target.start <= (target.end or 0) for target in case.targets)


def test_targets_lie_under_the_indexed_folder() -> None:
    for case in SETS["semble"]():
        assert all(target.path.startswith(case.corpus.root) for target in case.targets), case.id


def test_secondary_targets_are_relevant_and_spans_are_kept() -> None:
    case = next(case for case in SETS["semble"]() if case.id == "express-09")
    row = next(row for row in rows("semble/queries.jsonl") if row["id"] == "express-09")
    assert len(case.targets) == len(row["relevant"]) + len(row["secondary"])
    assert any(target.start for target in case.targets)


def test_an_anchor_is_widened_by_its_tolerance() -> None:
    prompt = next(case for case in SETS["iq-bench"]() if case.id == "click/user-prompt")
    assert prompt.targets == (Target("src/click/termui.py", 132 - 80, 132 + 80),)
    command = next(case for case in SETS["exact"]() if case.id == "click/def-command")
    assert (command.verb, command.targets) == ("def", (Target("src/click/core.py", 958, 962),))


def test_grades_and_categories_are_the_sets_own() -> None:
    assert Counter(case.category for case in SETS["octocode"]()) == {"plain": 100, "hard": 27}
    assert Counter(case.verb for case in SETS["exact"]()) == {"def": 8, "sym": 4, "find": 4, "files": 4, "refs": 3}
    assert {target.grade for case in SETS["octocode"]() for target in case.targets} == {1, 2}
    assert Counter(case.category for case in SETS["semble"]()) == {"semantic": 131, "architecture": 66, "symbol": 44}


def test_a_swebench_case_has_a_tree_of_its_own() -> None:
    assert len({case.corpus for case in SETS["swebench"]()}) == 33


def test_intent_db_pairs_queries_with_texts() -> None:
    for track, cases, texts in (("easy", 69, 42), ("hard", 48, 48)):
        assert len(intent_db(track)) == cases
        assert len(intent_db_texts(track)) == texts
        assert all(case.targets[0].path in intent_db_texts(track) for case in intent_db(track))


def test_load_keeps_to_the_named_repositories() -> None:
    assert {case.repo for case in load(("semble", "commitloc"), ("click", "flask"))} == {"click", "flask"}
    with pytest.raises(ValueError, match="unknown set 'sembel'; known: semble"):
        load(("sembel",))
    with pytest.raises(ValueError, match="no case of cqs is asked of 'click'; known: cqs"):
        load(("cqs",), ("click",))


def test_every_data_folder_says_where_it_comes_from() -> None:
    for folder in sorted(DATA.iterdir()):
        if folder.is_dir():
            assert (folder / "PROVENANCE.md").is_file(), folder.name


def test_corpora_list_names_the_pins_that_the_cases_use() -> None:
    listed = {(row["slug"], row["rev"]) for row in rows("corpora.jsonl")}
    for case in load(("semble", "iq-bench", "exact", "commitloc", "noanswer")):
        assert (case.corpus.slug, case.corpus.rev) in listed
    assert Corpus("pallets/click", "b67832c2167e5b0ff6764a8c04a0a9087e697b5a").tree == "pallets/click@b67832c2167e"

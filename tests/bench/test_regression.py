"""Does a change of ranking lose on click and flask? Their released sources stand for the pins; the rest of the sets is for `iq-bench`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import corpora, retrieval, tables
from bench.datasets import load
from bench.engine import real
from bench.results import read

SETS, REPOS = ("semble", "commitloc"), ("click", "flask")
BEFORE = Path(__file__).parents[2] / "bench/runs/offline.json"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora")
    for corpus in corpora.wanted(SETS, REPOS):
        brought = corpora.bring(corpus, folder, None, ("registry",))
        if not brought.source:
            pytest.skip(f"{corpus.slug} is not to be had: {brought.reason}")
    return folder


def test_no_set_falls_by_more_than_its_interval(cache: Path) -> None:
    """The paired interval of the difference to the committed run must not lie wholly below zero.

    After a change that is meant: scripts/iq-bench corpora --source registry --set semble --set commitloc --repo click --repo flask --cache DIR, then
    scripts/iq-bench retrieval with the same --set, --repo and --cache, --config=-vectors --no-capsules --json bench/runs/offline.json.
    """
    before = read(BEFORE)
    # The committed run is of words alone, so that it can be held against where there are no models.
    after = retrieval.run(load(SETS, REPOS), ["-vectors"], real(), cache, capsules=False)
    assert not after.missing
    for name in SETS:
        found = tables.paired(before.runs[0], after.runs[0], name, "file ndcg@10", before.seed)
        assert found is not None
        low, high = found.delta.low, found.delta.high
        assert high >= 0, f"{name}: {found.delta.mean:+.3f} [{low:+.3f}, {high:+.3f}], {found.wins} won, {found.losses} lost"

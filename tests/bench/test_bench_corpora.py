from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from bench import corpora
from bench.datasets import Corpus


def git(folder: Path, *words: str) -> str:
    config = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *config, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def mirror(tmp_path: Path) -> tuple[Path, str]:
    """A folder of one bare mirror, and the commit before its newest."""
    work = tmp_path / "work"
    (work / "tests").mkdir(parents=True)
    git(work, "init", "-q")
    (work / "a.py").write_text("old\n")
    (work / "tests/t.py").write_text("t\n")
    (work / ".gitattributes").write_text("tests export-ignore\n")
    git(work, "add", ".")
    git(work, "commit", "-qm", "one")
    pin = git(work, "rev-parse", "HEAD")
    (work / "a.py").write_text("new\n")
    git(work, "commit", "-qam", "two")
    (tmp_path / "mirrors/owner+name").mkdir(parents=True)
    git(tmp_path, "clone", "-q", "--bare", str(work), "mirrors/owner+name/repo")
    return tmp_path / "mirrors", pin


def test_a_pin_comes_from_a_mirror_whole_and_without_history(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, pin = mirror
    before = sorted(path.name for path in (folder / "owner+name/repo").iterdir())
    corpus, cache = Corpus("owner/name", pin, "tests"), tmp_path / "cache"
    brought = corpora.bring(corpus, cache, folder)
    assert (brought.source, brought.exact, brought.absent) == ("mirror", True, ())
    tree = corpora.place(cache, corpus)
    assert (tree / "a.py").read_text() == "old\n"
    assert (tree / "tests/t.py").is_file(), "export-ignore does not apply"
    assert not (tree / ".git").exists()
    assert sorted(path.name for path in (folder / "owner+name/repo").iterdir()) == before, "the mirror is only read"
    assert [path.name for path in tree.parent.iterdir() if path.name.startswith(".part")] == []


def test_what_is_in_the_cache_is_not_brought_again(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, pin = mirror
    corpus, cache = Corpus("owner/name", pin), tmp_path / "cache"
    first = corpora.bring(corpus, cache, folder)
    (corpora.place(cache, corpus) / "a.py").write_text("touched\n")
    assert corpora.bring(corpus, cache, None, sources=()) == first
    assert (corpora.place(cache, corpus) / "a.py").read_text() == "touched\n"


def test_git_brings_a_single_commit(mirror: tuple[Path, str], tmp_path: Path) -> None:
    folder, pin = mirror
    host = tmp_path / "host"
    (host / "owner").mkdir(parents=True)
    (folder / "owner+name/repo").rename(host / "owner/name.git")
    git(host / "owner/name.git", "config", "uploadpack.allowAnySHA1InWant", "true")
    tree = tmp_path / "scratch/tree"
    tree.mkdir(parents=True)
    assert corpora.from_git(Corpus("owner/name", pin), tree, host=host.as_uri()).source == "git"
    assert (tree / "a.py").read_text() == "old\n"


@pytest.mark.parametrize(
    ("slug", "rev", "reason"),
    [
        pytest.param("owner/name", "0" * 40, "mirror: owner+name lacks 000000000000", id="another commit"),
        pytest.param("owner/other", "0" * 40, "mirror: no owner+other/repo", id="no such mirror"),
    ],
)
def test_what_cannot_be_had_is_skipped_by_name(mirror: tuple[Path, str], tmp_path: Path, slug: str, rev: str, reason: str) -> None:
    brought = corpora.bring(Corpus(slug, rev), tmp_path / "cache", mirror[0], sources=("mirror", "registry"))
    assert brought.source == ""
    assert brought.reason == f"{reason}; registry: no package stands in for it"
    report = corpora.report([brought])
    assert "0 of 1 corpora in the cache, 0 of them at their pin" in report
    assert f"skipped {slug}@{rev[:12]}: {reason}" in report


def test_a_file_whose_content_the_mirror_lacks_is_named(mirror: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mirror may leave out the largest files: the tree is still the pin's, and the report says what it came without."""
    folder, pin = mirror
    repository = folder / "owner+name/repo"
    blob = git(repository, "rev-parse", f"{pin}:tests/t.py")
    loose = repository / "objects" / blob[:2] / blob[2:]
    if not loose.is_file():
        for pack in sorted((repository / "objects/pack").glob("*.pack")):
            data = pack.read_bytes()
            for file in (repository / "objects/pack").glob(pack.stem + ".*"):
                file.unlink()
            subprocess.run(["git", "unpack-objects", "-q"], cwd=repository, input=data, check=True)
    loose.unlink()
    corpus = Corpus("owner/name", pin)
    brought = corpora.bring(corpus, tmp_path / "cache", folder, sources=("mirror",))
    assert brought.reason == "mirror: 1 of 3 files have no content here"
    monkeypatch.setattr(corpora, "ABSENT_SHARE", 0.5)
    brought = corpora.bring(corpus, tmp_path / "cache", folder, sources=("mirror",))
    assert brought.absent == ("tests/t.py",)
    assert corpora.recorded(tmp_path / "cache", corpus) == brought
    assert "came without tests/t.py" in corpora.report([brought])


def test_an_archive_is_unpacked_without_its_top_folder(tmp_path: Path) -> None:
    archive = tmp_path / "p-1.tar.gz"
    with tarfile.open(archive, "w:gz") as bundle:
        for name in ("p-1/src/a.py", "p-1/b.py"):
            info = tarfile.TarInfo(name)
            info.size = 2
            bundle.addfile(info, io.BytesIO(b"x\n"))
        link = tarfile.TarInfo("p-1/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        bundle.addfile(link)
    corpora.unpack(archive, tmp_path / "out/packages")
    assert sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()) == [
        "packages/b.py",
        "packages/src/a.py",
    ]


def test_substitutes_are_read_from_the_list() -> None:
    by_slug = {corpus.slug: name for corpus, name in corpora.substitutes().items() if corpus.slug != "pallets/click"}
    assert by_slug["pallets/flask"] == "pypi:flask==3.1.3"
    assert by_slug["colinhacks/zod"] == "npm:zod@4.3.6", "the remark is cut off"
    assert "spf13/cobra" not in by_slug


def test_every_tree_is_wanted_once() -> None:
    trees = corpora.wanted()
    assert len(trees) == len(set(trees)) == 51
    assert {corpus.slug for corpus in corpora.wanted(("semble",), ("click",))} == {"pallets/click"}


def test_the_cache_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IQ_BENCH_CACHE", str(tmp_path))
    assert corpora.default_cache() == tmp_path
    monkeypatch.delenv("IQ_BENCH_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert corpora.default_cache() == tmp_path / "x/iq-bench"

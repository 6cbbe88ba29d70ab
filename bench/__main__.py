"""iq-bench: corpora, retrieval, ablate, intent, intent-set, compare, vaswani, speed, hotspots and report. Tables go to stdout, progress to stderr."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from bench import ablate, corpora, plugged, report, retrieval, tables, tokens, vaswani
from bench.datasets import SETS, load
from bench.engine import Kit, real
from bench.results import Results, commit_here, read, save
from bench.scoring import HEADLINES
from iq.errors import IqError

# What `retrieval` and `ablate` run without --set: the sets that weights may be tuned on.
DEVELOPMENT = ("semble", "iq-bench", "commitloc", "octocode")

# What `calibrate` asks besides the questions without an answer.
ANSWERABLE = ("semble", "iq-bench", "paraphrase")

HERE = Path(__file__).parent


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="iq-bench", description=__doc__)
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")

    fetch = verbs.add_parser("corpora", help="bring each corpus at its pin into the cache", epilog="iq-bench corpora --set semble")
    fetch.add_argument("--set", action="append", choices=list(SETS), help="only the corpora of this set; may be repeated")
    fetch.add_argument("--repo", action="append", help="only the corpora of this repository; may be repeated")
    fetch.add_argument("--mirror", type=Path, metavar="DIR", help="bare repositories laid out owner+name/repo, asked first")
    fetch.add_argument("--source", action="append", choices=["mirror", "git", "registry"], help="only this source; may be repeated")
    fetch.add_argument("--tokenizer", action="store_true", help="bring cl100k_base too, for exact token counts")

    run = verbs.add_parser("retrieval", help="run the engine over the sets", epilog="iq-bench retrieval --set semble --config '' --config bm25")
    run.add_argument(
        "--config", action="append", metavar="SPEC", help="a FEATURES spec such as 'bm25' or '-rm3,-pathrules'; '' is the default; may be repeated"
    )

    run.add_argument("--no-capsules", action="store_true", help="do not print capsules: faster, without their figures")

    drop = verbs.add_parser("ablate", help="full, minus each feature, each leg alone", epilog="iq-bench ablate --set octocode")
    drop.set_defaults(no_capsules=True)
    drop.add_argument("--off", action="append", default=[], metavar="FEATURE", help="a feature that stays off throughout, such as 'vectors'; may be repeated")

    for one in (run, drop):
        one.add_argument("--set", action="append", choices=list(SETS), help=f"default: {', '.join(DEVELOPMENT)}; may be repeated")
        one.add_argument("--repo", action="append", help="only the cases of this repository; may be repeated")
        one.add_argument("--json", type=Path, metavar="FILE", help="write the result file here")
        one.add_argument("--fresh", action="store_true", help="drop each index first, so that its time is that of building it")
        one.add_argument("--repeat", type=int, default=1, metavar="N", help="ask each question N times and keep the median time")

    both = verbs.add_parser("compare", help="two result files, paired by query", epilog="iq-bench compare before.json after.json")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    both.add_argument("--config", metavar="SPEC", help="the configuration to compare in both; default: the first of each")
    both.add_argument("--all", action="store_true", help="every metric of a set, not only its figure")
    both.add_argument("--guard", action="store_true", help="exit 1 where an interval lies wholly below zero")

    verbs.add_parser("vaswani", help="BM25 and RM3 against Anserini")

    page = verbs.add_parser("report", help="tables and a chart from result files", epilog="iq-bench report bench/runs/2026-11-30/*.json")
    page.add_argument("files", type=Path, nargs="+")
    page.add_argument("--out", type=Path, metavar="DIR", help="default: the folder of the first file")

    gates = verbs.add_parser("calibrate", help="fit and report the gates of the verdict", epilog="iq-bench calibrate --set semble --set iq-bench")
    gates.add_argument("--set", action="append", choices=list(SETS), help=f"answerable questions; default: {', '.join(ANSWERABLE)}; may be repeated")
    gates.add_argument("--repo", action="append", help="only the cases of this repository; may be repeated")
    gates.add_argument("--json", type=Path, metavar="FILE", help="write what was measured of each question here, or read it where it exists")
    gates.add_argument("--save", action="store_true", help="use the calibrations from now on, for the models that are installed")

    held = verbs.add_parser("gate", help="the verdict that ships, where an intent orders the answer", epilog="iq-bench gate --intent test")
    held.add_argument("--intent", action="append", help="asked under this intent too; default: implement, test and understand; may be repeated")
    held.add_argument("--set", action="append", choices=list(SETS), help="answerable questions; default: semble, iq-bench; may be repeated")
    held.add_argument("--repo", action="append", help="only the cases of this repository; may be repeated")

    pace = verbs.add_parser("speed", help="index, question after an edit, find against ripgrep, on one tree", epilog="iq-bench speed /usr/lib/python3.11")
    pace.add_argument("tree", type=Path, metavar="DIR")

    stay = verbs.add_parser("resident", help="calls with and without a resident engine against ripgrep, in turns, on one tree", epilog="iq-bench resident DIR")
    stay.add_argument("tree", type=Path, metavar="DIR")
    stay.add_argument("--own-index", action="store_true", help="take the index of DIR with it, and so its vectors; else one is made")

    cost = verbs.add_parser("tokens", help="what finding a place costs a reader, with iq and with grep and whole files", epilog="iq-bench tokens")
    cost.add_argument("--cache", type=Path, metavar="DIR", help="default: $IQ_BENCH_CACHE, else iq-bench in the user's cache folder")

    lens = verbs.add_parser("intent", help="one query under several intents, each with its own right places", epilog="iq-bench intent --form sentence")
    lens.add_argument("--track", choices=["code", "easy", "hard"], default="code", help="code (default), or a track of intent-db, which needs --model")
    lens.add_argument("--form", choices=["words", "sentence"], default="words", help="the identifier in words, or the sentence that documents it")
    lens.add_argument("--model", type=Path, metavar="DIR", help="folder of a sentence encoder: model.onnx and tokenizer.json")

    make = verbs.add_parser("intent-set", help="paired cases of any tree, as JSON lines", epilog="iq-bench intent-set DIR --repo name --rev SHA > cases.jsonl")
    make.add_argument("tree", type=Path, metavar="DIR")
    make.add_argument("--repo", required=True)
    make.add_argument("--rev", default="")

    grown = verbs.add_parser("latency", help="the time of a question by the size of the tree", epilog="iq-bench latency --features=-vectors --size 10000")
    grown.add_argument("--features", default="", metavar="SPEC", help="the configuration to ask with")
    grown.add_argument("--size", type=int, action="append", metavar="CHUNKS", help="a tree of about this many chunks; may be repeated")

    means = verbs.add_parser("imports", help="which files imports mean, per language", epilog="iq-bench imports --mirror DIR --misses 5")
    means.add_argument("--mirror", type=Path, required=True, metavar="DIR", help="bare repositories, laid out owner+name/repo")
    means.add_argument("--misses", type=int, default=0, metavar="N", help="print this many wrong ones a language")

    past = verbs.add_parser("history", help="partners and tests of past commits", epilog="iq-bench history --mirror DIR --repo spf13/cobra")
    past.add_argument("--mirror", type=Path, required=True, metavar="DIR", help="bare repositories with their history, laid out owner+name/repo")
    past.add_argument("--repo", action="append", help="only this repository; may be repeated")
    past.add_argument("--cases", type=int, default=220, metavar="N", help="cases a repository and kind")
    hot = verbs.add_parser("hotspots", help="do hotspots foretell bug fixes better than churn or complexity?", epilog="iq-bench hotspots --mirror DIR")
    hot.add_argument("--mirror", type=Path, required=True, metavar="DIR", help="bare repositories with their history, laid out owner+name/repo")
    hot.add_argument("--repo", action="append", help="owner/name; may be repeated")
    hot.add_argument("--json", type=Path, metavar="FILE", help="write the result file here")

    for one in (fetch, run, drop, lens, grown, gates):
        one.add_argument("--cache", type=Path, metavar="DIR", help="default: $IQ_BENCH_CACHE, else iq-bench in the user's cache folder")
    return top


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def bring(args: argparse.Namespace) -> int:
    cache = args.cache or corpora.default_cache()
    sources = tuple(args.source or ("mirror", "git", "registry"))
    results = []
    for corpus in corpora.wanted(args.set or SETS, tuple(args.repo or ())):
        results.append(corpora.bring(corpus, cache, args.mirror, sources))
        say(f"{corpus.tree}: {results[-1].source or 'skipped'}")
    print(corpora.report(results))
    if args.tokenizer:
        print(tokens.bring(cache))
    return 0 if all(row.source for row in results) else 1


def measured(args: argparse.Namespace, configs: tuple[str, ...], kit: Kit) -> Results:
    cases = load(tuple(args.set or DEVELOPMENT), tuple(args.repo or ()))
    results = retrieval.run(
        cases,
        configs,
        kit,
        args.cache or corpora.default_cache(),
        command=args.command,
        commit=commit_here(HERE),
        capsules=not args.no_capsules,
        fresh=args.fresh,
        repeat=args.repeat,
        say=say,
    )
    if args.json:
        save(results, args.json)
    for tree, why in sorted(results.missing.items()):
        say(f"skipped {tree}: {why}")
    return results


def retrieve(args: argparse.Namespace, kit: Kit) -> int:
    results = measured(args, tuple(args.config or [""]), kit)
    print(report.section(results))
    return 0 if any(run.rows for run in results.runs) else 1


def without_each(args: argparse.Namespace, kit: Kit) -> int:
    labels = ablate.configs(kit.defaults, tuple(args.off))
    results = measured(args, tuple(labels.values()), kit)
    print(ablate.text(results, labels))
    return 0 if any(run.rows for run in results.runs) else 1


def growing(args: argparse.Namespace, kit: Kit) -> int:
    from bench import latency

    print(latency.measure(args.cache or corpora.default_cache(), kit, args.features, sorted(args.size or latency.SIZES), say))
    return 0


def chosen(results: Results, config: str | None, file: Path) -> Results:
    """The results cut down to one configuration. Raises ValueError where the file does not hold it."""
    runs = [run for run in results.runs if config in (None, run.config)]
    if not runs:
        raise ValueError(f"{file} has no configuration '{config}'; it has {', '.join(repr(run.config) for run in results.runs)}")
    return replace(results, runs=(runs[0],))


def compared(args: argparse.Namespace) -> int:
    before, after = (chosen(read(file), args.config, file) for file in (args.before, args.after))
    lost = False
    for name in [known for known in tables.sets(before) if known in tables.sets(after)]:
        lines = []
        for at, metric in enumerate(HEADLINES[name]):
            if at and not args.all:
                break
            found = tables.paired(before.runs[0], after.runs[0], name, metric, before.seed)
            if found is None:
                continue
            first = tables.number(tables.mean(tables.of(before.runs[0], name), metric))
            lines.append([metric, first, *tables.paired_row("", tables.mean(tables.of(after.runs[0], name), metric), found)[1:]])
            lost = lost or (at == 0 and found.delta.high < 0)
        print(f"### {name}\n\n" + tables.table(["metric", str(args.before), str(args.after), *tables.PAIRED_HEADER], lines) + "\n")
    return 1 if args.guard and lost else 0


def against_anserini(args: argparse.Namespace) -> int:
    found = vaswani.check(*plugged.scoring())
    print(vaswani.text(found))
    return 0 if found.passes else 1


def paged(args: argparse.Namespace) -> int:
    found = [(file.name.partition(".")[0], read(file)) for file in args.files]
    for path in report.write(found, args.out or args.files[0].parent):
        print(path)
    return 0


def stayed(args: argparse.Namespace) -> int:
    from bench import resident

    print(resident.measure(args.tree, args.own_index))
    return 0


def spent(args: argparse.Namespace) -> int:
    from bench import locate

    print(locate.report(*locate.measure(args.cache or corpora.default_cache(), say)))
    return 0


def timed(args: argparse.Namespace) -> int:
    from bench import speed

    print(speed.measure(args.tree))
    return 0


def lensed(args: argparse.Namespace, kit: Kit) -> int:
    cache = args.cache or corpora.default_cache()
    if args.track == "code":
        from bench import intent

        cases = intent.code_cases(args.form, cache)
        outcomes, pairs = intent.run(cases, kit.open, cache, say)
        if not any(outcomes.values()):
            return 1
        print(intent.text(outcomes, pairs))
        return 0
    if args.model is None:
        raise ValueError(f"track {args.track} needs --model DIR, a folder with model.onnx and tokenizer.json")
    from bench import embedding, intentdb

    print(intentdb.text(intentdb.track(args.track, embedding.encoder(args.model))))
    return 0


def generated(args: argparse.Namespace) -> int:
    import json

    from bench import intentgen

    cases = intentgen.generate(str(args.tree), args.repo, args.rev)
    for case in cases:
        print(json.dumps(case, ensure_ascii=False))
    return 0 if cases else 1


def foretold(args: argparse.Namespace) -> int:
    from bench import history

    found = history.main(args.mirror, tuple(args.repo or ()), args.cases, say)
    print(found)
    return 0 if found else 1


def meant(args: argparse.Namespace) -> int:
    from bench import imports

    print(imports.main(args.mirror, args.misses, say))
    return 0


def ranked_hot(args: argparse.Namespace) -> int:
    from bench import hotspots

    runs, missing = hotspots.run(args.mirror, tuple(args.repo or hotspots.REPOS), say)
    for repo, why in sorted(missing.items()):
        say(f"skipped {repo}: {why}")
    if not runs[0].rows:
        return 1
    if args.json:
        save(Results(args.command, commit_here(HERE), {}, "none", runs, missing=missing), args.json)
    print(hotspots.report(runs))
    return 0


def gated(args: argparse.Namespace) -> int:
    from bench import calibrated

    cases = load(("noanswer", *(args.set or ANSWERABLE)), tuple(args.repo or ()))
    return calibrated.run(args, cases, corpora.default_cache(), say)


def under_intents(args: argparse.Namespace) -> int:
    from bench import gated as gate

    cases = load(("noanswer", *(args.set or ("semble", "iq-bench"))), tuple(args.repo or ()))
    rows = gate.ask(cases, args.intent or ("implement", "test", "understand"), corpora.default_cache(), say)
    print(gate.report(rows))
    return 0 if rows else 1


PLAIN: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "corpora": bring,
    "compare": compared,
    "vaswani": against_anserini,
    "report": paged,
    "speed": timed,
    "resident": stayed,
    "tokens": spent,
    "intent-set": generated,
    "history": foretold,
    "imports": meant,
    "hotspots": ranked_hot,
    "calibrate": gated,
    "gate": under_intents,
}
WITH_ENGINE: Mapping[str, Callable[[argparse.Namespace, Kit], int]] = {
    "retrieval": retrieve,
    "ablate": without_each,
    "intent": lensed,
    "latency": growing,
}


def main(words: list[str], kit: Callable[[], Kit] = real) -> int:
    """0 done, 1 nothing to show or a check failed, 2 the call does not fit."""
    args = parser().parse_args(words)
    args.command = " ".join(["iq-bench", *(word if word and " " not in word else f"'{word}'" for word in words)])
    try:
        return PLAIN[args.verb](args) if args.verb in PLAIN else WITH_ENGINE[args.verb](args, kit())
    except (IqError, ImportError, LookupError, OSError, ValueError) as error:
        say(f"iq-bench: {error}")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What is measured of a ranking, what the hint says, and that a verdict changes nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import log

import pytest

from iq.features import DEFAULTS
from iq.floor.weak import WORDS, Calibration, Gate
from iq.index.session import Session
from iq.index.store import Store
from iq.index.tokens import terms
from iq.index.workspace import find
from iq.models import calibration
from iq.plan import pipeline, rerank, verdict
from iq.plan.classify import classify
from iq.plan.route import route
from iq.types import Candidate, Plan, Ranking, Scope

FILES = {
    "src/parser.py": "def parse_options(args):\n    '''Parses command line options.'''\n    return args\n",
    "src/colour.py": "def strip_colour(text):\n    '''Removes colour codes from text.'''\n    return text\n",
    "src/server.py": "class HttpServer:\n    def listen(self, port):\n        '''Opens a socket.'''\n        return port\n",
    "src/.env": "PASSWORD=hunter2 parse options of the command line\n",
    "README.md": "# Tool\n\nHow command line options are parsed.\n",
}
OFF_TOPIC = "quarterly revenue forecasts of the zoological garden"
WITHOUT = DEFAULTS - {"vectors"}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("IQ_MODEL_DIR", str(tmp_path / "no models"))
    monkeypatch.setenv("IQ_CACHE_DIR", str(tmp_path / "calibrations"))


@pytest.fixture
def store(workspace) -> Store:
    place = workspace(FILES)
    return Session(find(str(place.root), str(place.root)), str(place.root)).level()[0]


def planned(question: str, features: frozenset[str] = WITHOUT, scope: Scope = Scope()) -> Plan:
    return route(classify(question), scope, features)


def ask(store: Store, question: str, features: frozenset[str] = WITHOUT, scope: Scope = Scope()) -> Ranking:
    return pipeline.run(store, planned(question, features, scope))


def test_the_signals_of_words(store: Store) -> None:
    """Both words occur, so all idf is known; a word that does not takes its own share, that of a term in no chunk."""
    whole = ask(store, "parse options").signals
    assert whole["known"] == 1.0 and 0 < whole["text"] < 1 and whole["names"] > 0
    half = ask(store, "parse zebra").signals
    count = store.count("chunks")
    parse, zebra = log(1 + (count - 2 + 0.5) / 2.5), log(1 + (count + 0.5) / 0.5)
    assert half["known"] == pytest.approx(parse / (parse + zebra))


def test_a_lead_is_measured_against_the_second_and_the_third(store: Store) -> None:
    found = ask(store, "parse command line options of the socket server text")
    scores = [c.score for c in found.files]
    assert found.signals["lead"] == scores[0] - scores[1]
    assert found.signals["margin"] == (scores[0] - scores[2]) / scores[0]


@pytest.mark.parametrize(
    ("features", "scope", "lacks"),
    [
        pytest.param(WITHOUT - {"classprior"}, Scope(), {"lead", "margin"}, id="another recipe has another scale"),
        pytest.param(WITHOUT - {"bm25f"}, Scope(), {"lead", "text"}, id="plain scores are not bounded by idf"),
        pytest.param(WITHOUT - {"defrules"}, Scope(), {"names", "lead"}, id="no names looked at"),
        pytest.param(WITHOUT, Scope(only=("docs",)), {"names", "lead"}, id="sections of documents"),
        pytest.param(WITHOUT, Scope(only=("tests",)), set(), id="an empty scope has no signals at all"),
    ],
)
def test_what_was_not_measured_as_calibrated_is_no_signal(store: Store, features: frozenset[str], scope: Scope, lacks: set[str]) -> None:
    found = ask(store, "how are command line options parsed", features, scope)
    assert not lacks & found.signals.keys()
    assert found.verdict in (("", "unjudged") if lacks & {"names", "text"} or not lacks else ("unjudged", "weak"))


def test_off_topic_is_weak_and_the_hint_names_what_occurs(store: Store) -> None:
    found = ask(store, f"{OFF_TOPIC} text")
    assert found.verdict == "weak" and found.files
    assert "these occur here in some form: text" in found.hint and "zoological" not in found.hint
    assert found.signals["known"] < 0.3


def test_a_hint_names_only_words_that_occur(store: Store) -> None:
    vocabulary = {row[0] for row in store.db.execute("SELECT term FROM chunk_vocabulary")}
    for question in ("zoo parse_options", "parse HttpServer Zebra options quux", "listening PORTS of zebras", "colour and the zebra's socket"):
        found = {term: 1 for term in terms(question).split() if term in vocabulary}
        text = verdict.hint(question, found)
        named = text.partition("these occur here in some form: ")[2].partition(". Stop")[0].split(", ")
        assert named and all(terms(word).split()[0] in vocabulary for word in named), text
    assert "none of its words occurs here" in verdict.hint("zebra quux", {})
    assert "in some form: options, parse. Stop" in verdict.hint("ParseZebraOptions", {"pars": 2, "option": 1, "parse": 2, "options": 1})


def test_a_defined_identifier_is_never_off_topic(store: Store) -> None:
    assert ask(store, f"parse_options {OFF_TOPIC}").verdict not in ("weak", "")
    assert ask(store, f"PARSE_OPTIONS {OFF_TOPIC}").verdict not in ("weak", "")
    assert ask(store, f"parse_zebras {OFF_TOPIC}").verdict == "weak"


def test_another_language_is_not_called_off_topic(store: Store) -> None:
    assert ask(store, "где разбираются параметры text").verdict == "unjudged"
    assert ask(store, "オプションの解析 text").verdict == "unjudged"


@pytest.mark.parametrize("question", ["parse_options", "src/parser.py", "how are command line options parsed", OFF_TOPIC + " text", "!!!", "the of"])
def test_a_verdict_changes_no_rank_and_off_leaves_no_trace(store: Store, question: str) -> None:
    on, off = ask(store, question), ask(store, question, WITHOUT - {"verdict"})
    assert on.files == off.files and on.chunks == off.chunks and on.notes == off.notes
    assert (off.verdict, off.hint) == ("", "")


def test_a_question_without_a_word_is_not_judged(store: Store) -> None:
    """With vectors it has neighbours, and nothing to say what they are worth."""
    from dataclasses import replace

    plan, some = planned("!!! ???"), ask(store, "parse options of the command line")
    assert verdict.judged(store, plan, replace(some, verdict="")).verdict == "unjudged"
    assert verdict.judged(store, plan, Ranking((), ())).verdict == ""


def test_questions_that_need_no_ranking_are_not_judged(store: Store) -> None:
    assert ask(store, "parse_options").verdict == "" and ask(store, "src/parser.py").verdict == ""


class Fixed:
    hash = "fixed"

    def __init__(self, value: float) -> None:
        self.value, self.read = value, list[str]()

    def score(self, question: str, passages: Sequence[str], limit: int) -> list[float]:
        self.read += passages
        return [self.value] * len(passages)


def test_the_best_probability_is_a_signal_and_secrets_are_not_read(store: Store) -> None:
    plan = planned("how are command line options parsed", WITHOUT - {"verdict"})
    model = Fixed(0.8)
    read = rerank.rerank(store, plan.query.text, pipeline.run(store, plan), model)
    assert verdict.measure(store, plan, read, {})["probability"] == pytest.approx(log(0.8 / 0.2))
    assert model.read and not any("hunter2" in passage for passage in model.read)
    assert rerank.passage(store, Candidate("src/.env", 0, 0, 1.0)) == ""
    certain = rerank.rerank(store, plan.query.text, pipeline.run(store, plan), Fixed(1.0))
    assert verdict.measure(store, plan, certain, {})["probability"] == pytest.approx(log((1 - verdict.LEAST) / verdict.LEAST))


def test_explaining_an_answer_reads_no_passage_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ranking is made anew for each feature that could be off; that is a question of order, which reading has no part in."""
    from iq.models import files, reranker
    from iq.verbs.explain import explain

    model = Fixed(0.8)
    monkeypatch.setattr(reranker, "loaded", lambda: model)
    monkeypatch.setattr(files, "present", lambda role: True)
    plan = planned("how are command line options parsed", WITHOUT | {"rerank"})
    found = pipeline.run(store, plan)
    read = len(model.read)
    text = explain(store, plan, found)
    assert read == len(model.read) > 0
    assert f"verdict: {found.verdict} · known " in text and "without verdict" not in text and "without rerank" not in text


INTENTS = ("implement", "test", "understand", "configure", "debug", "history", "usage", "review", "planning")


def under(store: Store, question: str, name: str, features: frozenset[str] = WITHOUT, how: str = "declared") -> Ranking:
    from iq.types import Chosen

    return pipeline.run(store, route(classify(question), Scope(), features, Chosen(name, how)))


@pytest.mark.parametrize("name", INTENTS)
def test_under_an_intent_off_topic_stays_weak_and_its_scores_make_nothing_confident(store: Store, name: str) -> None:
    """Its scores have another scale; whether the question is about this workspace does not depend on the order of what answers it."""
    assert name == "implement" or under(store, "how are command line options parsed", name).verdict == "unjudged"
    found = under(store, f"{OFF_TOPIC} text", name)
    assert found.verdict == "weak" and "these occur here in some form: text" in found.hint and found.files
    assert under(store, f"{OFF_TOPIC} text", name, how="inferred").verdict == "weak"
    assert under(store, f"parse_options {OFF_TOPIC}", name).verdict != "weak", "what is defined here is not off topic"


def test_the_plain_verdict_vouches_for_the_first_file_under_implement(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    question = "how are command line options parsed"
    for plain, other, said in (("confident", False, "confident"), ("confident", True, "ambiguous"), ("ambiguous", False, "ambiguous"),
                               ("unjudged", False, "unjudged"), ("weak", False, "unjudged")):  # fmt: skip

        def judged(store: Store, plan: Plan, ranking: Ranking, plain: str = plain, other: bool = other) -> Ranking:
            assert plan.intent is not None or "classprior" in plan.features
            files = ranking.files[1:] if other and plan.intent is None else ranking.files
            return replace(ranking, files=files, verdict="unjudged" if plan.intent is not None else plain)

        monkeypatch.setattr(pipeline, "judged", judged)
        assert under(store, question, "implement").verdict == said
        assert under(store, question, "implement", how="inferred").verdict == "unjudged"
        assert under(store, question, "debug").verdict == "unjudged"
        assert ask(store, question).verdict == plain
    assert under(store, question, "implement", WITHOUT - {"verdict"}).verdict == ""


@pytest.mark.parametrize("question", ["parse options", "parse zebra", "how are command line options parsed", f"{OFF_TOPIC} text"])
def test_the_signals_of_a_topic_are_those_of_the_plain_ranking(store: Store, question: str) -> None:
    plain, lensed = ask(store, question).signals, under(store, question, "test").signals
    assert lensed["known"] == plain["known"] and lensed["names"] == plain["names"] and lensed["text"] >= plain["text"]
    assert not {"lead", "margin"} & lensed.keys()


def test_a_cosine_to_an_instruction_is_no_signal(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """An intent of one's own may put words before what is embedded: whatever is asked is then near to what those mean."""
    from iq.plan.legs import vectors
    from iq.types import Chosen, Intent

    monkeypatch.setattr(vectors, "leg", lambda *_: vectors.Dense(signals={"cosine": 0.9, "rise": 0.4, "embedded": 1.0}))
    for instruction, there in (("", True), ("Find what the command line does with options: ", False)):
        lens = Intent("mine", "of the command line", ("options",), instruction)
        found = pipeline.run(store, route(classify(f"{OFF_TOPIC} text"), Scope(), DEFAULTS, Chosen("mine", "declared", lens=lens)))
        assert ("cosine" in found.signals) == there
        assert found.verdict == ("unjudged" if there else "weak")  # no model here that a cosine could be calibrated for


def test_a_question_to_half_embedded_chunks_has_no_cosine_and_no_lead(store: Store) -> None:
    from dataclasses import replace

    plan = planned("how are command line options parsed")
    found = pipeline.run(store, plan)
    for share, there in ((0.5, False), (verdict.EMBEDDED, True)):
        half = replace(found, signals={"bm25": 1.0, "cosine": 0.7, "rise": 0.1, "embedded": share})
        assert ({"cosine", "lead"} <= verdict.measure(store, plan, half, {}).keys()) == there


def test_calibrations_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    from tests import tiny_onnx

    monkeypatch.setenv("IQ_MODEL_DIR", str(tmp_path / "models"))
    tiny_onnx.embedder(tmp_path / "models/embedder")
    found, note = calibration.calibration(dense=True, read=False)
    assert found is None and "no calibration of this embedder" in note and "iq-bench calibrate" in note
    mine = Calibration(Gate({"known": 1.0}, 0.5, 0.25), Gate({"lead": 2.0}, 0.0, 1.0), 0.5)
    assert calibration.save(calibration.name(True, False), mine) == calibration.place()
    assert calibration.calibration(dense=True, read=False) == (mine, "")
    for broken in ("{", "[]", '{"a": {"topic": 1}}', json.dumps({"a": {"topic": {"weights": 1}, "first": {}, "whole": 1}})):
        with open(calibration.place(), "w", encoding="utf-8") as file:
            file.write(broken)
        found, note = calibration.calibration(dense=True, read=False)
        assert found is None and calibration.place() in note
    assert calibration.calibration(dense=False, read=False)[0] is not None  # what is built in needs no file
    calibration.save("again", mine)
    assert calibration.saved() == {"again": mine}


def test_without_models_on_the_command_line(workspace) -> None:
    ws = workspace(FILES)
    code, out, _ = ws.iq(f"{OFF_TOPIC} text")
    assert code == 0 and "verdict weak" in out.splitlines()[0]
    assert out.splitlines()[1].startswith("hint: the question seems to be about something else; of its words these occur here in some form: text")
    code, out, _ = ws.iq(f"{OFF_TOPIC} text", "--json")
    row: Mapping[str, object] = json.loads(out)
    assert code == 0 and row["verdict"] == "weak" and "text" in str(row["hint"]) and row["items"]
    assert "verdict" not in ws.iq(f"{OFF_TOPIC} text", "--features=-verdict")[1]
    assert "verdict confident" in ws.iq("parse_options")[1].splitlines()[0]
    assert WORDS == "words"


def test_an_uncalibrated_embedder_is_named(workspace, tiny) -> None:
    ws = tiny(workspace(FILES))
    assert ws.iq("index", "embed")[0] == 0
    code, out, _ = ws.iq("where is the color removed")
    assert code == 0 and "verdict unjudged" in out.splitlines()[0] and "no calibration of this embedder" in out


def test_an_uncalibrated_reranker_leaves_the_answer_unjudged(workspace, tiny) -> None:
    ws = tiny(workspace(FILES))
    env = {**ws.environment(), "IQ_EMBED": "0"}
    code, out, _ = ws.iq("where is the color removed", "--features=+rerank,-vectors", env=env)
    assert code == 0 and "verdict unjudged" in out.splitlines()[0] and "no calibration of this reranker" in out
    for question in ("where is the color removed", "how are command line options of the socket server parsed"):
        assert "verdict ambiguous" not in ws.iq(question, "--features=-vectors", env=env)[1]  # which words alone cannot say
    assert "hint" not in json.loads(ws.iq("parse_options", "--json", env=env)[1])

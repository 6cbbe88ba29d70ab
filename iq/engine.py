"""The engine: a workspace that takes requests. What the command line, the bench and a server share."""

from __future__ import annotations

import os
from collections.abc import Callable

from iq.errors import IqError, UsageError
from iq.features import parse
from iq.frozen import replace
from iq.index.session import Session
from iq.index.workspace import find
from iq.types import Answer, Progress, Ranking, Request, Scope
from iq.verbs import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeVar

    Made = TypeVar("Made")

DAMAGED = "the index was damaged and was set aside"


class Engine:
    """Answers requests about one workspace. The index is brought level once; `level` looks at the tree again."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def open(cls, root: Path | str | None = None, *, cwd: str | None = None, progress: Progress | None = None, now: float | None = None) -> Engine:
        """Opens the workspace at `root`, or the one around `cwd`; `now` stands for the clock. Raises UsageError where there is none."""
        place = cwd or os.getcwd()
        return cls(Session(find(place, str(root) if root is not None else None), place, progress, now))

    def level(self) -> None:
        """Builds the index or brings it level."""
        self.session.renew()
        self._soundly(self.session.level)

    def complete(self) -> bool:
        """Whether there is an index that was built to its end."""
        from iq.errors import StorageError
        from iq.index.store import Store

        try:
            store = Store.peek(self.session.workspace.database)
        except StorageError:
            return False
        try:
            return store.meta("complete") == "1"
        finally:
            store.close()

    def preload(self) -> None:
        """Loads the models that a question would load, where there are any and vectors to use them on."""
        from iq.models import files

        if os.path.exists(self.session.workspace.database) and files.present("embedder"):
            from iq.models import embedder

            embedder.loaded()

    def rank(self, text: str, *, scope: Scope = Scope(), features: frozenset[str] | None = None, intent: str | None = None) -> Ranking:
        """The ranking of a question, unprinted; without an intent one may be inferred. Raises UsageError for an unknown intent."""
        from iq.plan import pipeline
        from iq.plan.classify import classify
        from iq.plan.route import route
        from iq.verbs.intents import choose, named

        self.session.begin()
        features = parse(None) if features is None else features
        query = classify(text)

        def ranked() -> Ranking:
            store, _ = self.session.level()
            chosen = choose(self.session, store, text, features, named(self.session, features, intent))
            return pipeline.run(store, route(query, scope, features, chosen), self.session.rows)

        ranking, damaged = self._soundly(ranked)
        if query.anchors:
            from iq.plan.artefacts.resolve import pin

            ranking = pin(self.session, query, scope, ranking)
        return replace(ranking, notes=(*ranking.notes, DAMAGED)) if damaged else ranking

    def answer(self, request: Request) -> Answer:
        """Raises UsageError for an unknown verb or an empty question."""
        if request.verb not in VERBS:
            raise UsageError(f"unknown verb '{request.verb}'; known: {', '.join(VERBS)}")
        verb = VERBS[request.verb]
        if not request.text.strip() and not verb.words.startswith("["):
            raise UsageError(f"empty question: iq {request.verb} needs {verb.words}; for example {verb.examples[0]}")
        self.session.begin()
        module, _, function = verb.run.partition(":")
        run: Callable[[Session, Request], Answer] = getattr(__import__(f"iq.verbs.{module}", fromlist=[function]), function)
        answer, damaged = self._soundly(lambda: run(self.session, request))
        return replace(answer, notes=(*answer.notes, DAMAGED)) if damaged else answer

    def _soundly(self, run: Callable[[], Made]) -> tuple[Made, bool]:
        """What `run` returns, and whether the index had to be set aside for it.

        Damage behind the first page shows only when a query reaches it; a cache may be built anew at any moment.
        """
        try:
            return run(), False
        except IqError:
            raise
        except Exception as error:
            if not self.session.discard(error):
                raise
            return run(), True

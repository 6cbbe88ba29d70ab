"""The values that cross module borders; nothing here reads a file or computes a score.

Paths are relative to the workspace root, with `/`, as `os.fsdecode` gives them. Lines are 1-based and spans inclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from iq.frozen import dataclass, field

KINDS = (
    "function",
    "method",
    "class",
    "interface",
    "trait",
    "struct",
    "enum",
    "type",
    "const",
    "variable",
    "module",
    "macro",
    "field",
    "route",
    "test",
    "heading",
    "target",
)

CLASSES = ("src", "tests", "docs", "config", "examples", "generated", "history", "vendored", "notes")


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition. `line..end` holds the whole definition with its leading comments; `name_line` its name."""

    name: str
    kind: str
    line: int
    end: int
    name_line: int
    column: int
    container: str
    signature: str
    doc: str
    exported: bool

    @property
    def qualified(self) -> str:
        return f"{self.container}.{self.name}" if self.container else self.name


@dataclass(frozen=True, slots=True)
class Import:
    """A module as written in an import statement. `kind` is one of those in index.imports; `names` are what is taken from it."""

    module: str
    line: int
    kind: str = "import"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Syntax:
    """What one parse yields: definitions in source order, comment spans in bytes, imported modules as written."""

    symbols: tuple[Symbol, ...] = ()
    comments: tuple[tuple[int, int], ...] = ()
    imports: tuple[Import, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of lines that is retrieved as one: `names` are defined in it, `symbol` encloses or is it."""

    start: int
    end: int
    symbol: str
    kind: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """Which files a question is about. `within` are paths under the root; empty fields do not restrict."""

    within: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    not_globs: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """How an answer is cut and printed. `budget` is in tokens and hard; `after` is the last anchor already seen.

    Where some lines are `cited` because they were shown before, more items fit.
    """

    budget: int = 1500
    limit: int | None = None
    context: int | None = None
    files_only: bool = False
    count: bool = False
    full: bool = False
    form: str = "text"
    after: str | None = None
    explain: bool = False
    cited: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One call: a verb, its words, its own options, and the scope and output every verb shares."""

    verb: str
    words: tuple[str, ...]
    options: Mapping[str, object]
    scope: Scope
    output: Output
    features: frozenset[str]

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Call:
    """The words of one command line and what its terminal says: `columns` 0 is no terminal, `stdin` None is not read yet.

    `features` stand in the caller's environment; `host` says where the call is answered.
    """

    words: tuple[str, ...]
    cwd: str
    features: str | None = None
    colour: bool = False
    columns: int = 0
    stdin: bytes | None = None
    host: str = "in process"


@dataclass(frozen=True, slots=True)
class Reply:
    """What one call prints and its exit code."""

    out: bytes = b""
    err: bytes = b""
    code: int = 0


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was searched and what was not: `skipped` counts files by reason."""

    searched: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    fresh: str = "live"


@dataclass(frozen=True, slots=True)
class Frame:
    """A place that a pasted artefact names, as written there; what is not said is empty, an unknown line 0.

    `quoted` are source lines that the artefact shows, of which the first stands at `line`; of a diff hunk the old side, while
    `added` is its new one. `kind` says how to look: frame, test (`quoted` is a title), call (a function without a file,
    `quoted` its parameters), hunk, code, or text (`quoted` are the constant parts of a message). `away` marks a path in an
    installed library or a runtime.
    """

    path: str
    line: int = 0
    function: str = ""
    quoted: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    kind: str = "frame"
    away: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A frame found in the live tree: `lines` are those it means, first the one it is about; 0 is the file as a whole.

    `state` is verified, moved or gone, and `why` says what was found instead of what the frame says.
    """

    path: str
    lines: tuple[int, ...]
    state: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A classified question. `kind` is path, symbol, regex, literal, prose or artefact.

    Of a pasted artefact, `anchors` are the places it names, likeliest cause first, `text` is the prose that is left, and `title`
    says what was pasted.
    """

    kind: str
    text: str
    identifiers: tuple[str, ...] = ()
    anchors: tuple[Frame, ...] = ()
    title: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """A purpose a question can have. `classes` are the file classes that answer it, `patterns` expressions that speak for a chunk.

    Built-in intents have a row of class priors, cues and evidence of their own in `plan.intents`; authored ones have texts.
    """

    name: str
    description: str = ""
    exemplars: tuple[str, ...] = ()
    instruction: str = ""
    classes: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """The intent of one question and who chose it: `how` is declared, environment, session or inferred; `why` the words that did.

    `lens` is set for an authored intent, `weights` (λ, β) where they were learned here. `touched` are changed spans,
    `near` files that changed together with them: what `review` is about.
    """

    name: str
    how: str
    why: str = ""
    lens: Intent | None = None
    weights: tuple[float, float] | None = None
    touched: tuple[tuple[str, int, int], ...] = ()
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What will run for a query: legs in order and the features that are on. An ablation is another Plan."""

    query: Query
    legs: tuple[str, ...]
    features: frozenset[str]
    scope: Scope
    intent: Chosen | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of one leg; `score` is comparable within that leg only. `chunk` is its row in the index, 0 of what is no chunk."""

    path: str
    start: int
    end: int
    score: float
    symbol: str = ""
    kind: str = ""
    names: tuple[str, ...] = ()
    chunk: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file after fusion with its best span: leg ranks from 1, what made the score by name, and the copies that it stands for."""

    path: str
    start: int
    end: int
    score: float
    symbol: str = ""
    kind: str = ""
    ranks: Mapping[str, int] = field(default_factory=dict)
    boosts: Mapping[str, float] = field(default_factory=dict)
    file_class: str = ""
    twins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """`files` holds each file once, best first; `chunks` the spans inside them, best first, across files.

    `signals` are absolute where scores are relative to the best: what the verdict is made of. `hint` is what to do about it.
    """

    files: tuple[Candidate, ...]
    chunks: tuple[Candidate, ...]
    notes: tuple[str, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)
    verdict: str = ""
    hint: str = ""


# Told now and then how far long work is: done, total and, where it is not files, the unit.
Progress = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: its full id, when it was committed (seconds since 1970), its author through `.mailmap`."""

    sha: str
    time: int
    author: str
    email: str
    subject: str

    @property
    def short(self) -> str:
        return self.sha[:10]


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line. `hit` marks those that answer; the others are context."""

    number: int
    text: str
    hit: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """One anchor of an answer: what it is, why it is here, the live lines under it.

    `commit` is the one that the item tells of; where `rev` is set, path and lines are those of that commit, not of the live tree.
    `key` tells items apart that would have one anchor.
    """

    path: str
    start: int
    end: int
    label: str = ""
    why: str = ""
    lines: tuple[Line, ...] = ()
    commit: Commit | None = None
    rev: str = ""
    key: str = ""

    @property
    def anchor(self) -> str:
        lines = "" if self.start == 0 else f":{self.start}" if self.start == self.end else f":{self.start}-{self.end}"
        return f"{self.path}{lines}{'@' + self.rev[:10] if self.rev else ''}{'#' + self.key if self.key else ''}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a verb returns. `items` is the answer in order; `beyond` more follow that no budget could show. Rendering cuts, and says so."""

    verb: str
    query: str
    kind: str
    items: tuple[Item, ...]
    total: int
    files: int
    coverage: Coverage
    notes: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    docs: str = ""
    verdict: str = ""
    hint: str = ""
    unit: str = "hits"
    ranked: bool = False
    plan: str = ""
    command: str = ""
    intent: str = ""
    beyond: int = 0

"""Models of a few kilobytes in the usual ONNX layout, for tests of everything that happens around a model.

Words are rows of a fixed table; words of one group share a row, so that `delete` means what `remove` means. The embedder
yields the rows; the reranker the dot product of the summed rows of question and passage. Graphs are written in onnx.proto's wire format.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy

WIDTH = 32

GROUPS = (
    ("remove", "delete", "erase"), ("colour", "color", "ansi"), ("open", "read", "load"), ("file", "path"), ("retry", "again", "attempt"),
    ("parse", "parser", "options"), ("walk", "tree", "folder"), ("socket", "network"), ("cache", "store"), ("def", "class", "return", "self", "import"),
)  # fmt: skip

FLOAT, INT64 = 1, 7


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = b""
    while True:
        byte, value = value & 0x7F, value >> 7
        out += bytes([byte | (0x80 if value else 0)])
        if not value:
            return out


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def message(field: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def node(kind: str, inputs: list[str], output: str, *attributes: bytes) -> bytes:
    return message(1, *(message(1, name.encode()) for name in inputs), message(2, output.encode()), message(4, kind.encode()), *attributes)


def integer(name: str, value: int) -> bytes:
    return message(5, message(1, name.encode()), number(3, value), number(20, 2))


def value(field: int, name: str, kind: int, shape: list[str | int]) -> bytes:
    dims = [message(1, number(1, dim) if isinstance(dim, int) else message(2, dim.encode())) for dim in shape]
    return message(field, message(1, name.encode()), message(2, message(1, number(1, kind), message(2, *dims))))


def tensor(name: str, array: numpy.ndarray, kind: int) -> bytes:
    return message(5, *(number(1, dim) for dim in array.shape), number(2, kind), message(8, name.encode()), message(9, array.tobytes()))


def network(nodes: list[bytes], tensors: list[bytes], inputs: list[bytes], output: bytes) -> bytes:
    graph = message(7, *nodes, message(2, b"tiny"), *tensors, *inputs, output)
    return number(1, 8) + graph + message(8, number(2, 13))


def words() -> list[str]:
    return ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(word for group in GROUPS for word in group)]


def table(seed: int = 0, width: int = WIDTH) -> numpy.ndarray:
    random = numpy.random.default_rng(seed)
    rows = [numpy.zeros(width), random.standard_normal(width) * 0.1, numpy.zeros(width), numpy.zeros(width)]
    for group in GROUPS:
        rows += [random.standard_normal(width)] * len(group)
    return numpy.array(rows, numpy.float32)


def tokenizer(extra: int = 0) -> str:
    """`extra` words more than the networks know."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    every = words() + [f"extra{at}" for at in range(extra)]
    made = Tokenizer(models.WordLevel({word: at for at, word in enumerate(every)}, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Punctuation(), pre_tokenizers.Split("_", "removed")])
    made.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", [("[CLS]", 2), ("[SEP]", 3)])
    return made.to_str()


def embedder(folder: Path, seed: int = 0, width: int = WIDTH) -> Path:
    """A model folder whose network is another for another seed."""
    body = network(
        [node("Gather", ["table", "input_ids"], "last_hidden_state")],
        [tensor("table", table(seed, width), FLOAT)],
        [value(11, name, INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask")],
        value(12, "last_hidden_state", FLOAT, ["batch", "length", width]),
    )
    return _write(folder, body)


def reranker(folder: Path, seed: int = 0) -> Path:
    one = numpy.array([1], numpy.int64)
    nodes = [
        node("Gather", ["table", "input_ids"], "rows"),
        node("Cast", ["token_type_ids"], "kinds", integer("to", FLOAT)),
        node("Unsqueeze", ["kinds", "last"], "second"),
        node("Mul", ["rows", "second"], "passages"),
        node("Sub", ["rows", "passages"], "questions"),
        node("ReduceSum", ["passages", "axis"], "passage", integer("keepdims", 0)),
        node("ReduceSum", ["questions", "axis"], "question", integer("keepdims", 0)),
        node("Mul", ["question", "passage"], "both"),
        node("ReduceSum", ["both", "axis"], "logits", integer("keepdims", 1)),
    ]
    body = network(
        nodes,
        [tensor("table", table(seed) * 0.1, FLOAT), tensor("axis", one, INT64), tensor("last", one * 2, INT64)],
        [value(11, name, INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask", "token_type_ids")],
        value(12, "logits", FLOAT, ["batch", 1]),
    )
    return _write(folder, body)


def _write(folder: Path, body: bytes) -> Path:
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    (folder / "onnx" / "model_quantized.onnx").write_bytes(body)
    (folder / "tokenizer.json").write_text(tokenizer(), "utf-8")
    (folder / "config.json").write_text(json.dumps({"vocab_size": len(words())}), "utf-8")
    return folder


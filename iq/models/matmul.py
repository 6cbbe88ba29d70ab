"""A product of int8 matrices in int32, by onnxruntime: 8 ms for 100,000 x 384 where numpy, which has no integer BLAS, takes 60."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy
    import onnxruntime

# Element types of onnx.proto.
_INT8, _INT32 = 3, 6


def product(left: numpy.ndarray, right: numpy.ndarray) -> numpy.ndarray:
    """int8 (n, d) times int8 (d, m), exact."""
    found: numpy.ndarray = _session().run(None, {"a": left, "b": right})[0]
    return found


@lru_cache(maxsize=1)
def _session() -> onnxruntime.InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(_network(), options, providers=["CPUExecutionProvider"])


def _network() -> bytes:
    """A graph of one MatMulInteger node, written out in the wire format of onnx.proto: field number, wire type, value."""

    def message(field: int, *parts: bytes) -> bytes:
        body = b"".join(parts)
        assert len(body) < 128  # one byte holds the length
        return bytes([field << 3 | 2, len(body)]) + body

    def number(field: int, value: int) -> bytes:
        return bytes([field << 3, value])

    def value(field: int, name: bytes, kind: int) -> bytes:
        return message(field, message(1, name), message(2, message(1, number(1, kind))))

    node = message(1, message(1, b"a"), message(1, b"b"), message(2, b"y"), message(4, b"MatMulInteger"))
    graph = message(7, node, message(2, b"product"), value(11, b"a", _INT8), value(11, b"b", _INT8), value(12, b"y", _INT32))
    return number(1, 8) + graph + message(8, number(2, 10))

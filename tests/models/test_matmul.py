"""The integer product is exact on every machine: kernels for older ones are known to saturate sums of pairs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

from iq.models.matmul import product

# Also run by another interpreter below, so it takes what it needs along.
CHECK = """
import numpy
from iq.models.matmul import product

draw = numpy.random.default_rng(1)
for rows, columns in ((1, 1), (7, 1), (64, 3), (500, 1), (33, 40)):
    left, right = draw.integers(-128, 128, (rows, 384)).astype(numpy.int8), draw.integers(-128, 128, (384, columns)).astype(numpy.int8)
    assert (product(left, right) == left.astype(numpy.int32) @ right.astype(numpy.int32)).all(), (rows, columns)
most = numpy.full((4, 384), 127, numpy.int8)
assert (product(most, most.T) == 127 * 127 * 384).all() and (product(-most, most.T) == -127 * 127 * 384).all()
"""


def test_it_is_exact_here() -> None:
    exec(CHECK, {})
    assert product(numpy.zeros((0, 384), numpy.int8), numpy.ones((384, 1), numpy.int8)).shape == (0, 1)


def test_it_is_exact_without_avx512() -> None:
    """valgrind's processor has AVX2 and nothing newer, so onnxruntime takes its kernel for that."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        pytest.skip("valgrind stands in for an older processor, and is not installed")
    told = "from numpy._core._multiarray_umath import __cpu_features__ as has; print('AVX512F', has['AVX512F'])\n"
    command = [valgrind, "-q", "--tool=none", sys.executable, "-c", told + CHECK]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=Path(__file__).parents[2])
    if "AVX512F False" not in done.stdout:
        pytest.skip(f"valgrind cannot run this interpreter: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr

"""A sentence encoder from a folder that holds `model.onnx` and `tokenizer.json`: what the intent tracks embed with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.intentdb import Embed
from iq.plan.lens import Matrix

# Longer texts are cut (tokens); texts of a batch are padded to the longest among them.
LENGTH = 256
BATCH = 16


def encoder(folder: Path) -> Embed:
    """Mean pooling and unit length. Raises ValueError where the folder holds no model."""
    model = next((path for path in (folder / "model.onnx", folder / "onnx" / "model_quantized.onnx") if path.is_file()), None)
    if model is None or not (folder / "tokenizer.json").is_file():
        raise ValueError(f"'{folder}' holds no model.onnx with tokenizer.json; give a folder that does with --model")
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(LENGTH)
    tokenizer.enable_padding()
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    wanted = {entry.name for entry in session.get_inputs()}

    def embed(texts: Sequence[str]) -> Matrix:
        order = sorted(range(len(texts)), key=lambda at: (len(texts[at]), at))
        found: list[Matrix] = [np.zeros(0, dtype=np.float32)] * len(texts)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            encoded = tokenizer.encode_batch([texts[at] for at in batch])
            ids = np.array([row.ids for row in encoded], dtype=np.int64)
            mask = np.array([row.attention_mask for row in encoded], dtype=np.int64)
            inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            states = session.run(None, {name: value for name, value in inputs.items() if name in wanted})[0]
            pooled = (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
            pooled = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
            for at, vector in zip(batch, pooled, strict=True):
                found[at] = vector.astype(np.float32)
        return np.stack(found)

    return embed

"""An ONNX network with its tokenizer: texts in, arrays out, in batches of like length."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from iq.models.files import REMEDY, Model, ModelError

if TYPE_CHECKING:
    import numpy

# Tokens a batch holds at most, padding counted, and texts. Small batches cost less of both: 96 passages of code took 3.2 s of processor
# time and a peak of 658 MB at 2,048 tokens, 2.4 s and 234 MB at 1,024, 2.1 s and 196 MB at 512. This one holds the reranker's five passages.
BATCH_TOKENS = 5 * 128
BATCH_TEXTS = 16

# A text is cut to this before it is tokenized (characters a token): no tokenizer yields fewer tokens than that of code, and
# a line of a megabyte would take seconds.
LETTERS = 12


class Network:
    """One network, loaded once. `threads` 0 leaves the number to onnxruntime."""

    def __init__(self, model: Model, threads: int = 0) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ModelError(f"{model.role}: {error.name} is not installed; reinstall iq") from error
        options = onnxruntime.SessionOptions()
        options.enable_cpu_mem_arena = False
        options.intra_op_num_threads = threads
        options.log_severity_level = 4
        # Threads that spin between batches would take the cores from the person at the machine.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._run = onnxruntime.InferenceSession(model.network, options, providers=["CPUExecutionProvider"])
            self._tokenizer = Tokenizer.from_file(model.tokenizer)
        except Exception as error:  # onnxruntime and tokenizers raise their own types, one a cause
            raise ModelError(f"{model.role}: '{os.path.basename(model.folder)}' cannot be loaded ({_first(error)}); repair it with `{REMEDY}`") from error
        self.model = model
        self.inputs = frozenset(value.name for value in self._run.get_inputs())
        self._tokenizer.no_padding()
        shapes = [value.shape for value in self._run.get_outputs()]
        self.rank = len(shapes[0])
        self.width = shapes[0][-1] if isinstance(shapes[0][-1], int) else 0
        if "input_ids" not in self.inputs or "attention_mask" not in self.inputs:
            raise ModelError(f"{model.role}: the network in '{model.folder}' takes {', '.join(sorted(self.inputs))}, not input_ids and attention_mask")

    def run(self, texts: Sequence[str] | Sequence[tuple[str, str]], limit: int) -> Iterator[tuple[list[int], numpy.ndarray, numpy.ndarray]]:
        """Batches of (positions in `texts`, first output, attention mask), longest texts first, each padded to its longest.

        A text or pair is cut at `limit` tokens in all. Raises ModelError where the network refuses the tokens.
        """
        import numpy

        self._tokenizer.enable_truncation(limit)  # of a pair, the longer loses first
        letters = limit * LETTERS
        cut = [_sound(text[:letters]) if isinstance(text, str) else (_sound(text[0][:letters]), _sound(text[1][:letters])) for text in texts]
        try:
            tokens = self._tokenizer.encode_batch(cut)
        except Exception as error:  # its own type, for any cause
            raise ModelError(f"{self.model.role}: the texts cannot be tokenized ({_first(error)})") from error
        order = sorted(range(len(tokens)), key=lambda at: (-len(tokens[at].ids), at))
        while order:
            longest = max(1, len(tokens[order[0]].ids))
            size = max(1, min(BATCH_TEXTS, BATCH_TOKENS // longest))
            batch, order = order[:size], order[size:]
            size = len(batch)
            ids = numpy.zeros((size, longest), numpy.int64)
            mask, kinds = ids.copy(), ids.copy()
            for row, at in enumerate(batch):
                length = len(tokens[at].ids)
                ids[row, :length] = tokens[at].ids
                mask[row, :length] = tokens[at].attention_mask
                kinds[row, :length] = tokens[at].type_ids
            feed = {name: value for name, value in (("input_ids", ids), ("attention_mask", mask), ("token_type_ids", kinds)) if name in self.inputs}
            try:
                found = self._run.run(None, feed)[0]
            except Exception as error:
                raise ModelError(
                    f"{self.model.role}: the network refuses its tokens ({_first(error)}); is the tokenizer another model's? `{REMEDY}` repairs it"
                ) from error
            yield batch, found, mask


def _sound(text: str) -> str:
    """Text that UTF-8 can hold: names of files may have bytes that are no text, which a tokenizer refuses."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _first(error: Exception) -> str:
    """The first line of a message, which for onnxruntime goes on for pages."""
    return (str(error).splitlines() or [type(error).__name__])[0][:160]

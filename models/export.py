"""Export of trained Keras networks to LiteRT, which never ships without a parity check."""

import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.engine import KerasEngine, LiteRtEngine

PARITY: Final = 1e-4
"""Largest difference allowed between the two engines' outputs."""

HALF_PARITY: Final = 5e-3
"""The same for probabilities, where weights are kept as 16-bit numbers."""

Float32 = npt.NDArray[np.float32]


class ParityError(RuntimeError):
    """The exported network does not compute what the trained one does."""


def export_litert(
    keras_path: Path,
    tflite_path: Path,
    inputs: Float32,
    *,
    is_half: bool = False,
    most: float = PARITY,
) -> float:
    """Convert a `.keras` file and check the result on real inputs before it is put in place.

    Args:
        keras_path: the trained network.
        tflite_path: where to write; an old file there is replaced only by one that agrees.
        inputs: (n, …) float32 as the network takes them, n ≥ 2.
        is_half: keep weights as 16-bit numbers, which halves the file.
        most: largest difference that is allowed.

    Returns:
        The largest absolute difference between the engines over all outputs.

    Raises:
        ParityError: if that difference is above `most`.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import keras
    import tensorflow as tf

    model: Any = keras.saving.load_model(keras_path, compile=False)
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    if is_half:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.target_spec.supported_types = [tf.float16]
    content = converter.convert()
    tflite_path.parent.mkdir(parents=True, exist_ok=True)
    draft = tflite_path.with_suffix(".draft.tflite")
    draft.write_bytes(content)
    difference = measure_parity(keras_path, draft, inputs)
    if not difference <= most:  # also catches NaN
        draft.unlink()
        raise ParityError(
            f"{tflite_path.name} differs from {keras_path.name} by {difference:.2e}, "
            f"more than {most:.0e}; do not ship it"
        )
    draft.replace(tflite_path)
    return difference


def measure_parity(keras_path: Path, tflite_path: Path, inputs: Float32) -> float:
    """Return the largest absolute difference between the two engines over all outputs."""
    expected = KerasEngine(keras_path).run(inputs)
    actual = LiteRtEngine(tflite_path).run(inputs)
    return float(np.max(np.abs(expected - actual)))

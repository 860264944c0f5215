"""Export of trained Keras networks to LiteRT, which never ships without a parity check."""

import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.engine import Float32, KerasEngine, LiteRtEngine

PARITY: Final = 1e-4
"""Largest difference allowed between the two engines' outputs."""

_LEAST_GAIN: Final = 1e-6
"""Of a normalisation: a channel with less says nothing."""


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
        is_half: keep weights as 16-bit numbers, which halves the file; `round_weights` first.
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


def put_in_place(
    trained: Path, name: str, inputs: Float32, folder: Path, most: float = PARITY
) -> float:
    """Write a trained network for both engines.

    Args:
        trained: its `.keras` file.
        name: of the two files.
        inputs: on which the engines are compared.
        folder: where they are written.
        most: largest difference of any output.

    Returns:
        The largest difference between the engines.

    Raises:
        ParityError: if it is above `most`.
    """
    import keras

    model: Any = keras.saving.load_model(trained, compile=False)
    round_weights(model)
    draft = folder / f"{name}.draft.keras"
    model.save(draft)
    try:
        difference = export_litert(
            draft, folder / f"{name}.tflite", inputs, is_half=True, most=most
        )
        draft.replace(folder / f"{name}.keras")
    finally:
        draft.unlink(missing_ok=True)
    return difference


def set_temperature(output_layer: Any, temperature: float) -> None:
    """Make a softmax as sure as its logits divided by a temperature would.

    Args:
        output_layer: of Keras, dense or a convolution; its weights are changed.
        temperature: below 1 for surer answers.
    """
    output_layer.set_weights([one / temperature for one in output_layer.get_weights()])


def round_weights(model: Any) -> None:
    """Move weights to where they lose nothing as 16-bit numbers, once the converter folded them.

    It multiplies a normalisation's gain into the kernel before, and adds its offset as a bias, so
    these products are what is rounded.

    Args:
        model: a Keras network; its weights are changed.
    """
    import keras

    folded = set()
    for layer in model.layers:
        if not isinstance(layer, keras.layers.BatchNormalization):
            continue
        before = layer.input._keras_history.operation
        if getattr(before, "use_bias", True):
            continue
        *others, kernel = before.get_weights()  # of a separable convolution, the pointwise one
        gamma, beta, mean, variance = (one.astype(np.float64) for one in layer.get_weights())
        gain = gamma / np.sqrt(variance + layer.epsilon)
        gain = np.where(np.abs(gain) < _LEAST_GAIN, _LEAST_GAIN, gain)
        if isinstance(before, keras.layers.DepthwiseConv2D):
            gain = gain[:, None]
        before.set_weights([*map(_to_half, others), _to_half(kernel * gain) / gain])
        gain = gain.ravel()
        offset = _to_half(beta - mean * gain)
        gamma = gain * np.sqrt(variance + layer.epsilon)
        layer.set_weights([gamma, offset + mean * gain, mean, variance])
        folded |= {before.name, layer.name}
    for layer in model.layers:
        if layer.name not in folded:
            layer.set_weights([_to_half(one) for one in layer.get_weights()])


def _to_half(weights: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    return weights.astype(np.float16).astype(np.float64)


def measure_parity(keras_path: Path, tflite_path: Path, inputs: Float32) -> float:
    """Return the largest absolute difference between the two engines over all outputs."""
    expected = KerasEngine(keras_path).run(inputs)
    actual = LiteRtEngine(tflite_path).run(inputs)
    return float(np.max(np.abs(expected - actual)))

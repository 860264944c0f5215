"""Export of trained networks."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.export import PARITY, export_litert, round_weights

pytestmark = pytest.mark.slow  # TensorFlow is loaded


def build_net() -> Any:
    keras = pytest.importorskip("keras", reason="the train extra is not installed")
    layers = keras.layers
    taken = layers.Input((12, 12, 1))
    x = layers.BatchNormalization()(layers.Conv2D(6, 3, use_bias=False)(taken))
    x = layers.BatchNormalization()(layers.DepthwiseConv2D(3, use_bias=False)(layers.ReLU()(x)))
    x = layers.BatchNormalization()(layers.Dense(8, use_bias=False)(layers.Flatten()(x)))
    network = keras.Model(taken, layers.Dense(4, activation="softmax")(x))
    rng = np.random.default_rng(3)
    for layer in network.layers:
        if isinstance(layer, layers.BatchNormalization):
            n = layer.get_weights()[0].shape
            gains, others = rng.uniform(0.2, 3, (2, *n)), rng.normal(0, 1, (2, *n))
            layer.set_weights([gains[0], *others, gains[1]])
    return network


def test_rounded_weights_lose_nothing_as_16_bit_numbers(tmp_path: Path) -> None:
    network = build_net()
    inputs = np.random.default_rng(4).normal(0, 1, (64, 12, 12, 1)).astype(np.float32)
    before = np.asarray(network(inputs, training=False))
    network.save(tmp_path / "raw.keras")
    raw = export_litert(
        tmp_path / "raw.keras", tmp_path / "raw.tflite", inputs, is_half=True, most=1
    )

    round_weights(network)

    network.save(tmp_path / "net.keras")
    rounded = export_litert(
        tmp_path / "net.keras", tmp_path / "net.tflite", inputs, is_half=True, most=PARITY
    )
    assert rounded < raw / 10
    assert np.asarray(network(inputs, training=False)) == pytest.approx(before, abs=0.02)

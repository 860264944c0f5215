"""ResNet11-SPD: a residual network whose pooling is a rearrangement of boxes into channels.

G. Vermorel, 2023, "Résolution de sudokus avec un ResNet11-SPD",
https://github.com/guilhemvermorel/Sudoku-solver-CNN, after R. Sunkara, T. Luo, 2022, "No More
Strided Convolutions or Pooling", arXiv:2208.03641.
"""

from typing import Any, Final

import keras
from keras import layers, ops

from models.published.inputs_net import as_logits, grid_input, one_hot_with_empty

_EXPANSION: Final = 4
"""A bottleneck gives so many times the channels that it works on."""


def build_resnet_spd() -> Any:
    """Return the network, (n, 81) digits to (n, 1, 81, 9) logits.

    One convolution, three bottlenecks of three, and a dense layer: the eleven; those of the
    shortcuts are not counted in its name. The second and third bottleneck shrink 9×9 to 3×3, and
    3×3 to one place.
    """
    grids = grid_input()
    x = _convolve(one_hot_with_empty(grids), 64, 3)
    x = _bottleneck(x, 64, shrinks=False)
    x = _bottleneck(x, 128, shrinks=True)
    x = _bottleneck(x, 256, shrinks=True)
    x = layers.Dense(729)(layers.Flatten()(x))
    return keras.Model(grids, as_logits(x), name="resnet11-spd")


def move_space_to_depth(x: Any) -> Any:
    """Return (n, rows / 3, columns / 3, 9 channels) of an (n, rows, columns, channels) array."""
    rows, columns, channels = x.shape[1:]
    x = ops.reshape(x, (-1, rows // 3, 3, columns // 3, 3, channels))
    x = ops.transpose(x, (0, 1, 3, 2, 4, 5))
    return ops.reshape(x, (-1, rows // 3, columns // 3, 9 * channels))


def _convolve(x: Any, filters: int, size: int, strides: int = 1) -> Any:
    x = layers.Conv2D(filters, size, strides=strides, padding="same", use_bias=False)(x)
    return layers.ReLU()(layers.BatchNormalization()(x))


def _bottleneck(x: Any, filters: int, *, shrinks: bool) -> Any:
    inner = _convolve(x, filters, 1)
    inner = layers.Conv2D(filters, 3, padding="same", use_bias=False)(inner)
    if shrinks:
        inner = move_space_to_depth(inner)
    inner = layers.ReLU()(layers.BatchNormalization()(inner))
    inner = layers.Conv2D(filters * _EXPANSION, 1, use_bias=False)(inner)
    inner = layers.BatchNormalization()(inner)
    # 1×1 with stride 3 and no padding keeps every third cell, as published.
    short = layers.Conv2D(filters * _EXPANSION, 1, strides=3 if shrinks else 1, use_bias=False)(x)
    short = layers.BatchNormalization()(short)
    return layers.ReLU()(inner + short)

"""The policy of AlphaSudoku: eight convolutions, the first along rows, columns, boxes and the grid.

H. Gérard, 2021, "Sudoku", https://github.com/H-G-11/Sudoku. He names no parameter count; the layers
named there make 1,079,226.
"""

from typing import Any, Final

import keras
from keras import layers

from models.published.inputs_net import as_logits, grid_input, one_hot_digits

_FIRST: Final = ((3, 3), (1, 9), (9, 1), (9, 9))
"""Kernels side by side, 32 filters each."""

_REST: Final = (
    (64, 9, "tanh"),
    (64, 7, "tanh"),
    (64, 5, "relu"),
    (32, 5, "relu"),
    (32, 3, "relu"),
    (32, 3, "relu"),
    (32, 3, "relu"),
)
"""Filters, side of the kernel, and activation of the convolutions that follow."""


def build_alpha_policy() -> Any:
    """Return the policy, (n, 81) digits to (n, 1, 81, 9) logits.

    The grid itself joins the last layer by a skip connection. The published code hands the digits
    over on the axis that Keras takes for rows; here they are the channels, as its kernels mean.
    """
    grids = grid_input()
    placed = one_hot_digits(grids)
    parts = [
        layers.Conv2D(32, kernel, padding="same", activation="tanh")(placed) for kernel in _FIRST
    ]
    x = layers.BatchNormalization()(layers.Concatenate()(parts))
    for filters, size, activation in _REST:
        x = layers.Conv2D(filters, size, padding="same", activation=activation)(x)
        x = layers.BatchNormalization()(x)
    x = layers.Conv2D(9, 1)(layers.Concatenate()([x, placed]))
    return keras.Model(grids, as_logits(x), name="alpha-policy")

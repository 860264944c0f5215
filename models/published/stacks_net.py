"""Three networks of https://github.com/anilsathyan7/AI-Sudoku-Solver, which prints their layers.

A. Sathyan, 2020, "AI-Sudoku-Solver". A convolution stack, a dense model, and a recurrent dense
model that looks at one cell at a time. All take (n, 81) digits and give (n, 1, 81, 9) logits.
"""

from typing import Any, Final

import keras
from keras import layers, ops

from models.published.inputs_net import as_logits, grid_input, one_hot_digits, scale_digits

CONSTRAINTS: Final = 27
"""What the recurrent dense model sees of a cell: which digits its row, column and box hold."""


def build_convolution_stack(filters: int = 512, blocks: int = 10) -> Any:
    """Return the stack: ten 3×3 convolutions with batch normalisation, then one of 1×1.

    It follows K. Park, 2016, "Can Convolutional Neural Networks Crack Sudoku Puzzles?",
    https://github.com/Kyubyong/sudoku.

    Args:
        filters: width of the blocks.
        blocks: how many.
    """
    grids = grid_input()
    x = scale_digits(grids)
    for _ in range(blocks):
        x = layers.Conv2D(filters, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU()(x)
    x = layers.Conv2D(9, 1)(x)
    return keras.Model(grids, as_logits(x), name="convolution-stack")


def build_dense_model() -> Any:
    """Return the model of four light convolutions and two heavy dense layers, with PReLU."""
    grids = grid_input()
    x = scale_digits(grids)
    for filters, size in ((81, 3), (81, 3), (81, 3), (162, 1)):
        x = layers.Conv2D(filters, size, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.PReLU()(x)
    x = layers.Flatten()(x)
    x = layers.PReLU()(layers.Dense(1458)(x))
    x = layers.Dense(729)(x)
    return keras.Model(grids, as_logits(x), name="dense-model")


def build_recurrent_dense(width: int = 512, hidden: int = 9) -> Any:
    """Return the model that judges each cell by the digits in its units alone.

    It is recurrent in that it fills the surest cell and looks again; the loss is taken after the
    last cell. It follows https://github.com/modulai/pytorch_sudoku (Modulai, 2020), which has one
    narrow layer. The layers between are the model's layer `cell`, (n, 27) to (n, 9) logits.

    Args:
        width: of the hidden layers.
        hidden: how many.
    """
    constraints = keras.Input((CONSTRAINTS,))
    x = constraints
    for _ in range(hidden):
        x = layers.Dense(width, activation="relu")(x)
    cell = keras.Model(constraints, layers.Dense(9)(x), name="cell")
    grids = grid_input()
    seen = ops.reshape(see_constraints(grids), (-1, CONSTRAINTS))
    return keras.Model(grids, as_logits(cell(seen)), name="recurrent-dense")


def see_constraints(grids: Any) -> Any:
    """Return which digits the units of each cell hold.

    Args:
        grids: (n, 81) int32, 0 = empty.

    Returns:
        (n, 81, 27) float32, 0 or 1: nine for the row, nine for the column, nine for the box.
    """
    placed = ops.reshape(one_hot_digits(grids), (-1, 3, 3, 3, 3, 9))
    # Axes: grid, band, row in it, stack, column in it, digit.
    units = [
        ops.max(placed, axis=axes, keepdims=True) + ops.zeros_like(placed)
        for axes in ((3, 4), (1, 2), (2, 4))
    ]
    return ops.reshape(ops.concatenate(units, axis=-1), (-1, 81, CONSTRAINTS))

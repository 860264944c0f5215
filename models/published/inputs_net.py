"""What the published networks are shown of a grid: the same grid, in the form that each expects.

n grids; all arrays are (n, 9 rows, 9 columns, channels) float32.
"""

from typing import Any

import keras
from keras import ops


def grid_input() -> Any:
    """Return the input that all published networks have here: (n, 81) int32 digits, 0 = empty."""
    return keras.Input((81,), dtype="int32", name="grids")


def scale_digits(grids: Any) -> Any:
    """Return one channel: the digit / 9 - 0.5, so that an empty cell is -0.5."""
    planes = ops.reshape(ops.cast(grids, "float32"), (-1, 9, 9, 1))
    return planes / 9 - 0.5


def one_hot_with_empty(grids: Any) -> Any:
    """Return ten channels: whether the cell is empty, then whether it holds each digit."""
    return ops.reshape(ops.one_hot(grids, 10, dtype="float32"), (-1, 9, 9, 10))


def one_hot_digits(grids: Any) -> Any:
    """Return nine channels: whether the cell holds each digit."""
    return one_hot_with_empty(grids)[..., 1:]


def as_logits(outputs: Any) -> Any:
    """Return the outputs, 729 values a grid with the digits last, as (n, 1, 81, 9) logits.

    The second axis counts the answers that a network gives one after the other.
    """
    return ops.reshape(outputs, (-1, 1, 81, 9))

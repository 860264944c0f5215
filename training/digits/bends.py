"""Turns, slants, stretches, shifts and bends pictures inside a network's graph, by chance.

b pictures of n × n pixels, bent by m × m points.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]

PLACES: Final = 6
"""Normal numbers that place a picture; `Bends.chances` more bend it."""


class Bends(NamedTuple):
    """How much is changed, in standard deviations.

    Attributes:
        turn: radians.
        slant: shift by height.
        stretch: logarithm of the sides' lengths.
        shift_px: pixels.
        bend_px: pixels.
        points: by which a picture is bent, so many each way.
    """

    turn: float
    slant: float
    stretch: float
    shift_px: float
    bend_px: float
    points: int

    @property
    def chances(self) -> int:
        """How many normal numbers bend a picture, after those that place it."""
        return 2 * self.points**2


def bend(
    ink: Any, places: Any, points: Any, bends: Bends, weights: Float32, *, is_padded: bool
) -> Any:
    """Return pictures, (b, n, n) float32, as chance has them lie.

    Args:
        ink: (b, n, n) float32 of Keras.
        places: (b, 6) normal numbers.
        points: (b, `bends.chances`) normal numbers.
        bends: how much.
        weights: (n, `bends.points`): how much each row or column has of each point.
        is_padded: whether 0 lies beyond a picture; else its rim goes on.
    """
    from keras import ops

    side = ink.shape[1]
    middle = (side - 1) / 2
    right = np.arange(side, dtype=np.float32)[None, None] - middle
    down = np.transpose(right, (0, 2, 1))
    turn, slant, wide, tall, x, y = (places[:, n, None, None] for n in range(PLACES))
    cos, sin = ops.cos(bends.turn * turn), ops.sin(bends.turn * turn)
    wide, tall = ops.exp(bends.stretch * wide), ops.exp(bends.stretch * tall)
    slant = bends.slant * slant
    moved = ops.reshape(bends.bend_px * points, (-1, 2, bends.points, bends.points))
    x = bends.shift_px * x + middle + spread(moved[:, 0], weights)
    y = bends.shift_px * y + middle + spread(moved[:, 1], weights)
    x = x + cos * wide * right + (cos * slant - sin) * tall * down
    y = y + sin * wide * right + (sin * slant + cos) * tall * down
    if is_padded:
        ink, x, y = ops.pad(ink, ((0, 0), (1, 1), (1, 1))), x + 1, y + 1
    return _sample(ink, x, y)


def spread(points: Any, weights: Float32) -> Any:
    """Return what lies between points, (b, m, m) to (b, n, n), by (n, m) weights."""
    from keras import ops

    return ops.matmul(ops.matmul(weights[None], points), np.ascontiguousarray(weights.T)[None])


def _sample(ink: Any, x: Any, y: Any) -> Any:
    """Return ink, (b, k, k), at places between its pixels, x and y (b, n, n) float32."""
    from keras import ops

    side, wanted = ink.shape[1], x.shape[1]
    flat = ops.reshape(ink, (-1, side**2))
    x, y = (ops.clip(one, 0, side - 1.001) for one in (x, y))
    left, top = ops.floor(x), ops.floor(y)
    over, below = x - left, y - top
    corner = ops.reshape(ops.cast(top * side + left, "int32"), (-1, wanted**2))

    def take(step: int) -> Any:
        taken = ops.take_along_axis(flat, corner + step, axis=1)
        return ops.reshape(taken, (-1, wanted, wanted))

    upper = take(0) * (1 - over) + take(1) * over
    lower = take(side) * (1 - over) + take(side + 1) * over
    return upper * (1 - below) + lower * below

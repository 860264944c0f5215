"""Shapes as other hands, pens and photos would have made them, varied inside the network's graph.

A graphics processor would wait for shapes that the main one varies.
"""

from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.hands import SHAPE_PX
from training.digits.bends import PLACES, Bends, bend, spread
from training.distillation import Chances

Float32 = npt.NDArray[np.float32]

_BENDS: Final = Bends(turn=0.13, slant=0.17, stretch=0.1, shift_px=0.8, bend_px=0.65, points=5)
_FIELD: Final = 8
"""Points each way between which ink is even or fails."""
_WIDER: Final = 0.6
_FINER: Final = 0.5
"""Of a pixel at most, by which each edge of a stroke moves out or in."""
_BROKEN: Final = 0.1
_LINED: Final = 0.06
_CUT: Final = 0.06
"""Shares of the shapes: of which the pen fails in places, with a line at the rim, with a side cut
off."""

_KINDS: Final = 11
"""Uniform numbers beside those of the field."""
CHANCES: Final = Chances(normals=PLACES + _BENDS.chances, uniforms=_KINDS + _FIELD**2)


def vary(shapes: Any, normals: Any, uniforms: Any) -> Any:
    """Return shapes as other hands would have written them, pens drawn and photos shown them.

    Args:
        shapes: (b, 28, 28) uint8 of Keras, ink 255 on 0.
        normals: (b, …) as `CHANCES` draws them.
        uniforms: (b, …) likewise.

    Returns:
        (b, 28, 28, 1) float32 in 0..1.
    """
    from keras import ops

    ink = ops.cast(shapes, "float32") / 255
    pen, broken, uneven, side, depth, cut, turn, away, lined, edges, tone = (
        uniforms[:, n, None, None] for n in range(_KINDS)
    )
    ink = _change_pen(ink, pen)
    places, points = normals[:, :PLACES], normals[:, PLACES:]
    weights = _weigh_points(_BENDS.points, cv2.INTER_CUBIC)
    ink = bend(ink, places, points, _BENDS, weights, is_padded=True)
    of_points = ops.reshape(uniforms[:, _KINDS:], (-1, _FIELD, _FIELD))
    field = spread(of_points, _weigh_points(_FIELD, cv2.INTER_LINEAR))
    gaps = ops.clip(8 * (field - 0.8), 0, 1) * _chosen(broken, _BROKEN)
    ink = ink * (1 - gaps) * (1 - 0.3 * uneven * field)
    ink = ink * (1 - _cover_side(side, depth) * _chosen(cut, _CUT))
    ink = ops.maximum(ink, _draw_line(turn, away) * _chosen(lined, _LINED))
    ink = _change_edges(ink, edges)
    ink = ops.power(ops.clip(ink, 1e-4, 1), ops.exp(0.8 * (tone - 0.5)))
    return ink[..., None]


def _chosen(chance: Any, share: float) -> Any:
    """Return 1 for such a share of uniform chances, else 0."""
    from keras import ops

    return ops.cast(chance < share, "float32")


def _change_pen(ink: Any, chance: Any) -> Any:
    """Make strokes broader or finer, (b, 28, 28) float32."""
    from keras import ops

    image = ink[..., None]
    broad = ops.max_pool(image, 3, 1, "same")[..., 0]
    fine = -ops.max_pool(-image, 3, 1, "same")[..., 0]
    more = _WIDER * ops.maximum(2 * chance - 1, 0)
    less = _FINER * ops.maximum(1 - 2 * chance, 0)
    changed = ink + more * (broad - ink) - less * (ink - fine)
    return changed / (ops.max(changed, axis=(1, 2), keepdims=True) + 1e-3)


def _change_edges(ink: Any, chance: Any) -> Any:
    """Make edges hard as on a sharp photo, or soft as on a small one."""
    from keras import ops

    soft = ops.average_pool(ink[..., None], 3, 1, "same")[..., 0]
    blurred = ink + 0.7 * ops.maximum(1 - 2 * chance, 0) * (soft - ink)
    return ops.clip((blurred - 0.5) * (1 + 1.5 * ops.maximum(2 * chance - 1, 0)) + 0.5, 0, 1)


def _cover_side(side: Any, depth: Any) -> Any:
    """Return 1 where one side of a shape is cut off, else 0."""
    from keras import ops

    quarter = ops.floor(4 * side) * (np.pi / 2)
    return ops.clip(_beyond(quarter, 6 + 4 * depth) + 0.5, 0, 1)


def _draw_line(turn: Any, away: Any) -> Any:
    """Return a line at the rim of a shape, such as a cell's frame leaves there."""
    from keras import ops

    return ops.clip(1.3 - ops.abs(_beyond(2 * np.pi * turn, 9 + 4 * away)), 0, 1)


def _beyond(angle: Any, away: Any) -> Any:
    """Return how many pixels each place lies beyond a line, so far away from the middle."""
    from keras import ops

    right = np.arange(SHAPE_PX, dtype=np.float32)[None, None] - (SHAPE_PX - 1) / 2
    down = np.transpose(right, (0, 2, 1))
    return ops.cos(angle) * right + ops.sin(angle) * down - away


def _weigh_points(count: int, interpolation: int) -> Float32:
    """Return how much each row of a shape has of so many points, (28, count) float32."""
    eye = np.eye(count, dtype=np.float32)
    return np.asarray(cv2.resize(eye, (count, SHAPE_PX), interpolation=interpolation), np.float32)

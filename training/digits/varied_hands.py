"""Shapes as other hands, pens and photos would have made them, varied inside the network's graph.

A graphics processor would wait for shapes that the main one varies. Chance comes in from outside,
so that every backend of Keras computes the same, and a run goes on as if it had not stopped.
"""

from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.hands import SHAPE_PX

Float32 = npt.NDArray[np.float32]

_TURN: Final = 0.13
_SLANT: Final = 0.17
_STRETCH: Final = 0.1
_SHIFT_PX: Final = 0.8
"""Standard deviations: radians, shift by height, logarithm of the sides' lengths, pixels."""
_BEND_PX: Final = 0.65
_BENT_AT: Final = 5
"""Of the points by which a shape is bent, so many each way."""
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

_PLACES: Final = 6
_NORMALS: Final = _PLACES + 2 * _BENT_AT**2
_KINDS: Final = 12
_UNIFORMS: Final = _KINDS + _FIELD**2


def draw_chances(rng: np.random.Generator, count: int) -> tuple[Float32, Float32]:
    """Return what decides how shapes are varied: normal numbers, and uniform ones in 0..1."""
    return (
        rng.standard_normal((count, _NORMALS), np.float32),
        rng.random((count, _UNIFORMS), np.float32),
    )


def list_chances() -> list[Any]:
    """Return the inputs of a Keras network for what `draw_chances` returns."""
    import keras

    return [keras.Input((_NORMALS,), name="normals"), keras.Input((_UNIFORMS,), name="uniforms")]


def vary(shapes: Any, normals: Any, uniforms: Any) -> Any:
    """Return shapes as other hands would have written them, pens drawn and photos shown them.

    Args:
        shapes: (b, 28, 28) uint8 of Keras, ink 255 on 0.
        normals: (b, …) as `draw_chances` returns them.
        uniforms: (b, …) likewise.

    Returns:
        (b, 28, 28, 1) float32 in 0..1.
    """
    from keras import ops

    ink = ops.cast(shapes, "float32") / 255
    kinds = [uniforms[:, n, None, None] for n in range(_KINDS)]
    ink = _change_pen(ink, kinds[0])
    ink = _bend(ink, normals)
    field = _spread(ops.reshape(uniforms[:, _KINDS:], (-1, _FIELD, _FIELD)), cv2.INTER_LINEAR)
    gaps = ops.clip(8 * (field - 0.8), 0, 1) * _chosen(kinds[1], _BROKEN)
    ink = ink * (1 - gaps) * (1 - 0.3 * kinds[2] * field)
    ink = _cut_and_line(ink, kinds[3:9])
    ink = _change_edges(ink, kinds[9])
    ink = ops.power(ops.clip(ink, 1e-4, 1), ops.exp(0.8 * (kinds[10] - 0.5)))
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


def _cut_and_line(ink: Any, chances: list[Any]) -> Any:
    """Cut off a side of some shapes, and leave a line at the rim of others."""
    from keras import ops

    right = np.arange(SHAPE_PX, dtype=np.float32)[None, None] - (SHAPE_PX - 1) / 2
    down = np.transpose(right, (0, 2, 1))
    side = ops.floor(4 * chances[0]) * (np.pi / 2)
    beyond = ops.cos(side) * right + ops.sin(side) * down - (6 + 4 * chances[1])
    kept = 1 - ops.clip(beyond + 0.5, 0, 1) * _chosen(chances[2], _CUT)
    side = 2 * np.pi * chances[3]
    away = ops.abs(ops.cos(side) * right + ops.sin(side) * down - (9 + 4 * chances[4]))
    line = ops.clip(1.3 - away, 0, 1) * _chosen(chances[5], _LINED)
    return ops.maximum(ink * kept, line)


def _bend(ink: Any, normals: Any) -> Any:
    """Turn, slant, stretch, shift and bend shapes, (b, 28, 28) float32."""
    from keras import ops

    middle = (SHAPE_PX - 1) / 2
    right = np.arange(SHAPE_PX, dtype=np.float32)[None, None] - middle
    down = np.transpose(right, (0, 2, 1))
    turn, slant, wide, tall, x, y = (normals[:, n, None, None] for n in range(_PLACES))
    cos, sin = ops.cos(_TURN * turn), ops.sin(_TURN * turn)
    wide, tall, slant = ops.exp(_STRETCH * wide), ops.exp(_STRETCH * tall), _SLANT * slant
    bends = ops.reshape(_BEND_PX * normals[:, _PLACES:], (-1, 2, _BENT_AT, _BENT_AT))
    x = _SHIFT_PX * x + middle + _spread(bends[:, 0], cv2.INTER_CUBIC)
    y = _SHIFT_PX * y + middle + _spread(bends[:, 1], cv2.INTER_CUBIC)
    x = x + cos * wide * right + (cos * slant - sin) * tall * down
    y = y + sin * wide * right + (sin * slant + cos) * tall * down
    return _sample(ink, x, y)


def _spread(points: Any, interpolation: int) -> Any:
    """Return what lies between points, (b, n, n) to (b, 28, 28)."""
    from keras import ops

    count = points.shape[-1]
    weights = cv2.resize(
        np.eye(count, dtype=np.float32), (count, SHAPE_PX), interpolation=interpolation
    )
    return ops.matmul(ops.matmul(weights[None], points), np.ascontiguousarray(weights.T)[None])


def _sample(ink: Any, x: Any, y: Any) -> Any:
    """Return ink at places between pixels, all (b, 28, 28) float32; 0 beyond the shape."""
    from keras import ops

    side = SHAPE_PX + 2
    padded = ops.reshape(ops.pad(ink, ((0, 0), (1, 1), (1, 1))), (-1, side * side))
    x, y = (ops.clip(one + 1, 0, side - 1.001) for one in (x, y))
    left, top = ops.floor(x), ops.floor(y)
    over, below = x - left, y - top
    corner = ops.reshape(ops.cast(top * side + left, "int32"), (-1, SHAPE_PX**2))

    def take(step: int) -> Any:
        taken = ops.take_along_axis(padded, corner + step, axis=1)
        return ops.reshape(taken, (-1, SHAPE_PX, SHAPE_PX))

    upper = take(0) * (1 - over) + take(1) * over
    lower = take(side) * (1 - over) + take(side + 1) * over
    return upper * (1 - below) + lower * below

"""Shapes as other hands, pens and photos would have made them, varied inside the network's graph.

A graphics processor would wait for shapes that the main one varies. Chance comes in from outside,
so that every backend of Keras computes the same, and a run goes on as if it had not stopped.
"""

from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.hands import SHAPE_PX
from training.digits.bends import PLACES, Bends, bend, spread

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

_NORMALS: Final = PLACES + _BENDS.chances
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
    places, points = normals[:, :PLACES], normals[:, PLACES:]
    weights = _weigh_points(_BENDS.points, cv2.INTER_CUBIC)
    ink = bend(ink, places, points, _BENDS, weights, is_padded=True)
    uneven = ops.reshape(uniforms[:, _KINDS:], (-1, _FIELD, _FIELD))
    field = spread(uneven, _weigh_points(_FIELD, cv2.INTER_LINEAR))
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


def _weigh_points(count: int, interpolation: int) -> Float32:
    """Return how much each row of a shape has of so many points, (28, count) float32."""
    eye = np.eye(count, dtype=np.float32)
    return np.asarray(cv2.resize(eye, (count, SHAPE_PX), interpolation=interpolation), np.float32)

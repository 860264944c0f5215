"""Shapes and cells as other hands, pens and photos would have made them, varied inside a graph.

A graphics processor would wait for what the main one varies. b pictures of n × n pixels, bent by
m × m points.
"""

from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from models.candidate_reader import CROP_PX
from models.hands import SHAPE_PX
from training.distillation import Chances
from vision.geometry import Float32

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


_HAND_BENDS: Final = Bends(turn=0.13, slant=0.17, stretch=0.1, shift_px=0.8, bend_px=0.65, points=5)
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
HAND_CHANCES: Final = Chances(normals=PLACES + _HAND_BENDS.chances, uniforms=_KINDS + _FIELD**2)


def vary_hands(shapes: Any, normals: Any, uniforms: Any) -> Any:
    """Return shapes as other hands would have written them, pens drawn and photos shown them.

    Args:
        shapes: (b, 28, 28) uint8 of Keras, ink 255 on 0.
        normals: (b, …) as `HAND_CHANCES` draws them.
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
    weights = _weigh_hand_points(_HAND_BENDS.points, cv2.INTER_CUBIC)
    ink = bend(ink, places, points, _HAND_BENDS, weights, is_padded=True)
    of_points = ops.reshape(uniforms[:, _KINDS:], (-1, _FIELD, _FIELD))
    field = spread(of_points, _weigh_hand_points(_FIELD, cv2.INTER_LINEAR))
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


def _weigh_hand_points(count: int, interpolation: int) -> Float32:
    """Return how much each row of a shape has of so many points, (28, count) float32."""
    eye = np.eye(count, dtype=np.float32)
    return np.asarray(cv2.resize(eye, (count, SHAPE_PX), interpolation=interpolation), np.float32)


_CELL_BENDS: Final = Bends(turn=0.06, slant=0.1, stretch=0.08, shift_px=1.5, bend_px=0.9, points=7)
"""Each digit of a cell becomes another."""
_GAIN: Final = 0.12
"""Standard deviation of the logarithm of the ink's strength."""
_FADED: Final = 0.1
"""Share of the cells whose ink is much fainter."""
_NOISE: Final = 0.2
"""Most noise, in shares of the ink's contrast, one standard deviation."""

CELL_CHANCES: Final = Chances(normals=PLACES + 1 + _CELL_BENDS.chances, uniforms=5)


def move_places(places: Float32, normals: Float32) -> Float32:
    """Return where places in cells lie after `vary_cells`, bends aside.

    Args:
        places: (k, n, 2), x and y in pixels.
        normals: of the cells.
    """
    turn, slant, wide, tall, x, y = normals[:, :PLACES].T
    cos, sin = np.cos(_CELL_BENDS.turn * turn), np.sin(_CELL_BENDS.turn * turn)
    wide, tall = np.exp(_CELL_BENDS.stretch * wide), np.exp(_CELL_BENDS.stretch * tall)
    slant = _CELL_BENDS.slant * slant
    linear = np.array([[cos * wide, (cos * slant - sin) * tall],
                       [sin * wide, (sin * slant + cos) * tall]])  # fmt: skip
    back = np.linalg.inv(linear.transpose(2, 0, 1))
    shift = _CELL_BENDS.shift_px * np.stack([x, y], axis=1)[:, None]
    # A place counts pixels' edges, the picture their middles.
    moved = (places - CROP_PX / 2 - shift) @ back.transpose(0, 2, 1) + CROP_PX / 2
    return np.asarray(moved, np.float32)


def vary_cells(inks: Any, normals: Any, uniforms: Any) -> Any:
    """Return cells as other hands would have noted in them, and other photos shown them.

    Args:
        inks: (b, 68, 68) uint8 of Keras, as `keep_ink` keeps them.
        normals: (b, …) as `CELL_CHANCES` draws them.
        uniforms: (b, …) likewise.

    Returns:
        (b, 68, 68, 1) float32 in -1..1.5, paper 0 and ink 1.
    """
    from keras import ops

    ink = ops.cast(inks, "float32") / _SCALE - 1
    places, points = normals[:, :PLACES], normals[:, PLACES + 1 :]
    ink = bend(ink, places, points, _CELL_BENDS, _weigh_cell_points(), is_padded=False)
    sharpness, faded, strength, noise, phase = (
        uniforms[:, n, None, None] for n in range(CELL_CHANCES.uniforms)
    )
    soft = ops.average_pool(ink[..., None], 3, 1, "same")[..., 0]
    ink = ink + (soft - ink) * ops.maximum(2.6 * sharpness - 1.6, ops.minimum(2 * sharpness - 1, 0))
    gain = ops.exp(_GAIN * normals[:, PLACES, None, None])
    faint = ops.cast(faded < _FADED, "float32") * (1 - 0.25 - 0.75 * strength)
    ink = ink * gain * (1 - faint) + _NOISE * noise**3 * _draw_noise(phase)
    return ops.clip(ink, -1, 1.5)[..., None]


_SCALE: Final = 102.0
"""Steps in which ink is kept, from one of paper's to ink's level."""


def keep_ink(normalised: Float32) -> npt.NDArray[np.uint8]:
    """Return normalised cells, (k, 68, 68, 1) in -1..1.5, in bytes, (k, 68, 68)."""
    return np.asarray(np.rint((normalised[..., 0] + 1) * _SCALE), np.uint8)


def _draw_noise(phase: Any) -> Any:
    """Return noise of standard deviation 1, (b, 68, 68), another one for each phase."""
    from keras import ops

    right = np.arange(CROP_PX, dtype=np.float32)[None, None]
    down = np.transpose(right, (0, 2, 1))
    noise = 0
    for x, y in ((12.9898, 78.233), (39.3468, 11.135), (73.156, 52.235)):
        wave = 43758.5453 * ops.sin(6283.0 * phase + (x * right + y * down))
        noise = wave - ops.floor(wave) - 0.5 + noise
    return 2.0 * noise


def _weigh_cell_points() -> Float32:
    """Return how much each row of a cell has of each point, linearly, (68, 7) float32."""
    at = np.linspace(0, _CELL_BENDS.points - 1, CROP_PX)
    shares = np.maximum(1 - np.abs(at[:, None] - np.arange(_CELL_BENDS.points)), 0)
    return np.asarray(shares, np.float32)

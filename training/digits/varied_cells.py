"""Cells as other hands, cameras and cuts would have shown them, varied inside a network's graph.

Chance comes in from outside, so that a run goes on as if it had not stopped.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.candidate_reader import CROP_PX

Float32 = npt.NDArray[np.float32]

_TURN: Final = 0.06
_SLANT: Final = 0.1
_STRETCH: Final = 0.08
_SHIFT_PX: Final = 1.5
"""Standard deviations: radians, shift by height, logarithm of the sides' lengths, pixels."""
_BEND_PX: Final = 0.9
_BENT_AT: Final = 7
"""Of the points by which a cell is bent, so many each way: each digit becomes another."""
_GAIN: Final = 0.12
"""Standard deviation of the logarithm of the ink's strength."""
_FADED: Final = 0.1
"""Share of the cells whose ink is much fainter."""
_NOISE: Final = 0.2
"""Most noise, in shares of the ink's contrast, one standard deviation."""

_PLACES: Final = 6
_NORMALS: Final = _PLACES + 1 + 2 * _BENT_AT**2
_UNIFORMS: Final = 5
_MIDDLE: Final = (CROP_PX - 1) / 2


class Chances(NamedTuple):
    """What decides how k cells are varied.

    Attributes:
        normals: (k, 105) float32.
        uniforms: (k, 5) float32 in 0..1.
    """

    normals: Float32
    uniforms: Float32


def draw_chances(rng: np.random.Generator, count: int) -> Chances:
    """Return what decides how so many cells are varied."""
    return Chances(
        rng.standard_normal((count, _NORMALS), np.float32),
        rng.random((count, _UNIFORMS), np.float32),
    )


def list_chances() -> list[Any]:
    """Return the inputs of a Keras network for what `draw_chances` returns."""
    import keras

    return [keras.Input((_NORMALS,), name="normals"), keras.Input((_UNIFORMS,), name="uniforms")]


def move_places(places: Float32, normals: Float32) -> Float32:
    """Return where places in cells lie after `vary`, bends aside.

    Args:
        places: (k, n, 2), x and y in pixels.
        normals: of the cells.
    """
    turn, slant, wide, tall, x, y = normals[:, :_PLACES].T
    cos, sin = np.cos(_TURN * turn), np.sin(_TURN * turn)
    wide, tall, slant = np.exp(_STRETCH * wide), np.exp(_STRETCH * tall), _SLANT * slant
    linear = np.array([[cos * wide, (cos * slant - sin) * tall],
                       [sin * wide, (sin * slant + cos) * tall]])  # fmt: skip
    back = np.linalg.inv(linear.transpose(2, 0, 1))
    shift = _SHIFT_PX * np.stack([x, y], axis=1)[:, None]
    # A place counts pixels' edges, the picture their middles.
    moved = (places - CROP_PX / 2 - shift) @ back.transpose(0, 2, 1) + CROP_PX / 2
    return np.asarray(moved, np.float32)


def vary(inks: Any, normals: Any, uniforms: Any) -> Any:
    """Return cells as other hands would have noted in them, and other photos shown them.

    Args:
        inks: (b, 68, 68) uint8 of Keras, as `keep_ink` keeps them.
        normals: (b, …) as `draw_chances` returns them.
        uniforms: (b, …) likewise.

    Returns:
        (b, 68, 68, 1) float32 in -1..1.5, paper 0 and ink 1.
    """
    from keras import ops

    ink = _bend(ops.cast(inks, "float32") / _SCALE - 1, normals)
    sharpness, faded, strength, noise, phase = (
        uniforms[:, n, None, None] for n in range(_UNIFORMS)
    )
    soft = ops.average_pool(ink[..., None], 3, 1, "same")[..., 0]
    ink = ink + (soft - ink) * ops.maximum(2.6 * sharpness - 1.6, ops.minimum(2 * sharpness - 1, 0))
    gain = ops.exp(_GAIN * normals[:, _PLACES, None, None])
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


def _bend(ink: Any, normals: Any) -> Any:
    """Turn, slant, stretch, shift and bend cells, (b, 68, 68) float32."""
    from keras import ops

    right = np.arange(CROP_PX, dtype=np.float32)[None, None] - _MIDDLE
    down = np.transpose(right, (0, 2, 1))
    turn, slant, wide, tall, x, y = (normals[:, n, None, None] for n in range(_PLACES))
    cos, sin = ops.cos(_TURN * turn), ops.sin(_TURN * turn)
    wide, tall, slant = ops.exp(_STRETCH * wide), ops.exp(_STRETCH * tall), _SLANT * slant
    bends = ops.reshape(_BEND_PX * normals[:, _PLACES + 1 :], (-1, 2, _BENT_AT, _BENT_AT))
    x = _SHIFT_PX * x + _MIDDLE + _spread(bends[:, 0])
    y = _SHIFT_PX * y + _MIDDLE + _spread(bends[:, 1])
    x = x + cos * wide * right + (cos * slant - sin) * tall * down
    y = y + sin * wide * right + (sin * slant + cos) * tall * down
    return _sample(ink, x, y)


def _spread(points: Any) -> Any:
    """Return what lies between points, (b, n, n) to (b, 68, 68)."""
    from keras import ops

    at = np.linspace(0, _BENT_AT - 1, CROP_PX)
    one = np.arange(_BENT_AT)
    weights = np.maximum(1 - np.abs(at[:, None] - one), 0).astype(np.float32)
    return ops.matmul(ops.matmul(weights[None], points), np.ascontiguousarray(weights.T)[None])


def _sample(ink: Any, x: Any, y: Any) -> Any:
    """Return ink at places between pixels, all (b, 68, 68) float32; the rim's beyond it."""
    from keras import ops

    flat = ops.reshape(ink, (-1, CROP_PX**2))
    x, y = (ops.clip(one, 0, CROP_PX - 1.001) for one in (x, y))
    left, top = ops.floor(x), ops.floor(y)
    over, below = x - left, y - top
    corner = ops.reshape(ops.cast(top * CROP_PX + left, "int32"), (-1, CROP_PX**2))

    def take(step: int) -> Any:
        taken = ops.take_along_axis(flat, corner + step, axis=1)
        return ops.reshape(taken, (-1, CROP_PX, CROP_PX))

    upper = take(0) * (1 - over) + take(1) * over
    lower = take(CROP_PX) * (1 - over) + take(CROP_PX + 1) * over
    return upper * (1 - below) + lower * below

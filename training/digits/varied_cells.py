"""Cells as other hands, cameras and cuts would have shown them, varied inside a network's graph."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.candidate_reader import CROP_PX
from training.digits.bends import PLACES, Bends, bend
from training.distillation import Chances

Float32 = npt.NDArray[np.float32]

_BENDS: Final = Bends(turn=0.06, slant=0.1, stretch=0.08, shift_px=1.5, bend_px=0.9, points=7)
"""Each digit of a cell becomes another."""
_GAIN: Final = 0.12
"""Standard deviation of the logarithm of the ink's strength."""
_FADED: Final = 0.1
"""Share of the cells whose ink is much fainter."""
_NOISE: Final = 0.2
"""Most noise, in shares of the ink's contrast, one standard deviation."""

CHANCES: Final = Chances(normals=PLACES + 1 + _BENDS.chances, uniforms=5)


def move_places(places: Float32, normals: Float32) -> Float32:
    """Return where places in cells lie after `vary`, bends aside.

    Args:
        places: (k, n, 2), x and y in pixels.
        normals: of the cells.
    """
    turn, slant, wide, tall, x, y = normals[:, :PLACES].T
    cos, sin = np.cos(_BENDS.turn * turn), np.sin(_BENDS.turn * turn)
    wide, tall, slant = (
        np.exp(_BENDS.stretch * wide),
        np.exp(_BENDS.stretch * tall),
        _BENDS.slant * slant,
    )
    linear = np.array([[cos * wide, (cos * slant - sin) * tall],
                       [sin * wide, (sin * slant + cos) * tall]])  # fmt: skip
    back = np.linalg.inv(linear.transpose(2, 0, 1))
    shift = _BENDS.shift_px * np.stack([x, y], axis=1)[:, None]
    # A place counts pixels' edges, the picture their middles.
    moved = (places - CROP_PX / 2 - shift) @ back.transpose(0, 2, 1) + CROP_PX / 2
    return np.asarray(moved, np.float32)


def vary(inks: Any, normals: Any, uniforms: Any) -> Any:
    """Return cells as other hands would have noted in them, and other photos shown them.

    Args:
        inks: (b, 68, 68) uint8 of Keras, as `keep_ink` keeps them.
        normals: (b, …) as `CHANCES` draws them.
        uniforms: (b, …) likewise.

    Returns:
        (b, 68, 68, 1) float32 in -1..1.5, paper 0 and ink 1.
    """
    from keras import ops

    ink = ops.cast(inks, "float32") / _SCALE - 1
    places, points = normals[:, :PLACES], normals[:, PLACES + 1 :]
    ink = bend(ink, places, points, _BENDS, _weigh_points(), is_padded=False)
    sharpness, faded, strength, noise, phase = (
        uniforms[:, n, None, None] for n in range(CHANCES.uniforms)
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


def _weigh_points() -> Float32:
    """Return how much each row of a cell has of each point, linearly, (68, 7) float32."""
    at = np.linspace(0, _BENDS.points - 1, CROP_PX)
    shares = np.maximum(1 - np.abs(at[:, None] - np.arange(_BENDS.points)), 0)
    return np.asarray(shares, np.float32)

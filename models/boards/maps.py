"""What the detector takes and gives, without the package that runs it."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Image8 = npt.NDArray[np.uint8]

INPUT_PX: Final = 320
"""Side of the square picture that the detector sees."""

STRIDE: Final = 4
"""Pixels of the picture for each place of the maps."""

SIDES: Final = (4, 6, 8, 9, 10, 12, 16)
"""Sides of the boards that it tells apart."""

BOARD, U, V, CORNER, CROSSING = range(5)
"""Channels of the output: logits of board, corner and crossing; u and v from 0 to 1."""

FIRST_SIDE: Final = 5
"""Channel of the first of the logits of `SIDES`."""

CHANNELS: Final = FIRST_SIDE + len(SIDES)

_LEAST_CONTRAST: Final = 0.05
"""Standard deviation of the logarithms below which a picture is as good as blank."""


@dataclass(frozen=True, eq=False)
class BoardMaps:
    """What the detector says of h × w places of a picture.

    Attributes:
        board: (h, w) float32, probability that a place lies on a board.
        places: (h, w, 2) float32, where on the board: u to the right and v down, 0 to 1, as the
            board lies nearest to upright.
        corner: (h, w) float32, probability of a board's corner.
        crossing: (h, w) float32, probability of a crossing of a board's lines.
        sides: (h, w, 7) float32, probabilities of `SIDES`.
    """

    board: Float32
    places: Float32
    corner: Float32
    crossing: Float32
    sides: Float32


def normalise_photo(photo: Image8) -> Float32:
    """Return pictures as the network takes them.

    Light multiplies what paper and ink reflect, so the logarithm is taken.

    Args:
        photo: (…, h, w) uint8 grey.

    Returns:
        (…, h, w, 1) float32, mean 0 and standard deviation 1 in each picture.
    """
    logs = np.log1p(photo.astype(np.float32) + 3)
    mean = logs.mean(axis=(-2, -1), keepdims=True)
    spread = np.maximum(logs.std(axis=(-2, -1), keepdims=True), _LEAST_CONTRAST)
    return np.asarray(((logs - mean) / spread)[..., None], np.float32)


def split_maps(output: Float32) -> BoardMaps:
    """Return one item of the network's output, (h, w, `CHANNELS`) float32, by its meaning."""
    sides = output[..., FIRST_SIDE:]
    weights = np.exp(sides - sides.max(axis=-1, keepdims=True))
    return BoardMaps(
        board=_sigmoid(output[..., BOARD]),
        places=output[..., U : V + 1],
        corner=_sigmoid(output[..., CORNER]),
        crossing=_sigmoid(output[..., CROSSING]),
        sides=weights / weights.sum(axis=-1, keepdims=True),
    )


def _sigmoid(logits: Float32) -> Float32:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)

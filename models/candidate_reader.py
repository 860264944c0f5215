"""Reads the candidates that players note in cells, small digits wherever they stand."""

from typing import Any, Final, NamedTuple

import numpy as np

from models.digits import check_pictures, stretch_ink
from models.engine import Engine, EngineKind, Float32, Job, UInt8, load_engine

CROP_PX: Final = 68
"""Side of what the network takes of a cell."""

CELL_PX: Final = 64
"""Side of the cell in it."""

PLACE_PX: Final = 4
N_PLACES: Final = CROP_PX // PLACE_PX
"""Side of a place in a crop, and how many there are in a row."""

NOTHING, DIGIT, CANDIDATES = range(3)
"""What a cell holds: nothing that counts, one digit of its own, candidates."""

N_DIGITS: Final = 9
N_MAPS: Final = N_DIGITS + 1
"""Answers at a place: no digit has its middle there, or which one has."""
N_OUTPUTS: Final = N_PLACES**2 * N_MAPS + 3
"""These, and how likely a cell holds what."""

READS_CANDIDATES: Final = Job(
    "reads candidates", (CROP_PX, CROP_PX, 1), (N_OUTPUTS,), "docs/model_card_digits.md"
)

OUTPUT_LAYER: Final = "told"
DENSE_LAYERS: Final = ("places", "contents")
"""Layers whose answers stand side by side in the output."""

_INNER: Final = slice(6, -6)
"""Of a crop: without the lines of its cell."""
_FLOOR: Final = (0.1, 10.0)
"""Least contrast, in shares of the paper and in grey levels, that is stretched to full."""

_BLOCKS: Final = 3
"""Of two convolutions around which an answer goes on as it was."""

_BESIDE: Final = 0.5
"""Share that the places beside a digit's middle have in it: with 0 of 1,320 cells of 60 boards of
level 2 95.5 % are read exactly, with this 96.4 %, with 1 96.1 % (one-off)."""


class SeenCandidates(NamedTuple):
    """What the network says of k cells.

    Attributes:
        marks: (k, 9, 10) float32, for up to nine marks in a cell how likely each is nothing, or
            one of the digits 1–9; rows sum to 1.
        middles: (k, 9, 2) float32, x and y of their middles in the cell, 0..1.
        contents: (k, 3) float32, how likely a cell holds nothing, a digit, candidates; rows sum
            to 1.
    """

    marks: Float32
    middles: Float32
    contents: Float32


class CandidateReader:
    """Says which candidates stand in a cell; one instance must not be shared by two threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def load(cls, kind: EngineKind = "litert", threads: int = 2) -> "CandidateReader":
        """Open the shipped network.

        Raises:
            models.engine.EngineError: if weights or the engine's package are missing or broken.
        """
        return cls(load_engine("candidates", kind, job=READS_CANDIDATES, threads=threads))

    def read(self, *looks: UInt8) -> SeenCandidates:
        """Return what cells hold, as the mean of several looks at them tells it.

        Args:
            looks: (k, 68, 68) uint8 grey each, cells of 64 pixels in the middle; k may be 0.

        Raises:
            ValueError: if a look has another shape or type.
        """
        tensors = [normalise_crops(crops) for crops in looks]
        if not len(tensors[0]):
            return find_marks(np.zeros((0, N_OUTPUTS), np.float32))
        told = [self._engine.run(tensor) for tensor in tensors]
        return find_marks(np.mean(told, axis=0, dtype=np.float32))


def find_marks(told: Float32) -> SeenCandidates:
    """Return which marks the network sees in cells, the clearest first.

    A digit's middle may lie between places. So each place counts with those above and below, and
    with a part of those beside it, which may be the next digit's. A middle is where a single digit
    is clearest, so that two digits close together are none between them.

    Args:
        told: (k, 2893) float32, the network's answers.
    """
    count = len(told)
    places = told[:, :-3].reshape(count, N_PLACES, N_PLACES, N_MAPS)[..., 1:]
    left = np.pad(places, ((0, 0), (1, 1), (1, 1), (0, 0)))
    marks = np.zeros((count, N_DIGITS, N_MAPS), np.float32)
    middles = np.zeros((count, N_DIGITS, 2), np.float32)
    cells = np.arange(count)
    for mark in range(N_DIGITS):
        inner = left[:, 1:-1]
        near = left[:, :-2, 1:-1] + inner[:, :, 1:-1] + left[:, 2:, 1:-1]
        near += _BESIDE * (inner[:, :, :-2] + inner[:, :, 2:])
        places = near.max(axis=3).reshape(count, N_PLACES**2).argmax(axis=1)
        y, x = np.divmod(places, N_PLACES)
        middles[:, mark] = np.column_stack([x, y])
        seen = near[cells, y, x]
        marks[:, mark, 1:] = seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)
        for down, right in np.ndindex(3, 3):
            left[cells, y + down, x + right] = 0
    marks[..., 0] = np.maximum(1 - marks[..., 1:].sum(axis=2), 0)
    # The cell lies in the middle of the crop.
    in_cell = 0.5 + (middles - (N_PLACES - 1) / 2) * np.float32(PLACE_PX / CELL_PX)
    return SeenCandidates(marks, in_cell, told[:, -3:])


def normalise_crops(crops: UInt8) -> Float32:
    """Put paper at 0 and ink at 1 in every crop, whatever its light, print and polarity.

    Args:
        crops: (k, 68, 68) uint8 grey.

    Returns:
        (k, 68, 68, 1) float32 in -1..1.5, higher is more ink.

    Raises:
        ValueError: if the crops have another shape or type.
    """
    check_pictures(crops, CROP_PX, "crops")
    return stretch_ink(crops, crops[:, _INNER, _INNER], ink_share=0.01, floor=_FLOOR)


def build_candidate_net(scale: int = 1, dtype: str | None = None) -> Any:
    """Return the network, untrained: (b, 68, 68, 1) float32 → (b, 2893) probabilities.

    For each of 17×17 places whether a digit has its middle there, and which; then what the cell
    holds. Residual blocks (He et al. 2016, "Deep Residual Learning for Image Recognition") look
    at what is around a place; they begin as if they were not there.

    Args:
        scale: all layers are so many times as wide.
        dtype: that all layers but the last compute in; the backend's own when None.
    """
    import keras
    from keras import layers

    def convolve(x: Any, filters: int, size: int = 3, strides: int = 1, begin: str = "ones") -> Any:
        x = layers.Conv2D(
            filters * scale, size, strides, padding="same", use_bias=False, dtype=dtype
        )(x)
        return layers.BatchNormalization(gamma_initializer=begin, dtype=dtype)(x)

    def relu(x: Any) -> Any:
        return layers.ReLU(dtype=dtype)(x)

    crop = layers.Input((CROP_PX, CROP_PX, 1), name="crop")
    x = relu(convolve(crop, 16, size=5, strides=2))
    x = relu(convolve(x, 24))
    for filters, strides in ((48, 2), (64, 1), (64, 1)):
        x = relu(convolve(x, filters, strides=strides))
    for _ in range(_BLOCKS):
        narrow = relu(convolve(relu(convolve(x, 32, size=1)), 32))
        x = relu(layers.Add(dtype=dtype)([x, convolve(narrow, 64, size=1, begin="zeros")]))
    wide = relu(convolve(relu(convolve(x, 64, strides=2)), 48, strides=2))
    few = keras.initializers.Constant([6.0] + [0.0] * N_DIGITS)  # most places have no digit
    maps = layers.Conv2D(
        N_MAPS, 1, activation="softmax", bias_initializer=few, name="places", dtype="float32"
    )(x)
    flat = layers.Dropout(0.1, dtype=dtype)(layers.Flatten(dtype=dtype)(wide))
    contents = layers.Dense(3, activation="softmax", name="contents", dtype="float32")(flat)
    told = layers.Concatenate(name=OUTPUT_LAYER)([layers.Flatten(dtype="float32")(maps), contents])
    return keras.Model(crop, told, name="candidates")

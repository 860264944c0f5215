"""Reads the candidates that players note in cells, small digits wherever they stand."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.engine import Engine, EngineKind, Job, load_engine

CROP_PX: Final = 56
"""Side of what the network takes of a cell."""

CELL_PX: Final = 52
"""Side of the cell in it."""

NOTHING, DIGIT, CANDIDATES = range(3)
"""What a cell holds: nothing that counts, one digit of its own, candidates."""

N_DIGITS: Final = 9
N_OUTPUTS: Final = N_DIGITS + 3
"""How likely each digit is among the candidates, and how likely a cell holds what."""

READS_CANDIDATES: Final = Job(
    "reads candidates", (CROP_PX, CROP_PX, 1), (N_OUTPUTS,), "docs/model_card_digits.md"
)

OUTPUT_LAYER: Final = "told"
DENSE_LAYERS: Final = ("places", "contents")
"""Layers whose answers are pooled into the output."""

_INNER: Final = slice(6, -6)
"""Of a crop: without the lines of its cell."""
_PAPER, _DARK, _LIGHT = 50, 1, 99
"""Percentiles of the inner pixels."""
_FLIP_RATIO: Final = 2.0
"""How much further light must reach from the paper than dark, where digits are light on dark."""
_CONTRAST_FLOOR: Final = 0.1
_LEVELS_FLOOR: Final = 10.0
"""Least contrast, in shares of the paper and in grey levels, that is stretched to full."""

Image8 = npt.NDArray[np.uint8]
Float32 = npt.NDArray[np.float32]


class SeenCandidates(NamedTuple):
    """What the network says of k cells.

    Attributes:
        digits: (k, 9) float32, how likely each of 1–9 is noted.
        contents: (k, 3) float32, how likely a cell holds nothing, a digit, candidates; rows sum
            to 1.
    """

    digits: Float32
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

    def read(self, crops: Image8) -> SeenCandidates:
        """Return what cells hold.

        Args:
            crops: (k, 56, 56) uint8 grey, cells of 52 pixels in the middle; k may be 0.

        Raises:
            ValueError: if the crops have another shape or type.
        """
        tensor = normalise_crops(crops)
        told = self._engine.run(tensor) if len(tensor) else np.zeros((0, N_OUTPUTS), np.float32)
        return SeenCandidates(told[:, :N_DIGITS], told[:, N_DIGITS:])


def normalise_crops(crops: Image8) -> Float32:
    """Put paper at 0 and ink at 1 in every crop, whatever its light, print and polarity.

    Args:
        crops: (k, 56, 56) uint8 grey.

    Returns:
        (k, 56, 56, 1) float32 in -1..1.5, higher is more ink.

    Raises:
        ValueError: if the crops have another shape or type.
    """
    if crops.ndim != 3 or crops.shape[1:] != (CROP_PX,) * 2 or crops.dtype != np.uint8:
        raise ValueError(
            f"crops must be (k, {CROP_PX}, {CROP_PX}) uint8, got {crops.shape} {crops.dtype}"
        )
    inner = crops[:, _INNER, _INNER]
    inner = np.sort(inner.reshape(len(crops), inner.shape[1] ** 2), axis=1, kind="stable")
    dark, paper, light = (
        inner[:, share * inner.shape[1] // 100].astype(np.float32)
        for share in (_DARK, _PAPER, _LIGHT)
    )
    floor = np.maximum(_CONTRAST_FLOOR * paper, _LEVELS_FLOOR)
    is_inverted = light - paper > _FLIP_RATIO * np.maximum(paper - dark, floor / 2)
    contrast = np.maximum(np.where(is_inverted, light - paper, paper - dark), floor)
    gain = np.where(is_inverted, -1, 1) / contrast
    ink = (paper[:, None, None] - crops) * gain[:, None, None]
    return np.asarray(np.clip(ink, -1, 1.5)[..., None], np.float32)


def build_candidate_net() -> Any:
    """Return the network, untrained: (b, 56, 56, 1) float32 → (b, 12) probabilities.

    Each of 14×14 places says which digits it sees. A digit is noted if any place sees it: by
    "noisy or", the product of the places' doubts is the doubt that is left.
    """
    import keras
    from keras import layers, ops

    def convolve(x: Any, filters: int, size: int = 3, strides: int = 1) -> Any:
        x = layers.Conv2D(filters, size, strides=strides, padding="same", use_bias=False)(x)
        return layers.ReLU()(layers.BatchNormalization()(x))

    crop = layers.Input((CROP_PX, CROP_PX, 1), name="crop")
    x = convolve(convolve(crop, 16, size=5, strides=2), 24)
    x = convolve(convolve(convolve(x, 48, strides=2), 48), 64)
    wide = convolve(convolve(x, 64, strides=2), 48, strides=2)
    few = keras.initializers.Constant(-6)  # of 196 places; more, and no gradient is left
    logits = layers.Conv2D(N_DIGITS, 1, bias_initializer=few, name="places")(layers.Dropout(0.1)(x))
    doubts = ops.sum(ops.softplus(logits), axis=(1, 2))
    digits = 1 - ops.exp(-doubts)
    flat = layers.Dropout(0.1)(layers.Flatten()(wide))
    contents = layers.Dense(3, activation="softmax", name="contents")(flat)
    told = layers.Concatenate(name=OUTPUT_LAYER)([digits, contents])
    return keras.Model(crop, told, name="candidates")

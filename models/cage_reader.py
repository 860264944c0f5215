"""Reads the cage walls and the sums of a killer's cells, and builds the network that does.

Training and reading share the form of its input and output.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from models.digits import check_pictures, stretch_ink
from models.engine import Engine, EngineKind, Float32, Job, UInt8, load_engine

CAGE_CELL_PX: Final = 60
"""Side of a cell in a crop, in pixels: the smallest sums are 10 high then."""

CAGE_CROP_PX: Final = 72
"""Side of a crop: the cell with a margin of a tenth, which shows its lines."""

MOST_SUM: Final = 45
"""The digits 1 to 9 together."""

SIDES: Final = ("left", "top", "right", "bottom")
"""Of a cell, in the order of their outputs."""

OUTPUTS: Final = 1 + MOST_SUM + len(SIDES)
"""A logit for no sum, for each sum, and for a cage wall along each side."""


class CageViews(NamedTuple):
    """What the network sees in cells.

    Attributes:
        sums: (k, 46) float32, how likely each sum stands in the top left corner; 0 is none.
        walls: (k, 4) float32, how likely a cage's line runs along each of `SIDES`, inside.
    """

    sums: Float32
    walls: Float32


def normalise_crops(crops: UInt8) -> Float32:
    """Put paper at 0 and ink at 1 in every crop, whatever its light and polarity.

    Args:
        crops: (k, 72, 72) uint8 grey.

    Returns:
        (k, 72, 72, 1) float32 in -1..1.5.

    Raises:
        ValueError: if the crops have another shape or type.
    """
    check_pictures(crops, CAGE_CROP_PX, "crops")
    return stretch_ink(crops, crops.reshape(len(crops), CAGE_CROP_PX**2)[:, ::3])


def split_outputs(logits: Float32) -> CageViews:
    """Return what logits, (k, 50) float32, say of each cell."""
    sums = np.exp(logits[:, : MOST_SUM + 1] - logits[:, : MOST_SUM + 1].max(axis=1, keepdims=True))
    walls = 1 / (1 + np.exp(-np.clip(logits[:, MOST_SUM + 1 :], -30, 30)))
    return CageViews(
        np.asarray(sums / sums.sum(axis=1, keepdims=True), np.float32),
        np.asarray(walls, np.float32),
    )


READS_CAGES: Final = Job(
    "reads cages", (CAGE_CROP_PX, CAGE_CROP_PX, 1), (OUTPUTS,), "docs/model_card_cages.md"
)

OUTPUT_LAYERS: Final = ("sum_logits", "wall_logits")

_CORNER_PX: Final = (36, 44)
"""Rows and columns of a crop, from the top left, in which a sum stands."""


class CageReader:
    """Says what stands around a cell; one instance must not be shared by two threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def load(cls, kind: EngineKind = "litert", threads: int = 2) -> "CageReader":
        """Open the shipped network.

        Raises:
            models.engine.EngineError: if weights or the engine's package are missing or broken.
        """
        return cls(load_engine("cages", kind, job=READS_CAGES, threads=threads))

    def read(self, crops: UInt8) -> CageViews:
        """Return how likely each sum and each wall is.

        Args:
            crops: (k, 72, 72) uint8 grey.
        """
        if len(crops) == 0:
            empty = np.zeros((0, MOST_SUM + 1 + len(SIDES)), np.float32)
            return CageViews(empty[:, : MOST_SUM + 1], empty[:, MOST_SUM + 1 :])
        return split_outputs(self._engine.run(normalise_crops(crops)))


def build_cage_net() -> Any:
    """Return the network, untrained: (b, 72, 72, 1) float32 → (b, `OUTPUTS`) float32 logits.

    Two small stacks of convolutions share a crop.
    """
    import keras
    from keras import layers

    def convolve(x: Any, channels: int, size: int = 3, strides: int = 1) -> Any:
        x = layers.Conv2D(channels, size, strides, "same", use_bias=False)(x)
        return layers.ReLU(6)(layers.BatchNormalization()(x))

    def pool(x: Any) -> Any:
        return layers.MaxPooling2D(2, padding="same")(x)

    crop = layers.Input((CAGE_CROP_PX, CAGE_CROP_PX, 1))
    rows, columns = _CORNER_PX
    beyond = ((0, CAGE_CROP_PX - rows), (0, CAGE_CROP_PX - columns))
    corner = convolve(layers.Cropping2D(beyond)(crop), 16, 5, 2)
    corner = pool(convolve(corner, 32))
    corner = pool(convolve(convolve(corner, 48), 48))
    corner = layers.Flatten()(convolve(corner, 64))
    corner = layers.Dropout(0.1)(layers.Dense(96, activation="relu")(corner))
    around = convolve(convolve(crop, 10, 5, 2), 20, strides=2)
    around = convolve(convolve(around, 28, strides=2), 14, size=1)
    around = layers.Dense(48, activation="relu")(layers.Flatten()(around))
    sums = layers.Dense(MOST_SUM + 1, name=OUTPUT_LAYERS[0])(corner)
    walls = layers.Dense(len(SIDES), name=OUTPUT_LAYERS[1])(around)
    return keras.Model(crop, layers.Concatenate()([sums, walls]))

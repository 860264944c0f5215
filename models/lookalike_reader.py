"""Tells what a frame with lines holds: a Sudoku, one of the puzzles that look alike, or neither."""

from enum import StrEnum
from typing import Any, Final

import numpy as np

from models.digits import check_pictures
from models.engine import Engine, EngineKind, Float32, Job, UInt8, load_engine

FRAME_PX: Final = 192
"""Side of the pictures that the network takes."""


OUTPUT_LAYERS: Final = ("logits",)

_CHANNELS: Final = (8, 16, 24, 32, 48)
"""Of the layers; each halves the picture."""


class Lookalike(StrEnum):
    """A puzzle that is no Sudoku; the values stand in reports, and stay."""

    KENKEN = "kenken"
    NONOGRAM = "nonogram"
    KAKURO = "kakuro"
    SUGURU = "suguru"
    CROSSWORD = "crossword"


NOTHING: Final = 0
SUDOKU: Final = 1
FIRST: Final = 2
"""Numbers of the outputs: for neither, for a Sudoku of any kind, and for the first lookalike."""

OUTPUTS: Final = FIRST + len(Lookalike)

NAMES_LOOKALIKES: Final = Job(
    "names lookalikes", (FRAME_PX, FRAME_PX, 1), (OUTPUTS,), "docs/model_card_lookalikes.md"
)

_SAMPLED: Final = 3
"""Every third pixel each way tells paper and ink as well as all."""

_LEAST_CONTRAST: Final = 24.0
"""Grey levels between paper and ink, below which nothing is stretched."""


class LookalikeReader:
    """Says what frames hold; one instance must not be shared by two threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def load(cls, kind: EngineKind = "litert", threads: int = 2) -> "LookalikeReader":
        """Open the shipped network.

        Raises:
            models.engine.EngineError: if weights or the engine's package are missing or broken.
        """
        return cls(load_engine("lookalikes", kind, job=NAMES_LOOKALIKES, threads=threads))

    def read(self, frames: UInt8) -> Float32:
        """Return how likely each output is, (k, `OUTPUTS`) float32.

        Args:
            frames: (k, 192, 192) uint8 grey, laid flat, turned any way.
        """
        if len(frames) == 0:
            return np.zeros((0, OUTPUTS), np.float32)
        logits = self._engine.run(normalise_frames(frames))
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float32)


def normalise_frames(frames: UInt8) -> Float32:
    """Put paper near 0 and ink near 1 in every frame, whatever its light.

    Args:
        frames: (k, 192, 192) uint8 grey.

    Returns:
        (k, 192, 192, 1) float32 in -0.5..1.5.

    Raises:
        ValueError: if the frames have another shape or type.
    """
    check_pictures(frames, FRAME_PX, "frames")
    seen = frames[:, ::_SAMPLED, ::_SAMPLED].reshape(len(frames), -1)
    ink, paper = np.quantile(seen, (0.02, 0.9), axis=1).astype(np.float32)[:, :, None, None]
    darkness = (paper - frames) / np.maximum(paper - ink, _LEAST_CONTRAST)
    return np.asarray(np.clip(darkness, -0.5, 1.5), np.float32)[..., None]


def build_lookalike_net() -> Any:
    """Return the network, untrained: (b, 192, 192, 1) float32 → (b, `OUTPUTS`) float32 logits."""
    import keras
    from keras import layers

    picture = layers.Input((FRAME_PX, FRAME_PX, 1))
    x = picture
    for number, channels in enumerate(_CHANNELS):
        x = layers.Conv2D(channels, 5 if number == 0 else 3, 2, "same", use_bias=False)(x)
        x = layers.ReLU(6)(layers.BatchNormalization()(x))
    x = layers.Concatenate()([layers.GlobalAveragePooling2D()(x), layers.GlobalMaxPooling2D()(x)])
    x = layers.Dropout(0.1)(layers.Dense(48, activation="relu")(x))
    return keras.Model(picture, layers.Dense(OUTPUTS, name=OUTPUT_LAYERS[0])(x))

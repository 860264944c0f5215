"""The board detector: what it takes and gives, the network as Keras builds it, and what runs it.

It works on small pictures.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.engine import WEIGHTS_DIR, Engine, EngineKind, Float32, Job, UInt8, load_engine

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
        sides: (h, w, 7) float32, probabilities of `SIDES`.
    """

    board: Float32
    places: Float32
    corner: Float32
    sides: Float32


def normalise_photo(photo: UInt8) -> Float32:
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
        sides=weights / weights.sum(axis=-1, keepdims=True),
    )


def _sigmoid(logits: Float32) -> Float32:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)


_PLACES: Final = INPUT_PX // STRIDE

_WIDTHS: Final = (16, 32, 64, 96, 128)
"""Channels at a half, a quarter, an eighth, a sixteenth and a thirty-second."""

_CONTEXT: Final = (1, 2, 3, 1)
"""Dilations of the blocks at a thirty-second, which see the whole picture."""

FINDS_BOARDS: Final = Job(
    "finds boards",
    (INPUT_PX, INPUT_PX, 1),
    (_PLACES, _PLACES, CHANNELS),
    "docs/model_card_boards.md",
)


class BoardDetector:
    """Says of pictures where their boards lie; one instance must not be shared by two threads."""

    input_px: Final = INPUT_PX

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def load(cls, kind: EngineKind = "litert", weights: Path | None = None) -> "BoardDetector":
        """Open the shipped network, or another.

        Raises:
            models.engine.EngineError: if weights or the engine's package are missing or broken.
        """
        folder, name = (
            (WEIGHTS_DIR, "boards") if weights is None else (weights.parent, weights.stem)
        )
        return cls(load_engine(name, kind, job=FINDS_BOARDS, folder=folder))

    def detect(self, pictures: UInt8) -> list[BoardMaps]:
        """Return the maps of each picture.

        Args:
            pictures: (k, 320, 320) uint8 grey.
        """
        if pictures.shape[1:] != (INPUT_PX, INPUT_PX) or pictures.dtype != np.uint8:
            raise ValueError(
                f"pictures must be (k, {INPUT_PX}, {INPUT_PX}) uint8, "
                f"got {pictures.shape} {pictures.dtype}"
            )
        return [split_maps(one) for one in self._engine.run(normalise_photo(pictures))]


def build_detector() -> Any:
    """Return the network, untrained: (b, 320, 320, 1) float32 → (b, 80, 80, `CHANNELS`) float32.

    A U-Net of separable convolutions (Ronneberger et al. 2015; Howard et al. 2017).
    """
    import keras
    from keras import layers

    def convolve(x: Any, channels: int, size: int = 1, strides: int = 1) -> Any:
        x = layers.Conv2D(channels, size, strides, "same", use_bias=False)(x)
        return layers.BatchNormalization()(x)

    def separate(x: Any, channels: int, strides: int = 1, dilation: int = 1) -> Any:
        size = 3 if strides == 1 else 5
        x = layers.DepthwiseConv2D(size, strides, "same", dilation_rate=dilation, use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        return layers.ReLU(6)(convolve(x, channels))

    def refine(x: Any, dilation: int = 1) -> Any:
        channels = x.shape[-1]
        inner = separate(x, channels, dilation=dilation)
        return layers.Add()([x, separate(inner, channels, dilation=dilation)])

    def raise_to(x: Any, beside: Any) -> Any:
        wider = layers.UpSampling2D(2, interpolation="bilinear")(convolve(x, beside.shape[-1]))
        return refine(layers.Add()([wider, beside]))

    half, quarter, eighth, sixteenth, deepest = _WIDTHS
    picture = layers.Input((INPUT_PX, INPUT_PX, 1))
    x = layers.ReLU(6)(convolve(picture, half, 5, 2))
    at_quarter = refine(separate(x, quarter, 2))
    at_eighth = refine(separate(at_quarter, eighth, 2))
    at_sixteenth = refine(separate(at_eighth, sixteenth, 2))
    x = separate(at_sixteenth, deepest, 2)
    for dilation in _CONTEXT:
        x = refine(x, dilation)
    whole = layers.GlobalAveragePooling2D(keepdims=True)(x)
    whole = layers.Conv2D(deepest, 1, activation="relu")(whole)
    x = layers.Add()([x, layers.Conv2D(deepest, 1)(whole)])
    for beside in (at_sixteenth, at_eighth, at_quarter):
        x = raise_to(x, beside)
    return keras.Model(picture, layers.Conv2D(CHANNELS, 1)(x))

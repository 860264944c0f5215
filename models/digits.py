"""The digit reader, and its network: from cut cells to the probability of every digit in each.

Training and reading both go through `normalise_cells`, so that they cannot drift apart.
"""

import math
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import numpy as np

from models.engine import INPUT_SHAPE, OUTPUT_SHAPE, Engine, EngineKind, Float32, UInt8, load_engine

CLASSES: Final = OUTPUT_SHAPE[0]
"""19: 0 is an empty cell, 1–9 a printed digit, 10–18 a handwritten digit (the digit plus 9)."""

CELL_PX: Final = INPUT_SHAPE[0]
"""32, the side of a cell crop in pixels, as `vision.board.cut_cells` cuts it."""

BOARD_DIGITS: Final = "board_digits"
"""Weights of a second network, which sees the cells of one board beside each other."""

_INNER: Final = slice(5, 27)
"""Rows and columns that say what paper and ink look like: grid lines lie mostly outside."""

_FLOOR: Final = (0.16, 12.0)
"""Contrast of ink to paper below which nothing is stretched, as a share of the paper's level, and
in grey levels for dark cells: sensor noise does not shrink with the light.

On the photos of the data folder the print of the page behind shines through with 0.03–0.07, and
the faintest pencil digit has about 0.25.
"""

_LEAST: Final = 1e-6
"""Of a probability, before readers are joined: none rules a class out."""

_FLIP_RATIO: Final = 2.0
"""How much further light must reach from the paper level than dark before a cell is inverted."""


def boards_beside(weights: Path) -> Path | None:
    """Return the board network that belongs to weights of single cells, `NAME-boards`, if any."""
    path = weights.with_name(f"{weights.stem}-boards{weights.suffix}")
    return path if path.is_file() else None


class DigitReader:
    """Reads cells with a trained network; make one with `load` and keep it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def load(
        cls, engine: EngineKind = "litert", threads: int = 2, name: str = "digits"
    ) -> "DigitReader":
        """Open weights that ship with the project.

        Args:
            engine: which runtime.
            threads: CPU threads, LiteRT only.
            name: `digits` reads cells, `BOARD_DIGITS` all cells of one board at a time.

        Raises:
            EngineError: if the weights or the package that runs them are missing or unfit.
        """
        return cls(load_engine(name, engine, threads=threads))

    def read(self, cells: UInt8) -> Float32:
        """Return how likely each class is in each cell.

        Args:
            cells: (n, 32, 32) uint8 grey.

        Returns:
            (n, 19) float32; every row sums to 1. Columns as in `CLASSES`.

        Raises:
            ValueError: if the cells have another shape or type.
        """
        return run_cells(self._engine, cells, CLASSES)


def run_cells(engine: Engine, cells: UInt8, classes: int) -> Float32:
    """Return what a network says of cells, (n, classes) float32.

    Args:
        engine: runs the network.
        cells: (n, 32, 32) uint8 grey, n may be 0.
        classes: that the network knows.

    Raises:
        ValueError: if the cells have another shape or type.
    """
    tensor = normalise_cells(cells)
    return engine.run(tensor) if len(tensor) else np.zeros((0, classes), np.float32)


def normalise_cells(cells: UInt8) -> Float32:
    """Put paper at 0 and ink at 1 in every cell, whatever its light, print and polarity.

    The paper level is the median of the inner cell, ink its 2nd percentile, or the 98th where
    light reaches much further from the paper than dark does (white on dark). An empty cell is
    not stretched beyond a floor, so that its noise stays small.

    Args:
        cells: (n, 32, 32) uint8 grey, n may be 0.

    Returns:
        (n, 32, 32, 1) float32 in -1..1.5, higher is more ink.

    Raises:
        ValueError: if the cells have another shape or type.
    """
    check_pictures(cells, CELL_PX, "cells")
    return stretch_ink(cells, cells[:, _INNER, _INNER])


def check_pictures(pictures: UInt8, side_px: int, name: str) -> None:
    """Refuse what is not (k, side, side) uint8.

    Raises:
        ValueError: if the pictures have another shape or type; the text calls them by the name.
    """
    if pictures.shape[1:] != (side_px, side_px) or pictures.dtype != np.uint8:
        raise ValueError(
            f"{name} must be (k, {side_px}, {side_px}) uint8, got {pictures.shape} {pictures.dtype}"
        )


def stretch_ink(
    crops: UInt8,
    shown: UInt8,
    ink_share: float = 0.02,
    floor: tuple[float, float] = _FLOOR,
) -> Float32:
    """Put paper at 0 and ink at 1 in every crop.

    Paper is the median. Ink is so dark that a share of the pixels is darker. Where light reaches
    much further from the paper than dark does (white on dark), it is as light.

    Args:
        crops: (k, h, w) uint8 grey, k may be 0.
        shown: (k, …) uint8, the pixels of each that tell paper and ink.
        ink_share: of them.
        floor: least contrast that is stretched to full, in shares of the paper and in grey levels,
            so that noise on bare paper stays small.

    Returns:
        (k, h, w, 1) float32 in -1..1.5, higher is more ink.
    """
    ranked = np.sort(
        shown.reshape(len(crops), math.prod(shown.shape[1:])), axis=1, kind="stable"
    )  # on bytes that is a radix sort
    count = ranked.shape[1]
    dark, paper, light = (
        ranked[:, rank].astype(np.float32)
        for rank in (round(ink_share * count), count // 2, round((1 - ink_share) * count))
    )
    least = np.maximum(floor[0] * paper, floor[1])
    is_inverted = light - paper > _FLIP_RATIO * np.maximum(paper - dark, least / 2)
    contrast = np.maximum(np.where(is_inverted, light - paper, paper - dark), least)
    gain = np.where(is_inverted, -1, 1) / contrast
    ink = (paper[:, None, None] - crops) * gain[:, None, None]
    clipped: Float32 = np.clip(ink, -1, 1.5).astype(np.float32)
    return clipped[..., None]


def merge_kinds(probabilities: Float32) -> Float32:
    """Add up printed and handwritten: how likely each digit is, whoever wrote it.

    Args:
        probabilities: (n, 19) float32 as `DigitReader.read` returns them.

    Returns:
        (n, 10) float32, column 0 is empty, rows sum to 1.
    """
    merged = probabilities[:, :10].copy()
    merged[:, 1:] += probabilities[:, 10:]
    return merged


def join_readers(one: Float32, other: Float32) -> Float32:
    """Return the geometric mean of what two readers see, (n, 19) float32; rows sum to 1."""
    joined = np.sqrt(np.maximum(one, _LEAST) * np.maximum(other, _LEAST))
    return np.asarray(joined / joined.sum(axis=1, keepdims=True), np.float32)


OUTPUT_LAYER: Final = "probabilities"
FEWER_LAYER: Final = "fewer"
MORE_LAYER: Final = "more"
"""The two parts of a board network's last convolution."""

_FEATURES: Final = 80
"""Numbers that a cell is summed up in."""

_FEWER: Final = 48
"""Of which so many are independent where the last convolution is parted, which saves weights."""

ReaderKind = Literal["network", "tesseract"]
"""The readers that there are."""


class Reader(Protocol):
    """Tells how likely each class is in each cell; classes as `models.digits.CLASSES` says."""

    def read(self, cells: UInt8) -> Float32:
        """Return how likely each class is in each cell.

        Args:
            cells: (n, 32, 32) uint8 grey, n may be 0.

        Returns:
            (n, 19) float32; every row sums to 1. Columns: empty, printed 1–9, handwritten 1–9.

        Raises:
            ValueError: if the cells have another shape or type.
        """


def build_digits_net() -> Any:
    """Return the untrained network, (n, 32, 32, 1) to (n, 19) probabilities.

    Six 3×3 convolutions halve the cell three times; 3.4 million multiply-adds a cell. The last
    layers are a 4×4 convolution instead of flatten and dense, which LiteRT can resize without
    leaving its fast path.
    """
    import keras
    from keras import layers

    cell = keras.Input((CELL_PX, CELL_PX, 1), name="cell")
    x = layers.Conv2D(_FEATURES, 4, padding="valid", use_bias=False)(_see_strokes(cell))
    probabilities = layers.Dense(CLASSES, activation="softmax", name=OUTPUT_LAYER)(_sum_up(x))
    return keras.Model(cell, probabilities, name="digits")


def build_board_net(n_cells: int | None = None) -> Any:
    """Return an untrained network that sees cells beside each other, (n, 32, 32, 1) to (n, 19).

    What convolutions like those of `build_digits_net` see of a cell meets that of the board's
    others in a block of attention (Vaswani et al. 2017). How a digit, an empty cell and handwriting
    look here shows in all of them together. Where they stand is not told, so that no rule of the
    puzzle is learnt.

    Args:
        n_cells: of each board, where an input holds several, one after the other; None where it
            holds one board. The weights are the same.
    """
    import keras
    from keras import layers, ops

    cell = keras.Input((CELL_PX, CELL_PX, 1), name="cell")
    x = layers.Conv2D(_FEWER, 4, padding="valid", use_bias=False, name=FEWER_LAYER)(
        _see_strokes(cell)
    )
    x = _sum_up(layers.Conv2D(_FEATURES, 1, use_bias=False, name=MORE_LAYER)(x))
    x = ops.reshape(x, (1 if n_cells is None else -1, n_cells or -1, _FEATURES))
    # No gains, which the next layers have, and a power of two as the root of a head's size, 16: the
    # converter would round them anew.
    seen = layers.LayerNormalization(center=False, scale=False)(x)
    x = layers.Add()([x, layers.MultiHeadAttention(3, 16)(seen, seen)])
    seen = layers.LayerNormalization(center=False, scale=False)(x)
    seen = layers.Dense(64, activation="relu")(seen)
    x = layers.Add()([x, layers.Dense(_FEATURES, kernel_initializer="zeros")(seen)])
    probabilities = layers.Dense(CLASSES, activation="softmax", name=OUTPUT_LAYER)(x)
    return keras.Model(cell, ops.reshape(probabilities, (-1, CLASSES)), name="board_digits")


def add_kind_head(digits_net: Any) -> Any:
    """Return the network with its own judges of who wrote a digit; how digits are read stays.

    Nine logits, one a digit, come from the 4×4 map that the digits are read from. They only share
    out what the network gives to a digit between its two kinds, so that sums over the kinds are
    what they were, bit for bit but for rounding.

    Args:
        digits_net: as `build_digits_net` returns it, trained.

    Returns:
        A network of the same input and output; the new layers' names begin with `kind`.
    """
    import keras
    from keras import layers

    probabilities = digits_net.output
    seen = digits_net.get_layer(_map_layer(digits_net)).output
    x = layers.Conv2D(12, 4, padding="valid", activation="relu", name="kind_strokes")(seen)
    x = layers.GlobalAveragePooling2D(name="kind_flat")(x)
    written = layers.Dense(9, activation="sigmoid", name="kind")(x)
    digits = probabilities[:, 1:10] + probabilities[:, 10:]
    by_hand = digits * written
    shared = keras.ops.concatenate([probabilities[:, :1], digits - by_hand, by_hand], axis=1)
    return keras.Model(digits_net.input, shared, name="digits")


def _map_layer(digits_net: Any) -> str:
    """Return the name of the last layer whose output is a 4×4 map in front of the dropout."""
    from keras import layers

    maps = [
        layer.name
        for layer in digits_net.layers
        if isinstance(layer, layers.ReLU) and layer.output.shape[1:3] == (4, 4)
    ]
    return str(maps[-1])


def marginal_loss(target: Any, probabilities: Any) -> Any:
    """Return the cross-entropy of "one of these classes", with a share of uniform smoothing.

    Where it is known that a cell holds a 7 but not whether it was printed or written, both classes
    are allowed and the loss is -log(p[printed 7] + p[written 7]).

    Args:
        target: (n, 20) float32: 19 flags of the classes allowed, then the smoothing in 0..1;
            1 asks for a uniform answer.
        probabilities: (n, 19) float32, rows sum to 1.

    Returns:
        (n,) float32.
    """
    import keras

    allowed, smoothing = target[:, :CLASSES], target[:, CLASSES]
    likelihood = keras.ops.sum(allowed * probabilities, axis=-1)
    known = -keras.ops.log(likelihood + 1e-7)
    uniform = -keras.ops.mean(keras.ops.log(probabilities + 1e-7), axis=-1)
    return (1 - smoothing) * known + smoothing * uniform


def _see_strokes(cell: Any) -> Any:
    """Return what six convolutions see of a cell, (4, 4, 80)."""
    from keras import layers

    x = _convolve(cell, 16, strides=2)
    x = _convolve(x, 16)
    x = _convolve(x, 40, strides=2)
    x = _convolve(x, 40)
    x = _convolve(x, 80, strides=2)
    return layers.Dropout(0.15)(_convolve(x, 80))


def _sum_up(x: Any) -> Any:
    """Return what the last convolution, (1, 1, k), sees as numbers, (k,)."""
    from keras import layers

    x = layers.ReLU()(layers.BatchNormalization()(x))
    return layers.GlobalAveragePooling2D()(layers.Dropout(0.25)(x))  # drops the two axes, no more


def _convolve(x: Any, filters: int, strides: int = 1) -> Any:
    from keras import layers

    x = layers.Conv2D(filters, 3, strides=strides, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    return layers.ReLU()(x)

"""Reads the symbols of boards with more than nine values, and builds the network that does."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.digits import CELL_PX, normalise_cells
from models.engine import INPUT_SHAPE, Engine, EngineKind, Job, load_engine
from models.symbols.symbol_classes import CLASSES

READS_SYMBOLS: Final = Job(
    "reads symbols", INPUT_SHAPE, (CLASSES,), "docs/model_card_symbols.md"
)  # fmt: skip

Float32 = npt.NDArray[np.float32]

OUTPUT_LAYER: Final = "probabilities"


class SymbolReader:
    """Says what stands in a cell; one instance must not be shared by two threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def load(cls, kind: EngineKind = "litert", threads: int = 2) -> "SymbolReader":
        """Open the shipped network.

        Raises:
            models.engine.EngineError: if weights or the engine's package are missing or broken.
        """
        return cls(load_engine("symbols", kind, job=READS_SYMBOLS, threads=threads))

    def read(self, cells: npt.NDArray[np.uint8]) -> Float32:
        """Return how likely each symbol is in each cell.

        Args:
            cells: (n, 32, 32) uint8 grey, n may be 0.

        Returns:
            (n, 53) float32; every row sums to 1. Columns as in `models.symbols.symbol_classes`.

        Raises:
            ValueError: if the cells have another shape or type.
        """
        tensor = normalise_cells(cells)
        if len(tensor) == 0:
            return np.zeros((0, CLASSES), np.float32)
        return self._engine.run(tensor)


def build_symbol_net() -> Any:
    """Return the network, untrained: (b, 32, 32, 1) float32 → (b, 53) probabilities.

    4.8 million multiply-adds a cell. Two figures are told apart by where they stand, so the last
    map is flattened.
    """
    import keras
    from keras import layers

    def convolve(x: Any, filters: int, size: int = 3, strides: int = 1) -> Any:
        x = layers.Conv2D(filters, size, strides=strides, padding="same", use_bias=False)(x)
        return layers.ReLU()(layers.BatchNormalization()(x))

    cell = layers.Input((CELL_PX, CELL_PX, 1), name="cell")
    x = convolve(convolve(cell, 16, strides=2), 32)
    x = convolve(convolve(x, 48, strides=2), 56)
    x = convolve(convolve(x, 72, strides=2), 72)
    x = layers.Dropout(0.1)(layers.Flatten()(convolve(x, 32, size=1)))
    x = layers.Dense(96, use_bias=False)(x)
    x = layers.Dropout(0.15)(layers.ReLU()(layers.BatchNormalization()(x)))
    told = layers.Dense(CLASSES, activation="softmax", name=OUTPUT_LAYER)(x)
    return keras.Model(cell, told, name="symbols")

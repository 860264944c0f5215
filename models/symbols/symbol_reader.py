"""Reads the symbols of boards with more than nine values, cell by cell."""

from typing import Final

import numpy as np
import numpy.typing as npt

from models.digits import normalise_cells
from models.engine import INPUT_SHAPE, Engine, EngineKind, Job, load_engine
from models.symbols.symbol_classes import CLASSES

READS_SYMBOLS: Final = Job(
    "reads symbols", INPUT_SHAPE, (CLASSES,), "docs/model_card_symbols.md"
)  # fmt: skip

Float32 = npt.NDArray[np.float32]


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

"""Reads the cage walls and the sums of a killer's cells."""

from typing import Final

import numpy as np
import numpy.typing as npt

from models.cages.cage_crops import (
    CAGE_CROP_PX,
    MOST_SUM,
    OUTPUTS,
    SIDES,
    CageViews,
    normalise_crops,
    split_outputs,
)
from models.engine import Engine, EngineKind, Job, load_engine

READS_CAGES: Final = Job(
    "reads cages", (CAGE_CROP_PX, CAGE_CROP_PX, 1), (OUTPUTS,), "docs/model_card_cages.md"
)


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

    def read(self, crops: npt.NDArray[np.uint8]) -> CageViews:
        """Return how likely each sum and each wall is.

        Args:
            crops: (k, 72, 72) uint8 grey.
        """
        if len(crops) == 0:
            empty = np.zeros((0, MOST_SUM + 1 + len(SIDES)), np.float32)
            return CageViews(empty[:, : MOST_SUM + 1], empty[:, MOST_SUM + 1 :])
        return split_outputs(self._engine.run(normalise_crops(crops)))

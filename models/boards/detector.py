"""Runs the detector on small pictures."""

from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from models.boards.maps import CHANNELS, INPUT_PX, STRIDE, BoardMaps, normalise_photo, split_maps
from models.engine import WEIGHTS_DIR, Engine, EngineKind, Job, load_engine

_PLACES: Final = INPUT_PX // STRIDE

FINDS_BOARDS: Final = Job(
    "finds boards",
    (INPUT_PX, INPUT_PX, 1),
    (_PLACES, _PLACES, CHANNELS),
    "docs/model_card_boards.md",
)


class BoardDetector:
    """Says of pictures where their boards lie; one instance must not be shared by two threads."""

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

    def detect(self, pictures: npt.NDArray[np.uint8]) -> list[BoardMaps]:
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

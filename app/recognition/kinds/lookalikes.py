"""Names the puzzle on a photo that shows no Sudoku, or says nothing."""

import logging
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from models.engine import EngineError, EngineKind
from models.lookalike_reader import (
    FIRST,
    FRAME_PX,
    SUDOKU,
    Lookalike,
    LookalikeReader,
)
from vision.finder.ink_frames import cut_large_frames
from vision.geometry import Float32

logger = logging.getLogger(__name__)

_SURE: Final = 0.8
"""Likelihood from which a frame is named."""

_SURER: Final = 0.95
"""The same beside digits that may be a Sudoku's: of 650 real photos of Sudokus, twelve have a
frame with 0.8 for another puzzle, and none has more than 0.91."""

_MAY_BE_SUDOKU: Final = 0.3
"""Likelihood of a Sudoku in a frame from which no smaller one is named."""


class LookalikeSight:
    """Opens the network when a photo is refused, and does without where it is missing."""

    def __init__(self, engine: EngineKind = "litert") -> None:
        """Begin without the network.

        Args:
            engine: what runs it.
        """
        self._engine = engine

    @cached_property
    def _reader(self) -> LookalikeReader | None:
        try:
            return LookalikeReader.load(self._engine)
        except EngineError as error:
            logger.info("puzzles that are no Sudokus are not named: %s", error)
            return None

    def name(self, image: npt.NDArray[np.uint8], *, has_digits: bool = False) -> Lookalike | None:
        """Return what the puzzle on a photo without a solved Sudoku surely is.

        Args:
            image: (H, W, 3) BGR uint8.
            has_digits: whether as many digits were read as a Sudoku has.
        """
        frames = cut_large_frames(image, FRAME_PX)
        if self._reader is None or not frames:
            return None
        likely = self._reader.read(np.stack([frame.picture for frame in frames]))
        return choose_name(likely, has_digits=has_digits)


def choose_name(likely: Float32, *, has_digits: bool = False) -> Lookalike | None:
    """Return the name of the largest frame that surely has one, if no larger may be a Sudoku.

    Args:
        likely: (k, `OUTPUTS`) float32, of the frames of a photo, the largest first.
        has_digits: as `LookalikeSight.name` takes it.
    """
    sure = _SURER if has_digits else _SURE
    logger.debug("frames: %s", np.round(likely, 2).tolist())
    for of_frame in likely:
        told = int(of_frame.argmax())
        if told >= FIRST and of_frame[told] >= sure:
            return list(Lookalike)[told - FIRST]
        if of_frame[SUDOKU] > _MAY_BE_SUDOKU:
            return None
    return None

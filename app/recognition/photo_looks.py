"""Looks at the places of one photo, as far as each deserves."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from app.recognition.reading import BoardReader, BoardReading
from app.recognition.results import BoardResult
from app.recognition.search_budget import Patience
from app.recognition.timing import StageClock
from solver.decoding.decode import DecodeLimits
from vision.quality import has_cells_outside

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

SolveReading = Callable[[BoardReading, tuple[int, int], StageClock], BoardResult]
"""Solves a board as it was read, on a photo of that width and height."""


class PhotoLooks:
    """Reads and solves boards of a photo whose searches share one patience."""

    def __init__(
        self,
        reader: BoardReader,
        solve: SolveReading,
        image: Image8,
        limits: DecodeLimits,
        clock: StageClock,
    ) -> None:
        """Begin with a photo.

        Args:
            reader: of boards.
            solve: solves what it read.
            image: (H, W, 3) BGR uint8.
            limits: of a search as long as few were in vain.
            clock: where the stages' seconds are added.
        """
        self._reader = reader
        self._solve = solve
        self._image = image
        self._size = image.shape[1], image.shape[0]
        self._patience = Patience(limits)
        self._clock = clock

    def glance(self, lattice: Points) -> BoardResult:
        """Solve the board on a lattice as it shows at first sight."""
        reading = self._reader.glance(self._image, lattice, self._clock, self._patience)
        return self._solve(reading, self._size, self._clock)

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Return what more looks make of a board, or the same where they are of no use."""
        # Of a board that is cut off nothing is claimed, however clear the rest becomes.
        if board.reading is None or has_cells_outside(self._size, board.lattice):
            return board
        reading = self._reader.look_closer(self._image, board.reading, self._clock, self._patience)
        if reading is board.reading:
            return board
        return self._solve(reading, self._size, self._clock)

    def note_solved(self) -> None:
        """Take note that a board is solved, so that others get less patience."""
        self._patience.note_board()

"""Looks at the boards of one photo: what each is at first sight, and what more looks make of it."""

from collections.abc import Iterable
from typing import Protocol

from app.recognition.reading import BoardReader
from app.recognition.results import BoardResult, SolveReading
from app.recognition.timing import StageClock
from vision.geometry import Image8, Points
from vision.quality import has_cells_outside, lies_outside


class Looks(Protocol):
    """Reads and solves the boards of a photo; see `PhotoLooks`."""

    def glance(self, lattice: Points) -> BoardResult:
        """Solve the board on a lattice as it shows at first sight."""

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Return what more looks make of a board, or the same where they are of no use."""

    def find_clearest(self, board: BoardResult, lattices: Iterable[Points]) -> Points | None:
        """Return the one that shows a board's digits best, None where its own lattice does."""

    def lies_outside(self, rough: Points) -> bool:
        """Tell whether a board surely goes on beyond the picture, so that it cannot be solved."""


class PhotoLooks:
    """Reads and solves the boards of one photo, as far as each deserves."""

    def __init__(
        self, reader: BoardReader, solve: SolveReading, image: Image8, clock: StageClock
    ) -> None:
        """Begin with a photo.

        Args:
            reader: of boards.
            solve: solves what it read.
            image: (H, W, 3) BGR uint8.
            clock: where the stages' seconds are added.
        """
        self._reader = reader
        self._solve = solve
        self._image = image
        self._size = image.shape[1], image.shape[0]
        self._clock = clock

    def glance(self, lattice: Points) -> BoardResult:
        """Solve the board on a lattice as it shows at first sight."""
        reading = self._reader.glance(self._image, lattice, self._clock)
        return self._solve(reading, self._size, self._clock)

    def lies_outside(self, rough: Points) -> bool:
        """Tell whether a board surely goes on beyond the picture, so that it cannot be solved."""
        return lies_outside(self._size, rough)

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Return what more looks make of a board, or the same where they are of no use."""
        # Of a board that is cut off nothing is claimed, however clear the rest becomes.
        if board.reading is None or has_cells_outside(self._size, board.lattice):
            return board
        reading = self._reader.look_closer(self._image, board.reading, self._clock)
        if reading is board.reading:
            return board
        return self._solve(reading, self._size, self._clock)

    def find_clearest(self, board: BoardResult, lattices: Iterable[Points]) -> Points | None:
        """Return the one that shows a board's digits best, None where its own lattice does.

        Args:
            board: that was read.
            lattices: (n + 1, n + 1, 2) float32 each, upright; none is asked for where a better one
                would be of no use.
        """
        reading = board.reading
        if (
            reading is None
            or has_cells_outside(self._size, board.lattice)
            or not self._reader.may_refit(reading)
        ):
            return None
        best = None
        least = self._reader.expect_errors(self._image, reading.lattice, self._clock)
        for lattice in lattices:
            errors = self._reader.expect_errors(self._image, lattice, self._clock)
            if errors < least:
                best, least = lattice, errors
        return best

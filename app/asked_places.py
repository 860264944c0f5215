"""Solves the places of a photo that may be boards, each no more often than it must be."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from app.outcome import Outcome
from app.results import BoardResult, overlaps
from vision.find import BoardCandidate

Points = npt.NDArray[np.float32]

Solve = Callable[[Points, bool], BoardResult]
"""Reads and solves the board on a lattice; with True only as far as it shows at first sight."""


class AskedPlaces:
    """What came of the places that were asked, while the finder still looks and afterwards."""

    def __init__(self, solve: Solve) -> None:
        """Begin with none."""
        self._solve = solve
        self._results: dict[bytes, BoardResult] = {}
        self.solved: list[BoardResult] = []
        """The boards that were solved, in the order in which they were."""

    def is_board(self, candidate: BoardCandidate, looks_hard: bool) -> bool:
        """Tell whether a place is a board that can be solved, as `vision.find` asks it."""
        if overlaps(candidate.corners, self.solved):
            return False
        if looks_hard:
            return self.solve(candidate).outcome is Outcome.SOLVED
        board = self._solve(candidate.lattice, True)
        if board.outcome is Outcome.SOLVED:
            self._note(candidate, board)
        return board.outcome is Outcome.SOLVED

    def solve(self, candidate: BoardCandidate) -> BoardResult:
        """Return what came of a place, if need be by a second look."""
        known = self._results.get(candidate.lattice.tobytes())
        if known is not None:
            return known
        board = self._solve(candidate.lattice, False)
        self._note(candidate, board)
        return board

    def _note(self, candidate: BoardCandidate, board: BoardResult) -> None:
        self._results[candidate.lattice.tobytes()] = board
        if board.outcome is Outcome.SOLVED:
            self.solved.append(board)

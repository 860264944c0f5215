"""Solves the places of a photo that may be boards, each no more often than it must be."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from app.outcome import Outcome
from app.results import BoardResult, overlaps
from solver.handwriting import is_hopeless
from vision.candidate import BoardCandidate
from vision.judge import Verdict

Points = npt.NDArray[np.float32]

Solve = Callable[[Points, bool], BoardResult]
"""Reads and solves the board on a lattice; with True only as far as it shows at first sight."""


class AskedPlaces:
    """What came of the places that were asked, while the finder still looks and afterwards."""

    def __init__(self, solve: Solve) -> None:
        """Begin with none."""
        self._solve = solve
        self._results: dict[bytes, BoardResult] = {}
        self._solved: dict[bytes, BoardResult] = {}

    @property
    def solved(self) -> list[BoardResult]:
        """The boards that were solved and are believed, in the order in which they were."""
        return list(self._solved.values())

    def judge(self, candidate: BoardCandidate, looks_hard: bool) -> Verdict:
        """Tell whether a place surely is a board, or is none, as `vision.find` asks it.

        It is one if it can be solved and has a digit in each of its outermost rows and columns:
        what begins a row too late can have one solution, too, but not the board's. Boards with an
        empty one are few, and are found as if nobody had asked. It is none if so few of its cells
        look like digits or like paper that nothing can come of it, or if it is legible and has no
        solution, as what two boards beside each other have in between.
        """
        if overlaps(candidate.corners, self.solved):
            return Verdict.OPEN
        board = self._read(candidate) if looks_hard else self._solve(candidate.lattice, True)
        if board.outcome is not Outcome.SOLVED:
            return Verdict.NO_BOARD if _is_denied(board) else Verdict.OPEN
        if not _reaches_edges(board):
            return Verdict.OPEN
        self._solved[candidate.lattice.tobytes()] = board
        return Verdict.BOARD

    def solve(self, candidate: BoardCandidate) -> BoardResult:
        """Return what came of a place, if need be by a second look."""
        board = self._read(candidate)
        if board.outcome is Outcome.SOLVED:
            self._solved[candidate.lattice.tobytes()] = board
        return board

    def rank_solved(self, candidates: Sequence[BoardCandidate]) -> list[BoardResult]:
        """Return the boards that were solved, in the order of the candidates."""
        ranks = {other.lattice.tobytes(): rank for rank, other in enumerate(candidates)}
        keys = sorted(self._solved, key=lambda key: ranks.get(key, len(ranks)))
        return [self._solved[key] for key in keys]

    def _read(self, candidate: BoardCandidate) -> BoardResult:
        key = candidate.lattice.tobytes()
        if key not in self._results:
            self._results[key] = self._solved.get(key) or self._solve(candidate.lattice, False)
        return self._results[key]


def _is_denied(board: BoardResult) -> bool:
    """Tell whether the digits of a place deny that it is a board."""
    if board.outcome is Outcome.NO_SOLUTION:
        return True
    return board.reading is not None and is_hopeless(board.reading.probabilities)


def _reaches_edges(board: BoardResult) -> bool:
    """Tell whether something stands in the first and last row and column."""
    filled = (board.clues > 0) | (board.entries > 0)
    return all(bool(edge.any()) for edge in (filled[0], filled[-1], filled[:, 0], filled[:, -1]))

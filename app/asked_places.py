"""Solves the places of a photo that may be boards, each no more often than it must be."""

import logging
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from app.outcome import Outcome
from app.results import BoardResult, overlaps
from solver.decode import expect_misreadings, join_hands
from solver.grid import FEWEST_CLUES
from solver.handwriting import is_hopeless
from vision.board import move_lattice
from vision.candidate import BoardCandidate
from vision.geometry import quad_overlap
from vision.inquiry import Answer
from vision.lattice import CONVINCING

logger = logging.getLogger(__name__)

Points = npt.NDArray[np.float32]

_LEGIBLE: Final = 1.5
"""Cells expected to be misread up to which it is not for the reader that a place is no puzzle."""

_BACKWARDS: Final = (
    ((0, 1), True, 1),
    ((0, -1), False, 1),
    ((1, 0), True, 0),
    ((-1, 0), False, 0),
)
"""Columns and rows by which a lattice may have to be moved, whether it is its first lines or its
last that it loses by that, and the axis along which these run."""

_FEWEST_OF_A_PART: Final = 9
"""Digits that a lattice shows of a board at least, even if it begins some lines late."""

_WORTH_TIME: Final = 0.6
"""The finder's score from which a place with digits is looked at twice, even beside a board."""

_SAME_PLACE: Final = 0.7
"""Overlap from which two lattices are of one board; between two boards they have less."""

Glance = Callable[[Points], BoardResult]
"""Reads and solves the board on a lattice as far as it shows at first sight."""

LookCloser = Callable[[BoardResult], BoardResult]
"""Takes what showed at first sight and returns what more looks make of it, or the same."""


class AskedPlaces:
    """What came of the places that were asked, while the finder still looks and afterwards."""

    def __init__(self, glance: Glance, look_closer: LookCloser, max_doubt: float) -> None:
        """Begin with none.

        Args:
            glance: reads and solves the board on a lattice, at first sight.
            look_closer: goes on with what showed there.
            max_doubt: expected number of misread cells above which nothing can come of a place.
        """
        self._look = glance
        self._look_closer = look_closer
        self._max_doubt = max_doubt
        self._seen: dict[bytes, BoardResult] = {}
        self._results: dict[bytes, BoardResult] = {}
        self._solved: dict[bytes, BoardResult] = {}

    @property
    def solved(self) -> list[BoardResult]:
        """The boards that were solved and are believed, in the order in which they were."""
        return list(self._solved.values())

    def answer(self, candidate: BoardCandidate, looks_hard: bool) -> Answer:
        """Tell what the digits of a place say, as `vision.find` asks it.

        It is a board if it can be solved and surely begins where the board does: what begins a row
        too late can have one solution, too, but not the board's. It is none if so few of its cells
        look like digits or like paper that nothing can come of it, or if it lies across a board.
        Its digits contradict each other if they are legible and still no puzzle.
        """
        if overlaps(candidate.corners, self.solved):
            is_same = any(
                quad_overlap(candidate.corners, board.corners) > _SAME_PLACE
                for board in self.solved
            )
            return Answer.OPEN if is_same else Answer.NO_BOARD
        board = self._read(candidate) if looks_hard else self._glance(candidate.lattice)
        logger.debug("candidate scored %.3f: %s", candidate.score, board.outcome.value)
        if board.outcome is not Outcome.SOLVED:
            return self._tell_failure(board)
        # Clear lines end the search by themselves, so that it need not be made sure.
        is_clear = candidate.score >= CONVINCING
        if not (_reaches_edges(board) if is_clear else self._begins_there(board)):
            return Answer.OPEN
        self._solved[candidate.lattice.tobytes()] = board
        return Answer.BOARD

    def has_no_digits(self, candidate: BoardCandidate) -> bool:
        """Tell whether a place shows no digits that could be a board's, even of a part of one.

        What can be read are too few, or too many cells look like no digit and like no paper.
        """
        reading = self._glance(candidate.lattice).reading
        if reading is None:
            return False
        probabilities = reading.probabilities
        shown = int((probabilities.argmax(axis=1) > 0).sum())
        return shown < _FEWEST_OF_A_PART or is_hopeless(probabilities, self._max_doubt)

    def solve(self, candidate: BoardCandidate) -> BoardResult:
        """Return what came of a place, if need be by a second look."""
        is_worth_it = not self._solved or (
            candidate.score >= _WORTH_TIME and not self.has_no_digits(candidate)
        )
        board = self._read(candidate) if is_worth_it else self._glance(candidate.lattice)
        if board.outcome is Outcome.SOLVED:
            self._solved[candidate.lattice.tobytes()] = board
        return board

    def rank_solved(self, candidates: Sequence[BoardCandidate]) -> list[BoardResult]:
        """Return the boards that were solved, in the order of the candidates."""
        ranks = {other.lattice.tobytes(): rank for rank, other in enumerate(candidates)}
        keys = sorted(self._solved, key=lambda key: ranks.get(key, len(ranks)))
        return [self._solved[key] for key in keys]

    def _tell_failure(self, board: BoardResult) -> Answer:
        if board.reading is None or board.outcome is Outcome.AMBIGUOUS or _is_cut_off(board):
            return Answer.OPEN
        probabilities = board.reading.probabilities
        if is_hopeless(probabilities, self._max_doubt):
            return Answer.NO_BOARD
        has_enough = int((board.clues > 0).sum()) >= FEWEST_CLUES
        is_legible = expect_misreadings(join_hands(probabilities)) <= _LEGIBLE
        return Answer.CONTRADICTION if is_legible and has_enough else Answer.OPEN

    def _begins_there(self, board: BoardResult) -> bool:
        """Tell whether a lattice surely begins where the board does.

        It does if something stands in each of its outermost rows and columns. Where some are empty,
        a lattice that begins as many lines further away from them must show nothing more, and be
        no puzzle itself.
        """
        filled = _find_filled(board)
        for (right, down), first, axis in _BACKWARDS:
            lines = np.asarray(filled.any(axis=axis))
            empty = int(np.argmax(lines if first else lines[::-1]))
            for count in range(1, empty + 1):
                moved = move_lattice(board.lattice, count * right, count * down)
                other = self._glance(moved)
                others = np.asarray(_find_filled(other).any(axis=axis))
                gained = others[-1 if first else 0]
                is_turned = not np.array_equal(other.lattice, moved)
                if gained or is_turned or _is_cut_off(other) or other.outcome is Outcome.SOLVED:
                    return False
        return True

    def _glance(self, lattice: Points) -> BoardResult:
        key = lattice.tobytes()
        if key not in self._seen:
            self._seen[key] = self._look(lattice)
        return self._seen[key]

    def _read(self, candidate: BoardCandidate) -> BoardResult:
        key = candidate.lattice.tobytes()
        if key not in self._results:
            self._results[key] = self._look_closer(self._glance(candidate.lattice))
        return self._results[key]


def _find_filled(board: BoardResult) -> npt.NDArray[np.bool_]:
    """Return the cells in which something stands, (9, 9)."""
    return (board.clues > 0) | (board.entries > 0)


def _reaches_edges(board: BoardResult) -> bool:
    """Tell whether something stands in each of the outermost rows and columns."""
    filled = _find_filled(board)
    return all(bool(edge.any()) for edge in (filled[0], filled[8], filled[:, 0], filled[:, 8]))


def _is_cut_off(board: BoardResult) -> bool:
    """Tell whether a part of a board that was not solved lies outside of the picture."""
    return board.quality is not None and len(board.quality.outside) > 0

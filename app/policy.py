"""The one loop over the places of a photo: which is read next, how closely, and when it ends."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from app.outcome import Outcome
from app.patience import Patience
from app.reading import BoardReader, BoardReading
from app.results import BoardResult, PhotoResult, keep_distinct, overlaps
from app.second_look import is_illegible
from app.timing import StageClock
from solver.decode import DecodeLimits, withdraw_claim
from vision.board import move_lattice
from vision.candidate import BoardCandidate
from vision.finder.detect import BoardFinder, Detector, Eye, Look
from vision.quality import has_cells_outside

logger = logging.getLogger(__name__)

Float32 = npt.NDArray[np.float32]
Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

SolveReading = Callable[[BoardReading, tuple[int, int], StageClock], BoardResult]
"""Solves a board as it was read, on a photo of that width and height."""

_FEWEST_OF_A_PART: Final = 9
"""Digits that a lattice shows of a board at least, even if it begins some lines late."""

_LEAST_LINES: Final = 0.5
"""Share of the line pieces below which a place that is not solved is no board."""

_CLEAR: Final = 0.93
"""Share of the line pieces from which a board surely begins and ends where its lines do."""

_OUTWARDS: Final = (
    ((0, 1), True, 1),
    ((0, -1), False, 1),
    ((1, 0), True, 0),
    ((-1, 0), False, 0),
)
"""Columns and rows by which a lattice may have to be moved, whether it is its first lines or its
last that it loses by that, and the axis along which these run."""


@dataclass(frozen=True)
class Policy:
    """How much is tried on a picture.

    Attributes:
        looks: ways to look for boards, one after the other until a board is solved.
        max_places: places that are read at most.
        is_first_enough: whether to end with the first board that is solved.
    """

    looks: tuple[Look, ...] = tuple(Look)
    max_places: int = 24
    is_first_enough: bool = False


PHOTO: Final = Policy()


class PhotoRecognizer:
    """Finds, reads and solves the boards of one photo."""

    def __init__(
        self,
        image: Image8,
        detector: tuple[Detector, Eye],
        reader: BoardReader,
        solve: SolveReading,
        limits: DecodeLimits,
        clock: StageClock,
    ) -> None:
        """Begin with a photo.

        Args:
            image: (H, W, 3) BGR uint8.
            detector: of boards, and what is known of it.
            reader: of boards.
            solve: solves what it read.
            limits: of a search as long as few were in vain.
            clock: where the stages' seconds are added.
        """
        self._finder = BoardFinder(image, *detector)
        self._image = image
        self._size = image.shape[1], image.shape[0]
        self._reader = reader
        self._solve = solve
        self._budget = Patience(limits)
        self._clock = clock

    def recognize(self, policy: Policy) -> PhotoResult:
        """Return what came of the photo."""
        solved: list[BoardResult] = []
        failed: list[BoardResult] = []
        places: list[BoardCandidate] = []
        for place in self._list_places(policy, places, solved):
            if overlaps(place.corners, solved):
                continue
            board = self._recognize_place(place)
            logger.debug("lines %.2f: %s", place.score, board.outcome.value)
            if board.outcome is Outcome.SOLVED:
                solved.append(board)
                self._budget.note_board()
                if policy.is_first_enough:
                    break
            elif place.score >= _LEAST_LINES:
                failed.append(board)
        failed.sort(key=lambda board: board.outcome.rank)
        boards = keep_distinct([*solved, *failed])
        outcome = boards[0].outcome if boards else Outcome.NO_BOARD
        return PhotoResult(outcome, tuple(boards), tuple(places), self._clock.seconds())

    def _list_places(
        self, policy: Policy, places: list[BoardCandidate], solved: list[BoardResult]
    ) -> Iterator[BoardCandidate]:
        """Yield the places of one look after the other, and note them, until a board is solved."""
        for look in policy.looks:
            found = self._finder.find(look, [place.lattice for place in places])
            while len(places) < policy.max_places:
                with self._clock.stage("find"):
                    place = next(found, None)
                if place is None:
                    break
                candidate = BoardCandidate(
                    place.corners, place.lattice, place.line_score, place.is_inverted
                )
                places.append(candidate)
                yield candidate
            if solved:
                return

    def _recognize_place(self, place: BoardCandidate) -> BoardResult:
        board = self._glance(place.lattice)
        first = board.reading
        if first is not None and self._may_show_puzzle(board, first):
            reading = self._reader.look_closer(self._image, first, self._clock, self._budget)
            if reading is not first:
                board = self._solve(reading, self._size, self._clock)
        is_claimed = board.outcome is Outcome.SOLVED
        if is_claimed and place.score < _CLEAR and not self._begins_there(board):
            logger.debug("the board may begin elsewhere")
            assert board.reading is not None
            withdrawn = replace(board.reading, decoding=withdraw_claim(board.reading.decoding))
            return self._solve(withdrawn, self._size, self._clock)
        return board

    def _may_show_puzzle(self, board: BoardResult, reading: BoardReading) -> bool:
        """Tell whether a board that was not solved may be one that a closer look can read."""
        # Of a board that is cut off nothing is claimed, however clear the rest becomes.
        if board.outcome is Outcome.SOLVED or has_cells_outside(self._size, board.lattice):
            return False
        probabilities = reading.probabilities
        shown = int((probabilities.argmax(axis=1) > 0).sum())
        return shown >= _FEWEST_OF_A_PART and not is_illegible(probabilities)

    def _begins_there(self, board: BoardResult) -> bool:
        """Tell whether a lattice surely begins where the board does.

        It does if something stands in each of its outermost rows and columns. Where some are empty,
        a lattice that begins as many lines further away from them must show nothing more: what
        begins a row too late can have one solution, too, but not the board's.
        """
        filled = (board.clues > 0) | (board.entries > 0)
        for (right, down), is_first, axis in _OUTWARDS:
            lines = np.asarray(filled.any(axis=axis))
            empty = int(np.argmax(lines if is_first else lines[::-1]))
            for count in range(1, empty + 1):
                moved = move_lattice(board.lattice, count * right, count * down)
                if has_cells_outside(self._size, moved):
                    continue
                other = self._glance(moved)
                others = (other.clues > 0) | (other.entries > 0)
                gained = np.asarray(others.any(axis=axis))[-1 if is_first else 0]
                if gained or other.outcome is Outcome.SOLVED:
                    return False
        return True

    def _glance(self, lattice: Points) -> BoardResult:
        reading = self._reader.glance(self._image, lattice, self._clock, self._budget)
        return self._solve(reading, self._size, self._clock)

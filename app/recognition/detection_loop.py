"""The one loop over the places that the detector shows: which is read next, and when it ends."""

import logging
from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.asked_places import Looks, begins_there, shows_no_puzzle
from app.recognition.kinds.other_sides import OtherSides
from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult, PhotoResult, keep_distinct, overlaps
from app.recognition.timing import StageClock
from models.board_detector import INPUT_PX, SIDES, STRIDE
from vision.classic_finder.lattice import BoardCandidate
from vision.finder.detect import CLEAR, BoardFinder, Detector, Eye, Look

logger = logging.getLogger(__name__)

_LEAST_LINES: Final = 0.5
"""Share of the line pieces below which a place that is not solved is no board."""

_EYE: Final = Eye(INPUT_PX, STRIDE, SIDES, only=9)
"""What is known of the detector. The side of other boards is told by their lines."""


def open_finder(image: npt.NDArray[np.uint8], detector: Detector) -> BoardFinder:
    """Return the finder of a photo, (H, W, 3) BGR uint8."""
    return BoardFinder(image, detector, _EYE)


class PhotoRecognizer:
    """Finds, reads and solves the boards of one photo."""

    def __init__(
        self,
        finder: BoardFinder,
        looks: Looks,
        max_places: int,
        clock: StageClock,
        others: OtherSides | None = None,
    ) -> None:
        """Begin with a photo.

        Args:
            finder: of its boards.
            looks: reads and solves them.
            max_places: how many places are read at most.
            clock: where the finder's seconds are added.
            others: looks for boards of other sides where none of side 9 is solved; None if nothing
                shall.
        """
        self._others = others
        self._finder = finder
        self._looks = looks
        self._max_places = max_places
        self._clock = clock

    def recognize(self) -> PhotoResult:
        """Return what came of the photo."""
        solved: list[BoardResult] = []
        failed: list[BoardResult] = []
        places: list[BoardCandidate] = []
        for place in self._list_places(places, solved):
            if overlaps(place.corners, solved):
                continue
            board = self._looks.glance(place.lattice)
            if not shows_no_puzzle(board):
                board = self._looks.look_closer(board)
            logger.debug("lines %.2f: %s", place.score, board.outcome.value)
            if board.outcome is not Outcome.SOLVED:
                if place.score >= _LEAST_LINES:
                    failed.append(board)
            # What begins a row too late can have one solution, too, but not the board's.
            elif place.score >= CLEAR or begins_there(board, self._looks.glance):
                solved.append(board)
                self._looks.note_solved()
        if self._others is not None and not solved:
            self._others.look()
            told = self._others.boards
            solved = [board for board in told if board.outcome is Outcome.SOLVED]
            failed = [board for board in failed if not overlaps(board.corners, told)]
            failed += [board for board in told if board.outcome is not Outcome.SOLVED]
        failed.sort(key=lambda board: board.outcome.rank)
        boards = keep_distinct([*solved, *failed])
        outcome = boards[0].outcome if boards else Outcome.NO_BOARD
        return PhotoResult(outcome, tuple(boards), tuple(places), self._clock.seconds())

    def _list_places(
        self, places: list[BoardCandidate], solved: list[BoardResult]
    ) -> Iterator[BoardCandidate]:
        """Yield the places of one look after the other, and note them, until a board is solved."""
        for look in Look:
            found = self._finder.find(look, [place.lattice for place in places])
            while len(places) < self._max_places:
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

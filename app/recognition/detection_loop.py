"""The one loop over the places of a photo: which is read next, and when it ends."""

import logging
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.asked_places import Answer, AskedPlaces, PlaceFinder
from app.recognition.outcome import Outcome
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.results import BoardResult, PhotoResult, keep_distinct, overlaps
from app.recognition.timing import StageClock
from models.board_detector import INPUT_PX, SIDES, STRIDE
from vision.board import CLASSIC_SIDE
from vision.classic_finder.find import LineSearch
from vision.finder.detect import BoardFinder, Detector, Eye, Look
from vision.finder.snap import CONVINCING, BoardCandidate
from vision.geometry import quad_area

logger = logging.getLogger(__name__)

Image8 = npt.NDArray[np.uint8]

_LIKELY: Final = 0.7
"""Score of a place whose digits are asked whether it is a board, before other ways to look for
boards are tried."""

_ROOM: Final = 3.0
"""Areas of the solved boards that a photo has at least where others are looked for beside them."""

_MUCH_ROOM: Final = 5.0
"""The same where these are too small for a look at the whole photo: of three boards that took a
twentieth of a photo each, two that stood close were missed."""

_EYE: Final = Eye(INPUT_PX, STRIDE, SIDES, only=CLASSIC_SIDE)
"""What is known of the detector. The side of other boards is told by their lines."""

OpenFinder = Callable[[], PlaceFinder | None]
"""Returns the detector's finder of a photo, or None where there is no detector."""

ChooseLooks = Callable[[], Sequence[Look]]
"""Returns the looks at a photo that may show boards; none where it surely shows no board."""


def open_finder(image: Image8, detector: Detector) -> BoardFinder:
    """Return the finder of a photo, (H, W, 3) BGR uint8."""
    return BoardFinder(image, detector, _EYE)


class PhotoRecognizer:
    """Finds, reads and solves the boards of one photo."""

    def __init__(
        self,
        asked: AskedPlaces,
        open_finder: OpenFinder,
        choose_looks: ChooseLooks,
        options: PipelineOptions,
        clock: StageClock,
    ) -> None:
        """Begin with a photo.

        Args:
            asked: reads and solves its places.
            open_finder: opens the detector's finder of the photo.
            choose_looks: tells which of its looks are taken.
            options: how the line works.
            clock: where the finder's seconds are added.
        """
        self._asked = asked
        self._open_finder = open_finder
        self._choose_looks = choose_looks
        self._options = options
        self._clock = clock
        self._is_denied = False
        self._shown: list[BoardCandidate] = []
        self._failed: list[BoardResult] = []
        self._open: list[BoardCandidate] = []

    def recognize(self, image: Image8) -> PhotoResult:
        """Return what came of the photo, (H, W, 3) BGR uint8."""
        asked = self._asked
        places: list[BoardCandidate] = []
        with self._clock.stage("find"):
            if self._options.finder == "classic":
                search = LineSearch(image)
                if not self._ask_lines(search):
                    self._ask_looks()
                places = search.list_places(self._options.max_boards)
            else:
                self._ask_looks()
        if self._is_denied:
            return PhotoResult(Outcome.NO_BOARD, (), tuple(places), self._clock.seconds())
        beside = _choose_looks_beside(asked.solved, image)
        if beside:
            with self._clock.stage("find"):
                self._open += asked.look_beside(self._open_finder(), beside)
        self._solve_places(places)
        # An outermost row may be empty: what lies around tells where a board begins.
        shown = [place for place in self._open if place.score >= CONVINCING]
        self._solve_places(shown, must_begin=True)
        asked.join_grids()
        told = asked.unsolved
        failed = [board for board in self._failed if not overlaps(board.corners, told)] + told
        failed.sort(key=lambda board: board.outcome.rank)
        boards = keep_distinct([*asked.solved, *failed])
        outcome = boards[0].outcome if boards else Outcome.NO_BOARD
        places += self._shown
        return PhotoResult(outcome, tuple(boards), tuple(places), self._clock.seconds())

    def _ask_lines(self, search: LineSearch) -> bool:
        """Look for lines, and tell whether the digits of a place end the search."""
        while search.advance():
            if self._ask_best(search):
                return True
        return False

    def _ask_best(self, search: LineSearch) -> bool:
        """Ask the digits of the best place, and tell whether they end the search."""
        least = _LIKELY
        while (best := search.best) is not None and best.score >= least:
            is_clear = best.score >= CONVINCING
            answer = self._asked.answer(best, looks_hard=is_clear)
            if answer is Answer.OPEN:
                self._open.append(best)
            if answer is not Answer.NO_BOARD or not is_clear:
                return answer in (Answer.BOARD, Answer.LAST)
            search.deny_best()
            # What follows it is asked at once if it is as clear. What is not may begin a line
            # late, which is looked into before it is asked.
            least = CONVINCING
        return False

    def _ask_looks(self) -> None:
        """Ask the digits of what the detector shows, and look for boards of other sides last."""
        looks = self._choose_looks()
        self._is_denied = not looks
        finder = self._open_finder()
        if self._is_denied or finder is None:
            return
        for look in looks:
            if self._ask_look(finder, look):
                return
        clearest = max((place.score for place in self._shown), default=0.0)
        is_over = Look.PARTS in looks or clearest >= self._options.sure_score
        if not is_over and clearest < self._options.min_score:
            if self._ask_look(finder, Look.PARTS):
                return
            is_over = True
        self._asked.look_for_others(looks)
        if not (is_over or self._asked.solved):  # what was shown may be a part of many small boards
            self._ask_look(finder, Look.PARTS)

    def _ask_look(self, finder: PlaceFinder, look: Look) -> bool:
        """Ask the digits of what a look shows, and tell whether they end the search."""
        found = finder.find(look, [place.lattice for place in self._shown])
        for place in islice(found, self._options.max_boards):
            self._shown.append(place)
            if place.score < self._options.min_score:
                continue
            answer = self._asked.answer(place, looks_hard=True)
            logger.debug("lines %.2f: %s", place.score, answer)
            if answer is Answer.LAST:
                return True
            if answer is Answer.OPEN:
                self._open.append(place)
            if answer is not Answer.BOARD:
                self._failed += self._asked.list_read(place)
        return bool(self._asked.solved)

    def _solve_places(self, places: Sequence[BoardCandidate], *, must_begin: bool = False) -> None:
        """Read what was found and not asked, or not believed before all was searched."""
        asked, options = self._asked, self._options
        for rank, place in enumerate(places):
            is_doubtful = place.score < options.sure_score
            is_late = is_doubtful and rank >= options.max_doubtful
            if is_late or place.score < options.min_score:
                continue
            if overlaps(place.corners, [*asked.solved, *asked.unsolved]):
                continue
            board = asked.solve(place, must_begin=must_begin)
            logger.debug("candidate scored %.3f: %s", place.score, board.outcome.value)
            if board.outcome is not Outcome.SOLVED:
                self._failed.append(board)


def _choose_looks_beside(boards: Sequence[BoardResult], image: Image8) -> Sequence[Look]:
    """Return the looks for further boards; none where the solved boards leave them no space."""
    taken = sum(abs(quad_area(board.corners)) for board in boards)
    space = image.shape[0] * image.shape[1] / taken if boards else 0.0
    if space < _ROOM:
        return ()
    return (Look.WHOLE,) if space < _MUCH_ROOM else (Look.WHOLE, Look.PARTS)

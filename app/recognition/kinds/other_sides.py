"""Finds, reads and solves the boards of one photo that have another side than 9."""

import logging
from collections.abc import Sequence
from typing import Final

from app.recognition.outcome import Outcome
from app.recognition.photo_looks import Looks
from app.recognition.results import BoardResult, keep_distinct, lies_on
from app.recognition.timing import StageClock
from solver.rules import Kind
from vision.board import CLASSIC_SIDE
from vision.finder.detect import BoardFinder
from vision.finder.snap import CONVINCING, BoardCandidate
from vision.finder.views import NETWORK_LOOKS, Look
from vision.geometry import Points

logger = logging.getLogger(__name__)

SIDES: Final = (10, CLASSIC_SIDE, 16, 12, 8, 6, 4)
"""That are counted: the most frequent, after what it may be a part of, then large before small."""

_LEAST_LINES: Final = 0.6
"""Share of line pieces from which a place is read; what it says decides the rest."""


class OtherSides:
    """Looks once for the boards of one photo that have another side than 9."""

    def __init__(self, finder: BoardFinder, looks: Looks, clock: StageClock) -> None:
        """Begin with a photo.

        Args:
            finder: of the photo.
            looks: reads and solves what is found.
            clock: where the finder's seconds are added.
        """
        self._finder = finder
        self._looks = looks
        self._clock = clock
        self._boards: list[BoardResult] | None = None

    @property
    def is_asked(self) -> bool:
        """Whether it was looked for them."""
        return self._boards is not None

    @property
    def boards(self) -> Sequence[BoardResult]:
        """The boards that were found, solved or not; each shows its boxes or regions."""
        return self._boards or ()

    def look(
        self, looks: Sequence[Look] = NETWORK_LOOKS, found: Sequence[BoardResult] = ()
    ) -> None:
        """Look for them.

        Args:
            looks: that are taken in turn until one shows a board clearly, solved or not: another
                look would find the same lines.
            found: boards that are known already; beside solved ones no frame is counted,
                and nothing that the picture cuts off.
        """
        self._boards, shows_classic = [], False
        is_beside = any(board.outcome is Outcome.SOLVED for board in found)

        def is_known(lattice: Points) -> bool:
            return lies_on(lattice, found) or (is_beside and self._looks.lies_outside(lattice))

        for look in looks:
            with self._clock.stage("find"):
                places = list(self._finder.find_counted(look, SIDES, is_known))
            self._boards = [board for board in map(self.read, places) if board is not None]
            shows_classic = any(map(_is_clear_classic, places))
            if self._boards or shows_classic:
                break
        is_solved = any(board.outcome is Outcome.SOLVED for board in self._boards)
        if not (shows_classic or is_beside or is_solved):
            both = [*self._read_frames(), *self._boards]
            self._boards = keep_distinct(sorted(both, key=lambda board: board.outcome.rank))

    def _read_frames(self) -> list[BoardResult]:
        """Return the boards in frames: the detector may miss one that lines show clearly."""
        with self._clock.stage("find"):
            counted = list(self._finder.count_framed(SIDES))
        read = map(self.read, counted)
        return [board for board in read if board is not None]

    def read(self, place: BoardCandidate) -> BoardResult | None:
        """Return what came of a place, None where it shows no board of another side."""
        side = len(place.lattice) - 1
        logger.debug("lines %.2f for side %d", place.score, side)
        if side == CLASSIC_SIDE or place.score < _LEAST_LINES:
            return None
        board = self._looks.look_closer(self._looks.glance(place.lattice))
        logger.debug("side %d: %s", side, board.outcome.value)
        if not board.is_told:  # boxes that are not seen are not assumed
            return None
        # Boxes do not lie by chance where they should, but some regions do.
        is_told = board.outcome is Outcome.SOLVED and board.kind is not Kind.JIGSAW
        return board if is_told or place.score >= CONVINCING else None


def _is_clear_classic(place: BoardCandidate) -> bool:
    return len(place.lattice) - 1 == CLASSIC_SIDE and place.score >= CONVINCING

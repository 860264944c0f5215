"""Finds, reads and solves the boards of one photo that have another side than 9."""

import logging
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult, keep_distinct
from app.recognition.timing import StageClock
from solver.rules import Kind
from vision.finder.detect import CLEAR, BoardFinder, FoundBoard, Look

logger = logging.getLogger(__name__)

Points = npt.NDArray[np.float32]

_CLASSIC: Final = 9

JoinGrids = Callable[[Points], Sequence[Points]]
"""Takes a lattice of side 9 and returns those of all grids of its samurai, none where it is alone.
"""

SIDES: Final = (10, _CLASSIC, 16, 12, 8, 6, 4)
"""That are counted: the most frequent, after what it may be a part of, then large before small."""

_LEAST_LINES: Final = 0.6
"""Share of line pieces from which a place is read; what it says decides the rest."""


class Looks(Protocol):
    """Reads and solves the boards of a photo; see `app.recognition.photo_looks.PhotoLooks`."""

    def glance(self, lattice: Points) -> BoardResult:
        """Solve the board on a lattice as it shows at first sight."""

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Return what more looks make of a board, or the same where they are of no use."""


class OtherSides:
    """Looks once for the boards of one photo that have another side than 9."""

    def __init__(
        self,
        open_finder: Callable[[], BoardFinder | None],
        looks: Looks,
        clock: StageClock,
        list_frames: Callable[[], Sequence[Points]] = tuple,
    ) -> None:
        """Begin with a photo.

        Args:
            open_finder: returns the finder of the photo; None where there is no detector.
            looks: reads and solves what is found.
            clock: where the finder's seconds are added.
            list_frames: returns the corners of large frames, (4, 2) float32 each, between which
                lines are counted where the detector sees no board.
        """
        self._list_frames = list_frames
        self._open_finder = open_finder
        self._looks = looks
        self._clock = clock
        self._boards: list[BoardResult] | None = None
        self._classics: list[FoundBoard] = []

    @property
    def is_asked(self) -> bool:
        """Whether it was looked for them."""
        return self._boards is not None

    @property
    def boards(self) -> Sequence[BoardResult]:
        """The boards that were found, solved or not; each shows its boxes or regions."""
        return self._boards or ()

    @property
    def classics(self) -> Sequence[FoundBoard]:
        """Places of boards of side 9, with clear lines; they were not read."""
        return self._classics

    def look(
        self,
        looks: Sequence[Look] = tuple(Look),
        known: Sequence[Points] = (),
        join_grids: JoinGrids | None = None,
    ) -> bool:
        """Look for them, and tell whether the photo shows such boards, or a samurai, alone.

        Args:
            looks: that are taken in turn until one shows a board clearly, solved or not: another
                look would find the same lines.
            known: lattices of boards that are found already.
            join_grids: is asked about each clear place of side 9, if given. Where one is a grid of
                a samurai, its other grids are not counted, and no later look is taken.
        """
        self._boards, is_all = [], False
        finder = self._open_finder()
        if finder is None:
            return False
        for look in looks:
            with self._clock.stage("find"):
                places, grids = _find_places(finder, look, known, join_grids)
            read = [board for board in map(self._read, places) if board is not None]
            self._boards, is_all = read, bool(read) and len(read) == len(places)
            self._classics = [place for place in places if _is_classic(place)]
            if grids:
                return True
            if read or self._classics:
                break
        if not (known or self._classics or _solves_any(self._boards)):
            framed = self._read_frames(finder)
            ranked = sorted([*framed, *self._boards], key=lambda board: board.outcome.rank)
            self._boards = keep_distinct(ranked)
            is_all = is_all or _solves_any(framed)
        return is_all

    def _read_frames(self, finder: BoardFinder) -> list[BoardResult]:
        """Return the boards in frames: the detector may miss one that lines show clearly."""
        with self._clock.stage("find"):
            counted = [finder.count_between(frame, SIDES) for frame in self._list_frames()]
        read = [self._read(place) for place in counted if place is not None]
        return [board for board in read if board is not None]

    def _read(self, place: FoundBoard) -> BoardResult | None:
        """Return what came of a place, None where it shows no board of another side."""
        side = len(place.lattice) - 1
        logger.debug("lines %.2f for side %d", place.line_score, side)
        if side == _CLASSIC or place.line_score < _LEAST_LINES:
            return None
        board = self._looks.look_closer(self._looks.glance(place.lattice))
        logger.debug("side %d: %s", side, board.outcome.value)
        if board.rules is None:  # boxes that are not seen are not assumed
            return None
        # Boxes do not lie by chance where they should, but some regions do.
        is_told = board.outcome is Outcome.SOLVED and board.kind is not Kind.JIGSAW
        return board if is_told or place.line_score >= CLEAR else None


def _find_places(
    finder: BoardFinder, look: Look, known: Sequence[Points], join_grids: JoinGrids | None
) -> tuple[list[FoundBoard], Sequence[Points]]:
    """Return the places that a look shows, and the grids of a samurai that lies beside them."""
    places = []
    for place in finder.find_counted(look, SIDES, known):
        grids = join_grids(place.lattice) if join_grids and _is_classic(place) else ()
        if grids:
            # To count the lines of its other grids takes longer than to look anew.
            return list(finder.find_counted(look, SIDES, [*known, *grids])), grids
        places.append(place)
    return places, ()


def _solves_any(boards: Sequence[BoardResult]) -> bool:
    return any(board.outcome is Outcome.SOLVED for board in boards)


def _is_classic(place: FoundBoard) -> bool:
    return len(place.lattice) - 1 == _CLASSIC and place.line_score >= CLEAR

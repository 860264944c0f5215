"""Solves the places of a photo that may be boards, each no more often than it must be."""

import logging
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from app.recognition.outcome import Outcome
from app.recognition.reading import BoardReader
from app.recognition.results import BoardResult, SolveReading, overlaps
from app.recognition.timing import StageClock
from solver.decoding.handwriting import is_hopeless
from solver.rules import Kind, find_grids
from vision.board import CLASSIC_SIDE, move_lattice
from vision.classic_finder.find import SAME_PLACE
from vision.finder.detect import Look
from vision.finder.snap import CONVINCING, BoardCandidate
from vision.geometry import quad_overlap
from vision.quality import has_cells_outside

logger = logging.getLogger(__name__)

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

_BACKWARDS: Final = (
    ((0, 1), True, 1),
    ((0, -1), False, 1),
    ((1, 0), True, 0),
    ((-1, 0), False, 0),
)
"""Columns and rows by which a lattice may have to be moved, whether it is its first lines or its
last that it loses by that, and the axis along which these run."""

_WORTH_TIME: Final = 0.6
"""The detector's score from which a place beside a board is read."""


class Answer(Enum):
    """What the digits of a place say about it.

    Attributes:
        BOARD: it surely is one.
        LAST: it is one, and nothing else needs to be looked for: it is a part of a large puzzle.
        NO_BOARD: its lines lie.
        OPEN: nothing of that.
    """

    BOARD = auto()
    LAST = auto()
    NO_BOARD = auto()
    OPEN = auto()


class Looks(Protocol):
    """Reads and solves the boards of a photo; see `PhotoLooks`."""

    def glance(self, lattice: Points) -> BoardResult:
        """Solve the board on a lattice as it shows at first sight."""

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Return what more looks make of a board, or the same where they are of no use."""


class Samurais(Protocol):
    """Looks for samurais; see `app.recognition.kinds.samurai.SamuraiSearch`."""

    def find(self, lattice: Points) -> BoardResult | None:
        """Return what came of the samurai that a grid belongs to, None where it stands alone."""

    def is_likely(self, lattice: Points) -> bool:
        """Tell at little cost whether a board may be a grid of one."""


class Others(Protocol):
    """Looks for boards of other sides; see `app.recognition.kinds.other_sides.OtherSides`."""

    @property
    def is_asked(self) -> bool:
        """Whether it was looked for them."""

    @property
    def boards(self) -> Sequence[BoardResult]:
        """The boards that were found, solved or not."""

    def look(self, looks: Sequence[Look], known: Sequence[Points]) -> object:
        """Look for them beside known lattices."""


class PlaceFinder(Protocol):
    """Finds places by the detector; see `vision.finder.detect.BoardFinder`."""

    def find(self, look: Look, known: Sequence[Points] = ()) -> Iterator[BoardCandidate]:
        """Yield the boards of side 9 that a look shows beside known lattices."""


class PhotoLooks:
    """Reads and solves the boards of one photo, as far as each deserves."""

    def __init__(
        self,
        reader: BoardReader,
        solve: SolveReading,
        image: Image8,
        clock: StageClock,
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

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Return what more looks make of a board, or the same where they are of no use."""
        # Of a board that is cut off nothing is claimed, however clear the rest becomes.
        if board.reading is None or has_cells_outside(self._size, board.lattice):
            return board
        reading = self._reader.look_closer(self._image, board.reading, self._clock)
        if reading is board.reading:
            return board
        return self._solve(reading, self._size, self._clock)


class AskedPlaces:
    """What came of the places of a photo that were read, each no more often than it must be."""

    def __init__(
        self,
        looks: Looks,
        max_doubt: float,
        samurais: Samurais | None = None,
        others: Others | None = None,
        *,
        is_kind_named: bool = False,
    ) -> None:
        """Begin with none.

        Args:
            looks: at the places of the photo.
            max_doubt: expected number of misread cells above which a place with the lines of a
                board is none.
            samurais: looks for those that boards are grids of; None if nothing shall.
            others: looks for boards of other sides; None if nothing shall.
            is_kind_named: the kind of the boards is told by a person, not by what they show.
        """
        self._others = others
        self._is_kind_named = is_kind_named
        self._samurais = samurais
        self._unsolved: list[BoardResult] = []
        self._looks = looks
        self._max_doubt = max_doubt
        self._glanced: dict[bytes, BoardResult] = {}
        self._results: dict[bytes, BoardResult] = {}
        self._solved: list[BoardResult] = []

    @property
    def solved(self) -> list[BoardResult]:
        """The boards that were solved and are believed, in the order in which they were."""
        return list(self._solved)

    @property
    def unsolved(self) -> list[BoardResult]:
        """Boards that were told and not solved: what lies on them is no board by itself."""
        return list(self._unsolved)

    def answer(self, candidate: BoardCandidate, looks_hard: bool) -> Answer:
        """Tell what the digits of a place say; where it looks hard it takes the time for it.

        It is a board if it can be solved and surely begins where the board does: what begins a row
        too late can have one solution, too, but not the board's. It is none if so few of its cells
        look like digits or like paper that nothing can come of it, or if it lies across a board.
        """
        if overlaps(candidate.corners, self._unsolved):
            return Answer.NO_BOARD
        if overlaps(candidate.corners, self.solved):
            is_same = any(
                quad_overlap(candidate.corners, board.corners) > SAME_PLACE for board in self.solved
            )
            return Answer.OPEN if is_same else Answer.NO_BOARD
        board = self._read(candidate) if looks_hard else self._glance(candidate.lattice)
        logger.debug("candidate scored %.3f: %s", candidate.score, board.outcome.value)
        if board.outcome is not Outcome.SOLVED:
            if self._belongs_to_samurai(candidate):
                return Answer.LAST
            return self._tell_failure(board)
        if self._shows_kind(board):
            self._believe(board)
            return Answer.BOARD
        # Clear lines end the search by themselves, so that it need not be made sure.
        is_clear = candidate.score >= CONVINCING
        if not (_reaches_edges(board) if is_clear else _begins_there(board, self._glance)):
            return Answer.OPEN
        self._believe(board)
        return Answer.BOARD

    def solve(self, candidate: BoardCandidate, *, must_begin: bool = False) -> BoardResult:
        """Return what came of a place, if need be by a second look.

        Args:
            candidate: the place.
            must_begin: believe it only if it surely begins where the board does.
        """
        board = self._read(candidate)
        if board.outcome is Outcome.SOLVED:
            if not must_begin or self._shows_kind(board) or _begins_there(board, self._glance):
                self._believe(board)
        else:
            self._belongs_to_samurai(candidate)
        return board

    def join_grids(self) -> None:
        """Let boards that were solved be what they are: grids that have one solution alone."""
        for board in self.solved:
            is_grid = board.kind is Kind.CLASSIC and len(board.lattice) - 1 == CLASSIC_SIDE
            if self._samurais is None or not is_grid or board not in self._solved:
                continue
            if self._samurais.is_likely(board.lattice):
                self._look_for_samurai(board.lattice)

    def _look_for_samurai(self, lattice: Points) -> BoardResult | None:
        """Return the samurai that a lattice is a grid of, if any, and take note of it.

        Args:
            lattice: (10, 10, 2) float32 in pixels of the photo.
        """
        samurai = None if self._samurais is None else self._samurais.find(lattice)
        if samurai is None:
            return None
        if samurai.outcome is Outcome.SOLVED:
            self._solved = [b for b in self._solved if not overlaps(b.corners, [samurai])]
        self._note(samurai)
        return samurai

    def look_for_others(self, looks: Sequence[Look]) -> None:
        """Look once for boards of other sides."""
        if self._others is None or self._others.is_asked:
            return
        self._others.look(looks, [grid for board in self._solved for grid in _list_grids(board)])
        for board in self._others.boards:
            self._note(board)

    def look_beside(
        self, finder: PlaceFinder | None, looks: Sequence[Look]
    ) -> list[BoardCandidate]:
        """Look for boards beside those that were found, those of other sides last.

        Returns:
            Places that may be boards and are not believed to be.
        """
        unsure = []
        for look in looks:
            if finder is None:
                break
            known = [grid for board in self.solved for grid in _list_grids(board)]
            for place in finder.find(look, known):
                if place.score < _WORTH_TIME:
                    continue
                if self.answer(place, looks_hard=True) is Answer.OPEN:
                    unsure.append(place)
        self.look_for_others([Look.WHOLE])
        return unsure

    def list_read(self, place: BoardCandidate) -> list[BoardResult]:
        """Return what was read by a hard look at a place, if anything, and is not solved."""
        board = self._results.get(place.lattice.tobytes())
        return [] if board is None or board.outcome is Outcome.SOLVED else [board]

    def _note(self, board: BoardResult) -> None:
        """Take note of a board that was told otherwise than by `answer`, solved or not."""
        if board.outcome is not Outcome.SOLVED:
            self._unsolved.append(board)
            return
        self._believe(board)

    def _belongs_to_samurai(self, candidate: BoardCandidate) -> bool:
        is_clear = candidate.score >= CONVINCING
        return is_clear and self._look_for_samurai(candidate.lattice) is not None

    def _tell_failure(self, board: BoardResult) -> Answer:
        if board.reading is None or board.outcome is Outcome.AMBIGUOUS or _is_cut_off(board):
            return Answer.OPEN
        is_none = is_hopeless(board.reading.probabilities, self._max_doubt)
        return Answer.NO_BOARD if is_none else Answer.OPEN

    def _shows_kind(self, board: BoardResult) -> bool:
        """Tell whether a board shows regions, cages or marks, which end where it does."""
        return board.kind is not Kind.CLASSIC and not self._is_kind_named

    def _believe(self, board: BoardResult) -> None:
        if board not in self._solved:
            self._solved.append(board)

    def _glance(self, lattice: Points) -> BoardResult:
        key = lattice.tobytes()
        if key not in self._glanced:
            self._glanced[key] = self._looks.glance(lattice)
        return self._glanced[key]

    def _read(self, candidate: BoardCandidate) -> BoardResult:
        key = candidate.lattice.tobytes()
        if key not in self._results:
            self._results[key] = self._looks.look_closer(self._glance(candidate.lattice))
        return self._results[key]


def _begins_there(board: BoardResult, glance: Callable[[Points], BoardResult]) -> bool:
    """Tell whether a lattice surely begins where the board does.

    It does if something stands in each of its outermost rows and columns. Where some are empty,
    a lattice that begins as many lines further away from them must show nothing more, and be
    no puzzle itself.

    Args:
        board: what was read on the lattice.
        glance: reads and solves at first sight what lies on another.
    """
    filled = _find_filled(board)
    for (right, down), first, axis in _BACKWARDS:
        lines = np.asarray(filled.any(axis=axis))
        empty = int(np.argmax(lines if first else lines[::-1]))
        for count in range(1, empty + 1):
            moved = move_lattice(board.lattice, count * right, count * down)
            other = glance(moved)
            others = np.asarray(_find_filled(other).any(axis=axis))
            gained = others[-1 if first else 0]
            is_turned = not np.array_equal(other.lattice, moved)
            if gained or is_turned or _is_cut_off(other) or other.outcome is Outcome.SOLVED:
                return False
    return True


def _list_grids(board: BoardResult) -> list[Points]:
    """Return the lattices of a samurai's grids, or that of another board."""
    if board.rules is None or board.rules.kind is not Kind.SAMURAI:
        return [board.lattice]
    lines = CLASSIC_SIDE + 1
    return [
        board.lattice[row : row + lines, column : column + lines]
        for row, column in find_grids(board.rules)
    ]


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

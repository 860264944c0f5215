"""Solves the places of a photo that may be boards, each no more often than it must be."""

import logging
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from app.recognition.kinds.other_sides import JoinGrids
from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult, overlaps
from app.recognition.second_look import is_illegible
from solver.decoding.decode import expect_misreadings, join_hands
from solver.decoding.handwriting import is_hopeless
from solver.grid import FEWEST_CLUES
from solver.rules import Kind, find_grids
from vision.board import move_lattice
from vision.classic_finder.inquiry import Answer
from vision.classic_finder.lattice import CONVINCING, BoardCandidate
from vision.finder.detect import FoundBoard, Look
from vision.geometry import quad_overlap

logger = logging.getLogger(__name__)

Float32 = npt.NDArray[np.float32]
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

_GRID_LINES: Final = 10
"""Of a samurai's grids, each way."""


class Looks(Protocol):
    """Reads and solves the boards of a photo; see `app.recognition.photo_looks.PhotoLooks`."""

    def preview(self, lattice: Points) -> Float32:
        """Return what the cells on a lattice look like, (81, 19) float32, not decoded."""

    def shows_killer(self, lattice: Points) -> bool:
        """Tell whether the board on a lattice is a killer, which has few digits or none."""

    def glance(self, lattice: Points) -> BoardResult:
        """Solve the board on a lattice as it shows at first sight."""

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Return what more looks make of a board, or the same where they are of no use."""

    def note_solved(self) -> None:
        """Take note that a board is solved."""


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

    @property
    def classics(self) -> Sequence[FoundBoard]:
        """Places of boards of side 9, with clear lines."""

    def look(
        self, looks: Sequence[Look], known: Sequence[Points], join_grids: JoinGrids | None
    ) -> bool:
        """Look for them, and tell whether the photo shows such boards, or a samurai, alone."""


ChooseLooks = Callable[[], Sequence[Look]]
"""Returns the looks at a photo that may show boards; none where it surely shows no board."""


class AskedPlaces:
    """What came of the places that were asked, while the finder still looks and afterwards."""

    def __init__(
        self,
        looks: Looks,
        max_doubt: float,
        samurais: Samurais | None = None,
        others: Others | None = None,
        choose_looks: ChooseLooks | None = None,
    ) -> None:
        """Begin with none.

        Args:
            looks: at the places of the photo.
            max_doubt: expected number of misread cells above which a place with the lines of a
                board is none.
            samurais: looks for those that boards are grids of; None if nothing shall.
            others: looks for boards of other sides; None if nothing shall.
            choose_looks: tells how to look for them; all looks are taken when None.
        """
        self._others = others
        self._choose_looks = choose_looks
        self._is_denied = False
        self._samurais = samurais
        self._unsolved: list[BoardResult] = []
        self._looks = looks
        self._max_doubt = max_doubt
        self._glanced: dict[bytes, BoardResult] = {}
        self._results: dict[bytes, BoardResult] = {}
        self._solved: dict[bytes, BoardResult] = {}

    @property
    def solved(self) -> list[BoardResult]:
        """The boards that were solved and are believed, in the order in which they were."""
        return list(self._solved.values())

    @property
    def unsolved(self) -> list[BoardResult]:
        """Boards that were told and not solved: what lies on them is no board by itself."""
        return list(self._unsolved)

    @property
    def is_denied(self) -> bool:
        """Whether the photo surely shows no board, so that no place of it is worth reading."""
        return self._is_denied

    def answer(self, candidate: BoardCandidate, looks_hard: bool) -> Answer:
        """Tell what the digits of a place say, as `vision.classic_finder.find` asks it.

        It is a board if it can be solved and surely begins where the board does: what begins a row
        too late can have one solution, too, but not the board's. It is none if so few of its cells
        look like digits or like paper that nothing can come of it, or if it lies across a board.
        Its digits contradict each other if they are legible and still no puzzle.
        """
        if overlaps(candidate.corners, self._unsolved):
            return Answer.NO_BOARD
        if overlaps(candidate.corners, self.solved):
            is_same = any(
                quad_overlap(candidate.corners, board.corners) > _SAME_PLACE
                for board in self.solved
            )
            return Answer.OPEN if is_same else Answer.NO_BOARD
        board = self._read(candidate) if looks_hard else self._glance(candidate.lattice)
        logger.debug("candidate scored %.3f: %s", candidate.score, board.outcome.value)
        if board.outcome is not Outcome.SOLVED:
            if self._belongs_to_samurai(candidate):
                return Answer.LAST
            return self._tell_failure(board)
        if board.kind is Kind.KILLER:  # its cages end at the board's edges
            self._believe(candidate, board)
            return Answer.BOARD
        # Clear lines end the search by themselves, so that it need not be made sure.
        is_clear = candidate.score >= CONVINCING
        if not (_reaches_edges(board) if is_clear else begins_there(board, self._glance)):
            return Answer.OPEN
        self._believe(candidate, board)
        return Answer.BOARD

    def shows_no_puzzle(self, candidate: BoardCandidate) -> bool:
        """Tell whether what stands in a place can be no puzzle, not even a part of one.

        Its digits are too few, or so many cells look like no digit and like no paper that no look
        can help.
        """
        lattice = candidate.lattice
        return _are_of_no_puzzle(self._looks.preview(lattice)) and not self._looks.shows_killer(
            lattice
        )

    def solve(self, candidate: BoardCandidate) -> BoardResult:
        """Return what came of a place, if need be by a second look."""
        board = self._glance(candidate.lattice)
        if not self._solved or (candidate.score >= _WORTH_TIME and not shows_no_puzzle(board)):
            board = self._read(candidate)
        if board.outcome is Outcome.SOLVED:
            self._believe(candidate, board)
        else:
            self._belongs_to_samurai(candidate)
        return board

    def join_grids(self) -> None:
        """Let boards that were solved be what they are: grids that have one solution alone."""
        for key, board in list(self._solved.items()):
            is_grid = board.kind is Kind.CLASSIC and len(board.lattice) == _GRID_LINES
            if self._samurais is None or not is_grid or key not in self._solved:
                continue
            if self._samurais.is_likely(board.lattice):
                self.look_for_samurai(key, board.lattice)

    def look_for_samurai(self, key: bytes, lattice: Points) -> BoardResult | None:
        """Return the samurai that a lattice is a grid of, if any, and take note of it.

        Args:
            key: of the place of the finder.
            lattice: (10, 10, 2) float32 in pixels of the photo.
        """
        samurai = None if self._samurais is None else self._samurais.find(lattice)
        if samurai is None:
            return None
        if samurai.outcome is Outcome.SOLVED:
            for other, board in list(self._solved.items()):
                if overlaps(board.corners, [samurai]):
                    del self._solved[other]
        self._note(key, samurai)
        return samurai

    def shows_others(self) -> bool:
        """Look once for boards of other sides, and tell whether the photo shows no others.

        Where nothing is solved yet, grids of a samurai and killers are among them: the detector
        sees these where lines alone are hard to follow. Where it sees no board at all the photo is
        denied.
        """
        if self._others is None or self._others.is_asked:
            return False
        looks = tuple(Look) if self._choose_looks is None else self._choose_looks()
        if not looks:
            # What was found beside is no reason to look for more than `look_beside` does.
            self._is_denied = not self._solved and not self._unsolved
            return self._is_denied
        return self._look_for_others(self._others, looks)

    def _look_for_others(self, others: Others, looks: Sequence[Look]) -> bool:
        known = [grid for board in self.solved for grid in _list_grids(board)]
        is_all = others.look(looks, known, None if self._solved else self._join_grids)
        for board in others.boards:
            self._note(board.lattice.tobytes(), board)
        return is_all or (not self._solved and self._solves_killers(others.classics))

    def _join_grids(self, lattice: Points) -> Sequence[Points]:
        """Return the grids of the samurai that a lattice is one of, none where it is alone."""
        samurai = self.look_for_samurai(lattice.tobytes(), lattice)
        return () if samurai is None else _list_grids(samurai)

    def _solves_killers(self, places: Sequence[FoundBoard]) -> bool:
        """Tell whether places are all of killers that can be solved."""
        killers = [place for place in places if self._looks.shows_killer(place.lattice)]
        answers = [self._ask_place(place) for place in killers]
        return len(places) == len(answers) > 0 and set(answers) == {Answer.BOARD}

    def look_beside(self) -> None:
        """Look for boards beside those that were found: of other sides, or in other colours."""
        if self._others is None:
            return
        if not self._others.is_asked:
            self._look_for_others(self._others, [Look.WHOLE])
        for place in self._others.classics:
            self._ask_place(place)

    def _ask_place(self, place: FoundBoard) -> Answer:
        score, is_inverted = place.line_score, place.is_inverted
        return self.answer(BoardCandidate(place.corners, place.lattice, score, is_inverted), True)

    def _note(self, key: bytes, board: BoardResult) -> None:
        """Take note of a board that was told otherwise than by `answer`, solved or not."""
        if board.outcome is not Outcome.SOLVED:
            self._unsolved.append(board)
            return
        self._solved[key] = board
        self._looks.note_solved()

    def rank_solved(self, candidates: Sequence[BoardCandidate]) -> list[BoardResult]:
        """Return the boards that were solved, in the order of the candidates."""
        ranks = {other.lattice.tobytes(): rank for rank, other in enumerate(candidates)}
        keys = sorted(self._solved, key=lambda key: ranks.get(key, len(ranks)))
        return [self._solved[key] for key in keys]

    def _belongs_to_samurai(self, candidate: BoardCandidate) -> bool:
        is_clear = candidate.score >= CONVINCING
        key = candidate.lattice.tobytes()
        return is_clear and self.look_for_samurai(key, candidate.lattice) is not None

    def _tell_failure(self, board: BoardResult) -> Answer:
        if board.reading is None or board.outcome is Outcome.AMBIGUOUS or _is_cut_off(board):
            return Answer.OPEN
        probabilities = board.reading.probabilities
        if is_hopeless(probabilities, self._max_doubt):
            return Answer.NO_BOARD
        has_enough = int((board.clues > 0).sum()) >= FEWEST_CLUES
        is_legible = expect_misreadings(join_hands(probabilities)) <= _LEGIBLE
        return Answer.CONTRADICTION if is_legible and has_enough else Answer.OPEN

    def _believe(self, candidate: BoardCandidate, board: BoardResult) -> None:
        self._solved[candidate.lattice.tobytes()] = board
        self._looks.note_solved()

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


def begins_there(board: BoardResult, glance: Callable[[Points], BoardResult]) -> bool:
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
    lines = _GRID_LINES
    return [
        board.lattice[row : row + lines, column : column + lines]
        for row, column in find_grids(board.rules)
    ]


def _find_filled(board: BoardResult) -> npt.NDArray[np.bool_]:
    """Return the cells in which something stands, (9, 9)."""
    return (board.clues > 0) | (board.entries > 0)


def shows_no_puzzle(board: BoardResult) -> bool:
    """Tell whether a board shows too few digits, or too much that is none, for any look to help."""
    if board.reading is None or board.kind is Kind.KILLER:
        return False
    return _are_of_no_puzzle(board.reading.probabilities)


def _are_of_no_puzzle(probabilities: Float32) -> bool:
    shown = int((probabilities.argmax(axis=1) > 0).sum())
    return shown < _FEWEST_OF_A_PART or is_illegible(probabilities)


def _reaches_edges(board: BoardResult) -> bool:
    """Tell whether something stands in each of the outermost rows and columns."""
    filled = _find_filled(board)
    return all(bool(edge.any()) for edge in (filled[0], filled[8], filled[:, 0], filled[:, 8]))


def _is_cut_off(board: BoardResult) -> bool:
    """Tell whether a part of a board that was not solved lies outside of the picture."""
    return board.quality is not None and len(board.quality.outside) > 0

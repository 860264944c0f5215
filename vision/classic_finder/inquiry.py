"""What the digits of likely places say, while boards are looked for.

A lattice may show only a part of a board: where the whole of it may start is told here too.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from vision.classic_finder.lattice import (
    CONVINCING,
    BoardCandidate,
    LatticeFit,
    as_candidate,
    step_lattice,
)
from vision.classic_finder.stages import by_score
from vision.classic_finder.windows import View
from vision.finder.snap import Pyramid
from vision.geometry import quad_overlap

_LIKELY: Final = 0.7
"""Score of a place whose digits are asked whether it is a board, before other ways to look for
boards are tried. Digits may be read on lattices with less, too, but a page that is given up there
shows less of its other boards: of a dark page with four, one was told by dark lines at 0.61."""

_LIKELY_AT_LAST: Final = 0.6
"""The same when the picture was searched in all ways: of 166 photos of level 5 that were solved
none had less than 0.65."""

_VERY_LIKELY: Final = 0.8
"""Score of a place that is asked insistently then."""

_IN_VAIN: Final = 4
"""Stages in vain after which other boards are looked for, which may take as long as all stages: of
40 photos of level 5, 36 of classic boards were solved, 32 of them by then."""

_SAME: Final = 0.95
"""Overlap from which a place counts as one that was asked before. Where a lattice begins a column
late it is 0.8, and the right one must be asked."""

_GOES_ON: Final = 0.75
"""A score from which clear lines go on to the next step. A board that stands alone scores no more
than 0.63 a line further on: one line is missing, and a piece of each of ten others."""

_LEAST: Final = 0.5
"""The same of lines that are not clear themselves."""

_MOST_STEPS: Final = 8
"""Nine lines further on lies another board."""

_FEW_STEPS: Final = 2
"""Where lines are not clear, text or a frame beside the board was taken for one or two of them."""

_ALONG: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))
_ACROSS: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))


class Answer(Enum):
    """What the digits of a place say about it.

    Attributes:
        BOARD: it surely is one.
        LAST: it is one, and nothing else needs to be looked for: it is a part of a large puzzle.
        NO_BOARD: its lines lie.
        CONTRADICTION: it is legible and no puzzle: a board with a mistake in it, or a part of one
            and of what lies beside it.
        OPEN: nothing of that.
    """

    BOARD = auto()
    LAST = auto()
    NO_BOARD = auto()
    CONTRADICTION = auto()
    OPEN = auto()


AskDigits = Callable[[BoardCandidate, bool], Answer]
"""Asks about a place; with True it takes the time for a harder look."""


ShowsNoPuzzle = Callable[[BoardCandidate], bool]
"""Tells whether what stands in a place can be no puzzle, not even a part of one; cheaper to ask
than `AskDigits`."""


ShowsOthers = Callable[[], bool]
"""Looks for boards that are not looked for here; true if a photo shows no others than these, or
surely none at all."""


class Inquiry:
    """Lets the digits decide about likely places of a photo, each lattice asked once by a look."""

    def __init__(
        self,
        ask: AskDigits | None,
        shows_no_puzzle: ShowsNoPuzzle | None = None,
        shows_others: ShowsOthers | None = None,
    ) -> None:
        """Begin with a photo.

        Args:
            ask: who reads the digits; without it, lines alone decide.
            shows_no_puzzle: who tells what is not worth asking about.
            shows_others: who looks for other boards, once, where the first stages show none.
        """
        self._ask = ask
        self._shows_no_puzzle = shows_no_puzzle
        self._shows_others = shows_others
        self._in_vain = 0
        self._knows_board = False
        self._is_over = False
        self._asked: set[tuple[bytes, bool]] = set()
        self._no_puzzles: dict[bytes, bool] = {}
        self._denied: list[LatticeFit] = []
        self._contradictory: list[LatticeFit] = []

    @property
    def is_over(self) -> bool:
        """Whether the digits said that nothing else needs to be looked for."""
        return self._is_over

    @property
    def denied(self) -> Sequence[LatticeFit]:
        """Places of the photo with the lines of a board and without its digits."""
        return self._denied

    @property
    def contradictory(self) -> Sequence[LatticeFit]:
        """Likely places of the photo whose digits are legible and of no puzzle."""
        return self._contradictory

    def confirm(
        self, fits: Sequence[LatticeFit], view: View | None = None, *, is_last: bool = False
    ) -> list[LatticeFit]:
        """Return the fits, the best with a score of 1 or as denied if its digits say so.

        Args:
            fits: in pixels of the view, or of the photo without one.
            view: where they were found.
            is_last: a picture was searched in all ways, so that less likely places are asked,
                too, and the likeliest looked at hard.
        """
        if self._ask is None:
            return list(fits)
        fits = self._confirm(fits, view, is_last=is_last)
        if self._knows_board:
            return fits
        self._in_vain += 1
        if self._in_vain == _IN_VAIN and self._shows_others is not None:
            self._is_over = self._shows_others()
        return fits

    def _confirm(
        self, fits: Sequence[LatticeFit], view: View | None, *, is_last: bool
    ) -> list[LatticeFit]:
        least = _LIKELY_AT_LAST if is_last else _LIKELY
        while True:
            fits = self.mark(fits, view)
            best = min((fit for fit in fits if not fit.is_denied), key=by_score, default=None)
            if best is None or best.score < least:
                return fits
            place = best if view is None else view.place(best)
            answer = self.ask(place, looks_hard=is_last and best.score >= _VERY_LIKELY)
            if answer is Answer.BOARD and not best.is_convincing:
                return [replace(fit, score=1.0) if fit is best else fit for fit in fits]
            if answer is not Answer.NO_BOARD:
                return fits
            # What follows it is asked at once if it is as clear. What is not may begin a line
            # late, which is looked into before it is asked.
            least = CONVINCING

    def ask(self, place: LatticeFit, *, looks_hard: bool = False) -> Answer:
        """Return what the digits of a place in the photo say.

        Whatever lines leave no doubt of is looked at hard, and only that may be denied.
        """
        looks_hard = looks_hard or place.is_convincing
        candidate = as_candidate(place)
        question = candidate.lattice.tobytes(), looks_hard
        if self._ask is None or question in self._asked:
            return Answer.OPEN
        self._asked.add(question)
        answer = self._ask(candidate, looks_hard)
        if answer is Answer.LAST:
            self._is_over, answer = True, Answer.BOARD
        if answer is Answer.BOARD:
            self._knows_board = True
            self._asked.add((question[0], True))
        elif answer is Answer.CONTRADICTION and not _is_any_of(place, self._contradictory):
            self._contradictory.append(place)
        elif answer is Answer.NO_BOARD:
            if not place.is_convincing:
                return Answer.OPEN
            self._denied.append(place)
        return answer

    def shows_no_puzzle(self, fit: LatticeFit, view: View) -> bool:
        """Tell whether what stands where a fit lies in a view can be no puzzle.

        Beside a board lie crosswords and tables; as long as no board is known, what looks like one
        is worth all the time, and this says no.
        """
        if self._shows_no_puzzle is None or not self._knows_board:
            return False
        candidate = as_candidate(view.place(fit))
        lattice = candidate.lattice.tobytes()
        if lattice not in self._no_puzzles:
            self._no_puzzles[lattice] = self._shows_no_puzzle(candidate)
        return self._no_puzzles[lattice]

    def deny(self, place: LatticeFit) -> None:
        """Take note that a place in the photo is no board."""
        self._denied.append(place)

    def mark(self, fits: Sequence[LatticeFit], view: View | None = None) -> list[LatticeFit]:
        """Return the fits, marked where they lie on places that were denied.

        Args:
            fits: as `confirm` takes them.
            view: the same.
        """
        marked = []
        for fit in fits:
            place = fit if view is None or not self._denied else view.place(fit)
            is_denied = fit.is_denied or _is_any_of(place, self._denied)
            marked.append(replace(fit, is_denied=True) if is_denied else fit)
        return marked


def _is_any_of(place: LatticeFit, others: Sequence[LatticeFit]) -> bool:
    return any(quad_overlap(place.corners, other.corners) > _SAME for other in others)


def find_other_starts(pyramid: Pyramid, scale: float, inquiry: Inquiry) -> list[LatticeFit]:
    """Return the boards that are found line by line from places whose digits are no puzzle's.

    Two boards may stand so close that the gap passes for a column, and lines beside a board may
    look more like its own than these do. The places that lead to a board then count as denied, and
    the board is sure. A board with a mistake in it stays what it is: its lines do not go on, or
    lead to no board.

    Args:
        pyramid: of the photo as it was searched.
        scale: how much larger than the photo that is.
        inquiry: into the photo, which knows these places.
    """
    found: list[LatticeFit] = []
    for place in list(inquiry.contradictory):
        board = _find_from(pyramid, scale, place, inquiry)
        if board is not None:
            inquiry.deny(place)
            found.append(replace(board, score=1.0))
    return found


def _find_from(
    pyramid: Pyramid, scale: float, place: LatticeFit, inquiry: Inquiry
) -> LatticeFit | None:
    for moved in _list_starts(pyramid, place.placed(scale)):
        board = moved.placed(1 / scale)
        if inquiry.ask(board) is Answer.BOARD:
            return board
    return None


def _list_starts(pyramid: Pyramid, fit: LatticeFit) -> Iterator[LatticeFit]:
    """Yield what the lattice becomes line by line, as long as there are lines."""
    if fit.is_convincing:
        for step in _ALONG:
            yield from _follow(pyramid, fit, step, _MOST_STEPS, _GOES_ON)
        return
    for step in _ALONG:
        yield from _follow(pyramid, fit, step, _FEW_STEPS, _LEAST)
    for step in _ACROSS:
        yield from _follow(pyramid, fit, step, 1, _LEAST)


def _follow(
    pyramid: Pyramid, fit: LatticeFit, step: tuple[int, int], most: int, least: float
) -> Iterator[LatticeFit]:
    for _ in range(most):
        moved = step_lattice(pyramid, fit, step)
        if moved is None or moved.score < least:
            return
        yield moved
        fit = moved

"""The one loop over the places of a photo: which is read next, what it says, and when it ends."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from app.recognition.kinds.other_sides import SIDES, OtherSides
from app.recognition.outcome import Outcome
from app.recognition.photo_looks import Looks
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.results import BoardResult, PhotoResult, keep_distinct, lies_on, overlaps
from app.recognition.timing import StageClock
from solver.rules import Kind
from vision.board import CLASSIC_SIDE, corners_from_lattice, move_lattice
from vision.finder.detect import IsKnown, is_among
from vision.finder.snap import CONVINCING, BoardCandidate
from vision.finder.views import NETWORK_LOOKS, Look
from vision.geometry import Image8, Points, quad_area, quad_overlap

logger = logging.getLogger(__name__)


_LIKELY: Final = 0.7
"""Score of a place that is worth the time that looking for a samurai takes."""

_SAME_LATTICE: Final = 0.9
"""Overlap of two lattices on one grid; those that begin a row apart have 0.8."""

_MUCH_ROOM: Final = 5.0
"""Areas of the solved boards that a photo has at least where others are looked for in its parts: of
three boards that took a twentieth of a photo each, two that stood close were missed."""


class _Samurais(Protocol):
    """Looks for samurais; see `app.recognition.kinds.samurai.SamuraiSearch`."""

    def find(self, lattice: Points) -> BoardResult | None:
        """Return what came of the samurai that a grid belongs to, None where it stands alone."""

    def is_likely(self, lattice: Points) -> bool:
        """Tell at little cost whether a board may be a grid of one."""


class _PlaceFinder(Protocol):
    """Finds the places of a photo; see `vision.finder.detect.BoardFinder`."""

    def find(self, look: Look, is_known: IsKnown) -> Iterator[BoardCandidate]:
        """Yield the boards of side 9 that a look shows in places that are not known."""

    def find_clear(self, look: Look) -> Iterator[BoardCandidate]:
        """Yield those whose lines are clear at first sight."""

    def find_others(self, look: Look, sides: Sequence[int]) -> Iterator[BoardCandidate]:
        """Yield the boards whose lines tell another side than 9."""

    def snap(self, lattice: Points, *, may_refine: bool = True) -> BoardCandidate | None:
        """Return a lattice of side 9 on the lines around it."""

    def refit(self, found: BoardCandidate) -> Iterator[Points]:
        """Yield how else the lines of a board may run."""


class PhotoRecognizer:
    """Finds, reads and solves the boards of one photo; no place is read twice in the same way."""

    def __init__(
        self,
        looks: Looks,
        options: PipelineOptions,
        clock: StageClock,
        finder: _PlaceFinder,
        choose_looks: Callable[[], Sequence[Look]] = lambda: NETWORK_LOOKS,
        samurais: _Samurais | None = None,
        others: OtherSides | None = None,
    ) -> None:
        """Begin with a photo.

        Args:
            looks: at its places.
            options: how the pipeline works.
            clock: where the finder's seconds are added.
            finder: of the photo's places.
            choose_looks: returns the detector's looks that may show boards; none where the photo
                surely shows no board.
            samurais: looks for those that boards are grids of; None if nothing shall.
            others: looks for boards of other sides; None if nothing shall.
        """
        self._looks = looks
        self._options = options
        self._clock = clock
        self._finder = finder
        self._choose_looks = choose_looks
        self._samurais = samurais
        self._others = others
        self._known: dict[tuple[bytes, bool], BoardResult] = {}
        self._shown: list[BoardCandidate] = []
        self._failed: list[BoardResult] = []
        self._alone: list[Points] = []
        self.solved: list[BoardResult] = []
        """The boards that were solved and are believed, in the order in which they were."""
        self.unsolved: list[BoardResult] = []
        """Boards that were told and not solved: what lies on them is no board by itself."""

    def recognize(self, image: Image8) -> PhotoResult:
        """Return what came of the photo, (H, W, 3) BGR uint8."""
        with self._clock.stage("find"):
            may_show_boards = self._ask_first_sight() or self._ask_looks()
            if may_show_boards:
                self.look_beside(image)
        self.join_grids()
        boards = self._rank_boards() if may_show_boards else []
        outcome = boards[0].outcome if boards else Outcome.NO_BOARD
        return PhotoResult(outcome, tuple(boards), tuple(self._shown), self._clock.seconds())

    def ask(self, place: BoardCandidate) -> bool:
        """Read a place that lies on no known board, and believe what surely is a board.

        It is one if it can be solved and surely begins where the board does: what begins a row too
        late can have one solution, too, but not the board's.

        Returns:
            Whether it is a grid of a samurai, beside which nothing else needs to be looked for.
        """
        if overlaps(place.corners, [*self.solved, *self.unsolved]):
            return False
        # A grid of a samurai is read with the others, as alone it mostly has many solutions.
        if place.score >= CONVINCING and self._is_likely_grid(place.lattice):
            return True
        board = self.read(place)
        if board.outcome is not Outcome.SOLVED:
            if self._belongs_to_samurai(place):
                return True
            self._failed.append(board)
        elif self._shows_kind(board) or self._begins_there(board):
            self._believe(board)
        return False

    def read(self, place: BoardCandidate) -> BoardResult:
        """Return what comes of a place, solved on another lattice if that shows its digits better.

        What is unreadable stays as it was found where the other lattice does not solve it for sure.
        """
        board = self._read(place.lattice, looks_hard=True)
        logger.debug("candidate scored %.3f: %s", place.score, board.outcome.value)
        if board.outcome is not Outcome.UNREADABLE:
            return board
        lattices = self._finder.refit(replace(place, lattice=board.lattice))
        clearest = self._looks.find_clearest(board, lattices)
        if clearest is None:
            return board
        again = self._read(clearest, looks_hard=True)
        logger.debug("on another lattice: %s", again.outcome.value)
        return again if again.outcome is Outcome.SOLVED else board

    def join_grids(self) -> None:
        """Let boards that were solved be what they are: grids that have one solution alone."""
        for board in list(self.solved):
            is_grid = board.kind is Kind.CLASSIC and len(board.lattice) - 1 == CLASSIC_SIDE
            if is_grid and board in self.solved and not self._is_alone(board):
                self._is_likely_grid(board.lattice)

    def look_beside(self, image: Image8) -> None:
        """Look for boards beside those that were solved, harder where these are small.

        Args:
            image: (H, W, 3) BGR uint8.
        """
        if not self.solved:
            return
        taken = sum(abs(quad_area(board.corners)) for board in self.solved)
        is_roomy = image.shape[0] * image.shape[1] >= _MUCH_ROOM * taken
        for look in (Look.WHOLE, Look.LINES, Look.PARTS) if is_roomy else (Look.WHOLE,):
            for place in self._finder.find(look, self._needs_no_look):
                if place.score >= self._options.min_score:
                    self.ask(place)
        self._look_for_others([Look.WHOLE])

    def _needs_no_look(self, lattice: Points) -> bool:
        """Tell whether a place lies on a solved board, or beside one and cannot be solved."""
        return lies_on(lattice, self.solved) or self._looks.lies_outside(lattice)

    def _rank_boards(self) -> list[BoardResult]:
        """Return the boards that were solved, then the others that lie on none of them."""
        failed = [board for board in self._failed if not overlaps(board.corners, self.unsolved)]
        failed = sorted([*failed, *self.unsolved], key=lambda board: board.outcome.rank)
        return keep_distinct([*self.solved, *failed])

    def _ask_first_sight(self) -> bool:
        """Ask the digits of what the detector shows clearly in the whole photo.

        Returns:
            Whether they end the search.
        """
        if self._ask_places(self._finder.find_clear(Look.WHOLE)):
            return True
        if self._others is not None:
            for place in self._finder.find_others(Look.WHOLE, SIDES):
                # What is surely another puzzle is not read by the rules of a Sudoku.
                board = self._others.read(place) if self._choose_looks() else None
                if board is not None and board.outcome is Outcome.SOLVED:
                    self._believe(board)
        return bool(self.solved)

    def _ask_looks(self) -> bool:
        """Ask the digits of what each look shows, and look for boards of other sides.

        Parts are asked before these where the whole shows no lines, and after them where all that
        it shows is unclear and nothing is solved.

        Returns:
            False where the photo surely shows no board.
        """
        if self._ask_look(Look.LINES):
            return True
        looks = self._choose_looks()
        if any(map(self._ask_look, looks)):
            return True
        clearest = max((place.score for place in self._shown), default=0.0)
        is_over = not looks or Look.PARTS in looks or clearest >= self._options.sure_score
        if not is_over and clearest < self._options.min_score:
            if self._ask_look(Look.PARTS):
                return True
            is_over = True
        if looks:
            self._look_for_others(looks)
        if not (is_over or self.solved):  # what was shown may be a part of many small boards
            self._ask_look(Look.PARTS)
        return bool(looks)

    def _ask_look(self, look: Look) -> bool:
        """Ask the digits of what a look shows, and tell whether they end the search."""
        clear = [place.lattice for place in self._shown if place.score >= CONVINCING]
        return self._ask_places(self._finder.find(look, partial(is_among, known=clear)))

    def _ask_places(self, places: Iterator[BoardCandidate]) -> bool:
        """Ask the digits of places, and tell whether they end the search."""
        for place in islice(places, self._options.max_boards):
            # Another look may show the lines of the same board better.
            before = [one.score for one in self._shown if is_among(place.lattice, [one.lattice])]
            if place.score <= max(before, default=0.0):
                continue
            self._shown.append(place)
            if place.score >= self._options.min_score and self.ask(place):
                return True
        return bool(self.solved)

    def _look_for_others(self, looks: Sequence[Look]) -> None:
        """Look once for boards of other sides."""
        if self._others is not None and not self._others.is_asked:
            self._others.look(looks, [*self.solved, *self.unsolved])
            for board in self._others.boards:
                self._note(board)

    def _is_likely_grid(self, lattice: Points) -> bool:
        """Tell whether a lattice seems at little cost to be a grid of a samurai, and is one."""
        if self._samurais is None:
            return False
        if self._samurais.is_likely(lattice) and self._look_for_samurai(lattice):
            return True
        self._alone.append(lattice)
        return False

    def _is_alone(self, board: BoardResult) -> bool:
        """Tell whether it is known that a board is no grid of a samurai."""
        alone = map(corners_from_lattice, self._alone)
        return any(quad_overlap(board.corners, one) > _SAME_LATTICE for one in alone)

    def _belongs_to_samurai(self, place: BoardCandidate) -> bool:
        if self._samurais is None or place.score < _LIKELY:
            return False
        is_clear = place.score >= CONVINCING or self._samurais.is_likely(place.lattice)
        return is_clear and self._look_for_samurai(place.lattice)

    def _look_for_samurai(self, lattice: Points) -> bool:
        """Take note of the samurai that a lattice, (10, 10, 2), is a grid of; False for none."""
        samurai = None if self._samurais is None else self._samurais.find(lattice)
        if samurai is None:
            return False
        if samurai.outcome is Outcome.SOLVED:
            self.solved = [b for b in self.solved if not overlaps(b.corners, [samurai])]
        self._note(samurai)
        return True

    def _note(self, board: BoardResult) -> None:
        """Take note of a board that was told otherwise than by `ask`, solved or not."""
        if board.outcome is Outcome.SOLVED:
            self._believe(board)
        else:
            self.unsolved.append(board)

    def _believe(self, board: BoardResult) -> None:
        if board not in self.solved:
            self.solved.append(board)

    def _shows_kind(self, board: BoardResult) -> bool:
        """Tell whether a board shows regions, cages or marks, which end where it does."""
        return board.kind is not Kind.CLASSIC and self._options.kind == "auto"

    def _begins_there(self, board: BoardResult) -> bool:
        """Tell whether the lattice of a board surely begins where the board does.

        It does if something stands in each of its outermost rows and columns. Where some are
        empty, a lattice that begins as many lines further away from them must show less of a
        board's lines, or nothing more to read, and be no puzzle itself.
        """
        filled = _find_filled(board)
        own: _OwnLines | None = None
        # For each edge: the axis along which its lines run, and the way to lines further in.
        for axis, inwards in ((1, 1), (1, -1), (0, 1), (0, -1)):
            lines = np.asarray(filled.any(axis=axis))[::inwards]
            for count in range(1, int(np.argmax(lines)) + 1):
                own = own or self._measure_lines(board.lattice)
                if self._goes_on(board, axis, inwards, count, own):
                    return False
        return True

    def _measure_lines(self, lattice: Points) -> "_OwnLines":
        found = self._finder.snap(lattice, may_refine=False)
        is_refined = found is None or found.score < CONVINCING
        if is_refined:
            found = self._finder.snap(lattice)
        return _OwnLines(0.0 if found is None else found.score, is_refined)

    def _goes_on(
        self, board: BoardResult, axis: int, inwards: int, count: int, own: "_OwnLines"
    ) -> bool:
        """Tell whether a lattice so many lines away from an empty edge may be the board's.

        It is not where its lines score less than the board's own, looked at as closely.
        """
        steps = inwards * count
        right, down = (0, steps) if axis == 1 else (steps, 0)
        moved = move_lattice(board.lattice, right, down)
        found = self._finder.snap(moved, may_refine=own.is_refined)
        if found is None or found.score < own.score:
            return False
        other = self._read(moved, looks_hard=False)
        gains = bool(np.asarray(_find_filled(other).any(axis=axis))[::inwards][-1])
        is_turned = not np.array_equal(other.lattice, moved)
        return gains or is_turned or _is_cut_off(other) or other.outcome is Outcome.SOLVED

    def _read(self, lattice: Points, *, looks_hard: bool) -> BoardResult:
        key = lattice.tobytes(), looks_hard
        if key not in self._known:
            self._known[key] = (
                self._looks.look_closer(self._read(lattice, looks_hard=False))
                if looks_hard
                else self._looks.glance(lattice)
            )
        return self._known[key]


class _OwnLines(NamedTuple):
    """How clearly the lines of a board's own lattice show, and whether that took a finer sheet."""

    score: float
    is_refined: bool


def _find_filled(board: BoardResult) -> npt.NDArray[np.bool_]:
    """Return the cells in which something stands, (9, 9)."""
    return (board.clues > 0) | (board.entries > 0)


def _is_cut_off(board: BoardResult) -> bool:
    """Tell whether a part of a board that was not solved lies outside of the picture."""
    return board.quality is not None and len(board.quality.outside) > 0

"""What came of a board and of a photo, as values that report, overlay and window share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.outcome import Outcome
from app.recognition.reading import BoardReading
from app.recognition.timing import StageClock
from models.lookalike_reader import Lookalike
from models.symbol_reader import Alphabet
from solver.decoding.decode import expect_misreadings
from solver.decoding.print_and_hand import merge_print_and_handwriting
from solver.grid import FEWEST_CLUES, Grid
from solver.rules import Kind, Rules, killer_rules
from vision.board import corners_from_lattice
from vision.finder.snap import BoardCandidate
from vision.geometry import Points, quad_area, quad_overlap
from vision.quality import BoardQuality

_MAX_OVERLAP: Final = 0.3
"""Two candidates that share more of their area are the same board, or one holds the other."""

_MOST_EXPECTED_ERRORS: Final = 6.0
"""Cells expected to be misread on what counts as a puzzle beside another board: of 276 boards that
were solved, one had more."""


@dataclass(frozen=True, eq=False)
class BoardResult:
    """What came of one board.

    Attributes:
        outcome: how it ended.
        lattice: (10, 10, 2) float32, crossings (x, y) in pixels of the upright photo, [0, 0]
            being the puzzle's own top left corner.
        clues: (9, 9) uint8, the digits that the solution rests on.
        entries: (9, 9) uint8, digits that do not count as clues, by hand or in another ink.
        solution: (9, 9) uint8 where the outcome is SOLVED, else None.
        confidence: how sure the clues are, 0..1.
        corrected: cells where the rules overruled the most likely reading.
        solver: name of the one that decided, or that was the last to try; None where none was
            asked, because there are no clues to solve.
        reading: what the network saw, or None for clues given by hand.
        rules: of the puzzle; those of its usual boxes where nothing else is seen.
        quality: what was measured on a board that is not solved, else None.
        candidates: (n, n) uint16, for each cell the digits that are noted in it, as a sum of
            2**digit; None where nothing is noted.
        kept_alphabet: that its print had when it was read some time ago; None where its reading
            tells, or nothing does.
    """

    outcome: Outcome
    lattice: Points
    clues: Grid
    entries: Grid
    solution: Grid | None
    confidence: float
    corrected: tuple[int, ...]
    solver: str | None
    reading: BoardReading | None
    rules: Rules
    quality: BoardQuality | None = None
    candidates: npt.NDArray[np.uint16] | None = None
    kept_alphabet: Alphabet | None = None

    @property
    def alphabet(self) -> Alphabet | None:
        """What its print is written in; None where that is figures alone, or is not known."""
        if self.kept_alphabet is not None or self.reading is None:
            return self.kept_alphabet
        return self.reading.traits.alphabet

    @property
    def kind(self) -> Kind:
        """What kind of puzzle it is."""
        return self.rules.kind

    @property
    def is_told(self) -> bool:
        """Whether its rules are known: they were seen or given, or its side is that of most."""
        return self.reading is None or self.reading.is_told

    @property
    def corners(self) -> Points:
        """(4, 2) float32, clockwise from the puzzle's own top left, in pixels of the photo."""
        return corners_from_lattice(self.lattice)


SolveReading = Callable[[BoardReading, tuple[int, int], StageClock], BoardResult]
"""Solves a board as it was read, on a photo of that width and height."""


@dataclass(frozen=True, eq=False)
class PhotoResult:
    """What came of one photo.

    Attributes:
        outcome: that of the best board.
        boards: solved ones first, in the order in which they were; never two of the same place.
        candidates: the places that the finder showed, in the order in which they were read.
        seconds: by stage, as `app.recognition.timing.STAGES` names them.
        warnings: what is wrong with the file, such as a missing end; mostly none.
        lookalike: the puzzle that the photo seems to show in the place of a Sudoku; then there are
            no boards.
    """

    outcome: Outcome
    boards: tuple[BoardResult, ...]
    candidates: tuple[BoardCandidate, ...]
    seconds: dict[str, float]
    warnings: tuple[str, ...] = ()
    lookalike: Lookalike | None = None


def show_likely_cages(board: BoardResult) -> BoardResult:
    """Return a killer whose cages are not told for sure with the likeliest ones.

    For who lets a person correct them: it still has no solution.
    """
    seen = None if board.reading is None else board.reading.traits.cages
    is_open = board.kind is Kind.KILLER and not board.rules.cages
    if not is_open or seen is None or not seen.likely:
        return board
    return replace(board, rules=killer_rules(seen.likely))


def keep_distinct(boards: Sequence[BoardResult]) -> list[BoardResult]:
    """Drop boards that lie on better ones, and what is no board beside one that is.

    Crosswords and tables have a board's lines, but not its digits.
    """
    kept: list[BoardResult] = []
    for board in boards:
        is_told = not kept or board.outcome is Outcome.SOLVED or shows_puzzle(board)
        if is_told and not overlaps(board.corners, kept):
            kept.append(board)
    return kept


def shows_puzzle(board: BoardResult) -> bool:
    """Tell whether so many digits were read, with so little doubt, that it must be a puzzle."""
    if board.reading is None or board.rules.cages:
        return True
    doubt = expect_misreadings(merge_print_and_handwriting(board.reading.probabilities))
    return int((board.clues > 0).sum()) >= FEWEST_CLUES and doubt <= _MOST_EXPECTED_ERRORS


def lies_on(lattice: Points, boards: Sequence[BoardResult]) -> bool:
    """Tell of a lattice, (n + 1, n + 1, 2), what `overlaps` tells of its corners."""
    return overlaps(corners_from_lattice(lattice), boards)


def overlaps(corners: Points, boards: Sequence[BoardResult]) -> bool:
    """Tell whether the quad shares much of its area, or of a board's, with any of the boards."""
    area = abs(quad_area(corners))
    for board in boards:
        union_share = quad_overlap(corners, board.corners)
        both = area + abs(quad_area(board.corners))
        common = union_share * both / (1 + union_share)
        if common > _MAX_OVERLAP * min(area, both - area):
            return True
    return False

"""What to do about a board that was not solved: only what was measured, in sentences.

Every text stands in a call of `translate`, by whose name translators' programs find it. What shows
the sentences brings the function that looks them up in a language.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import reduce
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from app.recognition.kinds.puzzle_kind import find_hidden_kinds
from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult
from app.report.board_marks import NUMBERS, symbols_of
from models.lookalike_reader import Lookalike
from solver.decoding.decode import DecodeLimits
from solver.decoding.print_and_hand import merge_print_and_handwriting
from solver.exact.bitmask import search
from solver.grid import FEWEST_CLUES
from solver.human.words import Translate, keep_english, translate
from solver.rules import CLASSIC_RULES, Kind
from vision.quality import BoardQuality

_SURE: Final = DecodeLimits().sure
_POSSIBLE: Final = 0.1
"""Probability from which a digit is named as one that may stand in an unsure cell."""

_ASIDE: Final = 1 / 9
"""Sides of the board by which the middle of a shadow must lie aside, to be called so."""

_SMALL_PX: Final = 12.0
"""Of 8 newspaper photos shrunk to cells of 10 pixels 7 are still read, of 8 pixels 2."""

_SMALL_SUMS_PX: Final = 30.0
"""The same of killers, whose sums are half as high as digits or less."""

_BLURRED: Final = 0.3
"""Of 231 photos of puzzles the least sharp has 0.325, and all are read; of 8 blurred by a tenth
of a cell, 7 have 0.23 to 0.28, and 6 of these are not."""

_FAINT: Final = 0.2
"""The 231 photos have 0.22 at least."""

_DARK: Final = 40.0
"""Grey level, 0..255; nine tenths of the cells of each of the 231 photos have 55 or more."""

_DARK_PRINT: Final = 0.6
"""Screens in dark mode have more contrast than that."""

_SHADED: Final = 0.4
"""Paper in the darkest tenth of the cells against that in the lightest; 1 in 20 photos of the
hand-filled pages in hard shadow has less than 0.46."""

_MANY_SOLUTIONS: Final = 100
"""Where there are so many, no single digit decides."""

_MOST_NODES: Final = 2000
"""Of the search for them; misread clues that contradict each other may take a million."""


class FaultKind(Enum):
    """What is wrong; the values stand in reports, and stay."""

    OUTSIDE = "outside"
    SMALL = "small"
    BLURRED = "blurred"
    FAINT = "faint"
    DARK = "dark"
    SHADED = "shaded"
    MIXED_HANDS = "mixed_hands"
    UNSURE = "unsure"
    SUMS = "sums"
    HIDDEN = "hidden"
    OTHER_KIND = "other_kind"


class Region(Enum):
    """Where on the board, as the puzzle stands upright; the values stand in reports."""

    UPPER = "upper"
    LOWER = "lower"
    LEFT = "left"
    RIGHT = "right"
    UPPER_LEFT = "upper_left"
    UPPER_RIGHT = "upper_right"
    LOWER_LEFT = "lower_left"
    LOWER_RIGHT = "lower_right"
    PARTS = "parts"


@dataclass(frozen=True)
class UnsureCell:
    """A cell that was not read for sure, and what may stand there, the likeliest first.

    0 is an empty cell. Of one that looks empty, the digits would leave one solution.
    """

    cell: int
    digits: tuple[int, ...]


@dataclass(frozen=True)
class Fault:
    """One thing that stands in the way of a solution.

    Attributes:
        kind: what it is.
        edges: of OUTSIDE: the picture's edges that the board crosses, of "left", "right", "top"
            and "bottom".
        cell_px: of SMALL: side of a cell in pixels of the photo.
        region: of SHADED: where it is dark.
        cells: of UNSURE, and of HIDDEN, the likeliest first; of SUMS, the first cell of each cage
            whose sum was not read for sure, without digits.
        puzzle_kind: of OTHER_KIND: by whose rules the clues have exactly one solution.
    """

    kind: FaultKind
    edges: tuple[str, ...] = ()
    cell_px: float = 0.0
    region: Region = Region.PARTS
    cells: tuple[UnsureCell, ...] = ()
    puzzle_kind: Kind = Kind.CLASSIC

    def report(self) -> dict[str, Any]:
        """Return the fault for JSON: its `code`, and the fields that its kind has."""
        fields: dict[FaultKind, dict[str, Any]] = {
            FaultKind.OUTSIDE: {"edges": list(self.edges)},
            FaultKind.SMALL: {"cell_px": round(self.cell_px, 1)},
            FaultKind.SHADED: {"region": self.region.value},
            FaultKind.UNSURE: {"cells": [one.cell for one in self.cells]},
            FaultKind.SUMS: {"cells": [one.cell for one in self.cells]},
            FaultKind.HIDDEN: {"cells": [one.cell for one in self.cells]},
            FaultKind.OTHER_KIND: {"kind": self.puzzle_kind.value},
        }
        return {"code": self.kind.value, **fields.get(self.kind, {})}


def find_unsure(board: BoardResult) -> tuple[UnsureCell, ...]:
    """Return the cells that stand in the way of a solution; none where there is one."""
    return () if board.solution is not None else find_low_confidence_cells(board)


def find_low_confidence_cells(board: BoardResult) -> tuple[UnsureCell, ...]:
    """Return the cells that were not read for sure, whether or not the board is solved."""
    if board.reading is None:
        return ()
    # A small board's cells may look like digits that it does not have.
    chance = merge_print_and_handwriting(board.reading.probabilities)[:, : board.rules.side + 1]
    unsure = []
    for cell in np.flatnonzero(chance.max(axis=1) < _SURE).tolist():
        order = np.argsort(-chance[cell], kind="stable")
        likely = [int(digit) for digit in order if chance[cell, digit] >= _POSSIBLE]
        unsure.append(UnsureCell(cell, tuple(likely or order[:2].tolist())))
    return tuple(unsure)


def find_doubtful_sums(board: BoardResult) -> tuple[int, ...]:
    """Return the first cells of a killer's cages whose sums were not read for sure."""
    cages = None if board.reading is None else board.reading.traits.cages
    return () if cages is None else cages.doubtful


def find_faults(board: BoardResult) -> tuple[Fault, ...]:
    """Return each fault that was measured, the gravest first; none if the board is solved."""
    if board.outcome is Outcome.SOLVED:
        return ()
    least_px = _SMALL_SUMS_PX if board.kind is Kind.KILLER else _SMALL_PX
    unsure = find_unsure(board)
    n_digits = int((board.clues > 0).sum() + (board.entries > 0).sum())
    is_bare = board.outcome is Outcome.AMBIGUOUS and n_digits < FEWEST_CLUES and not unsure
    found = [] if board.quality is None else _judge(board.quality, least_px, is_bare=is_bare)
    if board.outcome is Outcome.UNREADABLE and board.entries.any():
        found.append(Fault(FaultKind.MIXED_HANDS))
    if unsure:
        found.append(Fault(FaultKind.UNSURE, cells=unsure))
    sums = find_doubtful_sums(board)
    if sums:
        found.append(Fault(FaultKind.SUMS, cells=tuple(UnsureCell(cell, ()) for cell in sums)))
    deciding = _find_deciding(board)
    if deciding:
        found.append(Fault(FaultKind.HIDDEN, cells=deciding))
    return (*found, *find_other_kinds(board))


def find_other_kinds(board: BoardResult) -> tuple[Fault, ...]:
    """Return a fault for each kind by whose rules the clues would have exactly one solution.

    Only a person knows whether the puzzle is of that kind: the picture does not show it.
    """
    if board.outcome is not Outcome.AMBIGUOUS or board.rules != CLASSIC_RULES:
        return ()
    kinds = find_hidden_kinds(board.clues)
    return tuple(Fault(FaultKind.OTHER_KIND, puzzle_kind=kind) for kind in kinds)


def _find_deciding(board: BoardResult) -> tuple[UnsureCell, ...]:
    """Return the empty cells in which one more digit would leave exactly one solution.

    Of puzzles that are set symmetrically, the cell that alone spoils that comes first; then those
    in which the reader sees most.
    """
    if board.outcome not in (Outcome.AMBIGUOUS, Outcome.UNREADABLE):
        return ()
    clues = board.clues.ravel().tolist()
    found = search(clues, _MANY_SOLUTIONS, lambda nodes: nodes < _MOST_NODES, rules=board.rules)
    if found.found < 2 or not found.is_exhaustive:
        return ()
    digits = np.array(found.solutions, np.uint8)
    shown = np.zeros(len(clues))
    if board.reading is not None:
        shown = 1 - merge_print_and_handwriting(board.reading.probabilities)[:, 0]
    filled = board.clues.ravel() > 0
    lonely = np.flatnonzero(filled[::-1] & ~filled)
    deciding = []
    for cell in np.flatnonzero(~filled & (board.entries.ravel() == 0)).tolist():
        counts = np.bincount(digits[:, cell], minlength=10)
        if (counts == 1).any():
            deciding.append(UnsureCell(cell, tuple(np.flatnonzero(counts == 1).tolist())))
    deciding.sort(key=lambda one: (lonely.tolist() != [one.cell], -shown[one.cell]))
    return tuple(deciding)


def leave_out(fault: Fault, cells: Collection[int]) -> Fault | None:
    """Return the fault without cells that a person has set; None where nothing of it is left."""
    if not fault.cells:
        return fault
    left = tuple(one for one in fault.cells if one.cell not in cells)
    return replace(fault, cells=left) if left else None


def _judge(quality: BoardQuality, least_px: float, *, is_bare: bool) -> list[Fault]:
    """Return the faults that were measured; most cells of a bare board show no ink to measure."""
    found = []
    if quality.outside:
        found.append(Fault(FaultKind.OUTSIDE, edges=quality.outside))
    if quality.cell_px < least_px:
        found.append(Fault(FaultKind.SMALL, cell_px=quality.cell_px))
    elif quality.sharpness < _BLURRED and not is_bare:
        found.append(Fault(FaultKind.BLURRED))
    elif quality.contrast < _FAINT and not is_bare:
        found.append(Fault(FaultKind.FAINT))
    if quality.light.mean() < _DARK and quality.contrast < _DARK_PRINT:
        found.append(Fault(FaultKind.DARK))
    low, high = np.quantile(quality.light, (0.1, 0.9))
    if low < _SHADED * high:
        region = _find_region(quality.light <= np.sqrt(low * high))
        found.append(Fault(FaultKind.SHADED, region=region))
    return found


def _find_region(dark: npt.NDArray[np.bool_]) -> Region:
    row, column = (np.argwhere(dark).mean(axis=0) + 0.5) / len(dark) - 0.5
    down = "lower" if row > _ASIDE else "upper" if row < -_ASIDE else ""
    side = "left" if column < -_ASIDE else "right" if column > _ASIDE else ""
    return Region("_".join(filter(None, (down, side))) or "parts")


_MOST_NAMED: Final = 6
"""More unsure cells than these are counted, not named."""

_EDGES: Final = {
    "left": translate("Advice", "left"),
    "right": translate("Advice", "right"),
    "top": translate("Advice", "top"),
    "bottom": translate("Advice", "bottom"),
}
_REGIONS: Final = {
    Region.UPPER: translate("Advice", "the upper half"),
    Region.LOWER: translate("Advice", "the lower half"),
    Region.LEFT: translate("Advice", "the left half"),
    Region.RIGHT: translate("Advice", "the right half"),
    Region.UPPER_LEFT: translate("Advice", "the upper left"),
    Region.UPPER_RIGHT: translate("Advice", "the upper right"),
    Region.LOWER_LEFT: translate("Advice", "the lower left"),
    Region.LOWER_RIGHT: translate("Advice", "the lower right"),
    Region.PARTS: translate("Advice", "parts of the board"),
}
_SENTENCES: Final = {
    FaultKind.OUTSIDE: translate(
        "Advice", "Part of the board is outside of the picture ({where}): take all of it."
    ),
    FaultKind.SMALL: translate(
        "Advice", "The cells are only {pixels} pixels high: take the photo nearer."
    ),
    FaultKind.BLURRED: translate(
        "Advice", "The board is blurred: hold the camera still, and let it focus."
    ),
    FaultKind.FAINT: translate(
        "Advice", "Ink and paper hardly differ: take the photo in better light."
    ),
    FaultKind.DARK: translate("Advice", "The board is dark: take the photo in more light."),
    FaultKind.SHADED: translate(
        "Advice", "The light falls off over {where}: take the photo in even light."
    ),
    FaultKind.MIXED_HANDS: translate(
        "Advice", "Some digits are by hand, and are not told from the printed ones for sure."
    ),
    FaultKind.UNSURE: translate("Advice", "{count} cells are not read for sure."),
    FaultKind.SUMS: translate("Advice", "Compare the sums of the cages at {cells}."),
    FaultKind.HIDDEN: translate(
        "Advice", "There are several solutions: a digit may be hidden or missing in {cells}."
    ),
}
_OTHER_KINDS: Final = {
    Kind.DIAGONAL: translate("Advice", "With both diagonals it has exactly one solution."),
    Kind.WINDOKU: translate("Advice", "With four windows it has exactly one solution."),
}
_LOOKALIKES: Final = {
    Lookalike.KENKEN: translate("Advice", "This seems to be a KenKen, not a Sudoku"),
    Lookalike.NONOGRAM: translate("Advice", "This seems to be a nonogram, not a Sudoku"),
    Lookalike.KAKURO: translate("Advice", "This seems to be a kakuro, not a Sudoku"),
    Lookalike.SUGURU: translate("Advice", "This seems to be a Suguru, not a Sudoku"),
    Lookalike.CROSSWORD: translate("Advice", "This seems to be a crossword, not a Sudoku"),
}
ABOUT_LOOKALIKES: Final = translate(
    "Advice", "If there is a Sudoku, take the photo nearer, with its whole border on it."
)
"""What to do where a photo shows another puzzle."""
_UNSURE_ONE: Final = translate("Advice", "1 cell is not read for sure: {cells}.")
_UNSURE_NAMED: Final = translate("Advice", "{count} cells are not read for sure: {cells}.")
_CELL: Final = translate("Advice", "r{row}c{column}")
_CELL_LONG: Final = translate("Advice", "row {row}, column {column}")
_EMPTY: Final = translate("Advice", "empty")
_HIDDEN_MANY: Final = translate(
    "Advice", "There are several solutions: a digit may be hidden or missing, perhaps in {cells}."
)
_AND: Final = translate("Advice", "{first} and {last}")
_OR: Final = translate("Advice", "{first} or {last}")


def advise(board: BoardResult) -> list[str]:
    """Return a sentence for each fault that was measured, the gravest first; none if solved."""
    width, symbols = len(board.clues), symbols_of(board)
    return [say_fault(fault, width=width, symbols=symbols) for fault in find_faults(board)]


def say_fault(
    fault: Fault,
    look_up: Translate = keep_english,
    *,
    is_long: bool = False,
    width: int = 9,
    symbols: Sequence[str] = NUMBERS,
) -> str:
    """Return a sentence: what is wrong, and what to do about it.

    In long, cells are called "row 2, column 5" and not r2c5, and no option of the command line is
    named.
    """
    if fault.kind is FaultKind.OTHER_KIND:
        text = look_up(_OTHER_KINDS[fault.puzzle_kind])
        return text if is_long else f"{text.removesuffix('.')}: --kind {fault.puzzle_kind}."
    n_cells, between = len(fault.cells), "; " if is_long else ", "
    if fault.kind is FaultKind.UNSURE and n_cells > _MOST_NAMED:
        return look_up(_SENTENCES[FaultKind.UNSURE]).format(count=n_cells)
    named = [name_cell(one.cell, look_up, is_long=is_long, width=width) for one in fault.cells]
    if fault.kind is FaultKind.UNSURE:
        written = (look_up(_EMPTY), *symbols)
        digits = [[written[digit] for digit in one.digits] for one in fault.cells]
        return _say_unsure(named, digits, look_up, is_long)
    if fault.kind is FaultKind.SUMS:
        cells = _enumerate(named, look_up, between, _AND)
        return look_up(_SENTENCES[FaultKind.SUMS]).format(cells=cells)
    if fault.kind is FaultKind.HIDDEN:
        text = _SENTENCES[FaultKind.HIDDEN] if n_cells <= _MOST_NAMED else _HIDDEN_MANY
        cells = _enumerate(named[:_MOST_NAMED], look_up, between)
        return look_up(text).format(cells=cells)
    where = look_up(_REGIONS[fault.region])
    if fault.kind is FaultKind.OUTSIDE:
        where = _join([look_up(_EDGES[edge]) for edge in fault.edges], look_up(_AND))
    return look_up(_SENTENCES[fault.kind]).format(where=where, pixels=f"{fault.cell_px:.0f}")


def say_lookalike(lookalike: Lookalike, look_up: Translate = keep_english) -> str:
    """Return what a photo without a Sudoku seems to show, as a headline without its stop."""
    return look_up(_LOOKALIKES[lookalike])


def name_cell(
    cell: int, look_up: Translate = keep_english, *, is_long: bool = False, width: int = 9
) -> str:
    """Return `r2c5`, or in long `row 2, column 5`, for the fifth cell of the second row."""
    text = _CELL_LONG if is_long else _CELL
    return look_up(text).format(row=cell // width + 1, column=cell % width + 1)


def _say_unsure(
    places: Sequence[str], digits: Sequence[list[str]], look_up: Translate, is_long: bool
) -> str:
    named = []
    for place, words in zip(places, digits, strict=True):
        told = _enumerate(words, look_up) if is_long else _join(words, look_up(_OR))
        named.append(f"{place} ({told})")
    text = look_up(_UNSURE_ONE if len(named) == 1 else _UNSURE_NAMED)
    return text.format(count=len(named), cells=("; " if is_long else ", ").join(named))


def _enumerate(words: list[str], look_up: Translate, between: str = ", ", joint: str = _OR) -> str:
    """Return `a, b or c`, or with another joint `a, b and c`."""
    *first, last = words
    return _join([between.join(first), last], look_up(joint)) if first else last


def _join(words: list[str], last: str) -> str:
    return reduce(lambda said, word: last.format(first=said, last=word), words)

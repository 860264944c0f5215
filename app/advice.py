"""What to do about a board that was not solved: only what was measured, in words for people."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from app.outcome import Outcome
from app.results import BoardResult
from solver.decode import DecodeLimits, join_hands
from vision.quality import BoardQuality

_SURE: Final = DecodeLimits().sure
_POSSIBLE: Final = 0.1
"""Probability from which a digit is named as one that may stand in an unsure cell."""

_MOST_NAMED: Final = 6
"""More unsure cells than these are counted, not named."""

_SMALL_PX: Final = 12.0
"""Of 8 newspaper photos shrunk to cells of 10 pixels 7 are still read, of 8 pixels 2."""

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


@dataclass(frozen=True)
class UnsureCell:
    """A cell that was not read for sure.

    Attributes:
        cell: 0..80.
        digits: what may stand there, the likeliest first; 0 is an empty cell.
    """

    cell: int
    digits: tuple[int, ...]


def name_cell(cell: int) -> str:
    """Return `r2c5` for the cell in the second row and the fifth column."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def find_unsure(board: BoardResult) -> tuple[UnsureCell, ...]:
    """Return the cells that stand in the way of a solution; none where there is one."""
    return () if board.solution is not None else find_hazy(board)


def find_hazy(board: BoardResult) -> tuple[UnsureCell, ...]:
    """Return the cells that were not read for sure, whether or not the board is solved."""
    if board.reading is None:
        return ()
    chance = join_hands(board.reading.probabilities)
    unsure = []
    for cell in np.flatnonzero(chance.max(axis=1) < _SURE).tolist():
        order = np.argsort(-chance[cell], kind="stable")
        likely = [int(digit) for digit in order if chance[cell, digit] >= _POSSIBLE]
        unsure.append(UnsureCell(cell, tuple(likely or order[:2].tolist())))
    return tuple(unsure)


def advise(board: BoardResult) -> list[str]:
    """Return a sentence for each fault that was measured, the gravest first; none if solved."""
    if board.outcome is Outcome.SOLVED:
        return []
    said = [] if board.quality is None else _judge(board.quality)
    if board.outcome is Outcome.UNREADABLE and board.entries.any():
        said.append("Some digits are by hand, and are not told from the printed ones for sure.")
    unsure = find_unsure(board)
    if unsure:
        said.append(_name_unsure(unsure))
    return said


def _judge(quality: BoardQuality) -> list[str]:
    said = []
    if quality.outside:
        where = " and ".join(quality.outside)
        said.append(f"Part of the board is outside of the picture ({where}): take all of it.")
    if quality.cell_px < _SMALL_PX:
        said.append(f"The cells are only {quality.cell_px:.0f} pixels high: take the photo nearer.")
    elif quality.sharpness < _BLURRED:
        said.append("The board is blurred: hold the camera still, and let it focus.")
    elif quality.contrast < _FAINT:
        said.append("Ink and paper hardly differ: take the photo in better light.")
    if quality.light.mean() < _DARK and quality.contrast < _DARK_PRINT:
        said.append("The board is dark: take the photo in more light.")
    low, high = np.quantile(quality.light, (0.1, 0.9))
    if low < _SHADED * high:
        where = _name_region(quality.light < np.sqrt(low * high))
        said.append(f"The light falls off over {where}: take the photo in even light.")
    return said


def _name_region(dark: npt.NDArray[np.bool_]) -> str:
    """Say in words where the dark cells of a (9, 9) board lie, as the puzzle stands upright."""
    row, column = np.argwhere(dark).mean(axis=0) - 4
    down = "lower" if row > 1 else "upper" if row < -1 else ""
    side = "left" if column < -1 else "right" if column > 1 else ""
    if down and side:
        return f"the {down} {side}"
    if down or side:
        return f"the {down or side} half"
    return "parts of the board"


def _name_unsure(unsure: tuple[UnsureCell, ...]) -> str:
    count = "1 cell is" if len(unsure) == 1 else f"{len(unsure)} cells are"
    named = [f"{name_cell(one.cell)} ({_name_digits(one.digits)})" for one in unsure]
    if len(named) > _MOST_NAMED:
        return f"{count} not read for sure."
    return f"{count} not read for sure: {', '.join(named)}."


def _name_digits(digits: tuple[int, ...]) -> str:
    return " or ".join(str(digit) if digit else "empty" for digit in digits)

"""Which of a person's entries are right, as far as the reading is sure."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.results import BoardResult
from solver.decoding.decode import join_hands
from solver.decoding.handwriting import Basis
from solver.grid import Grid

_TINY: Final = 0.04
"""Probability of the right digit, or of an empty cell, above which an entry is not called wrong:
notes in the middle of a cell were once read as a digit with 0.87."""


@dataclass(frozen=True, eq=False)
class CheckedEntries:
    """The entries of a solved board; cells are 0..n² − 1, ascending.

    Attributes:
        right: cells with the solution's digit.
        wrong: cells that surely hold another.
        unsure: cells that look wrong, but may be misread.
        digits: (n, n) uint8, all entries as they were read.
        is_told_apart: whether the solution rests on the printed digits alone. Where it does not,
            entries count as clues, and only what contradicts all others is found.
    """

    right: tuple[int, ...]
    wrong: tuple[int, ...]
    unsure: tuple[int, ...]
    digits: Grid
    is_told_apart: bool

    @property
    def is_faultless(self) -> bool:
        """Whether every entry is right."""
        return not self.wrong and not self.unsure


def check_entries(board: BoardResult) -> CheckedEntries | None:
    """Compare what was written with the solution, or return None where there is none.

    An entry is wrong only if the reading is sure of it: if neither the right digit nor an empty
    cell, which may hold notes, is a possible reading.
    """
    reading = board.reading
    if board.solution is None or reading is None:
        return None
    written_clues = np.where(reading.decoding.handwritten, board.clues.ravel(), 0)
    is_told_apart = reading.basis is Basis.PRINT
    digits = board.entries.ravel().copy()
    if not is_told_apart:
        digits = np.where(digits > 0, digits, written_clues).astype(np.uint8)
    solution = board.solution.ravel()
    chance = join_hands(reading.probabilities)
    may_be_right = chance[np.arange(len(solution)), solution] > _TINY
    may_be_empty = chance[:, 0] > _TINY
    is_right = (digits > 0) & (digits == solution)
    is_doubtful = (digits > 0) & ~is_right & (may_be_right | may_be_empty)
    is_wrong = (digits > 0) & ~is_right & ~is_doubtful
    return CheckedEntries(
        right=_cells(is_right),
        wrong=_cells(is_wrong),
        unsure=_cells(is_doubtful),
        digits=digits.reshape(board.clues.shape),
        is_told_apart=is_told_apart,
    )


def _cells(chosen: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(chosen).tolist())

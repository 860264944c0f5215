"""What can be done to a puzzle without changing what it is: transformations, and fingerprints.

Relabelling the digits, permuting the rows of a band, the bands, the columns of a stack and the
stacks, and, where boxes are as high as wide, transposing: whatever these lead to counts as the same
puzzle (E. Russell, F. Jarvis 2006, "Mathematics of Sudoku II"). Turning and mirroring are among
them.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.grid import Grid, Integers, as_grid
from solver.layout import LAYOUTS

_Words = npt.NDArray[np.uint64]

_ROUNDS: Final = 6
"""Of refinement. Four tell all but one of the 733 puzzles of `top1465.txt` apart, six all."""

# Odd numbers without a pattern; nothing depends on which.
_A: Final = np.uint64(0x9E3779B97F4A7C15)
_B: Final = np.uint64(0xBF58476D1CE4E5B9)
_C: Final = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True)
class Transformation:
    """A way to rearrange a grid: transpose, then reorder rows and columns, then relabel.

    Attributes:
        rows: for each row of the result, the row that it comes from; rows of a band stay together.
        columns: for each column of the result, the column that it comes from; columns of a stack
            stay together.
        digits: what each digit 1..side becomes.
        is_transposed: whether rows become columns first; for boxes as high as wide only.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    digits: tuple[int, ...]
    is_transposed: bool = False

    def apply(self, grid: Integers) -> Grid:
        """Return the rearranged grid, (side, side) uint8; empty cells stay empty.

        Raises:
            ValueError: if it is no grid, or of another size.
        """
        grid = as_grid(grid)
        if len(grid) != len(self.digits):
            raise ValueError(f"the grid must have {len(self.digits)} rows, got {len(grid)}")
        lines = grid.T if self.is_transposed else grid
        labels = np.array([0, *self.digits], np.uint8)
        rearranged: Grid = labels[lines[np.ix_(self.rows, self.columns)]]
        return rearranged


def random_transformation(
    seed: int | np.random.Generator | None = None, side: int = 9
) -> Transformation:
    """Return one of all transformations, each with the same probability."""
    random = np.random.default_rng(seed)
    layout = LAYOUTS[side]
    return Transformation(
        _shuffle_lines(random, side, layout.box_rows),
        _shuffle_lines(random, side, layout.box_columns),
        tuple((random.permutation(side) + 1).tolist()),
        layout.box_rows == layout.box_columns and bool(random.integers(2)),
    )


def _shuffle_lines(random: np.random.Generator, side: int, n_lines: int) -> tuple[int, ...]:
    groups = random.permuted(np.arange(side).reshape(-1, n_lines), axis=1)
    return tuple(random.permutation(groups).ravel().tolist())


def fingerprints(puzzles: npt.NDArray[np.uint8]) -> _Words:
    """Return one number for each of many puzzles, the same for all that transformations lead to.

    Other puzzles nearly always have another number: `python -m benchmarks.bulk` counts them.
    Complete grids are too regular to be told apart.

    Rows, columns, digits and boxes carry colours, and each round mixes into a colour those of the
    clues around it (B. Weisfeiler, A. Leman 1968, "The reduction of a graph to canonical form").

    Args:
        puzzles: (n, side²) uint8 in reading order, 0 = empty.

    Returns:
        (n,) uint64.

    Raises:
        ValueError: for another shape.
    """
    layouts = {layout.n_cells: layout for layout in LAYOUTS.values()}
    if puzzles.ndim != 2 or puzzles.shape[1] not in layouts:
        raise ValueError(f"puzzles must be (n, side²), got {puzzles.shape}")
    layout = layouts[puzzles.shape[1]]
    n, side = len(puzzles), layout.side
    is_digit = [puzzles == digit for digit in range(1, side + 1)]
    labels = np.maximum(puzzles, 1).astype(np.intp) - 1
    units = np.ones((n, 3 * side), np.uint64)
    units[:, 2 * side :] = 2
    digits = np.full((n, side), 3, np.uint64)
    words = np.zeros(puzzles.shape, np.uint64)
    for _ in range(_ROUNDS):
        words = _mix(units)[:, layout.units_of_cell].sum(axis=2)
        words += _A * np.take_along_axis(digits, labels, axis=1)
        words = np.where(puzzles > 0, _mix(words), np.uint64(0))
        with_digit = [(words * is_here).sum(axis=1) for is_here in is_digit]
        digits = _mix(_A * digits + np.stack(with_digit, axis=1))
        units = _mix(_A * units + words[:, layout.units].sum(axis=2))
        units[:, :side] = _mix_groups(units[:, :side], layout.box_rows)
        units[:, side : 2 * side] = _mix_groups(units[:, side : 2 * side], layout.box_columns)
    found: _Words = words.sum(axis=1)
    return found


def _mix(words: _Words) -> _Words:
    """Spread every bit over all 64, as the finaliser of SplitMix64 (G. Steele and others 2014)."""
    words = (words ^ words >> np.uint64(30)) * _B
    words = (words ^ words >> np.uint64(27)) * _C
    return words ^ words >> np.uint64(31)


def _mix_groups(colours: _Words, n_lines: int) -> _Words:
    """Mix the colours of the lines of each band, or stack, into those of all of them."""
    groups = colours.reshape(len(colours), colours.shape[1] // n_lines, n_lines)
    mixed: _Words = _mix(_A * groups + _mix(groups).sum(axis=2, keepdims=True))
    return mixed.reshape(colours.shape)

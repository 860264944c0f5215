"""What can be done to a puzzle without changing what it is: transformations, and a common form.

Relabelling the digits, permuting the rows of a band, the bands, the columns of a stack and the
stacks, and, where boxes are as high as wide, transposing: whatever these lead to counts as the same
puzzle (E. Russell, F. Jarvis 2006, "Mathematics of Sudoku II"). Turning and mirroring are among
them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.compilation import int_array
from solver.grid import Grid, as_grid
from solver.layout import LAYOUTS


@dataclass(frozen=True)
class Transformation:
    """A way to rearrange a grid: transpose, then reorder rows and columns, then relabel.

    Attributes:
        rows: for each row of the result, the row that it comes from; rows of a band stay together.
        columns: for each column of the result, the column that it comes from; columns of a stack
            stay together.
        digits: what each digit 1..side becomes.
        is_transposed: whether rows become columns first; for boxes as high as wide only.

    Raises:
        ValueError: if it would not keep every valid grid valid.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    digits: tuple[int, ...]
    is_transposed: bool = False

    def __post_init__(self) -> None:
        layout = LAYOUTS.get(len(self.digits))
        if layout is None:
            raise ValueError(f"digits must be 4, 6, 9, 16 or 25, got {len(self.digits)}")
        _require_lines("rows", self.rows, layout.side, layout.box_rows)
        _require_lines("columns", self.columns, layout.side, layout.box_columns)
        if sorted(self.digits) != list(range(1, layout.side + 1)):
            raise ValueError(f"digits must be a permutation of 1..{layout.side}: {self.digits}")
        if self.is_transposed and layout.box_rows != layout.box_columns:
            raise ValueError(f"a {layout.side}×{layout.side} grid cannot be transposed")

    def apply(self, grid: npt.NDArray[np.integer]) -> Grid:
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

    def inverse(self) -> "Transformation":
        """Return the transformation that leads back."""
        rows, columns = _invert(self.rows), _invert(self.columns)
        if self.is_transposed:
            rows, columns = columns, rows
        digits = tuple(place + 1 for place in _invert(tuple(d - 1 for d in self.digits)))
        return Transformation(rows, columns, digits, self.is_transposed)

    def compose(self, then: "Transformation") -> "Transformation":
        """Return the transformation that does this one, then the other.

        Raises:
            ValueError: if they are for grids of different sizes.
        """
        if len(self.digits) != len(then.digits):
            raise ValueError(f"sizes differ: {len(self.digits)} and {len(then.digits)}")
        before = (self.columns, self.rows) if then.is_transposed else (self.rows, self.columns)
        return Transformation(
            tuple(before[0][row] for row in then.rows),
            tuple(before[1][column] for column in then.columns),
            tuple(then.digits[digit - 1] for digit in self.digits),
            self.is_transposed != then.is_transposed,
        )


def identity(side: int = 9) -> Transformation:
    """Return the transformation that leaves every grid as it is."""
    lines = tuple(range(side))
    return Transformation(lines, lines, tuple(range(1, side + 1)))


def turn_right(side: int = 9) -> Transformation:
    """Return the quarter turn clockwise; four of them are the identity."""
    lines = tuple(range(side))
    return Transformation(lines, lines[::-1], identity(side).digits, is_transposed=True)


def mirror(side: int = 9) -> Transformation:
    """Return the reflection that swaps left and right."""
    lines = tuple(range(side))
    return Transformation(lines, lines[::-1], identity(side).digits)


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


def canonical_form(puzzle: npt.NDArray[np.integer]) -> Grid:
    """Return the same grid for all puzzles that transformations lead to, and for no other.

    Digits are labelled in the order in which they first appear. The puzzle may have any number of
    solutions, or be a solution.

    Args:
        puzzle: (side, side) integers, 0 = empty.

    Raises:
        ValueError: if it is no grid.
    """
    return _Forms(len(as_grid(puzzle))).find(puzzle)[0]


def canonical_forms(puzzles: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the canonical form of each of many puzzles: 2,000 a second, 50,000 with numba.

    Args:
        puzzles: (n, side²) uint8 in reading order, 0 = empty.

    Returns:
        (n, side²) uint8.

    Raises:
        ValueError: for another shape, or what is no grid.
    """
    sides = {layout.n_cells: side for side, layout in LAYOUTS.items()}
    if puzzles.ndim != 2 or puzzles.shape[1] not in sides:
        raise ValueError(f"puzzles must be (n, side²), got {puzzles.shape}")
    side = sides[puzzles.shape[1]]
    forms = np.zeros(puzzles.shape, np.uint8)
    finder = _Forms(side)
    for puzzle, form in zip(puzzles.reshape(-1, side, side), forms, strict=True):
        form[:] = finder.find(puzzle)[0].ravel()
    return forms


def to_canonical_form(puzzle: npt.NDArray[np.integer]) -> Transformation:
    """Return a transformation that leads to the canonical form; a symmetric puzzle has several.

    Raises:
        ValueError: if it is no grid.
    """
    puzzle = as_grid(puzzle)
    side = len(puzzle)
    form, lines, is_transposed = _Forms(side).find(puzzle)
    rows, columns = tuple(lines[:side]), tuple(lines[side:])
    moved = (puzzle.T if is_transposed else puzzle)[np.ix_(rows, columns)]
    labels = dict(zip(moved[moved > 0].tolist(), form[form > 0].tolist(), strict=True))
    spare = iter(sorted(set(range(1, side + 1)) - set(labels.values())))
    digits = tuple(labels[d] if d in labels else next(spare) for d in range(1, side + 1))
    return Transformation(rows, columns, digits, is_transposed)


def find_transformation(
    puzzle: npt.NDArray[np.integer], other: npt.NDArray[np.integer]
) -> Transformation | None:
    """Return a transformation that leads from one puzzle to the other, or None if none does.

    Raises:
        ValueError: if either is no grid.
    """
    if puzzle.shape != other.shape:
        return None
    there, back = to_canonical_form(puzzle), to_canonical_form(other).inverse()
    both = there.compose(back)
    return both if np.array_equal(both.apply(puzzle), other) else None


class _Forms:
    """Finds canonical forms of grids of one size, in memory that serves for all of them."""

    def __init__(self, side: int) -> None:
        # Imported here because importing it imports numba, where that is installed.
        from solver import symmetry_kernels

        self._kernels = symmetry_kernels
        self._layout = LAYOUTS[side]
        self._search = symmetry_kernels.start_search(side)

    def find(self, puzzle: npt.NDArray[np.integer]) -> tuple[Grid, list[int], bool]:
        """Return the form, where its rows and columns come from, and if it is transposed."""
        puzzle = as_grid(puzzle)
        rows, columns = self._layout.box_rows, self._layout.box_columns
        self._kernels.forget(self._search)
        is_transposed = False
        for transposed, grid in enumerate((puzzle, puzzle.T) if rows == columns else (puzzle,)):
            digits = int_array(grid.ravel().tolist())
            if self._kernels.find_form(digits, rows, columns, self._search):
                is_transposed = bool(transposed)
        form = np.array(self._search.form, np.uint8).reshape(puzzle.shape)
        return form, [int(line) for line in self._search.lines], is_transposed


def _require_lines(name: str, lines: tuple[int, ...], side: int, n_lines: int) -> None:
    if sorted(lines) != list(range(side)):
        raise ValueError(f"{name} must be a permutation of 0..{side - 1}: {lines}")
    for first in range(0, side, n_lines):
        if len({line // n_lines for line in lines[first : first + n_lines]}) > 1:
            raise ValueError(f"{name} {lines} tear a band or a stack apart")


def _invert(permutation: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(np.argsort(permutation).tolist())


def _shuffle_lines(random: np.random.Generator, side: int, n_lines: int) -> tuple[int, ...]:
    groups = random.permuted(np.arange(side).reshape(-1, n_lines), axis=1)
    return tuple(random.permutation(groups).ravel().tolist())

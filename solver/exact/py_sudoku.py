"""The library route: the package py-sudoku (extra `baselines`), as a program would use it.

https://github.com/jeffsieu/py-sudoku. It fills the blank with fewest candidates, depth first.
"""

import time
from dataclasses import dataclass
from typing import Any

from solver.base import Limits, MissingPackageError, Result, admit_clues
from solver.exact.tree_search import Clock, Meter, conclude_search
from solver.grid import Grid
from solver.layout import layout_of


class _LimitMetError(Exception):
    """Ends the package's search from within."""


@dataclass(frozen=True)
class PySudokuSolver:
    """Lets the package search once with the digits upwards and once with them downwards.

    The two find the first and the last solution of the same search tree, which are equal where
    there is only one. A position of the tree is a node. The package has no limits of its own: its
    search calls itself once a node, and there the limits are kept.

    Attributes:
        clock: returns seconds; only differences count.

    Raises:
        MissingPackageError: if py-sudoku is not installed.
    """

    clock: Clock = time.perf_counter

    name = "py-sudoku"
    is_complete = True
    sizes = frozenset({4, 6, 9})

    def __post_init__(self) -> None:
        _import_sudoku()

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search for the first and the last solution; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        meter = Meter(limits, self.clock)
        try:
            solutions = _find_first_and_last(clues, meter)
        except _LimitMetError:
            return conclude_search(clues, (), meter, is_exhaustive=False)
        return conclude_search(clues, solutions, meter, is_exhaustive=len(solutions) < 2)


def _find_first_and_last(clues: Grid, meter: Meter) -> list[list[int]]:
    """Return the different ones of a puzzle's first and last solution.

    Raises:
        _LimitMetError: if a limit is met.
    """
    package = _import_sudoku()
    layout = layout_of(clues)
    board = [[digit or None for digit in row] for row in clues.tolist()]
    puzzle = package.Sudoku(layout.box_columns, layout.box_rows, board=board)
    solutions: list[list[int]] = []
    base = package._SudokuSolver
    search = base._SudokuSolver__get_solution

    def search_within_limits(self: Any, *arguments: Any, **options: Any) -> Any:
        if not meter.may_go_on():
            raise _LimitMetError
        meter.nodes += 1
        found = search(self, *arguments, **options)
        if found:
            digits = [digit for row in found for digit in row]
            if digits not in solutions:
                solutions.append(digits)
        return found

    limited = type("Limited", (base,), {"_SudokuSolver__get_solution": search_within_limits})
    if puzzle.validate():
        limited(puzzle)._has_multiple_solutions()
    return solutions


def _import_sudoku() -> Any:
    try:
        from sudoku import sudoku
    except ImportError as error:
        raise MissingPackageError.for_extra("py-sudoku", "baselines") from error
    return sudoku

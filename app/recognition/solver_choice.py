"""The solver that the user names, or the default one, loaded and made ready."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, cast

import numpy as np

from app.terminal.exit_codes import MissingError, UsageError
from models.engine import EngineError
from solver.base import Limits, MissingPackageError, RuleSolver, Solver
from solver.grid import Grid, parse_grid
from solver.layout import LAYOUTS
from solver.registry import DEFAULT_SOLVER, RULE_SOLVERS, load_solver, solver_names

_WARM_UP_PUZZLE: Final = (
    "9..7..1...3..28.9.8.2...4..5.9....2.....6...52.7..1......8.421.....93...4..2....."
)
"""Singles do not solve it, so that the parts of a solver that guess have their turn too."""
_WARM_UP: Final = Limits(nodes=2000, iterations=2000)
"""No seconds, because compiling would use them up before all parts have had their turn."""


def choose_solver(name: str | None) -> str:
    """Return the name if there is such a solver, or the default one's for None.

    Raises:
        UsageError: if there is no such solver; the message lists them.
    """
    if name is not None and name not in solver_names():
        raise UsageError(f"there is no solver {name}; choose one of: {', '.join(solver_names())}")
    return name or DEFAULT_SOLVER


def load_chosen(name: str | None) -> Solver:
    """Load the solver that is named, or the default one for None.

    Raises:
        UsageError: if there is no such solver; the message lists them.
        MissingError: if it needs a package that is not installed, or a network that cannot be run;
            the message says which.
    """
    chosen = choose_solver(name)
    with needing_parts(f"the solver {chosen}"):
        return load_solver(chosen)


def load_rule_solver(name: str | None) -> RuleSolver:
    """Load the solver that is named for puzzles of all kinds, or the default one for None.

    Raises:
        UsageError: if no solver of this name can do them; the message lists those that can.
        MissingError: if it needs a package that is not installed.
    """
    chosen = choose_solver(name)
    if chosen not in RULE_SOLVERS:
        raise UsageError(
            f"the solver {chosen} does classic puzzles only; choose {' or '.join(RULE_SOLVERS)}"
        )
    with needing_parts(f"the solver {chosen}"):
        return cast(RuleSolver, load_solver(chosen))


@contextmanager
def needing_parts(subject: str) -> Iterator[None]:
    """Say in the words of the command line which part is missing or broken, and what brings it.

    Raises:
        MissingError: if the block finds that a solver's package is not installed, or that its
            network cannot be run. Many a solver finds the second only when it asks its network.
    """
    try:
        yield
    except (MissingPackageError, EngineError) as error:
        raise MissingError(f"{subject} cannot be used: {error}") from error


def warm_up(solver: Solver, side: int) -> None:
    """Let a solver try a puzzle once, because the first time pays for imports and tables.

    Code that is compiled, and what a solver builds for a size, would otherwise count against the
    limits of the first puzzle that is measured.

    Args:
        solver: one that can do this size.
        side: number of digits.
    """
    solver.solve(_easy_puzzle(side), _WARM_UP)


def _easy_puzzle(side: int) -> Grid:
    """Return (side, side) uint8: a puzzle that begins every part of a solver's work."""
    if side == 9:
        return parse_grid(_WARM_UP_PUZZLE)
    layout = LAYOUTS[side]
    row, column = np.indices((side, side))
    shift = layout.box_columns * (row % layout.box_rows) + row // layout.box_rows
    grid = ((shift + column) % side + 1).astype(np.uint8)
    grid[0] = 0
    return grid

"""What exact solvers share: the frame of a solve, and depth-first search."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from solver.base import Clock, EffortBudget, Limits, Result, admit_clues
from solver.grid import Grid
from solver.layout import ALL_SIZES
from solver.rules import Rules
from solver.verification import conclude

_Position = TypeVar("_Position")
_Option = TypeVar("_Option")


def conclude_search(
    clues: Grid,
    solutions: Sequence[Sequence[int]],
    budget: EffortBudget,
    *,
    is_exhaustive: bool,
    rules: Rules | None = None,
) -> Result:
    """Conclude a search that stops at its second solution, at its end, or at a limit.

    Args:
        clues: (side, side) uint8, 0 = empty.
        solutions: the different solutions found, each side² digits in reading order.
        budget: what the search cost.
        is_exhaustive: whether it came to its end, so that there is no other solution.
        rules: of the puzzle; None for the classic ones, which its shape tells.
    """
    is_decided = is_exhaustive or len(solutions) > 1
    found = solutions if is_decided else ()
    proposals = tuple(
        np.frombuffer(bytearray(digits), np.uint8).reshape(clues.shape) for digits in found
    )
    note = "" if is_decided else "a limit was met"
    return conclude(
        clues, proposals, budget.effort(), is_exhaustive=is_exhaustive, note=note, rules=rules
    )


SearchFunction = Callable[[Sequence[int], int, EffortBudget, list[list[int]]], bool]
"""Takes side² digits in reading order, 0 = empty, and the side; collects up to two solutions, and
returns whether it came to its end."""


@dataclass(frozen=True)
class SearchSolver:
    """Decides every puzzle by a search of its own, until a second solution or the end.

    Attributes:
        name: that the registry knows it by.
        search: what it does.
        sizes: of the grids that it can do.
        clock: returns seconds; only differences count.
    """

    name: str
    search: SearchFunction
    sizes: frozenset[int] = ALL_SIZES
    clock: Clock = time.perf_counter

    is_complete = True

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a second solution or the end; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        budget = EffortBudget(limits, self.clock)
        solutions: list[list[int]] = []
        is_exhaustive = self.search(clues.ravel().tolist(), len(clues), budget, solutions)
        return conclude_search(clues, solutions, budget, is_exhaustive=is_exhaustive)


def search_tree(
    root: _Position | None,
    read: Callable[[_Position], list[int] | None],
    find_options: Callable[[_Position], Sequence[_Option]],
    take: Callable[[_Position, _Option], _Position | None],
    budget: EffortBudget,
    solutions: list[list[int]],
) -> bool:
    """Search depth first: a position is a node, and a step back an iteration.

    Args:
        root: None where the clues contradict each other.
        read: returns the digits of a position that is a solution, else None.
        find_options: returns what to try in a position that is none, best first; nothing at a dead
            end.
        take: returns the position after an option, None for a contradiction; the one before is not
            changed.
        budget: counts.
        solutions: up to two are added.

    Returns:
        Whether the search came to its end.
    """
    position = root
    # Positions with the options that are still to be tried in them, the last one first.
    open_branches: list[tuple[_Position, list[_Option]]] = []
    while True:
        if not budget.may_go_on():
            return False
        budget.nodes += 1
        options: Sequence[_Option] = ()
        if position is not None:
            digits = read(position)
            if digits is None:
                options = find_options(position)
            else:
                solutions.append(digits)
                if len(solutions) == 2:
                    return False
        if position is not None and options:
            budget.guesses += len(options) > 1
            open_branches.append((position, list(reversed(options))))
        elif not open_branches:
            return True
        elif budget.iterations_left() < 1:
            return False
        else:
            budget.iterations += 1
        parent, left = open_branches[-1]
        option = left.pop()
        if not left:
            open_branches.pop()
        position = take(parent, option)

"""Constraint propagation and search, after P. Norvig, "Solving Every Sudoku Puzzle", 2006.

https://norvig.com/sudoku.html. Two rules run until nothing changes: a cell with one candidate
takes it from its peers, and a digit with one place in a unit goes there. Where they do not suffice,
the candidates of a cell with fewest are tried in turn.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from solver.base import Limits, Result, admit_clues
from solver.exact.meter import Clock, Meter, conclude_search
from solver.grid import Grid
from solver.layout import ALL_SIZES, LAYOUTS


@dataclass(frozen=True)
class PropagationSolver:
    """Propagates after every digit, and searches where that is not enough.

    A position propagated is a node, and a cell whose candidates are tried is a guess.

    Attributes:
        clock: returns seconds; only differences count.
    """

    clock: Clock = time.perf_counter

    name = "propagation"
    is_complete = True
    sizes = ALL_SIZES

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a second solution or the end; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        meter = Meter(limits, self.clock)
        solutions: list[list[int]] = []
        is_exhaustive = _search(clues.ravel().tolist(), len(clues), meter, solutions)
        return conclude_search(clues, solutions, meter, is_exhaustive=is_exhaustive)


@dataclass(frozen=True)
class _Neighbours:
    """Plain lists for a size: the peers of each cell, and the other cells of each of its units."""

    peers: list[list[int]]
    units: list[list[list[int]]]


def _search(clues: Sequence[int], side: int, meter: Meter, solutions: list[list[int]]) -> bool:
    """Collect up to two solutions; return whether the search came to its end."""
    near = _neighbours(side)
    # For each cell, the set of its candidates, bit = digit - 1.
    candidates = [(1 << side) - 1] * side**2
    if not meter.may_go_on():
        return False
    meter.nodes = 1
    is_alive = all(
        _assign(candidates, cell, 1 << (clue - 1), near) for cell, clue in enumerate(clues) if clue
    )
    open_branches: list[tuple[list[int], int, int]] = []
    while True:
        if is_alive:
            cell = _choose_cell(candidates)
            if cell is None:
                solutions.append([digits.bit_length() for digits in candidates])
                if len(solutions) == 2:
                    return False
            else:
                meter.guesses += 1
                open_branches.append((candidates, cell, candidates[cell]))
        if not open_branches:
            return True
        if not meter.may_go_on():
            return False
        meter.nodes += 1
        parent, cell, rest = open_branches.pop()
        digit = rest & -rest
        if rest != digit:
            open_branches.append((parent, cell, rest ^ digit))
            candidates = parent.copy()
        else:
            candidates = parent
        is_alive = _assign(candidates, cell, digit, near)


def _assign(candidates: list[int], cell: int, digit: int, near: _Neighbours) -> bool:
    """Leave a cell only this digit, propagate, and return False on a contradiction."""
    if not candidates[cell] & digit:
        return False
    # Candidates to strike: the cell, and the set of digits.
    todo = [(cell, candidates[cell] ^ digit)]
    if candidates[cell] == digit:
        return True
    while todo:
        cell, digits = todo.pop()
        struck = candidates[cell] & digits
        if not struck:
            continue
        left = candidates[cell] = candidates[cell] ^ struck
        if not left:
            return False
        if not left & (left - 1):
            todo.extend((peer, left) for peer in near.peers[cell] if candidates[peer] & left)
        for others in near.units[cell]:
            once = twice = 0
            for other in others:
                twice |= once & candidates[other]
                once |= candidates[other]
            if struck & ~once:
                return False
            only = struck & ~twice
            while only:
                digit = only & -only
                only ^= digit
                place = next(other for other in others if candidates[other] & digit)
                if candidates[place] != digit:
                    todo.append((place, candidates[place] ^ digit))
    return True


def _choose_cell(candidates: Sequence[int]) -> int | None:
    """Return the first cell with fewest candidates of those with several, or None."""
    fewest = 1000
    best = None
    for cell, digits in enumerate(candidates):
        if digits & (digits - 1):
            count = digits.bit_count()
            if count < fewest:
                if count == 2:
                    return cell
                fewest, best = count, cell
    return best


@cache
def _neighbours(side: int) -> _Neighbours:
    layout = LAYOUTS[side]
    units = layout.units.tolist()
    by_cell = [
        [[other for other in units[unit] if other != cell] for unit in own]
        for cell, own in enumerate(layout.units_of_cell.tolist())
    ]
    return _Neighbours(layout.peers.tolist(), by_cell)

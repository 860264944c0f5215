"""Puzzles of our own for rendered pages: symmetric like a newspaper's, with one solution."""

from dataclasses import dataclass

import numpy as np

from solver.exact.bitmask import count_solutions, find_solutions
from solver.grid import Grid


@dataclass(frozen=True)
class Puzzle:
    """Clues, (9, 9) uint8 with 0 for empty, and their only solution, (9, 9) uint8."""

    clues: Grid
    solution: Grid


def make_puzzle(seed: int, clues_wanted: int = 28) -> Puzzle:
    """Return a puzzle with exactly one solution and clues placed point-symmetrically.

    Clues are taken away in pairs, in random order, as long as `count_solutions` proves that one
    solution is left.

    Args:
        seed: same seed, same puzzle.
        clues_wanted: stop at so many clues; there may be more if no pair can be spared.
    """
    rng = np.random.default_rng(seed)
    solution = _random_solution(rng)
    clues = solution.copy().ravel()
    for cell in rng.permutation(41):
        pair = np.unique([cell, 80 - cell])
        if np.count_nonzero(clues) - len(pair) < clues_wanted:
            continue
        kept = clues[pair]
        clues[pair] = 0
        if count_solutions(clues.reshape(9, 9), limit=2) != 1:
            clues[pair] = kept
    return Puzzle(clues.reshape(9, 9), solution)


def _random_solution(rng: np.random.Generator) -> Grid:
    """Fill the three boxes of the diagonal freely, which never contradict, and search the rest."""
    grid = np.zeros((9, 9), np.uint8)
    for start in (0, 3, 6):
        box = (rng.permutation(9) + 1).astype(np.uint8).reshape(3, 3)
        grid[start : start + 3, start : start + 3] = box
    return find_solutions(grid, limit=1)[0]

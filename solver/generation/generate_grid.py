"""Full grids of any size at random, and clearing them, in Python alone."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.exact.bitmask import search
from solver.layout import Layout
from solver.rules import Rules
from solver.symmetry import random_transformation

_NODES_TO_FILL: Final = 1000
"""Three times what 25×25 takes without a wrong guess."""
_TRIES_TO_FILL: Final = 20
_SCATTERED: Final = 3
"""Digits put anywhere in a small grid, so that not every grid comes from the same search."""

_NODES_TO_PROVE: Final = {4: 10**6, 6: 10**6, 8: 10**6, 9: 10**6, 10: 300, 12: 100, 16: 60, 25: 20}
"""When to keep a clue because the proof of uniqueness without it takes too long."""

Digits = npt.NDArray[np.uint8]
"""(side²,) uint8 in reading order."""


def _always() -> bool:
    return True


def fill_grid(
    random: np.random.Generator, layout: Layout, may_go_on: Callable[[], bool] = _always
) -> Digits:
    """Return a full grid: boxes that share no unit at random, the rest by search, then reordered.

    Grids do not have equal probabilities. Where the search takes long, as on some large grids, the
    grid is one in which each row is a shift of another, reordered at random.

    Args:
        random: where the digits come from.
        layout: of the grid.
        may_go_on: asked now and then; False ends the search early.
    """
    side = layout.side
    for _ in range(_TRIES_TO_FILL):
        clues = np.zeros(layout.n_cells, np.uint8)
        for box in range(min(layout.box_rows, layout.box_columns)):
            # Boxes of the diagonal: box_rows of them lie beside each other.
            clues[layout.boxes[box * (layout.box_rows + 1)]] = random.permutation(side) + 1
        if side <= 9:
            empty = np.flatnonzero(clues == 0)
            clues[random.choice(empty, _SCATTERED)] = random.integers(1, side + 1, _SCATTERED)
        found = search(clues.tolist(), 1, lambda nodes: nodes < _NODES_TO_FILL and may_go_on())
        if found.solutions:
            grid = np.array(found.solutions[0], np.uint8).reshape(side, side)
            break
    else:
        row, column = np.indices((side, side))
        shift = layout.box_columns * (row % layout.box_rows) + row // layout.box_rows
        grid = ((shift + column) % side + 1).astype(np.uint8)
    return random_transformation(random, side).apply(grid).ravel()


def clear_grid(
    solution: Digits,
    orbits: Sequence[tuple[int, ...]],
    n_clues: int,
    may_go_on: Callable[[], bool] = _always,
    rules: Rules | None = None,
) -> Digits | None:
    """Clear sets of cells in this order, each unless the grid would lose its only solution.

    A puzzle that is unique stays so with more clues. So where many sets can be cleared at once,
    they could be cleared one by one: the first of them go in a few large steps.

    Args:
        solution: a full grid.
        orbits: sets of cells that are cleared together.
        n_clues: stop at so many clues.
        may_go_on: asked now and then; False leaves the work undone.
        rules: of the puzzle; None for the classic ones, which its number of cells tells.

    Returns:
        The puzzle, or None where it was left undone.
    """
    most_nodes = _NODES_TO_PROVE[int(len(solution) ** 0.5) if rules is None else rules.side]
    puzzle = solution.copy()
    left = int(np.count_nonzero(puzzle))
    position, step = 0, max(1, 2 * len(orbits) // 5)
    while position < len(orbits) and left > n_clues:
        if not may_go_on():
            return None
        cells = [cell for orbit in orbits[position : position + step] for cell in orbit]
        if left - len(cells) >= n_clues:
            puzzle[cells] = 0
            found = search(
                puzzle.tolist(),
                2,
                lambda nodes: nodes < most_nodes and may_go_on(),
                keep=0,
                rules=rules,
            )
            if found.is_exhaustive:
                left -= len(cells)
                position += step
                continue
            puzzle[cells] = solution[cells]
        if step > 1:
            step //= 2
        else:
            position += 1
    return puzzle

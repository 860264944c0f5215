import numpy as np
import pytest
from puzzles import EASY

from solver.decoding.cores import find_core
from solver.decoding.known_solutions import KnownSolutions
from solver.exact.bitmask import count_solutions
from solver.grid import parse_grid

WRONG_CELL = 2
VALUES = parse_grid("531" + EASY[3:]).ravel().tolist()
FILLED = [cell for cell in range(81) if VALUES[cell]]


def count_without(emptied: list[int]) -> int:
    grid = np.array(VALUES, np.uint8)
    grid[emptied] = 0
    return count_solutions(grid.reshape(9, 9))


@pytest.mark.parametrize("seed", range(8))
def test_a_core_has_no_solution_and_no_cell_of_it_can_be_spared(seed: int) -> None:
    prices = dict(zip(FILLED, np.random.default_rng(seed).uniform(1, 9, len(FILLED)), strict=True))

    core = find_core(VALUES, prices, 100.0, lambda _: True, KnownSolutions())

    others = [cell for cell in FILLED if cell not in core]
    assert count_without(others) == 0
    assert all(count_without([*others, cell]) > 0 for cell in core)


def test_a_cell_is_in_the_core_when_it_is_cheap_only_if_it_must_be() -> None:
    for cheap in FILLED:
        prices = {cell: 1.0 if cell == cheap else 5.0 for cell in FILLED}

        core = find_core(VALUES, prices, 100.0, lambda _: True, KnownSolutions())

        assert (cheap in core) == (count_without([cheap]) > 0)


@pytest.mark.parametrize(("cheap", "core"), [({WRONG_CELL, 4}, [WRONG_CELL]), ({80}, [])])
def test_only_cells_within_the_budget_are_named(cheap: set[int], core: list[int]) -> None:
    """None is where the dear cells contradict each other."""
    prices = {cell: 1.0 if cell in cheap else 50.0 for cell in FILLED}

    assert find_core(VALUES, prices, 10.0, lambda _: True, KnownSolutions()) == core

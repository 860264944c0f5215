"""Searches of clues: what is to blame where they contradict, and what was met before."""

import numpy as np
import pytest
from puzzles import EASY, EASY_GRID

from solver.decoding.clue_searches import KnownSolutions, find_core
from solver.exact.bitmask import count_solutions, search
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


PUZZLE = EASY_GRID.ravel()


def without(*cells: int) -> list[int]:
    clues = PUZZLE.copy()
    clues[list(cells)] = 0
    return [int(digit) for digit in clues]


def test_what_was_met_before_is_not_searched_for_again() -> None:
    known = KnownSolutions()
    first = known.search(without(), 1)
    assert first.nodes > 0

    again = known.search(without(0, 4, 9), 1)

    assert (again.nodes, again.solutions) == (0, first.solutions)
    assert not again.is_exhaustive


def test_no_more_is_claimed_than_was_met() -> None:
    """One known solution does not answer whether there is another."""
    known = KnownSolutions()
    known.search(without(), 1)

    found = known.search(without(), 2)

    assert found.nodes > 0
    assert found.is_exhaustive
    assert len(found.solutions) == 1


def test_it_finds_as_many_as_a_search_and_only_true_ones() -> None:
    known = KnownSolutions()
    rng = np.random.default_rng(3)
    filled = np.flatnonzero(PUZZLE)
    answered = 0
    for _ in range(60):
        clues = without(*rng.choice(filled, rng.integers(0, 12), replace=False))
        if rng.random() < 0.3:
            clues[rng.choice(filled)] = int(rng.integers(1, 10))
        for limit in (1, 2):
            searched, found = search(clues, limit), known.search(clues, limit)
            answered += found.nodes == 0
            assert found.found == len(found.solutions) == searched.found
            assert len({tuple(solution) for solution in found.solutions}) == found.found
            for solution in found.solutions:
                assert all(clue in (0, digit) for clue, digit in zip(clues, solution, strict=True))
                assert search(solution, 1).found == 1
    assert answered > 30

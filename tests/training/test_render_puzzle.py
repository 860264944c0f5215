"""Puzzles that rendered pages show."""

import numpy as np
import pytest

from solver.exact.bitmask import count_solutions
from solver.grid import Fault, check_solution
from training.newspaper.printed_puzzle import make_puzzle


@pytest.mark.parametrize("seed", range(8))
def test_a_made_puzzle_has_exactly_the_solution_it_names(seed: int) -> None:
    puzzle = make_puzzle(seed)

    assert count_solutions(puzzle.clues, limit=2) == 1
    assert check_solution(puzzle.clues, puzzle.solution) == Fault(0)


def test_clues_are_point_symmetric_and_about_as_many_as_wanted() -> None:
    for seed in range(8):
        given = make_puzzle(seed, clues_wanted=30).clues > 0
        np.testing.assert_array_equal(given, given[::-1, ::-1])
        assert 30 <= given.sum() <= 40


def test_a_seed_names_one_puzzle() -> None:
    np.testing.assert_array_equal(make_puzzle(5).clues, make_puzzle(5).clues)
    assert (make_puzzle(5).clues != make_puzzle(6).clues).any()

"""New puzzles as a person wishes for them."""

import numpy as np
import pytest

from app.puzzles.new_puzzle import PuzzleWish, make_puzzle, scores_of
from solver.exact.bitmask import count_solutions
from solver.generation.generate import Symmetry
from solver.human.rating import Level, name_score, rate


@pytest.mark.parametrize("level", [Level.EASY, Level.MEDIUM])
def test_a_new_puzzle_is_as_hard_as_wished_and_has_one_solution(level: Level) -> None:
    puzzle = make_puzzle(PuzzleWish(level), 3, lambda: True)

    assert puzzle is not None
    assert rate(puzzle).level is level
    assert count_solutions(puzzle) == 1


def test_a_new_puzzle_lies_as_symmetric_as_wished() -> None:
    puzzle = make_puzzle(PuzzleWish(symmetry=Symmetry.POINT), 3, lambda: True)

    assert puzzle is not None
    assert np.array_equal(puzzle > 0, np.rot90(puzzle > 0, 2))


def test_nothing_is_made_once_nobody_waits() -> None:
    assert make_puzzle(PuzzleWish(Level.EXTREME), 3, lambda: False) is None


@pytest.mark.parametrize("level", Level)
def test_the_scores_of_a_level_have_its_name(level: Level) -> None:
    low, high = scores_of(level)

    assert name_score(low) is name_score(high) is level
    assert name_score(round(low - 0.1, 1)) is not level or level is Level.EASY

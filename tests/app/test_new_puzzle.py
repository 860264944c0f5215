"""New puzzles as a person wishes for them."""

import numpy as np
import pytest
from present import present

from app.help.help_words import KINDS
from app.puzzles.new_puzzle import PuzzleWish, make_puzzle, plan_classic, sides_of
from solver.exact.bitmask import count_solutions
from solver.generation.generate import Symmetry
from solver.generation.generate_kinds import KindOptions
from solver.human.walk import Level, name_score, rate
from solver.rules import Kind


@pytest.mark.parametrize("level", [Level.EASY, Level.MEDIUM])
def test_a_new_puzzle_is_as_hard_as_wished_and_has_one_solution(level: Level) -> None:
    puzzle = present(make_puzzle(PuzzleWish(level), 3, lambda: True))

    assert rate(puzzle.clues).level is level
    assert count_solutions(puzzle.clues) == 1


def test_a_new_puzzle_lies_as_symmetric_as_wished() -> None:
    puzzle = present(make_puzzle(PuzzleWish(symmetry=Symmetry.POINT), 3, lambda: True))

    assert np.array_equal(puzzle.clues > 0, np.rot90(puzzle.clues > 0, 2))


@pytest.mark.parametrize(
    ("kind", "side"), [(kind, side) for kind in KINDS for side in sides_of(kind) if side < 9]
)
def test_a_new_puzzle_is_of_the_kind_and_side_that_are_wished(kind: Kind, side: int) -> None:
    made = present(make_puzzle(PuzzleWish(kind=kind, side=side), 3, lambda: True))

    assert (made.rules.kind, made.rules.side) == (kind, side)
    assert count_solutions(made.clues, 2, made.rules) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_side_that_is_offered_can_be_made(kind: Kind) -> None:
    for side in sides_of(kind):
        assert KindOptions(kind, side).side == side


@pytest.mark.parametrize("wish", [PuzzleWish(Level.EXTREME), PuzzleWish(kind=Kind.JIGSAW, side=16)])
def test_nothing_is_made_once_nobody_waits(wish: PuzzleWish) -> None:
    assert make_puzzle(wish, 3, lambda: False) is None


@pytest.mark.parametrize("level", Level)
def test_the_scores_of_a_level_have_its_name(level: Level) -> None:
    low, high = plan_classic(level, lambda: True).difficulty

    assert name_score(low) is name_score(high) is level
    assert name_score(round(low - 0.1, 1)) is not level or level is Level.EASY

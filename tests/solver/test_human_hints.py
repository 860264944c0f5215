"""What people meet: next steps, hints, ratings, the solver, and puzzles that suit none of them."""

import numpy as np
import pytest
from present import present
from puzzles import DEEP, EASY, EASY_SOLUTION, HARD, NO_SOLUTION, TWO_SOLUTIONS

from solver.base import Limits, Status
from solver.grid import parse_grid
from solver.human.position import Position, Technique, rate_chain
from solver.human.technique_engine import GaveUpError, Options
from solver.human.walk import (
    BEYOND,
    HumanSolver,
    Level,
    Strength,
    UnsuitablePuzzleError,
    make_hint,
    name_score,
    next_step,
    open_position,
    rate,
    solve_path,
)
from solver.human.words import Words

CHAINS = "6..8........9.1.2..24.......9...81..5..3..68......7...4.3...5...5...2.71........."


def test_a_hint_comes_in_three_strengths_that_give_away_more_and_more() -> None:
    found = present(next_step(parse_grid(EASY)))

    where, technique, step = (make_hint(found, strength) for strength in Strength)

    assert where.text == "Look at box 2."
    assert technique.text == "Look at box 2. The technique is: hidden single in a box."
    assert step.text == "In box 2, 8 fits only in r1c6."
    assert (where.step, where.cells, technique.step, technique.cells) == (None, (), None, ())
    assert where.units == technique.units == step.units == (19,)
    assert present(step.step).placements == ((5, 8),)


def test_a_hint_on_cells_without_a_unit_names_their_boxes() -> None:
    position = Position()
    for digit in (1, 2, 3, 4, 5, 6, 7, 8):
        position.remove(80, digit)

    step = present(next_step(position))

    assert make_hint(step, Strength.WHERE).text == "Look at box 9."


@pytest.mark.parametrize(
    ("units", "text"),
    [
        ([0], "row 1"),
        ([3, 9], "row 4 and column 1"),
        ([0, 3], "rows 1 and 4"),
        ([0, 20, 3], "rows 1 and 4 and box 3"),
        ([0, 3, 9, 12, 26], "rows 1 and 4, columns 1 and 4 and box 9"),
    ],
)
def test_units_of_a_kind_are_named_together(units: list[int], text: str) -> None:
    assert Words().units(units) == text


def test_the_next_step_counts_what_was_entered() -> None:
    grid = parse_grid(EASY)
    grid[0, 5] = 8

    step = present(next_step(grid))

    assert step.placements[0][0] != 5


@pytest.mark.parametrize(
    ("text", "solutions", "says"),
    [
        (NO_SOLUTION, 0, "has no solution"),
        ("55" + "." * 79, 0, "has no solution"),
        (TWO_SOLUTIONS, 2, "has more than one solution"),
        ("." * 81, 2, "has more than one solution"),
        (DEEP, 0, "has no solution"),
    ],
)
def test_puzzles_without_one_solution_are_refused(text: str, solutions: int, says: str) -> None:
    with pytest.raises(UnsuitablePuzzleError, match=says) as caught:
        next_step(parse_grid(text))

    assert caught.value.solutions == solutions
    for function in (solve_path, rate):
        with pytest.raises(UnsuitablePuzzleError, match=says):
            function(parse_grid(text))


def test_a_puzzle_whose_solutions_take_too_long_to_count_is_given_up() -> None:
    with pytest.raises(GaveUpError, match=r"given up after 1,000 nodes; check its digits"):
        open_position(parse_grid(DEEP), Options(), most_nodes=1_000)


def test_a_walk_that_takes_too_many_searches_is_cut_and_not_rated() -> None:
    whole = solve_path(parse_grid(CHAINS))

    path = solve_path(parse_grid(CHAINS), most_searches=50)

    assert path.is_cut
    assert not path.is_solved
    assert path.steps == whole.steps[: len(path.steps)]
    assert not whole.is_cut
    with pytest.raises(GaveUpError, match=r"given up after 50 searches"):
        rate(parse_grid(CHAINS), most_searches=50)


def test_several_solutions_are_walked_without_uniqueness_where_wanted() -> None:
    path = solve_path(parse_grid(TWO_SOLUTIONS), Options(assume_unique=False))

    assert not path.is_solved
    assert path.steps


def test_what_is_no_grid_is_refused() -> None:
    with pytest.raises(ValueError, match=r"81"):
        next_step(np.zeros(81, np.uint8))
    with pytest.raises(ValueError, match=r"must be 9×9, got \(4, 4\)"):
        next_step(np.zeros((4, 4), np.uint8))


def test_a_position_is_left_as_it_was() -> None:
    position = Position.from_grid(parse_grid(EASY))
    before = position.copy()

    solve_path(position)

    for name in ("values", "cells", "digits"):
        assert getattr(position, name) == getattr(before, name)


@pytest.mark.slow
def test_ratings_have_a_score_a_level_and_the_hardest_technique() -> None:
    easy, hard, beyond = (rate(parse_grid(text)) for text in (EASY, CHAINS, HARD))

    assert (easy.level, easy.technique) == (Level.EASY, Technique.HIDDEN_SINGLE_BOX)
    assert easy.score == 1.2
    assert (hard.level, hard.score) == (Level.EXTREME, 8.3)
    assert hard.technique in {Technique.CELL_FORCING, Technique.UNIT_FORCING}
    assert (beyond.level, beyond.score, beyond.technique) == (Level.EXTREME, BEYOND, None)
    assert rate(parse_grid(EASY_SOLUTION)).score == 0.0
    assert next_step(parse_grid(EASY_SOLUTION)) is None


@pytest.mark.parametrize(
    ("score", "level"),
    [
        (1.2, Level.EASY),
        (1.5, Level.MEDIUM),
        (2.4, Level.MEDIUM),
        (2.5, Level.HARD),
        (5.0, Level.EXPERT),
        (7.4, Level.EXPERT),
        (7.5, Level.EXTREME),
    ],
)
def test_levels_change_at_their_bounds(score: float, level: Level) -> None:
    assert name_score(score) is level


@pytest.mark.parametrize(
    ("nodes", "rating"), [(6, 7.0), (8, 7.1), (10, 7.2), (14, 7.3), (15, 7.4), (27, 7.6)]
)
def test_long_chains_are_surcharged(nodes: int, rating: float) -> None:
    assert rate_chain(Technique.AIC, nodes) == rating


@pytest.mark.parametrize(
    ("text", "status", "note"),
    [
        (CHAINS, Status.SOLVED, ""),
        (EASY_SOLUTION, Status.SOLVED, ""),
        (HARD, Status.GAVE_UP, "no technique finds another step"),
    ],
)
def test_the_solver_guesses_nothing_beyond_techniques(text: str, status: Status, note: str) -> None:
    result = HumanSolver().solve(parse_grid(text), Limits())

    assert (result.status, result.note, result.effort.guesses) == (status, note, 0)
    assert result.effort.iterations >= len(solve_path(parse_grid(text)).steps)


@pytest.mark.parametrize("limits", [Limits(iterations=3), Limits(seconds=3.5)])
def test_the_solver_stops_at_a_limit(limits: Limits) -> None:
    ticks = iter(range(1000))

    result = HumanSolver(clock=lambda: float(next(ticks))).solve(parse_grid(EASY), limits)

    assert (result.status, result.note) == (Status.GAVE_UP, "a limit was met")
    assert result.effort.iterations == 3

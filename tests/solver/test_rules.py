from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from puzzles import EASY_SOLUTION

from solver.base import Effort, Status
from solver.grid import Fault, Grid, GridError, parse_grid
from solver.layout import USUAL_BOXES, Layout
from solver.rules import (
    SAMURAI_GRIDS,
    Cage,
    Kind,
    Rules,
    box_rules,
    cage_combinations,
    check_rules,
    find_grids,
    has_conflicts,
    jigsaw_rules,
    killer_rules,
    samurai_rules,
)
from solver.verification import conclude

EMPTY = np.zeros((9, 9), np.uint8)


@pytest.mark.parametrize("side", USUAL_BOXES)
def test_the_units_of_boxes_cover_each_cell_three_times(side: int) -> None:
    rules = box_rules(side)

    counts = np.bincount(np.concatenate(rules.units))

    assert (counts == 3).all()
    assert len(counts) == side**2
    assert rules.is_classic


def test_boxes_of_three_rows_and_two_columns_are_not_the_usual_ones_of_six() -> None:
    rules = box_rules(6, boxes=Layout(3, 2))

    assert rules.regions[0] == (0, 1, 6, 7, 12, 13)
    assert not rules.is_classic


def test_diagonals_and_windows_are_further_units() -> None:
    diagonal, windoku = box_rules(9, Kind.DIAGONAL), box_rules(9, Kind.WINDOKU)

    assert diagonal.units[27:] == (tuple(range(0, 81, 10)), tuple(range(8, 80, 8)))
    assert len(windoku.units) == 31
    assert windoku.units[27] == (10, 11, 12, 19, 20, 21, 28, 29, 30)


@pytest.mark.parametrize(("n_grids", "n_cells"), [(2, 153), (3, 225), (4, 288), (5, 369)])
def test_the_grids_of_a_samurai_share_boxes(n_grids: int, n_cells: int) -> None:
    rules = samurai_rules(SAMURAI_GRIDS[n_grids])

    assert len(rules.cells) == n_cells
    assert len(rules.regions) * 9 == n_cells
    assert len(rules.units) == 18 * n_grids + n_cells // 9


LAST = [8, 9, 10, 11], [12, 13, 14, 15]


@pytest.mark.parametrize(
    ("make", "parts", "complaint"),
    [
        (jigsaw_rules, [[0, 1, 2, 3], [4, 5, 6, 7], LAST[0], [12, 13, 14, 14]], "cover each"),
        (jigsaw_rules, [[0, 1, 2], [3, 4, 5, 6, 7], *LAST], "must have 4 cells"),
        (jigsaw_rules, [[0, 1, 2, 7], [3, 4, 5, 6], *LAST], "hang together"),
        (jigsaw_rules, [[0, 1, 2], [3, 4, 5], [6, 7, 8]], "the side must be 4, 6"),
        (samurai_rules, [(0, 0)], "two to five grids"),
        (samurai_rules, [(0, 0), (5, 6)], "two to five grids"),
        (killer_rules, [Cage(3, (0, 1)), Cage(9, (1, 2))], "two cages"),
        (killer_rules, [Cage(18, (0, 1))], r"add up to 3\.\.17"),
        (killer_rules, [Cage(0, ())], "different cells"),
        (killer_rules, [Cage(5, (80, 81))], "different cells"),
    ],
)
def test_regions_grids_and_cages_that_are_none_are_refused(
    make: Callable[[Any], Rules], parts: Any, complaint: str
) -> None:
    with pytest.raises(GridError, match=complaint):
        make(parts)


def test_equal_rules_are_one_key() -> None:
    one = box_rules(9, Kind.DIAGONAL)
    other = replace(one)

    assert one is not other
    assert {one: 1}[other] == 1
    assert box_rules(9) != one


def test_a_right_solution_of_classic_rules_has_no_fault() -> None:
    assert not check_rules(box_rules(9), EMPTY, parse_grid(EASY_SOLUTION))


def change(cell: int, digit: int) -> Grid:
    grid = parse_grid(EASY_SOLUTION)
    grid.flat[cell] = digit
    return grid


@pytest.mark.parametrize(
    ("rules", "solution", "fault"),
    [
        (box_rules(9), change(0, 0), Fault.EMPTY_CELL | Fault.UNIT),
        (box_rules(9), change(0, 10), Fault.OUT_OF_RANGE | Fault.UNIT),
        (box_rules(9), change(0, 6), Fault.UNIT),
        (box_rules(9, Kind.DIAGONAL), change(0, 5), Fault.UNIT),
        (killer_rules([Cage(8, (0, 1))]), change(0, 5), Fault.NONE),
        (killer_rules([Cage(9, (0, 1))]), change(0, 5), Fault.CAGE_SUM),
        (killer_rules([Cage(10, (0, 12))]), change(0, 5), Fault.CAGE_SUM),
    ],
)
def test_a_wrong_solution_is_told_what_is_wrong(rules: Rules, solution: Grid, fault: Fault) -> None:
    assert check_rules(rules, EMPTY, solution) == fault


def test_a_cage_that_repeats_a_digit_is_a_fault_though_its_sum_is_right() -> None:
    solution = parse_grid(EASY_SOLUTION)
    rules = killer_rules([Cage(6, (1, 14))])
    assert [solution.flat[1], solution.flat[14]] == [3, 5]
    twice = killer_rules([Cage(10, (0, 14))])
    assert [solution.flat[0], solution.flat[14]] == [5, 5]

    assert check_rules(rules, EMPTY, solution) == Fault.CAGE_SUM
    assert check_rules(twice, EMPTY, solution) == Fault.CAGE_DIGIT


def test_a_digit_where_a_samurai_has_no_cell_is_a_fault() -> None:
    rules = samurai_rules()
    solution = np.zeros((21, 21), np.uint8)
    solution[0, 10] = 1

    assert Fault.NO_CELL in check_rules(rules, np.zeros_like(solution), solution)


def test_solved_is_made_only_after_the_check_against_the_rules() -> None:
    solution = parse_grid(EASY_SOLUTION)
    rules = box_rules(9, Kind.DIAGONAL)

    by_shape = conclude(solution, (solution,), Effort(), is_exhaustive=True)
    by_rules = conclude(solution, (solution,), Effort(), is_exhaustive=True, rules=rules)

    assert by_shape.status is Status.SOLVED
    assert by_rules.status is Status.UNSOLVABLE
    assert "unit" in by_rules.note


def test_clues_that_break_the_rules_are_a_conflict() -> None:
    clues = EMPTY.copy()
    clues.flat[[0, 40]] = 5
    pair = killer_rules([Cage(9, (0, 1))])
    sums = EMPTY.copy()
    sums.flat[[0, 1]] = 3, 5

    assert has_conflicts(box_rules(9, Kind.DIAGONAL), clues)
    assert not has_conflicts(box_rules(9), clues)
    assert has_conflicts(pair, sums)
    assert not has_conflicts(replace(pair, cages=(Cage(8, (0, 1)),)), sums)


def test_the_combinations_of_a_cage_have_its_sum() -> None:
    assert cage_combinations(7, 3, 9) == ((1, 2, 4),)
    assert cage_combinations(17, 2, 9) == ((8, 9),)
    assert len(cage_combinations(20, 4, 9)) == 12


@pytest.mark.parametrize("n_grids", [2, 3, 4, 5])
def test_the_grids_of_a_samurai_are_found_in_its_units(n_grids: int) -> None:
    rules = samurai_rules(SAMURAI_GRIDS[n_grids])

    assert find_grids(rules) == tuple(sorted(SAMURAI_GRIDS[n_grids]))

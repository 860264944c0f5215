from random import Random

import numpy as np
import pytest
from kind_puzzles import vary
from puzzles import EASY_SOLUTION

from solver.base import Limits, RuleSolver, Status
from solver.exact.bitmask import BitmaskSolver, count_solutions, search
from solver.exact.rule_search import search_rules
from solver.grid import parse_grid
from solver.layout import Layout
from solver.rules import Cage, Kind, Rules, box_rules, check_rules, killer_rules, samurai_rules

QUICK = 24
MANY = 300
DIAGONAL_ONLY = "1...............................................................................9"


def oracles() -> list[RuleSolver]:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    pytest.importorskip("ortools", reason="OR-Tools is not installed")
    from solver.exact.packaged_solvers import CpSatSolver, SatSolver

    return [SatSolver(), CpSatSolver()]


def assert_agreement(kind: Kind, count: int, seed: int, with_sat: int = 1) -> None:
    """Compare with CP-SAT, and in every so many rounds of three with python-sat, too.

    A round has a puzzle as generated and two that were changed. Two thirds of the time would be
    spent on clauses for python-sat.
    """
    sat, cp_sat = oracles()
    statuses = []
    for number, puzzle in enumerate(vary(kind, count, seed)):
        result = BitmaskSolver().solve(puzzle.clues, Limits(), puzzle.rules)
        statuses.append(result.status)
        for other in (cp_sat, sat) if number // 3 % with_sat == 0 else (cp_sat,):
            told = other.solve(puzzle.clues, Limits(), puzzle.rules)
            assert told.status is result.status, other.name
            if result.solution is not None and told.solution is not None:
                assert (told.solution == result.solution).all()
    assert set(statuses) == {Status.SOLVED, Status.UNSOLVABLE, Status.AMBIGUOUS}


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.SAMURAI])
def test_counts_up_to_two_agree_with_those_of_python_sat_and_cp_sat(kind: Kind) -> None:
    assert_agreement(kind, QUICK, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_counts_of_many_puzzles_agree_with_those_of_python_sat_and_cp_sat(kind: Kind) -> None:
    assert_agreement(kind, 30 if kind is Kind.SAMURAI else MANY, seed=2, with_sat=5)


@pytest.mark.parametrize("n_cages", range(0, 24, 4))
def test_all_solutions_of_a_killer_with_few_digits_are_found(n_cages: int) -> None:
    square = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    pairs = [(cell, cell + 1) for cell in range(0, 16, 2)]
    cages = [Cage(square[a] + square[b], (a, b)) for a, b in pairs[: n_cages // 3]]
    rules = killer_rules(cages, 4)
    everything = search(box_clues := [0] * 16, 300).solutions

    found = search_rules(rules, box_clues, 300).solutions

    wanted = [
        digits
        for digits in everything
        if all(sum(digits[cell] for cell in cage.cells) == cage.total for cage in cages)
    ]
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize(
    "rules",
    [
        box_rules(6, boxes=Layout(3, 2)),
        box_rules(8),
        box_rules(10, Kind.DIAGONAL),
        box_rules(12),
        box_rules(9, Kind.WINDOKU),
        samurai_rules(((0, 0), (6, 6))),
    ],
    ids=lambda rules: f"{rules.kind.value}-{rules.side}",
)
def test_a_solution_by_chance_obeys_the_rules_and_depends_on_chance(rules: Rules) -> None:
    empty = np.zeros((rules.width, rules.width), np.uint8)
    clues = empty.ravel().tolist()

    one, same, other = (
        search_rules(rules, clues, 1, chance=Random(seed)).solutions[0] for seed in (1, 1, 2)
    )

    assert one == same != other
    assert not check_rules(rules, empty, np.reshape(one, empty.shape))


def test_rules_that_the_shape_tells_take_the_way_of_classic_puzzles() -> None:
    clues = parse_grid(DIAGONAL_ONLY)

    with_rules = BitmaskSolver().solve(clues, Limits(nodes=300), box_rules(9))
    without = BitmaskSolver().solve(clues, Limits(nodes=300))

    assert with_rules.effort == without.effort


def test_two_equal_digits_on_a_diagonal_have_no_solution() -> None:
    clues = parse_grid(DIAGONAL_ONLY.replace("9", "1"))

    assert count_solutions(clues) == 2
    assert count_solutions(clues, rules=box_rules(9, Kind.DIAGONAL)) == 0


@pytest.mark.parametrize(("total", "n_solutions"), [(8, 1), (9, 0)])
def test_a_board_that_singles_fill_is_a_solution_only_with_the_right_sums(
    total: int, n_solutions: int
) -> None:
    rules = killer_rules([Cage(total, (0, 1))])
    clues = parse_grid(EASY_SOLUTION)
    clues.flat[[0, 1]] = 0

    assert count_solutions(clues, rules=rules) == n_solutions


def test_the_search_stops_where_it_may_not_go_on() -> None:
    rules = box_rules(9, Kind.DIAGONAL)

    result = BitmaskSolver().solve(np.zeros((9, 9), np.uint8), Limits(nodes=3), rules)

    assert result.status is Status.GAVE_UP
    assert result.effort.nodes == 3


def test_clues_of_another_shape_than_the_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="21×21"):
        BitmaskSolver().solve(np.zeros((9, 9), np.uint8), Limits(), samurai_rules())

"""Local searches and the random numbers of their kernels."""

from dataclasses import replace

import numpy as np
import pytest
from command_rig import run_python
from hypothesis import given, settings
from hypothesis import strategies as st
from puzzles import EASY, EASY_SOLUTION, HARD, NO_SOLUTION, pattern

from solver.base import Limits, Solver, Status
from solver.grid import Grid, check_solution, parse_grid
from solver.layout import LAYOUTS, layout_of
from solver.search.filled_boxes import CONFLICTS, Boxes, fill_boxes, rise_of_swap, shuffle, swap
from solver.search.genetic import GeneticSolver, count_conflicts
from solver.search.kernels import HAS_NUMBA, INCREMENT, MASK, MULTIPLIER, start_random
from solver.search.local_search import AnnealingSolver, HillClimbingSolver

SIX = "1.3.5.4.6.2..2...6..64....3.....5..6"

LOCAL = pytest.mark.parametrize(
    "solver", [AnnealingSolver(), HillClimbingSolver(), GeneticSolver(population=100)]
)

RUN = """
from solver.base import Limits
from solver.grid import parse_grid
from solver.search.local_search import AnnealingSolver
from solver.search.genetic import GeneticSolver
from solver.search.local_search import HillClimbingSolver
from solver.search.kernels import HAS_NUMBA
from solver.search.mcts import MctsSolver

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
print(HAS_NUMBA)
for solver, iterations in (
    (AnnealingSolver(seed=3), 6_000),
    (HillClimbingSolver(seed=3), 500),
    (GeneticSolver(seed=3), 30),
    (MctsSolver(seed=3), 20),
):
    result = solver.solve(parse_grid(HARD), Limits(iterations=iterations))
    print(result.status, result.effort.iterations, result.effort.nodes, result.note)
"""
WITHOUT_NUMBA = """
import importlib.util
import sys

find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "numba" else find_spec(name, *rest)
sys.modules["numba"] = None
"""


def missing_digits(grid: Grid) -> int:
    """Count by the book what the kernels count by tables."""
    lines = [*grid, *grid.T]
    return sum(len(line) - len(set(line.tolist())) for line in lines)


def with_holes(grid: Grid, share: float, seed: int = 0) -> Grid:
    holes = np.random.default_rng(seed).random(grid.shape) < share
    return np.where(holes, 0, grid).astype(np.uint8)


def filled(text: str, seed: int = 0) -> Boxes:
    clues = parse_grid(text)
    return fill_boxes(clues, layout_of(clues), start_random(seed))


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=50)
def test_boxes_are_filled_with_their_missing_digits_around_the_clues(seed: int) -> None:
    clues = parse_grid(EASY)

    grid = filled(EASY, seed).to_grid()

    assert (np.sort(grid.ravel()[LAYOUTS[9].boxes], axis=1) == np.arange(1, 10)).all()
    assert (grid[clues > 0] == clues[clues > 0]).all()


@pytest.mark.parametrize("text", [EASY, HARD, SIX])
def test_conflicts_are_the_digits_missing_from_rows_and_columns(text: str) -> None:
    boxes = filled(text)

    assert boxes.conflicts == missing_digits(boxes.to_grid())
    assert count_conflicts(boxes.side, boxes.board, 0) == boxes.conflicts


@given(st.integers(0, 2**32), st.data())
@settings(deadline=None, max_examples=100)
def test_the_rise_of_a_swap_is_what_the_swap_does(seed: int, data: st.DataObject) -> None:
    boxes = filled(HARD, seed)
    one = data.draw(st.integers(0, len(boxes.free) - 1))
    begin, length = int(boxes.start[one]), int(boxes.length[one])
    two = data.draw(st.integers(begin, begin + length - 1).filter(lambda two: two != one))
    cell, other = boxes.free[one], boxes.free[two]
    before = missing_digits(boxes.to_grid())

    rise = rise_of_swap(9, boxes.board, boxes.rows, boxes.columns, cell, other)
    swap(9, boxes.board, boxes.rows, boxes.columns, cell, other)

    assert missing_digits(boxes.to_grid()) == before + rise
    digits = boxes.to_grid().ravel() - 1
    for table, lines in ((boxes.rows, LAYOUTS[9].rows), (boxes.columns, LAYOUTS[9].columns)):
        counts = [np.bincount(digits[line], minlength=9) for line in lines]
        assert np.array_equal(np.array(table).reshape(9, 9), counts)


def test_a_shuffle_keeps_boxes_and_counts_anew() -> None:
    boxes = filled(EASY)
    boards = set()
    for _ in range(20):
        shuffle(boxes)

        grid = boxes.to_grid()
        boards.add(grid.tobytes())
        assert (np.sort(grid.ravel()[LAYOUTS[9].boxes], axis=1) == np.arange(1, 10)).all()
        assert boxes.tally[CONFLICTS] == missing_digits(grid)
    assert len(boards) == 20


@LOCAL
def test_a_full_grid_costs_nothing(solver: Solver) -> None:
    result = solver.solve(parse_grid(EASY_SOLUTION), Limits())

    assert result.status is Status.SOLVED
    assert result.effort.iterations == 0


@LOCAL
def test_a_puzzle_without_solution_is_given_up_with_its_conflicts(solver: Solver) -> None:
    result = solver.solve(parse_grid(NO_SOLUTION), Limits(iterations=2000))

    assert result.status is Status.GAVE_UP
    count, *words = result.note.split()
    assert int(count) >= 1
    assert words[0] in {"conflict", "conflicts"}


@LOCAL
def test_every_seed_solves_an_easy_puzzle_in_a_way_of_its_own(solver: Solver) -> None:
    assert isinstance(solver, AnnealingSolver | HillClimbingSolver | GeneticSolver)

    results = [replace(solver, seed=seed).solve(parse_grid(EASY), Limits()) for seed in range(5)]

    for result in results:
        np.testing.assert_array_equal(result.solution, parse_grid(EASY_SOLUTION))
    assert len({result.effort.iterations for result in results} - {0}) > 1


@LOCAL
def test_the_clock_stops_a_search_between_two_steps(solver: Solver) -> None:
    ticks = iter(range(1000))
    slow = replace(solver, clock=lambda: float(next(ticks)))  # type: ignore[type-var]

    result = slow.solve(parse_grid(NO_SOLUTION), Limits(seconds=3))

    assert result.status is Status.GAVE_UP
    assert next(ticks) < 20


@pytest.mark.parametrize(("side", "holes"), [(4, 0.6), (6, 0.5), (16, 0.3), (25, 0.15)])
@pytest.mark.parametrize("solver", [AnnealingSolver(), HillClimbingSolver()])
def test_grids_of_other_sizes_are_solved(solver: Solver, side: int, holes: float) -> None:
    clues = with_holes(pattern(side), holes)

    result = solver.solve(clues, Limits())

    assert result.status in {Status.SOLVED, Status.AMBIGUOUS}
    for solution in (result.solution, *result.examples):
        assert solution is None or not check_solution(clues, solution)


def test_a_board_with_no_free_cell_that_is_no_solution_is_given_up() -> None:
    # Each box lacks one digit, which fits the box and not its row.
    clues = pattern(4)
    clues[0] = [1, 2, 4, 3]
    clues[0, 0] = clues[3, 3] = clues[0, 3] = clues[3, 0] = 0

    for solver in (AnnealingSolver(), HillClimbingSolver()):
        result = solver.solve(clues, Limits())

        assert result.solution is None
        assert result.effort.iterations == 0


@pytest.mark.parametrize(
    ("text", "status"), [(EASY, Status.SOLVED), (NO_SOLUTION, Status.UNSOLVABLE)]
)
def test_forced_cells_may_leave_annealing_nothing_to_do(text: str, status: Status) -> None:
    result = AnnealingSolver(fills_forced=True).solve(parse_grid(text), Limits())

    assert (result.status, result.effort.iterations) == (status, 0)


def test_sideways_moves_solve_what_going_upwards_only_does_not() -> None:
    limits = Limits(iterations=20_000)

    strict = HillClimbingSolver(max_sideways=0).solve(parse_grid(EASY), limits)
    free = HillClimbingSolver().solve(parse_grid(EASY), limits)

    assert strict.status is Status.GAVE_UP
    assert free.status is Status.SOLVED


def run(code: str) -> list[str]:
    lines: list[str] = run_python("-c", code, check=True).stdout.splitlines()
    return lines


@pytest.mark.skipif(not HAS_NUMBA, reason="numba is not installed")
def test_compiled_kernels_search_exactly_as_plain_ones_do() -> None:
    compiled, *compiled_results = run(RUN)
    plain, *plain_results = run(WITHOUT_NUMBA + RUN)

    assert (compiled, plain) == ("True", "False")
    assert compiled_results == plain_results


def test_random_numbers_are_those_of_drand48() -> None:
    # drand48 starts at seed 0 with 0x330E and gives 0.170828036, 0.749901980, 0.096371656.
    state = 0x330E
    numbers = []
    for _ in range(3):
        state = (state * MULTIPLIER + INCREMENT) & MASK
        numbers.append(round(state / (MASK + 1), 9))

    assert numbers == [0.170828036, 0.74990198, 0.096371656]


def test_seeds_that_lie_close_start_far_apart() -> None:
    states = [start_random(seed) for seed in range(100)]

    assert len(set(states)) == 100
    assert all(0 <= state <= MASK for state in states)
    assert len({state >> 40 for state in states}) > 50

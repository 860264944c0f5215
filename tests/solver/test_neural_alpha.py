import itertools
from dataclasses import replace

import numpy as np
import pytest
from present import present
from puzzles import EASY, HARD, HARD_SOLUTION, NO_SOLUTION

from models.engine import Booleans, Float32, UInt8
from models.grids import mask_probabilities
from solver.base import Limits, Status
from solver.grid import check_solution, parse_grid
from solver.neural.network_solver import (
    AlphaSudokuSolver,
    DeepIterative,
    NetworkPriors,
    NetworkSolver,
)
from solver.search.kernels import fill_forced, int_array


class Knowing:
    """A network that says the digits of one grid, as surely as it is told to."""

    name = "knowing"
    parameters = 0

    def __init__(self, digits: str, confidence: float) -> None:
        right = np.eye(9, dtype=np.float32)[parse_grid(digits).ravel() - 1]
        self.told = right * confidence + (1 - right) * np.float32((1 - confidence) / 8)
        self.n_judged = 0

    def judge(self, grids: UInt8, candidates: Booleans, seed: int = 0) -> Float32:
        self.n_judged += len(grids)
        return mask_probabilities(np.repeat(self.told[None], len(grids), axis=0), candidates)


def spoil(solution: str) -> str:
    """Return the digits, every one replaced by another."""
    return "".join(str(int(digit) % 9 + 1) for digit in solution)


BOTH = pytest.mark.parametrize(
    "solver",
    [
        AlphaSudokuSolver(Knowing(HARD_SOLUTION, 0.5)),
        NetworkSolver(DeepIterative(), Knowing(HARD_SOLUTION, 0.5)),
    ],
    ids=lambda solver: str(solver.name),
)


@BOTH
def test_forced_cells_are_filled_without_asking(solver: AlphaSudokuSolver | NetworkSolver) -> None:
    solved = solver.solve(parse_grid(EASY), Limits())
    refuted = solver.solve(parse_grid(NO_SOLUTION), Limits())

    assert solved.status is Status.SOLVED
    assert refuted.status is Status.UNSOLVABLE
    assert solved.effort.passes == refuted.effort.passes == 0


def test_the_network_sees_settled_cells_as_digits_and_the_candidates_left() -> None:
    asked: list[tuple[UInt8, Booleans]] = []

    def judge(grids: UInt8, candidates: Booleans, seed: int) -> Float32:
        asked.append((grids, candidates))
        told = np.zeros((1, 81, 9), np.float32)
        told[0, 1, 0], told[0, 1, 2], told[0, 2, 8] = 0.3, 0.1, 0.4
        return told

    masks = int_array([0b1000, 0b101, 0b100000000, *[0b111111111] * 78])
    priors = NetworkPriors(judge).priors(masks, [(1, 1), (1, 3), (2, 9)])

    assert priors == pytest.approx([0.375, 0.125, 0.5])
    ((grids, candidates),) = asked
    assert grids[0, :4].tolist() == [4, 0, 9, 0]
    assert np.flatnonzero(candidates[0, 1]).tolist() == [0, 2]
    assert candidates[0, 3].all()


def test_actions_that_the_network_rules_out_are_taken_alike() -> None:
    def judge(grids: UInt8, candidates: Booleans, seed: int) -> Float32:
        return np.zeros((1, 81, 9), np.float32)

    priors = NetworkPriors(judge).priors(int_array([0b11] * 81), [(0, 1), (0, 2)])

    assert priors == [0.5, 0.5]


def test_a_network_that_knows_the_solution_finds_it_in_one_round() -> None:
    network = Knowing(HARD_SOLUTION, confidence=0.9999)

    result = AlphaSudokuSolver(network).solve(parse_grid(HARD), Limits())

    assert result.status is Status.SOLVED
    assert result.effort.iterations == 1
    assert result.effort.passes == network.n_judged > 0


def test_the_search_mends_what_the_network_does_not_know() -> None:
    clues = parse_grid(HARD)
    solver = AlphaSudokuSolver(Knowing(spoil(HARD_SOLUTION), confidence=0.6))
    solver.search = replace(solver.search, max_iterations=3000)

    result = solver.solve(clues, Limits())

    assert result.status is Status.SOLVED
    assert not check_solution(clues, present(result.solution))


def test_a_better_network_needs_fewer_positions() -> None:
    def nodes(confidence: float) -> int:
        solver = AlphaSudokuSolver(Knowing(HARD_SOLUTION, confidence))
        total = 0
        for seed in range(5):
            solver.search = replace(solver.search, seed=seed, max_iterations=3000)
            total += solver.solve(parse_grid(HARD), Limits()).effort.nodes
        return total

    assert nodes(0.9) < nodes(1 / 9)


@pytest.mark.parametrize(
    ("limits", "least", "most"), [(Limits(iterations=2), 2, 2), (Limits(seconds=100), 0, 19)]
)
def test_the_tree_search_keeps_limits_by_its_clock(limits: Limits, least: int, most: int) -> None:
    network = Knowing(spoil(HARD_SOLUTION), confidence=0.99)
    ticks = itertools.count(step=10.0)
    solver = AlphaSudokuSolver(network, clock=ticks.__next__)

    result = solver.solve(parse_grid(HARD), limits)

    assert result.status is Status.GAVE_UP
    assert least <= result.effort.iterations <= most


def test_the_deep_iterative_solver_asks_only_where_nothing_is_forced() -> None:
    network = Knowing(HARD_SOLUTION, confidence=0.9)

    result = NetworkSolver(DeepIterative(), network).solve(parse_grid(HARD), Limits())

    filled = present(fill_forced(parse_grid(HARD)))
    assert result.status is Status.SOLVED
    assert 0 < result.effort.passes < (filled == 0).sum()


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, -0.5, 0.0])
@pytest.mark.parametrize("step", [1, 2], ids=["everywhere", "in places"])
def test_answers_that_are_no_probabilities_count_as_none(number: float, step: int) -> None:
    class Broken(Knowing):
        """Says a number that is no probability in all cells, or in every other."""

        def judge(self, grids: UInt8, candidates: Booleans, seed: int = 0) -> Float32:
            answers = super().judge(grids, candidates, seed)
            answers[:, ::step] = number
            return answers

    network = Broken(HARD_SOLUTION, confidence=0.9)
    solver = AlphaSudokuSolver(network)
    solver.search = replace(solver.search, max_iterations=3000)

    assert solver.solve(parse_grid(HARD), Limits()).status is Status.SOLVED

import subprocess
import sys
from pathlib import Path

import pytest

from solver.compilation import HAS_NUMBA, INCREMENT, MASK, MULTIPLIER, start_random

RUN = """
from solver.base import Limits
from solver.grid import parse_grid
from solver.search.annealing import AnnealingSolver
from solver.search.genetic import GeneticSolver
from solver.search.hill_climbing import HillClimbingSolver
from solver.compilation import HAS_NUMBA
from solver.search.mcts import MctsSolver

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
print(HAS_NUMBA)
for solver, iterations in (
    (AnnealingSolver(seed=3), 30_000),
    (HillClimbingSolver(seed=3), 2_000),
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


def run(code: str, project: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.skipif(not HAS_NUMBA, reason="numba is not installed")
def test_compiled_kernels_search_exactly_as_plain_ones_do(project: Path) -> None:
    compiled, *compiled_results = run(RUN, project)
    plain, *plain_results = run(WITHOUT_NUMBA + RUN, project)

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

"""The hand-weighted network decides whatever it is given, alone and in batches."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_rig import run_python
from puzzles import EASY, HARD, NO_SOLUTION, TWO_SOLUTIONS

from models.constraint import LiteRtSearch, NetworkSearch
from models.engine import EngineError
from models.grids import Digits
from solver.base import Limits, Result, Status
from solver.exact.bitmask import count_solutions, find_solutions
from solver.exact.bulk.bulk_solver import find_faulty
from solver.generation.generate import GenerateOptions, generate_puzzles
from solver.grid import format_grid, parse_grid, read_puzzles
from solver.neural.constraint_solver import ConstraintNetworkSolver, solve_batch

CONFLICT = "55" + "." * 79
BLANK = "." * 81


def read_rows(*texts: str) -> Digits:
    return np.stack([parse_grid(text).ravel() for text in texts])


def solve(text: str, network: Any = None, **limits: Any) -> Result:
    options = {} if network is None else {"network": network}
    return ConstraintNetworkSolver(**options).solve(parse_grid(text), Limits(**limits))


def test_a_batch_tells_one_solution_from_none_and_several() -> None:
    puzzles = read_rows(CONFLICT, EASY, TWO_SOLUTIONS, HARD, NO_SOLUTION, BLANK)

    batch = solve_batch(puzzles)

    assert batch.counts.tolist() == [0, 1, 2, 1, 0, 2]
    has_one, has_two = batch.counts > 0, batch.counts > 1
    first, second = batch.solutions[:, 0], batch.solutions[:, 1]
    assert not find_faulty(puzzles[has_one], first[has_one]).any()
    assert not find_faulty(puzzles[has_two], second[has_two]).any()
    assert (first != second)[has_two].any(axis=1).all()
    assert not first[~has_one].any()
    assert not second[~has_two].any()


def test_a_puzzle_takes_the_same_rounds_alone_and_among_many() -> None:
    puzzles = generate_puzzles(100, GenerateOptions(), seed=2).puzzles.reshape(-1, 81)
    puzzles[::3, 4] = puzzles[::3, 4] % 9 + 1

    batch, alone = solve_batch(puzzles), [solve_batch(puzzle[None]) for puzzle in puzzles]

    for name in ("counts", "solutions", "guesses", "rounds"):
        own = np.concatenate([getattr(one, name) for one in alone])
        np.testing.assert_array_equal(getattr(batch, name), own)


def test_broken_puzzles_have_as_many_solutions_as_the_default_solver_finds() -> None:
    random = np.random.default_rng(6)
    puzzles = generate_puzzles(300, GenerateOptions(), seed=3).puzzles.reshape(-1, 81)
    cells = random.integers(81, size=len(puzzles))
    puzzles[np.arange(len(puzzles)), cells] = random.integers(10, size=len(puzzles))

    counts = solve_batch(puzzles).counts

    assert counts.tolist() == [count_solutions(puzzle.reshape(9, 9)) for puzzle in puzzles]
    assert (np.bincount(counts, minlength=3) > 0).all()


@pytest.mark.slow
def test_every_puzzle_of_the_collections_is_decided(shared_data: Path) -> None:
    for path in sorted((shared_data / "puzzles").glob("*.*")):
        with path.open(encoding="utf-8") as lines:
            grids = [item.grid for item in read_puzzles(lines) if item.grid is not None]
        puzzles = np.stack(grids).reshape(-1, 81)

        batch = solve_batch(puzzles)

        expected = 2 if path.name == "many_solutions.txt" else 1
        assert (batch.counts == expected).all(), path.name
        for solutions in batch.solutions[:, :expected].swapaxes(0, 1):
            assert not find_faulty(puzzles, solutions).any(), path.name


def test_a_batch_of_no_puzzles_has_no_results() -> None:
    assert len(solve_batch(np.zeros((0, 81), np.uint8)).counts) == 0


@pytest.mark.parametrize(
    "puzzles",
    [np.zeros((2, 9, 9), np.uint8), np.zeros((2, 81), np.int64), np.full((2, 81), 10, np.uint8)],
)
def test_what_are_no_puzzles_is_refused(puzzles: Digits) -> None:
    with pytest.raises(ValueError, match=r"\(n, 81\) uint8|digits must be"):
        solve_batch(puzzles)


@pytest.mark.parametrize("iterations", [1, 2, 63, 65])
def test_a_limit_on_iterations_is_kept_to_the_round(iterations: int) -> None:
    result = solve(HARD, iterations=iterations)

    assert result.status is Status.GAVE_UP
    assert result.effort.iterations == iterations
    assert result.effort.passes == (1 if iterations < 65 else 2)


def test_a_puzzle_of_singles_needs_no_guess_and_one_run() -> None:
    effort = solve(EASY).effort

    assert (effort.guesses, effort.passes) == (0, 1)
    assert 0 < effort.iterations < 10


def test_a_network_that_lies_is_not_believed() -> None:
    class Lying:
        def run(self, state: NetworkSearch, rounds: int) -> NetworkSearch:
            right = LiteRtSearch().run(state, rounds)
            right.solutions[:, 0, 0, :2] = right.solutions[:, 0, 0, 1::-1]
            return right

    result = solve(EASY, Lying())

    assert result.status is Status.GAVE_UP
    assert result.solution is None


class Idle:
    """Gives back what it was given, and claims to have run some rounds."""

    def __init__(self, counted: int = 0) -> None:
        self.counted = counted
        self.runs = 0

    def run(self, state: NetworkSearch, rounds: int) -> NetworkSearch:
        self.runs += 1
        tally = state.tally.copy()
        tally[..., 3] += self.counted
        return NetworkSearch(state.levels, state.solutions, tally)


@pytest.mark.parametrize("iterations", [None, 5, 500])
@pytest.mark.parametrize("counted", [0, 1])
def test_a_network_that_stands_still_is_an_error(iterations: int | None, counted: int) -> None:
    with pytest.raises(EngineError, match=r"does not go on.*reinstall sudoku-lens"):
        solve(HARD, Idle(counted), iterations=iterations)


@pytest.mark.parametrize("counted", [0, 2])
def test_a_batch_ends_where_the_network_stands_still(counted: int) -> None:
    with pytest.raises(EngineError, match=r"does not go on.*reinstall sudoku-lens"):
        solve_batch(read_rows(HARD, EASY), Idle(counted))


def test_a_limit_holds_a_network_that_never_comes_to_an_end() -> None:
    class Endless(Idle):
        """Counts its rounds, and does nothing else."""

        def run(self, state: NetworkSearch, rounds: int) -> NetworkSearch:
            self.counted = rounds
            return super().run(state, rounds)

    network = Endless()

    result = solve(HARD, network, iterations=130)

    assert result.status is Status.GAVE_UP
    assert (result.effort.iterations, network.runs) == (130, 3)


class Claiming:
    """Says that it is over at once, with the solutions it is made with."""

    def __init__(self, *solutions: str, counts: float | None = None) -> None:
        self.solutions = read_rows(*solutions) if solutions else np.zeros((0, 81), np.uint8)
        self.counts = len(solutions) if counts is None else counts

    def run(self, state: NetworkSearch, rounds: int) -> NetworkSearch:
        solutions, tally = state.solutions.copy(), state.tally.copy()
        solutions[0, : len(self.solutions), 0] = self.solutions
        tally[0, 0, 0] = -1, self.counts, 0, 1
        return NetworkSearch(state.levels, solutions, tally)


@pytest.mark.parametrize("text", [EASY, HARD, TWO_SOLUTIONS])
@pytest.mark.parametrize("counts", [0, -3])
def test_no_solution_is_not_believed_where_there_is_one(text: str, counts: float) -> None:
    result = solve(text, Claiming(counts=counts))

    assert result.status is Status.GAVE_UP
    assert result.note == "the network found no solution, but there is one"


def test_the_only_solution_is_not_believed_where_there_is_another() -> None:
    first, _ = find_solutions(parse_grid(TWO_SOLUTIONS), 2)

    result = solve(TWO_SOLUTIONS, Claiming(format_grid(first)))

    assert result.status is Status.AMBIGUOUS
    assert result.solution is None


@pytest.mark.parametrize("text", [NO_SOLUTION, CONFLICT])
def test_no_solution_is_proved_where_there_is_none(text: str) -> None:
    result = solve(text, seconds=60)

    assert result.status is Status.UNSOLVABLE
    assert result.note == ""


def test_solving_loads_no_tensorflow() -> None:
    code = (
        "import sys, numpy as np\n"
        "from solver.neural.constraint_solver import solve_batch\n"
        "assert solve_batch(np.zeros((1, 81), np.uint8)).counts[0] == 2\n"
        "print({'tensorflow', 'keras', 'numba'} & set(sys.modules))"
    )

    done = run_python("-c", code, check=True)

    assert done.stdout.strip() == "set()"

import itertools
import os
import subprocess
import sys
from math import isqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from command_rig import run_python
from hypothesis import given, settings
from hypothesis import strategies as st
from puzzles import DEEP, EASY, EASY_SOLUTION, HARD, MINIMAL

from solver.base import Effort, Limits, Result, Status
from solver.exact.bitmask import count_solutions
from solver.exact.bulk import bulk_solver as bulk
from solver.exact.bulk.bulk_solver import Batch, BulkSolver, find_faulty, solve_batch
from solver.generation.generate import GenerateOptions, generate_puzzles
from solver.grid import parse_grid, read_puzzles
from solver.layout import ALL_SIZES
from solver.symmetry import random_transformation

pytest.importorskip("numba", reason="the extra bulk is not installed")

GUESSING_16 = (
    "................CA..G.....B.1.9..FE8..B953A...6.5G..4....98..7.."
    "..9.1.654..3.B.D.....D...E..8.3...5..C.......4..1.B4E.9A..G.625."
    "B...2.5..7.64..3D.2...74...G....A.7.D..39.1.G5..4....G.F......B."
    "2.8C.F.B..D.5......7......61..DG35...7E........B9.46...D.8.C71.."
)
BLANK = "." * 81
PUZZLES = (EASY, HARD, MINIMAL, BLANK, EASY_SOLUTION)

Digits = npt.NDArray[np.uint8]


def as_puzzles(*texts: str) -> Digits:
    return np.array([parse_grid(text).ravel() for text in texts])


def corrupt(puzzle: Digits, random: np.random.Generator) -> Digits:
    """Return the puzzle with a digit changed, removed or added, or put where it was."""
    changed = puzzle.copy()
    changed[random.integers(len(puzzle))] = random.integers(isqrt(len(puzzle)) + 1)
    return changed


def counts_by_default(puzzles: Digits) -> list[int]:
    side = isqrt(puzzles.shape[1])
    return [count_solutions(puzzle.reshape(side, side)) for puzzle in puzzles]


def make_puzzles(side: int, n: int) -> Digits:
    """Return so many puzzles with one solution, some of which are rearrangements of others."""
    clues = {16: 115, 25: 370}.get(side)
    made = generate_puzzles(max(n // 20, 5), GenerateOptions(side=side, clues=clues)).puzzles
    return np.array(
        [
            random_transformation(seed, side).apply(made[seed % len(made)]).ravel()
            for seed in range(n)
        ]
    )


def assert_equal(first: Batch, second: Batch) -> None:
    np.testing.assert_array_equal(first.counts, second.counts)
    np.testing.assert_array_equal(first.solutions, second.solutions)
    np.testing.assert_array_equal(first.guesses, second.guesses)


SEVERAL = as_puzzles(EASY_SOLUTION)[0]
# Three cells of a row in each band, one under the other.
SEVERAL[[3, 4, 5, 30, 31, 32, 57, 58, 59]] = 0


def test_many_puzzles_are_counted_and_solved_at_once() -> None:
    puzzles = as_puzzles(EASY, HARD, MINIMAL, BLANK, "11" + "." * 79)

    batch = solve_batch(puzzles)

    assert batch.counts.tolist() == [1, 1, 1, 2, 0]
    assert batch.guesses[0] == 0 < batch.guesses[1]
    np.testing.assert_array_equal(batch.solutions[0], as_puzzles(EASY_SOLUTION)[0])
    assert find_faulty(puzzles, batch.solutions).tolist() == [False] * 4 + [True]
    assert not batch.solutions[4].any()


@pytest.mark.parametrize("limit", [1, 2, 3, 1000])
def test_counting_stops_at_the_limit_and_is_exact_below(limit: int) -> None:
    batch = solve_batch(np.array([*as_puzzles(BLANK, EASY), SEVERAL]), limit)

    assert batch.counts.tolist() == [limit, 1, count_solutions(SEVERAL.reshape(9, 9), limit)]
    assert solve_batch(np.zeros((2, 16), np.uint8), limit).counts.tolist() == [min(limit, 288)] * 2


@pytest.mark.parametrize(("first", "second"), [(0, 8), (0, 72), (0, 20), (4, 50), (80, 60)])
def test_equal_clues_in_a_unit_have_no_solution(first: int, second: int) -> None:
    puzzle = np.zeros((1, 81), np.uint8)
    puzzle[0, [first, second]] = 7

    shares_unit = (first, second) != (4, 50)

    assert solve_batch(puzzle).counts[0] == (0 if shares_unit else 2)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_counts_of_broken_puzzles_agree_with_the_default_solver(seed: int) -> None:
    random = np.random.default_rng(seed)
    puzzles = np.array(
        [corrupt(puzzle, random) for puzzle in as_puzzles(*PUZZLES) for _ in range(2)]
    )

    batch = solve_batch(puzzles)

    assert batch.counts.tolist() == counts_by_default(puzzles)
    assert find_faulty(puzzles, batch.solutions).tolist() == (batch.counts == 0).tolist()


@pytest.mark.slow
def test_counts_agree_with_the_default_solver_on_real_puzzles(shared_data: Path) -> None:
    random = np.random.default_rng(1)
    for path in sorted((shared_data / "puzzles").glob("*.*")):
        lines = path.read_text(encoding="utf-8").splitlines()
        found = [item.grid.ravel() for item in read_puzzles(lines) if item.grid is not None]
        sample = found[:: max(1, len(found) // 60)]
        puzzles = np.array([*sample, *(corrupt(puzzle, random) for puzzle in sample)])

        batch = solve_batch(puzzles)

        assert len(sample) > 10
        assert batch.counts.tolist() == counts_by_default(puzzles), path.name


@pytest.mark.slow
@pytest.mark.parametrize("side", sorted(ALL_SIZES - {9}))
def test_counts_of_other_sizes_agree_with_the_default_solver(side: int) -> None:
    n = 200 if side < 16 else 32
    random = np.random.default_rng(side)
    right = make_puzzles(side, n)
    changed = np.array([corrupt(puzzle, random) for puzzle in right])
    # Without two of the digits, they can always change places.
    without_two = np.where(right > 2, right, 0)[: n // 4]
    puzzles = np.concatenate([right, changed, without_two])

    batch = solve_batch(puzzles)

    assert batch.counts.tolist() == counts_by_default(puzzles)
    assert (batch.counts[:n] == 1).all()
    assert (batch.counts[n : 2 * n] == 0).sum() > n // 10
    assert (batch.counts[2 * n :] == 2).all()
    assert find_faulty(puzzles, batch.solutions).tolist() == (batch.counts == 0).tolist()
    assert not batch.solutions[batch.counts == 0].any()


@pytest.mark.slow
@pytest.mark.parametrize("side", sorted(ALL_SIZES))
def test_threads_change_nothing(side: int) -> None:
    random = np.random.default_rng(2)
    puzzles = as_puzzles(*PUZZLES) if side == 9 else make_puzzles(side, 10)
    puzzles = np.array([corrupt(puzzle, random) for puzzle in puzzles for _ in range(101)])

    assert_equal(solve_batch(puzzles, threads=1), solve_batch(puzzles, threads=3))


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_puzzles_that_are_begun_together_do_not_mix(limit: int) -> None:
    kinds = np.array([*as_puzzles(*PUZZLES, "11" + "." * 79), SEVERAL])
    alone = [solve_batch(kind[np.newaxis], limit) for kind in kinds]

    for first, second in itertools.product(range(len(kinds)), repeat=2):
        batch = solve_batch(kinds[[first, second, first]], limit)

        for own, kind in enumerate((first, second, first)):
            assert batch.counts[own] == alone[kind].counts[0]
            assert batch.guesses[own] == alone[kind].guesses[0]
            np.testing.assert_array_equal(batch.solutions[own], alone[kind].solutions[0])


@pytest.mark.slow
def test_a_processor_without_wide_vectors_finds_the_same(project: Path, tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    puzzles = np.array([corrupt(puzzle, random) for puzzle in as_puzzles(*PUZZLES * 20)])
    code = (
        "import sys, numpy as np\n"
        "from solver.exact.bulk.bulk_solver import solve_batch\n"
        "batch = solve_batch(np.load(sys.argv[1]))\n"
        "np.savez(sys.argv[2], batch.counts, batch.solutions, batch.guesses)\n"
    )
    np.save(tmp_path / "puzzles.npy", puzzles)

    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "puzzles.npy"), str(tmp_path / "found.npz")],
        cwd=project,
        env={
            **os.environ,
            "NUMBA_CPU_NAME": "generic",
            "NUMBA_CPU_FEATURES": "",
            "NUMBA_CACHE_DIR": str(tmp_path),
        },
        check=True,
    )

    with np.load(tmp_path / "found.npz") as found:
        assert_equal(Batch(*found.values()), solve_batch(puzzles))


def test_puzzles_need_not_lie_in_one_piece_and_none_are_no_work() -> None:
    puzzles = as_puzzles(EASY, HARD, MINIMAL)
    strided = np.asfortranarray(np.repeat(puzzles, 2, axis=0))[::2]

    assert_equal(solve_batch(strided), solve_batch(puzzles))
    none = solve_batch(np.zeros((0, 81), np.uint8), threads=3)
    assert (none.counts.shape, none.solutions.shape) == ((0,), (0, 81))


@pytest.mark.parametrize(
    ("puzzles", "limit", "threads", "message"),
    [
        (np.zeros((2, 9, 9), np.uint8), 2, 1, r"\(n, 81\)"),
        (np.zeros((2, 80), np.uint8), 2, 1, r"\(n, 625\), got \(2, 80\)"),
        (np.full((2, 16), 5, np.uint8), 2, 1, r"0\.\.4, got 5"),
        (np.zeros((2, 81), np.int64), 2, 1, "uint8, got int64"),
        (np.full((2, 81), 10, np.uint8), 2, 1, "got 10"),
        (np.zeros((2, 81), np.uint8), 0, 1, "got 0 and 1"),
        (np.zeros((2, 81), np.uint8), 2, 0, "got 2 and 0"),
    ],
)
def test_what_is_no_batch_is_refused(
    puzzles: Digits, limit: int, threads: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        solve_batch(puzzles, limit, threads)


def test_every_kind_of_fault_is_found() -> None:
    right = as_puzzles(EASY_SOLUTION)[0]
    swapped, blank, large = right.copy(), right.copy(), right.copy()
    swapped[[0, 1]] = swapped[[1, 0]]
    blank[5] = 0
    large[5] = 10
    solutions = np.array([right, swapped, blank, large])

    assert find_faulty(np.zeros_like(solutions), solutions).tolist() == [False, True, True, True]
    other = np.tile(right % 9 + 1, (1, 1))
    assert find_faulty(as_puzzles(EASY), other).tolist() == [True]


def solve(text: str, limits: Limits) -> Result:
    return BulkSolver().solve(parse_grid(text), limits)


@pytest.mark.parametrize("text", [HARD, GUESSING_16])
def test_a_search_may_stop_or_pause_anywhere(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(text, Limits())
    assert whole.status is Status.SOLVED
    assert whole.effort.nodes > 1

    for nodes in range(whole.effort.nodes):
        stopped = solve(text, Limits(nodes=nodes))
        assert stopped.effort == Effort(nodes=nodes, guesses=stopped.effort.guesses)
        assert stopped.status is Status.GAVE_UP
    assert solve(text, Limits(nodes=whole.effort.nodes)).effort == whole.effort

    monkeypatch.setattr(bulk, "_WORK_PER_LOOK", len(text))
    paused = solve(text, Limits())
    assert paused.effort == whole.effort
    np.testing.assert_array_equal(paused.solution, whole.solution)


def test_the_clock_stops_a_long_search() -> None:
    # A second passes between any two looks.
    ticks = itertools.count()
    solver = BulkSolver(clock=lambda: float(next(ticks)))

    result = solver.solve(parse_grid(HARD), Limits(seconds=1))

    assert result.status is Status.GAVE_UP
    assert result.note == "a limit was met"
    assert result.effort.nodes == 0


def test_without_numba_the_text_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import numpy as np\n"
        "from solver.exact.bulk.bulk_solver import solve_batch\n"
        "try:\n"
        "    solve_batch(np.zeros((1, 81), np.uint8))\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )

    done = run_python("-c", code, check=True)

    assert "numba is not installed" in done.stdout
    assert "sudoku-lens[bulk]" in done.stdout


def test_a_puzzle_that_takes_too_many_nodes_is_given_up_and_the_next_one_done() -> None:
    batch = solve_batch(as_puzzles(DEEP, EASY), most_nodes=1_000)

    assert batch.counts.tolist() == [-1, 1]
    assert solve_batch(as_puzzles(DEEP)).counts.tolist() == [0]

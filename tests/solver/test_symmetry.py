import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from puzzles import EASY, HARD, MINIMAL

from solver.base import Limits, Status
from solver.exact.bitmask import BitmaskSolver, find_solutions
from solver.grid import Grid, find_conflicts, parse_grid, read_puzzles
from solver.layout import LAYOUTS
from solver.symmetry import Transformation, fingerprints, random_transformation

seeds = st.integers(0, 2**32 - 1)
sides = st.sampled_from(sorted(LAYOUTS))


def random_grid(seed: int, side: int) -> Grid:
    """Return digits at random places, no puzzle as a rule."""
    random = np.random.default_rng(seed)
    grid = random.integers(1, side + 1, (side, side)).astype(np.uint8)
    return np.where(random.random((side, side)) < random.random(), grid, np.uint8(0))


def fingerprint(grid: Grid) -> int:
    return int(fingerprints(grid.reshape(1, -1))[0])


@settings(deadline=None)
@given(seed=seeds, text=st.sampled_from([EASY, HARD, MINIMAL]))
def test_a_transformed_puzzle_has_the_transformed_solution(seed: int, text: str) -> None:
    puzzle = parse_grid(text)
    change = random_transformation(seed)
    solution = find_solutions(puzzle, 1)[0]

    result = BitmaskSolver().solve(change.apply(puzzle), Limits())

    assert result.status is Status.SOLVED
    np.testing.assert_array_equal(result.solution, change.apply(solution))


def test_boxes_that_are_wider_than_high_are_never_transposed() -> None:
    assert not any(random_transformation(seed, 6).is_transposed for seed in range(50))


def test_a_grid_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="must have 9 rows, got 4"):
        random_transformation(0).apply(np.zeros((4, 4), np.uint8))


def test_random_transformations_repeat_with_their_seed_only() -> None:
    assert random_transformation(1) == random_transformation(1)
    assert len({random_transformation(seed) for seed in range(20)}) == 20


@settings(deadline=None)
@given(seed=seeds, side=sides)
def test_equivalent_grids_have_the_same_conflicts_and_fingerprint(seed: int, side: int) -> None:
    grid = random_grid(seed, side)

    moved = random_transformation(seed, side).apply(grid)

    assert find_conflicts(moved).sum() == find_conflicts(grid).sum()
    assert fingerprint(moved) == fingerprint(grid)


@settings(deadline=None)
@given(seed=seeds, cell=st.integers(0, 80), digit=st.integers(0, 9))
def test_a_changed_digit_changes_the_fingerprint(seed: int, cell: int, digit: int) -> None:
    puzzle = parse_grid(HARD)
    other = puzzle.copy()
    other[divmod(cell, 9)] = digit

    moved = random_transformation(seed).apply(other)

    assert (fingerprint(moved) == fingerprint(puzzle)) == np.array_equal(puzzle, other)


def test_small_grids_are_told_apart_as_trying_everything_does() -> None:
    lines = [p for p in itertools.permutations(range(4)) if p[0] // 2 == p[1] // 2]
    everything = [
        Transformation(rows, columns, (1, 2, 3, 4), transposed)
        for rows, columns, transposed in itertools.product(lines, lines, (False, True))
    ]

    def smallest(grid: Grid) -> bytes:
        found = []
        for change in everything:
            moved = change.apply(grid).ravel().tolist()
            labels = {0: 0}
            found.append(bytes(labels.setdefault(d, len(labels)) for d in moved))
        return min(found)

    random = np.random.default_rng(5)
    grids = np.zeros((200, 16), np.uint8)
    for number, grid in enumerate(grids):
        places = random.choice(16, 1 + number % 5, replace=False)
        grid[places] = random.integers(1, 5, len(places))

    by_trial = [smallest(grid.reshape(4, 4)) for grid in grids]
    by_fingerprint = fingerprints(grids).tolist()

    assert 20 < len(set(by_trial)) < len(grids)
    assert len(set(by_trial)) == len(set(by_fingerprint))
    assert len(set(zip(by_trial, by_fingerprint, strict=True))) == len(set(by_trial))


def test_published_puzzles_are_all_different(shared_data: Path) -> None:
    lines = (shared_data / "puzzles" / "clues17.txt").read_text(encoding="utf-8").splitlines()
    puzzles = [item.grid for item in read_puzzles(lines) if item.grid is not None]

    assert len(set(fingerprints(np.array(puzzles).reshape(-1, 81)).tolist())) == len(puzzles)


def test_no_grids_have_no_fingerprints_and_what_is_no_list_of_grids_is_refused() -> None:
    assert fingerprints(np.zeros((0, 81), np.uint8)).shape == (0,)
    with pytest.raises(ValueError, match=r"\(n, side²\), got \(2, 80\)"):
        fingerprints(np.zeros((2, 80), np.uint8))

"""Hard puzzles bred by exchanging clues: as hard as asked for, proper, minimal, and many."""

import numpy as np
import pytest

from models.grids import Digits
from solver.exact.bulk.bulk_solver import solve_batch
from solver.generation.generate import generate_puzzles
from training.grids.training_puzzles import breed_hard_puzzles, drop_redundant_clues


@pytest.fixture(scope="module")
def parents() -> Digits:
    """Minimal puzzles for which the bulk engine guesses at least twice."""
    made = generate_puzzles(1500, seed=11).puzzles.reshape(-1, 81)
    return made[solve_batch(made).guesses >= 2]


@pytest.fixture(scope="module")
def bred(parents: Digits) -> Digits:
    return breed_hard_puzzles(parents, guesses=5, rounds=8, random=np.random.default_rng(0))


def is_minimal(puzzles: Digits) -> bool:
    cells = np.arange(81)
    without = np.repeat(puzzles[:, None], 81, axis=1)
    without[:, cells, cells] = 0
    counts = solve_batch(without.reshape(-1, 81)).counts.reshape(-1, 81)
    return bool((counts[puzzles > 0] > 1).all())


def test_bred_puzzles_are_hard_and_have_one_solution(parents: Digits, bred: Digits) -> None:
    batch = solve_batch(bred)

    # Eight rounds find more than the parents that are as hard already.
    assert len(bred) > 2 * (solve_batch(parents).guesses >= 5).sum() > 0
    assert (batch.counts == 1).all()
    assert batch.guesses.min() >= 5


def test_bred_puzzles_are_minimal_and_new(parents: Digits, bred: Digits) -> None:
    rows = set(map(bytes, bred))

    assert len(rows) == len(bred)
    assert not rows & set(map(bytes, parents))
    assert is_minimal(bred)


def test_bred_puzzles_keep_their_parents_solutions_few_each(parents: Digits, bred: Digits) -> None:
    solutions, sizes = np.unique(solve_batch(bred).solutions, axis=0, return_counts=True)
    originals = set(map(bytes, solve_batch(parents).solutions))

    assert set(map(bytes, solutions)) <= originals
    assert 1 < sizes.max() <= 10


def test_no_redundant_clue_is_left_and_no_digit_is_new() -> None:
    made = generate_puzzles(20, seed=3).puzzles.reshape(-1, 81)
    random = np.random.default_rng(4)
    is_shown = random.random(made.shape) < 0.3
    with_more = np.where(is_shown, solve_batch(made).solutions, made)

    dropped = drop_redundant_clues(with_more, random)

    assert ((dropped == with_more) | (dropped == 0)).all()
    assert (solve_batch(dropped).counts == 1).all()
    assert is_minimal(dropped)
    assert (dropped != made).any()

"""The looped network: what it must not depend on, in Keras."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.grids import Digits, Float32, cube_state, legal_candidates
from solver.generation.generate import generate_puzzles
from solver.symmetry import random_transformation

FEATURES = 5


@pytest.fixture(scope="module")
def network(keras: Any) -> Any:
    from models.grid_net import GridNetOptions, build_grid_net

    keras.utils.set_random_seed(3)
    return build_grid_net(GridNetOptions(FEATURES, 6, 7, 4, 3), iterations=4)


@pytest.fixture(scope="module")
def puzzles() -> Digits:
    return generate_puzzles(6, seed=5).puzzles.reshape(-1, 81)


def run(network: Any, state: Float32) -> Float32:
    return np.asarray(network(state), np.float32)


@pytest.mark.parametrize("seed", range(6))
def test_a_puzzle_in_disguise_is_judged_alike(network: Any, puzzles: Digits, seed: int) -> None:
    disguise = random_transformation(np.random.default_rng(seed))
    state = cube_state(puzzles, legal_candidates(puzzles), FEATURES, seed=2)

    judged = run(network, state)[:, :, FEATURES].reshape(-1, 81, 9)
    # Each site of the puzzle in disguise holds what its site held before, noise and all.
    numbers = np.arange(1, 730)
    where = np.zeros((9, 9, 9), np.int64)
    for digit in range(9):
        alone = np.full((9, 9), 0)
        for cell in range(81):
            marked = alone.copy()
            marked[cell // 9, cell % 9] = digit + 1
            row, column = np.argwhere(disguise.apply(marked))[0]
            new_digit = disguise.apply(marked)[row, column] - 1
            where[row, column, new_digit] = numbers[cell * 9 + digit] - 1
    moved = run(network, np.ascontiguousarray(state[:, where.ravel()]))
    disguised = moved[:, :, FEATURES].reshape(-1, 81, 9)

    np.testing.assert_allclose(
        disguised.reshape(-1, 729), judged.reshape(-1, 729)[:, where.ravel()], atol=2e-5
    )


def test_a_digit_that_is_no_candidate_has_no_chance(network: Any, puzzles: Digits) -> None:
    candidates = legal_candidates(puzzles)
    state = cube_state(puzzles, candidates, FEATURES, seed=0)

    judged = run(network, state)[:, :, FEATURES].reshape(-1, 81, 9)

    assert judged[~candidates].max() < 1e-6
    np.testing.assert_allclose(judged.sum(axis=-1), 1, atol=1e-5)


def test_a_network_that_is_stored_and_loaded_is_the_same(
    keras: Any, network: Any, puzzles: Digits, tmp_path: Path
) -> None:
    state = cube_state(puzzles, legal_candidates(puzzles), FEATURES, seed=0)

    network.save(tmp_path / "net.keras")
    loaded = keras.saving.load_model(tmp_path / "net.keras")

    np.testing.assert_array_equal(run(loaded, state), run(network, state))

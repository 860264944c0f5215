"""A network made wider: it must go on from what the smaller one knew."""

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from models.grids import cube_state, legal_candidates
from solver.generation.generate import generate_puzzles

pytestmark = pytest.mark.usefixtures("keras")

ITERATIONS = 3


def build(seed: int, **changes: int) -> Any:
    import keras

    from models.grid_net import GridNetOptions, build_grid_net

    keras.utils.set_random_seed(seed)
    options = replace(GridNetOptions(5, 6, 7, 4, 3), **changes)
    return build_grid_net(options, iterations=ITERATIONS)


@pytest.fixture(scope="module")
def small(keras: Any) -> Any:
    return build(1)


@pytest.mark.parametrize(
    "changes",
    [
        {"features": 8},
        {"hidden": 9},
        {"features": 7, "hidden": 8, "segment_hidden": 9, "cell_hidden": 9, "messages": 6},
    ],
)
def test_a_network_that_has_grown_answers_alike(small: Any, changes: dict[str, int]) -> None:
    from training.grids.trainee import grow_block

    large = build(2, **changes)
    puzzles = generate_puzzles(3, seed=5).puzzles.reshape(-1, 81)
    candidates = legal_candidates(puzzles)
    n_features = large.get_layer("block").options.features

    grow_block(small.get_layer("block"), large.get_layer("block"))

    before = np.asarray(small(cube_state(puzzles, candidates, 5, seed=2)))
    after = np.asarray(large(cube_state(puzzles, candidates, n_features, seed=2)))
    np.testing.assert_allclose(after[:, :, n_features], before[:, :, 5], atol=1e-4)


def test_every_new_weight_can_learn(small: Any) -> None:
    """What is new is unheard, yet not cut off: within two steps the loss reaches all of it."""
    import keras
    import tensorflow as tf

    from training.grids.trainee import grow_block

    large = build(2, features=8, hidden=9, segment_hidden=9, cell_hidden=6, messages=5)
    block = large.get_layer("block")
    grow_block(small.get_layer("block"), block)
    first = block.get_weights()
    puzzles = generate_puzzles(3, seed=5)
    clues = puzzles.puzzles.reshape(-1, 81)
    state = cube_state(clues, legal_candidates(clues), 8, seed=2)
    target = tf.one_hot(puzzles.solutions.reshape(-1, 81).astype(int) - 1, 9)
    optimizer = keras.optimizers.SGD(1.0)

    for _ in range(4):
        with tf.GradientTape() as tape:
            judged = tf.reshape(large(state)[:, :, 8], (-1, 81, 9))
            loss = -tf.reduce_mean(tf.math.log(tf.reduce_sum(judged * target, axis=2) + 1e-6))
        gradients = tape.gradient(loss, block.trainable_weights)
        optimizer.apply(gradients, block.trainable_weights)

    for weight, before, after in zip(block.weights, first, block.get_weights(), strict=True):
        assert np.any(after != before, axis=0).all(), weight.name


def test_a_network_does_not_shrink(small: Any) -> None:
    from training.grids.trainee import grow_block

    large = build(2, messages=2)

    with pytest.raises(ValueError, match="choose larger --options"):
        grow_block(small.get_layer("block"), large.get_layer("block"))
    assert asdict(large.get_layer("block").options)["messages"] == 2

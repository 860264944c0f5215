from pathlib import Path
from typing import Any

import numpy as np
import pytest
from puzzles import EASY, HARD

from models.engine import UInt8
from models.grids import GridNetwork, legal_candidates
from models.published.catalogue import PUBLISHED, KerasGridNetwork, build_published, load_published
from solver.grid import PEERS, parse_grid


@pytest.fixture(scope="module")
def grids() -> UInt8:
    return np.stack([parse_grid(text).ravel() for text in (EASY, HARD)])


@pytest.fixture(scope="module", params=PUBLISHED)
def network(request: pytest.FixtureRequest, keras: Any) -> KerasGridNetwork:
    keras.utils.set_random_seed(1)  # untrained weights may be so small that nothing is told apart
    return KerasGridNetwork(request.param, build_published(request.param))


def test_a_network_has_as_many_parameters_as_its_source_names(network: KerasGridNetwork) -> None:
    entry = PUBLISHED[network.name]

    trained = sum(int(np.prod(weight.shape)) for weight in network.model.trainable_weights)

    assert network.parameters == entry.parameters
    assert trained == entry.trained


def test_the_sources_counts_are_met() -> None:
    # The sources with Keras count the moving averages too, that with PyTorch does not.
    assert PUBLISHED["convolution-stack"].parameters == 21_268_489
    assert PUBLISHED["dense-model"].parameters == 20_365_182
    assert PUBLISHED["recurrent-dense"].parameters == 2_120_201
    assert PUBLISHED["resnet11-spd"].trained == 5_347_545


def test_every_network_gives_probabilities_of_candidates(
    network: GridNetwork, grids: UInt8
) -> None:
    candidates = legal_candidates(grids)

    told = network.judge(grids, candidates, seed=3)

    assert told.shape == (2, 81, 9)
    assert told.dtype == np.float32
    assert not told[~candidates].any()
    np.testing.assert_allclose(told.sum(axis=-1), 1, atol=1e-5)


def test_every_network_looks_at_the_digits(network: GridNetwork, grids: UInt8) -> None:
    every = np.ones((2, 81, 9), np.bool_)

    first, second = network.judge(grids, every)

    assert np.abs(first - second).max() > 1e-4


def test_many_grids_are_judged_as_each_alone(keras: Any) -> None:
    network = KerasGridNetwork("recurrent-dense", build_published("recurrent-dense"))
    random = np.random.default_rng(0)
    grids = random.integers(0, 10, (130, 81)).astype(np.uint8)
    every = np.ones((130, 81, 9), np.bool_)

    told = network.judge(grids, every)

    alone = network.judge(grids[129:], every[129:])
    np.testing.assert_allclose(told[129:], alone, atol=1e-5)


def test_the_recurrent_dense_model_judges_a_cell_by_its_peers_alone(
    keras: Any, grids: UInt8
) -> None:
    network = KerasGridNetwork("recurrent-dense", build_published("recurrent-dense"))
    other = grids.copy()
    cell = 40
    elsewhere = np.setdiff1d(np.arange(81), [*PEERS[cell], cell])
    other[:, elsewhere] = np.where(other[:, elsewhere] == 0, 1, 0)
    every = np.ones((2, 81, 9), np.bool_)

    before, after = network.judge(grids, every), network.judge(other, every)

    np.testing.assert_allclose(before[:, cell], after[:, cell], atol=1e-6)
    assert np.abs(before - after).max() > 1e-5


def test_constraints_name_the_digits_of_row_column_and_box(keras: Any, grids: UInt8) -> None:
    from models.published.published_net import see_constraints

    seen = np.asarray(see_constraints(grids.astype(np.int32)))[0, 2]

    row, column, box = (np.flatnonzero(seen[start : start + 9]) + 1 for start in (0, 9, 18))
    assert row.tolist() == [3, 5, 7]
    assert column.tolist() == [8]
    assert box.tolist() == [3, 5, 6, 8, 9]


def test_space_to_depth_turns_each_box_into_channels(keras: Any) -> None:
    from models.published.published_net import move_space_to_depth

    grid = np.arange(81, dtype=np.float32).reshape(1, 9, 9, 1)

    boxes = np.asarray(move_space_to_depth(grid))

    assert boxes.shape == (1, 3, 3, 9)
    assert boxes[0, 1, 2].tolist() == [33, 34, 35, 42, 43, 44, 51, 52, 53]


def test_messages_are_those_of_the_papers_function_of_two_states(keras: Any) -> None:
    from models.published.published_net import MessagePassing

    layer = MessagePassing(features=5, steps=1)
    layer.build((None, 81))
    random = np.random.default_rng(0)
    layer.set_weights([random.normal(size=weight.shape) for weight in layer.get_weights()])
    states = random.normal(size=(81, 5)).astype(np.float32)

    heard = np.asarray(layer._hear(states))

    # One perceptron over both states, for each pair; the last layer's bias counts once a cell.
    sender, (receiver, bias) = layer._sender.get_weights()[0], layer._receiver.get_weights()
    first = np.concatenate([sender, receiver])
    for cell in (0, 44, 80):
        total = np.zeros(5)
        for peer in PEERS[cell]:
            x = np.maximum(np.concatenate([states[peer], states[cell]]) @ first + bias, 0)
            for hidden in layer._message:
                kernel, offset = hidden.get_weights()
                x = np.maximum(x @ kernel + offset, 0)
            total += x
        kernel, offset = layer._message_out.get_weights()
        np.testing.assert_allclose(heard[cell], total @ kernel + offset, rtol=1e-4, atol=1e-4)


def test_weights_that_were_saved_are_loaded(keras: Any, tmp_path: Path) -> None:
    model = build_published("recurrent-relational")
    model.save_weights(tmp_path / "recurrent-relational.weights.h5")

    loaded = load_published("recurrent-relational", tmp_path)

    for mine, theirs in zip(model.get_weights(), loaded.model.get_weights(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_missing_weights_and_unknown_names_say_what_to_do(keras: Any, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"training\.grids\.train_published resnet11-spd"):
        load_published("resnet11-spd", tmp_path)
    with pytest.raises(ValueError, match="'magic'; choose one of convolution-stack"):
        build_published("magic")

"""Judging grids: candidates, full grids, the looped network as it ships, and in Keras."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.engine import WEIGHTS_DIR, EngineError, Float32
from models.grids import (
    CubeNetwork,
    Digits,
    are_filled,
    cube_state,
    find_geometry,
    legal_candidates,
    load_grid_network,
    mask_probabilities,
)
from solver.exact.bulk.bulk_solver import solve_batch
from solver.generation.generate import GenerateOptions, generate_puzzles
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import PEERS
from solver.rules import Kind
from solver.symmetry import random_transformation

CARD = {"name": "fake", "parameters": 1, "features": 2, "iterations": 64, "iterations_a_run": 8}


@pytest.fixture(scope="module")
def puzzles() -> Digits:
    return generate_puzzles(64, seed=11).puzzles.reshape(-1, 81)


class FakeEngine:
    """Answers with the right grid for the first puzzles only after so many runs."""

    def __init__(self, solutions: Digits, patience: int) -> None:
        self.solutions, self.patience = solutions, patience
        self.batches: list[int] = []

    def run(self, inputs: Float32) -> Float32:
        self.batches.append(len(inputs))
        probabilities = inputs[:, :, -1] / 9
        for i, state in enumerate(inputs):
            match = [s for s in self.solutions if state[np.arange(81) * 9 + s - 1, -1].all()]
            if match and len(self.batches) >= self.patience:
                probabilities[i] = (match[0][:, None] == np.arange(1, 10)).ravel()
        return np.concatenate([inputs[:, :, :2], probabilities[:, :, None]], axis=2)


def test_candidates_are_what_the_peers_leave(puzzles: Digits) -> None:
    candidates = legal_candidates(puzzles)

    for grid, of_grid in zip(puzzles, candidates, strict=True):
        for cell in range(81):
            left = set(range(1, 10)) - set(grid[PEERS[cell]].tolist())
            expected = {int(grid[cell])} if grid[cell] else left
            assert set((np.flatnonzero(of_grid[cell]) + 1).tolist()) == expected


def test_candidates_of_a_jigsaw_are_what_its_regions_leave() -> None:
    for puzzle in generate_kind(2, KindOptions(Kind.JIGSAW, side=6), seed=4):
        regions = [0] * 36
        for number, cells in enumerate(puzzle.rules.regions):
            for cell in cells:
                regions[cell] = number
        clues = puzzle.clues.ravel()

        (candidates,) = legal_candidates(clues[None], find_geometry(regions))

        for cell in np.flatnonzero(clues == 0).tolist():
            left = set(range(1, 7)) - {int(clues[peer]) for peer in puzzle.rules.peers[cell]}
            assert set((np.flatnonzero(candidates[cell]) + 1).tolist()) == left


def test_a_full_grid_is_told_from_one_with_two_cells_exchanged(puzzles: Digits) -> None:
    solutions = solve_batch(puzzles).solutions
    probabilities = (solutions[:, :, None] == np.arange(1, 10)).astype(np.float32)
    broken = probabilities.copy()
    broken[:, [0, 1]] = broken[:, [1, 0]]

    assert are_filled(probabilities).all()
    assert not are_filled(broken).any()


@given(st.integers(0, 2**32 - 1))
def test_masked_probabilities_sum_to_one_over_the_candidates(seed: int) -> None:
    random = np.random.default_rng(seed)
    candidates = random.random((2, 81, 9)) < 0.3
    probabilities = random.random((2, 81, 9), np.float32) * (random.random((2, 81, 9)) < 0.5)

    masked = mask_probabilities(probabilities.astype(np.float32), candidates)

    assert (masked[~candidates] == 0).all()
    np.testing.assert_allclose(masked.sum(axis=-1), candidates.any(axis=-1), atol=1e-5)


def test_a_grid_leaves_the_pass_once_it_is_filled(puzzles: Digits) -> None:
    solutions = solve_batch(puzzles[:3]).solutions
    engine = FakeEngine(solutions[:2], patience=3)

    judged = CubeNetwork(engine, CARD).judge(puzzles[:3], legal_candidates(puzzles[:3]))

    assert engine.batches == [2, 3, 3, 1, 1, 1, 1, 1, 1]  # the first is a trial
    assert (judged[:2].argmax(axis=-1) + 1 == solutions[:2]).all()
    assert not are_filled(judged)[2]


def test_a_missing_card_is_named(tmp_path: Path) -> None:
    for ending in ("tflite", "keras"):
        source = WEIGHTS_DIR / f"grid.{ending}"
        (tmp_path / source.name).write_bytes(source.read_bytes())

    with pytest.raises(EngineError, match=r"grid\.json.*export it again"):
        load_grid_network(folder=tmp_path)


@pytest.mark.parametrize(
    "change", [{"features": 23}, {"iterations_a_run": 0}, {"iterations": "many"}, {"name": None}]
)
def test_a_card_of_another_network_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    (tmp_path / "grid.tflite").write_bytes((WEIGHTS_DIR / "grid.tflite").read_bytes())
    card = json.loads((WEIGHTS_DIR / "grid.json").read_text(encoding="utf-8")) | change
    if change == {"name": None}:
        del card["parameters"]
    (tmp_path / "grid.json").write_text(json.dumps(card), encoding="utf-8")

    with pytest.raises(EngineError, match="does not fit the network's weights"):
        load_grid_network(folder=tmp_path)


def test_an_answer_that_is_no_probability_is_refused(puzzles: Digits) -> None:
    class Damaged:
        def run(self, inputs: Float32) -> Float32:
            return np.full((len(inputs), 729, 3), np.nan, np.float32)

    with pytest.raises(EngineError, match="weights are damaged"):
        CubeNetwork(Damaged(), CARD).judge(puzzles[:1], legal_candidates(puzzles[:1]))


def test_a_network_for_cells_judges_no_grids(tmp_path: Path) -> None:
    (tmp_path / "grid.tflite").write_bytes((WEIGHTS_DIR / "digits.tflite").read_bytes())

    with pytest.raises(EngineError, match="no network that judges grids"):
        load_grid_network(folder=tmp_path)


def test_the_card_says_what_ships() -> None:
    card = json.loads((WEIGHTS_DIR / "grid.json").read_text(encoding="utf-8"))

    assert card["parameters"] == load_grid_network().parameters <= 100_000
    assert (WEIGHTS_DIR / "grid.tflite").stat().st_size < 1e6


def test_a_grid_is_judged_alike_whichever_others_come_along(puzzles: Digits) -> None:
    network = load_grid_network()
    candidates = legal_candidates(puzzles)

    together = network.judge(puzzles[:8], candidates[:8], seed=4)
    alone = network.judge(puzzles[5:6], candidates[5:6], seed=4)

    np.testing.assert_allclose(together[5], alone[0], atol=1e-3)
    assert (together[5].argmax(axis=-1) == alone[0].argmax(axis=-1)).all()


def test_another_seed_is_another_opinion(puzzles: Digits) -> None:
    network = load_grid_network()
    candidates = legal_candidates(puzzles)

    first, second = (network.judge(puzzles[:4], candidates[:4], seed=seed) for seed in (0, 1))

    assert np.abs(first - second).max() > 1e-4


def test_easy_puzzles_are_solved_in_one_pass() -> None:
    made = generate_puzzles(64, GenerateOptions(clues=36), seed=8)
    grids = made.puzzles.reshape(-1, 81)

    judged = load_grid_network().judge(grids, legal_candidates(grids))

    assert (judged.argmax(axis=-1) + 1 == made.solutions.reshape(-1, 81)).all()


@pytest.mark.slow
def test_litert_and_keras_judge_alike() -> None:
    pytest.importorskip("keras")
    grids = generate_puzzles(24, seed=21).puzzles.reshape(-1, 81)
    candidates = legal_candidates(grids)
    networks = [load_grid_network(engine="litert"), load_grid_network(engine="keras")]
    state = cube_state(grids, candidates, networks[0].card["features"], seed=0)

    runs = [network.run(state) for network in networks]
    solved = [are_filled(network.judge(grids, candidates)) for network in networks]

    assert np.abs(runs[0] - runs[1]).max() < 1e-4
    assert solved[0].sum() == solved[1].sum() > 0.8 * len(grids)


_FEATURES = 5


@pytest.fixture(scope="module")
def network(keras: Any) -> Any:
    from models.grid_net import GridNetOptions, build_grid_net

    keras.utils.set_random_seed(3)
    return build_grid_net(GridNetOptions(_FEATURES, 6, 7, 4, 3), iterations=4)


def _run(network: Any, state: Float32) -> Float32:
    return np.asarray(network(state), np.float32)


@pytest.mark.parametrize("seed", range(6))
def test_a_puzzle_in_disguise_is_judged_alike(network: Any, puzzles: Digits, seed: int) -> None:
    disguise = random_transformation(np.random.default_rng(seed))
    state = cube_state(puzzles, legal_candidates(puzzles), _FEATURES, seed=2)

    judged = _run(network, state)[:, :, _FEATURES].reshape(-1, 81, 9)
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
    moved = _run(network, np.ascontiguousarray(state[:, where.ravel()]))
    disguised = moved[:, :, _FEATURES].reshape(-1, 81, 9)

    np.testing.assert_allclose(
        disguised.reshape(-1, 729), judged.reshape(-1, 729)[:, where.ravel()], atol=2e-5
    )


def test_a_digit_that_is_no_candidate_has_no_chance(network: Any, puzzles: Digits) -> None:
    candidates = legal_candidates(puzzles)
    state = cube_state(puzzles, candidates, _FEATURES, seed=0)

    judged = _run(network, state)[:, :, _FEATURES].reshape(-1, 81, 9)

    assert judged[~candidates].max() < 1e-6
    np.testing.assert_allclose(judged.sum(axis=-1), 1, atol=1e-5)


def test_a_network_that_is_stored_and_loaded_is_the_same(
    keras: Any, network: Any, puzzles: Digits, tmp_path: Path
) -> None:
    state = cube_state(puzzles, legal_candidates(puzzles), _FEATURES, seed=0)

    network.save(tmp_path / "net.keras")
    loaded = keras.saving.load_model(tmp_path / "net.keras")

    np.testing.assert_array_equal(_run(loaded, state), _run(network, state))

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from eager_training import training_eagerly
from puzzles import EASY

from models.published.catalogue import load_published
from solver.exact.bulk.bulk_solver import solve_batch
from solver.generation.generate import GenerateOptions, generate_puzzles
from solver.grid import format_grid, parse_grid
from training.grids.published_puzzles import (
    AS_THEY_ARE,
    MIX,
    EqualMix,
    PuzzleFileError,
    draw_batches,
    load_file_pools,
)
from training.grids.train_published import Budget, fill_cell_by_cell, train_network
from training.grids.training_puzzles import KINDS, PuzzlePools, Puzzles

pytestmark = pytest.mark.slow


class Ticks:
    """A clock that says a second more whenever it is asked."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


class CellsBySum:
    """Judges a cell by fixed random weights of what it sees; stands for the trained layers."""

    def __init__(self) -> None:
        # Whole numbers, so that equal sums are equal in whatever order they are made.
        self.weights = np.random.default_rng(0).integers(-3, 4, (27, 9)).astype(np.float32)

    def __call__(self, seen: npt.NDArray[np.float32], training: bool) -> npt.NDArray[np.float32]:
        assert not training
        return seen @ self.weights


class Answering:
    """Says the digits of a grid, whatever it is shown."""

    name = "answering"
    parameters = 0

    def __init__(self, digits: npt.NDArray[np.uint8]) -> None:
        self.digits = digits

    def judge(
        self, grids: npt.NDArray[np.uint8], candidates: npt.NDArray[np.bool_], seed: int = 0
    ) -> npt.NDArray[np.float32]:
        return np.repeat(np.eye(9, dtype=np.float32)[self.digits - 1][None], len(grids), axis=0)


@pytest.fixture(scope="module")
def pools() -> PuzzlePools:
    made = generate_puzzles(40, seed=5)
    puzzles = Puzzles(made.puzzles.reshape(-1, 81), made.solutions.reshape(-1, 81))
    return PuzzlePools(dict.fromkeys(KINDS, puzzles), dict.fromkeys(KINDS, puzzles))


def test_the_surest_cell_is_filled_with_its_likeliest_digit_until_none_is_left(keras: Any) -> None:
    from models.published.published_net import see_constraints
    from training.grids.train_published import fill_step_by_step

    clues = np.stack([parse_grid(EASY).ravel(), np.zeros(81, np.uint8)])
    network = CellsBySum()

    filled, seen_last = fill_step_by_step(network, clues)

    expected, expected_seen = clues.copy(), np.zeros_like(seen_last)
    for grid, seen_of in zip(expected, expected_seen, strict=True):
        while not grid.all():
            seen = np.asarray(see_constraints(grid[None].astype(np.int32)))[0]
            logits = network(seen, training=False)
            powers = np.exp(logits - logits.max(axis=1, keepdims=True))
            surest = np.where(grid == 0, 1 / powers.sum(axis=1), -1)
            cell = int(surest.argmax())
            seen_of[cell] = seen[cell]
            grid[cell] = logits[cell].argmax() + 1
    np.testing.assert_array_equal(filled, expected)
    np.testing.assert_array_equal(seen_last, expected_seen)


def test_grids_are_filled_cell_by_cell_and_clues_stay() -> None:
    solution = solve_batch(parse_grid(EASY).reshape(1, 81)).solutions[0]
    clues = np.stack([parse_grid(EASY).ravel(), np.zeros(81, np.uint8), solution])

    filled = fill_cell_by_cell(Answering(solution), clues)

    np.testing.assert_array_equal(filled, [solution] * 3)
    assert (clues[1] == 0).all()


def test_only_empty_cells_count_in_the_loss_and_all_answers_alike(keras: Any) -> None:
    from training.grids.train_published import blank_cross_entropy

    wanted = np.zeros((1, 81), np.int32)
    wanted[0, :2] = (3, 7)
    logits = np.zeros((1, 2, 81, 9), np.float32)
    logits[0, :, 2:] = 50  # cells that are given
    logits[0, 1, 0, 2] = 1e3  # the second answer is sure of the first cell

    loss = np.asarray(blank_cross_entropy(wanted, logits))

    np.testing.assert_allclose(loss, [np.log(9) * 3 / 4], rtol=1e-5)


def test_all_networks_see_the_same_puzzles_whatever_their_batch(pools: PuzzlePools) -> None:
    def draw(batch: int, count: int, skip: int = 0) -> npt.NDArray[np.uint8]:
        batches = draw_batches(pools, MIX, 0, batch, skip)
        return np.concatenate([next(batches).clues for _ in range(count)])

    small = draw(8, 160)

    np.testing.assert_array_equal(small, draw(64, 20))
    np.testing.assert_array_equal(small[1024:], draw(128, 2, skip=8))


@pytest.mark.parametrize("batch", [-8, 0, 3, 100, 2048])
def test_a_batch_that_does_not_divide_a_sequence_is_refused(pools: PuzzlePools, batch: int) -> None:
    with pytest.raises(ValueError, match=rf"batch must divide 1024, got {batch}"):
        next(draw_batches(pools, MIX, 0, batch))


def test_puzzles_of_a_file_are_learnt_but_those_that_are_watched_or_tested(tmp_path: Path) -> None:
    made = generate_puzzles(520, GenerateOptions(clues=40), seed=2)
    lines = [
        f"{format_grid(puzzle)},{format_grid(solution)}"
        for puzzle, solution in zip(made.puzzles, made.solutions, strict=True)
    ]
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "easy.csv").write_text("\n".join(lines[:5]), encoding="utf-8")
    path = tmp_path / "public.csv"
    path.write_text("\n".join(["puzzle,solution", *lines]), encoding="utf-8")

    pools = load_file_pools(path, tmp_path / "tests")

    assert pools.watch["minimal"].clues.shape == (500, 81)
    np.testing.assert_array_equal(pools.train["hardest"].clues, made.puzzles.reshape(-1, 81)[505:])
    path.write_text("\n".join(["puzzle,solution", *lines[:9]]), encoding="utf-8")
    with pytest.raises(PuzzleFileError, match="must hold more puzzles"):
        load_file_pools(path, tmp_path / "tests")


def test_a_training_that_was_stopped_goes_on_as_if_it_had_not_been(
    keras: Any, pools: PuzzlePools, tmp_path: Path
) -> None:
    name = "alpha-policy"

    def run(folder: str, *steps: int) -> tuple[dict[str, Any], list[npt.NDArray[np.float32]]]:
        out = tmp_path / folder
        out.mkdir()
        log: dict[str, Any] = {}
        for count in steps:
            budget = Budget(count / 60, watched=4, batch=8, clock=Ticks())
            log = train_network(name, pools, budget, out)
        return log, load_published(name, out).model.get_weights()

    whole, whole_weights = run("whole", 2)
    parts, parts_weights = run("parts", 1, 2)

    assert whole["steps"] == parts["steps"] == 2
    assert whole["curve"][-1]["grids"] == parts["curve"][-1]["grids"]
    for mine, theirs in zip(whole_weights, parts_weights, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-6)


@pytest.fixture(scope="module")
def begun(keras: Any, pools: PuzzlePools, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a training that may go on; what is refused leaves it as it is."""
    folder = tmp_path_factory.mktemp("begun")
    with training_eagerly():
        budget = Budget(1 / 60, watched=1, clock=Ticks())
        train_network("recurrent-dense", pools, budget, folder)
    return folder


def test_other_puzzles_do_not_go_on_with_what_is_there(begun: Path, pools: PuzzlePools) -> None:
    """Neither those of another file, nor more, nor the same drawn in another way."""

    def train(pools: PuzzlePools, mix: EqualMix) -> None:
        budget = Budget(1 / 60, watched=1, mix=mix, clock=Ticks())
        train_network("recurrent-dense", pools, budget, begun)

    learnt = pools.train["minimal"]
    fewer = dict.fromkeys(KINDS, Puzzles(learnt.clues[1:], learnt.solutions[1:]))
    turned = dict.fromkeys(KINDS, Puzzles(learnt.clues[::-1], learnt.solutions[::-1]))

    train(pools, MIX)
    with pytest.raises(ValueError, match=r"other puzzles: revealed 0\.85, not 0\.5; say --out"):
        train(pools, replace(MIX, revealed=0.5))
    with pytest.raises(ValueError, match=r"other puzzles: shares .* not "):
        train(pools, AS_THEY_ARE)
    with pytest.raises(ValueError, match=r"other puzzles: count 40, not 39, digest \w+, not \w+;"):
        train(PuzzlePools(fewer, pools.watch), MIX)
    with pytest.raises(ValueError, match=r"other puzzles: digest \w+, not \w+;"):
        train(PuzzlePools(turned, pools.watch), MIX)

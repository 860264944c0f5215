"""Samples of cells of killers, and a training that goes on where it stopped."""

import argparse
from pathlib import Path

import numpy as np
import pytest
from eager_training import training_eagerly

from training.boards.train_cages import (
    CAGES,
    CageRecipe,
    CageSamples,
    describe_cells,
    draw_batch,
    draw_samples,
)
from training.pages.shape import draw_shape
from training.shard_runs import Drawing, load_shards, run_command


@pytest.fixture(scope="module")
def drawn() -> CageSamples:
    return draw_samples(0)


def test_cells_are_described_by_their_cages() -> None:
    shape = draw_shape("killer", 9, np.random.default_rng(0))
    totals = [number % 45 + 1 for number in range(len(shape.cages))]

    sums, walls = describe_cells(shape, totals)

    assert np.count_nonzero(sums) == len(shape.cages)
    for cage, total in zip(shape.cages, totals, strict=True):
        row, column = cage[0]
        assert sums[9 * row + column] == total
    walls = walls.reshape(9, 9, 4)
    edges = walls[:, 0, 0], walls[0, :, 1], walls[:, -1, 2], walls[-1, :, 3]
    assert np.all(edges)
    assert np.array_equal(walls[:, 1:, 0], walls[:, :-1, 2])


def test_boards_of_other_kinds_have_no_cages() -> None:
    shape = draw_shape("classic", 9, np.random.default_rng(0))

    sums, walls = describe_cells(shape, ())

    assert not sums.any()
    assert not walls.any()


@pytest.mark.slow  # a photo is drawn
def test_a_turned_crop_shows_no_sum_and_its_walls_turn_too(drawn: CageSamples) -> None:
    batch, targets = draw_batch(drawn, 200, np.random.default_rng(0))

    assert batch.shape == (200, 72, 72, 1)
    assert targets.shape == (200, 5)
    has_sum = targets[:, 0] > 0
    assert 0.4 < has_sum.mean() < 0.75


@pytest.mark.slow  # Keras trains
def test_a_training_goes_on_where_it_stopped(tmp_path: Path, drawn: CageSamples) -> None:
    for number in range(2):
        np.savez(tmp_path / f"cages-{number:03}.npz", **drawn._asdict())
    recipe = CageRecipe(tmp_path / "net", tmp_path, steps=2, batch=8, save_every=1)
    with training_eagerly():
        CAGES.train(recipe)

    written = CAGES.train(CageRecipe(tmp_path / "net", tmp_path, 3, 8, save_every=1))

    assert written.is_file()
    with np.load(tmp_path / "net.npz") as stored:
        assert int(stored["step"]) == 3


@pytest.mark.slow  # photos are drawn in another process
def test_a_shard_that_is_there_is_not_drawn_again(tmp_path: Path) -> None:
    command = ["--out", str(tmp_path / "net"), "--samples", str(tmp_path), "--draw", "1"]
    drawing = Drawing("cages", draw_samples, 2)

    def draw() -> int:
        parser = argparse.ArgumentParser()
        return run_command(parser, CageRecipe, CAGES.train, CAGES.export, command, drawing)

    assert draw() == 0
    file = tmp_path / "cages-000.npz"
    first = file.stat().st_mtime_ns

    assert draw() == 0

    assert file.stat().st_mtime_ns == first
    assert len(load_shards([file])["crops"]) == 2 * 81

"""The cage network's input and output."""

import numpy as np
import pytest

from models.cage_reader import (
    CAGE_CROP_PX,
    MOST_SUM,
    OUTPUTS,
    CageReader,
    normalise_crops,
    split_outputs,
)
from training.boards.train_cages import draw_samples


def test_light_and_polarity_change_nothing_that_the_network_is_given() -> None:
    rng = np.random.default_rng(0)
    crop = np.full((1, CAGE_CROP_PX, CAGE_CROP_PX), 200, np.float32)
    crop[:, 10:20, 10:60] = 40
    crop += rng.normal(0, 1, crop.shape)

    bright, dim, light = (
        normalise_crops(np.asarray(one, np.uint8)) for one in (crop, crop * 0.5, 250 - crop)
    )

    assert bright.shape == (1, CAGE_CROP_PX, CAGE_CROP_PX, 1)
    assert np.abs(bright - dim).mean() < 0.03
    assert np.abs(bright - light).mean() < 0.03
    assert bright[0, 15, 30, 0] == pytest.approx(1, abs=0.1)


def test_outputs_are_probabilities() -> None:
    logits = np.zeros((2, OUTPUTS), np.float32)
    logits[0, 17], logits[1, MOST_SUM + 1] = 20, 20

    seen = split_outputs(logits)

    assert seen.sums[0].argmax() == 17
    assert seen.sums.sum(axis=1) == pytest.approx([1, 1])
    assert seen.walls[1] == pytest.approx([1, 0.5, 0.5, 0.5], abs=1e-3)


@pytest.mark.slow  # a photo is drawn
def test_a_clear_killer_is_read() -> None:
    samples = next(one for one in map(draw_samples, range(100)) if one.sums.any())

    seen = CageReader.load().read(samples.crops)

    right = (seen.sums.argmax(axis=1) == samples.sums).mean()
    assert right > 0.9

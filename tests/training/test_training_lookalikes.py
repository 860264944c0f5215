"""Samples of puzzles that are no Sudokus."""

import numpy as np
import pytest

from models.lookalike_reader import FRAME_PX, OUTPUTS
from training.boards.train_lookalikes import LookalikeSamples, draw_batch, draw_samples


def _samples() -> LookalikeSamples:
    frames = np.full((2, FRAME_PX, FRAME_PX), 200, np.uint8)
    frames[1, 40:80] = 30
    return LookalikeSamples(frames, np.array([0, 5], np.uint8))


def test_a_batch_keeps_what_is_dark_with_its_label() -> None:
    frames, labels = draw_batch(_samples(), 40, np.random.default_rng(0))

    assert frames.shape == (40, FRAME_PX, FRAME_PX, 1)
    smooth = frames.reshape(40, 24, 8, 24, 8).mean(axis=(2, 4))
    steps = [np.abs(np.diff(smooth, axis=axis)).max(axis=(1, 2)) for axis in (1, 2)]
    assert np.array_equal(labels == 5, np.maximum(*steps) > 0.4)
    assert 0 < (labels == 5).sum() < 40


@pytest.mark.slow  # photos are drawn
def test_photos_show_puzzles_of_many_kinds() -> None:
    drawn = [draw_samples(seed) for seed in range(10)]

    labels = np.concatenate([one.labels for one in drawn])
    assert len(set(labels.tolist())) > OUTPUTS / 2
    assert all(len(one.frames) == len(one.labels) for one in drawn)

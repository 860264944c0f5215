"""The network of lookalikes: its input and output, its size, and that both engines agree on it."""

import numpy as np
import pytest

from models.engine import WEIGHTS_DIR
from models.export import PARITY, measure_parity
from models.lookalike_reader import (
    FIRST,
    FRAME_PX,
    OUTPUTS,
    Lookalike,
    LookalikeReader,
    normalise_frames,
)
from training.boards.train_lookalikes import draw_samples

MOST_BYTES = 100_000


def test_light_changes_nothing_that_the_network_is_given() -> None:
    frame = np.full((1, FRAME_PX, FRAME_PX), 200, np.uint8)
    frame[:, 20:60] = 40

    bright, dim = (normalise_frames(one) for one in (frame, frame // 2))

    assert bright.shape == (1, FRAME_PX, FRAME_PX, 1)
    assert np.abs(bright - dim).max() < 0.02
    assert bright[0, 30, 30, 0] == pytest.approx(1)
    assert bright[0, 100, 30, 0] == pytest.approx(0)


def test_frames_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="192"):
        normalise_frames(np.zeros((2, 32, 32), np.uint8))


def test_no_frames_are_nothing() -> None:
    reader = LookalikeReader.load()

    assert reader.read(np.zeros((0, FRAME_PX, FRAME_PX), np.uint8)).shape == (0, OUTPUTS)


def test_the_network_is_small() -> None:
    assert (WEIGHTS_DIR / "lookalikes.tflite").stat().st_size <= MOST_BYTES


def test_empty_paper_is_no_puzzle() -> None:
    paper = np.full((1, FRAME_PX, FRAME_PX), 220, np.uint8)

    (likely,) = LookalikeReader.load().read(paper)

    assert likely.sum() == pytest.approx(1, abs=1e-5)
    assert likely[FIRST:].max() < 0.5


def test_names_stay() -> None:
    assert [one.value for one in Lookalike] == [
        "kenken", "nonogram", "kakuro", "suguru", "crossword"
    ]  # fmt: skip


@pytest.mark.slow  # TensorFlow is loaded
def test_both_engines_say_the_same() -> None:
    frames = np.concatenate([draw_samples(seed).frames for seed in range(4)])
    trained, shipped = WEIGHTS_DIR / "lookalikes.keras", WEIGHTS_DIR / "lookalikes.tflite"

    assert measure_parity(trained, shipped, normalise_frames(frames)) <= PARITY

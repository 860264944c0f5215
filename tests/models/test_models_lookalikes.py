"""The network of lookalikes: its input and output."""

import numpy as np
import pytest

from models.lookalike_reader import FIRST, FRAME_PX, Lookalike, LookalikeReader, normalise_frames


def test_light_changes_nothing_that_the_network_is_given() -> None:
    frame = np.full((1, FRAME_PX, FRAME_PX), 200, np.uint8)
    frame[:, 20:60] = 40

    bright, dim = (normalise_frames(one) for one in (frame, frame // 2))

    assert bright.shape == (1, FRAME_PX, FRAME_PX, 1)
    assert np.abs(bright - dim).max() < 0.02
    assert bright[0, 30, 30, 0] == pytest.approx(1)
    assert bright[0, 100, 30, 0] == pytest.approx(0)


def test_empty_paper_is_no_puzzle() -> None:
    paper = np.full((1, FRAME_PX, FRAME_PX), 220, np.uint8)

    (likely,) = LookalikeReader.load().read(paper)

    assert likely.sum() == pytest.approx(1, abs=1e-5)
    assert likely[FIRST:].max() < 0.5


def test_names_stay() -> None:
    assert [one.value for one in Lookalike] == [
        "kenken", "nonogram", "kakuro", "suguru", "crossword"
    ]  # fmt: skip

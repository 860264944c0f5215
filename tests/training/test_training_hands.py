"""Samples of the network of hands."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from training.digits import train_hands
from training.digits.train_hands import HAND_CHANCES, draw_shapes, vary_hands
from training.rendered.large_digits import NO_DATA


@pytest.mark.parametrize("seed", [3, 4])  # photographed, and not
def test_a_board_full_of_digits_becomes_shapes(seed: int) -> None:
    shapes, digits = draw_shapes(NO_DATA, seed)

    assert shapes.shape == (len(digits), 28, 28)
    assert 60 < len(digits) <= 81
    assert set(digits.tolist()) == set(range(10))
    assert shapes.max(axis=(1, 2)).min() > 100


@pytest.mark.slow  # TensorFlow is loaded
def test_other_hands_write_one_stroke_as_one_stroke() -> None:
    pytest.importorskip("keras", reason="the train extra is not installed")
    bar = np.zeros((28, 28), np.uint8)
    bar[4:24, 12:15] = 255
    normals, uniforms = HAND_CHANCES.draw(np.random.default_rng(0), 50)
    even = np.full_like(uniforms, 0.5)  # whole strokes, no line

    varied = np.asarray(vary_hands(np.repeat(bar[None], 50, axis=0), normals, even))[..., 0]

    is_ink = (varied > 0.45).astype(np.uint8)
    heights = is_ink.any(axis=2).sum(axis=1)
    assert {cv2.connectedComponents(one)[0] for one in is_ink} == {2}  # the paper and one stroke
    assert len(np.unique(varied, axis=0)) == 50
    assert 12 <= heights.min() < 20 < heights.max() <= 28


def test_without_mnist_nothing_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples = tmp_path / "samples"
    command = ["--out", str(tmp_path / "net"), "--samples", str(samples), "--draw", "1"]

    assert train_hands.main([*command, "--digits", str(tmp_path)]) == 3

    assert "--digits" in capsys.readouterr().err
    assert not samples.exists()

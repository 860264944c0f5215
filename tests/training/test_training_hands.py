"""Training of the network of hands: its samples and its steps."""

import logging
from pathlib import Path

import cv2
import numpy as np
import pytest
from eager_training import training_eagerly

from training.digits import hand_shapes, train_hands
from training.digits.hand_shapes import draw_shapes
from training.digits.train_hands import HandRecipe
from training.digits.varied_hands import draw_chances, vary
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.shard_runs import kept_steps


@pytest.mark.parametrize("is_photo", [False, True])
def test_a_board_full_of_digits_becomes_shapes(is_photo: bool) -> None:
    with using_shapes_of(NO_DATA):
        shapes, digits = draw_shapes(np.random.default_rng(3), is_photo=is_photo)

    assert shapes.shape == (len(digits), 28, 28)
    assert 60 < len(digits) <= 81
    assert set(digits.tolist()) == set(range(10))
    assert shapes.max(axis=(1, 2)).min() > 100


@pytest.mark.slow  # TensorFlow is loaded
def test_other_hands_write_one_stroke_as_one_stroke() -> None:
    pytest.importorskip("keras", reason="the train extra is not installed")
    bar = np.zeros((28, 28), np.uint8)
    bar[4:24, 12:15] = 255
    normals, uniforms = draw_chances(np.random.default_rng(0), 50)
    even = np.full_like(uniforms, 0.5)  # whole strokes, no line

    varied = np.asarray(vary(np.repeat(bar[None], 50, axis=0), normals, even))[..., 0]

    is_ink = (varied > 0.45).astype(np.uint8)
    heights = is_ink.any(axis=2).sum(axis=1)
    assert {cv2.connectedComponents(one)[0] for one in is_ink} == {2}  # the paper and one stroke
    assert len(np.unique(varied, axis=0)) == 50
    assert 12 <= heights.min() < 20 < heights.max() <= 28


def test_without_mnist_nothing_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hand_shapes.main([str(tmp_path / "out"), "--digits", str(tmp_path)]) == 3

    assert "--digits" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow  # TensorFlow is loaded
def test_training_goes_on_where_it_stopped(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    pytest.importorskip("keras", reason="the train extra is not installed")
    rng = np.random.default_rng(0)
    shapes = rng.integers(0, 256, (90, 28, 28)).astype(np.uint8)
    digits = np.tile(np.arange(1, 10, dtype=np.uint8), 10)
    for number in range(3):
        np.savez(tmp_path / f"hands-{number:03}.npz", shapes=shapes, digits=digits)
    np.savez(tmp_path / "mnist.npz", x_train=shapes, y_train=digits, x_test=shapes, y_test=digits)
    common = ["--out", str(tmp_path / "net"), "--samples", str(tmp_path), "--digits", str(tmp_path)]
    common += ["--batch", "8", "--save-every", "1", "--teachers", "1", "--minutes", "60"]

    with training_eagerly():
        assert train_hands.main([*common, "--steps", "1"]) == 0
    assert train_hands.main([*common, "--steps", "2"]) == 0

    assert "going on from step 1" in caplog.text
    assert "MNIST's test part" in caplog.text
    assert (tmp_path / "net.keras").exists()
    assert kept_steps(HandRecipe(out=tmp_path / "net-varied")) == 2

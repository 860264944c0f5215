"""The reader of hands, and the network that ships."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.engine import WEIGHTS_DIR
from models.export import PARITY, measure_parity
from models.hands import HandReader, scale_shapes


def test_no_shapes_are_nothing() -> None:
    assert HandReader.load().read(np.zeros((0, 28, 28), np.uint8)).shape == (0, 10)


@pytest.mark.parametrize(
    "shapes", [np.zeros((2, 32, 32), np.uint8), np.zeros((2, 28, 28)), np.zeros((28, 28), np.uint8)]
)
def test_shapes_of_another_size_or_type_are_refused(shapes: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"shapes must be \(k, 28, 28\) uint8"):
        scale_shapes(shapes)


def test_mnists_test_digits_are_read(shared_data: Path) -> None:
    with np.load(shared_data / "digits" / "mnist.npz") as mnist:
        shapes, digits = mnist["x_test"], mnist["y_test"]
    some = np.flatnonzero(digits > 0)[::9]

    told = HandReader.load().read(shapes[some])

    assert told.sum(axis=1) == pytest.approx(np.ones(len(some)), abs=1e-3)
    assert (told.argmax(axis=1) == digits[some]).mean() >= 0.99


def test_a_blot_and_what_is_crossed_out_are_no_digits() -> None:
    blot, crossed = np.zeros((2, 28, 28), np.uint8)
    cv2.circle(blot, (14, 14), 9, 255, -1)
    for start, end in (((6, 4), (22, 24)), ((22, 4), (6, 24)), ((4, 10), (24, 12))):
        cv2.line(crossed, start, end, 255, 2)

    told = HandReader.load().read(np.stack([blot, crossed]))

    assert told.argmax(axis=1).tolist() == [0, 0]


@pytest.mark.slow  # TensorFlow is loaded
def test_both_engines_say_the_same() -> None:
    pytest.importorskip("keras", reason="the train extra is not installed")
    rng = np.random.default_rng(1)
    bars = np.zeros((60, 28, 28), np.uint8)
    for bar in bars:
        top, left = rng.integers(2, 12, 2)
        bar[top : top + rng.integers(4, 16), left : left + rng.integers(4, 16)] = 255

    weights = WEIGHTS_DIR / "hands.keras"
    difference = measure_parity(weights, weights.with_suffix(".tflite"), scale_shapes(bars))

    assert difference <= PARITY

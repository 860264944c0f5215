"""The reader of hands, and the network that ships."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.hands import HandReader


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

"""Cells that people corrected: how they are drawn for scoring, and the table of the scores."""

from pathlib import Path

import numpy as np

from models.digits import CLASSES, DigitReader
from training.digits.reader_scores import MARKS, draw_marks, format_marks


class Doubter:
    """An engine that finds everything a little likely to be empty."""

    def run(self, inputs: np.ndarray) -> np.ndarray:
        likely = np.full((len(inputs), CLASSES), 0.5 / (CLASSES - 1), np.float32)
        likely[:, 0] = 0.5
        return likely


def test_corrected_cells_hold_a_digit_and_scribbled_ones_none(shared_data: Path) -> None:
    _, corrected = draw_marks(shared_data / "digits", "corrected", 30, seed=0)
    _, scribbled = draw_marks(shared_data / "digits", "scribbled", 30, seed=0)

    assert corrected.min() > 0
    assert scribbled.max() == 0


def test_a_reader_that_is_never_sure_is_never_surely_wrong(shared_data: Path) -> None:
    lines = format_marks(DigitReader(Doubter()), shared_data / "digits", 20).splitlines()

    assert lines[2:] == [
        "| pen | 0.0 % | 0.0 % | 0.0 % |",
        "| candidates | 100.0 % | 0.0 % | 0.0 % |",
        "| corrected | 0.0 % | 0.0 % | 0.0 % |",
        "| scribbled | – | – | 0.0 % |",
    ]
    assert len(lines) == 2 + len(MARKS)

"""The reader of noted candidates, and the network that ships."""

import numpy as np
import pytest

from models.candidate_reader import (
    CANDIDATES,
    CELL_PX,
    CROP_PX,
    NOTHING,
    CandidateReader,
    normalise_crops,
)
from models.engine import WEIGHTS_DIR
from models.export import PARITY, measure_parity
from training.digits.train_candidates import draw_candidate_cells
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.rendered_photos import render_photo
from training.rendered.writing import Mark
from vision.board import cut_windows


def test_no_crops_are_nothing() -> None:
    seen = CandidateReader.load().read(np.zeros((0, 68, 68), np.uint8))

    assert (seen.marks.shape, seen.contents.shape) == ((0, 9, 10), (0, 3))


@pytest.mark.parametrize(
    "crops", [np.zeros((2, 32, 32), np.uint8), np.zeros((2, 68, 68)), np.zeros((68, 68), np.uint8)]
)
def test_crops_of_another_size_or_type_are_refused(crops: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"crops must be \(k, 68, 68\) uint8"):
        normalise_crops(crops)


def test_light_ink_on_dark_paper_looks_like_dark_ink_on_light_paper() -> None:
    crop = np.full((1, 68, 68), 200, np.uint8)
    crop[:, 20:32, 26:30] = 40

    assert normalise_crops(255 - crop) == pytest.approx(normalise_crops(crop), abs=0.01)


def test_blank_paper_holds_nothing() -> None:
    seen = CandidateReader.load().read(np.full((2, 68, 68), 230, np.uint8))

    assert seen.contents.argmax(axis=1).tolist() == [NOTHING, NOTHING]


def test_what_stands_in_the_cells_of_clear_photos_is_read() -> None:
    with using_shapes_of(NO_DATA):
        photos = [render_photo(1, seed, are_noted=True) for seed in range(4)]
    reader, exact, is_right = CandidateReader.load(), [], []
    for photo in photos:
        (board,) = photo.boards
        seen = reader.read(cut_windows(photo.photo, board.lattice, CELL_PX, CROP_PX))
        is_noted = board.marks.ravel() == Mark.CANDIDATES
        wanted = board.candidates.ravel()[is_noted, None] >> np.arange(9) & 1
        marks = seen.marks[is_noted].argmax(axis=2)
        told = (marks[:, :, None] == np.arange(1, 10)).any(axis=1)
        exact += (told == (wanted > 0)).all(axis=1).tolist()
        is_right += ((seen.contents.argmax(axis=1) == CANDIDATES) == is_noted).tolist()

    assert len(exact) > 60
    assert np.mean(exact) > 0.9
    assert np.mean(is_right) > 0.99


@pytest.mark.slow  # TensorFlow is loaded
def test_both_engines_say_the_same() -> None:
    pytest.importorskip("keras", reason="the train extra is not installed")
    crops = draw_candidate_cells(900_003).crops

    weights = WEIGHTS_DIR / "candidates.keras"
    difference = measure_parity(weights, weights.with_suffix(".tflite"), normalise_crops(crops))

    assert difference <= PARITY

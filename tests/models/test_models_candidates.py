"""The reader of noted candidates, and the network that ships."""

import numpy as np
import pytest

from models.candidate_reader import (
    CANDIDATES,
    CELL_PX,
    CROP_PX,
    N_MAPS,
    N_PLACES,
    NOTHING,
    CandidateReader,
    find_marks,
    normalise_crops,
)
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.rendered_photos import render_photo
from training.rendered.writing import Mark
from vision.board import cut_windows


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


def test_two_digits_close_together_are_two_marks() -> None:
    places = np.zeros((1, N_PLACES, N_PLACES, N_MAPS), np.float32)
    for x, digit in ((4, 2), (6, 3)):
        places[0, 3:6, x, digit] = 0.3, 1, 0.3
        places[0, 3:6, x - 1, digit] = places[0, 3:6, x + 1, digit] = 0.15, 0.49, 0.15
    places[..., 0] = 1 - places[..., 1:].sum(axis=3)
    told = np.concatenate([places.reshape(1, -1), np.array([[0, 0, 1]], np.float32)], axis=1)

    seen = find_marks(told)

    digits = seen.marks[0].argmax(axis=1)
    assert sorted(digits[:2].tolist()) == [2, 3]
    assert not digits[2:].any()
    left, right = seen.middles[0, np.argsort(digits[:2])]
    assert left == pytest.approx([0.25, 0.25], abs=0.01)
    assert right == pytest.approx([0.375, 0.25], abs=0.01)

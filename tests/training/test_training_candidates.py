"""Candidates as they are drawn."""

import numpy as np

from models.candidate_reader import CANDIDATES, DIGIT, NOTHING
from training.digits.train_candidates import draw_candidate_cells
from training.rendered.candidates import choose_candidates
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.rendered_photos import render_photo
from training.rendered.writing import Mark


def test_candidates_ascend_and_have_the_right_digit() -> None:
    rng = np.random.default_rng(0)

    drawn = [choose_candidates(rng, 1 + number % 9, np.arange(1, 10)) for number in range(300)]

    assert all(digits == sorted(set(digits)) for digits in drawn)
    assert all(1 + number % 9 in digits for number, digits in enumerate(drawn))
    assert {len(digits) for digits in drawn} == set(range(1, 8))


def test_a_photo_tells_what_is_noted_on_it() -> None:
    with using_shapes_of(NO_DATA):
        board = render_photo(1, 5, are_noted=True).boards[0]

    is_noted = board.marks == Mark.CANDIDATES
    assert is_noted.any()
    assert ((board.candidates > 0) == is_noted).all()
    right = board.candidates[is_noted] >> (board.solution[is_noted] - 1) & 1
    assert right.all()


def test_cells_of_all_contents_are_drawn() -> None:
    with using_shapes_of(NO_DATA):
        cells = draw_candidate_cells(7)

    assert cells.crops.shape == (len(cells.contents), 68, 68)
    assert set(cells.contents.tolist()) == {NOTHING, DIGIT, CANDIDATES}
    is_noted = ~np.isnan(cells.places[..., 0]).all(axis=1)
    assert (is_noted == (cells.contents == CANDIDATES)).all()

"""Candidates as they are drawn."""

from dataclasses import replace

import numpy as np
import pytest

from models.candidate_reader import CANDIDATES, DIGIT, NOTHING
from training.digits.train_candidates import (
    CELL_CHANCES,
    draw_candidate_cells,
    keep_ink,
    move_places,
    vary_cells,
)
from training.pages.flat_board import make_puzzle
from training.rendered.filled_board import (
    CandidateStyle,
    choose_candidate_style,
    draw_candidates,
    write_candidates,
)
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.rendered_photos import render_photo
from training.rendered.writing import Canvas, Mark, Writer


def test_some_who_write_by_hand_note_in_no_order() -> None:
    with using_shapes_of(NO_DATA):
        styles = [
            choose_candidate_style(Writer(np.random.default_rng(seed), True), {}, (0, 0, 0), 0.3)
            for seed in range(400)
        ]

    by_hand = [style.is_sorted for style in styles if style.shapes is None]
    assert 0.1 < np.mean(np.logical_not(by_hand)) < 0.3
    assert all(style.is_sorted for style in styles if style.shapes is not None)


def _choose_style(seed: int, tallest: float) -> CandidateStyle:
    writer = Writer(np.random.default_rng(seed), True)
    return choose_candidate_style(writer, {}, (0, 0, 0), tallest)


def test_some_write_candidates_large_but_a_digit_alone_in_the_middle_small() -> None:
    with using_shapes_of(NO_DATA):
        styles = [_choose_style(seed, 0.45) for seed in range(400)]

    by_hand = [style for style in styles if style.shapes is None]
    assert max(style.height for style in by_hand) > 0.4
    alone = [_measure_height([7], style) for style in by_hand if style.layout == "middle"]
    several = [_measure_height([2, 7], style) for style in by_hand if style.layout == "middle"]
    assert max(alone) < 0.33
    assert max(several) > 0.36


def _measure_height(digits: list[int], style: CandidateStyle) -> float:
    """Return how high the ink of digits in a cell is, in cells."""
    canvas = Canvas(np.full((120, 120, 3), 255, np.float32), 100, 10)
    writer = Writer(np.random.default_rng(3), True)
    with using_shapes_of(NO_DATA):
        draw_candidates(canvas, writer, (0, 0), digits, replace(style, shake=0.0))
    rows = np.flatnonzero((canvas.done().min(axis=2) < 200).any(axis=1))
    return float(rows[-1] - rows[0] + 1) / 100


def _note(style: CandidateStyle) -> np.ndarray:
    """Return how far to the right digits are noted, (9, 9, 9), NaN where they are not."""
    puzzle = make_puzzle(3, 26)
    marks = np.where(puzzle.clues > 0, Mark.PRINTED, Mark.EMPTY).astype(np.uint8)
    canvas = Canvas(np.full((600, 600, 3), 255, np.float32), 60, 30)
    writer = Writer(np.random.default_rng(1), True)
    return np.asarray(write_candidates(canvas, writer, puzzle, marks, style)[..., 0])


@pytest.mark.slow  # TensorFlow is loaded
def test_what_a_cell_shows_is_where_it_is_said_to_be() -> None:
    tf = pytest.importorskip("tensorflow", reason="the train extra is not installed")
    vary = tf.function(vary_cells, jit_compile=True)  # as it is trained
    ink = np.zeros((40, 68, 68, 1), np.float32)
    ink[:, 20:24, 44:48] = 1
    normals, uniforms = CELL_CHANCES.draw(np.random.default_rng(0), 40)
    normals[:, 7:] = 0  # nothing is bent
    uniforms[:, 3] = 0  # no noise

    varied = np.asarray(vary(keep_ink(ink), normals, uniforms))[..., 0]

    weights = np.maximum(varied, 0) / np.maximum(varied, 0).sum(axis=(1, 2), keepdims=True)
    at = np.arange(68) + 0.5
    seen = np.stack([(weights.sum(axis=1) * at).sum(1), (weights.sum(axis=2) * at).sum(1)], axis=1)
    told = move_places(np.full((40, 1, 2), (46, 22), np.float32), normals)[:, 0]
    assert np.abs(seen - told).max() < 0.3
    assert np.ptp(told, axis=0).min() > 4


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

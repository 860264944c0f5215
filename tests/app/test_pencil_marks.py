"""Candidates that a photo shows noted, from the picture to the board."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from app.recognition.outcome import Outcome
from app.recognition.pencil_marks import CandidateNotes
from app.recognition.pipeline import Pipeline
from app.recognition.results import BoardResult
from solver.rules import Cage, killer_rules
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.rendered_photos import RenderedPhoto, render_photo
from training.rendered.writing import Mark


@pytest.fixture(scope="module")
def photo() -> RenderedPhoto:
    with using_shapes_of(NO_DATA):
        return render_photo(1, 0, are_noted=True)


@pytest.fixture(scope="module")
def board(pipeline: Pipeline, photo: RenderedPhoto) -> BoardResult:
    (found,) = pipeline.solve_photo(photo.photo).boards
    return found


def test_noted_candidates_are_read_as_no_entries(photo: RenderedPhoto, board: BoardResult) -> None:
    noted = photo.boards[0].candidates.astype(np.int64) << 1
    assert board.candidates is not None
    told = board.candidates > 0

    assert board.outcome is Outcome.SOLVED
    assert (noted[told] > 0).all()
    assert (board.candidates == noted)[noted > 0].mean() > 0.8
    assert not board.entries[noted > 0].any()


def test_a_small_digit_in_a_corner_is_seen(photo: RenderedPhoto, board: BoardResult) -> None:
    assert board.candidates is not None
    is_bare = (photo.boards[0].marks == Mark.EMPTY).ravel()
    top_left, right, down = board.lattice[:-1, :-1], board.lattice[:-1, 1:], board.lattice[1:, :-1]
    places = top_left + 0.12 * (right - top_left) + 0.33 * (down - top_left)
    image, cell_px = photo.photo.copy(), np.linalg.norm(right - top_left, axis=2).mean()
    for x, y in places.reshape(-1, 2)[is_bare].astype(int).tolist():
        cv2.putText(image, "7", (x, y), 0, 0.012 * cell_px, (60, 60, 60), 1, cv2.LINE_AA)

    found = CandidateNotes().add_to(replace(board, candidates=None), image)

    assert found.candidates is not None
    assert (found.candidates.ravel()[is_bare] > 0).mean() > 0.9


@pytest.mark.parametrize(
    "change",
    [{"rules": killer_rules((Cage(3, (0, 1)),))}, {"outcome": Outcome.UNREADABLE}],
    ids=["a killer has sums", "it was not read"],
)
def test_nothing_is_noted_on_some_boards(
    photo: RenderedPhoto, board: BoardResult, change: dict[str, Any]
) -> None:
    other = replace(board, candidates=None, **change)

    assert CandidateNotes().add_to(other, photo.photo).candidates is None

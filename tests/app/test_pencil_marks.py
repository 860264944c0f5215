"""Candidates that a photo shows noted, from the picture to the board."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.recognition.outcome import Outcome
from app.recognition.pencil_marks import CandidateNotes
from app.recognition.pipeline import Pipeline
from app.recognition.results import BoardResult
from solver.rules import Cage, killer_rules
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.rendered_photos import RenderedPhoto, render_photo


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

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
from models.candidate_reader import SeenCandidates
from solver.rules import Cage, killer_rules
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.rendered_photos import RenderedPhoto, render_photo
from training.rendered.writing import Mark
from vision.board import lattice_from_corners
from vision.geometry import Image8


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


class _ByInk:
    """Is sure of candidates where ink is black, and thinks so where it is grey."""

    def read(self, *looks: Image8) -> SeenCandidates:
        count = len(looks[0])
        marks = np.tile(np.eye(10, dtype=np.float32)[[7] + 8 * [0]], (count, 1, 1))
        likely = np.where(looks[0].min(axis=(1, 2)) < 80, 0.97, 0.8)
        contents = np.column_stack([np.zeros(count), 1 - likely, likely]).astype(np.float32)
        return SeenCandidates(marks, np.full((count, 9, 2), 0.5, np.float32), contents)


def test_an_entry_is_taken_for_candidates_only_where_they_are_sure(board: BoardResult) -> None:
    image = np.full((1400, 1400, 3), 255, np.uint8)
    lattice = lattice_from_corners(
        np.array([[100, 100], [1000, 100], [1000, 1000], [100, 1000]], np.float32)
    )
    open_cells = np.flatnonzero(board.clues == 0)
    entries = np.zeros((9, 9), np.uint8)
    sure, sure_entry, likely, likely_entry = open_cells[:4].tolist()
    entries.flat[[sure_entry, likely_entry]] = 8
    for cell in (sure, sure_entry, likely, likely_entry):
        y, x = 100 * (cell // 9) + 150, 100 * (cell % 9) + 150
        grey = 0 if cell in (sure, sure_entry) else 120
        image[y - 10 : y + 10, x - 10 : x + 10] = grey
    notes = CandidateNotes()
    vars(notes)["_reader"] = _ByInk()

    found = notes.add_to(
        replace(board, lattice=lattice, entries=entries, candidates=None, solution=None), image
    )

    assert found.candidates is not None
    assert np.flatnonzero(found.candidates).tolist() == sorted([sure, sure_entry, likely])
    assert np.flatnonzero(found.entries).tolist() == [likely_entry]


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

"""Photos in which the shipped detector sees no board, and photos in which it does."""

import csv
from pathlib import Path

import numpy as np
import pytest

from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from models.board_detector import BoardDetector
from training.rendered.photographed_decoys import render_decoy
from training.rendered.rendered_photos import render_photo
from vision.finder.detect import BoardFinder
from vision.media.images import load_image


@pytest.fixture(scope="module")
def detector() -> BoardDetector:
    return BoardDetector.load()


def test_hardly_any_chess_board_shows_a_trace_of_a_board(detector: BoardDetector) -> None:
    decoys = [render_decoy("chess_board", seed).photo for seed in range(3, 9)]

    traces = [bool(BoardFinder(decoy, detector).choose_looks()) for decoy in decoys]

    assert sum(traces) <= 1


def test_a_board_in_bad_light_is_not_denied(detector: BoardDetector) -> None:
    photo = render_photo(5, 3).photo

    assert BoardFinder(photo, detector).choose_looks()


@pytest.mark.parametrize("quarters", [0, 1])
def test_no_real_photo_of_a_board_is_denied(
    detector: BoardDetector, shared_data: Path, quarters: int
) -> None:
    with (shared_data / "photos" / "photos.csv").open(newline="", encoding="utf-8") as lines:
        files = [row["file"] for row in csv.DictReader(lines)][::40]
    photos = [load_image(shared_data / "photos" / file) for file in files]

    turned = [np.ascontiguousarray(np.rot90(photo, quarters)) for photo in photos]

    assert all(BoardFinder(photo, detector).choose_looks() for photo in turned)


def test_no_place_of_a_denied_photo_is_read(pipeline: Pipeline) -> None:
    result = pipeline.solve_photo(render_decoy("table", 730016).photo)

    assert result.outcome is Outcome.NO_BOARD
    assert result.boards == ()

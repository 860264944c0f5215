"""The labels that tell printed digits from handwritten ones."""

from pathlib import Path

import numpy as np
import pytest

from solver.base import Limits, Status
from solver.registry import DEFAULT_SOLVER, load_solver
from training.photos.photo_labels import EMPTY, PRINTED, load_kinds, load_photo_labels


def test_labels_name_exactly_the_filled_cells_of_their_photos(shared_data: Path) -> None:
    photos = {label.file: label for label in load_photo_labels(shared_data / "photos")}

    kinds = load_kinds()

    for file, marks in kinds.items():
        filled = photos[file].digits.ravel() > 0
        np.testing.assert_array_equal(marks != EMPTY, filled, err_msg=file)


def test_the_print_of_hand_filled_puzzles_has_the_solution_that_was_filled_in(
    shared_data: Path,
) -> None:
    kinds = load_kinds()
    solver = load_solver(DEFAULT_SOLVER)
    labels = load_photo_labels(shared_data / "photos")
    filled_by_hand = [label for label in labels if label.kind.startswith("handfilled")]

    for label in filled_by_hand:
        is_clue = (kinds[label.file] == PRINTED).reshape(9, 9)
        result = solver.solve(np.where(is_clue, label.digits, 0).astype(np.uint8), Limits())
        assert result.status is Status.SOLVED, label.file
        np.testing.assert_array_equal(result.solution, label.solution, err_msg=label.file)

    assert len(filled_by_hand) == 80


@pytest.mark.parametrize(
    "lines",
    ["a.jpg," + "p" * 80, "a.jpg," + "p" * 80 + "z", "a.jpg," + "." * 81 + "\na.jpg," + "." * 81],
)
def test_labels_that_make_no_sense_are_refused(tmp_path: Path, lines: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(f"file,kinds\n{lines}\n", encoding="utf-8")

    with pytest.raises(ValueError, match=r"a\.jpg"):
        load_kinds(path)

"""Who wrote a digit: the labels that tell, and the head of the network that learns it."""

from pathlib import Path

import numpy as np
import pytest
from photo_cells_rig import make_real_cells

from solver.base import Limits, Status
from solver.registry import DEFAULT_SOLVER, load_solver
from training.digits.train_digit_kinds import KindRecipe, collect_real, weigh_kinds
from training.photo_labels import EMPTY, PRINTED, load_kinds, load_photo_labels


def test_labels_name_exactly_the_filled_cells_of_their_photos(shared_data: Path) -> None:
    photos = {label.file: label for label in load_photo_labels(shared_data / "photos")}

    kinds = load_kinds()

    for file, marks in kinds.items():
        filled = photos[file].digits.ravel() > 0
        np.testing.assert_array_equal(marks != EMPTY, filled, err_msg=file)


def test_the_print_of_hand_filled_puzzles_has_the_filled_in_solution(shared_data: Path) -> None:
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


def test_digits_are_not_learnt_from_the_fold_left_out() -> None:
    digits = np.arange(81, dtype=np.uint8) % 10
    real = make_real_cells(digits, "alexkubiesa", "donshel", "others")
    real.kinds[:, (digits > 0) & (digits < 3)] = "h"
    real.kinds[2, 79] = "?"

    lessons = collect_real(real, KindRecipe(Path("out"), fold=0))

    assert np.unique(lessons.cells).tolist() == [1, 2]
    assert len(lessons.cells) == 2 * (2 * 72 - 1)  # two cuts of all digits but the one left open
    assert (lessons.is_written == (lessons.digits < 3)).all()


def test_rare_handwriting_weighs_as_much_as_frequent_print() -> None:
    cells = np.zeros((10, 32, 32), np.uint8)
    is_written = np.arange(10) < 2

    lessons = weigh_kinds(cells, np.ones(10, np.uint8), is_written, 1.0)

    assert lessons.weight[is_written].sum() == pytest.approx(0.5)
    assert lessons.weight.sum() == pytest.approx(1)


def test_the_kind_head_leaves_every_digits_probability_as_it_was(keras: object) -> None:
    from models.digits import add_kind_head, build_digits_net

    before = build_digits_net()
    after = add_kind_head(before)
    kernel, bias = after.get_layer("kind").get_weights()
    after.get_layer("kind").set_weights([kernel, bias + 20])  # surely by hand
    cells = np.random.default_rng(0).random((20, 32, 32, 1), np.float32)

    old = np.asarray(before(cells, training=False))
    new = np.asarray(after(cells, training=False))

    assert new.shape == (20, 19)
    np.testing.assert_allclose(new[:, 0], old[:, 0], atol=1e-6)
    np.testing.assert_allclose(new[:, 1:10] + new[:, 10:], old[:, 1:10] + old[:, 10:], atol=1e-6)
    assert new[:, 1:10].max() < 1e-3

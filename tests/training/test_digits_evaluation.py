"""Scores and tables of the model card, on readings and drawings that can be counted by hand."""

from pathlib import Path

import numpy as np
import pytest
from arrays import Float32
from photo_cells_rig import make_real_cells

from models.engine import WEIGHTS_DIR
from training.digits.photo_cells import RealCells
from training.evaluation.digit_readers import (
    format_ablation,
    format_kinds,
    read_held_out,
    write_card,
)


@pytest.fixture
def real() -> RealCells:
    """Return one photo of every source and a second of wichtounet; nine digits a board."""
    sources = "wichtounet", "wichtounet", "alexkubiesa", "donshel", "others"
    real = make_real_cells(np.pad(np.arange(1, 10, dtype=np.uint8), (0, 72)), *sources, cuts=1)
    real.cells[...] = 200
    real.kinds[3, :3] = "h"
    return real


@pytest.fixture
def likely(real: RealCells) -> Float32:
    """Return readings that are all right and sure at 0.91."""
    likely = np.full((5, 81, 10), 0.01, np.float32)
    np.put_along_axis(likely, real.digits[..., None].astype(int), 0.91, axis=2)
    return likely


def test_one_misread_digit_costs_a_cell_and_a_board(real: RealCells, likely: Float32) -> None:
    likely[1, 3] = np.eye(10, dtype=np.float32)[9]  # a 4 read as 9

    table = format_ablation(real, {"SVHN alone": likely})

    assert table.splitlines()[2].split(" | ")[1] == "94.44 / 100.00, 1 of 2"


def test_every_photo_is_read_by_its_folds_network(real: RealCells, tmp_path: Path) -> None:
    content = (WEIGHTS_DIR / "digits.tflite").read_bytes()
    for fold in (0, 1):
        (tmp_path / f"fold{fold}.tflite").write_bytes(content)

    incomplete = read_held_out(real, tmp_path, ["fold{fold}"])
    (tmp_path / "fold2.tflite").write_bytes(content)
    likely = read_held_out(real, tmp_path, ["fold{fold}"])

    assert incomplete is None
    assert likely is not None
    np.testing.assert_allclose(likely.sum(axis=2), 1, atol=1e-5)
    assert (likely.argmax(axis=2) == 0).all()  # the photos are blank paper


def test_a_kind_counts_where_a_person_could_tell_it(real: RealCells) -> None:
    likely = np.zeros((5, 81, 19), np.float32)
    likely[..., 1] = 1  # all print
    real.kinds[2, 4:] = "?"

    lines = format_kinds(real, likely).splitlines()

    assert lines[3].startswith("| alexkubiesa | 100.00 % (0 of 4 wrong) | – |")
    assert lines[4].startswith(
        "| donshel | 100.00 % (0 of 6 wrong) | 0.00 % (3 of 3 wrong) | 66.67 % (3 of 9 wrong) |"
    )


def test_the_card_is_written_between_its_marks_only(tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    begin = "<!-- written by python -m training.evaluation.digit_readers -->"
    card.write_text(f"before\n{begin}\nold\n<!-- end -->\nafter\n", encoding="utf-8")

    write_card(card, "new")

    text = card.read_text(encoding="utf-8")
    assert text == f"before\n{begin}\n\nnew\n\n<!-- end -->\nafter\n"
    card.write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match="needs the lines"):
        write_card(card, "new")

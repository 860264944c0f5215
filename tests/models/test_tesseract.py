"""The library route's reader: digits cut and set as a line, and Tesseract's answers weighed."""

from pathlib import Path

import numpy as np
import pytest
from command_rig import RunCommand
from puzzles import EASY_GRID

from models.digits import CELL_PX, CLASSES
from models.engine import EngineError, UInt8
from models.tesseract import Character, TesseractReader, cut_digits, set_line, weigh_characters
from training.pages.flat_board import render_board
from vision.board import cut_cells, lattice_from_corners, rectify


@pytest.fixture(scope="module")
def cells() -> UInt8:
    photo, corners = render_board(EASY_GRID)
    return cut_cells(rectify(photo, lattice_from_corners(corners)))


@pytest.fixture(scope="module")
def tesseract() -> TesseractReader:
    try:
        return TesseractReader.load()
    except EngineError as error:
        pytest.skip(str(error))


def test_digits_are_cut_where_there_are_some(cells: UInt8) -> None:
    glyphs = cut_digits(cells)

    assert [glyph.size > 0 for glyph in glyphs] == (EASY_GRID.ravel() > 0).tolist()


def test_a_grid_line_in_the_crop_is_no_digit_and_is_cut_from_one() -> None:
    lined = np.full((2, CELL_PX, CELL_PX), 220, np.uint8)
    lined[:, :, 4:7] = 20
    lined[1, 9:24, 14:18] = 40

    glyphs = cut_digits(lined)

    assert glyphs[0].size == 0
    assert 15 <= glyphs[1].shape[0] <= 17
    assert 4 <= glyphs[1].shape[1] <= 6


def test_digits_stand_in_a_line_in_their_order_with_paper_around() -> None:
    narrow, wide = np.ones((16, 4), np.float32), np.ones((16, 12), np.float32)

    line, middles = set_line([narrow, wide])

    assert (line[[0, -1]] == 255).all()
    assert (line[:, [0, -1]] == 255).all()
    assert (np.diff(middles) > 20).all()
    assert (line[line.shape[0] // 2, middles.astype(int)] == 0).all()


def test_two_digits_seen_at_one_place_are_two_guesses() -> None:
    seen = [Character(8, 101, 0.9), Character(6, 99, 0.3), Character(1, 202, 0.99)]

    probabilities = weigh_characters(seen, np.array([100.0, 200.0, 300.0]))

    assert probabilities.shape == (3, CLASSES)
    assert np.allclose(probabilities.sum(axis=1), 1, atol=1e-6)
    assert probabilities[0, 8] > 2 * probabilities[0, 6] > 4 * probabilities[0, 5]
    assert probabilities[1].argmax() == 1
    assert np.ptp(probabilities[2, :10]) == 0


def test_tesseract_reads_a_clean_print(cells: UInt8, tesseract: TesseractReader) -> None:
    probabilities = tesseract.read(cells)

    right = probabilities.argmax(axis=1) == EASY_GRID.ravel()
    assert right[EASY_GRID.ravel() == 0].all()
    assert right.sum() >= 78


def test_no_cells_have_no_probabilities(tesseract: TesseractReader) -> None:
    assert tesseract.read(np.zeros((0, CELL_PX, CELL_PX), np.uint8)).shape == (0, CLASSES)


@pytest.mark.slow
def test_the_command_reads_and_solves_with_the_libraries(
    sudoku_lens: RunCommand, newspaper: Path, tesseract: TesseractReader
) -> None:
    pytest.importorskip("sudoku", reason="py-sudoku is not installed")

    done = sudoku_lens(
        "solve", "--json", "--reader", "tesseract", "--solver", "py-sudoku", newspaper
    )

    assert '"outcome": "solved"' in done.stdout
    assert done.returncode == 0


def test_without_the_program_the_command_says_what_to_install(
    sudoku_lens: RunCommand, newspaper: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pytesseract", reason="pytesseract is not installed")

    done = sudoku_lens(
        "solve", "--reader", "tesseract", newspaper, environment={"PATH": str(tmp_path)}
    )

    assert done.returncode == 4
    assert "apt-get install -y tesseract-ocr" in done.stderr


def test_without_the_package_the_command_says_what_to_install(
    sudoku_lens_process: RunCommand, newspaper: Path, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "pytesseract.py").write_text("raise ImportError('not here')\n")

    done = sudoku_lens_process(
        "solve",
        *("--reader", "tesseract", newspaper),
        environment={"PYTHONPATH": f"{tmp_path}:{project}"},
    )

    assert done.returncode == 4
    assert "pip install 'sudoku-lens[baselines]'" in done.stderr

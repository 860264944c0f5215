"""Correcting in the window: typing into cells, placing corners, undoing, and what is marked."""

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from present import present
from puzzles import EASY_GRID, EASY_SOLUTION_GRID
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from window_rig import (
    CONTROL,
    SHIFT,
    OpenWindow,
    board_of,
    click_cell,
    document_of,
    drag_corner,
    middle_of,
    press,
    press_key,
    press_offer,
    wait_for_work,
)

from app.board.board_values import Doubt
from app.gui.board.keys import DigitPad
from app.gui.board.outlines import DIGIT_HEIGHT, glyph, rim
from app.gui.photo.zoom import Loupe
from app.gui.window.main_window import Window
from app.gui.window.status_line import Severity
from app.recognition.outcome import Outcome
from solver.grid import format_grid
from training.pages.flat_board import render_board
from vision.media.images import save_image


def pad_of(window: Window) -> DigitPad:
    (pad,) = window.findChildren(DigitPad)
    return pad


def shown_digits(window: Window) -> list[int]:
    return [cell.solution for cell in window.photo.layers[0].face.cells]


def test_a_digit_is_typed_into_the_clicked_cell_and_called_handwritten(window: Window) -> None:
    assert any(shown_digits(window))
    click_cell(window.photo, 2)
    QTest.keyClick(window.photo, Qt.Key.Key_4)
    assert not any(shown_digits(window))  # while it is solved anew
    wait_for_work(window)

    assert any(shown_digits(window))
    board = board_of(window)
    assert board.board.clues[0, 2] == 4
    assert board.by_hand == {2}
    assert board.solution is not None
    assert window.photo.layers[0].face.cells[2].is_by_hand
    assert window.status.status.severity is Severity.GOOD

    press_key(window, Qt.Key.Key_K)

    assert board_of(window).board.clues[0, 2] == 0
    assert board_of(window).board.entries[0, 2] == 4
    assert window.photo.layers[0].face.cells[2].entry == 4


def test_a_wrong_digit_is_red_and_hides_the_solution_until_it_is_undone(window: Window) -> None:
    click_cell(window.clean, 2)
    press_key(window.clean, Qt.Key.Key_3)

    face = window.photo.layers[0].face
    assert face.cells[1].doubt is face.cells[2].doubt is Doubt.CONFLICT
    assert not any(shown_digits(window))
    assert board_of(window).board.outcome is Outcome.NO_SOLUTION
    told = window.status.status
    assert told.severity is Severity.BAD
    assert "red" in told.detail
    assert told.action == "Undo"
    press_offer(window.status)
    assert window.status.status.severity is Severity.GOOD
    # The keys walk over the correction, too.
    press_key(window, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert board_of(window).board.clues[0, 2] == 3
    assert not any(shown_digits(window))
    assert not window.actions_of_window.redo.isEnabled()
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert board_of(window).board.clues[0, 2] == 0
    assert any(shown_digits(window))
    assert window.status.status.severity is Severity.GOOD


def test_a_search_is_ended_and_told_of_by_a_correction_and_not_by_a_look(window: Window) -> None:
    window.actions_of_window.search_again.trigger()
    QTest.keyClick(window, Qt.Key.Key_S)
    assert document_of(window).is_working
    wait_for_work(window)
    assert any(shown_digits(window))

    window.actions_of_window.search_again.trigger()
    click_cell(window.photo, 2)
    press_key(window.photo, Qt.Key.Key_4)

    assert board_of(window).board.clues[0, 2] == 4
    assert document_of(window).outcome is Outcome.SOLVED
    assert "search was stopped" in window.status.status.detail
    QTest.keyClick(window.photo, Qt.Key.Key_4)
    press_key(window.photo, Qt.Key.Key_0)
    assert "search was stopped" not in window.status.status.detail


def test_fast_typing_ends_with_the_last_state_solved(window: Window) -> None:
    click_cell(window.photo, 2)

    for key in "3174":
        QTest.keyClicks(window.photo, key)
    wait_for_work(window)

    board = board_of(window)
    assert board.board.clues[0, 2] == 4
    assert np.array_equal(present(board.solution), EASY_SOLUTION_GRID)
    document = document_of(window)
    assert len(document.timeline.past) == 4
    # A state to which it is undone is solved, though it never was.
    press_key(window, Qt.Key.Key_Z, CONTROL)
    board = board_of(window)
    assert board.board.clues[0, 2] == 7
    assert board.pending is None
    assert board.board.outcome is Outcome.NO_SOLUTION


def test_of_several_solutions_the_cells_that_would_decide_are_named(window: Window) -> None:
    click_cell(window.clean, 25)
    press_key(window.clean, Qt.Key.Key_Backspace)

    told = window.status.status
    assert told.headline == "More than one solution"
    assert "a digit may be hidden or missing, perhaps in " in told.detail
    assert "row 3, column 8" not in told.detail  # that cell was emptied by hand


def test_arrows_move_the_chosen_cell_and_escape_leaves_it(window: Window) -> None:
    click_cell(window.photo, 0)

    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Left):
        QTest.keyClick(window.photo, key)
    assert window.editor.cell == 8
    assert window.photo.accessibleDescription() == "row 1, column 9, 2, solution"
    QTest.keyClick(window.photo, Qt.Key.Key_Escape)

    assert window.editor.cell is None


def test_the_pad_sets_a_digit_beside_the_cell(window: Window) -> None:
    click_cell(window.photo, 2)
    pad = pad_of(window)
    assert pad.isVisible()
    cell = middle_of(window.photo, 2)
    assert not pad.geometry().contains(
        window.photo.viewport().mapTo(window.central_view.room, cell)
    )

    press(pad, "4")
    wait_for_work(window)

    assert board_of(window).board.clues[0, 2] == 4
    assert not pad.isVisible()


def test_the_solution_can_be_hidden_and_revealed_cell_by_cell(window: Window) -> None:
    QTest.keyClick(window, Qt.Key.Key_S)
    assert not any(shown_digits(window))
    click_cell(window.photo, 2)
    QTest.keyClick(window.photo, Qt.Key.Key_Space)
    assert [digit for digit in shown_digits(window) if digit] == [4]
    QTest.keyClick(window, Qt.Key.Key_S)

    assert sum(digit > 0 for digit in shown_digits(window)) == 51


def tilted(tmp_path: Path) -> tuple[Path, npt.NDArray[np.float32]]:
    """Return a photo whose board has no border to be found by, and its corners."""
    pixels, corners = render_board(EASY_GRID, px=450)
    tilt = corners + np.array([[40, 0], [-10, 25], [0, -20], [15, 5]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, tilt.astype(np.float32))
    seen = cv2.warpPerspective(pixels, warp, pixels.shape[1::-1], borderValue=(255, 255, 255))
    path = tmp_path / "tilted.png"
    save_image(path, np.asarray(seen, np.uint8))
    return path, tilt.astype(np.float32)


def test_a_missed_board_is_found_by_its_corners(open_window: OpenWindow, tmp_path: Path) -> None:
    path, corners = tilted(tmp_path)
    window = open_window(path)
    window.actions_of_window.place_other.trigger()
    assert window.photo.is_placing
    # Begin as if nothing had been found there.
    window.photo.begin_placing(None)

    for number, corner in enumerate(corners.tolist()):
        drag_corner(window, number, corner)
        wait_for_work(window)

    board = board_of(window)
    assert format_grid(board.board.clues) == format_grid(EASY_GRID)
    assert board.solution is not None
    assert np.abs(board.board.corners - corners).max() < 2.5
    assert not window.photo.is_placing
    assert not window.actions_of_window.place.isChecked()


def test_corners_are_moved_by_keys_and_undone(qtbot: QtBot, window: Window) -> None:
    before = board_of(window).board.corners
    window.actions_of_window.place.trigger()

    QTest.keyClick(window.photo, Qt.Key.Key_Tab)
    with qtbot.waitSignal(window.photo.corners_placed):
        QTest.keyClick(window.photo, Qt.Key.Key_Right)
        QTest.keyClick(window.photo, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    wait_for_work(window)

    moved = board_of(window).board.corners - before
    assert moved[0].tolist() == pytest.approx([1, 10], abs=1e-3)
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert np.array_equal(board_of(window).board.corners, before)
    assert any(shown_digits(window))


def test_a_dragged_corner_is_enlarged_and_cannot_be_folded_over(window: Window) -> None:
    window.actions_of_window.place.trigger()
    assert "corners" in window.status.status.headline
    QTest.keyClick(window.photo, Qt.Key.Key_Escape)
    assert not window.photo.is_placing
    assert window.status.status.severity is Severity.GOOD
    window.actions_of_window.place.trigger()
    (loupe,) = window.photo.viewport().findChildren(Loupe)
    first, _, third, _ = (QPointF(*one) for one in window.photo.placed_corners())
    place = window.photo.mapFromScene(first + QPointF(0.5, 0.5))

    QTest.mousePress(window.photo.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert loupe.isVisible()
    assert not loupe.geometry().contains(place)
    QTest.mouseRelease(window.photo.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not loupe.isVisible()
    drag_corner(window, 0, (third.x() + 30, third.y() + 30))

    x, y = window.photo.placed_corners()[0]
    assert x < third.x() - 10
    assert y < third.y() - 10


def test_a_puzzle_is_typed_into_an_empty_board(blank: Window) -> None:
    QTest.keyClick(blank, Qt.Key.Key_T, CONTROL)
    assert blank.clean.isVisible()
    assert not blank.photo.isVisible()
    assert blank.status.status.headline == "An empty board"

    for cell in range(81):
        assert blank.editor.cell == cell
        QTest.keyClicks(blank.clean, str(EASY_GRID.flat[cell]))
        QTest.keyClick(blank.clean, Qt.Key.Key_Right)
    wait_for_work(blank)

    solution = present(board_of(blank).solution)
    assert np.array_equal(solution, EASY_SOLUTION_GRID)
    assert blank.status.status.headline.startswith("Solved · exactly one solution")


def test_what_was_read_can_be_shown_in_every_cell(window: Window) -> None:
    before = window.photo.grab().toImage()

    QTest.keyClick(window, Qt.Key.Key_R)

    assert window.photo.grab().toImage() != before


def test_the_rim_of_a_digit_lies_around_it_and_takes_few_pieces(qapp: object) -> None:
    middle = (0.5, 0.5)
    for digit in "123456789":
        inner, outer = (shape(digit, DIGIT_HEIGHT, middle).boundingRect() for shape in (glyph, rim))

        for less, more in (
            (outer.left(), inner.left()),
            (inner.right(), outer.right()),
            (outer.top(), inner.top()),
            (inner.bottom(), outer.bottom()),
        ):
            assert more - less == pytest.approx(0.055, abs=0.006)
        assert rim(digit, DIGIT_HEIGHT, middle).elementCount() < 800

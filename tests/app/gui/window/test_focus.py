"""Where keys go after undo, after a panel is closed, and after another photo is looked at."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from present import present
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from window_rig import (
    CONTROL,
    SHIFT,
    OpenWindow,
    board_of,
    document_of,
    drag_corner,
    press_key,
    wait_for_work,
    wait_until,
)

from app.gui.window.main_window import Window

TAB = Qt.FocusPolicy.TabFocus
PAUSE_MS = 500
"""Longer than the pause after which corners that were moved by keys are read."""


def corners_of(window: Window) -> npt.NDArray[np.float32]:
    return board_of(window).board.corners


def handles_of(window: Window) -> npt.NDArray[np.float32]:
    return np.array(window.photo.placed_corners(), np.float32)


def test_undo_and_redo_take_the_handles_along_with_the_board(window: Window) -> None:
    before = corners_of(window)
    window.actions_of_window.place.trigger()
    x, y = window.photo.placed_corners()[0]
    drag_corner(window, 0, (x + 170, y + 150))
    wait_for_work(window)
    assert window.photo.is_placing
    moved = handles_of(window)
    assert np.abs(moved[0] - before[0]).max() > 100

    press_key(window, Qt.Key.Key_Z, CONTROL)

    assert window.photo.is_placing
    assert np.abs(handles_of(window) - before).max() < 0.01
    press_key(window, Qt.Key.Key_Y, CONTROL)

    corners = {tuple(corner) for corner in np.round(corners_of(window)).tolist()}
    assert corners == {tuple(corner) for corner in np.round(handles_of(window)).tolist()}
    assert corners == {tuple(corner) for corner in np.round(moved).tolist()}


def test_undo_takes_back_a_corner_that_a_key_just_moved(qtbot: QtBot, window: Window) -> None:
    before = corners_of(window)
    window.actions_of_window.place.trigger()
    QTest.keyClick(window.photo, Qt.Key.Key_Tab)
    QTest.keyClick(window.photo, Qt.Key.Key_Down)

    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    qtbot.wait(PAUSE_MS)
    wait_for_work(window)

    assert np.array_equal(corners_of(window), before)
    assert np.abs(handles_of(window) - before).max() < 0.01


def test_no_corners_are_placed_any_more_once_the_photo_is_turned(window: Window) -> None:
    window.actions_of_window.place.trigger()
    assert window.photo.is_placing

    press_key(window, Qt.Key.Key_R, CONTROL)

    assert window.actions_of_window.place.isChecked() == window.photo.is_placing
    QTest.keyClick(window, Qt.Key.Key_P)
    assert window.photo.is_placing


def test_a_board_that_is_not_placed_leaves_the_one_looked_at(window: Window) -> None:
    before = window.status.status
    QTest.keyClick(window, Qt.Key.Key_P, SHIFT)
    assert document_of(window).state.chosen is None

    QTest.keyClick(window, Qt.Key.Key_Escape)

    assert document_of(window).state.chosen == 0
    assert window.status.status == before
    assert not window.actions_of_window.undo.isEnabled()


def test_closing_a_panel_gives_the_keys_back_to_the_photo(window: Window) -> None:

    def inside() -> list[QWidget]:
        return [
            widget
            for widget in window.panels.findChildren(QWidget)
            if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & TAB
        ]

    for panel in ("help_panel", "walk_panel", "history_panel"):
        action = getattr(window.actions_of_window, panel)
        action.trigger()
        wait_until(lambda: window.panels.isVisible() and bool(inside()))
        inside()[0].setFocus(Qt.FocusReason.TabFocusReason)
        assert window.panels.isAncestorOf(present(QApplication.focusWidget()))
        action.trigger()
        assert QApplication.focusWidget() is window.photo, panel
    QTest.keyClick(present(QApplication.focusWidget()), Qt.Key.Key_Space)
    assert window.file_opener.dialog is None


def test_closing_a_panel_gives_the_keys_to_the_board_without_a_photo(blank: Window) -> None:
    blank.actions_of_window.type_puzzle.trigger()
    QTest.keyClicks(blank.clean, "5")
    wait_for_work(blank)
    blank.actions_of_window.history_panel.trigger()
    blank.panels.findChildren(QLineEdit)[0].setFocus()

    blank.actions_of_window.history_panel.trigger()
    QTest.keyClick(present(QApplication.focusWidget()), Qt.Key.Key_Right)
    QTest.keyClick(present(QApplication.focusWidget()), Qt.Key.Key_3)

    assert board_of(blank).board.clues.ravel()[:2].tolist() == [5, 3]


def test_the_keys_go_to_what_is_left_when_one_of_photo_and_board_is_hidden(window: Window) -> None:
    window.photo.setFocus()

    QTest.keyClick(window, Qt.Key.Key_3, CONTROL)
    assert QApplication.focusWidget() is window.clean
    QTest.keyClick(window, Qt.Key.Key_1, CONTROL)

    assert QApplication.focusWidget() is window.photo


def test_the_keys_go_to_the_photo_when_the_list_of_photos_vanishes(
    open_window: OpenWindow, photos: tuple[Path, Path]
) -> None:
    window = open_window(*photos)
    window.strip.setFocus()

    window.actions_of_window.close.trigger()

    assert not window.strip.isVisible()
    assert QApplication.focusWidget() is window.photo


def test_nothing_of_a_board_stays_over_the_photo_when_another_is_looked_at(
    open_window: OpenWindow, photos: tuple[Path, Path]
) -> None:
    window = open_window(*photos)
    window.editor.select(2)
    QTest.keyClick(window.photo, Qt.Key.Key_1)
    assert not window.photo.layers[0].face.is_solved  # its outline is orange

    QTest.keyClick(window.photo, Qt.Key.Key_PageDown)

    assert document_of(window).name == "other.png"
    assert document_of(window).image is None
    assert len(window.photo.layers) == 0
    wait_for_work(window)
    assert window.photo.layers[0].face.is_solved

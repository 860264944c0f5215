"""Solving a board in the window: by keys, mouse, touch and pen, with notes, colours and time."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from present import present
from puzzles import EASY_GRID, EASY_SOLUTION_GRID
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPointingDevice, QTabletEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from window_rig import (
    CONTROL,
    SHIFT,
    OpenWindow,
    board_of,
    click_cell,
    document_of,
    drag_over,
    kept_in,
    middle_of,
    offers_of,
    press,
    press_key,
    session_of,
    target_of,
    wait_for_work,
    wait_until,
)

from app.board.board_state import swap_board
from app.board.board_values import CellView, EntryMode, digits_of
from app.gui.board.access import say_cell
from app.gui.board.clean_board import CleanBoard
from app.gui.board.keys import DigitPad
from app.gui.panels.help_panel import HelpPanel
from app.gui.photo.viewer import PhotoView
from app.gui.window.main_window import Window
from app.report.board_marks import Mark
from solver.grid import format_grid

EMPTY = np.flatnonzero(EASY_GRID.ravel() == 0).tolist()


@pytest.fixture
def window(open_window: OpenWindow, photo: Path) -> Window:
    """A photo and its board side by side, which a person begins to solve."""
    window = open_window(photo)
    QTest.keyClick(window.photo, Qt.Key.Key_G)
    return window


def faces_of(window: Window) -> tuple[CellView, ...]:
    return window.photo.layers[0].face.cells


def corner(window: Window, cell: int) -> tuple[int, ...]:
    return digits_of(board_of(window).pencil.corner[cell])


def centre(window: Window, cell: int) -> tuple[int, ...]:
    return digits_of(board_of(window).pencil.centre[cell])


def entry(window: Window, cell: int) -> int:
    return int(board_of(window).board.entries.flat[cell])


def view_of(window: Window, name: str) -> PhotoView | CleanBoard:
    return window.photo if name == "photo" else window.clean


# --- beginning


def test_play_keeps_the_solution_back_and_the_clues_fast_until_it_ends(window: Window) -> None:
    assert window.central_view.play_bar.isVisible()
    assert not any(cell.solution for cell in faces_of(window))
    assert window.status.status.headline == "A puzzle with exactly one solution"

    click_cell(window.clean, 0)
    QTest.keyClick(window.clean, Qt.Key.Key_9)

    assert board_of(window).board.clues.flat[0] == 5
    assert entry(window, 0) == 0
    # The key that began it ends it, and undo brings it back.
    window.editor.select(None)
    QTest.keyClick(window.photo, Qt.Key.Key_G)
    assert not window.central_view.play_bar.isVisible()
    assert not board_of(window).is_given
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert window.central_view.play_bar.isVisible()


def test_no_key_turns_entries_into_clues_or_clues_into_entries_in_play(window: Window) -> None:
    click_cell(window.clean, EMPTY[0])
    press_key(window.clean, Qt.Key.Key_9)

    for cell in (EMPTY[0], 0):
        click_cell(window.clean, cell)
        press_key(window.clean, Qt.Key.Key_K)

    assert entry(window, EMPTY[0]) == 9
    assert np.array_equal(board_of(window).board.clues, EASY_GRID)


def test_no_key_takes_the_entries_away_and_shows_the_solution_in_play(window: Window) -> None:
    click_cell(window.clean, EMPTY[0])
    press_key(window.clean, Qt.Key.Key_9)

    press_key(window.clean, Qt.Key.Key_F5)

    assert entry(window, EMPTY[0]) == 9
    assert not board_of(window).is_open


def test_a_typed_and_a_pasted_puzzle_are_played(blank: Window) -> None:
    QGuiApplication.clipboard().setText(format_grid(EASY_GRID))
    press_key(blank, Qt.Key.Key_V, CONTROL)
    assert board_of(blank).is_open

    QTest.keyClick(blank.clean, Qt.Key.Key_G)
    click_cell(blank.clean, 2)
    QTest.keyClick(blank.clean, Qt.Key.Key_4)

    assert entry(blank, 2) == 4
    assert board_of(blank).revealed == frozenset()


def test_what_is_written_by_hand_on_the_photo_are_the_first_entries(window: Window) -> None:
    held = board_of(window)
    entries = held.board.entries.copy()
    entries.flat[2] = 4
    reading = replace(present(held.board.reading), entries=entries)
    seen = replace(held.board, entries=entries, reading=reading)
    as_read = replace(held, board=seen, is_given=False)
    session_of(window).look(lambda state: swap_board(state, held, as_read))

    QTest.keyClick(window.photo, Qt.Key.Key_G)
    assert entry(window, 2) == 4
    assert not faces_of(window)[2].is_written  # the photo shows it

    click_cell(window.photo, 2)
    QTest.keyClick(window.photo, Qt.Key.Key_7)

    assert entry(window, 2) == 7
    assert faces_of(window)[2].is_written
    assert faces_of(window)[2].is_covered


# --- keys


def test_a_digit_is_written_over_the_photo_and_on_the_clean_board(window: Window) -> None:
    click_cell(window.photo, 2)
    before = window.photo.viewport().grab(window.photo.cell_rect(2).toRect()).toImage()

    QTest.keyClick(window.photo, Qt.Key.Key_4)
    after = window.photo.viewport().grab(window.photo.cell_rect(2).toRect()).toImage()

    assert entry(window, 2) == 4
    assert before != after
    assert window.clean.face == window.photo.face


def test_shift_and_ctrl_say_what_a_digit_means(window: Window) -> None:
    click_cell(window.clean, 2)
    told = []

    for modifiers in (SHIFT, CONTROL, SHIFT | CONTROL):
        # As a keyboard of the United States sends it: with Shift the key writes another sign.
        key, text = (Qt.Key.Key_Exclam, "!") if modifiers & SHIFT else (Qt.Key.Key_1, "")
        place_on_keyboard = 10
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, key, modifiers, place_on_keyboard, 0, 0, text)
            QApplication.sendEvent(window.clean, event)
        told.append((corner(window, 2), centre(window, 2), board_of(window).pencil.colour[2]))

    assert told == [((1,), (), 0), ((1,), (1,), 0), ((1,), (1,), 1)]


def test_ctrl_and_a_digit_choose_a_view_where_nothing_is_played(window: Window) -> None:
    click_cell(window.clean, 2)
    QTest.keyClick(window.clean, Qt.Key.Key_3, CONTROL)
    assert window.photo.isVisible()
    assert centre(window, 2) == (3,)

    window.editor.select(None)
    QTest.keyClick(window.clean, Qt.Key.Key_3, CONTROL)

    assert not window.photo.isVisible()


def test_space_goes_through_the_modes(window: Window) -> None:
    click_cell(window.clean, 2)
    for _ in range(2):
        QTest.keyClick(window.clean, Qt.Key.Key_Space)
    QTest.keyClicks(window.clean, "46")
    QTest.keyClick(window.clean, Qt.Key.Key_Space, SHIFT)
    QTest.keyClicks(window.clean, "12")

    assert centre(window, 2) == (4, 6)
    assert corner(window, 2) == (1, 2)
    assert window.actions_of_window.mode_corner.isChecked()
    assert board_of(window).revealed == frozenset()


def test_keys_choose_more_cells(window: Window) -> None:
    click_cell(window.clean, 2)

    QTest.keyClick(window.clean, Qt.Key.Key_Right, SHIFT)
    QTest.keyClick(window.clean, Qt.Key.Key_Down, CONTROL)
    assert window.editor.cells == {2, 3, 12}
    QTest.keyClick(window.clean, Qt.Key.Key_Down)
    assert window.editor.cells == {21}
    QTest.keyClick(window.clean, Qt.Key.Key_A, CONTROL)
    QTest.keyClick(window.clean, Qt.Key.Key_7, CONTROL)

    assert all(centre(window, cell) == (7,) for cell in EMPTY)


# --- mouse, touch and pen


@pytest.mark.parametrize("view", ["photo", "clean"])
def test_a_drag_chooses_the_cells_it_goes_over(window: Window, view: str) -> None:
    where = view_of(window, view)

    drag_over(where, [2, 3, 12])
    QTest.keyClick(where, Qt.Key.Key_8, CONTROL)

    assert window.editor.cells == {2, 3, 12}
    assert [centre(window, cell) for cell in (2, 3)] == [(8,), (8,)]


@pytest.mark.parametrize(("view", "modifier"), [("photo", SHIFT), ("clean", CONTROL)])
def test_a_click_with_a_modifier_adds_a_cell_or_leaves_it(
    window: Window, view: str, modifier: Qt.KeyboardModifier
) -> None:
    where = view_of(window, view)
    click_cell(where, 2)

    click_cell(where, 60, modifier)
    assert window.editor.cells == {2, 60}
    click_cell(where, 2, modifier)

    assert window.editor.cells == {60}


def test_a_drag_beside_the_played_board_moves_the_photo(window: Window) -> None:
    window.actions_of_window.near.trigger()
    viewport, before = window.photo.viewport(), window.photo.cell_rect(0).center()
    QTest.mousePress(viewport, Qt.MouseButton.MiddleButton, pos=QPoint(100, 100))
    QTest.mouseMove(viewport, QPoint(140, 160))
    QTest.mouseRelease(viewport, Qt.MouseButton.MiddleButton, pos=QPoint(140, 160))

    assert window.photo.cell_rect(0).center() != before
    assert window.editor.cells == frozenset()


def test_the_keys_below_the_boards_write_what_the_mode_says(window: Window) -> None:
    click_cell(window.clean, 2)
    (pad,) = window.findChildren(DigitPad)
    assert not pad.isVisible()

    press(window.central_view.play_bar, "Digit 4")
    assert entry(window, 2) == 4
    for name in ("Erase", "Write corner marks", "Corner mark 6", "Colour cells", "green"):
        press(window.central_view.play_bar, name)

    assert entry(window, 2) == 0
    assert corner(window, 2) == (6,)
    assert board_of(window).pencil.colour[2] == 4
    assert window.clean.hasFocus()


def touch(window: Window, target: QWidget, places: list[QPoint]) -> None:
    device = QTest.createTouchDevice()
    # What has no window of the system of its own is touched through the one that has.
    first, last = (target.mapTo(window, place) for place in places)
    QTest.touchEvent(window, device).press(0, first, window).commit()
    QTest.touchEvent(window, device).move(0, last, window).commit()
    QTest.touchEvent(window, device).release(0, last, window).commit()


def draw_with_pen(_: Window, target: QWidget, places: list[QPoint]) -> None:
    """Send what a pen sends; what nobody takes becomes an event of the mouse, as Qt does it."""
    kinds, left, none = QEvent.Type, Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    first, last = places
    for kind, place, button, held, with_mouse in (
        (kinds.TabletPress, first, left, left, partial(QTest.mousePress, target, left)),
        (kinds.TabletMove, last, none, left, partial(QTest.mouseMove, target)),
        (kinds.TabletRelease, last, left, none, partial(QTest.mouseRelease, target, left)),
    ):
        spot, everywhere = QPointF(place), QPointF(target.mapToGlobal(place))
        event = QTabletEvent(
            kind, QPointingDevice.primaryPointingDevice(), spot, everywhere, 0.5, 0, 0, 0, 0, 0,
            Qt.KeyboardModifier.NoModifier, button, held,
        )  # fmt: skip
        QApplication.sendEvent(target, event)
        if not event.isAccepted():
            with_mouse(pos=place)


@pytest.mark.parametrize("use", [touch, draw_with_pen], ids=["finger", "pen"])
@pytest.mark.parametrize("view", ["photo", "clean"])
def test_a_finger_and_a_pen_choose_cells(
    window: Window, view: str, use: Callable[[Window, QWidget, list[QPoint]], None]
) -> None:
    where = view_of(window, view)

    use(window, target_of(where), [middle_of(where, cell) for cell in (2, 3)])
    press(window.central_view.play_bar, "Digit 4")

    assert window.editor.cells == {2, 3}
    assert [entry(window, cell) for cell in (2, 3)] == [4, 4]


# --- help


def test_check_hint_and_reveal_go_on_in_play(window: Window) -> None:
    click_cell(window.clean, 2)
    QTest.keyClick(window.clean, Qt.Key.Key_9)
    window.actions_of_window.help_panel.trigger()
    panel = window.panels.findChild(HelpPanel)
    assert isinstance(panel, HelpPanel)

    panel.check_entries()
    assert window.clean._highlight.marks[2] is Mark.BAD
    QTest.keyClick(window.clean, Qt.Key.Key_Backspace)
    for _ in range(3):
        panel.ask_for_hint()
    assert not window.clean._highlight.is_empty
    window.actions_of_window.reveal_cell.trigger()

    assert board_of(window).revealed == {2}
    assert faces_of(window)[2].solution == EASY_SOLUTION_GRID.flat[2]
    assert window.central_view.play_bar.isVisible()


def test_the_whole_solution_is_shown_on_wish_and_play_goes_on_after_it(window: Window) -> None:
    click_cell(window.clean, 2)
    QTest.keyClick(window.clean, Qt.Key.Key_4)

    QTest.keyClick(window.clean, Qt.Key.Key_S)
    assert not window.central_view.play_bar.isVisible()
    assert document_of(window).clocks[0].since is None
    QTest.keyClick(window.clean, Qt.Key.Key_S)

    assert window.central_view.play_bar.isVisible()
    assert entry(window, 2) == 4


# --- what is said


def test_notes_are_told_to_screen_readers(window: Window) -> None:
    click_cell(window.clean, 2)
    QTest.keyClicks(window.clean, "1")
    QTest.keyClick(window.clean, Qt.Key.Key_Backspace)
    for mode, digits in (
        (EntryMode.CORNER, "12"),
        (EntryMode.CENTRE, "4"),
        (EntryMode.COLOUR, "6"),
    ):
        window.editor.play.set_mode(mode)
        QTest.keyClicks(window.clean, digits)

    told = "row 1, column 3, empty, blue, corner marks 1 2, centre marks 4"
    assert say_cell(2, faces_of(window)[2]) == told
    assert window.clean.accessibleDescription().endswith("blue, corner marks 1 2, centre marks 4")


def test_every_button_of_play_has_a_name_and_is_reached_by_tab(window: Window) -> None:
    buttons = window.central_view.play_bar.findChildren(QToolButton)

    assert len(buttons) == 16
    assert all(button.accessibleName() for button in buttons)
    assert all(button.focusPolicy() & Qt.FocusPolicy.TabFocus for button in buttons)


# --- time


def test_the_time_runs_from_the_first_stroke_and_stands_while_paused(window: Window) -> None:
    assert document_of(window).clocks == {}
    click_cell(window.clean, 2)
    QTest.keyClick(window.clean, Qt.Key.Key_4)
    clock = document_of(window).clocks[0]
    assert clock.since is not None

    QTest.keyClick(window.clean, Qt.Key.Key_T)

    assert document_of(window).clocks[0].since is None
    assert window.central_view.pause_screen.isVisible()
    assert not window.photo.isVisible()
    assert not window.clean.isVisible()
    QTest.keyClick(window, Qt.Key.Key_7)
    assert entry(window, 2) == 4
    (go_on,) = offers_of(window.central_view.pause_screen)
    assert go_on.hasFocus()
    QTest.keyClick(go_on, Qt.Key.Key_Space)
    assert window.clean.isVisible()
    assert document_of(window).clocks[0].since is not None
    wait_until(lambda: button_time(window) != "0:00")
    window.hide()
    assert document_of(window).clocks[0].since is None
    window.show()
    assert document_of(window).clocks[0].since is not None


def ink_of(key: QToolButton) -> int:
    """Return how many pixels of a key are not of its background."""
    picture = key.grab().toImage()
    ground = picture.pixelColor(1, 1).lightness()
    places = np.ndindex(picture.height(), picture.width())
    return sum(abs(picture.pixelColor(x, y).lightness() - ground) > 60 for y, x in places)


def test_the_digits_of_the_keys_are_whole_where_there_is_least_room(window: Window) -> None:
    keys = [
        one for one in window.central_view.play_bar.findChildren(QToolButton) if one.text() == "8"
    ]
    wide = [ink_of(key) for key in keys]
    window.resize(640, 460)
    window.actions_of_window.help_panel.trigger()
    QTest.qWait(50)

    narrow = [ink_of(key) for key in keys]

    assert keys[0].width() < 40
    assert narrow == pytest.approx(wide, rel=0.1)


def button_time(window: Window) -> str:
    return window.central_view.play_bar._time.text()


def test_the_time_stands_behind_another_photo(window: Window, photo: Path, tmp_path: Path) -> None:
    click_cell(window.clean, 2)
    QTest.keyClick(window.clean, Qt.Key.Key_4)
    played = document_of(window)
    other = tmp_path / "other.png"
    other.write_bytes(photo.read_bytes())

    window.file_opener.open_files([other])
    wait_for_work(window)

    assert window.document is not played
    assert played.clocks[0].since is None
    assert not window.central_view.play_bar.isVisible()


def test_a_finished_puzzle_is_in_the_history_with_its_time(window: Window, tmp_path: Path) -> None:
    for cell in EMPTY:
        window.editor.select(cell)
        QTest.keyClicks(window.clean, str(EASY_SOLUTION_GRID.flat[cell]))
    clock = document_of(window).clocks[0]
    assert clock.since is None
    assert window.status.status.headline == "Solved: every digit is right"
    assert window.status.status.detail.startswith("It took 0:")

    # It is written beside, and later where others want the processor.
    wait_until(lambda: kept_in(tmp_path)[0].is_finished)
    (kept,) = kept_in(tmp_path)
    assert kept.thumbnail is not None
    assert np.array_equal(EASY_GRID + kept.entries, EASY_SOLUTION_GRID)
    assert abs(kept.seconds - clock.seconds) < 1
    window.actions_of_window.history_panel.trigger()
    panel = window.history_recorder.panel()
    wait_until(panel.isVisible)
    assert "solved in 0:" in panel._list.item(0).text()


# --- the next start


def test_play_goes_on_at_the_next_start(open_window: OpenWindow, window: Window) -> None:
    click_cell(window.clean, 2)
    QTest.keyClick(window.clean, Qt.Key.Key_4)
    window.editor.select(3)
    QTest.keyClick(window.clean, Qt.Key.Key_6, CONTROL)
    window.editor.play.set_mode(EntryMode.COLOUR)
    QTest.keyClick(window.clean, Qt.Key.Key_2)
    QTest.keyClick(window.clean, Qt.Key.Key_C)
    QTest.qWait(200)
    QTest.keyClick(window.clean, Qt.Key.Key_T)
    seconds = document_of(window).clocks[0].seconds

    window.close()
    again = open_window()

    assert entry(again, 2) == 4
    assert centre(again, 3) == (6,)
    assert board_of(again).pencil.colour[3] == 2
    assert board_of(again).revealed == frozenset()
    assert document_of(again).clocks[0].is_paused
    assert abs(document_of(again).clocks[0].seconds - seconds) < 0.1
    assert again.central_view.pause_screen.isVisible()
    assert again.editor.play.mode is EntryMode.COLOUR
    assert again.actions_of_window.conflicts.isChecked()

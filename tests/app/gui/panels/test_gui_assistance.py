"""Help, history, sharing and new puzzles as parts of the whole window."""

from pathlib import Path

import numpy as np
import pytest
from puzzles import EASY
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QWidget
from pytestqt.qtbot import QtBot
from window_rig import OpenWindow, board_of, session_of, solution_of, wait_for_work, wait_until

from app.gui.panels.help_panel import HelpPanel
from app.gui.panels.walk_panel import WalkPanel
from app.gui.window.main_window import Window
from app.gui.window.new_puzzle_dialog import NewPuzzleDialog
from solver.grid import parse_grid
from solver.human.rating import Level, rate
from training.pages.flat_board import render_board
from vision.media.images import save_image


def switch_on(window: Window, action: QAction, kind: type[QWidget]) -> QWidget:
    """Open a panel by its action's key, and return it."""
    wait_until(action.isEnabled)
    window.activateWindow()
    action.trigger()
    (panel,) = window.findChildren(kind)
    wait_until(panel.isVisible)
    return panel


def click(panel: QWidget, text: str) -> None:
    (found,) = (one for one in panel.findChildren(QPushButton) if one.text() == text)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


def pixels(widget: QWidget) -> bytes:
    image = widget.grab().toImage()  # which owns the pixels as long as it has a name
    return bytes(image.constBits())


def revealed(window: Window) -> frozenset[int]:
    return board_of(window).revealed


def test_a_hint_hides_the_solution_and_is_drawn_on_photo_and_board(window: Window) -> None:
    assert len(revealed(window)) == 81
    panel = switch_on(window, window.actions_of_window.help_panel, HelpPanel)

    click(panel, "Hint")

    assert revealed(window) == frozenset()
    before = pixels(window.photo.viewport()), pixels(window.clean)
    click(panel, "Which cells?")
    after = pixels(window.photo.viewport()), pixels(window.clean)
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_marks_go_with_the_panel(qtbot: QtBot, window: Window) -> None:
    action = window.actions_of_window.help_panel
    panel = switch_on(window, action, HelpPanel)
    click(panel, "Hint")
    click(panel, "Clear")
    plain = pixels(window.clean)
    click(panel, "Hint")
    assert pixels(window.clean) != plain

    with qtbot.waitSignal(window.panels.highlight_changed) as told:
        action.trigger()

    assert told.args == [None]


def test_one_cell_is_revealed_from_the_panel(window: Window) -> None:
    panel = switch_on(window, window.actions_of_window.help_panel, HelpPanel)
    click(panel, "Hint")

    click(panel, "Reveal a cell")

    assert len(revealed(window)) == 1
    (cell,) = revealed(window)
    assert parse_grid(EASY).ravel()[cell] == 0


def test_everything_is_revealed_from_the_panel(window: Window) -> None:
    panel = switch_on(window, window.actions_of_window.help_panel, HelpPanel)
    click(panel, "Hint")

    click(panel, "Reveal all")

    assert len(revealed(window)) == 81


def test_the_walk_ends_in_the_verified_solution(qtbot: QtBot, window: Window) -> None:
    panel = switch_on(window, window.actions_of_window.walk_panel, WalkPanel)
    slider = panel.findChildren(QSlider)[0]
    wait_until(slider.isEnabled)

    with qtbot.waitSignal(window.panels.highlight_changed) as shown:
        slider.setValue(slider.maximum())

    assert shown.args is not None
    grid = parse_grid(EASY)
    for cell, digit in shown.args[0].digits.items():
        grid.ravel()[cell] = digit
    assert np.array_equal(grid, solution_of(window))
    assert revealed(window) == frozenset()


@pytest.fixture
def two_photos(open_window: OpenWindow, photo: Path, tmp_path: Path) -> Window:
    """The window with two photos of one puzzle, the first looked at."""
    save_image(tmp_path / "again.png", render_board(parse_grid(EASY), px=360)[0])
    return open_window(photo, tmp_path / "again.png")


def look_at_next(window: Window) -> None:
    """Look at the next photo, and wait until it is loaded again."""
    window.actions_of_window.next_photo.trigger()
    wait_for_work(window)


def walk_to(window: Window, step: int) -> QSlider:
    """Open the walk, go to a step, and return its slider."""
    panel = switch_on(window, window.actions_of_window.walk_panel, WalkPanel)
    slider = panel.findChildren(QSlider)[0]
    wait_until(slider.isEnabled)
    slider.setValue(step)
    return slider


def test_the_walk_gives_away_no_solution_on_another_photo_of_the_puzzle(two_photos: Window) -> None:
    slider = walk_to(two_photos, step=3)

    look_at_next(two_photos)

    assert two_photos.windowTitle() == "again.png – Sudoku Lens"
    assert revealed(two_photos) == frozenset()
    assert slider.value() == 3


def test_a_step_is_drawn_on_another_photo_of_the_puzzle(two_photos: Window) -> None:
    slider = walk_to(two_photos, step=3)

    look_at_next(two_photos)
    shown = pixels(two_photos.photo.viewport())
    slider.setValue(0)
    assert pixels(two_photos.photo.viewport()) != shown
    slider.setValue(3)

    assert pixels(two_photos.photo.viewport()) == shown


def test_after_the_walk_both_photos_of_the_puzzle_lie_open_again(two_photos: Window) -> None:
    walk_to(two_photos, step=3)
    look_at_next(two_photos)

    two_photos.actions_of_window.walk_panel.trigger()

    assert len(revealed(two_photos)) == 81
    look_at_next(two_photos)
    assert len(revealed(two_photos)) == 81


def test_a_solution_asked_for_beside_the_walk_stays_open(two_photos: Window) -> None:
    slider = walk_to(two_photos, step=3)

    two_photos.actions_of_window.solution.trigger()
    slider.setValue(4)

    assert len(revealed(two_photos)) == 81


def test_a_photo_searched_anew_gives_nothing_away_beside_the_walk(window: Window) -> None:
    walk_to(window, step=3)

    window.actions_of_window.search_again.trigger()
    wait_for_work(window)

    assert revealed(window) == frozenset()


def test_a_new_puzzle_is_opened_without_its_solution(qtbot: QtBot, window: Window) -> None:
    window.actions_of_window.new_puzzle.trigger()
    (dialog,) = window.findChildren(NewPuzzleDialog)
    dialog.choose_level(Level.EASY)

    with qtbot.waitSignal(dialog.puzzle_made, timeout=60_000):
        click(dialog, "Make it")
    wait_for_work(window)

    assert rate(board_of(window).board.clues).level is Level.EASY
    assert revealed(window) == frozenset()


def test_a_new_puzzle_can_be_solved_by_typing(window: Window) -> None:
    clues = parse_grid(EASY)
    session_of(window).open_puzzle(clues, "mine", is_revealed=False, is_given=True)
    wait_for_work(window)
    panel = switch_on(window, window.actions_of_window.help_panel, HelpPanel)

    for cell, key in ((2, Qt.Key.Key_4), (3, Qt.Key.Key_9), (0, Qt.Key.Key_1)):
        window.editor.select(cell)
        QTest.keyClick(window.clean, key)
    click(panel, "Check my entries")

    assert board_of(window).board.clues.tolist() == clues.tolist()
    said = [label.text() for label in panel.findChildren(QLabel)]
    assert "1 right, 1 wrong: row 1, column 4." in said


def test_help_follows_a_corrected_digit(window: Window) -> None:
    panel = switch_on(window, window.actions_of_window.help_panel, HelpPanel)
    click(panel, "Hint")
    assert window.session is not None

    window.editor.select(2)
    QTest.keyClick(window.clean, Qt.Key.Key_5)
    wait_for_work(window)
    click(panel, "Hint")

    said = " ".join(label.text() for label in panel.findChildren(QLabel))
    assert "5 stands twice" in said


def test_pasting_from_an_empty_clipboard_is_answered_calmly(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QGuiApplication, "clipboard", _NothingCopied)

    with qtbot.waitSignal(window.intake.remark) as said:
        window.actions_of_window.paste.trigger()

    assert said.args == ["There is no photo and no puzzle in the clipboard", ""]


class _NothingCopied:
    """A clipboard as Qt shows it where nothing was ever copied."""

    def mimeData(self) -> None:  # noqa: N802
        return None

"""Help, history, sharing and new puzzles as parts of the whole window."""

from pathlib import Path

import pytest
from puzzles import EASY
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLabel, QSlider, QWidget
from window_rig import OpenWindow, board_of, press, wait_for_work, wait_until, write

from app.gui.panels.help_panel import HelpPanel
from app.gui.panels.walk_panel import WalkPanel
from app.gui.window.main_window import Window
from solver.grid import parse_grid
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


def pixels(widget: QWidget) -> bytes:
    image = widget.grab().toImage()  # which owns the pixels as long as it has a name
    return bytes(image.constBits())


def revealed(window: Window) -> frozenset[int]:
    return board_of(window).revealed


def test_a_hint_hides_the_solution_and_is_drawn_on_photo_and_board(window: Window) -> None:
    assert len(revealed(window)) == 81
    panel = switch_on(window, window.actions_of_window.help_panel, HelpPanel)

    press(panel, "Hint")

    assert revealed(window) == frozenset()
    before = pixels(window.photo.viewport()), pixels(window.clean)
    press(panel, "Which cells?")
    after = pixels(window.photo.viewport()), pixels(window.clean)
    assert before[0] != after[0]
    assert before[1] != after[1]
    press(panel, "Reveal a cell")
    (cell,) = revealed(window)
    assert parse_grid(EASY).ravel()[cell] == 0
    press(panel, "Reveal all")
    assert len(revealed(window)) == 81


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


def test_the_walk_goes_on_on_another_photo_and_gives_nothing_away(two_photos: Window) -> None:
    slider = walk_to(two_photos, step=3)

    look_at_next(two_photos)

    assert two_photos.windowTitle() == "again.png – Sudoku Lens"
    assert revealed(two_photos) == frozenset()
    assert slider.value() == 3
    shown = pixels(two_photos.photo.viewport())
    slider.setValue(0)
    assert pixels(two_photos.photo.viewport()) != shown
    slider.setValue(3)

    assert pixels(two_photos.photo.viewport()) == shown
    # After the walk both photos lie open again.
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


def test_help_follows_a_corrected_digit(window: Window) -> None:
    panel = switch_on(window, window.actions_of_window.help_panel, HelpPanel)
    press(panel, "Hint")

    write(window, 2, "5")
    wait_for_work(window)
    press(panel, "Hint")

    said = " ".join(label.text() for label in panel.findChildren(QLabel))
    assert "5 stands twice" in said


def test_pasting_from_an_empty_clipboard_is_answered_calmly(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QGuiApplication, "clipboard", _NothingCopied)

    window.actions_of_window.paste.trigger()

    said = window.status.status
    assert said.headline == "There is no photo and no puzzle in the clipboard"
    assert said.detail == ""


class _NothingCopied:
    """A clipboard as Qt shows it where nothing was ever copied."""

    def mimeData(self) -> None:  # noqa: N802
        return None

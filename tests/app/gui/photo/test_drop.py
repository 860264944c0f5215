"""Photos can be dropped wherever the window is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from puzzles import EASY_GRID
from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtGui import QDragLeaveEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from window_rig import (
    OpenWindow,
    board_of,
    document_of,
    drag_in,
    drop,
    files,
    session_of,
    wait_for_work,
    wait_until,
)

from app.gui.session.file_opener import DropHint
from app.gui.window.main_window import Window
from solver.grid import format_grid
from training.pages.flat_board import render_board
from vision.media.images import save_image


@pytest.fixture
def data(tmp_path: Path) -> QMimeData:
    """What is dragged: the file of a photo that is not open yet."""
    save_image(tmp_path / "third.png", render_board(EASY_GRID, px=400)[0])
    return files(tmp_path / "third.png")


def places_over(window: Window) -> Iterator[QPoint]:
    for y in range(6, window.height(), 37):
        for x in range(6, window.width(), 37):
            yield QPoint(x, y)


def where_refused(window: Window, data: QMimeData) -> set[str]:
    """Return the names of the widgets over which the photo may not be let go, or it is not said."""
    refused = set()
    (hint,) = window.findChildren(DropHint)
    for place in places_over(window):
        is_taken = drag_in(window, data, place) and hint.isVisible()
        QApplication.sendEvent(window.windowHandle(), QDragLeaveEvent())
        if not is_taken or hint.isVisible():
            under = window.childAt(place) or window
            refused.add(f"{type(under.parentWidget()).__name__} › {type(under).__name__}")
    return refused


def open_both(open_window: OpenWindow, photos: tuple[Path, Path]) -> Window:
    window = open_window(*photos)
    assert window.photo.isVisible()
    assert window.clean.isVisible()
    assert window.strip.isVisible()
    return window


PANELS = ["help_panel", "technique_panel", "walk_panel", "history_panel"]


def test_a_photo_may_be_let_go_over_every_part_of_the_window_and_every_panel(
    open_window: OpenWindow, photos: tuple[Path, Path], data: QMimeData
) -> None:
    window = open_both(open_window, photos)
    assert where_refused(window, data) == set()

    for panel in PANELS:
        getattr(window.actions_of_window, panel).trigger()
        wait_until(window.panels.isVisible)
        assert where_refused(window, data) == set(), panel


@pytest.mark.parametrize("state", ["place", "pause", "live"])
def test_a_photo_may_be_let_go_whatever_is_done(
    open_window: OpenWindow, photos: tuple[Path, Path], data: QMimeData, state: str
) -> None:
    window = open_both(open_window, photos)
    actions = window.actions_of_window
    if state == "pause":
        actions.play.trigger()
        window.editor.select(2)
        window.editor.play.write(4)
    getattr(actions, state).trigger()
    window.repaint()
    assert (state == "pause") == window.central_view.pause_screen.isVisible()

    assert where_refused(window, data) == set()
    count = len(session_of(window).documents)
    drop(window, data)
    wait_for_work(window)
    assert len(session_of(window).documents) == count + 1
    assert window.photo.isVisible()


def test_a_photo_may_be_let_go_where_nothing_is_open(blank: Window, data: QMimeData) -> None:
    assert blank.central_view.welcome.isVisible()

    assert where_refused(blank, data) == set()


@pytest.mark.parametrize("part", ["photo", "search"])
def test_a_photo_that_is_dropped_onto_a_part_of_the_window_is_opened(
    open_window: OpenWindow, photos: tuple[Path, Path], data: QMimeData, part: str
) -> None:
    window = open_both(open_window, photos)
    window.actions_of_window.history_panel.trigger()
    wait_until(window.panels.isVisible)
    widget: QWidget = {
        "photo": window.photo.viewport(),
        "search": window.panels.findChildren(QLineEdit)[0],
    }[part]
    place = widget.mapTo(window, widget.rect().center())

    drop(window, data, place)
    wait_for_work(window)

    assert document_of(window).name == "third.png"
    assert format_grid(board_of(window).board.clues) == format_grid(EASY_GRID)
    (hint,) = window.findChildren(DropHint)
    assert not hint.isVisible()

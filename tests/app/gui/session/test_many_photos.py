"""Hundreds of photos: how they are listed, filtered, sorted, turned and taken off the list."""

import os
import shutil
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from present import present
from puzzles import EASY_GRID, OTHER_GRID
from PySide6.QtCore import QObject, QPoint, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot
from window_rig import (
    CONTROL,
    SHIFT,
    OpenWindow,
    board_of,
    document_of,
    names_of,
    open_with,
    place_of,
    press,
    press_key,
    session_of,
    wait_for_work,
    wait_until,
)

from app.board.saved_session import load_session
from app.board.timeline import turn_points
from app.gui.photo.film_strip import FilmStrip, ListedPhoto, Standing
from app.gui.session.background import MOST_AT_ONCE, Portions
from app.gui.window.main_window import Window
from app.recognition.outcome import Outcome
from app.recognition.results import PhotoResult
from solver.grid import format_grid
from training.pages.flat_board import render_board
from vision.media.images import save_image


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two photos that can be solved and one without a board; names, dates and places differ."""
    folder = tmp_path / "photos"
    folder.mkdir()
    noise = np.random.default_rng(11).normal(128, 20, (240, 320, 3)).clip(0, 255)
    for number, (name, photo) in enumerate(
        (
            ("page 10.png", render_board(EASY_GRID, px=360)[0]),
            ("page 2.png", render_board(OTHER_GRID, px=360)[0]),
            ("noise.png", noise.astype(np.uint8)),
        )
    ):
        save_image(folder / name, photo)
        os.utime(folder / name, (1e9, 1e9 - 1000 * number))
    (folder / "notes.txt").write_text("no photo")
    return folder


def count_of(window: Window) -> str:
    return next(
        label.text()
        for label in window.central_view.photos.findChildren(QLabel)
        if "photos" in label.accessibleName()
    )


def choose(window: Window, name: str, text: str) -> None:
    """Choose something in a box by its keys, as one does who uses no mouse."""
    (box,) = (
        one
        for one in window.central_view.photos.findChildren(QComboBox)
        if one.accessibleName() == name
    )
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findText(text)):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == text


def right_click(window: Window, part: QWidget, place: QPoint) -> QMenu:
    """Click as the system does, which asks for the menu, too."""
    handle = window.windowHandle()
    QTest.mouseClick(handle, Qt.MouseButton.RightButton, pos=part.mapTo(window, place))
    menu = present(window.context_menus.menu)
    assert menu.isVisible()
    return menu


def click_on(menu: QMenu, text: str) -> None:
    (action,) = (one for one in menu.actions() if one.text().replace("&", "") == text)
    assert action.isEnabled()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def texts_of(menu: QMenu) -> list[str]:
    return [one.text().replace("&", "") for one in menu.actions() if one.isEnabled() and one.text()]


class _NoBoards:
    """Stands in for the line, and finds nothing, so that only the window's own work is seen."""

    def solve_photo(self, image: object, clock: object) -> PhotoResult:
        return PhotoResult(Outcome.NO_BOARD, (), (), {})


def copy_photos(folder: Path, count: int) -> None:
    folder.mkdir()
    save_image(folder / "000.png", render_board(EASY_GRID, px=100)[0])
    for number in range(1, count):
        shutil.copy(folder / "000.png", folder / f"{number:03}.png")


def test_a_few_steps_are_done_at_each_turn_in_their_order(qapp: object) -> None:
    done: list[int] = []
    portions = Portions(most_at_once=3)

    portions.add([partial(done.append, number) for number in range(10)])

    assert done == [0, 1, 2]
    wait_until(lambda: not portions.is_busy)
    assert done == list(range(10))


def test_what_is_left_can_be_done_at_once(qapp: object) -> None:
    done: list[int] = []
    portions = Portions(most_at_once=1)
    portions.add([partial(done.append, number) for number in range(5)])

    portions.finish()

    assert done == list(range(5))


def test_who_quits_while_photos_come_back_loses_none(qtbot: QtBot, tmp_path: Path) -> None:
    copy_photos(tmp_path / "photos", 40)
    window = open_with(_NoBoards, qtbot, tmp_path)
    window.file_opener.open_files([tmp_path / "photos"])
    wait_until(lambda: count_of(window) == "40 open")
    window.close()

    window = open_with(_NoBoards, qtbot, tmp_path)
    is_early = len(session_of(window).documents) < 40
    window.close()

    assert is_early
    (saved,) = (tmp_path / "data" / "sessions").glob("*/session.json")
    assert len(load_session(saved.parent).documents) == 40


@pytest.mark.slow
def test_keys_and_clicks_are_served_while_300_photos_open(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    copy_photos(folder, 300)
    window = open_with(_NoBoards, qtbot, tmp_path)
    session = session_of(window)
    counts: list[int] = []
    spent: list[float] = []

    def tick() -> None:
        counts.append(len(session.documents))
        spent.append(time.thread_time())  # of this thread, whatever else the machine does

    timer = QTimer()
    timer.timeout.connect(tick)
    timer.start(0)
    tick()
    window.file_opener.open_files([folder])
    wait_until(lambda: count_of(window) == "300 open", timeout=120_000)
    timer.stop()

    assert len(session.documents) == 300
    assert max(np.diff(counts)) <= MOST_AT_ONCE
    # No single turn of the loop has more than a small part of all that is to be done.
    assert max(np.diff(spent)) < (spent[-1] - spent[0]) / 5
    window.close()


def test_photos_are_counted_and_sorted_by_outcome(open_window: OpenWindow, folder: Path) -> None:
    names = ["page 10.png", "noise.png", "page 2.png"]
    window = open_window(*(folder / name for name in names))
    assert count_of(window) == "3 open"

    for order, sorted_names in (
        ("By name", ["noise.png", "page 2.png", "page 10.png"]),
        ("By outcome", ["page 10.png", "page 2.png", "noise.png"]),
        ("By date", ["noise.png", "page 2.png", "page 10.png"]),
        ("As opened", names),
    ):
        choose(window, "Sort the photos", order)
        assert names_of(window) == sorted_names, order
    choose(window, "Show photos by outcome", "Solved")
    assert (names_of(window), count_of(window)) == (["page 10.png", "page 2.png"], "2 of 3")
    QTest.keyClick(window.photo, Qt.Key.Key_PageDown)
    assert document_of(window).name == "page 2.png"  # the next one that is shown
    choose(window, "Show photos by outcome", "Not solved")
    assert (names_of(window), count_of(window)) == (["noise.png"], "1 of 3")


def test_undo_brings_a_deleted_photo_back(open_window: OpenWindow, folder: Path) -> None:
    window = open_window(folder)
    choose(window, "Sort the photos", "By name")
    QTest.mouseClick(
        window.strip.viewport(), Qt.MouseButton.LeftButton, pos=place_of(window, "page 2.png")
    )
    wait_for_work(window)
    window.strip.setFocus()

    QTest.keyClick(window.strip, Qt.Key.Key_Delete)

    assert names_of(window) == ["noise.png", "page 10.png"]
    assert (folder / "page 2.png").exists()
    assert document_of(window).name == "page 10.png"
    assert "page 2.png" in window.status.status.headline
    press_key(window, Qt.Key.Key_Z, CONTROL)
    assert names_of(window) == ["noise.png", "page 2.png", "page 10.png"]
    assert document_of(window).name == "page 2.png"
    assert format_grid(board_of(window).board.clues) == format_grid(OTHER_GRID)
    assert window.photo.picture is not None


def test_the_last_photo_is_brought_back_by_a_button(open_window: OpenWindow, folder: Path) -> None:
    window = open_window(folder / "page 2.png")
    window.actions_of_window.remove.trigger()
    assert window.document is None

    press(window.status, "Undo")
    wait_for_work(window)

    assert document_of(window).name == "page 2.png"


def test_a_right_click_is_about_the_photo_under_it(open_window: OpenWindow, folder: Path) -> None:
    window = open_window(folder / "page 10.png", folder / "page 2.png")

    menu = right_click(window, window.strip.viewport(), place_of(window, "page 2.png"))
    offered = texts_of(menu)
    click_on(menu, "Copy the solution")

    assert offered == [
        "Look at it",
        "Turn left",
        "Turn right",
        "Copy the solution",
        "Show in its folder",
        "Remove from the list",
    ]
    assert document_of(window).name == "page 10.png"
    (other,) = (one for one in session_of(window).documents if one is not window.document)
    solution = present(present(other.board).solution)
    assert QGuiApplication.clipboard().text() == format_grid(solution)

    # Elsewhere on the photo, so that it is no double click.
    place = place_of(window, "page 2.png") + QPoint(0, 25)
    click_on(right_click(window, window.strip.viewport(), place), "Look at it")
    assert document_of(window).name == "page 2.png"
    click_on(
        right_click(window, window.strip.viewport(), place_of(window, "page 10.png")),
        "Remove from the list",
    )
    assert names_of(window) == ["page 2.png"]


class _Opened(QObject):
    """Takes the place of the system's program for files."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[QUrl] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.urls.append(url)


def test_the_folder_of_a_photo_is_opened(open_window: OpenWindow, folder: Path) -> None:
    window = open_window(folder)
    opened = _Opened()
    # The stub asks for bytes, and what is called takes none.
    QDesktopServices.setUrlHandler("file", opened, "take")  # type: ignore[arg-type]

    window.actions_of_window.show_folder.trigger()
    QDesktopServices.unsetUrlHandler("file")

    assert [Path(url.toLocalFile()) for url in opened.urls] == [folder]


def test_a_right_click_on_a_cell_is_about_that_cell(open_window: OpenWindow, folder: Path) -> None:
    window = open_window(folder / "page 2.png")
    window.actions_of_window.solution.trigger()
    wait_for_work(window)
    place = window.clean.cell_rect(1).center().toPoint()

    click_on(right_click(window, window.clean, place), "Solution of the cell")

    assert window.editor.cell == 1
    assert board_of(window).revealed == frozenset({1})
    place = window.photo.cell_rect(4).center().toPoint()
    menu = right_click(window, window.photo.viewport(), place)
    assert window.editor.cell == 4
    assert {"Turn right", "Copy the solution", "Show in its folder"} <= set(texts_of(menu))
    menu.close()


def test_a_turned_photo_keeps_its_board_and_clues(open_window: OpenWindow, folder: Path) -> None:
    window = open_window(folder / "page 2.png")
    window.editor.select(1)
    press_key(window, Qt.Key.Key_1)
    document = document_of(window)
    size, before = present(document.picture).size(), board_of(window).board

    press_key(window, Qt.Key.Key_R, CONTROL)

    assert present(document.picture).size() == size.transposed()
    after = board_of(window).board
    turned = turn_points(before.corners, size.toTuple(), 1)
    np.testing.assert_allclose(after.corners, turned, atol=1e-3)
    assert np.array_equal(after.clues, before.clues)
    # A click finds the cell where it is now.
    place = window.photo.cell_rect(0).center().toPoint()
    assert window.photo.cell_under(place) == (0, 0)
    assert place.x() > window.photo.viewport().width() / 2
    press_key(window, Qt.Key.Key_Z, CONTROL)
    assert format_grid(board_of(window).board.clues) == format_grid(OTHER_GRID)
    np.testing.assert_allclose(board_of(window).board.corners, after.corners, atol=1e-3)
    press_key(window, Qt.Key.Key_R, CONTROL | SHIFT)
    np.testing.assert_allclose(board_of(window).board.corners, before.corners, atol=1e-3)


def test_a_turned_photo_stays_turned_at_next_start(open_window: OpenWindow, folder: Path) -> None:
    window = open_window(folder / "page 2.png")
    window.editor.select(1)
    QTest.keyClick(window, Qt.Key.Key_1)
    press_key(window, Qt.Key.Key_R, CONTROL)
    corners = board_of(window).board.corners
    window.close()

    window = open_window()
    wait_for_work(window)

    assert document_of(window).turns == 1
    assert board_of(window).by_hand == {1}
    np.testing.assert_allclose(board_of(window).board.corners, corners, atol=5)


# --- the list by itself


class Key:
    """Stands for a document."""


def click(strip: FilmStrip, row: int) -> None:
    place = strip.visualRect(strip.model().index(row, 0)).center()
    QTest.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_photo_that_leaves_the_list_is_shown_until_another_is_clicked(qtbot: QtBot) -> None:
    strip, first, second = FilmStrip(), Key(), Key()
    qtbot.addWidget(strip)
    strip.resize(strip.width(), 600)
    strip.show()
    for key, name in ((first, "a"), (second, "b")):
        strip.put(key, ListedPhoto(name, standing=Standing.WORKING))
    strip.show_chosen(first)
    strip.show_only(Standing.WORKING)
    chosen: list[object] = []
    strip.chosen.connect(chosen.append)

    strip.put(first, ListedPhoto("a", standing=Standing.SOLVED))  # it is not shown any more

    assert strip.shown == [second]
    assert chosen == []
    click(strip, 0)
    assert chosen == [second]

"""What is named when the window is started, and what it says of boards and files in doubt."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from present import present
from puzzles import EASY_GRID, OTHER_GRID
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from window_rig import (
    LEFT,
    OpenWindow,
    Speak,
    board_of,
    document_of,
    drop,
    files,
    open_with,
    press,
    press_key,
    read_labels,
    session_of,
    wait_for_work,
    wait_until,
)

from app.board.board_state import BoardState, PhotoState
from app.board.timeline import Timeline
from app.gui.window.main_window import Window
from app.gui.window.status_line import Severity
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from solver.grid import format_grid
from training.pages.flat_board import render_board
from vision.media.images import save_image


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Path]]:
    """Runs the command, and returns what it would open in the window."""
    from app.cli import command_line as cli
    from app.terminal.exit_codes import ExitCode

    opened: list[Path] = []

    def open_window(photos: list[Path]) -> ExitCode:
        opened.extend(photos)
        return ExitCode.SOLVED

    def run(*arguments: str) -> list[Path]:
        monkeypatch.setattr(sys, "argv", ["sudoku-lens", *arguments])
        monkeypatch.setattr("app.gui.start.open_window", open_window)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 0
        return opened

    return run


def test_photos_and_folders_without_a_command_open_the_window(
    started: Callable[..., list[Path]], photo: Path, tmp_path: Path
) -> None:
    paths = [photo, Path("missing.jpg"), tmp_path]

    assert started(*map(str, paths)) == paths


def test_of_a_folder_without_photos_that_is_said(open_window: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    window = open_window(tmp_path / "empty")

    assert window.document is None
    assert "There is no photo in empty" in read_labels(window.central_view.notice)
    press(window.central_view.notice, "Close")
    drop(window, files(tmp_path / "empty"))
    assert "There is no photo in empty" in read_labels(window.central_view.notice)


def test_a_video_opens_in_the_live_view(open_window: OpenWindow, tmp_path: Path) -> None:
    path = tmp_path / "page.avi"
    picture = render_board(EASY_GRID, px=360)[0]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, picture.shape[1::-1])
    for _ in range(5):
        writer.write(picture)
    writer.release()

    window = open_window(path)

    assert window.live.is_on
    page = present(window.live.page)
    assert page.isVisible()
    assert page.sources.list.currentText() == "page.avi"
    assert window.document is None


def doubt(window: Window, cell: int, chances: dict[int, float]) -> None:
    """Let the board that is looked at be one whose cell was not read for sure."""
    document = document_of(window)
    board = present(document.board).board
    reading = present(board.reading)
    probabilities = reading.probabilities.copy()
    probabilities[cell] = 0
    for digit, chance in chances.items():
        probabilities[cell, digit] = chance
    clues = board.clues.copy()
    clues.flat[cell] = max(chances, key=lambda digit: chances[digit])
    board = replace(
        board,
        outcome=Outcome.UNREADABLE,
        clues=clues,
        solution=None,
        reading=replace(reading, probabilities=probabilities),
    )
    document.timeline = Timeline(PhotoState((BoardState(board),), 0))
    session_of(window).changed.emit(document)


def test_every_doubtful_cell_is_settled_by_a_click_and_the_next_one_follows(window: Window) -> None:
    assert not window.central_view.doubts.isVisible()
    assert not window.central_view.notice.isVisible()  # all can be written
    doubt(window, 12, {8: 0.5, 1: 0.3, 7: 0.2})
    doubt(window, 19, {9: 0.6, 0: 0.4})
    assert "1 of 2" in read_labels(window.central_view.doubts)

    press(window.central_view.doubts, "Next doubtful cell")
    assert read_labels(window.central_view.doubts) == "Row 3, column 2: 9 or empty? 2 of 2"
    assert window.editor.cell == 19
    press(window.central_view.doubts, "Digit 9")
    wait_for_work(window)
    assert read_labels(window.central_view.doubts) == "Row 2, column 4: 8, 1 or 7?"
    assert window.editor.cell == 12
    press(window.central_view.doubts, "1")
    wait_for_work(window)

    assert board_of(window).board.clues[1, 3] == 1
    assert board_of(window).solution is not None
    assert not window.central_view.doubts.isVisible()


def test_a_doubtful_cell_is_asked_for_with_the_spaces_of_french(
    window: Window, speak: Speak
) -> None:
    doubt(window, 12, {8: 0.5, 1: 0.5})

    speak("fr")

    asked = "Ligne 2, colonne 4\xa0: 1 ou 8\xa0?"
    wait_until(lambda: read_labels(window.central_view.doubts).startswith(asked), 5_000)


def test_the_boards_of_a_photo_are_counted_clicked_and_walked_by_arrows(
    open_window: OpenWindow, tmp_path: Path, photo: Path
) -> None:
    left, right = render_board(EASY_GRID, px=300)[0], render_board(OTHER_GRID, px=300)[0]
    save_image(tmp_path / "two.png", np.concatenate([left, right], axis=1))
    window = open_window(tmp_path / "two.png", photo)
    document = document_of(window)
    assert read_labels(window.central_view.boards) == "Board 1 of 2"
    first = board_of(window).board.clues

    middle = window.photo.layers[1].cell_polygon(40).boundingRect().center()
    QTest.mouseClick(window.photo.viewport(), LEFT, pos=window.photo.mapFromScene(middle))
    assert document.state.chosen == 1
    assert window.editor.cell is None
    seen = {format_grid(first), format_grid(board_of(window).board.clues)}
    assert seen == {format_grid(EASY_GRID), format_grid(OTHER_GRID)}
    assert read_labels(window.central_view.boards) == "Board 2 of 2"
    press(window.central_view.boards, "Previous board")
    assert document.state.chosen == 0
    press(window.central_view.boards, "Next board")
    assert document.state.chosen == 1
    QTest.keyClick(window, Qt.Key.Key_N)
    assert document.state.chosen == 0
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert document.state.chosen == 1

    press_key(window, Qt.Key.Key_PageDown)
    assert not window.central_view.boards.isVisible()


def test_a_file_that_is_missing_or_broken_is_said_in_the_pictures_place(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n nothing more")

    window = open_window(tmp_path / "gone.png", broken)

    assert "gone.png does not exist any more" in read_labels(window.photo)
    assert not window.clean.isVisible()
    QTest.keyClick(window, Qt.Key.Key_PageDown)
    assert "broken.png" in read_labels(window.photo)
    assert "damaged" in read_labels(window.photo)


def test_a_file_that_is_cut_short_or_has_more_pages_says_so_above_its_board(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    board, _ = render_board(EASY_GRID, px=360)
    coded = cv2.imencode(".jpg", board)[1].tobytes()
    (tmp_path / "cut.jpg").write_bytes(coded[: len(coded) * 95 // 100])
    cv2.imwritemulti(str(tmp_path / "pages.tif"), [board, board])

    window = open_window(tmp_path / "cut.jpg", tmp_path / "pages.tif")

    wait_for_work(window)
    assert "cut short" in read_labels(window.status)
    press_key(window, Qt.Key.Key_PageDown)
    assert "the first of 2 pages" in read_labels(window.status)
    assert "cut short" not in read_labels(window.status)


def test_a_photo_that_vanished_is_said_and_is_there_again_when_it_is(
    open_window: OpenWindow, photo: Path, tmp_path: Path
) -> None:
    others = [tmp_path / f"{number}.png" for number in range(5)]
    for other in others:
        other.write_bytes(photo.read_bytes())
    window = open_window(photo, *others)
    for _ in others:
        press_key(window, Qt.Key.Key_PageDown)
    data = photo.read_bytes()
    photo.unlink()
    press_key(window, Qt.Key.Key_PageDown)
    assert "easy.png does not exist any more" in read_labels(window.photo)

    photo.write_bytes(data)
    press(window.status, "Try again")
    wait_for_work(window)

    assert read_labels(window.photo) == ""
    assert window.status.status.severity is Severity.GOOD


def test_a_home_that_cannot_be_written_is_said_once_and_photos_are_solved(
    qtbot: QtBot, tmp_path: Path, photo: Path, pipeline: Pipeline
) -> None:
    (tmp_path / "file").write_text("no folder")
    window = open_with(lambda: pipeline, qtbot, tmp_path / "file", photo)
    wait_for_work(window)

    assert window.status.status.severity is Severity.GOOD
    assert "cannot be written to" in read_labels(window.central_view.notice)
    press(window.central_view.notice, "Close")
    window.actions_of_window.search_again.trigger()
    wait_for_work(window)

    assert not window.central_view.notice.isVisible()
    window.close()

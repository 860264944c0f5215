"""What was open comes back as it was left: from the history, and at the next start."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from puzzles import EASY_GRID, EULER_GRID
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QMessageBox
from window_rig import (
    CONTROL,
    OpenWindow,
    board_of,
    click_row,
    document_of,
    kept_in,
    press,
    read_labels,
    session_of,
    wait_for_work,
    wait_until,
    write,
)

from app.board.board_edits import move_corners
from app.board.saved_session import FILE_NAME, load_session
from app.gui.session.document import to_qimage
from app.gui.window.main_window import Window
from app.gui.window.status_line import Severity
from solver.formats_kinds import KindPuzzle
from solver.grid import format_grid
from solver.rules import box_rules
from training.pages.flat_board import render_board
from vision.media.images import save_image


def names_of(window: Window) -> list[str]:
    return [document.name for document in session_of(window).documents]


def open_given(window: Window) -> None:
    """Open a puzzle as the dialog for new ones does."""
    window.commands._open_made(KindPuzzle(box_rules(9), EASY_GRID))
    wait_for_work(window)


def open_corrected(open_window: OpenWindow, photo: Path) -> Window:
    """Open a photo, and type a digit into one of its cells."""
    window = open_window(photo)
    write(window, 2, "4")
    wait_for_work(window)
    return window


def open_from_history(window: Window, row: int = 0) -> None:
    if not window.actions_of_window.history_panel.isChecked():
        window.actions_of_window.history_panel.trigger()
    panel = window.history_recorder.panel()
    wait_until(panel.isVisible)
    click_row(panel.findChildren(QListWidget)[0], row)
    press(panel, "Open")
    wait_for_work(window)


def test_a_generated_puzzle_is_opened_from_the_history_as_it_was_left(blank: Window) -> None:
    open_given(blank)
    write(blank, 2, "4")
    write(blank, 3, "1")
    blank.editor.select(5)
    QTest.keyClick(blank.clean, Qt.Key.Key_6, CONTROL)
    blank.editor.reveal_cell(80 - 2)
    blank.actions_of_window.close.trigger()
    assert blank.document is None

    open_from_history(blank)

    board = board_of(blank)
    assert board.solution is not None
    assert board.board.entries.ravel()[2:4].tolist() == [4, 1]
    assert board.pencil.centre[5] == 1 << 6
    assert blank.central_view.play_bar.isVisible()
    assert board.revealed == {78}
    assert blank.clean.face is not None
    assert sum(cell.solution > 0 for cell in blank.clean.face.cells) <= 1


def test_an_untouched_puzzle_is_opened_from_the_history_unsolved(blank: Window) -> None:
    open_given(blank)

    open_from_history(blank)

    assert board_of(blank).revealed == frozenset()
    assert len(names_of(blank)) == 2


# --- the next start


def close_and_open_again(window: Window, open_window: OpenWindow) -> Window:
    window.close()
    assert not window.isVisible()
    return open_window()


def dialog_of(window: Window) -> QMessageBox:
    assert isinstance(window.notice, QMessageBox)
    return window.notice


def test_photos_are_open_again_at_the_next_start(
    open_window: OpenWindow, photos: tuple[Path, Path]
) -> None:
    first = open_window(*photos)
    first.actions_of_window.next_photo.trigger()
    wait_for_work(first)

    window = close_and_open_again(first, open_window)

    assert names_of(window) == ["easy.png", "other.png"]
    assert document_of(window).path == photos[1]
    assert format_grid(board_of(window).board.clues) == format_grid(EULER_GRID)
    assert board_of(window).solution is not None


def test_a_half_typed_puzzle_is_there_again_at_the_next_start(open_window: OpenWindow) -> None:
    first = open_window()
    first.actions_of_window.type_puzzle.trigger()
    for cell in (0, 1):  # which has no solution, as is soon found out
        write(first, cell, "5")
    wait_for_work(first)

    window = close_and_open_again(first, open_window)

    assert board_of(window).is_typed
    assert board_of(window).board.clues.ravel()[:3].tolist() == [5, 5, 0]
    write(window, 4, "7")
    assert board_of(window).board.clues.flat[4] == 7


def test_entries_and_their_steps_are_there_again_at_the_next_start(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    first = open_window()
    open_given(first)
    write(first, 2, "4")
    write(first, 3, "71")
    first.editor.select(5)
    QTest.keyClick(first.clean, Qt.Key.Key_6, CONTROL)

    window = close_and_open_again(first, open_window)

    board = board_of(window)
    assert board.is_given
    assert board.revealed == frozenset()
    seen = []
    for _ in range(4):
        board = board_of(window)
        assert board.solution is not None  # for the same clues: nothing is solved anew
        entries = board.board.entries.ravel()[2:4].tolist()
        seen.append((entries, board.pencil.centre[5]))
        QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert seen == [([4, 1], 1 << 6), ([4, 1], 0), ([4, 7], 0), ([4, 0], 0)]
    assert not board_of(window).board.entries.any()
    write(window, 3, "6")
    window.close()
    assert kept_in(tmp_path)[0].entries.ravel()[2:4].tolist() == [0, 6]


def test_corrections_are_there_at_the_next_start(open_window: OpenWindow, photo: Path) -> None:
    first = open_corrected(open_window, photo)
    QTest.keyClick(first, Qt.Key.Key_S)

    window = close_and_open_again(first, open_window)

    board = board_of(window)
    assert board.board.clues.flat[2] == 4
    assert board.by_hand == {2}
    assert board.board.reading is not None
    assert board.solution is not None
    assert board.revealed == frozenset()
    for _ in range(2):  # the solution was hidden last
        QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    wait_for_work(window)
    assert np.array_equal(board_of(window).board.clues, EASY_GRID)
    assert board_of(window).solution is not None


def test_a_board_placed_by_hand_is_there_again(open_window: OpenWindow, photo: Path) -> None:
    first = open_window(photo)
    corners = board_of(first).board.corners + np.array([30, 20], np.float32)
    session_of(first).act(lambda state: move_corners(state, corners))
    wait_for_work(first)

    window = close_and_open_again(first, open_window)

    (board,) = window.document.state.boards if window.document is not None else ()
    # Whichever way it is turned, which an empty margin does not tell.
    assert sorted(np.round(board.board.corners).tolist()) == sorted(np.round(corners).tolist())
    assert board.pending is None


def test_what_was_done_to_a_photo_is_dropped_where_its_file_is_another_one(
    open_window: OpenWindow, photo: Path
) -> None:
    open_corrected(open_window, photo).close()
    save_image(photo, render_board(EULER_GRID, px=450)[0])

    window = open_window()

    assert format_grid(board_of(window).board.clues) == format_grid(EULER_GRID)
    assert board_of(window).by_hand == frozenset()


def test_a_pasted_picture_is_there_the_next_time(open_window: OpenWindow, tmp_path: Path) -> None:
    first = open_window()
    QGuiApplication.clipboard().setImage(to_qimage(render_board(EULER_GRID, px=360)[0]))
    first.actions_of_window.paste.trigger()
    wait_for_work(first)

    second = close_and_open_again(first, open_window)
    window = close_and_open_again(second, open_window)

    assert names_of(window) == ["Pasted picture"]
    assert format_grid(board_of(window).board.clues) == format_grid(EULER_GRID)
    copies = list((tmp_path / "data").rglob("picture-*"))
    assert len(copies) == 1
    window.actions_of_window.close.trigger()
    assert "in no file" in dialog_of(window).informativeText()
    press(dialog_of(window), "Close it")
    window.close()
    assert not list((tmp_path / "data").rglob("picture-*"))


def test_that_nothing_can_be_kept_is_told_when_it_begins(blank: Window, tmp_path: Path) -> None:
    open_given(blank)
    assert not blank.central_view.notice.isVisible()
    sessions = tmp_path / "data" / "sessions"
    sessions.rename(tmp_path / "away")
    sessions.write_text("in the way", encoding="utf-8")

    write(blank, 2, "1")
    write(blank, 3, "1")
    assert "Nothing can be kept here" in read_labels(blank.central_view.notice)
    press(blank.central_view.notice, "Close")
    write(blank, 5, "1")

    assert not blank.central_view.notice.isVisible()


def test_a_picture_that_could_not_be_kept_is_kept_once_there_is_room(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    window, sessions = open_window(), tmp_path / "data" / "sessions"
    away = sessions.rename(tmp_path / "away")
    sessions.write_text("in the way", encoding="utf-8")
    QGuiApplication.clipboard().setImage(to_qimage(render_board(EULER_GRID, px=360)[0]))
    window.actions_of_window.paste.trigger()
    wait_for_work(window)
    window.close()
    press(dialog_of(window), "Do not quit")

    sessions.unlink()
    away.rename(sessions)
    again = close_and_open_again(window, open_window)

    assert names_of(again) == ["Pasted picture"]
    assert format_grid(board_of(again).board.clues) == format_grid(EULER_GRID)


def test_a_photo_that_is_gone_stays_listed_as_it_was(open_window: OpenWindow, photo: Path) -> None:
    open_corrected(open_window, photo).close()
    away = photo.rename(photo.with_name("away.png"))

    second = open_window()
    assert names_of(second) == ["easy.png"]
    assert second.status.status.severity is Severity.BAD
    second.close()
    away.rename(photo)

    assert board_of(open_window()).by_hand == {2}


def test_a_photo_that_is_asked_for_is_opened_beside_those_of_the_last_time(
    open_window: OpenWindow, photos: tuple[Path, Path]
) -> None:
    open_window(photos[0]).close()

    second = open_window(photos[1])
    assert names_of(second) == ["other.png", "easy.png"]
    assert document_of(second).path == photos[1]
    second.close()
    window = open_window(photos[0])

    assert names_of(window) == ["other.png", "easy.png"]
    assert document_of(window).path == photos[0]


def test_what_was_closed_stays_closed(open_window: OpenWindow, photo: Path) -> None:
    first = open_window(photo)
    first.actions_of_window.close.trigger()
    assert first.document is None

    window = close_and_open_again(first, open_window)

    assert names_of(window) == []
    assert window.central_view.welcome.isVisible()


def test_what_is_open_is_kept_while_the_window_is_open(blank: Window, tmp_path: Path) -> None:
    open_given(blank)
    write(blank, 2, "4")

    folder = tmp_path / "data" / "sessions" / "1"
    wait_until(
        lambda: any(
            board.entries[2] == "4"
            for document in load_session(folder).documents
            for board in document.boards
        )
    )


def test_a_solution_that_a_walk_kept_back_lies_open_again(
    open_window: OpenWindow, photo: Path
) -> None:
    first = open_window(photo)
    first.actions_of_window.walk_panel.trigger()
    wait_until(lambda: not board_of(first).revealed)

    window = close_and_open_again(first, open_window)

    assert board_of(window).is_open


def test_the_session_of_a_killed_window_is_taken_up(
    open_window: OpenWindow, tmp_path: Path, photo: Path
) -> None:
    open_window(photo).close()
    lock = tmp_path / "data" / "sessions" / "1" / "lock"
    program = (
        "import os, sys; from PySide6.QtCore import QLockFile; lock = QLockFile(sys.argv[1]);"
        "assert lock.tryLock(0); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", program, str(lock)], check=True)
    assert lock.exists()

    assert names_of(open_window()) == ["easy.png"]


def test_two_windows_at_a_time_lose_nothing(
    open_window: OpenWindow, photos: tuple[Path, Path]
) -> None:
    first = open_window(photos[0])
    second = open_window(photos[1])
    assert names_of(second) == ["other.png"]
    second.close()
    first.close()

    window = open_window()
    assert sorted(names_of(window)) == ["easy.png", "other.png"]

    window = close_and_open_again(window, open_window)
    assert sorted(names_of(window)) == ["easy.png", "other.png"]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"version": 99}',
        '{"version": 1, "documents": [null, {"name": 3}, {"name": "a", "boards": []}]}',
        '{"version": 1, "documents": [{"name": "a", "boards": [{"clues": null, "entries": 5}]}]}',
        "[" * 100_000,
        "\0\xff",
    ],
)
def test_a_broken_file_of_the_last_session_holds_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_bytes(text.encode("latin-1"))

    assert load_session(tmp_path).documents == ()


def test_what_makes_no_sense_in_the_last_session_is_left_out(
    open_window: OpenWindow, tmp_path: Path, photo: Path
) -> None:
    clues = format_grid(EASY_GRID)
    board = {"clues": clues, "entries": "." * 81, "of_a_later_version": 5}
    broken: list[dict[str, object]] = [
        {"by_hand": [2, 81]},
        {"by_hand": ["x"]},
        {"revealed": None},
        {"seconds": -1},
        {"entries": "."},
        {"corners": [[0, 0], [1e999, 0], [1, 1], [0, 1]]},
        {"corners": [[0, 0], [0, 0], [0, 0], [0, 0]]},
        {"corners": [[0, 0], [9, 0], [9, 9]]},
    ]
    path = str(photo)
    documents = [
        {"name": "twice", "boards": [board, board]},
        {"name": "typed", "boards": [board]},
        *({"name": "broken", "boards": [{**board, **one}]} for one in broken),
        *({"name": "broken", "path": path, "boards": [{**board, **one}]} for one in broken[-3:]),
        {"name": "broken", "path": path, "chosen": 5},
        {"name": "easy.png", "path": path},
    ]
    folder = tmp_path / "data" / "sessions" / "1"
    folder.mkdir(parents=True)
    told = {"version": 1, "documents": documents, "current": len(documents) - 1}
    (folder / FILE_NAME).write_text(json.dumps(told))

    window = open_window()

    assert names_of(window) == ["typed", "easy.png"]
    assert board_of(window).solution is not None
    assert window.notice is None
    assert json.loads((folder / "session-damaged.json").read_bytes()) == told


# --- asking first


def test_closing_asks_before_what_was_typed_is_lost(blank: Window) -> None:
    blank.actions_of_window.type_puzzle.trigger()
    QTest.keyClicks(blank.clean, "53")
    wait_for_work(blank)

    blank.actions_of_window.close.trigger()
    assert dialog_of(blank).text() == "Close “Typed puzzle”?"
    press(dialog_of(blank), "Keep it open")
    assert names_of(blank) == ["Typed puzzle"]

    blank.actions_of_window.close.trigger()
    press(dialog_of(blank), "Close it")
    assert names_of(blank) == []


def test_closing_asks_nothing_where_history_holds_it(open_window: OpenWindow, photo: Path) -> None:
    window = open_corrected(open_window, photo)
    open_given(window)
    write(window, 2, "1")

    window.actions_of_window.close.trigger()
    window.actions_of_window.close.trigger()

    assert window.notice is None
    assert names_of(window) == []


def test_quitting_asks_before_a_session_is_lost(open_window: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sessions").write_text("in the way")
    window = open_window()
    window.actions_of_window.type_puzzle.trigger()
    QTest.keyClicks(window.clean, "53")
    wait_for_work(window)

    window.close()
    assert window.isVisible()
    assert "cannot be kept" in dialog_of(window).informativeText()
    press(dialog_of(window), "Do not quit")
    assert window.isVisible()
    window.close()
    press(dialog_of(window), "Quit")

    assert not window.isVisible()


def test_quitting_asks_nothing_where_only_files_are_open(
    open_window: OpenWindow, tmp_path: Path, photo: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sessions").write_text("in the way")
    window = open_window(photo)

    window.close()

    assert not window.isVisible()

"""Boards of other sides than nine: drawn, chosen, typed into, told to screen readers, and kept."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from kind_puzzles import kind_photo, make_kind
from large_boards import blank_face
from present import present
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QAction, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot
from window_rig import (
    LEFT,
    OpenWindow,
    board_of,
    click_cell,
    press_key,
    session_of,
    solution_of,
    wait_for_work,
)

from app.board.board_edits import make_stroke, move_corners
from app.board.board_forms import face_of, resume_saved_puzzle, save_board
from app.board.board_state import Pending, PhotoState, begin_puzzle, swap_board
from app.board.board_values import DIGIT_CHARS, Doubt, EntryMode
from app.board.saved_session import SavedDocument, SavedSession, load_session, save_session
from app.board.timeline import settle
from app.gui.board.access import install_board_access
from app.gui.board.board_bars import PlayBar
from app.gui.board.clean_board import CleanBoard
from app.gui.board.keys import DigitPad, pressed_digit, typed_digit
from app.gui.board.layer import BoardLayer
from app.gui.photo.corner_handles import CornerHandles
from app.gui.photo.viewer import PhotoView
from app.gui.window.main_window import Window
from app.recognition.outcome import Outcome
from app.recognition.reading import BoardReading
from solver.formats_kinds import KindPuzzle
from solver.rules import CLASSIC_RULES, Kind
from vision.board import corners_from_lattice, lattice_from_corners
from vision.media.images import save_image


def make(side: int) -> KindPuzzle:
    return make_kind(Kind.CLASSIC, side=side, seed=1)


@pytest.fixture(params=[4, 6, 16])
def side(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def begin(side: int, *, is_given: bool = False) -> PhotoState:
    return begin_puzzle(make(side).clues, is_given=is_given, rules=make(side).rules)


def test_a_board_shows_its_cells_digits_and_boxes(side: int) -> None:
    puzzle, face = make(side), face_of(present(begin(side).board))

    assert face.side == side
    assert [cell.clue for cell in face.cells] == puzzle.clues.ravel().tolist()
    for number, box in enumerate(puzzle.rules.regions):
        assert {face.regions[cell] for cell in box} == {number}
    assert face.quad(side**2 - 1)[2] == (float(side), float(side))
    assert face.corners[2] == (float(side), float(side))


def test_every_cell_of_the_clean_board_is_chosen_by_a_click(clean: CleanBoard, side: int) -> None:
    clean.show_face(face_of(present(begin(side).board)))
    chosen: list[int] = []
    clean.cell_clicked.connect(chosen.append)

    for cell in range(side**2):
        click_cell(clean, cell)

    assert chosen == list(range(side**2))


def test_every_cell_on_a_photo_is_found(qapp: object, side: int) -> None:
    corners = np.array([[10, 10], [410, 30], [390, 420], [20, 400]], np.float32)
    lattice = lattice_from_corners(corners, side).tolist()
    face = face_of(present(begin(side).board))
    layer = BoardLayer(
        replace(face, lattice=tuple(tuple((x, y) for x, y in line) for line in lattice))
    )

    middles = [layer.cell_polygon(cell).boundingRect().center() for cell in range(side**2)]

    assert [layer.cell_at(middle) for middle in middles] == list(range(side**2))
    assert layer.cell_at(QPointF(0, 0)) is None


def test_a_board_is_drawn_with_lines_between_all_cells(clean: CleanBoard, side: int) -> None:
    clean.show_face(blank_face(side))
    picture = clean.grab().toImage()
    rows = [clean.cell_rect(cell).center().y() for cell in range(0, side**2, side)]

    # Along the middle of each row: as many lines as there are columns, and one more.
    paper = picture.pixelColor(clean.cell_rect(0).center().toPoint())
    for y in rows:
        inside = clean.cell_rect(0).left() - 3, clean.cell_rect(side - 1).right() + 3
        other = [picture.pixelColor(x, round(y)) != paper for x in range(*map(round, inside))]
        starts = [now and not before for before, now in pairwise(other)]
        assert sum(starts) + other[0] == side + 1


def test_a_screen_reader_is_told_every_cell(clean: CleanBoard, side: int) -> None:
    install_board_access()
    clean.show_face(face_of(present(begin(side).board)))

    spoken = QAccessible.queryAccessibleInterface(clean)

    assert spoken.childCount() == side**2
    last = spoken.child(side**2 - 1).text(QAccessible.Text.Name)
    digit = int(make(side).clues.flat[side**2 - 1])
    told = f"{DIGIT_CHARS[digit - 1]}, clue" if digit else "empty"
    assert last == f"row {side}, column {side}, {told}"


def test_a_screen_reader_follows_a_board_of_another_side(clean: CleanBoard) -> None:
    install_board_access()
    spoken = QAccessible.queryAccessibleInterface(clean)
    assert spoken.childCount() == 0
    clean.show_face(blank_face(4))
    assert spoken.childCount() == 16

    clean.show_face(blank_face(16))
    assert spoken.childCount() == 256
    last = spoken.child(255)

    clean.show_face(blank_face(9))
    assert spoken.childCount() == 81
    assert not last.isValid()
    assert last.text(QAccessible.Text.Name) == ""


HEXADECIMAL = "0123456789ABCDEF"


@pytest.mark.parametrize("symbols", [DIGIT_CHARS[:4], DIGIT_CHARS[:9], HEXADECIMAL])
def test_the_pad_has_a_key_for_each_digit(qtbot: QtBot, symbols: str) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    room.resize(600, 600)
    room.show()
    pad = DigitPad(room)
    chosen: list[int] = []
    pad.digit_chosen.connect(chosen.append)
    pad.show_beside(
        QRectF(40, 40, 30, 30), symbols=DIGIT_CHARS[:16], digit=0, is_printed=True, can_reveal=False
    )
    pad.show_beside(
        QRectF(40, 40, 30, 30), symbols=symbols, digit=3, is_printed=True, can_reveal=False
    )

    keys = [
        one
        for one in pad.findChildren(QPushButton)
        if one.isVisible() and one.property("kind") == "digit"
    ]
    assert [key.text() for key in keys] == list(symbols)
    assert keys[0].accessibleName() == f"Digit {symbols[0]}"
    assert [key.isChecked() for key in keys].index(True) == 2
    assert all(pad.rect().contains(key.geometry()) for key in keys)
    for key in keys:
        QTest.mouseClick(key, LEFT)
    assert chosen == list(range(1, len(symbols) + 1))


def test_the_keys_of_play_are_those_of_the_board_and_nine_colours(qtbot: QtBot) -> None:
    bar = PlayBar(tuple(QAction() for _ in range(4)), ())
    qtbot.addWidget(bar)
    bar.show()

    for symbols in (DIGIT_CHARS[:4], DIGIT_CHARS[:25], HEXADECIMAL):
        bar.show_symbols(symbols)
        bar.show_mode(EntryMode.CORNER)
        assert texts_of(bar) == list(symbols)
        names = [key.accessibleName() for key in bar._digits if key.isVisible()]
        assert names == [f"Corner mark {one}" for one in symbols]
        assert bar.minimumSizeHint().width() < 640
        bar.show_mode(EntryMode.COLOUR)
        assert texts_of(bar) == [""] * 9


def texts_of(bar: PlayBar) -> list[str]:
    return [key.text() for key in bar._digits if key.isVisible()]


@pytest.mark.parametrize(
    ("symbols", "digits"),
    [
        (DIGIT_CHARS[:4], {"4": 4, "5": None, "0": 0, "": None}),
        (DIGIT_CHARS[:9], {"9": 9, "a": None}),
        (DIGIT_CHARS[:16], {"a": 10, "G": 16, "h": None, "0": 0}),
        (HEXADECIMAL, {"0": 1, "9": 10, "f": 16, "g": None}),
        ("ABCDEFGHIJKLMNOP", {"a": 1, "P": 16, "3": None, "0": 0}),
    ],
)
def test_a_key_writes_what_the_board_prints(symbols: str, digits: dict[str, int | None]) -> None:
    for text, digit in digits.items():
        event = QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, text)
        assert typed_digit(event, symbols) == digit, text


def test_a_shifted_key_writes_only_digits_of_the_board() -> None:
    shifted = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_7, Qt.KeyboardModifier.ShiftModifier, "&")

    told = [pressed_digit(shifted, one) for one in (DIGIT_CHARS[:9], DIGIT_CHARS[:6], HEXADECIMAL)]
    assert told == [7, None, 8]


def test_the_lines_between_the_handles_are_those_of_the_board(qtbot: QtBot) -> None:
    view = PhotoView()
    qtbot.addWidget(view)
    corners = [(10.0, 10.0), (90.0, 10.0), (90.0, 90.0), (10.0, 90.0)]

    lines = {
        side: CornerHandles(view.scene(), corners, QRectF(0, 0, 100, 100), side)._grid.lines
        for side in (4, 6, 9)
    }

    assert lines[4] == ((0.0, True), (0.25, False), (0.5, True), (0.75, False), (1.0, True))
    assert [is_bold for _, is_bold in lines[6]] == [True, *[False] * 5, True]
    assert [number for number, (_, bold) in enumerate(lines[9]) if bold] == [0, 3, 6, 9]


def test_a_moved_board_keeps_its_side(side: int) -> None:
    corners = np.array([[0, 0], [60, 0], [60, 60], [0, 60]], np.float32)

    moved = present(move_corners(begin(side), corners).board)

    assert moved.board.lattice.shape == (side + 1, side + 1, 2)
    assert moved.pending is Pending.READ
    assert face_of(moved).side == side


def test_a_moved_board_whose_rules_were_not_told_may_have_another_side(side: int) -> None:
    corners = np.array([[0, 0], [60, 0], [60, 60], [0, 60]], np.float32)
    state = begin(side)
    untold = cast(BoardReading, SimpleNamespace(is_told=False))
    held = present(state.board)
    state = swap_board(state, held, replace(held, board=replace(held.board, reading=untold)))

    moved = present(move_corners(state, corners).board)

    assert moved.board.rules == CLASSIC_RULES  # whose lines are counted
    assert moved.board.lattice.shape == (10, 10, 2)


def test_a_board_whose_rules_are_not_known_has_the_usual_boxes(side: int) -> None:
    puzzle = make(side)
    state = begin_puzzle(puzzle.clues, is_given=True)
    cell = int(np.flatnonzero(puzzle.clues.ravel() == 0)[0])
    twice = next(int(puzzle.clues.flat[peer]) for peer in puzzle.rules.peers[cell]
                 if puzzle.clues.flat[peer])  # fmt: skip

    state = make_stroke(state, [cell], EntryMode.DIGIT, twice)

    assert face_of(present(state.board)).cells[cell].doubt is Doubt.CONFLICT


@pytest.mark.parametrize("is_open", [True, False])
def test_a_board_that_turns_out_to_have_another_side_is_shown_as_before(is_open: bool) -> None:
    corners = np.array([[0, 0], [60, 0], [60, 60], [0, 60]], np.float32)
    state = move_corners(PhotoState(), corners)
    if not is_open:
        state = PhotoState((replace(present(state.board), revealed=frozenset({80})),), 0)
    puzzle = make(6)
    board = replace(
        present(begin(6).board).board,
        rules=puzzle.rules,
        outcome=Outcome.SOLVED,
        solution=puzzle.solution,
    )

    settled = present(settle(state, present(state.board), board).board)

    assert (settled.side, settled.is_open) == (6, is_open)
    assert bool(settled.revealed) == is_open


def test_a_board_of_any_side_is_kept_with_its_rules(
    side: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("session")
    state = begin(side, is_given=True)
    cell = int(np.flatnonzero(present(state.board).board.clues.ravel() == 0)[-1])
    state = make_stroke(state, [cell], EntryMode.CENTRE, side)
    saved = SavedDocument("puzzle", boards=(save_board(present(state.board)),), chosen=0)

    save_session(folder, SavedSession((saved,), 0))
    (loaded,) = load_session(folder).documents
    again = present(resume_saved_puzzle(loaded).board)
    held = present(state.board)

    assert loaded == saved
    assert np.array_equal(again.board.clues, held.board.clues)
    assert again.board.rules == held.board.rules
    assert again.pencil == held.pencil


def open_board(window: Window, side: int, *, is_given: bool = False) -> None:
    session_of(window).resume_puzzle(begin(side, is_given=is_given), f"{side}×{side}")
    wait_for_work(window)


def first_empty(window: Window) -> int:
    return int(np.flatnonzero(board_of(window).board.clues.ravel() == 0)[0])


def test_arrows_walk_over_a_small_board_and_only_its_digits_are_typed(blank: Window) -> None:
    open_board(blank, 6)
    blank.clean.setFocus()
    blank.editor.select(35)

    QTest.keyClick(blank.clean, Qt.Key.Key_Right)
    assert blank.editor.cell == 0
    QTest.keyClick(blank.clean, Qt.Key.Key_Up)
    assert blank.editor.cell == 30
    cell = first_empty(blank)
    blank.editor.select(cell)
    QTest.keyClick(blank.clean, Qt.Key.Key_7)
    assert board_of(blank).digits.flat[cell] == 0
    press_key(blank.clean, Qt.Key.Key_6)

    assert board_of(blank).digits.flat[cell] == 6
    # A cell that another board has not is left.
    blank.editor.select(35)
    session_of(blank).look(lambda _: begin(4))
    wait_for_work(blank)
    assert blank.editor.cell is None


def test_letters_are_digits_of_a_large_board_while_a_cell_is_chosen(blank: Window) -> None:
    open_board(blank, 16)
    cell = first_empty(blank)
    blank.clean.setFocus()
    blank.editor.select(cell)

    press_key(blank.clean, Qt.Key.Key_G)
    assert board_of(blank).digits.flat[cell] == 16
    assert not blank.actions_of_window.play.isChecked()
    assert "G, clue" in blank.clean.accessibleDescription()

    blank.editor.select(None)
    QTest.keyClick(blank.clean, Qt.Key.Key_G)
    assert blank.actions_of_window.play.isChecked()


def test_a_photo_of_another_side_is_solved_corrected_and_opened_again(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    side = 6
    shown = kind_photo(Kind.CLASSIC, 2, 1, side)
    save_image(tmp_path / "page.png", shown.photo)
    window = open_window(tmp_path / "page.png")
    solution = present(shown.puzzle.solution)
    assert np.array_equal(solution_of(window), solution)
    cell = first_empty(window)
    right = int(solution.flat[cell])

    window.editor.select(cell)
    window.editor.set_digit(right % side + 1)
    wait_for_work(window)
    assert board_of(window).solution is None
    window.editor.set_digit(right)
    wait_for_work(window)
    assert board_of(window).solution is not None
    window.close()

    again = open_window()
    assert board_of(again).board.clues.flat[cell] == right
    assert np.array_equal(solution_of(again), solution)


def test_corners_around_a_missed_board_of_another_side_find_its_lines(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    shown = kind_photo(Kind.CLASSIC, 2, 1, 6)
    save_image(tmp_path / "page.png", shown.photo)
    window = open_window(tmp_path / "page.png")
    window.actions_of_window.place_other.trigger()

    window.photo.corners_placed.emit(corners_from_lattice(shown.lattice).tolist())
    wait_for_work(window)

    assert board_of(window).side == 6
    assert board_of(window).board.outcome is Outcome.SOLVED

"""Large boards in the window: written, told, typed and kept in the symbols that they print."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from large_boards import LargeBoard, blank_face, print_large
from present import present
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAccessible, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGraphicsScene, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot
from window_rig import OpenWindow, board_of, find_button, press_key, session_of

from app.board.board_forms import face_of, resume_saved_photo, save_board
from app.board.board_state import Pending, PhotoState, begin_photo, begin_puzzle
from app.board.board_values import BoardViewModel, CellView, EntryMode, changed_cells
from app.board.saved_session import (
    FILE_NAME,
    SavedDocument,
    SavedSession,
    load_session,
    save_session,
)
from app.board.timeline import Timeline, settle
from app.gui.board.access import install_board_access, say_cell
from app.gui.board.board_bars import DoubtBar
from app.gui.board.clean_board import CleanBoard
from app.gui.board.keys import DigitPad
from app.gui.board.layer import BoardLayer
from app.gui.board.outlines import DIGIT_HEIGHT, glyph, rim
from app.gui.live.frame_worker import ShownFrame
from app.gui.live.screen import paint_frame
from app.gui.session.document import Document
from app.gui.window.main_window import Window
from app.gui.window.status_text import StatusText
from app.live.live_view import LiveState, LiveView
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.results import BoardResult, PhotoResult
from models.symbol_reader import Alphabet, list_alphabets
from vision.board import lattice_from_corners
from vision.media.images import save_image
from vision.media.video_frames import VideoPicture

ALPHABETS = {one.name: one for one in list_alphabets(16)}
HEXADECIMAL = ALPHABETS["hexadecimal"]
NUMBERS = ALPHABETS["numbers"]


def begin(alphabet: Alphabet, *, is_given: bool = False) -> PhotoState:
    """Return a board of 16×16 whose first cell holds its first value, and its second nothing."""
    clues = np.zeros((16, 16), np.uint8)
    clues[0, 0] = 1
    state = begin_puzzle(clues, is_given=is_given)
    held = present(state.board)
    board = replace(held.board, kept_alphabet=alphabet)
    return PhotoState((replace(held, board=board, pending=None),), 0)


def photo_state(alphabet: Alphabet) -> PhotoState:
    """Return the state of a photo that shows such a board."""
    held = present(begin(alphabet).board)
    lattice = held.board.lattice * 30
    return PhotoState(
        (replace(held, board=replace(held.board, lattice=lattice), is_typed=False),), 0
    )


@pytest.fixture(scope="module")
def printed() -> LargeBoard:
    return print_large(16, "hexadecimal")


@pytest.fixture(scope="module")
def solved(printed: LargeBoard, pipeline: Pipeline) -> BoardResult:
    return pipeline.solve_lattice(printed.image, printed.lattice)


# --- what is written


@pytest.mark.parametrize("name", ALPHABETS)
def test_a_board_shows_its_alphabet(name: str) -> None:
    face = face_of(present(begin(ALPHABETS[name]).board))

    assert tuple(face.symbols) == ALPHABETS[name].symbols


def test_a_board_that_was_typed_shows_figures_and_letters() -> None:
    held = present(begin_puzzle(np.zeros((16, 16), np.uint8)).board)

    assert "".join(face_of(held).symbols) == "123456789ABCDEFG"


def test_a_board_in_other_symbols_is_drawn_anew() -> None:
    face = blank_face(16)

    assert changed_cells(face, replace(face, symbols=HEXADECIMAL.symbols)) is None


def faces(alphabet: Alphabet, first: int) -> BoardViewModel:
    """Return a board with nine digits from one on, in every way in which one is shown."""
    digits = [first + number for number in range(9)]
    cells = [CellView(clue=digit) for digit in digits]
    cells += [CellView(entry=digit, is_written=True) for digit in digits]
    cells += [CellView(solution=digit) for digit in digits]
    cells += [CellView(entry=digit, solution=digits[0]) for digit in digits[1:]]
    cells += [CellView(clue=digit, is_by_hand=True) for digit in digits]
    cells += [CellView(corner=tuple(digits)), CellView(centre=tuple(digits))]
    cells += [CellView()] * (256 - len(cells))
    return replace(blank_face(16), cells=tuple(cells), symbols=alphabet.symbols)


def picture_of(face: BoardViewModel) -> QImage:
    """Return what a board looks like over a photo."""
    lattice = tuple(tuple((30 * x, 30 * y) for x, y in line) for line in face.lattice)
    scene = QGraphicsScene()
    scene.addItem(BoardLayer(replace(face, lattice=lattice)))
    picture = QImage(480, 480, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    room = QRectF(0, 0, 480, 480)
    scene.render(painter, room, room)
    painter.end()
    return picture


def test_over_a_photo_the_second_hexadecimal_value_is_written_as_a_one(qapp: object) -> None:
    hexadecimal, letters = faces(HEXADECIMAL, 2), faces(ALPHABETS["letters"], 1)

    assert picture_of(hexadecimal) == picture_of(letters)
    assert picture_of(hexadecimal) != picture_of(faces(HEXADECIMAL, 1))


def test_so_it_is_on_the_clean_board(clean: CleanBoard) -> None:
    clean.is_still = True

    clean.show_face(faces(HEXADECIMAL, 2))
    hexadecimal = clean.grab().toImage()
    clean.show_face(faces(ALPHABETS["letters"], 1))

    assert clean.grab().toImage() == hexadecimal
    clean.show_face(faces(HEXADECIMAL, 1))
    assert clean.grab().toImage() != hexadecimal


def live_picture_of(result: BoardResult, digit: int) -> QImage:
    """Return what a digit looks like on a live picture of a board."""
    grey = np.full((480, 480), 255, np.uint8)
    digits = np.zeros((16, 16), np.uint8)
    digits[4, 4] = digit
    lattice = lattice_from_corners(np.array([[0, 0], [479, 0], [479, 479], [0, 479]]), 16)
    view = LiveView(0.0, LiveState.SOLVED, lattice, digits, 1.0, result, 1.0)
    frame = ShownFrame(VideoPicture(grey, np.dstack([grey] * 4)), view, 0, 0.0)
    picture = QImage(480, 480, QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    paint_frame(painter, frame, QRectF(0, 0, 480, 480), is_mirrored=False)
    painter.end()
    return picture


def test_so_it_is_in_the_live_view(qapp: object) -> None:
    hexadecimal, letters = (
        present(begin(ALPHABETS[name]).board).board for name in ("hexadecimal", "letters")
    )

    assert live_picture_of(hexadecimal, 2) == live_picture_of(letters, 1)
    assert live_picture_of(hexadecimal, 1) != live_picture_of(letters, 1)


@pytest.mark.parametrize("number", [10, 11, 25])
def test_a_number_of_two_figures_lies_within_its_cell(qapp: object, number: int) -> None:
    written = glyph(str(number), DIGIT_HEIGHT, (0.5, 0.5)).boundingRect()
    around = rim(str(number), DIGIT_HEIGHT, (0.5, 0.5)).boundingRect()
    alone = glyph("6", DIGIT_HEIGHT, (0.5, 0.5)).boundingRect()

    assert QRectF(0.1, 0.1, 0.8, 0.8).contains(around)
    assert around.contains(written)
    assert written.center().x() == pytest.approx(0.5, abs=0.01)
    assert 0.7 * alone.height() < written.height() < alone.height()
    assert written.width() > alone.width()


def ink_around(cell: CellView, symbols: tuple[str, ...]) -> bool:
    """Tell whether what one cell holds is written beyond it."""
    face = blank_face(16)
    cells = (*face.cells[:17], cell, *face.cells[18:])
    written = replace(face, cells=cells, symbols=symbols)
    with_it, without = picture_of(written), picture_of(replace(face, symbols=symbols))
    return any(
        with_it.pixelColor(x, y) != without.pixelColor(x, y)
        for x in range(20, 71)
        for y in range(20, 71)
        if not (30 <= x < 60 and 30 <= y < 60)
    )


@pytest.mark.parametrize(
    "cell",
    [
        CellView(entry=12, solution=16),
        CellView(clue=16, is_by_hand=True),
        CellView(corner=tuple(range(8, 17))),
        CellView(centre=(9, 16)),
        CellView(centre=tuple(range(1, 17))),
    ],
)
def test_numbers_of_two_figures_stay_in_their_cell(qapp: object, cell: CellView) -> None:
    assert not ink_around(cell, NUMBERS.symbols)


# --- what is told, and what is asked


def test_a_screen_reader_is_told_the_printed_symbol(clean: CleanBoard) -> None:
    install_board_access()

    clean.show_face(face_of(present(begin(HEXADECIMAL).board)))

    spoken = QAccessible.queryAccessibleInterface(clean)
    assert spoken.child(0).text(QAccessible.Text.Name) == "row 1, column 1, 0, clue"
    notes = CellView(corner=(1, 2), centre=(16,))
    assert say_cell(0, notes, 16, HEXADECIMAL.symbols).endswith("corner marks 0 1, centre marks F")


def keys_of(pad: DigitPad) -> list[QPushButton]:
    keys = pad.findChildren(QPushButton)
    return [one for one in keys if one.isVisible() and one.property("kind") == "digit"]


def texts_of(pad: DigitPad) -> list[str]:
    return [key.text() for key in keys_of(pad)]


def doubt(solved: BoardResult) -> PhotoState:
    """Return a photo whose board is not read for sure: a cell holds its first or last value."""
    read = present(solved.reading)
    seen = read.probabilities.copy()
    seen[17] = 0
    seen[17, [1, 16]] = 0.6, 0.4
    reading = replace(read, probabilities=seen)
    board = replace(solved, outcome=Outcome.UNREADABLE, solution=None, reading=reading)
    return begin_photo(PhotoResult(board.outcome, (board,), (), {}), is_revealed=True)


def test_doubtful_cells_are_named_in_printed_symbols(qtbot: QtBot, solved: BoardResult) -> None:
    state = doubt(solved)
    document = Document("a.png", Path("a.png"), timeline=Timeline(state))
    document.outcome = Outcome.UNREADABLE
    bar = DoubtBar()
    qtbot.addWidget(bar)
    answers: list[tuple[int, int]] = []
    bar.answered.connect(lambda *answer: answers.append(answer))

    bar.show_board(present(state.board))

    assert "0 or F" in StatusText().describe(document).detail
    assert "Row 2, column 2: 0 or F?" in [one.text() for one in bar.findChildren(QLabel)]
    zero = find_button(bar, "0")
    assert zero.accessibleName() == "Digit 0"
    zero.click()
    assert answers == [(17, 1)]


# --- keys


def test_hexadecimal_boards_are_played_by_their_keys(blank: Window) -> None:
    session_of(blank).resume_puzzle(begin(HEXADECIMAL, is_given=True), "hexadecimal")
    blank.clean.setFocus()
    blank.editor.select(1)

    QTest.keyClick(blank.clean, Qt.Key.Key_F)
    assert board_of(blank).board.entries[0, 1] == 16
    assert blank.clean.accessibleDescription().endswith("F, entry")
    QTest.keyClick(blank.clean, Qt.Key.Key_0)
    assert board_of(blank).board.entries[0, 1] == 1
    QTest.keyClick(blank.clean, Qt.Key.Key_Delete)
    assert board_of(blank).board.entries[0, 1] == 0
    blank.editor.play.set_mode(EntryMode.COLOUR)
    for key in (Qt.Key.Key_3, Qt.Key.Key_F):  # there is no colour F, and no entry of it
        QTest.keyClick(blank.clean, key)

    assert board_of(blank).pencil.colour[1] == 3
    assert board_of(blank).board.entries[0, 1] == 0
    keys = blank.central_view.play_bar.findChildren(QToolButton)
    blank.editor.play.set_mode(EntryMode.DIGIT)
    assert {"0", "F"} <= {key.text() for key in keys if key.isVisible()}


# --- the next start


def document_of(state: PhotoState) -> SavedDocument:
    return SavedDocument("a.png", "a.png", boards=(save_board(present(state.board)),), chosen=0)


@pytest.mark.parametrize("name", ["hexadecimal", "all letters"])
def test_a_board_that_was_placed_is_kept_with_its_symbols(name: str, tmp_path: Path) -> None:
    saved = document_of(photo_state(ALPHABETS[name]))

    save_session(tmp_path, SavedSession((saved,), 0))
    (loaded,) = load_session(tmp_path).documents
    again = present(resume_saved_photo(PhotoState(), loaded).board)

    assert loaded == saved
    assert tuple(again.symbols) == ALPHABETS[name].symbols


@pytest.mark.parametrize("alphabet", [None, "runes", ""])
def test_a_session_without_a_known_alphabet_is_opened(alphabet: object, tmp_path: Path) -> None:
    save_session(tmp_path, SavedSession((document_of(photo_state(HEXADECIMAL)),), 0))
    told = json.loads((tmp_path / FILE_NAME).read_text())
    board = told["documents"][0]["boards"][0]
    if alphabet is None:  # as all sessions were before
        del board["alphabet"]
    else:
        board["alphabet"] = alphabet
    (tmp_path / FILE_NAME).write_text(json.dumps(told))

    (loaded,) = load_session(tmp_path).documents
    again = present(resume_saved_photo(PhotoState(), loaded).board)

    assert again.board.clues[0, 0] == 1
    assert "".join(again.symbols) == "123456789ABCDEFG"


def test_no_board_of_nine_has_letters(tmp_path: Path) -> None:
    held = present(begin_puzzle(np.zeros((9, 9), np.uint8)).board)
    state = PhotoState((replace(held, is_typed=False),), 0)
    saved = document_of(state)
    (board,) = saved.boards

    renamed = replace(saved, boards=(replace(board, alphabet="hexadecimal"),))
    again = present(resume_saved_photo(PhotoState(), renamed).board)

    assert again.symbols == "123456789"


def test_what_is_read_anew_has_the_symbols_that_are_read(solved: BoardResult) -> None:
    (left,) = resume_saved_photo(PhotoState(), document_of(photo_state(NUMBERS))).boards
    assert left.pending is not None

    settled = present(settle(PhotoState((left,), 0), left, solved).board)

    assert tuple(settled.symbols) == HEXADECIMAL.symbols


def test_what_was_corrected_keeps_its_symbols_when_it_is_solved_anew() -> None:
    saved = document_of(photo_state(HEXADECIMAL))
    corrected = replace(saved, boards=(replace(saved.boards[0], by_hand=(0,)),))
    state = resume_saved_photo(PhotoState(), corrected)
    left = present(state.board)
    assert left.pending is Pending.SOLVE

    settled = present(settle(state, left, replace(left.board, kept_alphabet=None)).board)

    assert settled.pending is None
    assert tuple(settled.symbols) == HEXADECIMAL.symbols


def test_a_photo_of_a_hexadecimal_board_shows_the_same_after_a_restart(
    open_window: OpenWindow, tmp_path: Path, printed: LargeBoard
) -> None:
    install_board_access()
    save_image(tmp_path / "page.png", printed.image)
    row, column = (
        int(place) for place in np.argwhere((printed.clues == 0) & (printed.solution == 1))[0]
    )
    cell = 16 * row + column
    window = open_window(tmp_path / "page.png")
    assert told_of(window, cell) == f"row {row + 1}, column {column + 1}, 0, solution"

    window.editor.select(cell)
    press_key(window.clean, Qt.Key.Key_0)
    expected = f"row {row + 1}, column {column + 1}, 0, clue"
    assert told_of(window, cell) == expected
    window.close()
    again = open_window()

    assert told_of(again, cell) == expected
    assert board_of(again).board.outcome is Outcome.SOLVED
    again.editor.select(cell)
    assert again.clean.accessibleDescription().endswith(", 0, clue")
    again.clean.setFocus()
    QTest.keyClick(again.clean, Qt.Key.Key_Return)
    assert texts_of(again.findChildren(DigitPad)[0]) == list("0123456789ABCDEF")


def told_of(window: Window, cell: int) -> str:
    spoken = QAccessible.queryAccessibleInterface(window.clean)
    return spoken.child(cell).text(QAccessible.Text.Name)

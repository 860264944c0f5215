"""Boards of other kinds than classic, as the window draws them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from board_results import board_result, square_lattice
from kind_puzzles import make_kind, usual_kind
from present import present
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QListWidget, QWidget
from pytestqt.qtbot import QtBot
from window_rig import wait_until

from app.board.board_edits import begin_play, make_stroke
from app.board.board_forms import face_of, resume_saved_puzzle, save_board
from app.board.board_state import BoardState, PhotoState
from app.board.board_values import (
    BLANK_FACE,
    BOXES,
    BoardViewModel,
    EntryMode,
    changed_cells,
    digits_of,
)
from app.board.saved_session import SavedDocument
from app.board.timeline import Timeline
from app.gui.board.access import say_cell
from app.gui.board.clean_board import CleanBoard
from app.gui.board.outlines import outline_cages
from app.gui.panels.help_panel import HelpPanel
from app.gui.panels.walk_panel import WalkPanel
from app.gui.session.document import Document
from app.gui.session.history_recorder import HistoryRecorder
from app.gui.window.share_menu import ShareMenu, _what_is_shared
from app.help.assistance import Progress, show_candidates
from app.puzzles.puzzle_texts import read_text
from app.report.board_marks import Highlight, NoteKind
from solver.formats import Format
from solver.rules import Kind, box_rules


def hold(kind: Kind) -> BoardState:
    puzzle = usual_kind(kind)
    return BoardState(
        board_result(
            lattice=square_lattice(0, 90),
            clues=puzzle.clues,
            solution=puzzle.solution,
            rules=puzzle.rules,
        )
    )


def test_a_jigsaw_shows_its_regions() -> None:
    held = hold(Kind.JIGSAW)
    face = face_of(held)

    groups = [
        tuple(cell for cell in range(81) if face.regions[cell] == number) for number in range(9)
    ]
    assert set(groups) == set(present(held.board.rules).regions)
    assert face.marked == frozenset()


@pytest.mark.parametrize(("kind", "count"), [(Kind.DIAGONAL, 17), (Kind.WINDOKU, 36)])
def test_diagonals_and_windows_are_marked(kind: Kind, count: int) -> None:
    face = face_of(hold(kind))

    assert face.regions == BOXES
    assert len(face.marked) == count


def test_other_regions_change_all_of_a_board() -> None:
    assert changed_cells(BLANK_FACE, replace(BLANK_FACE, regions=BOXES[::-1])) is None


@pytest.mark.parametrize("kind", [Kind.JIGSAW, Kind.DIAGONAL])
def test_a_clean_board_is_drawn_as_its_kind_is_printed(qtbot: QtBot, kind: Kind) -> None:
    face = face_of(hold(kind))

    shown, plain = draw(qtbot, face), draw(qtbot, replace(face, regions=BOXES, marked=frozenset()))

    assert (shown != plain).any()


def draw(qtbot: QtBot, face: BoardViewModel) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    board = CleanBoard()
    qtbot.addWidget(board)
    board.resize(300, 300)
    board.show_face(face)
    picture = board.grab().toImage()
    pixels = np.frombuffer(picture.constBits(), np.uint8)
    return pixels.reshape(picture.height(), picture.bytesPerLine()).copy()


def test_a_digit_strikes_notes_in_its_region_and_not_in_its_box() -> None:
    given = replace(hold(Kind.JIGSAW), is_given=True)
    peers = present(given.board.rules).peers
    empty = np.flatnonzero(given.board.clues.ravel() == 0).tolist()
    # Two cells of one box and of two regions, in neither one row nor one column.
    one, other = next(
        (one, other)
        for one in empty
        for other in empty
        if BOXES[one] == BOXES[other] and one != other and other not in peers[one]
    )
    state = PhotoState((given,), 0)
    state = make_stroke(state, [other], EntryMode.CENTRE, 5)
    state = make_stroke(state, [one], EntryMode.DIGIT, 5)

    assert digits_of(present(state.board).pencil.centre[other]) == (5,)


def test_a_killer_shows_each_cage_and_its_sum_once() -> None:
    held, face = hold(Kind.KILLER), face_of(hold(Kind.KILLER))

    for cage in present(held.board.rules).cages:
        numbers = {face.cages[cell] for cell in cage.cells}
        assert len(numbers) == 1
        assert [face.cells[cell].cage_sum for cell in cage.cells] == [
            cage.total,
            *[0] * (len(cage.cells) - 1),
        ]
    assert face_of(hold(Kind.JIGSAW)).cages == ()


def test_lines_go_around_a_cage_and_into_its_bends() -> None:
    # Of a board of 4×4: an L of three cells, and one cell beside it.
    cages = (0, 1, -1, -1, 0, 0, -1, -1, *[-1] * 8)

    lines = {tuple((round(x, 2), round(y, 2)) for x, y in line) for line in outline_cages(cages, 4)}

    assert lines == {
        # The upper cell, and the one below it, without a line between them.
        ((0.08, 0.08), (0.92, 0.08)), ((0.08, 0.08), (0.08, 1)), ((0.92, 0.08), (0.92, 1)),
        ((0.08, 1), (0.08, 1.92)), ((0.08, 1.92), (1, 1.92)),
        # The bend, and the cell to which it leads.
        ((1, 1.08), (0.92, 1.08), (0.92, 1)),
        ((1, 1.08), (1.92, 1.08)), ((1, 1.92), (1.92, 1.92)), ((1.92, 1.08), (1.92, 1.92)),
        # The cage of one cell.
        ((1.08, 0.08), (1.92, 0.08)), ((1.08, 0.92), (1.92, 0.92)),
        ((1.08, 0.08), (1.08, 0.92)), ((1.92, 0.08), (1.92, 0.92)),
    }  # fmt: skip


def test_a_killer_is_drawn_with_its_cages(qtbot: QtBot) -> None:
    face = face_of(hold(Kind.KILLER))
    without = tuple(replace(cell, cage_sum=0) for cell in face.cells)

    shown = draw(qtbot, face)
    lines = draw(qtbot, replace(face, cells=without))
    nothing = draw(qtbot, replace(face, cells=without, cages=()))

    assert (shown != lines).any()
    assert (lines != nothing).any()
    assert changed_cells(face, replace(face, cages=())) is None


def test_a_screen_reader_is_told_the_sum_where_a_cage_begins() -> None:
    face = face_of(hold(Kind.KILLER))
    first = next(cell for cell, one in enumerate(face.cells) if one.cage_sum)

    told = say_cell(first, face.cells[first])

    assert told.endswith(f"cage with the sum {face.cells[first].cage_sum}")


def test_a_killer_without_clues_is_played_and_its_cages_strike_notes() -> None:
    killer = hold(Kind.KILLER)
    rules = present(killer.board.rules)
    assert not killer.board.clues.any()
    state = begin_play(PhotoState((killer,), 0))
    one, other = next(
        (one, other)
        for cage in rules.cages
        for one in cage.cells
        for other in cage.cells
        if one != other and other not in rules.peers[one]
    )
    state = make_stroke(state, [other], EntryMode.CENTRE, 5)
    state = make_stroke(state, [one], EntryMode.DIGIT, 5)

    held = present(state.board)
    assert held.board.entries.flat[one] == 5
    assert digits_of(held.pencil.centre[other]) == ()


def test_a_killer_is_kept_with_its_cages() -> None:
    killer = hold(Kind.KILLER)
    typed = replace(killer, is_typed=True)

    again = resume_saved_puzzle(SavedDocument("killer", boards=(save_board(typed),), chosen=0))

    assert present(again.board).board.rules == killer.board.rules


@pytest.mark.parametrize("kind", [Kind.JIGSAW, Kind.KILLER])
def test_a_puzzle_of_another_kind_is_copied_with_its_rules(
    qtbot: QtBot, collecting_here: None, kind: Kind
) -> None:
    held, menu = hold(kind), ShareMenu()
    qtbot.addWidget(menu)
    menu.set_shared(
        _what_is_shared(Document("page", None, timeline=Timeline(PhotoState((held,), 0))))
    )
    menu.aboutToShow.emit()
    names = {action.text().replace("&", ""): action.isEnabled() for action in menu.actions()}

    menu.copy_puzzle()

    copied = read_text(QGuiApplication.clipboard().text())
    assert np.array_equal(copied.clues, held.board.clues)
    assert copied.rules == held.board.rules
    assert (names["Copy the puzzle"], names["Copy the solution"]) == (True, True)
    for name in ("Copy a link", "Save the puzzle as", "Print", "Save as PDF"):
        assert names[name]
    menu.copy_link(Format.SUDOKU_PAD)
    copied = read_text(QGuiApplication.clipboard().text())
    assert set(copied.rules.cages) == set(held.board.rules.cages)


def test_a_jigsaw_of_the_last_session_is_known_at_the_next(qtbot: QtBot, tmp_path: Path) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    recorder = HistoryRecorder(widget, tmp_path)
    jigsaw = hold(Kind.JIGSAW)

    recorder.know([save_board(jigsaw)])

    assert recorder.holds(jigsaw)
    assert not recorder.holds(replace(jigsaw, board=replace(jigsaw.board, rules=box_rules(9))))


@pytest.fixture
def panel(qtbot: QtBot, collecting_here: None) -> HelpPanel:
    panel = HelpPanel()
    qtbot.addWidget(panel)
    panel.show()
    return panel


def test_wrong_entries_of_a_small_board_are_named_by_its_own_rows(panel: HelpPanel) -> None:
    puzzle = make_kind(Kind.CLASSIC, side=6, seed=1)
    cell = int(np.flatnonzero(puzzle.clues.ravel() == 0)[-1])
    entries = np.zeros((6, 6), np.uint8)
    entries.flat[cell] = present(puzzle.solution).flat[cell] % 6 + 1
    panel.set_board(Progress(puzzle.clues, entries, puzzle.solution, puzzle.rules))

    panel.check_entries()

    row, column = divmod(cell, 6)
    told = " ".join(one.text() for one in panel.findChildren(QLabel))
    assert f"row {row + 1}, column {column + 1}" in told


def test_hints_deepen_to_a_step_in_other_kinds(panel: HelpPanel) -> None:
    board = hold(Kind.KILLER).board
    shown: list[Highlight | None] = []
    panel.highlight_changed.connect(shown.append)
    panel.set_board(Progress(board.clues, board.entries, board.solution, board.rules))

    for _ in range(3):
        panel.ask_for_hint()

    step = present(shown[-1])
    struck = [note for note in step.notes if note.kind is NoteKind.REMOVED]
    right = present(board.solution).ravel()
    assert step.digits or struck
    assert all(right[cell] == digit for cell, digit in step.digits.items())
    assert all(right[note.cell] != note.digit for note in struck)


def test_candidates_of_a_killer_keep_what_its_cages_allow(panel: HelpPanel) -> None:
    board = hold(Kind.KILLER).board
    progress = Progress(board.clues, board.entries, board.solution, board.rules)

    all_that_rules_leave = show_candidates(progress)
    after_logic = show_candidates(progress, after_logic=True)

    assert len(all_that_rules_leave.notes) == 729
    assert len(after_logic.notes) < 600


def test_the_walk_goes_through_a_killer(qtbot: QtBot, collecting_here: None) -> None:
    walk = WalkPanel()
    qtbot.addWidget(walk)
    walk.show()
    killer = hold(Kind.KILLER)
    board = killer.board

    walk.set_board(Progress(board.clues, board.entries, board.solution, board.rules))

    steps = present(walk.findChild(QListWidget))
    wait_until(lambda: steps.count() > 0)
    walk.go_to(steps.count() - 1)
    assert "Solved." in [one.text() for one in walk.findChildren(QLabel)]

"""What the window says: plain words, cells by row and column, and numbers as people write them; and
what it tells of the program."""

import re
from pathlib import Path

import pytest
from kind_puzzles import usual_kind
from present import present
from puzzles import EASY_GRID, FORCING
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QListWidget,
    QPushButton,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from window_rig import OpenWindow, Speak, open_puzzle, press, read_labels, wait_until

from app.gui.panels.walk_panel import WalkPanel
from app.gui.session.file_opener import sample_path
from app.gui.start import ICONS
from app.gui.window.about import LICENCE, NETWORKS, show_about
from app.gui.window.main_window import Window
from app.gui.window.preferences import window_words
from app.help.assistance import Progress
from app.help.hints import walk
from app.report.advice import Fault, FaultKind, UnsureCell, say_fault
from solver.base import Limits
from solver.exact.bitmask import BitmaskSolver
from solver.grid import Grid, parse_grid
from solver.human.words import OR, Words
from solver.rules import Kind

HARD = parse_grid(FORCING)
SHORT = re.compile(r"r\dc\d")


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ([12], "row 2, column 4"),
        ([0, 2, 5], "row 1, columns 1, 3 or 6"),
        ([3, 30], "column 4, rows 1 or 4"),
        ([0, 40], "row 1, column 1 or row 5, column 5"),
        ([0, 1, 40, 80], "row 1, columns 1 or 2; row 5, column 5 or row 9, column 9"),
    ],
)
def test_cells_are_named_by_row_and_column(cells: list[int], told: str) -> None:
    assert Words(is_long=True).cells(cells, OR) == told


@pytest.mark.parametrize("clues", [EASY_GRID, HARD], ids=["easy", "hard"])
def test_no_step_of_a_walk_says_r2c4_in_its_sentence_and_what_it_strikes_in_its_title(
    clues: Grid,
) -> None:
    solution = BitmaskSolver().solve(clues, Limits()).solution

    walked = walk(Progress(clues, clues * 0, solution), Words(is_long=True))

    steps = present(walked)
    assert [step.text for step in steps if SHORT.search(step.text)] == []
    assert [step.text for step in steps if step.text[0].islower()] == []
    struck = [step.title for step in steps if "≠" in step.title]
    assert bool(struck) == (clues is HARD)
    form = r"(r\dc\d(, r\dc\d){0,2}( …)? ≠ \d(; )?)+(; r\dc\d = \d)?, .+"
    assert [title for title in struck if not re.fullmatch(form, title)] == []


def test_the_walk_lists_what_comes_of_each_step(blank: Window) -> None:
    open_puzzle(blank, EASY_GRID)
    blank.actions_of_window.walk_panel.trigger()
    (panel,) = blank.panels.findChildren(WalkPanel)
    (steps,) = panel.findChildren(QListWidget)
    wait_until(lambda: steps.count() > 2)

    titles = [steps.item(row).text() for row in range(1, steps.count() - 1)]

    form = r"\d+\. r\dc\d = \d, ((full house|hidden single) in (row|column|box) \d|naked single)"
    assert [title for title in titles if not re.fullmatch(form, title)] == []
    assert re.fullmatch(r"1\. r\dc\d = \d, hidden single in box \d", titles[0])


def test_doubtful_cells_are_named_by_row_and_column() -> None:
    fault = Fault(FaultKind.UNSURE, cells=(UnsureCell(12, (6, 9, 8)), UnsureCell(19, (9, 0))))

    assert say_fault(fault, is_long=True) == (
        "2 cells are not read for sure: row 2, column 4 (6, 9 or 8); row 3, column 2 (9 or empty)."
    )


def test_seconds_and_ratings_are_written_and_searched_as_the_language_does(
    open_window: OpenWindow, speak: Speak
) -> None:
    speak("de")

    window = open_window(sample_path())

    # A line may not end between a number and its unit.
    assert re.search(r"\d,\d\d\u00a0s", window.status.status.headline)
    assert window_words().number(1.5) == "1,5"
    assert window.history_recorder.panel()._to_english("1,5") == "1.5"


def test_tools_are_named_without_the_dots_of_their_menus(
    open_window: OpenWindow, speak: Speak
) -> None:
    speak("de")

    window = open_window()

    open_tool = window.toolbar.widgetForAction(window.actions_of_window.open)
    assert present(open_tool).accessibleName() == "Öffnen"


@pytest.mark.parametrize("kind", [Kind.KILLER, Kind.DIAGONAL])
def test_hints_are_offered_for_a_puzzle_of_any_kind(open_window: OpenWindow, kind: Kind) -> None:
    puzzle = usual_kind(kind)
    window = open_window()

    open_puzzle(window, puzzle.clues, puzzle.rules, is_given=True)

    assert window.status.status.detail == "Type your digits. Hints help as much as you like."


def test_kinds_have_the_same_names_wherever_they_are_chosen(blank: Window) -> None:
    open_puzzle(blank, EASY_GRID)
    QTest.keyClick(blank.clean, Qt.Key.Key_E)
    corrected = blank.central_view.rule_bar.kind

    blank.actions_of_window.new_puzzle.trigger()

    names = [corrected.itemText(row) for row in range(corrected.count())]
    assert names == ["Classic", "Jigsaw", "Diagonal", "Killer", "Windoku"]
    boxes = present(blank.notice).findChildren(QComboBox)
    (made,) = [one for one in boxes if one.findText("Samurai") >= 0]
    assert {*names, "Samurai"} == {made.itemText(row) for row in range(made.count())}


def test_new_puzzles_are_described_in_plain_words_and_in_full_however_large_the_text_is(
    open_window: OpenWindow, speak: Speak, usual_looks: None
) -> None:
    window = open_window(**{"window/text_size": 200})

    window.actions_of_window.new_puzzle.trigger()

    dialog = present(window.notice)
    said = " ".join(one.text().replace("\n", " ") for one in dialog.findChildren(QRadioButton))
    assert "Easy: for beginners" in said
    assert not re.search("candidate|fish|wing|chain|pair", said)
    speak("de")
    QTest.qWait(50)
    parts = (*dialog.findChildren(QRadioButton), *dialog.findChildren(QLabel))
    assert not any(one.width() < one.minimumSizeHint().width() for one in parts)
    assert dialog.width() <= dialog.screen().availableSize().width()


def test_shortcuts_stand_in_groups(blank: Window) -> None:
    QTest.keyClick(blank, Qt.Key.Key_F1)

    texts = [label.text() for label in present(blank.notice).findChildren(QLabel)]
    groups = ["Cells and digits", "File", "Edit", "Board", "Play", "View", "Help"]
    assert list(dict.fromkeys(text for text in texts if text in groups)) == groups
    assert texts.index("Edit") < texts.index("Undo") < texts.index("Board")
    assert texts.index("Play") < texts.index("Write a corner mark") < texts.index("View")


def test_about_says_in_plain_words_what_it_is_and_the_rest_when_asked(blank: Window) -> None:
    blank.actions_of_window.about.trigger()

    dialog = present(blank.notice)
    shown = read_labels(dialog)
    assert "Photos stay on this computer" in shown
    assert not re.search("weights|OpenCV|[Nn]etwork", shown)
    press(dialog, "Technical details")
    assert "OpenCV" in read_labels(dialog)


# --- what the program is made of


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def text_of(dialog: QDialog) -> QLabel:
    label = dialog.findChild(QLabel, "about_text")
    assert isinstance(label, QLabel)
    return label


def test_every_network_that_ships_leads_to_its_page(project: Path, parent: QWidget) -> None:
    shipped = {path.stem for path in (project / "models" / "weights").glob("*.tflite")}

    text = text_of(show_about(parent)).text()

    assert NETWORKS.keys() == shipped
    assert len(re.findall(r"\d kB", text)) == len(shipped)
    for page in (LICENCE, *NETWORKS.values()):
        assert f'href="{(project / page).as_uri()}"' in text
        assert (project / page).is_file()


@pytest.mark.parametrize("factor", [1, 2])
def test_no_line_of_the_details_is_cut_off(
    parent: QWidget, qapp: QApplication, usual_looks: None, factor: int
) -> None:
    large = qapp.font()
    large.setPointSizeF(factor * large.pointSizeF())
    qapp.setFont(large)
    dialog = show_about(parent)
    (more,) = (one for one in dialog.findChildren(QPushButton) if one.isCheckable())

    more.click()
    QTest.qWait(50)

    details = text_of(dialog)
    assert details.height() >= details.heightForWidth(details.width())
    assert dialog.height() <= dialog.screen().availableSize().height()


def test_the_icon_is_there_in_every_size_of_its_drawing(qapp: object) -> None:
    from PySide6.QtGui import QImage

    sides = sorted(QImage(str(path)).width() for path in ICONS.glob("sudoku-lens-*.png"))

    assert sides == [16, 24, 32, 48, 64, 128, 256]
    assert (ICONS / "sudoku-lens.svg").is_file()

"""The history panel and the dialog for new puzzles, used as people use them."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from present import present
from puzzles import CHAINS, EASY
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QListWidget,
    QMenu,
    QProgressBar,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from window_rig import (
    choose_item,
    choose_level,
    click_row,
    find_button,
    press,
    read_labels,
    wait_until,
)

from app.board.history import History, HistoryEntry
from app.gui.panels.history_panel import HistoryPanel
from app.gui.session.background import Background
from app.gui.window.new_puzzle_dialog import NewPuzzleDialog
from app.report.report_pictures import encode_thumbnail
from solver.base import Limits
from solver.exact.bitmask import BitmaskSolver, count_solutions
from solver.generation.generate import Symmetry
from solver.grid import parse_grid
from solver.human.walk import Level, rate
from solver.rules import Kind

pytestmark = pytest.mark.usefixtures("collecting_here")


def entry_of(text: str, time: float, source: str = "", level: Level | None = None) -> HistoryEntry:
    empty = np.zeros((9, 9), np.uint8)
    score = None if level is None else 1.2
    return HistoryEntry(parse_grid(text), empty, None, time, score, level, source)


def solved_entry(text: str, time: float) -> HistoryEntry:
    entry = entry_of(text, time)
    return replace(entry, solution=BitmaskSolver().solve(entry.clues, Limits()).solution)


def list_of(panel: QWidget) -> QListWidget:
    return panel.findChildren(QListWidget)[0]


def rows(panel: QWidget) -> list[str]:
    shown = list_of(panel)
    return [shown.item(row).text().partition("\n")[0] for row in range(shown.count())]


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "history.sqlite", patience_seconds=0.01)


def show_panel(qtbot: QtBot, history: History) -> HistoryPanel:
    panel = HistoryPanel(history)
    qtbot.addWidget(panel)
    panel.show()
    return panel


@pytest.fixture
def panel(qtbot: QtBot, history: History) -> HistoryPanel:
    return show_panel(qtbot, history)


@pytest.fixture
def filled(panel: HistoryPanel, history: History) -> HistoryPanel:
    panel.show_added(history.add(entry_of(EASY, 1.0, "paper.jpg", Level.EASY)))
    panel.show_added(history.add(entry_of(CHAINS, 2.0, "Sunday.jpg", Level.EXTREME)))
    return panel


def test_an_empty_history_says_what_it_is_for(panel: HistoryPanel) -> None:
    assert "will stand here" in read_labels(panel)
    assert not find_button(panel, "Open").isEnabled()
    assert not find_button(panel, "Delete").isEnabled()


def test_the_newest_puzzle_stands_first(filled: HistoryPanel) -> None:
    assert rows(filled) == ["Sunday.jpg", "paper.jpg"]
    assert "easy 1.2" in list_of(filled).item(1).text()


def test_a_puzzle_without_a_photo_is_named_by_its_clues(
    panel: HistoryPanel, history: History
) -> None:
    panel.show_added(history.add(entry_of(EASY, 1.0)))

    assert rows(panel) == ["Puzzle of 30 clues"]
    assert not list_of(panel).item(0).icon().isNull()


def test_a_solved_puzzle_is_rated_in_the_background(panel: HistoryPanel, history: History) -> None:
    for text, time in ((EASY, 1.0), (CHAINS, 2.0)):
        panel.show_added(history.add(solved_entry(text, time)))

    def texts() -> list[str]:
        entries = list_of(panel)
        return [entries.item(row).text() for row in range(entries.count())]

    def are_rated() -> bool:
        # The list is made anew after each rating.
        return len(texts()) == 2 and "hard 2.6" in texts()[0] and "easy 1.2" in texts()[1]

    wait_until(are_rated)


def test_a_puzzle_deleted_while_it_is_rated_stays_away(qtbot: QtBot, tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")  # which waits for what rates
    panel = show_panel(qtbot, history)
    panel.show_added(history.add(solved_entry(CHAINS, 1.0)))
    click_row(list_of(panel), 0)

    with qtbot.waitSignal(panel.findChildren(Background)[0].finished, timeout=20_000):
        press(panel, "Delete")

    assert history.find() == []


def test_a_thumbnail_is_shown(panel: HistoryPanel, history: History) -> None:
    red = np.zeros((100, 100, 3), np.uint8)
    red[:, :, 2] = 255
    entry = replace(entry_of(EASY, 1.0), thumbnail=encode_thumbnail(red))
    panel.show_added(history.add(entry))

    picture = list_of(panel).item(0).icon().pixmap(40, 40).toImage()
    colour = picture.pixelColor(picture.width() // 2, picture.height() // 2)
    assert colour.red() > 200
    assert colour.blue() < 60


@pytest.mark.parametrize(
    ("typed", "found"), [("sunday", ["Sunday.jpg"]), ("easy", ["paper.jpg"]), ("nothing", [])]
)
def test_what_is_typed_is_searched_for(filled: HistoryPanel, typed: str, found: list[str]) -> None:
    QTest.keyClicks(filled.findChildren(QLineEdit)[0], typed)

    assert rows(filled) == found
    assert ("Nothing is found" in read_labels(filled)) is (not found)


def test_the_chosen_puzzle_is_opened(qtbot: QtBot, filled: HistoryPanel) -> None:
    click_row(list_of(filled), 1)

    with qtbot.waitSignal(filled.puzzle_chosen) as chosen:
        press(filled, "Open")

    assert present(chosen.args)[0].source == "paper.jpg"


def test_enter_opens_the_puzzle_that_the_arrows_chose(qtbot: QtBot, filled: HistoryPanel) -> None:
    filled.activateWindow()
    search = filled.findChildren(QLineEdit)[0]
    search.setFocus()
    wait_until(search.hasFocus)
    QTest.keyClick(search, Qt.Key.Key_Down)
    QTest.keyClick(list_of(filled), Qt.Key.Key_Down)

    with qtbot.waitSignal(filled.puzzle_chosen) as chosen:
        QTest.keyClick(list_of(filled), Qt.Key.Key_Return)

    assert present(chosen.args)[0].source == "paper.jpg"


def test_a_deleted_puzzle_is_gone_until_it_is_taken_back_which_may_have_to_wait(
    filled: HistoryPanel, history: History
) -> None:
    click_row(list_of(filled), 0)
    press(filled, "Delete")
    assert rows(filled) == ["paper.jpg"]
    left = history.find()
    assert isinstance(left, list)
    assert len(left) == 1
    with closing(sqlite3.connect(history.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        press(filled, "Undo")
        assert "Another program" in read_labels(filled)

    press(filled, "Undo")

    assert rows(filled) == ["Sunday.jpg", "paper.jpg"]
    assert not find_button(filled, "Undo").isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_Down, Qt.Key.Key_Tab])
def test_keys_find_and_delete_a_puzzle(qtbot: QtBot, filled: HistoryPanel, key: Qt.Key) -> None:
    filled.activateWindow()
    search = filled.findChildren(QLineEdit)[0]
    search.setFocus()
    QTest.keyClicks(search, "paper")
    qtbot.waitUntil(search.hasFocus)

    QTest.keyClick(search, key)
    qtbot.waitUntil(list_of(filled).hasFocus)
    assert find_button(filled, "Open").isEnabled()
    QTest.keyClick(list_of(filled), Qt.Key.Key_Delete)

    assert rows(filled) == []
    assert find_button(filled, "Undo").isVisible()


def test_a_right_click_on_a_puzzle_offers_to_open_it(qtbot: QtBot, filled: HistoryPanel) -> None:
    shown = list_of(filled)
    place = shown.visualItemRect(shown.item(1)).center()

    QTest.mouseClick(
        filled.windowHandle(), Qt.MouseButton.RightButton, pos=shown.viewport().mapTo(filled, place)
    )

    (menu,) = filled.findChildren(QMenu)
    opening, deleting = menu.actions()
    assert (opening.text(), deleting.text()) == ("Open", "Delete")
    with qtbot.waitSignal(filled.puzzle_chosen) as chosen:
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(opening).center())
    assert chosen.args[0].source == "paper.jpg"


def test_a_damaged_history_is_told_and_begun_anew(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    path.write_bytes(b"no database at all " * 50)
    history = History(path)
    panel = show_panel(qtbot, history)
    assert "damaged" in read_labels(panel)

    press(panel, "Begin a new history")
    panel.show_added(history.add(entry_of(EASY, 1.0, "paper.jpg")))

    assert rows(panel) == ["paper.jpg"]
    assert not find_button(panel, "Begin a new history").isVisible()


def test_what_cannot_be_kept_is_said_and_nothing_stops(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("in the way")
    history = History(tmp_path / "blocked" / "history.sqlite")
    panel = show_panel(qtbot, history)

    panel.show_added(history.add(entry_of(EASY, 1.0)))
    assert "cannot be opened" in read_labels(panel)


@pytest.fixture
def dialog(qtbot: QtBot) -> NewPuzzleDialog:
    made = NewPuzzleDialog(seed=3)
    qtbot.addWidget(made)
    made.open()
    return made


def test_a_puzzle_is_made_as_hard_as_chosen(qtbot: QtBot, dialog: NewPuzzleDialog) -> None:
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Up)
    choose_level(dialog, Level.EASY)

    with qtbot.waitSignal(dialog.puzzle_made, timeout=60_000) as made:
        press(dialog, "Make it")

    clues = present(made.args)[0].clues
    assert rate(clues).level is Level.EASY
    assert count_solutions(clues) == 1
    assert not dialog.isVisible()


def test_a_puzzle_is_made_of_the_chosen_kind_and_size(
    qtbot: QtBot, dialog: NewPuzzleDialog
) -> None:
    choose_item(dialog, "Killer")
    choose_item(dialog, "6×6")
    assert not any(one.isEnabled() for one in dialog.findChildren(QRadioButton))

    with qtbot.waitSignal(dialog.puzzle_made, timeout=60_000) as made:
        press(dialog, "Make it")

    rules = present(made.args)[0].rules
    assert (rules.kind, rules.side) == (Kind.KILLER, 6)


def test_sizes_are_those_of_the_kind(dialog: NewPuzzleDialog) -> None:
    choose_item(dialog, "Classic")
    choose_item(dialog, "12×12")
    choose_item(dialog, "Windoku")

    assert (dialog.wish.kind, dialog.wish.side) == (Kind.WINDOKU, 9)


def test_a_pattern_can_be_wished_for(dialog: NewPuzzleDialog) -> None:
    QTest.keyClick(dialog.findChildren(QComboBox)[-1], Qt.Key.Key_Down)

    assert dialog.wish.symmetry is Symmetry.POINT


@pytest.mark.parametrize("is_large", [False, True])
def test_making_can_be_called_off(qtbot: QtBot, dialog: NewPuzzleDialog, is_large: bool) -> None:
    if is_large:
        choose_item(dialog, "Jigsaw")
        choose_item(dialog, "16×16")
    else:
        choose_level(dialog, Level.EXTREME)
    with qtbot.assertNotEmitted(dialog.puzzle_made):
        press(dialog, "Make it")
        assert dialog.findChildren(QProgressBar)[0].isVisible()
        assert not find_button(dialog, "Make it").isEnabled()

        press(dialog, "Cancel")

    assert dialog.isVisible()
    assert find_button(dialog, "Make it").isEnabled()
    press(dialog, "Cancel")
    assert not dialog.isVisible()


def test_escape_ends_the_work_and_the_dialog(qtbot: QtBot, dialog: NewPuzzleDialog) -> None:
    choose_level(dialog, Level.EXTREME)
    with qtbot.assertNotEmitted(dialog.puzzle_made):
        press(dialog, "Make it")

        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    assert not dialog.isVisible()

"""The window itself: themes, keys, notices, what it keeps, and how it starts."""

import shutil
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from command_rig import RunCommand, run_python
from present import present
from puzzles import EASY_GRID, EASY_SOLUTION_GRID
from PySide6.QtCore import QAbstractAnimation, Qt
from PySide6.QtGui import QAction, QGuiApplication, QPalette
from PySide6.QtPrintSupport import QPrintPreviewDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QToolButton,
)
from pytestqt.qtbot import QtBot
from window_rig import (
    OpenWindow,
    board_of,
    choose_level,
    click_row,
    document_of,
    kept_in,
    open_puzzle,
    press_offer,
    session_of,
    settings_in,
    wait_for_work,
    wait_until,
    write,
)

from app.board.history import History
from app.gui.panels.walk_panel import WalkPanel
from app.gui.session.background import Worker
from app.gui.session.document import to_qimage
from app.gui.session.file_opener import sample_path
from app.gui.theme import CONTRAST, DARK, LIGHT, theme_of
from app.gui.window.main_window import Window
from app.gui.window.new_puzzle_dialog import NewPuzzleDialog
from app.gui.window.status_line import Severity
from models.engine import EngineError
from solver.generation.generate import warm_up_generator
from solver.grid import format_grid
from solver.human.walk import Level
from vision.media.images import load_image


def menu_action(window: Window, text: str) -> QAction:
    """Return the action of that name in any menu of the window."""
    found = [
        action
        for menu in window.findChildren(QMenu)
        for action in menu.actions()
        if action.text().replace("&", "") == text
    ]
    assert found, text
    return found[0]


def test_the_theme_can_be_chosen_and_is_kept(window: Window) -> None:
    menu_action(window, "Light").trigger()
    assert theme_of(window) is LIGHT
    light = window.clean.grab().toImage()

    menu_action(window, "Dark").trigger()

    assert theme_of(window) is DARK
    assert window.palette().color(QPalette.ColorRole.Window).name() == DARK.window
    assert window.settings.value("window/theme") == "dark"
    assert window.clean.grab().toImage() != light
    assert window.photo.backgroundBrush().color().name() == DARK.canvas
    menu_action(window, "High contrast").trigger()
    assert theme_of(window) is CONTRAST
    menu_action(window, "Like the system").trigger()
    assert theme_of(window) is LIGHT


def test_every_button_and_list_has_a_name_for_screen_readers(window: Window) -> None:
    window.actions_of_window.help_panel.trigger()

    nameless = [
        widget
        for kind in (QAbstractButton, QListWidget, QLineEdit)
        for widget in window.findChildren(kind)
        if widget.isVisible() and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]

    assert nameless == []
    assert window.photo.accessibleName()
    assert window.clean.accessibleName()
    assert "Solved" in window.status.accessibleDescription()


def test_the_sheet_of_keys_lists_every_key_which_only_one_action_has(blank: Window) -> None:
    QTest.keyClicks(blank, "?")

    texts = {label.text() for label in present(blank.notice).findChildren(QLabel)}
    assert "Undo" in texts
    assert {"Set the digit of the chosen cell", "Space"} <= texts
    keys = []
    for action in blank.actions_of_window:
        if action.shortcuts():
            keys += [key.toString() for key in action.shortcuts()]
            assert action.text().replace("&", "").rstrip("…") in texts
    assert len(keys) == len(set(keys))


def test_a_fault_is_reported_without_blocking_and_can_be_copied(
    window: Window, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object) -> object:
        raise ZeroDivisionError("a fault of ours")

    window._worker.submit(break_down, lambda _: None, lambda _: None)
    wait_until(lambda: window.notice is not None)

    notice = present(window.notice)
    report = present(notice.findChild(QPlainTextEdit))
    assert "a fault of ours" in report.toPlainText()
    copy = present(notice.findChild(QPushButton, "copy_report"))
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert "a fault of ours" in QGuiApplication.clipboard().text()
    notice.reject()
    assert window.status.status.severity is Severity.GOOD
    caplog.clear()


def test_a_fault_while_solving_leaves_the_photo_and_can_be_tried_again(window: Window) -> None:
    class Broken:
        def solve_photo(self, *_: object) -> object:
            raise ZeroDivisionError("a fault of ours")

    start = session_of(window)._worker.submit
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            session_of(window)._worker,
            "submit",
            lambda work, *rest, **named: start(
                lambda _, clock: work(Broken(), clock), *rest, **named
            ),
        )
        window.actions_of_window.search_again.trigger()
        wait_until(lambda: window.notice is not None)
    assert window.status.status.headline == "Something went wrong with this photo"
    assert window.photo.picture is not None

    press_offer(window.status)
    wait_for_work(window)

    assert window.status.status.severity is Severity.GOOD


def test_a_new_puzzle_is_made_and_its_solution_kept_back(open_window: OpenWindow) -> None:
    warm_up_generator(9)  # on a busy computer it may take longer than the window is waited for
    window = open_window()

    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = window.notice
    assert isinstance(dialog, NewPuzzleDialog)
    assert dialog.isVisible()
    choose_level(dialog, Level.EASY)
    dialog.make()
    wait_until(lambda: window.document is not None)
    wait_for_work(window)

    document = document_of(window)
    assert present(document.board).solution is not None
    assert not any(cell.solution for cell in document.faces()[0].cells)


def test_the_puzzle_is_printed_by_a_key(window: Window) -> None:
    QTest.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)

    (preview,) = window.findChildren(QPrintPreviewDialog)
    wait_until(preview.isVisible)
    preview.close()


def test_missing_weights_leave_a_window_that_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    def load():  # type: ignore[no-untyped-def]
        raise EngineError("the weights are missing; install anew")

    window = Window(settings_in(tmp_path), Worker(load), tmp_path)
    qtbot.addWidget(window)
    window.show()
    window.begin()
    wait_until(lambda: window.status.status.severity is Severity.BAD)

    assert window.status.status.detail == "the weights are missing; install anew"
    assert window.central_view.welcome.isVisible()
    window.when_open(lambda: None)  # as a phone's photo is
    assert not window.is_waiting
    assert window.status.status.severity is Severity.BAD
    window.close()


def test_solved_photos_open_again_from_the_history(window: Window, tmp_path: Path) -> None:
    (kept,) = kept_in(tmp_path)
    assert np.array_equal(kept.clues, EASY_GRID)
    assert kept.thumbnail is not None

    window.actions_of_window.close.trigger()
    window.actions_of_window.history_panel.trigger()
    panel = window.history_recorder.panel()
    wait_until(lambda: panel.isVisible())
    (shown,) = panel.findChildren(QListWidget)
    assert shown.count() == 1
    click_row(shown, 0)
    panel.open_chosen()
    wait_for_work(window)

    assert document_of(window).is_typed
    assert board_of(window).solution is not None
    assert board_of(window).is_open


def test_a_puzzle_whose_clues_are_corrected_stands_once_in_the_history(
    open_window: OpenWindow, photo: Path, tmp_path: Path
) -> None:
    window = open_window(photo)

    def kept() -> list[str]:
        window.history_recorder.finish()
        return [format_grid(entry.clues) for entry in kept_in(tmp_path)]

    write(window, 2, "4")
    wait_for_work(window)
    corrected = format_grid(board_of(window).board.clues)
    assert kept() == [corrected] != [format_grid(EASY_GRID)]
    # It is on the picture that is copied, too.
    QTest.keyClick(window, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().image()
    assert copied.size() == to_qimage(load_image(photo)).size()
    assert copied != to_qimage(load_image(photo))

    window.actions_of_window.undo.trigger()
    wait_for_work(window)
    assert kept() == [format_grid(EASY_GRID)]
    # Of two photos, one may be corrected and the other not.
    window.file_opener.open_files([Path(shutil.copy(photo, photo.with_name("again.png")))])
    wait_for_work(window)
    write(window, 2, "4")
    wait_for_work(window)
    assert sorted(kept()) == sorted([corrected, format_grid(EASY_GRID)])


def test_what_another_program_kept_out_of_the_history_goes_in_later(
    open_window: OpenWindow, photo: Path, tmp_path: Path
) -> None:
    path = tmp_path / "data" / "history.sqlite"
    assert History(path).find() == []
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        window = open_window(photo)

    window.commands.show_solution(False)

    wait_until(lambda: not window.history_recorder.is_writing)
    assert [format_grid(entry.clues) for entry in kept_in(tmp_path)] == [format_grid(EASY_GRID)]


def test_the_sample_page_is_kept_in_no_history(open_window: OpenWindow, tmp_path: Path) -> None:
    open_window(sample_path())

    assert kept_in(tmp_path) == []


def test_only_one_panel_is_shown_at_a_time_and_none_behind_live_pictures(window: Window) -> None:
    actions = window.actions_of_window

    QTest.keyClick(window, Qt.Key.Key_H)
    assert window.panels.isVisible()
    QTest.keyClick(window, Qt.Key.Key_W)
    assert not actions.help_panel.isChecked()
    assert actions.walk_panel.isChecked()
    QTest.keyClick(window, Qt.Key.Key_W)
    assert not window.panels.isVisible()

    panels = (actions.help_panel, actions.technique_panel, actions.history_panel)
    actions.live.trigger()
    assert not any(panel.isEnabled() for panel in panels)
    actions.live.trigger()
    assert all(panel.isEnabled() for panel in panels)


def test_the_solution_is_as_it_was_when_the_walk_is_closed(window: Window) -> None:
    for _ in range(2):
        QTest.keyClick(window, Qt.Key.Key_W)
        wait_until(lambda: not any(solution_seen(window)))
        QTest.keyClick(window, Qt.Key.Key_W)
        assert any(solution_seen(window))

    assert not window.actions_of_window.undo.isEnabled()
    # What was hidden before stays so.
    QTest.keyClick(window, Qt.Key.Key_S)
    assert not any(solution_seen(window))

    QTest.keyClick(window, Qt.Key.Key_W)
    (steps,) = window.panels.findChildren(WalkPanel)
    wait_until(lambda: steps.findChildren(QSlider)[0].isEnabled())
    QTest.keyClick(window, Qt.Key.Key_W)

    assert not any(solution_seen(window))


def solution_seen(window: Window) -> list[int]:
    return [cell.solution for cell in window.photo.layers[0].face.cells]


def test_no_remark_is_cut_short_by_another(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.gui.window.presenter._REMARK_MS", 600)
    monkeypatch.setattr("app.gui.window.presenter._SIGN_MS", 0)
    first, second = "The first remark", "The second remark"
    window.presenter.say(first)
    QTest.qWait(300)

    start = time.monotonic()
    window.presenter.say(second, "More about it.")

    assert window.status.status.headline == second
    assert window.status.status.detail == "More about it."
    wait_until(lambda: window.status.status.headline != second)
    assert time.monotonic() - start > 0.5  # a slow computer only shows it longer


def test_nothing_unverified_can_be_copied(window: Window) -> None:
    window.editor.select(2)
    QTest.keyClicks(window.photo, "3")
    wait_for_work(window)

    assert not window.actions_of_window.copy_image.isEnabled()
    assert not window.actions_of_window.save_image.isEnabled()


def test_with_less_motion_solutions_are_there_at_once(open_window: OpenWindow, photo: Path) -> None:
    window = open_window(photo, **{"window/less_motion": True})
    window.actions_of_window.solution.trigger()
    empty = window.photo.grab().toImage()

    window.actions_of_window.solution.trigger()

    at_once = window.photo.grab().toImage()
    assert at_once != empty
    QApplication.processEvents()
    assert window.photo.grab().toImage() == at_once


def test_the_solution_appears_in_a_wave(open_window: OpenWindow, photo: Path) -> None:
    window = open_window(photo, **{"window/less_motion": False})
    reveal = window.photo.layers[0]._reveal
    wait_until(lambda: reveal.state() == QAbstractAnimation.State.Stopped)
    whole = window.photo.grab().toImage()
    window.actions_of_window.solution.trigger()

    window.actions_of_window.solution.trigger()
    first = window.photo.grab().toImage()
    wait_until(lambda: reveal.state() == QAbstractAnimation.State.Stopped)

    assert first != whole
    assert window.photo.grab().toImage() == whole


def test_a_photo_is_asked_for_again_after_it_was_stopped(window: Window) -> None:
    document = document_of(window)
    window.actions_of_window.search_again.trigger()
    session_of(window).cancel(document)
    assert window.status.status.action == "Find the board"

    press_offer(window.status)
    wait_for_work(window)

    assert window.status.status.severity is Severity.GOOD


def test_the_toolbar_can_be_walked_by_tab(window: Window) -> None:
    buttons = [one for one in window.toolbar.findChildren(QToolButton) if one.isVisible()]

    named = [one for one in buttons if one.accessibleName()]
    assert len(named) >= 9
    assert all(one.focusPolicy() & Qt.FocusPolicy.TabFocus for one in named if one.isEnabled())


def test_drawing_the_window_loads_nothing_of_the_line(tmp_path: Path) -> None:
    """What is heavy is loaded behind the window, or it would not appear at once."""
    code = (
        "import sys; from pathlib import Path; from app.gui.start import make_application\n"
        "application = make_application()\n"
        "from PySide6.QtCore import QSettings; from app.gui.window.main_window import Window\n"
        "folder = Path(sys.argv[1])\n"
        "store = QSettings(str(folder / 'settings.ini'), QSettings.Format.IniFormat)\n"
        "window = Window(store, data_folder=folder); window.show(); window.begin()\n"
        "assert not window.photo.grab().isNull()\n"
        "print(*({'numpy', 'cv2', 'PIL', 'sqlite3', 'ai_edge_litert', 'app.recognition.pipeline'}"
        " & set(sys.modules)))"
    )
    done = run_python("-c", code, tmp_path, check=True)

    assert done.stdout.split() == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="screens are Linux's affair here")
@pytest.mark.parametrize(
    ("platform", "display", "told"),
    [
        ("", "", "needs a screen"),
        ("nonsense", ":4077", "the window cannot be opened"),
        ("xcb", ":4077", "the window cannot be opened"),
    ],
)
def test_without_a_screen_or_where_qt_would_abort_a_sentence_says_so(
    sudoku_lens_process: RunCommand, platform: str, display: str, told: str
) -> None:
    screen = {"DISPLAY": display, "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": platform}

    done = sudoku_lens_process(*(["open"] if platform else []), environment=screen)

    assert done.returncode == 4
    assert told in done.stderr
    assert not platform or "sudoku-lens doctor" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_sample_page_comes_with_the_package() -> None:
    assert load_image(sample_path()).shape == (820, 990, 3)
    assert sample_path().stat().st_size < 150_000


def test_every_tool_is_there_in_the_smallest_window(window: Window) -> None:
    window.resize(window.minimumSize())
    QTest.qWait(50)

    tools = [tool for tool in window.toolbar.findChildren(QToolButton) if tool.text()]
    assert {tool.text() for tool in tools} >= {"Open", "Hints", "Step by step"}
    assert all(tool.isVisible() and not tool.visibleRegion().isEmpty() for tool in tools)
    narrow = [tool.width() for tool in tools]

    window.resize(1200, 800)
    QTest.qWait(50)

    assert [tool.width() for tool in tools] != narrow


def test_the_status_of_a_new_puzzle_tells_how_far_its_solver_is(open_window: OpenWindow) -> None:
    solution = EASY_SOLUTION_GRID
    clues = solution.copy()
    clues.flat[[0, 40]] = 0
    window = open_window()
    open_puzzle(window, clues, is_given=True)
    assert window.status.status.headline == "A puzzle with exactly one solution"

    write(window, 0, str(solution.flat[0]))
    write(window, 40, str(solution.flat[40] % 9 + 1))
    wait_for_work(window)
    assert window.status.status.headline == "Every cell is filled, but not every digit is right"
    write(window, 40, str(solution.flat[40]))
    wait_for_work(window)

    assert window.status.status.headline == "Solved: every digit is right"
    assert window.status.status.severity is Severity.GOOD


# --- however often Qt is called, Python lives on


CALLS = """
import app.gui
from app.gui import keep_constants
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

again = keep_constants()
colour, thing = QColor(1, 2, 3), QObject()
for _ in range(100_000):
    colour.setAlpha(4)
    thing.setProperty("name", 1)
print(again)
"""


def test_a_hundred_thousand_calls_do_not_end_the_process() -> None:
    done = run_python("-c", CALLS)

    assert done.returncode == 0, done.stderr
    assert done.stdout == "False\n"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="constants cannot die in later Pythons")
@pytest.mark.parametrize("constant", [None, True, False])
def test_constants_have_references_to_spare_once_the_window_is_imported(constant: object) -> None:
    import app.gui  # noqa: F401

    assert sys.getrefcount(constant) > 1 << 40

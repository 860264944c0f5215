"""The help and walk panels, used as people use them: by themselves, and in the window."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from present import present
from puzzles import EASY, HARD
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListWidget, QSlider, QWidget
from pytestqt.qtbot import QtBot
from window_rig import (
    OpenWindow,
    board_of,
    click_row,
    find_button,
    press,
    wait_for_work,
    wait_until,
    write,
)

from app.gui.panels.help_panel import HelpPanel
from app.gui.panels.walk_panel import WalkPanel
from app.gui.window.main_window import Window
from app.help.assistance import Progress
from app.report.board_marks import Highlight, Mark
from solver.base import Limits
from solver.exact.bitmask import BitmaskSolver
from solver.grid import parse_grid
from training.pages.flat_board import render_board
from vision.media.images import save_image

pytestmark = pytest.mark.usefixtures("collecting_here")
Seen = list[Highlight | None]


def progress_of(text: str, *entries: tuple[int, int]) -> Progress:
    clues = parse_grid(text)
    written = np.zeros((9, 9), np.uint8)
    for cell, digit in entries:
        written.ravel()[cell] = digit
    return Progress(clues, written, BitmaskSolver().solve(clues, Limits()).solution)


def unsolved(puzzle: str) -> Progress:
    clues = parse_grid(puzzle)
    return Progress(clues, np.zeros_like(clues), None)


def text_of(panel: QWidget, name: str) -> str:
    (label,) = (one for one in panel.findChildren(QLabel) if one.accessibleName() == name)
    return label.text()


@pytest.fixture
def panel(qtbot: QtBot) -> HelpPanel:
    """The help panel, beside an easy puzzle."""
    made = HelpPanel()
    qtbot.addWidget(made)
    made.show()
    made.set_board(progress_of(EASY))
    return made


@pytest.fixture
def seen(panel: HelpPanel) -> Seen:
    """What the panel has marked, one after the other."""
    marked: Seen = []
    panel.highlight_changed.connect(marked.append)
    return marked


def test_a_hint_deepens_with_each_click_and_then_goes_on(panel: HelpPanel, seen: Seen) -> None:
    for text in ("Hint", "Which cells?", "Show the step", "Next hint"):
        press(panel, text)

    look, pattern, step, following = map(present, seen)
    assert set(look.marks.values()) == {Mark.UNIT}
    assert Mark.PATTERN in pattern.marks.values()
    assert len(step.digits) == 1
    assert following.digits == step.digits
    assert text_of(panel, "Hint").startswith("Look at ")
    press(panel, "Which cells?")
    names = [one.accessibleName() for one in panel.findChildren(QWidget)]
    assert "Strength of the hint: 2 of 3" in names


def test_clearing_takes_the_marks_off_and_begins_anew(panel: HelpPanel, seen: Seen) -> None:
    press(panel, "Hint")

    press(panel, "Clear")

    assert seen[-1] is None
    assert find_button(panel, "Hint").isEnabled()
    assert not find_button(panel, "Clear").isVisible()


def test_revealed_cells_count_as_known(panel: HelpPanel) -> None:
    progress = progress_of(EASY)
    empty = np.flatnonzero(progress.clues.ravel() == 0).tolist()

    panel.set_board(progress, revealed=empty[1:])
    press(panel, "Hint")
    press(panel, "Which cells?")

    assert "full house" in text_of(panel, "Hint")


def test_a_written_digit_ends_the_hint_about_it(panel: HelpPanel, seen: Seen) -> None:
    for text in ("Hint", "Which cells?", "Show the step"):
        press(panel, text)
    told = present(seen[-1])

    panel.set_board(progress_of(EASY, *told.digits.items()))

    assert seen[-1] is None
    assert find_button(panel, "Hint").isEnabled()


def test_entries_are_checked(panel: HelpPanel, seen: Seen) -> None:
    panel.set_board(progress_of(EASY, (2, 4), (3, 9)))

    press(panel, "Check my entries")

    assert text_of(panel, "Hint") == "1 right, 1 wrong: row 1, column 4."
    assert seen == [Highlight({2: Mark.GOOD, 3: Mark.BAD})]


@pytest.mark.parametrize(("selected", "name"), [(2, "Reveal this cell"), (0, "Reveal a cell")])
def test_the_selected_empty_cell_is_revealed_or_one_that_helps(
    qtbot: QtBot, panel: HelpPanel, selected: int | None, name: str
) -> None:
    progress = progress_of(EASY)
    panel.set_board(progress)
    panel.set_selected(selected)

    with qtbot.waitSignal(panel.reveal_cell_requested) as asked:
        press(panel, name)

    (cell,) = present(asked.args)
    assert progress.clues.ravel()[cell] == 0
    assert selected != 2 or cell == 2


def test_candidates_come_and_go_beside_a_hint(panel: HelpPanel, seen: Seen) -> None:
    press(panel, "Hint")

    press(panel, "All")
    press(panel, "After logic")
    press(panel, "None")

    hint, all_of_them, left, without = map(present, seen[-4:])
    assert len(all_of_them.notes) > len(left.notes) > 0
    assert all_of_them.marks == hint.marks
    assert without == hint


def test_the_difficulty_is_told_once_someone_looks(qtbot: QtBot) -> None:
    panel = HelpPanel()
    qtbot.addWidget(panel)
    panel.set_board(progress_of(EASY))
    assert text_of(panel, "Difficulty") == ""

    panel.show()

    wait_until(lambda: text_of(panel, "Difficulty").startswith("Difficulty: Easy (1.2)"))


def test_a_hidden_panel_marks_nothing_and_comes_back_as_it_was(
    panel: HelpPanel, seen: Seen
) -> None:
    press(panel, "Hint")

    panel.hide()
    panel.show()

    assert seen[-2] is None
    assert seen[-1] == seen[-3]


def test_nothing_can_be_asked_for_without_a_board(panel: HelpPanel) -> None:
    panel.set_board(None)

    for text in ("Hint", "Check my entries", "Reveal a cell", "Reveal all", "All"):
        assert not find_button(panel, text).isEnabled()


def test_an_unverified_puzzle_gives_no_digit_away(panel: HelpPanel, seen: Seen) -> None:
    panel.set_board(unsolved("55" + EASY[2:]))

    press(panel, "Hint")

    assert text_of(panel, "Hint").startswith("5 stands twice in row 1.")
    assert seen == [Highlight({0: Mark.BAD, 1: Mark.BAD})]
    assert not find_button(panel, "Reveal a cell").isEnabled()
    assert not find_button(panel, "Reveal all").isEnabled()


@pytest.fixture
def walk_panel(qtbot: QtBot) -> WalkPanel:
    panel = WalkPanel(step_ms=0)
    qtbot.addWidget(panel)
    panel.show()
    return panel


def begin_walk(panel: WalkPanel, progress: Progress) -> int:
    """Show a puzzle, wait for its steps and return the number of the last."""
    panel.set_board(progress)
    wait_until(lambda: panel.findChildren(QSlider)[0].isEnabled())
    return panel.findChildren(QSlider)[0].maximum()


def test_a_walk_goes_forth_and_back_by_buttons_and_keys(walk_panel: WalkPanel) -> None:
    last = begin_walk(walk_panel, progress_of(EASY))
    seen: list[int] = []
    slider = walk_panel.findChildren(QSlider)[0]
    walk_panel.activateWindow()
    slider.setFocus()
    wait_until(slider.hasFocus)
    slider.valueChanged.connect(seen.append)

    press(walk_panel, "Next")
    press(walk_panel, "Next")
    press(walk_panel, "Back")
    QTest.keyClick(slider, Qt.Key.Key_Right)
    QTest.keyClick(slider, Qt.Key.Key_Left)
    QTest.keyClick(slider, Qt.Key.Key_End)
    QTest.keyClick(slider, Qt.Key.Key_Home)

    assert seen == [1, 2, 1, 2, 1, last, 0]
    assert not find_button(walk_panel, "Back").isEnabled()
    assert find_button(walk_panel, "Next").isEnabled()


def test_each_step_shows_its_digits_on_the_board(walk_panel: WalkPanel) -> None:
    progress = progress_of(EASY)
    last = begin_walk(walk_panel, progress)
    shown: list[Highlight | None] = []
    walk_panel.highlight_changed.connect(shown.append)

    walk_panel.go_to(last)
    walk_panel.go_to(0)

    full, none = shown
    assert none is None
    assert len(present(full).digits) == int((progress.clues == 0).sum())


def test_a_step_is_chosen_in_the_list(walk_panel: WalkPanel) -> None:
    begin_walk(walk_panel, progress_of(EASY))

    click_row(walk_panel.findChildren(QListWidget)[0], 3)

    assert walk_panel.number == 3
    assert text_of(walk_panel, "This step")


def test_a_walk_plays_to_its_end_and_stops(walk_panel: WalkPanel) -> None:
    last = begin_walk(walk_panel, progress_of(EASY))

    press(walk_panel, "Play")

    wait_until(lambda: walk_panel.number == last)
    assert find_button(walk_panel, "Play").isEnabled()
    assert text_of(walk_panel, "This step") == "Solved."


def test_playing_can_be_paused(qtbot: QtBot) -> None:
    panel = WalkPanel(step_ms=60_000)
    qtbot.addWidget(panel)
    panel.show()
    begin_walk(panel, progress_of(EASY))

    press(panel, "Play")
    press(panel, "Pause")

    assert find_button(panel, "Play").isEnabled()
    assert panel.number == 0


def test_a_walk_that_cannot_be_finished_says_so(walk_panel: WalkPanel) -> None:
    last = begin_walk(walk_panel, progress_of(HARD))

    walk_panel.go_to(last)

    assert "goes on" in text_of(walk_panel, "This step")


def test_the_walk_begins_anew_for_another_puzzle_only(walk_panel: WalkPanel) -> None:
    begin_walk(walk_panel, progress_of(EASY))
    walk_panel.go_to(5)

    for entries in ((), ((2, 4),)):  # a digit that is written leaves it where it is
        walk_panel.set_board(progress_of(EASY, *entries))
        wait_until(lambda: walk_panel.number == 5)
    begin_walk(walk_panel, progress_of(HARD))

    assert walk_panel.number == 0


@pytest.mark.parametrize(
    ("begin", "said"),
    [
        (lambda panel: panel.set_board(None), "Open a photo"),
        (lambda panel: panel.set_board(unsolved(EASY)), "No solution of this puzzle"),
    ],
)
def test_a_walk_says_why_there_is_none(
    walk_panel: WalkPanel, begin: Callable[[WalkPanel], None], said: str
) -> None:
    begin(walk_panel)

    assert text_of(walk_panel, "This step").startswith(said)
    assert not find_button(walk_panel, "Play").isEnabled()


def test_panels_live_on_in_another_language(panel: HelpPanel, walk_panel: WalkPanel) -> None:
    press(panel, "Hint")
    before = text_of(panel, "Hint")
    begin_walk(walk_panel, progress_of(EASY))
    walk_panel.go_to(4)

    for one in (panel, walk_panel):
        QCoreApplication.sendEvent(one, QEvent(QEvent.Type.LanguageChange))

    assert text_of(panel, "Hint") == before
    wait_until(lambda: walk_panel.number == 4)


def test_a_hint_is_read_out_where_someone_listens(
    panel: HelpPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: read.append(event.message())
    )

    press(panel, "Hint")
    press(panel, "Which cells?")

    assert [text.partition(".")[0] for text in read[-2:]] == ["Look at box 2", "Look at box 2"]
    assert read[-1] != read[-2]


# --- in the window


def switch_on(window: Window, action: QAction, kind: type[QWidget]) -> QWidget:
    """Open a panel by its action's key, and return it."""
    wait_until(action.isEnabled)
    window.activateWindow()
    action.trigger()
    (panel,) = window.findChildren(kind)
    wait_until(panel.isVisible)
    return panel


def pixels(widget: QWidget) -> bytes:
    image = widget.grab().toImage()  # which owns the pixels as long as it has a name
    return bytes(image.constBits())


def revealed(window: Window) -> frozenset[int]:
    return board_of(window).revealed


def test_a_hint_hides_the_solution_and_is_drawn_on_photo_and_board(window: Window) -> None:
    assert len(revealed(window)) == 81
    panel = switch_on(window, window.actions_of_window.help_panel, HelpPanel)

    press(panel, "Hint")

    assert revealed(window) == frozenset()
    before = pixels(window.photo.viewport()), pixels(window.clean)
    press(panel, "Which cells?")
    after = pixels(window.photo.viewport()), pixels(window.clean)
    assert before[0] != after[0]
    assert before[1] != after[1]
    press(panel, "Reveal a cell")
    (cell,) = revealed(window)
    assert parse_grid(EASY).ravel()[cell] == 0
    press(panel, "Reveal all")
    assert len(revealed(window)) == 81


@pytest.fixture
def two_photos(open_window: OpenWindow, photo: Path, tmp_path: Path) -> Window:
    """The window with two photos of one puzzle, the first looked at."""
    save_image(tmp_path / "again.png", render_board(parse_grid(EASY), px=360)[0])
    return open_window(photo, tmp_path / "again.png")


def look_at_next(window: Window) -> None:
    """Look at the next photo, and wait until it is loaded again."""
    window.actions_of_window.next_photo.trigger()
    wait_for_work(window)


def walk_to(window: Window, step: int) -> QSlider:
    """Open the walk, go to a step, and return its slider."""
    panel = switch_on(window, window.actions_of_window.walk_panel, WalkPanel)
    slider = panel.findChildren(QSlider)[0]
    wait_until(slider.isEnabled)
    slider.setValue(step)
    return slider


def test_the_walk_goes_on_on_another_photo_and_gives_nothing_away(two_photos: Window) -> None:
    slider = walk_to(two_photos, step=3)

    look_at_next(two_photos)

    assert two_photos.windowTitle() == "again.png – Sudoku Lens"
    assert revealed(two_photos) == frozenset()
    assert slider.value() == 3
    shown = pixels(two_photos.photo.viewport())
    slider.setValue(0)
    assert pixels(two_photos.photo.viewport()) != shown
    slider.setValue(3)

    assert pixels(two_photos.photo.viewport()) == shown
    # After the walk both photos lie open again.
    two_photos.actions_of_window.walk_panel.trigger()

    assert len(revealed(two_photos)) == 81
    look_at_next(two_photos)
    assert len(revealed(two_photos)) == 81


def test_a_solution_asked_for_beside_the_walk_stays_open(two_photos: Window) -> None:
    slider = walk_to(two_photos, step=3)

    two_photos.actions_of_window.solution.trigger()
    slider.setValue(4)

    assert len(revealed(two_photos)) == 81


def test_a_photo_searched_anew_gives_nothing_away_beside_the_walk(window: Window) -> None:
    walk_to(window, step=3)

    window.actions_of_window.search_again.trigger()
    wait_for_work(window)

    assert revealed(window) == frozenset()


def test_help_follows_a_corrected_digit(window: Window) -> None:
    panel = switch_on(window, window.actions_of_window.help_panel, HelpPanel)
    press(panel, "Hint")

    write(window, 2, "5")
    wait_for_work(window)
    press(panel, "Hint")

    said = " ".join(label.text() for label in panel.findChildren(QLabel))
    assert "5 stands twice" in said

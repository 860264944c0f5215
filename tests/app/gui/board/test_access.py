"""The window for everybody: screen readers, signs beside colours, contrast, preferences, focus."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from present import present
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QMenuBar,
    QPushButton,
    QToolBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from window_rig import OpenWindow, press_key, settings_in, wait_for_work, wait_until

from app.board.board_values import BLANK_FACE, Doubt
from app.gui.board.cell_painting import CellPainter
from app.gui.board.outlines import ON_PAPER, DigitInks
from app.gui.photo.film_strip import FilmStrip
from app.gui.theme import CONTRAST, DARK, LIGHT, Theme, theme_of, wants_contrast
from app.gui.widgets import FoldingRow
from app.gui.window.main_window import Window
from app.report.board_marks import Highlight, Mark

pytestmark = pytest.mark.usefixtures("usual_looks")


def cells_of(widget: QWidget) -> list[str]:
    """Return what a screen reader says of each cell."""
    board = QAccessible.queryAccessibleInterface(widget)
    assert board.role() == QAccessible.Role.Table
    cells = [board.child(number) for number in range(board.childCount())]
    assert {cell.role() for cell in cells} <= {QAccessible.Role.Cell}
    return [cell.text(QAccessible.Text.Name) for cell in cells]


def test_screen_readers_walk_the_boards_cell_by_cell(open_window: OpenWindow, photo: Path) -> None:
    window = open_window(photo, **{"board/reveal_at_once": False})

    for widget in (window.photo, window.clean):
        told = cells_of(widget)
        assert len(told) == 81
        assert told[4] == "row 1, column 5, 7, clue"
        assert told[11] == "row 2, column 3, empty"

    window.commands.show_solution(True)
    assert cells_of(window.photo)[11] == "row 2, column 3, 2, solution"
    window.editor.select(11)
    press_key(window.clean, Qt.Key.Key_6)
    assert cells_of(window.clean)[11] == "row 2, column 3, 6, clue, stands twice"


def test_screen_readers_find_the_chosen_cell_and_where_it_is(window: Window) -> None:
    window.editor.select(12)

    for widget in (window.photo, window.clean):
        board = QAccessible.queryAccessibleInterface(widget)
        cell = board.child(12)
        middle = cell.rect().center()
        assert board.focusChild() is cell
        assert cell.state().selected
        assert not board.child(13).state().selected
        assert board.childAt(middle.x(), middle.y()) is cell
        assert board.indexOfChild(cell) == 12
        assert widget.rect().contains(widget.mapFromGlobal(middle))


def test_the_list_of_photos_tells_outcomes_by_signs(open_window: OpenWindow, photo: Path) -> None:
    window = open_window(photo, photo.with_name("gone.png"))
    strip = window.findChild(FilmStrip)
    assert isinstance(strip, FilmStrip)

    def sign(row: int) -> set[int]:
        icon = strip.model().index(row, 0).data(Qt.ItemDataRole.DecorationRole)
        image = icon.pixmap(208, 156).toImage()
        side = round(image.width() * 20 / 104)
        corner = image.copy(image.width() - side, image.height() - side, side, side)
        middle = corner.copy(side // 5, side // 5, side // 2, side // 2)
        return {
            middle.pixelColor(x, y).rgb()
            for x in range(middle.width())
            for y in range(middle.height())
        }

    assert len(sign(0)) > 2
    assert len(sign(1)) > 2


def test_high_contrast_is_taken_where_the_system_asks_for_it(qapp: QApplication) -> None:
    class System:
        """An application on a system with a preference, as Qt tells it."""

        preference = Qt.ContrastPreference.HighContrast

        def styleHints(self) -> "System":  # noqa: N802 - Qt's name
            return self

        def accessibility(self) -> "System":
            return self

        def contrastPreference(self) -> Qt.ContrastPreference:  # noqa: N802 - likewise
            return self.preference

    assert wants_contrast(System())
    System.preference = Qt.ContrastPreference.NoPreference
    assert not wants_contrast(System())
    assert not wants_contrast(qapp)


def contrast(one: str, other: str) -> float:
    """Return the ratio of two colours, as the Web Content Accessibility Guidelines define it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        return sum(w * x for w, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_stands_out_from_what_it_is_written_on(theme: Theme) -> None:
    grounds = (theme.window, theme.surface, theme.accent_soft)
    pairs = {(theme.text, ground) for ground in grounds}
    pairs |= {(theme.muted, theme.window), (theme.on_accent, theme.accent)}
    pairs |= {(ink, theme.paper) for ink in (theme.accent, theme.entry)}

    assert {pair for pair in pairs if contrast(*pair) < 4.5} == set()


def test_high_contrast_is_high_everywhere() -> None:
    c = CONTRAST
    grounds = {c.window, c.surface, c.raised, c.paper, c.accent_soft}
    inks = {c.text, c.muted, c.accent, c.entry, c.amber, c.red}

    low = {(i, g) for i in inks for g in grounds if contrast(i, g) < 4.5}

    assert low == set()
    assert contrast(c.text, c.window) > 20
    assert contrast(c.on_accent, c.accent) > 7
    assert contrast(c.line, c.window) > 7


def preferences(window: Window) -> dict[str, QWidget]:
    """Open the page of preferences, and return what can be chosen by its name."""
    QTest.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    dialog = present(window.notice)
    named: dict[str, QWidget] = {}
    for label in dialog.findChildren(QLabel):
        if label.buddy() is not None:
            named[label.text()] = label.buddy()
    return named | {box.text(): box for box in dialog.findChildren(QCheckBox)}


def choose(box: QWidget, number: int) -> None:
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(number)
    box.activated.emit(number)


def test_one_page_has_all_preferences_and_they_count_at_once_and_are_kept(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    points = window.font().pointSizeF()

    page = preferences(window)

    assert list(page) == [
        "Language",
        "Theme",
        "Text size",
        "Show",
        "Show solutions at once",
        "Digits as they were read",
        "Less motion",
    ]
    choose(page["Theme"], 3)
    assert theme_of(window) is theme_of(window.strip) is CONTRAST
    choose(page["Text size"], 2)
    assert window.font().pointSizeF() == pytest.approx(1.5 * points)
    assert window.status.findChildren(QLabel)[0].font().pointSizeF() > 1.5 * points
    choose(page["Show"], 0)
    assert not window.clean.isVisible()
    box = page["Show solutions at once"]
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert not window.actions_of_window.reveal_at_once.isChecked()
    store = settings_in(tmp_path)
    again = Window(store, None, tmp_path)
    qtbot.addWidget(again)
    assert again.font().pointSizeF() == pytest.approx(1.5 * points)
    assert store.value("window/theme") == "contrast"
    again.close()
    choose(page["Text size"], 0)
    choose(page["Theme"], 1)
    choose(page["Language"], 2)
    dialog = present(window.notice)
    wait_until(lambda: dialog.windowTitle() == "Einstellungen")


def test_what_is_shown_can_be_chosen_before_a_photo_is_open(blank: Window, photo: Path) -> None:
    shown = preferences(blank)["Show"]
    assert isinstance(shown, QComboBox)
    assert shown.currentText() == "Photo and board"

    choose(shown, 2)
    present(blank.notice).close()
    blank.file_opener.open_files([photo])
    wait_for_work(blank)

    assert blank.clean.isVisible()
    assert not blank.photo.isVisible()


def test_actions_go_on_once_the_page_of_preferences_is_closed(qtbot: QtBot, window: Window) -> None:
    preferences(window)
    dialog = present(window.notice)
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()

    with qtbot.capture_exceptions() as faults:
        window.actions_of_window.badges.trigger()
        window.actions_of_window.motion.trigger()

    assert faults == []


def test_parts_stand_side_by_side_only_where_there_is_room(qtbot: QtBot) -> None:
    one, other = QPushButton("short"), QPushButton("a name that is long")
    row = FoldingRow(one, other)
    qtbot.addWidget(row)

    def is_in_line(is_wanted: bool) -> bool:
        return (one.y() == other.y()) == is_wanted

    row.show()

    for width, is_wide in ((600, True), (200, False), (600, True)):
        row.resize(width, 200)
        wait_until(partial(is_in_line, is_wide))
        assert one.width() >= one.minimumSizeHint().width()
        assert other.width() >= other.minimumSizeHint().width()
    row.resize(300, 200)
    wait_until(partial(is_in_line, True))
    other.setText("a name that is longer than before")
    wait_until(partial(is_in_line, False))


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_wherever_the_focus_is_it_is_seen(open_window: OpenWindow, photo: Path, theme: str) -> None:
    window = open_window(photo, photo, **{"window/theme": theme})
    window.activateWindow()
    for panel in ("help_panel", "walk_panel", "history_panel"):
        getattr(window.actions_of_window, panel).setChecked(True)
        QTest.qWait(100)
        seen = {one: shows_focus(window, one) for one in find_reached(window)}

        assert len(seen) > 10
        assert [type(one).__name__ for one, is_seen in seen.items() if not is_seen] == [], panel
    window.menus.themes["system"].trigger()


def find_reached(window: Window) -> list[QWidget]:
    """Return what Tab leads to."""
    return [
        one
        for one in window.findChildren(QWidget)
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisible() and one.isEnabled()
        if not isinstance(one, (QMenuBar, QToolBar)) and not one.visibleRegion().isEmpty()
        if one.focusProxy() is None  # else that has the keys, such as the view around a viewport
    ]


def shows_focus(window: Window, widget: QWidget) -> bool:
    window.setFocus()
    before = widget.grab().toImage()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    return bool(widget.grab().toImage() != before)


def test_no_two_signs_are_the_same() -> None:
    from PySide6.QtGui import QPainter, QTransform

    def drawn(doubt: Doubt | None, mark: Mark | None, inks: DigitInks = ON_PAPER) -> bytes:
        image = QImage(60, 60, QImage.Format.Format_Grayscale8)
        image.fill(255)
        painter = QPainter(image)
        board = replace(BLANK_FACE, cells=(replace(BLANK_FACE.cells[0], doubt=doubt),))
        marks = Highlight(marks={} if mark is None else {0: mark})
        CellPainter(painter, QTransform.fromScale(60, 60), inks, board, marks, 0).sign()
        painter.end()
        return bytes(image.constBits())

    nothing = drawn(None, None)
    told = [drawn(None, Mark.GOOD), drawn(None, Mark.BAD), drawn(None, Mark.UNSURE)]
    assert len({nothing, *told}) == 4
    assert drawn(Doubt.CONFLICT, None) == told[1]
    assert drawn(Doubt.UNSURE, None) == told[2]

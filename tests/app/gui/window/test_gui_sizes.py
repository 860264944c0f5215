"""The window on screens and with text of every size: where it begins, and that all fits."""

import itertools
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSettings, QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from window_rig import (
    OpenWindow,
    Speak,
    offers_of,
    settings_in,
    wait_for_work,
    wait_until,
    write,
)

from app.gui.session.file_opener import sample_path
from app.gui.window.main_window import Window, first_place
from app.terminal.languages import LANGUAGES

pytestmark = pytest.mark.usefixtures("usual_looks")
SIZES = [(640, 460), (800, 600), (1024, 640), (1366, 700)]
PANELS = ["help_panel", "walk_panel", "history_panel"]


def begin(qtbot: QtBot, settings: QSettings, tmp_path: Path) -> Window:
    window = Window(settings, None, tmp_path)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    return window


def overlaps(parts: list[QWidget]) -> list[tuple[str, str]]:
    """Return which parts of one place lie over each other."""
    return [
        (type(one).__name__, type(other).__name__)
        for one, other in itertools.combinations(parts, 2)
        if one.geometry().intersects(other.geometry())
    ]


def faults_of(window: Window) -> list[object]:
    """Return what lies over something else, is cut off, or has too little room."""
    desk = window.central_view
    parts: list[QWidget] = [
        part
        for part in (
            window.strip, desk.notice, desk.room, desk.boards, desk.doubts, desk.play_bar,
            window.status, window.panels,
        )
        if part.isVisible()
    ]  # fmt: skip
    outside = [type(part).__name__ for part in parts if not desk.rect().contains(part.geometry())]
    cramped: list[object] = [
        (type(part).__name__, part.size().toTuple(), part.minimumSizeHint().toTuple())
        for part in parts
        if part.width() < part.minimumSizeHint().width()
        or part.height() < part.minimumSizeHint().height()
    ]
    status = window.status
    if status.height() < status.heightForWidth(status.width()):
        cramped.append(("the words of the status", status.size().toTuple()))
    return [*overlaps(parts), *outside, *cramped]


@pytest.mark.parametrize(
    ("screen", "size"),
    [
        (QRect(0, 0, 1920, 1040), QSize(1180, 800)),
        (QRect(0, 0, 1366, 728), QSize(1180, 660)),
        (QRect(70, 30, 800, 600), QSize(760, 532)),
        (QRect(0, 0, 600, 400), QSize(560, 332)),
    ],
)
def test_the_first_place_is_the_middle_of_what_is_free(screen: QRect, size: QSize) -> None:
    place = first_place(screen)

    assert place.size() == size
    assert screen.contains(place)
    assert abs(place.center().x() - screen.center().x()) <= 1


def test_the_first_start_fits_and_later_ones_remember_place(qtbot: QtBot, tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    window = begin(qtbot, settings, tmp_path)
    assert window.screen().availableGeometry().contains(window.frameGeometry())
    window.setGeometry(30, 50, 700, 520)
    window.close()

    again = begin(qtbot, settings, tmp_path)

    assert again.geometry() == QRect(30, 50, 700, 520)
    again.close()


@pytest.mark.parametrize("code", ["de", "fr"])
def test_nothing_overlaps_whatever_panel_is_open(
    open_window: OpenWindow, speak: Speak, code: str
) -> None:
    speak(code)
    window = open_window(sample_path(), sample_path())

    for panel, size in itertools.product((None, *PANELS), SIZES):
        if panel is not None:
            getattr(window.actions_of_window, panel).setChecked(True)
        window.resize(*size)
        QTest.qWait(50)
        wait_for_work(window)

        assert faults_of(window) == [], (panel, size)
        assert (window.width(), window.height()) == size


def test_nothing_overlaps_while_a_board_is_played(open_window: OpenWindow, speak: Speak) -> None:
    speak("de")
    window = open_window(sample_path(), sample_path())
    window.actions_of_window.play.trigger()

    for has_panel, size in itertools.product((False, True), SIZES):
        window.actions_of_window.help_panel.setChecked(has_panel)
        window.resize(*size)
        wait_until(lambda: faults_of(window) == [])

        assert window.central_view.play_bar.isVisible()
        assert (window.width(), window.height()) == size


def test_large_text_fits(open_window: OpenWindow, photo: Path) -> None:
    window = open_window(photo, photo, **{"window/text_size": 200})
    window.resize(1000, 700)

    for panel in PANELS:
        getattr(window.actions_of_window, panel).setChecked(True)
        QTest.qWait(50)
        assert faults_of(window) == [], panel
    assert (window.width(), window.height()) == (1000, 700)
    window.appearance.set_text_size(100)


def test_the_digits_of_the_keys_of_play_grow_with_the_text(window: Window) -> None:
    window.actions_of_window.play.trigger()
    keys = [
        key for key in window.central_view.play_bar.findChildren(QToolButton) if key.text() == "5"
    ]
    (plain,) = [key.fontInfo().pixelSize() for key in keys]

    window.appearance.set_text_size(200)

    (large,) = [key.fontInfo().pixelSize() for key in keys]
    window.appearance.set_text_size(100)
    assert large > 1.8 * plain


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_button_of_the_status_shows_all_its_words(
    open_window: OpenWindow, photo: Path, speak: Speak, code: str
) -> None:
    window = open_window(photo, **{"window/text_size": 150})
    speak(code)
    write(window, 1, "5")
    wait_for_work(window)
    window.actions_of_window.help_panel.setChecked(True)
    (offer,) = offers_of(window.status)

    for size in SIZES:
        window.resize(*size)

        wait_until(lambda: offer.width() >= offer.sizeHint().width(), 5_000)
    window.appearance.set_text_size(100)


@pytest.mark.parametrize("code", LANGUAGES)
def test_large_text_in_the_smallest_window_needs_no_scrolling_sideways(
    open_window: OpenWindow, photo: Path, speak: Speak, code: str
) -> None:
    window = open_window(photo, photo, **{"window/text_size": 200})
    speak(code)
    window.resize(window.minimumSize())
    actions = window.actions_of_window

    for name in ("help_panel", "technique_panel", "walk_panel", "history_panel"):
        getattr(actions, name).setChecked(True)
        QTest.qWait(50)
        areas = [one for one in window.panels.findChildren(QScrollArea) if one.isVisible()]
        assert [one.horizontalScrollBar().maximum() for one in areas] == [0] * len(areas), name
    actions.history_panel.setChecked(False)
    actions.play.trigger()
    QTest.qWait(50)

    status = window.status
    assert status.height() >= status.heightForWidth(status.width())
    menus = window.menuBar()
    last = menus.actionGeometry(menus.actions()[-1])
    more = [one for one in menus.findChildren(QToolButton) if one.isVisible()]
    assert menus.rect().contains(last) or all(is_drawn(one) for one in more)
    assert (window.width(), window.height()) == (640, 460)
    window.appearance.set_text_size(100)


def is_drawn(button: QToolButton) -> bool:
    """Tell whether anything is seen of a button."""
    picture = button.grab().toImage()
    points = itertools.product(range(picture.width()), range(picture.height()))
    return len({picture.pixel(x, y) for x, y in points}) > 1


def test_beside_a_panel_a_narrow_window_shows_the_photo_alone(open_window: OpenWindow) -> None:
    window = open_window(sample_path(), sample_path())
    window.actions_of_window.help_panel.trigger()

    window.resize(640, 460)
    QTest.qWait(50)
    assert window.photo.isVisible()
    assert not window.clean.isVisible()
    assert not window.strip.isVisible()
    assert window.photo.width() >= 300
    assert window.actions_of_window.view_photo.isChecked()

    window.resize(1200, 800)
    QTest.qWait(50)
    assert window.photo.isVisible()
    assert window.clean.isVisible()
    assert window.strip.isVisible()
    assert window.actions_of_window.view_both.isChecked()


@pytest.mark.parametrize("code", ["de", "fr"])
def test_all_that_invites_is_seen_in_a_small_window(
    open_window: OpenWindow, speak: Speak, code: str
) -> None:
    speak(code)
    window = open_window()

    window.resize(640, 460)
    QTest.qWait(50)

    welcome = window.central_view.welcome
    buttons = [one for one in welcome.findChildren(QAbstractButton) if one.isVisible()]
    assert len(buttons) >= 5
    assert overlaps(list(buttons)) == []
    assert all(one.visibleRegion().boundingRect() == one.rect() for one in buttons)
    assert all(one.width() >= one.minimumSizeHint().width() for one in buttons)


def test_files_offered_before_take_no_room(open_window: OpenWindow, tmp_path: Path) -> None:
    welcome = open_window().central_view.welcome
    welcome.resize(5 * 150, 600)
    files = [tmp_path / f"{number}.png" for number in range(5)]

    for _ in range(2):
        welcome.show_recent(files)

    shown = [one for one in welcome.findChildren(QToolButton) if one.isVisibleTo(welcome)]
    assert [one.toolTip() for one in shown[-5:]] == list(map(str, files))

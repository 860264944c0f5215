"""Photos in the window: how they come in, what is shown of them, and how they are looked at."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from arrays import Image8
from present import present
from puzzles import EASY, EASY_GRID, HARD, OTHER_GRID
from PySide6.QtCore import QFileInfo, QMimeData, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QGuiApplication,
    QNativeGestureEvent,
    QPainter,
    QPointingDevice,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from window_rig import (
    CONTROL,
    OpenWindow,
    board_of,
    document_of,
    drop,
    files,
    names_of,
    open_with,
    place_of,
    press,
    press_key,
    press_offer,
    session_of,
    wait_for_work,
    wait_until,
    write,
)

from app.gui.session.document import from_qimage, to_qimage
from app.gui.session.file_opener import recent_files, sample_path
from app.gui.window.main_window import Window
from app.gui.window.status_line import Severity
from app.puzzles.puzzle_texts import SUFFIXES, write_puzzle
from app.recognition.outcome import Outcome
from app.recognition.results import PhotoResult
from models.lookalike_reader import Lookalike
from solver.formats import Format
from solver.formats_kinds import parse_kind_puzzle
from solver.formats_links import compress_to_base64
from solver.grid import format_grid
from training.pages.flat_board import render_board
from vision.drawing.overlay import draw_digits
from vision.media.images import save_image


def write_board(path: Path, clues: npt.NDArray[np.uint8], px: int = 360) -> Path:
    save_image(path, render_board(clues, px=px)[0])
    return path


def noise() -> Image8:
    image = np.random.default_rng(11).normal(128, 20, (240, 320, 3)).clip(0, 255)
    return image.astype(np.uint8)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return write_board(tmp_path / "other.png", OTHER_GRID)


def clues_of(window: Window) -> str:
    return format_grid(board_of(window).board.clues)


def test_the_first_start_shows_the_sample_page_solved(open_window: OpenWindow) -> None:
    window = open_window(**{"opened/has_started": False})

    document = document_of(window)
    assert document.path == sample_path()
    assert document.outcome is Outcome.SOLVED
    assert window.status.status.severity is Severity.GOOD
    assert window.status.status.headline.startswith("Solved · exactly one solution · ")
    assert recent_files(window.settings) == []


def test_later_starts_invite_to_open_a_photo(blank: Window) -> None:
    assert blank.document is None
    assert blank.central_view.welcome.isVisible()
    press(blank.central_view.welcome, "Sample page")
    wait_for_work(blank)

    assert not blank.central_view.welcome.isVisible()
    assert blank.status.status.severity is Severity.GOOD


def test_the_photo_is_there_before_the_networks_are(blank: Window, qtbot: QtBot) -> None:
    waiting = Window(blank.settings)
    qtbot.addWidget(waiting)
    waiting.show()

    waiting.file_opener.begin([sample_path()])

    assert waiting.session is None
    assert waiting.status.status.severity is Severity.WORKING
    assert not waiting.central_view.welcome.isVisible()


def test_of_several_dropped_files_one_is_shown(blank: Window, photo: Path, other: Path) -> None:
    drop(blank, files(photo, other))
    wait_for_work(blank)

    assert names_of(blank) == ["easy.png", "other.png"]
    assert blank.strip.isVisible()
    assert clues_of(blank) == format_grid(EASY_GRID)
    assert blank.windowTitle().startswith("easy.png")
    assert blank.photo.layers[0].face.is_solved
    place = place_of(blank, "other.png")
    QTest.mouseClick(blank.strip.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert clues_of(blank) == format_grid(OTHER_GRID)


def test_of_many_photos_only_some_stay_in_memory(open_window: OpenWindow, tmp_path: Path) -> None:
    paths = [write_board(tmp_path / f"{number}.png", EASY_GRID, px=200) for number in range(7)]
    window = open_window()

    drop(window, files(*paths))
    wait_for_work(window)
    session = session_of(window)
    assert [one.outcome for one in session.documents] == [Outcome.SOLVED] * 7
    assert sum(one.pixels is not None for one in session.documents) <= 4
    assert all(one.small is not None for one in session.documents)

    session.choose(session.documents[6])
    wait_for_work(window)

    assert window.photo.picture is session.documents[6].picture is not None
    assert window.photo.layers[0].face.is_solved
    assert window.status.status.severity is Severity.GOOD


def test_a_file_that_was_written_anew_meanwhile_is_read_anew(
    open_window: OpenWindow, tmp_path: Path, photo: Path
) -> None:
    others = [tmp_path / f"{number}.png" for number in range(5)]
    for path in others:
        shutil.copy(photo, path)
    window = open_window(*others)
    session = session_of(window)
    last = session.documents[-1]
    assert last.pixels is None
    write_board(others[-1], OTHER_GRID)

    session.choose(last)
    wait_for_work(window)

    assert clues_of(window) == format_grid(OTHER_GRID)
    assert not last.timeline.past


def test_a_file_that_comes_back_finds_its_board_as_it_was_played(
    window: Window, photo: Path, tmp_path: Path
) -> None:
    window.actions_of_window.play.trigger()
    write(window, 2, "4")
    played = board_of(window).shown
    photo.rename(tmp_path / "away.png")
    window.actions_of_window.turn_right.trigger()
    wait_for_work(window)
    assert window.photo.is_lost

    (tmp_path / "away.png").rename(photo)
    press(window.status, "Try again")
    wait_for_work(window)

    assert not window.photo.is_lost
    assert np.array_equal(board_of(window).shown, played)
    assert not board_of(window).is_open


def test_dropped_pixels_are_opened_and_dropped_text_is_not(open_window: OpenWindow) -> None:
    window, data = open_window(), QMimeData()
    data.setText("no photo")
    drop(window, data)
    assert window.document is None

    data.setImageData(to_qimage(render_board(EASY_GRID, px=360)[0]))
    drop(window, data)
    wait_for_work(window)

    assert clues_of(window) == format_grid(EASY_GRID)


@pytest.mark.parametrize("kind", ["pixels", "file"])
def test_a_copied_photo_is_pasted(open_window: OpenWindow, photo: Path, kind: str) -> None:
    window, data = open_window(), QMimeData()
    if kind == "file":
        data = files(photo)
    else:
        data.setImageData(to_qimage(render_board(EASY_GRID, px=360)[0]))
    QGuiApplication.clipboard().setMimeData(data)

    press_key(window, Qt.Key.Key_V, CONTROL)

    assert clues_of(window) == format_grid(EASY_GRID)
    assert window.status.status.headline.startswith("Solved")


THERMOMETER = {"size": 4, "grid": [[{}] * 4] * 4, "thermometer": [{"lines": [["R1C1", "R1C2"]]}]}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no photo", "There is no photo and no puzzle in the clipboard"),
        (
            "https://www.f-puzzles.com/?load=" + compress_to_base64(json.dumps(THERMOMETER)),
            "not known: thermometer",
        ),
        (EASY[:-1], "80 cells were found"),
        ('{"kind": "killer", "clues": "' + "." * 81 + '"}', "A killer has cages"),
    ],
    ids=["text", "link", "short grid", "killer without cages"],
)
def test_what_cannot_be_opened_of_a_clipboard_is_told(blank: Window, text: str, told: str) -> None:
    QGuiApplication.clipboard().setText(text)

    blank.actions_of_window.paste.trigger()

    said = blank.status.status
    assert blank.status.isVisible()
    assert told in f"{said.headline} {said.detail}"


def test_pasting_from_an_empty_clipboard_is_answered_calmly(
    blank: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QGuiApplication, "clipboard", _NothingCopied)

    blank.actions_of_window.paste.trigger()

    said = blank.status.status
    assert said.headline == "There is no photo and no puzzle in the clipboard"
    assert said.detail == ""


class _NothingCopied:
    """A clipboard as Qt shows it where nothing was ever copied."""

    def mimeData(self) -> None:  # noqa: N802
        return None


def test_files_as_the_window_saves_them_can_be_opened(blank: Window, tmp_path: Path) -> None:
    for form in Format:
        path = tmp_path / f"{form.value}{SUFFIXES[form]}"
        path.write_text(write_puzzle(parse_kind_puzzle(EASY), form, "Saved"), encoding="utf-8")
        drop(blank, files(path))
        wait_for_work(blank)

        assert document_of(blank).name == path.name
        assert clues_of(blank) == EASY
        assert recent_files(blank.settings)[0] == path


def test_of_several_dropped_files_the_first_that_holds_something_is_shown(
    window: Window, other: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("no puzzle", encoding="utf-8")

    drop(window, files(tmp_path / "notes.txt", other))
    wait_for_work(window)

    assert document_of(window).name == "other.png"


def test_whether_a_file_holds_a_puzzle_or_a_photo_its_content_decides(
    blank: Window, photo: Path, tmp_path: Path
) -> None:
    for name in ("puzzle", "list.csv", "puzzle.json"):
        (tmp_path / name).write_text(f"{EASY}\n", encoding="utf-8")
    renamed = photo.rename(tmp_path / "photo.txt")

    drop(blank, files(*(tmp_path / name for name in ("puzzle", "list.csv", "puzzle.json"))))
    drop(blank, files(renamed))
    wait_for_work(blank)

    opened = session_of(blank).documents
    assert [one.is_typed for one in opened] == [True, True, True, False]
    assert all(format_grid(present(one.board).board.clues) == EASY for one in opened)


def test_of_a_collection_the_first_puzzles_open(open_window: OpenWindow, tmp_path: Path) -> None:
    path = tmp_path / "many.sdm"
    path.write_text(f"{EASY}\n" * 20, encoding="utf-8")

    window = open_window(path)

    assert names_of(window) == [f"many.sdm {n}" for n in range(1, 13)]
    assert document_of(window).name == "many.sdm 1"
    assert window.central_view.notice.isVisible()


def test_of_a_pasted_collection_all_puzzles_are_opened(blank: Window) -> None:
    QGuiApplication.clipboard().setText(f"{EASY}\n{HARD}\n")

    blank.actions_of_window.paste.trigger()
    wait_for_work(blank)

    assert names_of(blank) == ["Pasted puzzle 1", "Pasted puzzle 2"]
    assert clues_of(blank) == EASY


def test_of_a_file_without_a_puzzle_that_is_said(open_window: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no puzzle", encoding="utf-8")

    window = open_window(tmp_path / "notes.txt")

    assert window.document is None
    assert window.central_view.notice.isVisible()


def test_the_dialog_opens_several_photos(open_window: OpenWindow, photo: Path, other: Path) -> None:
    window = open_window(**{"opened/folder": str(photo.parent)})

    window.actions_of_window.open.trigger()
    dialog = window.file_opener.dialog
    assert isinstance(dialog, QFileDialog)
    assert not dialog.iconProvider().icon(QFileInfo(str(photo))).isNull()
    dialog.selectFile(str(photo))
    dialog.filesSelected.emit([str(photo), str(other)])
    dialog.close()
    wait_for_work(window)

    assert names_of(window) == ["easy.png", "other.png"]


def test_opened_files_are_remembered_and_offered_again_until_they_are_forgotten(
    open_window: OpenWindow, photo: Path, other: Path
) -> None:
    window = open_window(photo)
    drop(window, files(other))
    wait_for_work(window)

    assert recent_files(window.settings) == [other, photo]
    names = [action.text() for action in window.menus.recent.actions()]
    assert names[:2] == ["other.png", "easy.png"]

    window.actions_of_window.close.trigger()
    window.actions_of_window.close.trigger()
    assert window.central_view.welcome.isVisible()
    wait_until(lambda: len(recent_buttons(window)) == 2)
    QTest.mouseClick(recent_buttons(window)[1], Qt.MouseButton.LeftButton)
    wait_for_work(window)
    assert clues_of(window) == format_grid(EASY_GRID)
    window.menus.recent.actions()[-1].trigger()

    assert recent_files(window.settings) == []
    assert not window.menus.recent.isEnabled()


def recent_buttons(window: Window) -> list[QToolButton]:
    return [one for one in window.central_view.welcome.findChildren(QToolButton) if one.isVisible()]


def test_a_broken_file_gets_a_calm_sentence_and_the_window_goes_on(
    open_window: OpenWindow, photo: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(photo.read_bytes()[:200])

    window = open_window(broken)

    assert window.status.status.severity is Severity.BAD
    assert window.status.status.headline == "This picture cannot be shown"
    assert "broken.jpg" in window.status.status.detail
    assert window.notice is None
    drop(window, files(photo))
    wait_for_work(window)
    assert clues_of(window) == format_grid(EASY_GRID)
    # What is broken is not offered again.
    assert recent_files(window.settings) == [photo]
    names = [action.text() for action in window.menus.recent.actions()]
    assert "broken.jpg" not in names


def test_names_of_files_are_shown_as_they_are(
    open_window: OpenWindow, photo: Path, tmp_path: Path
) -> None:
    shutil.copy(photo, tmp_path / "Tom & Jerry.png")
    for name in ("<h1>broken.jpg", "<u>notes.txt"):
        (tmp_path / name).write_text("neither photo nor puzzle", encoding="utf-8")

    window = open_window(
        *(tmp_path / name for name in ("<h1>broken.jpg", "<u>notes.txt", "Tom & Jerry.png"))
    )

    told = [one for part in (window.status, window.central_view.notice) for one in labels_of(part)]
    assert {one.textFormat() for one in told} == {Qt.TextFormat.PlainText}
    texts = " ".join(one.text() for one in told)
    assert "<h1>broken.jpg is not a picture" in texts
    assert "There is no puzzle in <u>notes.txt." in texts
    assert window.menus.recent.actions()[0].text() == "Tom && Jerry.png"  # && draws &
    for _ in range(2):
        window.actions_of_window.close.trigger()
    assert [one.text() for one in recent_buttons(window)] == ["Tom && Jerry.png"]


def labels_of(part: QWidget) -> list[QLabel]:
    return [one for one in part.findChildren(QLabel) if one.isVisible() and one.text()]


def test_a_board_that_is_not_found_can_be_placed(open_window: OpenWindow, tmp_path: Path) -> None:
    save_image(tmp_path / "noise.png", noise())

    window = open_window(tmp_path / "noise.png")

    assert window.status.status.headline == "No board was found"
    assert window.status.status.action == "Place the board"


class _Kakuros:
    """Stands in for the line, and sees a kakuro on every photo."""

    def solve_photo(self, image: object, clock: object) -> PhotoResult:
        return PhotoResult(Outcome.NO_BOARD, (), (), {}, lookalike=Lookalike.KAKURO)


def test_a_photo_of_another_puzzle_says_what_it_seems_to_be(qtbot: QtBot, tmp_path: Path) -> None:
    save_image(tmp_path / "noise.png", noise())

    window = open_with(_Kakuros, qtbot, tmp_path, tmp_path / "noise.png")
    wait_for_work(window)

    assert window.status.status.headline == "This seems to be a kakuro, not a Sudoku"
    assert window.status.status.action == "Place the board"


def test_the_wheel_zooms_at_the_pointer_and_fit_shows_all(window: Window) -> None:
    view = window.photo
    fitted, place = view.transform().m11(), QPoint(150, 200)
    before = view.mapToScene(place)

    turn_wheel(view.viewport(), place, 240)

    assert view.transform().m11() == pytest.approx(fitted * 1.25**2)
    after = view.mapToScene(place)
    assert abs(after.x() - before.x()) < 2
    assert abs(after.y() - before.y()) < 2
    window.actions_of_window.fit.trigger()
    assert view.transform().m11() == pytest.approx(fitted)
    window.actions_of_window.near.trigger()
    assert view.transform().m11() == pytest.approx(fitted * 1.25)
    window.actions_of_window.board_near.trigger()
    assert view.transform().m11() > fitted
    window.actions_of_window.pixels.trigger()
    assert view.transform().m11() * view.devicePixelRatioF() == pytest.approx(1)


def test_a_fitted_board_stays_fitted_when_the_view_grows(window: Window) -> None:
    window.actions_of_window.board_near.trigger()
    before = window.photo.transform().m11()

    window.actions_of_window.view_photo.trigger()
    window.resize(window.width(), window.height() - 150)

    board = window.photo.layers[0].sceneBoundingRect()
    shown = window.photo.mapFromScene(board).boundingRect()
    assert window.photo.transform().m11() != before
    assert window.photo.viewport().rect().contains(shown)
    centre = window.photo.viewport().rect().center()
    assert (shown.center() - centre).manhattanLength() <= 4


def turn_wheel(
    widget: QWidget, place: QPoint, angle: int, phase: Qt.ScrollPhase = Qt.ScrollPhase.NoScrollPhase
) -> None:
    event = QWheelEvent(
        QPointF(place),
        QPointF(widget.mapToGlobal(place)),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        phase,
        False,
    )
    QApplication.sendEvent(widget, event)


def test_two_fingers_on_a_pad_zoom_and_pan(window: Window) -> None:
    view, place = window.photo, QPointF(200, 200)
    fitted = view.transform().m11()
    pinch = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QPointingDevice.primaryPointingDevice(),
        2,
        place,
        place,
        place,
        0.5,
        QPointF(),
    )

    QApplication.sendEvent(view.viewport(), pinch)

    assert view.transform().m11() == pytest.approx(1.5 * fitted)
    before = view.mapToScene(QPoint(0, 0))
    turn_wheel(view.viewport(), place.toPoint(), -60, Qt.ScrollPhase.ScrollUpdate)
    assert view.transform().m11() == pytest.approx(1.5 * fitted)
    assert view.mapToScene(QPoint(0, 0)).y() > before.y()


def test_dragging_moves_the_photo_and_chooses_no_cell(window: Window) -> None:
    view = window.photo.viewport()
    before = window.photo.mapToScene(QPoint(0, 0))

    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    QTest.mouseMove(view, QPoint(240, 230))
    QTest.mouseMove(view, QPoint(260, 240))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(260, 240))

    moved = window.photo.mapToScene(QPoint(0, 0)) - before
    assert moved.x() < 0
    assert moved.y() < 0
    assert window.editor.cell is None


def test_the_views_are_kept_for_the_next_start(window: Window) -> None:
    window.actions_of_window.view_board.trigger()
    assert not window.photo.isVisible()
    assert window.clean.isVisible()
    window.resize(760, 560)  # the screen of the tests is small
    window.close()

    later = Window(window.settings)

    assert later.actions_of_window.view_board.isChecked()
    assert later.size() == window.size()
    later.close()


def test_two_fingers_zoom_about_what_is_between_them(window: Window) -> None:
    view = window.photo
    middle = view.viewport().rect().center()
    held = view.mapToScene(middle)
    before = view.transform().m11()

    pinch(view.viewport(), middle, range(40, 121, 8))
    near = view.transform().m11()

    assert near == pytest.approx(3 * before, rel=0.35)
    assert (view.mapToScene(middle) - held).manhattanLength() < 8 / near + 3
    pinch(view.viewport(), middle, range(120, 39, -8))
    assert view.transform().m11() < 0.7 * near


def pinch(viewport: QWidget, middle: QPoint, distances: range) -> None:
    """Lay two fingers on, and move each so far from the middle."""
    screen = QTest.createTouchDevice()
    places = [[middle - QPoint(far, 0), middle + QPoint(far, 0)] for far in distances]
    begin = QTest.touchEvent(viewport, screen)
    begin.press(0, places[0][0], viewport).press(1, places[0][1], viewport).commit()
    for left, right in places[1:]:
        move = QTest.touchEvent(viewport, screen)
        move.move(0, left, viewport).move(1, right, viewport).commit()
    end = QTest.touchEvent(viewport, screen)
    end.release(0, places[-1][0], viewport).release(1, places[-1][1], viewport).commit()


def test_a_cancelled_photo_shows_no_result(blank: Window, photo: Path) -> None:
    drop(blank, files(photo))
    assert blank.status.status.action == "Cancel"

    press_offer(blank.status)

    assert blank.status.status.headline == "Stopped"
    assert document_of(blank).board is None


def test_what_is_drawn_in_the_window_stands_where_saved_pictures_have_it(
    open_window: OpenWindow, photo: Path
) -> None:
    """The overlay of the window and that of `solve -o` must not differ by more than edges."""
    window = open_window(photo, **{"window/view": "photo"})
    document = document_of(window)
    image = present(document.image)
    board = board_of(window).board
    missing = np.where(board.clues == 0, present(board.solution), 0).astype(np.uint8)
    saved = draw_digits(image, board.lattice, missing)

    window.photo.resetTransform()
    scene = window.photo.scene()
    picture = to_qimage(np.zeros_like(image))
    painter = QPainter(picture)
    scene.render(painter, QRectF(picture.rect()), QRectF(picture.rect()))
    painter.end()
    shown = from_qimage(picture)

    differing = cv2.absdiff(saved, shown).max(axis=2) > 90
    assert differing.mean() < 0.01

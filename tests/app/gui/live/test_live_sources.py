"""Videos and addresses on the live page, and the page's place in the window."""

import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from filming import film
from present import present
from puzzles import EASY_GRID
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QToolButton
from pytestqt.qtbot import QtBot
from window_rig import Speak, document_of, drop, files, press_offer, settings_in, wait_until

from app.gui.live.frame_worker import GetPicture, LiveWorker
from app.gui.live.live_bar import SourceKind
from app.gui.live.page import LivePage
from app.gui.live.screen import CalmState
from app.gui.live.source import Feed
from app.gui.session.document import from_qimage, to_qimage
from app.gui.session.file_opener import quiet_qt, sample_path
from app.gui.window.main_window import Window
from app.live.live_view import LiveState
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from solver.grid import format_grid
from vision.media.camera import Shot, Source

quiet_qt()
pytest.importorskip("PySide6.QtMultimedia", exc_type=ImportError)
from live_rig import FakeDevices, show_page, wait_for_words  # noqa: E402

from app.gui.live.qt_camera import rank_format  # noqa: E402


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One second of a page that is held still."""
    path = tmp_path_factory.mktemp("films") / "page.avi"
    image = film(EASY_GRID)
    size = (image.shape[1], image.shape[0])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, size)
    for _ in range(30):
        writer.write(image)
    writer.release()
    return path


@pytest.fixture
def page(qtbot: QtBot, line: Pipeline, tmp_path: Path, collecting_here: None) -> Iterator[LivePage]:
    settings = settings_in(tmp_path)
    settings.setValue("window/native_dialogs", False)
    made = show_page(qtbot, settings, LiveWorker(lambda: line), FakeDevices())
    yield made
    made.shut_down()


def shows_solution(page: LivePage) -> bool:
    frame = page.screen_of_page.frame
    return frame is not None and frame.view.opacity == 1 and bool(frame.view.digits.any())


def test_a_video_is_played_and_its_last_frame_solved_and_played_again(
    page: LivePage, video: Path
) -> None:
    page.open_file(video)
    page.begin()

    # However slow the computer is: what came last stays, and is read.
    wait_for_words(page, "The video has ended")
    wait_until(lambda: shows_solution(page))
    assert page.sources.list.currentText() == "page.avi"

    press_offer(page.status)
    assert page.screen_of_page.frame is None
    wait_for_words(page, "The video has ended")
    assert page.screen_of_page.frame is not None


def test_freezing_a_video_holds_it_where_it_is(qtbot: QtBot, page: LivePage, video: Path) -> None:
    page.open_file(video)
    page.begin()
    wait_until(lambda: page.screen_of_page.frame is not None)

    QTest.keyClick(page.screen_of_page, Qt.Key.Key_Space)
    # Longer than the rest of the video.
    qtbot.wait(1500)
    assert page.is_frozen
    assert page.status.status.headline != "The video has ended"

    QTest.keyClick(page.screen_of_page, Qt.Key.Key_Space)
    wait_for_words(page, "The video has ended")


def test_a_file_that_is_no_video_gets_a_calm_sentence_in_the_window_s_language(
    page: LivePage, tmp_path: Path, video: Path, speak: Speak
) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no video")

    page.begin()
    page.open_file(broken)

    wait_for_words(page, "This source cannot be shown")
    assert "broken.mp4 is no video" in page.status.status.detail
    speak("de")
    wait_until(lambda: "broken.mp4 ist kein Video" in page.status.status.detail)
    page.open_file(video)
    wait_until(lambda: page.screen_of_page.frame is not None)


def test_a_video_is_chosen_in_a_dialog(page: LivePage, video: Path) -> None:
    page.begin()
    box = page.sources.list
    row = box.findText("Video file…")

    box.setCurrentIndex(row)
    box.activated.emit(row)
    dialog = page.dialog
    assert isinstance(dialog, QFileDialog)
    dialog.selectFile(str(video))
    dialog.fileSelected.emit(str(video))
    dialog.close()

    assert box.currentText() == "page.avi"
    wait_until(lambda: page.screen_of_page.frame is not None)


def test_an_address_is_typed_and_what_cannot_be_reached_is_said(
    page: LivePage, speak: Speak
) -> None:
    page.resize(800, 600)
    page.begin()
    box, address = page.sources.list, page.sources.address
    row, width = box.findText("Address…"), box.width()
    assert not address.isVisible()

    box.setCurrentIndex(row)
    box.activated.emit(row)
    QTest.qWait(50)
    assert address.isVisible()
    assert address.width() > 250 > width
    QTest.keyClicks(address, "ms ")
    assert address.text() == "ms "
    assert not page.buttons.mirror.isChecked()  # keys do nothing else meanwhile
    assert not page.is_frozen
    address.clear()
    # Port 9 of this very computer: nobody answers there, at once.
    QTest.keyClicks(address, "http://127.0.0.1:9/none")
    QTest.keyClick(address, Qt.Key.Key_Return)

    wait_for_words(page, "This source cannot be shown")
    assert "http://127.0.0.1:9/none" in page.status.status.detail
    assert box.currentText() == "Address…"
    speak("de")
    wait_until(lambda: "nichts empfangen" in page.status.status.detail)
    assert "http://127.0.0.1:9/none" in page.status.status.detail


def test_a_source_that_breaks_off_is_said_unless_it_was_left(page: LivePage, video: Path) -> None:
    page.begin()
    page.open_file(video)
    left = present(page.source.feed)
    page.open_file(video)

    left.failed.emit(left, "it is gone")
    assert page.status.status.headline != "This source cannot be shown"
    assert page.source.feed is not None
    page.source.feed.failed.emit(page.source.feed, "it is gone")

    assert page.status.status.headline == "This source cannot be shown"
    assert page.status.status.detail == "It is gone."


def test_a_feed_that_is_stopped_hands_on_nothing_any_more(qapp: object) -> None:
    came: list[GetPicture] = []
    goes_on = threading.Semaphore(0)
    has_closed = threading.Event()

    def shots() -> Iterator[Shot]:
        while not has_closed.is_set():
            goes_on.acquire(timeout=60)
            yield Shot(np.zeros((8, 8, 3), np.uint8), 0.0)

    def open_it(_: str) -> Source:
        return Source(shots(), has_closed.set, 30.0, None, is_live=True)

    feed = Feed("somewhere", came.append, open_it=open_it)
    feed.start()
    goes_on.release()
    wait_until(lambda: len(came) == 1)

    feed.stop()
    goes_on.release(2)
    wait_until(has_closed.is_set)

    assert len(came) == 1


def test_a_feed_that_is_stopped_has_nothing_under_way_any_more() -> None:
    is_entered, may_end = threading.Event(), threading.Event()
    came: list[GetPicture] = []

    def put(get_picture: GetPicture) -> None:
        is_entered.set()
        may_end.wait(60)
        came.append(get_picture)

    def open_it(_: str) -> Source:
        shots = iter([Shot(np.zeros((8, 8, 3), np.uint8), 0.0)])
        return Source(shots, lambda: None, 30.0, None, is_live=True)

    feed = Feed("somewhere", put, open_it=open_it)
    feed.start()
    assert is_entered.wait(60)
    threading.Timer(0.2, may_end.set).start()

    feed.stop()

    assert len(came) == 1


def test_a_fault_while_playing_is_a_calm_sentence(
    qapp: object, caplog: pytest.LogCaptureFixture
) -> None:
    def open_it(_: str) -> Source:
        raise RuntimeError("a fault of ours")

    feed = Feed("somewhere", lambda _: None, open_it=open_it)
    told: list[str] = []
    feed.failed.connect(lambda _, reason: told.append(reason))

    feed.start()

    wait_until(lambda: bool(told))
    assert told == ["It broke off; try again, or choose another."]
    assert "a fault of ours" in caplog.text


def test_the_live_page_opens_and_a_snapshot_becomes_a_photo(blank: Window, video: Path) -> None:
    button = next(one for one in blank.findChildren(QToolButton) if one.accessibleName() == "Live")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    page = present(blank.live.page)
    assert page.isVisible()
    assert page.status.status.headline in ("No camera was found", "Waiting for the first picture…")

    drop(blank, files(video))
    wait_until(lambda: page.screen_of_page.frame is not None)
    QTest.mouseClick(page.buttons.snapshot, Qt.MouseButton.LeftButton)

    assert not page.isVisible()
    assert not blank.actions_of_window.live.isChecked()
    document = document_of(blank)
    assert document.name.startswith("Snapshot ")
    wait_until(lambda: document.outcome is Outcome.SOLVED)
    assert format_grid(present(document.board).board.clues) == format_grid(EASY_GRID)


def test_pixels_outlive_the_picture_of_qt_that_they_came_from() -> None:
    image = film(EASY_GRID)
    taken = [from_qimage(to_qimage(image)) for _ in range(4)]

    assert all(np.array_equal(one, image) for one in taken)
    assert not any(np.shares_memory(taken[0], one) for one in taken[1:])


def test_behind_the_live_page_keys_do_nothing_to_the_photo_and_escape_leaves_it(
    open_window: Callable[..., Window],
) -> None:
    window = open_window(sample_path())
    document = document_of(window)
    before = document.timeline
    window.editor.select(0)

    window.actions_of_window.live.trigger()
    page = present(window.live.page)
    for key in (Qt.Key.Key_5, Qt.Key.Key_S, Qt.Key.Key_Delete, Qt.Key.Key_Z):
        QTest.keyClick(page.screen_of_page, key)
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert document.timeline is before
    assert not window.actions_of_window.solution.isEnabled()
    QTest.keyClick(page.screen_of_page, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert window.actions_of_window.solution.isEnabled()
    # So does a photo that is opened.
    window.actions_of_window.live.trigger()
    assert page.isVisible()
    drop(window, files(sample_path()))
    assert not page.isVisible()
    assert window.document is not None


def test_closing_the_window_ends_the_threads_of_the_live_page(blank: Window, video: Path) -> None:
    blank.live.open_video(video)
    page = present(blank.live.page)
    wait_until(lambda: page.screen_of_page.frame is not None)

    blank.close()

    names = {thread.name for thread in threading.enumerate()}
    assert not names & {"live follow", "live read"}


def test_the_page_speaks_another_language_at_once(page: LivePage, speak: Speak) -> None:
    def said() -> tuple[str, ...]:
        return page.status.status.headline, page.buttons.freeze.text(), page.sources.list.toolTip()

    page.begin()
    english = said()
    speak("de")
    QApplication.sendPostedEvents()
    german = said()

    assert english == ("No camera was found", "Freeze", "Camera, video file or address")
    assert not set(english) & set(german)


def test_states_that_are_gone_at_once_are_not_said() -> None:
    calm = CalmState()

    told = [
        calm.follow(state, seconds)
        for state, seconds in (
            (LiveState.READING, 0.0),
            (LiveState.READING, 0.5),
            (LiveState.LOST, 0.6),
            (LiveState.READING, 0.7),
            (LiveState.SOLVED, 0.8),
            (LiveState.LOST, 0.9),
            (LiveState.SEARCHING, 1.2),
            (LiveState.SEARCHING, 1.4),
        )
    ]

    assert told == [
        LiveState.SEARCHING,
        LiveState.READING,
        LiveState.READING,
        LiveState.READING,
        LiveState.SOLVED,
        LiveState.SOLVED,
        LiveState.SOLVED,
        LiveState.SEARCHING,
    ]


def test_of_a_cameras_formats_the_one_that_is_fast_and_large_enough_is_best() -> None:
    formats = {
        "tiny": rank_format(320, 240, 30, is_packed=False),
        "slow": rank_format(1280, 720, 10, is_packed=False),
        "packed": rank_format(1280, 720, 30, is_packed=True),
        "plain": rank_format(1280, 720, 30, is_packed=False),
        "huge": rank_format(3840, 2160, 30, is_packed=True),
        "large": rank_format(1920, 1080, 30, is_packed=True),
        "none": rank_format(0, 0, 0, is_packed=False),
    }

    order = sorted(formats, key=lambda name: formats[name], reverse=True)

    assert order == ["plain", "packed", "large", "huge", "tiny", "slow", "none"]


def test_a_narrow_page_has_room_for_every_part(page: LivePage) -> None:
    # The window may be narrower than what all words need.
    page.setMinimumWidth(640)
    page.sources.show_source((SourceKind.ADDRESS, "rtsp://camera"))
    page.resize(640, 400)
    QApplication.processEvents()

    parts = [page.sources, page.buttons.freeze, page.buttons.mirror, page.buttons.copy]
    places = [QRect(part.mapTo(page, QPoint()), part.size()) for part in parts]

    assert page.width() == 640
    assert page.sources.width() >= page.sources.minimumSizeHint().width()
    assert all(one.right() < other.left() for one, other in itertools.pairwise(places))
    assert places[-1].right() < page.width()
    assert page.buttons.freeze.accessibleName() == "Freeze"

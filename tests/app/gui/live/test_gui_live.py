"""The live page: a camera that is simulated shows pages, and their solutions lie on them."""

import itertools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Semaphore

import numpy as np
import numpy.typing as npt
import pytest
from filming import HEIGHT, WIDTH, film
from present import present
from puzzles import EASY_GRID, OTHER_GRID
from PySide6.QtCore import QObject, QPoint, QSettings, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_rig import press, press_offer, settings_in, wait_until

from app.gui.live.frame_worker import Follower, GetPicture, LiveWorker
from app.gui.live.page import LivePage
from app.gui.session.document import from_qimage
from app.gui.session.file_opener import quiet_qt
from app.gui.window.status_line import Severity
from app.recognition.pipeline import Pipeline
from models.engine import EngineError
from solver.base import Limits
from solver.exact.bitmask import BitmaskSolver
from vision.media.video_frames import VideoPicture, from_bgr

quiet_qt()
pytest.importorskip("PySide6.QtMultimedia", exc_type=ImportError)
from live_rig import (  # noqa: E402
    FakeDevices,
    Format,
    as_frame,
    fake_cameras,
    show_page,
    wait_for_words,
)
from PySide6.QtMultimedia import QCamera  # noqa: E402

from app.gui.live.qt_camera import call_without_python  # noqa: E402
from app.gui.live.screen import LiveWord  # noqa: E402

pytestmark = pytest.mark.usefixtures("collecting_here")
DESK = np.full((HEIGHT, WIDTH, 3), 110, np.uint8)
LONG = 60_000
OpenPage = Callable[..., LivePage]


@pytest.fixture
def devices() -> FakeDevices:
    made = FakeDevices("Desk camera", "Front camera")
    made.show(film(EASY_GRID))
    return made


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return settings_in(tmp_path)


@pytest.fixture
def open_page(
    qtbot: QtBot, line: Pipeline, devices: FakeDevices, settings: QSettings
) -> Iterator[OpenPage]:
    """Opens the page, before which `devices` lie."""
    opened: list[LivePage] = []

    def show(*, is_solved: bool = False) -> LivePage:
        page = show_page(qtbot, settings, LiveWorker(lambda: line), devices)
        opened.append(page)
        page.begin()
        if is_solved:
            wait_for_solution(page, EASY_GRID)
        return page

    yield show
    for page in opened:
        page.shut_down()


@pytest.fixture
def page(open_page: OpenPage) -> LivePage:
    """The page, with the solution on what the camera shows."""
    return open_page(is_solved=True)


def missing_in(clues: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    solution = present(BitmaskSolver().solve(clues, Limits()).solution)
    return np.where(clues > 0, 0, solution).astype(np.uint8)


def shows(page: LivePage, clues: npt.NDArray[np.uint8]) -> bool:
    """Tell whether the solution of a puzzle is fully there."""
    frame = page.screen_of_page.frame
    if frame is None or frame.view.opacity < 1:
        return False
    return np.array_equal(frame.view.digits, missing_in(clues))


def wait_for_solution(page: LivePage, clues: npt.NDArray[np.uint8]) -> None:
    wait_until(lambda: shows(page, clues))


def green_in(picture: QImage) -> npt.NDArray[np.bool_]:
    """Return where a picture is of the colour of solutions, (H, W)."""
    blue, green, red = (from_qimage(picture)[:, :, at].astype(int) for at in range(3))
    return np.asarray((green - red > 60) & (green - blue > 25))


@pytest.mark.parametrize("pixel_format", [Format.Format_NV12, Format.Format_P010])
@pytest.mark.qt_log_ignore("No RHI backend", extend=True)
def test_the_solution_lies_on_what_the_camera_shows(
    open_page: OpenPage, devices: FakeDevices, pixel_format: Format
) -> None:
    devices.show(film(EASY_GRID), pixel_format)

    page = open_page(is_solved=True)

    wait_for_words(page, "Solved · exactly one solution")
    assert page.status.status.severity is Severity.GOOD
    frame = present(page.screen_of_page.frame)
    # Where the rig filmed the board: its corners lie one part in twelve inside the paper.
    middle = present(frame.view.lattice).mean(axis=(0, 1))
    assert np.abs(middle - (318, 238)).max() < 8
    shown = green_in(page.screen_of_page.grab().toImage())
    assert shown.mean() > 0.01


def test_another_page_gets_its_own_solution_and_none_gets_none(
    page: LivePage, devices: FakeDevices
) -> None:
    devices.show(film(OTHER_GRID, shift=9))
    wait_for_solution(page, OTHER_GRID)

    devices.show(DESK)
    wait_for_words(page, "Looking for a Sudoku")
    frame = present(page.screen_of_page.frame)
    assert frame.view.opacity == 0
    assert not green_in(page.screen_of_page.grab().toImage()).any()


def test_a_puzzle_with_several_solutions_gets_none(
    open_page: OpenPage, devices: FakeDevices
) -> None:
    few = EASY_GRID.copy()
    few[[0, 8]] = 0
    devices.show(film(few))

    page = open_page()

    wait_for_words(page, "More than one solution")
    assert page.status.status.severity is Severity.DOUBTFUL
    frame = present(page.screen_of_page.frame)
    assert not frame.view.digits.any()


def test_space_freezes_the_picture_and_lets_it_go_on(
    qtbot: QtBot, page: LivePage, devices: FakeDevices
) -> None:
    QTest.keyClick(page.screen_of_page, Qt.Key.Key_Space)
    assert page.is_frozen
    assert page.status.status.detail == "The picture is frozen."
    devices.show(DESK)
    sent = present(page.source.cameras)
    with qtbot.waitSignals([sent.sink.videoFrameChanged] * 8, timeout=LONG):
        pass
    assert shows(page, EASY_GRID)

    press(page.status, "Go on")
    assert not page.is_frozen
    wait_for_words(page, "Looking for a Sudoku")


def test_a_frozen_frame_is_read_once_and_is_no_second_witness() -> None:
    seconds = itertools.count(0, 1)
    follower = Follower(lambda: float(next(seconds)))
    first, second = (from_bgr(film(EASY_GRID, shift)) for shift in (0, 2))
    follower.step(lambda: first)
    assert follower.ask(is_frozen=False) is not None
    follower.session.accept(None)

    follower.step_again()
    assert follower.ask(is_frozen=True) is None

    follower.step(lambda: second)
    follower.step_again()
    assert follower.ask(is_frozen=True) is not None
    follower.session.accept(None)
    follower.step_again()
    assert follower.ask(is_frozen=True) is None


def test_a_snapshot_is_undrawn_and_a_copied_picture_solved(qtbot: QtBot, page: LivePage) -> None:
    page.buttons.mirror.setChecked(True)

    with qtbot.waitSignal(page.snapshot_taken) as taken:
        QTest.keyClick(page.screen_of_page, Qt.Key.Key_S)
    QTest.keyClick(page.screen_of_page, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    image = taken.args[0]
    assert isinstance(image, np.ndarray)
    assert image.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(image.astype(int) - film(EASY_GRID)).mean() < 3
    copied = QGuiApplication.clipboard().image()
    assert (copied.width(), copied.height()) == (WIDTH, HEIGHT)
    assert green_in(copied).any()
    plain = np.abs(from_qimage(copied).astype(int) - film(EASY_GRID)).max(axis=2) < 40
    assert 0.85 < plain.mean() < 0.99
    assert page.status.status.headline == "The picture is copied"


def test_in_the_mirror_digits_stay_readable(page: LivePage, settings: QSettings) -> None:
    QTest.keyClick(page.screen_of_page, Qt.Key.Key_Space)
    straight = green_in(page.screen_of_page.grab().toImage())

    QTest.keyClick(page.screen_of_page, Qt.Key.Key_M)
    mirrored = green_in(page.screen_of_page.grab().toImage())

    flipped = straight[:, ::-1]
    places = [np.argwhere(one).mean(axis=0) for one in (flipped, mirrored)]
    assert np.abs(places[0] - places[1]).max() < 3
    # The very same digits, reversed, would cover the same pixels.
    assert (flipped & mirrored).sum() < 0.8 * mirrored.sum()
    assert settings.value("live/mirror", type=bool) is True


def test_overlay_and_frame_are_of_one_moment(open_page: OpenPage, devices: FakeDevices) -> None:
    """While the page moves, what is drawn must lie where this frame shows the board."""
    page = open_page(is_solved=True)
    misses: dict[int, npt.NDArray[np.floating]] = {}
    kept: list[object] = []  # so that none takes another's number
    for shift in (3, 6, 9, 12, 15, 18):
        devices.show(film(EASY_GRID, shift=shift))
        wanted = len(misses) + 4

        def has_seen(wanted: int = wanted) -> bool:
            frame = present(page.screen_of_page.frame)
            if frame.view.lattice is not None and frame.view.opacity > 0:
                middle_of_paper = np.argwhere(frame.picture.grey > 160).mean(axis=0)[::-1]
                middle_of_board = frame.view.lattice.mean(axis=(0, 1))
                misses[id(frame.picture)] = middle_of_board - middle_of_paper
                kept.append(frame)
            return len(misses) >= wanted

        wait_until(has_seen)

    assert np.ptp(np.array(list(misses.values())), axis=0).max() < 2


def grey_picture(number: int, when_unpacked: Callable[[], object]) -> GetPicture:
    """Return a picture of one grey, as a camera hands it on; it tells when it is unpacked."""

    def unpack() -> VideoPicture:
        when_unpacked()
        return from_bgr(np.full((48, 64, 3), number % 250, np.uint8))

    return unpack


def test_frames_that_cannot_be_shown_in_time_are_dropped(
    qapp: object, line: Pipeline, settings: QSettings
) -> None:
    worker = LiveWorker(lambda: line)
    seen: list[int] = []
    for number in range(500):
        worker.put(grey_picture(number, partial(seen.append, number)))
    worker.start()
    wait_until(lambda: bool(seen))
    worker.stop()
    newest = present(worker.take())

    assert seen == [499]
    assert newest.picture.grey[0, 0] == 499 % 250
    assert worker.take() is None


def test_results_that_nobody_takes_are_replaced_and_told_once(qtbot: QtBot, line: Pipeline) -> None:
    worker = LiveWorker(lambda: line)
    told: list[None] = []
    unpacked = Semaphore(0)

    class Ear(QObject):
        def hear(self) -> None:
            told.append(None)

    ear = Ear()
    worker.stepped.connect(ear.hear)

    worker.start()
    for number in range(5):
        worker.put(grey_picture(number, unpacked.release))
        unpacked.acquire(timeout=60)
    worker.stop()

    assert told == []
    wait_until(lambda: bool(told))
    qtbot.wait(50)
    assert len(told) == 1
    newest = present(worker.take())
    assert newest.picture.grey[0, 0] == 4


def test_cameras_are_chosen_by_name_and_remembered(
    open_page: OpenPage, devices: FakeDevices, settings: QSettings
) -> None:
    page = open_page()
    box = page.sources.list
    assert [box.itemText(row) for row in range(2)] == ["Desk camera", "Front camera"]
    assert box.currentText() == "Desk camera"

    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)

    assert devices.opened == [b"Desk camera", b"Front camera"]
    page.shut_down()
    later = open_page()
    assert later.sources.list.currentText() == "Front camera"


def test_the_list_follows_cameras_that_come_and_go(
    open_page: OpenPage, devices: FakeDevices
) -> None:
    page = open_page()
    cameras = present(page.source.cameras)
    third = devices.plugged.pop()

    cameras.refresh()
    assert page.sources.list.findText("Front camera") == -1

    devices.plugged.append(third)
    cameras.refresh()
    assert page.sources.list.findText("Front camera") >= 0
    assert page.sources.list.currentText() == "Desk camera"


def test_an_unplugged_camera_is_said_and_awaited(page: LivePage, devices: FakeDevices) -> None:
    cameras = present(page.source.cameras)
    gone = devices.plugged.pop(0)

    present(devices.fail)()
    cameras.refresh()

    assert page.status.status.headline == "The camera was unplugged"
    assert page.screen_of_page.frame is None
    assert not devices.is_open
    assert not page.buttons.snapshot.isEnabled()

    devices.plugged.insert(0, gone)
    cameras.refresh()
    wait_for_solution(page, EASY_GRID)
    wait_for_words(page, "Solved · exactly one solution")


def test_a_closed_camera_has_no_frame_under_way(qapp: QApplication, devices: FakeDevices) -> None:
    is_entered, may_end = threading.Event(), threading.Event()
    came: list[GetPicture] = []

    def put(get_picture: GetPicture) -> None:
        is_entered.set()
        may_end.wait(60)
        came.append(get_picture)

    devices.show(None)
    cameras = fake_cameras(put, devices)
    cameras.open(devices.plugged[0].key)
    sender = threading.Thread(target=cameras.sink.setVideoFrame, args=[as_frame(film(EASY_GRID))])
    sender.start()
    assert is_entered.wait(60)
    threading.Timer(0.2, may_end.set).start()

    cameras.close()

    assert len(came) == 1
    sender.join()


def test_a_camera_that_is_unplugged_at_once_does_not_count_as_recovered(
    qapp: QApplication, devices: FakeDevices
) -> None:
    devices.show(None)
    cameras = fake_cameras(lambda _: None, devices)
    told: list[object] = []
    cameras.recovered.connect(lambda: told.append("recovered"))
    cameras.trouble.connect(told.append)
    cameras.open(devices.plugged[0].key)
    sender = threading.Thread(target=cameras.sink.setVideoFrame, args=[as_frame(film(EASY_GRID))])
    sender.start()
    sender.join()
    devices.plugged.pop(0)

    cameras.refresh()
    qapp.processEvents()

    assert told == [LiveWord.UNPLUGGED]


def test_other_threads_go_on_while_a_camera_is_stopped(qapp: QApplication) -> None:
    camera = QCamera()
    interval = sys.getswitchinterval()
    turns = [0]
    is_over = threading.Event()

    def go_on() -> None:
        while not is_over.is_set():
            turns[0] += 1
            time.sleep(1e-7)

    other = threading.Thread(target=go_on)
    other.start()
    try:
        sys.setswitchinterval(1e6)  # so that nothing but the call lets Python go
        first = turns[0]
        for _ in range(30_000):
            call_without_python(camera, "stop")
            if turns[0] > first:
                break
        last = turns[0]
    finally:
        sys.setswitchinterval(interval)
        is_over.set()
        other.join()

    assert last > first


def test_without_a_camera_the_page_says_so_and_takes_the_first_that_comes(
    open_page: OpenPage, devices: FakeDevices
) -> None:
    both, devices.plugged = devices.plugged, []
    page = open_page()
    assert page.status.status.headline == "No camera was found"
    assert page.sources.list.currentIndex() == -1

    devices.plugged = both
    present(page.source.cameras).refresh()

    assert devices.opened == [b"Desk camera"]
    wait_for_solution(page, EASY_GRID)


def test_a_camera_that_may_not_be_used_is_said(open_page: OpenPage, devices: FakeDevices) -> None:
    devices.is_allowed = False
    page = open_page()
    assert page.status.status.headline == "The camera may not be used"

    devices.is_allowed = True
    press_offer(page.status)

    wait_for_solution(page, EASY_GRID)


def test_a_camera_that_shows_nothing_is_said(open_page: OpenPage, devices: FakeDevices) -> None:
    devices.show(None)
    page = open_page()
    assert page.status.status.headline == "Waiting for the first picture…"

    present(devices.fail)()
    assert page.status.status.headline == "The camera shows no picture"

    devices.show(film(EASY_GRID))
    wait_for_solution(page, EASY_GRID)
    wait_for_words(page, "Solved · exactly one solution")


def test_leaving_the_page_switches_the_camera_off(page: LivePage, devices: FakeDevices) -> None:
    page.rest()
    assert not devices.is_open
    assert page.screen_of_page.frame is None

    page.begin()
    assert devices.is_open
    wait_for_solution(page, EASY_GRID)


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("libpulse.so.0: cannot open shared object file", "sudo apt install libpulse0"),
        ("No module named 'PySide6.QtMultimedia'", "pip install pyside6-addons"),
        ("libfoo.so: not found", "libfoo.so"),
    ],
)
def test_a_missing_part_of_the_system_is_named_and_videos_work_without_it(
    qtbot: QtBot, line: Pipeline, settings: QSettings, error: str, advice: str
) -> None:
    page = show_page(qtbot, settings, LiveWorker(lambda: line), ImportError(error))

    page.begin()

    assert page.status.status.headline == "Cameras need a part that is not installed"
    assert advice in page.status.status.detail
    assert page.sources.list.isEnabled()
    page.shut_down()


def test_missing_networks_are_said_and_the_picture_is_shown_all_the_same(
    qtbot: QtBot, settings: QSettings, devices: FakeDevices
) -> None:
    def fail() -> Pipeline:
        raise EngineError("weights are missing; run: sudoku-lens doctor")

    page = show_page(qtbot, settings, LiveWorker(fail), devices)
    page.begin()

    wait_for_words(page, "Boards cannot be read here")
    wait_until(lambda: page.screen_of_page.frame is not None)
    assert page.status.status.detail == "Weights are missing; run: sudoku-lens doctor."
    page.shut_down()


def test_every_part_has_a_name_and_is_reached_by_tab(page: LivePage) -> None:
    page.screen_of_page.setFocus()
    reached = set()
    for _ in range(8):
        QTest.keyClick(page.focusWidget() or page, Qt.Key.Key_Tab)
        reached.add(page.focusWidget())

    wanted = {page.sources.list, page.buttons.freeze, page.buttons.mirror, page.buttons.snapshot}
    assert wanted <= reached
    for part in (*wanted, page.buttons.copy, page.screen_of_page, page.status):
        assert part.accessibleName()


def test_a_click_leaves_space_to_the_picture(page: LivePage) -> None:
    page.buttons.copy.setFocus()

    QTest.mouseClick(page.screen_of_page, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    QTest.keyClick(page.focusWidget() or page, Qt.Key.Key_Space)

    assert page.is_frozen


def test_an_error_is_said_as_the_system_says_it() -> None:
    assert "{x} is no device" in LiveWord.MISSING_PART.say("{x} is no device").detail

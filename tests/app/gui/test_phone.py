"""The phone in the window: the code that it scans, its photos among the others, and the end."""

import http.client
import threading
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from present import present
from puzzles import EASY_GRID
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox
from window_rig import (
    Speak,
    document_of,
    kept_in,
    read_labels,
    solution_of,
    wait_for_work,
    wait_until,
)

from app.gui.pairing_dialog import PhoneDialog
from app.gui.phone_link import LinkState, OnResult, PhoneWishes, make_server
from app.gui.session.document import from_qimage
from app.gui.window.main_window import Window
from app.recognition.pipeline import Pipeline
from app.recognition.results import PhotoResult
from app.serve.security.known_clients import Phone
from app.serve.server import PhoneServer
from app.terminal.exit_codes import MissingError
from app.terminal.languages import LANGUAGES
from training.pages.flat_board import render_board
from vision.media.images import load_image

pytest.importorskip("segno", reason="the extra serve is not installed")

URL = "http://192.168.1.20:8765/?token=Vq1dTzV0cVh0aYyOQq3xk1yT9bWmN2sR"
PHONES = [
    Phone("ab", "iPhone, Safari", "192.168.1.50", False, 1e9, 1e9),
    Phone("cd", "?", "192.168.1.51", False, 1e9, 1e9),
]


class FakeServer:
    """A server without a network, whose phones are the test's."""

    def __init__(self, wishes: PhoneWishes, on_result: OnResult) -> None:
        self.wishes = wishes
        self.is_encrypted = is_encrypted = wishes.is_encrypted
        self.send = on_result
        self.url, self.place = URL, "http://192.168.1.20:8765/"
        self.fingerprint = ":".join(["A7"] * 32) if is_encrypted else ""
        self.is_local_only = False
        self.known: list[Phone] = []
        self.revoked: list[str] = []
        self.remembering: list[bool] = []
        self.may_start = threading.Event()
        self.may_start.set()
        self.fault: Exception | None = None
        self.is_running = False
        self.stops = 0

    def start(self) -> None:
        """Begin, as soon as that is allowed."""
        assert self.may_start.wait(20)
        if self.fault is not None:
            raise self.fault
        self.is_running = True

    def paired(self) -> list[Phone]:
        """Return what the test says."""
        return list(self.known)

    def revoke(self, key: str) -> None:
        """Forget a phone, and have another secret."""
        self.revoked.append(key)
        self.known = [phone for phone in self.known if phone.key != key]
        self.url = f"{URL}2"

    def remember(self, is_wanted: bool) -> None:
        """Note what was wanted."""
        self.remembering.append(is_wanted)

    def check(self) -> None:
        """Find all well, unless a fault was planted."""
        if self.fault is not None:
            raise self.fault

    def stop(self) -> None:
        """End."""
        self.is_running = False
        self.stops += 1
        self.may_start.set()


class Rig:
    """A window whose servers are fakes."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.made: list[FakeServer] = []
        self.planted: dict[str, object] = {}  # attributes of the servers that will be made
        window.phone.link.make = self._make

    def _make(self, wishes: PhoneWishes, on_result: OnResult) -> PhoneServer:
        server = FakeServer(wishes, on_result)
        vars(server).update(self.planted)
        self.made.append(server)
        return cast(PhoneServer, server)

    @property
    def state(self) -> LinkState:
        return self.window.phone.link.state

    @property
    def dialog(self) -> PhoneDialog:
        return present(self.window.phone.dialog)

    def open(self, awaited: LinkState = LinkState.ON) -> FakeServer:
        """Choose "Use my phone…", and return the server that was begun."""
        self.window.actions_of_window.phone.trigger()
        self.wait(awaited)
        return self.made[-1]

    def wait(self, state: LinkState) -> None:
        wait_until(lambda: self.state is state)

    def button(self, text: str) -> QAbstractButton:
        return next(one for one in self.dialog.findChildren(QAbstractButton) if one.text() == text)

    def texts(self) -> str:
        return read_labels(self.dialog)


@pytest.fixture
def rig(blank: Window) -> Rig:
    return Rig(blank)


@pytest.fixture(scope="module")
def photo() -> bytes:
    image, _ = render_board(EASY_GRID, px=360)
    return cv2.imencode(".jpg", image)[1].tobytes()


@pytest.fixture(scope="module")
def result(photo: bytes, pipeline: Pipeline) -> PhotoResult:
    return pipeline.solve_photo(load_image(photo))


def _read(dialog: PhoneDialog) -> str:
    """Read the code off the dialog, as a phone does."""
    shown = from_qimage(dialog.grab().toImage())
    enlarged = np.asarray(np.kron(shown, np.ones((2, 2, 1), np.uint8)), np.uint8)
    return cv2.QRCodeDetector().detectAndDecode(enlarged)[0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_can_read_the_code_whatever_the_theme(rig: Rig, theme: str) -> None:
    rig.window.appearance.choose(theme)
    rig.open()

    assert _read(rig.dialog) == URL
    assert "http://192.168.1.20:8765/" in rig.texts()
    assert "token" not in rig.texts()
    rig.button("Copy the address").click()
    assert QGuiApplication.clipboard().text() == URL


def test_photos_of_the_phone_are_shown_and_kept_once_and_not_solved_again(
    rig: Rig, photo: bytes, result: PhotoResult, tmp_path: Path
) -> None:
    stages: list[str] = []
    rig.window._worker.stage_begun.connect(lambda _key, stage: stages.append(stage))
    server = rig.open()

    server.send(photo, result)
    wait_until(lambda: rig.window.document is not None)
    wait_for_work(rig.window)

    document = document_of(rig.window)
    assert document.result is result
    assert np.array_equal(solution_of(rig.window), present(result.boards[0].solution))
    assert document.name.startswith("Phone ")
    assert document.picture is not None
    assert set(stages) == {"load"}
    assert [entry.source for entry in kept_in(tmp_path)] == [document.name]
    assert "1 photo" in rig.texts()
    other = cv2.imencode(".png", render_board(EASY_GRID, px=300)[0])[1].tobytes()
    for data in (other, photo):
        server.send(data, result)
    wait_until(lambda: "3 photos" in rig.texts())
    wait_for_work(rig.window)
    assert len(rig.window.strip.shown) == 2


def test_who_is_at_work_is_not_disturbed(rig: Rig, photo: bytes, result: PhotoResult) -> None:
    server = rig.open()
    rig.dialog.close()
    rig.window.commands.type_puzzle()
    typed = rig.window.document

    server.send(photo, result)
    wait_until(lambda: len(rig.window.strip.shown) == 2)
    wait_for_work(rig.window)

    assert rig.window.document is typed
    assert rig.state is LinkState.ON  # closing the dialog ends nothing


def test_a_phone_is_listed_and_removed_at_once_with_a_new_code(rig: Rig) -> None:
    server = rig.open()
    assert "Waiting for the phone" in rig.texts()
    server.known = PHONES
    wait_until(lambda: "2 phones" in rig.texts())
    wait_until(lambda: "iPhone, Safari\n192.168.1.50, here" in rig.texts())
    assert "Phone of unknown kind\n192.168.1.51, here" in rig.texts()

    rig.button("Remove").click()

    assert server.revoked == ["ab"]
    assert "iPhone" not in rig.texts()
    wait_until(lambda: "192.168.1.51" in rig.texts())
    wait_until(lambda: _read(rig.dialog) == server.url)


def test_another_server_begins_after_stop_and_remembers_phones_if_asked_to(rig: Rig) -> None:
    server = rig.open()
    assert rig.window.actions_of_window.phone.isChecked()
    assert not server.wishes.is_remembering

    rig.button("Let these phones in again after a restart").click()
    assert server.remembering == [True]
    rig.button("Stop").click()
    rig.wait(LinkState.OFF)
    assert not server.is_running
    assert not rig.window.actions_of_window.phone.isChecked()
    assert not rig.dialog.isVisible()

    second = rig.open()
    assert second is not server
    assert rig.dialog.isVisible()
    assert second.wishes.is_remembering
    assert rig.dialog.list.remember.isChecked()
    rig.button("Let these phones in again after a restart").click()
    assert second.remembering == [False]


def test_closing_the_window_ends_the_server(rig: Rig) -> None:
    server = rig.open()

    rig.window.close()

    assert not server.is_running
    assert server.stops > 0
    assert all(thread.name != "phone link" for thread in threading.enumerate())


def test_a_server_that_is_still_loading_is_ended_with_the_window(rig: Rig) -> None:
    rig.planted["may_start"] = threading.Event()
    server = rig.open(LinkState.BEGINNING)
    assert "being prepared" in rig.texts()

    rig.window.close()

    assert not server.is_running
    assert all(thread.name != "phone link" for thread in threading.enumerate())


def test_the_live_camera_needs_encryption_and_an_authority_is_remembered(rig: Rig) -> None:
    own = "Without a warning: phones install a certificate once"
    plain = rig.open()
    assert not rig.button(own).isVisible()
    rig.button("With the live camera on the phone (encrypted)").click()
    wait_until(lambda: len(rig.made) == 2)
    rig.wait(LinkState.ON)
    assert not plain.is_running
    assert rig.made[1].is_encrypted
    assert "SHA-256" in rig.texts()
    # With so much more to say, the code is still seen whole.
    wait_until(lambda: _read(rig.dialog) == URL)

    rig.button(own).click()

    wait_until(lambda: len(rig.made) == 3)
    rig.wait(LinkState.ON)
    assert rig.made[2].wishes == PhoneWishes(is_encrypted=True, has_authority=True)
    assert "install the certificate from http://192.168.1.20:8765/authority" in rig.texts()
    assert "A7:A7" in rig.texts()
    wait_until(lambda: _read(rig.dialog) == URL)
    rig.button("Stop").click()
    rig.wait(LinkState.OFF)
    assert rig.open().wishes == PhoneWishes(is_encrypted=True, has_authority=True)


def test_the_window_s_server_has_the_authority_that_is_wished_for() -> None:
    wished = make_server(PhoneWishes(is_encrypted=True, has_authority=True), lambda *_: None)
    plain = make_server(PhoneWishes(has_authority=True), lambda *_: None)

    assert isinstance(wished, PhoneServer)
    assert isinstance(plain, PhoneServer)
    assert wished.settings.has_authority
    assert not plain.settings.has_authority


def test_without_the_extra_it_is_said_what_to_install(rig: Rig) -> None:
    rig.planted["fault"] = MissingError("no fastapi; run: pip install 'sudoku-lens[serve]'")

    rig.open(LinkState.FAILED)

    assert "needs packages that are not installed" in rig.texts()
    assert "pip install 'sudoku-lens[serve]'" in rig.texts()
    assert not rig.window.actions_of_window.phone.isChecked()


def test_a_server_that_fails_later_is_told_of_and_can_be_tried_again(rig: Rig) -> None:
    server = rig.open()

    server.fault = MissingError("the networks are gone")
    rig.wait(LinkState.FAILED)
    assert "the networks are gone" in rig.texts()
    rig.button("Try again").click()
    rig.wait(LinkState.ON)

    assert len(rig.made) == 2


def test_a_computer_without_a_network_is_told_of(rig: Rig) -> None:
    rig.planted["is_local_only"] = True

    rig.open()

    assert "in no network" in rig.texts()


def test_a_photo_that_is_really_sent_is_in_the_window(blank: Window, photo: bytes) -> None:
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    window, link = blank, blank.phone.link
    window.actions_of_window.phone.trigger()
    wait_until(lambda: link.state is LinkState.ON, timeout=120_000)
    place, _, path = link.url.removeprefix("http://").partition("/")
    answers: list[int] = []

    def send() -> None:
        phone = http.client.HTTPConnection(place, timeout=120)
        phone.request("GET", f"/{path}")
        response = phone.getresponse()
        response.read()
        cookie = (response.headers["set-cookie"] or "").partition(";")[0]
        headers = {"Cookie": cookie, "Content-Type": "image/jpeg"}
        phone.request("POST", "/api/photos", photo, headers)
        answers.append(phone.getresponse().status)
        phone.close()

    sending = threading.Thread(target=send)
    sending.start()
    wait_until(lambda: window.document is not None, timeout=120_000)
    sending.join()
    wait_for_work(window)
    wait_until(lambda: len(link.paired) == 1)
    document = document_of(window)
    window.close()

    assert answers == [200]
    assert present(document.board).solution is not None
    assert document.source == photo
    assert link.state is LinkState.OFF


def test_nothing_that_is_said_is_cut_off_in_any_language(rig: Rig, speak: Speak) -> None:
    rig.window.settings.setValue("phone/encrypted", True)
    rig.open()
    boxes = [one for one in rig.dialog.findChildren(QCheckBox) if one.isVisible()]
    assert len(boxes) == 3

    def is_whole() -> bool:
        return all(one.width() >= one.minimumSizeHint().width() for one in boxes)

    for language in LANGUAGES:
        speak(language)
        QTest.qWait(20)  # until all of it speaks the language
        wait_until(is_whole, timeout=5000)


def test_the_dialog_is_no_higher_than_the_screen(rig: Rig) -> None:
    rig.window.settings.setValue("phone/encrypted", True)
    rig.window.appearance.set_text_size(150)
    rig.open()
    rig.dialog.resize(rig.dialog.minimumSize())
    QTest.qWait(50)

    room = rig.dialog.screen().availableSize()

    assert rig.dialog.height() < room.height() - 30  # of which the title bar takes a part
    assert rig.dialog.code.height() >= 220
    rig.window.appearance.set_text_size(100)

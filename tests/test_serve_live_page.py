"""The live view in a browser, whose camera films pages that this project rendered."""

import base64
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from app.serve.server import PhoneServer, ServerOptions
from app.serve.settings import ServeSettings
from solver.grid import format_grid
from training.render_board import render_board
from training.render_puzzle import Puzzle, make_puzzle
from vision.board import lattice_from_corners
from vision.tracking import move_points

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Page = Any
"""`playwright.sync_api.Page`, which is there only where Playwright is."""

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
    pytest.mark.slow,
]

WIDTH: Final = 640
HEIGHT: Final = 480
FRAMES: Final = 48
MARK: Final = 12
"""Side of the squares in the top left that say, black or white, which frame it is."""

PATIENCE_MS: Final = 60_000

OPEN: Final = """async () => {
  const live = await import("/page/live.js");
  const place = document.createElement("div");
  document.body.append(place);
  window.told = [];
  window.photo = null;
  window.view = live.openLive(place, {
    onPhoto: (blob) => { window.photo = blob; },
    onTakePhoto: () => window.told.push("take"),
    onClose: () => window.told.push("close"),
    onExpired: () => window.told.push("expired"),
  });
}"""

HEAR_STATUS: Final = """() => {
  const status = document.querySelector(".live-status");
  window.heard = [];
  new MutationObserver(() => window.heard.push(status.textContent)).observe(status, {
    childList: true, characterData: true, subtree: true,
  });
}"""
"""Keeps what the status says: it may say it for less time than passes between two looks."""


class Film:
    """A page before a camera that swings to and fro, and where the board is in every frame."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.page, corners = render_board(puzzle.clues, 330)
        self._lattice = lattice_from_corners(corners)

    def lattice(self, number: int) -> Points:
        """Return (10, 10, 2) float32, the board in a frame, in pixels."""
        return move_points(self._lattice, self._camera(number))

    def frame(self, number: int) -> Image8:
        """Return (480, 640, 3) uint8 BGR."""
        size = (WIDTH, HEIGHT)
        shot = cv2.warpPerspective(
            self.page, self._camera(number), size, borderValue=(110, 100, 90)
        )
        for bit in range(6):
            grey = 255 if number >> bit & 1 else 0
            shot[:MARK, bit * MARK : (bit + 1) * MARK] = grey
        return np.asarray(shot, np.uint8)

    def _camera(self, number: int) -> npt.NDArray[np.float64]:
        swing = np.sin(2 * np.pi * number / FRAMES)
        side = self.page.shape[0]
        flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
        seen = np.array([[140, 30], [500, 40], [490, 450], [150, 440]], np.float32)
        seen += np.array([60 * swing, 10 * swing], np.float32)
        return np.asarray(cv2.getPerspectiveTransform(flat, seen))


@pytest.fixture(scope="module")
def film() -> Film:
    return Film(make_puzzle(1, 30))


@pytest.fixture(scope="module")
def film_file(film: Film, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "film.mjpeg"
    frames = [cv2.imencode(".jpg", film.frame(number))[1].tobytes() for number in range(FRAMES)]
    path.write_bytes(b"".join(frames))
    return path


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneServer]:
    """A server as `serve --https` begins it, for one phone that films at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        settings = ServeSettings(is_https=True, workers=1, live_seats=1)
        server = PhoneServer(ServerOptions("127.0.0.1", 0, settings=settings))
        server.start()
        yield server
        server.stop()


@contextmanager
def _browsing(film_file: Path | None, *arguments: str) -> Iterator[Callable[[], Page]]:
    """Open a browser; its camera plays a file, or there is none."""
    camera = ["--use-fake-ui-for-media-stream"]
    if film_file is not None:
        camera += [
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film_file}",
        ]
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", *camera, *arguments]
        )

        def open_page() -> Page:
            context = browser.new_context(
                ignore_https_errors=True, viewport={"width": 390, "height": 844}
            )
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            return page

        try:
            yield open_page
        finally:
            browser.close()


def _open_live(page: Page, server: PhoneServer) -> None:
    page.goto(server.url)
    page.evaluate(OPEN)


def _wait_for_solution(page: Page, film: Film) -> None:
    wanted = format_grid(film.puzzle.solution)
    page.wait_for_selector(f'.live-view[data-solution="{wanted}"]', state="attached")


def _wait(page: Page, expression: str) -> None:
    """Wait until something is so; Playwright's own way needs what the page's policy forbids."""
    for _ in range(PATIENCE_MS // 50):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came about that {expression}")


def _picture(page: Page) -> Image8:
    """Return what the page shows, (480, 640, 3) uint8 BGR."""
    url = page.evaluate("document.querySelector('.live-picture').toDataURL('image/png')")
    data = np.frombuffer(base64.b64decode(url.partition(",")[2]), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _number_of(shown: Image8) -> int:
    middles = [shown[MARK // 2, MARK // 2 + bit * MARK].mean() > 127 for bit in range(6)]
    return sum(1 << bit for bit, is_white in enumerate(middles) if is_white)


def _written(shown: Image8) -> npt.NDArray[np.bool_]:
    """Return (480, 640) bool: what is drawn in the colour of solutions."""
    blue, green, red = (shown[..., channel].astype(int) for channel in range(3))
    return np.asarray((green - np.maximum(blue, red) > 25) & (green > 60))


def _assert_lies_right(shown: Image8, film: Film) -> None:
    """Check that every missing digit stands in its cell of the very frame that is shown."""
    lattice = film.lattice(_number_of(shown)).astype(float)
    written = _written(shown)
    inside = np.zeros(written.shape, bool)
    for cell in np.flatnonzero(film.puzzle.clues.ravel() == 0):
        row, column = divmod(int(cell), 9)
        quad = lattice[row : row + 2, column : column + 2].reshape(4, 2)[[0, 1, 3, 2]]
        middle = quad.mean(axis=0)
        area = np.zeros(written.shape, np.uint8)
        cv2.fillConvexPoly(area, np.rint(middle + 0.8 * (quad - middle)).astype(np.int32), 1)
        assert written[area > 0].mean() > 0.04, f"nothing is written in cell {cell}"
        inside |= area > 0
    assert (written & ~inside).sum() < 0.01 * written.sum()


def test_the_solution_lies_on_the_very_frame_that_is_shown(
    encrypted: PhoneServer, film: Film, film_file: Path
) -> None:
    with _browsing(film_file) as open_page:
        page = open_page()
        _open_live(page, encrypted)
        _wait_for_solution(page, film)
        shots = []
        for _ in range(40):
            page.wait_for_timeout(60)
            if page.get_attribute(".live-view", "data-solution"):
                shown = _picture(page)
                if _written(shown).sum() > 2000:
                    shots.append(shown)

        for shown in shots:
            _assert_lies_right(shown, film)

    assert len(shots) >= 10
    assert len({_number_of(shown) for shown in shots}) >= 5


def test_a_frozen_frame_stays_and_becomes_a_photo(
    encrypted: PhoneServer, film: Film, film_file: Path
) -> None:
    with _browsing(film_file) as open_page:
        page = open_page()
        _open_live(page, encrypted)
        _wait_for_solution(page, film)

        page.click(".live-freeze")
        _wait(page, "view.reply.opacity === 1")
        first = _picture(page)
        page.wait_for_timeout(700)
        second = _picture(page)
        page.click(".live-shutter")
        _wait(page, "photo !== null")
        photo = page.evaluate("photo.arrayBuffer().then((data) => [...new Uint8Array(data)])")

    assert np.array_equal(first, second)
    _assert_lies_right(first, film)
    taken = np.asarray(cv2.imdecode(np.array(photo, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    assert taken.shape == (HEIGHT, WIDTH, 3)
    assert _number_of(taken) == _number_of(first)
    assert not _written(taken).any()  # the photo is bare


def test_without_websockets_frames_go_as_requests(
    encrypted: PhoneServer, film: Film, film_file: Path
) -> None:
    refusing = """window.WebSocket = class {
      constructor() { setTimeout(() => this.onclose?.({ code: 1006 }), 20); }
      close() {}
    };"""

    with _browsing(film_file) as open_page:
        page = open_page()
        page.add_init_script(refusing)
        _open_live(page, encrypted)
        _wait_for_solution(page, film)
        page.keyboard.press("Escape")
        told = page.evaluate("told")

    assert told == ["close"]


def test_a_lost_connection_is_told_and_taken_up_again(
    encrypted: PhoneServer, film: Film, film_file: Path
) -> None:
    spying = """window.sockets = [];
    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
      constructor(...all) { super(...all); window.sockets.push(this); }
    };"""

    with _browsing(film_file) as open_page:
        page = open_page()
        page.add_init_script(spying)
        _open_live(page, encrypted)
        _wait_for_solution(page, film)
        page.evaluate(HEAR_STATUS)
        page.evaluate("sockets[0].close()")
        _wait(page, "heard.some((words) => words.includes('The connection is lost'))")
        _wait(page, "sockets.length === 2")
        _wait_for_solution(page, film)


def test_a_second_phone_waits_until_the_first_has_gone(
    encrypted: PhoneServer, film: Film, film_file: Path
) -> None:
    with _browsing(film_file) as open_page:
        first, second = open_page(), open_page()
        _open_live(first, encrypted)
        _wait_for_solution(first, film)

        _open_live(second, encrypted)
        second.wait_for_selector('.live-status:has-text("Another phone")')
        first.evaluate("view.close()")
        _wait_for_solution(second, film)


def test_the_camera_is_off_once_the_view_is_closed(
    encrypted: PhoneServer, film: Film, film_file: Path
) -> None:
    with _browsing(film_file) as open_page:
        page = open_page()
        _open_live(page, encrypted)
        _wait_for_solution(page, film)
        page.evaluate("window.track = view.camera.track")
        page.click(".live-close")

        assert page.evaluate("track.readyState") == "ended"
        assert page.query_selector(".live-view") is None


def test_the_light_is_offered_where_the_phone_has_one(
    encrypted: PhoneServer, film_file: Path
) -> None:
    with_lamp = """window.asked = [];
    MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
    MediaStreamTrack.prototype.applyConstraints = async (wish) => {
      window.asked.push(wish.advanced[0].torch);
    };"""

    with _browsing(film_file) as open_page:
        dark, bright = open_page(), open_page()
        bright.add_init_script(with_lamp)
        _open_live(dark, encrypted)
        dark.wait_for_selector('.live-view[data-state="open"]')
        assert not dark.is_visible(".live-torch")
        dark.evaluate("view.close()")
        _open_live(bright, encrypted)
        bright.click(".live-torch")
        bright.wait_for_selector('.live-torch[aria-pressed="true"]')
        bright.click(".live-torch")
        bright.wait_for_selector('.live-torch[aria-pressed="false"]')
        asked = bright.evaluate("asked")

    assert asked == [True, False]


def test_nobody_is_filmed_behind_a_page_that_is_hidden(
    encrypted: PhoneServer, film: Film, film_file: Path
) -> None:
    hide = """(isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""

    with _browsing(film_file) as open_page:
        page = open_page()
        _open_live(page, encrypted)
        _wait_for_solution(page, film)
        page.evaluate("window.track = view.camera.track")
        page.evaluate(hide, True)
        assert page.evaluate("track.readyState") == "ended"

        page.evaluate("document.querySelector('.live-view').dataset.solution = ''")
        page.evaluate(hide, False)
        _wait_for_solution(page, film)


def test_a_device_without_a_camera_is_told_so_and_may_take_a_photo(
    encrypted: PhoneServer,
) -> None:
    with _browsing(None) as open_page:
        page = open_page()
        _open_live(page, encrypted)
        page.wait_for_selector('.live-trouble[data-reason="none"]')
        page.click(".live-instead")
        told = page.evaluate("told")

    assert told == ["take", "close"]


def test_a_camera_that_is_not_allowed_is_told_of(encrypted: PhoneServer, film_file: Path) -> None:
    with _browsing(film_file) as open_page:
        page = open_page()
        page.add_init_script(
            "navigator.mediaDevices.getUserMedia = async () => {"
            " throw new DOMException('no', 'NotAllowedError'); };"
        )
        _open_live(page, encrypted)
        page.wait_for_selector('.live-trouble[data-reason="denied"]')
        text = page.inner_text(".live-advice")

    assert "not allowed" in text


def test_without_encryption_browsers_give_no_camera_and_the_page_says_so(film_file: Path) -> None:
    settings = ServeSettings(workers=1)
    server = PhoneServer(ServerOptions("127.0.0.1", 0, ("phone.test",), settings))
    server.start()

    try:
        with _browsing(film_file, "--host-resolver-rules=MAP phone.test 127.0.0.1") as open_page:
            page = open_page()
            _open_live(page, server)
            page.wait_for_selector('.live-trouble[data-reason="insecure"]')
            text = page.inner_text(".live-advice")
    finally:
        server.stop()

    assert "--https" in text


def test_from_the_button_to_the_photo_and_its_solution(
    encrypted: PhoneServer, film: Film, film_file: Path
) -> None:
    with _browsing(film_file) as open_page:
        page = open_page()
        page.goto(encrypted.url)
        page.click("#open-live")
        _wait_for_solution(page, film)
        page.click(".live-shutter")
        page.wait_for_selector('body[data-screen="puzzle"] #headline:has-text("Solved")')

        assert page.query_selector(".live-view") is None


def test_escape_leads_back_to_the_start(encrypted: PhoneServer, film_file: Path) -> None:
    with _browsing(film_file) as open_page:
        page = open_page()
        page.goto(encrypted.url)
        page.click("#open-live")
        page.wait_for_selector('.live-view[data-state="open"]')
        assert page.evaluate("document.querySelector('header').inert")
        page.keyboard.press("Escape")

        page.wait_for_selector('body[data-screen="start"]')
        assert not page.evaluate("document.querySelector('header').inert")
        assert page.query_selector(".live-view") is None


def test_a_phone_whose_session_has_ended_is_asked_to_scan_again(
    encrypted: PhoneServer, film_file: Path
) -> None:
    with _browsing(film_file) as open_page:
        page = open_page()
        page.goto(encrypted.url)
        page.wait_for_selector("#open-live:visible")
        page.context.clear_cookies()
        page.click("#open-live")

        page.wait_for_selector('body[data-screen="expired"]')
        assert page.query_selector(".live-view") is None

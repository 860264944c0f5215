"""The live view in a browser, whose camera films pages that this project rendered."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from arrays import Image8, Points
from page_rig import Browser, Visit, opening
from page_states import find_grave_faults

from app.serve.server import PhoneServer, ServeSettings
from solver.grid import format_grid
from training.pages.flat_board import Puzzle, make_puzzle, render_board
from vision.board import lattice_from_corners
from vision.tracker.tracking import move_points

pytestmark = pytest.mark.slow
WIDTH: Final = 640
HEIGHT: Final = 480
FRAMES: Final = 48
MARK: Final = 12
"""Side of the squares in the top left that say, black or white, which frame it is."""

CUT_ANSWERS: Final = """window.cutsAnswers = true;
const nativeFetch = window.fetch;
window.fetch = (address, ...rest) =>
  window.cutsAnswers && String(address).startsWith("/api/live?")
    ? Promise.resolve(new Response('{"frame": 1, "st'))
    : nativeFetch(address, ...rest);"""
"""In the page itself: Playwright's routes miss all requests of one page in some fourteen."""

NOTE_SEAT: Final = """window.seat = null;
const usualFetch = window.fetch;
window.fetch = (address, request) => {
  const view = /^.api.live.view=([^&]*)/.exec(address)?.[1];
  const answer = usualFetch(address, request);
  if (view && request.method === "POST") window.seat = view;
  else if (view && view === seat) answer.finally(() => (window.seat = null));
  return answer;
};"""
"""Keeps the live view that has asked last and has not left; there is one seat for all phones, and
one that is not given back is free after a quarter of a minute."""

TRUSTING: Final = ("--use-fake-ui-for-media-stream", "--ignore-certificate-errors")
"""A phone that trusts the certificate and lets the page film."""

NAME: Final = "phone.test"
"""Of the server in its network; an address of the loopback would count as safe."""

LOOK: Final = """() => {
  const isSolved = view.parts.root.dataset.solution && view.reply.opacity === 1;
  window.seen = isSolved ? document.querySelector(".live-picture").toDataURL("image/png") : null;
  return seen !== null;
}"""
"""Keeps what is seen where a solution lies on it that does not fade in: its colour is known."""

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
        settings = ServeSettings("127.0.0.1", 0, is_https=True, workers=1, live_seats=1)
        server = PhoneServer(settings)
        server.start()
        yield server
        server.stop()


@pytest.fixture(scope="module")
def phone(film_file: Path) -> Iterator[Browser]:
    """A browser whose camera plays the film."""
    film = ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film_file}"]
    with opening([*TRUSTING, *film, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]) as chromium:
        yield Browser(chromium)


@contextmanager
def _visiting(browser: Browser, server: PhoneServer, script: str = "") -> Iterator[Visit]:
    """Open the page once it is ready; a script may run before the page's own."""
    script = NOTE_SEAT + script
    with browser.visit(server.url, script=script, ignore_https_errors=True) as visit:
        visit.get_ready()
        yield visit
        visit.page.evaluate("window.view?.close()")
        visit.until("() => seat === null")


@contextmanager
def _filming(browser: Browser, server: PhoneServer, script: str = "") -> Iterator[Visit]:
    """Open the live view by itself, as `view`."""
    with _visiting(browser, server, script) as visit:
        visit.page.evaluate(OPEN)
        yield visit


@pytest.fixture
def visiting(phone: Browser, encrypted: PhoneServer) -> Iterator[Visit]:
    with _visiting(phone, encrypted) as visit:
        yield visit


@pytest.fixture
def filming(phone: Browser, encrypted: PhoneServer) -> Iterator[Visit]:
    with _filming(phone, encrypted) as visit:
        yield visit


def _wait_for_solution(visit: Visit, film: Film) -> None:
    visit.until(
        "(it) => document.querySelector('.live-view')?.dataset.solution === it",
        format_grid(film.puzzle.solution),
    )


def _wait_for_next_solution(visit: Visit, film: Film) -> None:
    """Wait for one that has not been there before."""
    visit.page.evaluate("document.querySelector('.live-view').dataset.solution = ''")
    _wait_for_solution(visit, film)


def _picture(visit: Visit) -> Image8:
    """Return what the page shows, (480, 640, 3) uint8 BGR."""
    picture = "document.querySelector('.live-picture').toDataURL('image/png')"
    return _decoded(visit.page.evaluate(picture))


def _decoded(url: str) -> Image8:
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


def test_the_solution_lies_on_the_very_frame_that_is_shown(filming: Visit, film: Film) -> None:
    _wait_for_solution(filming, film)
    assert find_grave_faults(filming) == []
    assert not filming.page.is_visible(".live-torch")  # the phone has none
    shots: list[Image8] = []
    while len(shots) < 10 or len(set(map(_number_of, shots))) < 5:
        filming.page.evaluate("window.seen = null")
        filming.until(LOOK)
        shots.append(_decoded(filming.page.evaluate("seen")))

    for shown in shots:
        _assert_lies_right(shown, film)


def test_a_frozen_frame_stays_and_becomes_a_photo(filming: Visit, film: Film) -> None:
    _wait_for_solution(filming, film)

    filming.page.keyboard.press("Space")
    assert filming.page.get_attribute(".live-view", "data-frozen") == "true"
    filming.page.click(".live-freeze")
    filming.page.click(".live-freeze")
    filming.until("() => view.reply.opacity === 1")
    first = _picture(filming)
    filming.page.wait_for_timeout(700)
    second = _picture(filming)
    filming.page.click(".live-shutter")
    filming.until("() => photo !== null")
    photo = filming.page.evaluate("photo.arrayBuffer().then((data) => [...new Uint8Array(data)])")

    assert np.array_equal(first, second)
    _assert_lies_right(first, film)
    taken = np.asarray(cv2.imdecode(np.array(photo, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    assert taken.shape == (HEIGHT, WIDTH, 3)
    assert _number_of(taken) == _number_of(first)
    assert not _written(taken).any()  # the photo is bare


def test_a_lost_connection_is_told_and_taken_up_again(
    phone: Browser, encrypted: PhoneServer, film: Film
) -> None:
    with _filming(phone, encrypted, CUT_ANSWERS.replace("true", "false")) as visit:
        _wait_for_solution(visit, film)
        visit.hear(".live-status")
        visit.page.evaluate("cutsAnswers = true")
        visit.wait_to_hear("The connection is lost")
        visit.page.evaluate("cutsAnswers = false")
        _wait_for_next_solution(visit, film)


def test_a_second_phone_waits_until_the_first_has_gone(
    phone: Browser, encrypted: PhoneServer, film: Film
) -> None:
    with _filming(phone, encrypted) as first:
        first.until("() => view.reply")

        with _filming(phone, encrypted) as second:
            second.page.wait_for_selector('.live-status:has-text("Another phone")')
            first.page.evaluate("view.close()")
            _wait_for_solution(second, film)


def test_the_light_is_switched_where_there_is_one(phone: Browser, encrypted: PhoneServer) -> None:
    with_lamp = """window.asked = [];
    MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
    MediaStreamTrack.prototype.applyConstraints = async (wish) => {
      window.asked.push(wish.advanced[0].torch);
    };"""

    with _filming(phone, encrypted, with_lamp) as visit:
        visit.page.click(".live-torch")
        visit.page.wait_for_selector('.live-torch[aria-pressed="true"]')
        visit.page.click(".live-torch")
        visit.page.wait_for_selector('.live-torch[aria-pressed="false"]')

        assert visit.page.evaluate("asked") == [True, False]


def test_nobody_is_filmed_behind_a_hidden_page_or_a_closed_view(filming: Visit, film: Film) -> None:
    hide = """(isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""

    _wait_for_solution(filming, film)
    filming.page.evaluate("window.track = view.camera.track")
    filming.page.evaluate(hide, True)
    assert filming.page.evaluate("track.readyState") == "ended"

    filming.page.evaluate(hide, False)
    _wait_for_next_solution(filming, film)
    filming.page.evaluate("window.track = view.camera.track")
    filming.page.click(".live-close")
    assert filming.page.evaluate("track.readyState") == "ended"
    assert filming.page.query_selector(".live-view") is None


def test_a_device_without_a_camera_is_told_so_and_may_take_a_photo(encrypted: PhoneServer) -> None:
    with opening(TRUSTING) as chromium, _filming(Browser(chromium), encrypted) as visit:
        visit.page.wait_for_selector('.live-trouble[data-reason="none"]')
        visit.page.click(".live-instead")

        assert visit.page.evaluate("told") == ["take", "close"]


def test_a_camera_that_is_not_allowed_is_told_of(phone: Browser, encrypted: PhoneServer) -> None:
    refusing = (
        "navigator.mediaDevices.getUserMedia = async () => {"
        " throw new DOMException('no', 'NotAllowedError'); };"
    )

    with _filming(phone, encrypted, refusing) as visit:
        visit.page.wait_for_selector('.live-trouble[data-reason="denied"]')

        assert "not allowed" in visit.page.inner_text(".live-advice")


def test_without_encryption_browsers_give_no_camera_and_the_page_says_so(phone: Browser) -> None:
    server = PhoneServer(ServeSettings("127.0.0.1", 0, (NAME,), workers=1))
    server.start()

    try:
        with _filming(phone, server) as visit:
            visit.page.wait_for_selector('.live-trouble[data-reason="insecure"]')

            assert "--https" in visit.page.inner_text(".live-advice")
    finally:
        server.stop()


def test_from_the_button_to_the_photo_and_its_solution(visiting: Visit, film: Film) -> None:
    visiting.page.click("#open-live")
    _wait_for_solution(visiting, film)
    visiting.page.click(".live-shutter")
    visiting.wait_for("good")

    assert visiting.headline.startswith("Solved")
    assert visiting.page.query_selector(".live-view") is None


def test_escape_leads_back_to_the_start(visiting: Visit) -> None:
    visiting.page.click("#open-live")
    visiting.page.wait_for_selector('.live-view[data-state="open"]')
    assert visiting.page.evaluate("document.querySelector('header').inert")
    visiting.page.keyboard.press("Escape")

    visiting.page.wait_for_selector('body[data-screen="start"]')
    assert not visiting.page.evaluate("document.querySelector('header').inert")
    assert visiting.page.query_selector(".live-view") is None


def test_a_phone_whose_session_has_ended_is_asked_to_scan_again(visiting: Visit) -> None:
    visiting.page.wait_for_selector("#open-live:visible")
    # The page is being kept on the phone, which would fail aloud without a session.
    visiting.until("async () => Boolean(await caches.match('/'))")
    visiting.page.context.clear_cookies()
    visiting.page.click("#open-live")

    visiting.page.wait_for_selector('body[data-screen="start"] #expired:not([hidden])')
    assert visiting.page.query_selector(".live-view") is None

"""A browser that is a phone, or a computer, before the page that `sudoku-lens serve` gives it."""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from page_sheets import Sheet
from serve_process import Served, serving

Page = Any
"""`playwright.sync_api.Page`, which is there only where Playwright is."""

_BUILDS: Final = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first has no window, and so opens a page with two thirds of the work of the others."""

CHROMIUM: Final = next(filter(None, map(shutil.which, _BUILDS)), None)
PATIENCE_MS: Final = 60_000
MOST_PAUSE_MS: Final = 20
"""Between two looks whether something is so; at first they come faster."""

PHONE: Final = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
COMPUTER: Final = {"viewport": {"width": 1280, "height": 800}}
_LEFT_OUT: Final = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,"
    "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch"
)
"""Features of Chromium: the first two are pages of an address bar that is never seen, and take most
of the time in which a page opens. The others are those that Playwright leaves out, as the last list
of them is the one that counts."""
_ARGUMENTS: Final = ("--no-sandbox", f"--disable-features={_LEFT_OUT}")

_EXPECTED: Final = (
    "Failed to load resource",
    "Error with Permissions-Policy header: Unrecognized",
    "The Cross-Origin-Opener-Policy header has been ignored",
)
"""What Chromium itself says of a status that is no success and of a connection that ends, which is
what a test is after, of features that it has on phones alone, and of a header that it obeys on safe
pages only."""


@dataclass
class Visit:
    """A page and what its console said; nothing is allowed to stand there."""

    page: Page
    said: list[str] = field(default_factory=list)

    def get_ready(self) -> None:
        """Wait until the page has found its words and what it keeps, and has asked who it is."""
        self.until("() => document.querySelector('#open-menu').title")
        self.until("() => performance.getEntriesByName(`${origin}/api/session`).length > 0")

    def choose(self, photo: Path) -> None:
        """Choose a photo, on whichever screen the page is."""
        which = "#gallery-input" if self.screen == "start" else "#again-input"
        self.page.set_input_files(which, str(photo))

    def wait_for(self, severity: str) -> None:
        """Wait until the status is good, doubtful, bad, busy or idle."""
        self.page.wait_for_selector(f'#status[data-severity="{severity}"]')

    def wait_to_read(self, headline: str) -> None:
        """Wait until the status says so."""
        self.until("(it) => document.querySelector('#headline').textContent === it", headline)

    def solve(self, photo: Path) -> None:
        """Choose a photo and wait until its solution stands there."""
        self.page.evaluate("() => void (document.querySelector('#status').dataset.severity = '')")
        self.choose(photo)
        self.wait_for("good")

    def go_home(self, seen: str = "li") -> None:
        """Go to the start, and wait until what was solved is listed, or its picture, `img`."""
        self.page.click("#go-home")
        self.page.wait_for_selector(f"#recent-list {seen}")

    def open_recent(self, severity: str = "good") -> None:
        """Open again what was solved last, and wait until the status is so."""
        self.page.click("#recent-list .open")
        self.wait_for(severity)

    def solve_board(self, photo: Path) -> dict[str, Any]:
        """Solve a photo with one board, and return what the server says of the board."""
        with self.page.expect_response("**/api/photos") as answered:
            self.solve(photo)
        board: dict[str, Any] = answered.value.json()["boards"][0]
        return board

    @property
    def screen(self) -> str:
        """Which screen is seen."""
        return str(self.page.evaluate("document.body.dataset.screen"))

    @property
    def headline(self) -> str:
        """What the status says."""
        return str(self.page.inner_text("#headline"))

    def cells(self) -> list[str]:
        """Return how the 81 cells are called, as screen readers read them."""
        script = "e => e.map((one) => one.getAttribute('aria-label'))"
        return list(self.page.eval_on_selector_all("[role=gridcell]", script))

    def digits(self, kind: str) -> str:
        """Return the digits of a kind, `printed`, `written` or `solution`, as 81 signs."""
        signs = []
        for name in self.cells():
            said, *kinds = name.partition(": ")[2].split(", ")
            signs.append(said if kind in kinds else ".")
        return "".join(signs)

    def shapes(self, kind: str) -> list[int]:
        """Return the cells that have a shape of a kind over the photo, such as `solution`."""
        script = "e => [...new Set(e.map((one) => Number(one.dataset.cell)))]"
        return sorted(self.page.eval_on_selector_all(f".plane path.{kind}", script))

    def tap(self, sheet: Sheet, cell: int) -> None:
        """Tap a cell of a photo."""
        self.rest()
        self.press(*self.seen_at(sheet.middle(cell)))

    def choose_cell(self, cell: int) -> None:
        """Choose a cell of the board as it is drawn clean."""
        self.page.click(f"[role=gridcell][data-cell='{cell}']")

    def middles_of(self, cells: Sequence[int]) -> list[tuple[float, float]]:
        """Return where on the screen the middles of cells are, of the board as drawn clean."""
        boxes = [
            self.page.locator(f"[role=gridcell][data-cell='{cell}']").bounding_box()
            for cell in cells
        ]
        return [(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2) for one in boxes]

    def drag(self, places: Sequence[tuple[float, float]], held: str = "") -> None:
        """Press on a place and go on over others, once what is held there has shown."""
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        if held:
            self.page.wait_for_selector(held, state="attached")
        for x, y in places[1:]:
            self.page.mouse.move(x, y, steps=4)
        self.page.mouse.up()

    def type_puzzle(self, text: str) -> None:
        """Type a puzzle, or what is to be taken for one, and open it."""
        self.page.click("#open-typing")
        self.page.fill("#typed", text)
        self.page.click("#type-open")

    def wait_until_kept(self) -> None:
        """Wait until the page keeps one puzzle."""
        self.until(
            """async () => {
              const { listPuzzles } = await import("/page/recent.js");
              return (await listPuzzles()).length === 1;
            }"""
        )

    def put_away(self) -> None:
        """Hide the page, as a phone does that shows something else."""
        self.page.evaluate(
            """() => {
              Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
              document.dispatchEvent(new Event("visibilitychange"));
            }"""
        )

    def press(self, x: float, y: float, times: int = 1) -> None:
        """Tap a place on the screen as fast as a hand does, however slow this machine is.

        What the page goes by is when an event happened, not when it hears of it.
        """
        link = self.page.context.new_cdp_session(self.page)
        place = {"x": x, "y": y, "button": "left", "clickCount": 1}
        began = time.time()
        link.send("Input.dispatchMouseEvent", {**place, "type": "mouseMoved", "button": "none"})
        for number in range(times):
            for kind, late in (("mousePressed", 0.0), ("mouseReleased", 0.05)):
                when = {"timestamp": began + 0.15 * number + late}
                link.send("Input.dispatchMouseEvent", {**place, "type": kind, **when})
        link.detach()

    def seen_at(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return where on the screen a point of the photo is."""
        x, y = self.page.evaluate(
            """([x, y]) => {
              const style = getComputedStyle(document.querySelector(".plane"));
              const at = new DOMMatrix(style.transform).transformPoint(new DOMPoint(x, y));
              const stage = document.querySelector("#stage").getBoundingClientRect();
              return [at.x + stage.left, at.y + stage.top];
            }""",
            list(point),
        )
        return x, y

    def rest(self) -> None:
        """Wait until nothing moves, as something does as long as the page is busy.

        What opened or closed moves the photo in the next frame that the browser draws, so that one
        frame has to be over first.
        """
        self.wait_for_frame()
        self.until("() => document.getAnimations().length === 0")

    def wait_for_frame(self) -> None:
        """Wait until the browser has drawn what there is now."""
        self.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def until(self, script: str, argument: Any = None) -> None:
        """Wait until a function holds; Playwright's own way to wait needs a laxer policy."""
        self._wait(lambda: self.page.evaluate(script, argument), script)

    def hold(self, address: str) -> list[Any]:
        """Keep back what the page asks of an address, and return the list of it."""
        held: list[Any] = []
        self.page.route(address, lambda route: held.append(route))
        return held

    def let_go(self, held: Sequence[Any]) -> None:
        """Let the first request go on that was held, or will be."""
        self.wait_for_one(held)
        held[0].continue_()

    def wait_for_one(self, held: Sequence[Any]) -> None:
        """Wait until there is a request that is held."""
        self._wait(lambda: held, "a request is held")

    def hear(self, selector: str) -> None:
        """Let `heard` be all that an element says from now on, however briefly."""
        self.page.evaluate(
            """(selector) => {
              const element = document.querySelector(selector);
              window.heard = [];
              new MutationObserver(() => window.heard.push(element.textContent)).observe(
                element, { childList: true, characterData: true, subtree: true });
            }""",
            selector,
        )

    def wait_to_hear(self, words: str) -> None:
        """Wait until an element that is heard has said so."""
        self.until("(words) => heard.some((one) => one.includes(words))", words)

    def _wait(self, is_so: Callable[[], Any], what: str) -> None:
        pause_ms = waited_ms = 2
        while not is_so():
            if waited_ms > PATIENCE_MS:
                raise TimeoutError(f"still not so: {what}")
            self.page.wait_for_timeout(pause_ms)
            waited_ms += pause_ms
            pause_ms = min(2 * pause_ms, MOST_PAUSE_MS)


class Browser:
    """Chromium, and a server that runs as users run it."""

    def __init__(self, chromium: Any, served: Served | None = None) -> None:
        self.chromium = chromium
        self._served = served

    @property
    def served(self) -> Served:
        """The server."""
        assert self._served is not None
        return self._served

    @property
    def origin(self) -> str:
        """Where the server is."""
        return f"http://127.0.0.1:{self.served.port}"

    @property
    def scanned(self) -> str:
        """The address in the code on the computer."""
        return f"{self.origin}/?token={self.served.token}"

    @contextmanager
    def visit(
        self, address: str | None = None, device: Any = None, script: str = "", **options: Any
    ) -> Iterator[Visit]:
        """Open the page, or what an address shows, as a device that was never here.

        A script may run before the page's own; the page is ready unless an address is named.
        Nothing moves unless `reduced_motion` says otherwise: each frame is drawn by the processor.
        """
        usual = {"locale": "en", "reduced_motion": "reduce", **(device or PHONE)}
        context = self.chromium.new_context(**{**usual, **options})
        page = context.new_page()
        if script:
            page.add_init_script(script)
        page.set_default_timeout(PATIENCE_MS)
        visit = Visit(page)
        page.on("console", lambda message: _note(visit, message))
        page.on("pageerror", lambda error: visit.said.append(f"{error}"))
        try:
            page.goto(address or self.scanned)
            if address is None:
                visit.get_ready()
            yield visit
            assert visit.said == [], visit.said
        finally:
            context.close()


def _note(visit: Visit, message: Any) -> None:
    if message.type in ("error", "warning") and not message.text.startswith(_EXPECTED):
        visit.said.append(message.text)


_drivers: Final[list[Any]] = []
"""What Playwright runs browsers with; a process has one at a time."""


@contextmanager
def _driving() -> Iterator[Any]:
    if _drivers:
        yield _drivers[0]
        return
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as started:
        _drivers.append(started)
        try:
            yield started
        finally:
            _drivers.clear()


@contextmanager
def opening(arguments: Sequence[str] = (), env: Mapping[str, str] | None = None) -> Iterator[Any]:
    """Start Chromium, in another environment where one is given; skips where there is none."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with _driving() as started:
        options = [*_ARGUMENTS, *arguments]
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=options, env=env)
        yield chromium
        chromium.close()


@contextmanager
def opening_kept(profile: Path, browser: Browser) -> Iterator[Visit]:
    """Start a second Chromium that keeps its things in a folder, and may be killed."""
    launched = browser.chromium.browser_type.launch_persistent_context(
        profile, executable_path=CHROMIUM, args=_ARGUMENTS, locale="en", **COMPUTER
    )
    visit = Visit(launched.new_page())
    visit.page.set_default_timeout(PATIENCE_MS)
    yield visit
    with suppress(Exception):  # it is gone where a test has killed it
        launched.close()


@contextmanager
def browsing(*options: str | Path, arguments: Sequence[str] = ()) -> Iterator[Browser]:
    """Start Chromium with arguments, and a server with options; skips where there is no browser."""
    with opening(arguments) as chromium, serving(*options) as served:
        yield Browser(chromium, served)

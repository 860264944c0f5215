"""Photographs the page for phones in each of its main states, for the documentation.

    python packaging/phone_screenshots.py [NAME...]

Every picture in it is one that this project rendered. Chromium stands for the phone, and the page
is used as a person uses it, against a server that runs as users run it.
"""

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pictures import parse_states, render_page, save_screenshot
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from app.gui.session.file_opener import sample_path
from benchmarks.processes import serving

PHONE: Final = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 1.5,
}
COMPUTER: Final = {"viewport": {"width": 1280, "height": 800}}
_REST_MS: Final = 900
_PATIENCE_MS: Final = 120_000


@dataclass(frozen=True)
class PhoneStage:
    """What a state needs: the page, and a folder for photos."""

    page: Page
    folder: Path

    def choose(self, photo: Path) -> None:
        """Choose a photo, on whichever screen the page is."""
        is_start = self.page.is_visible("#start")
        self.page.set_input_files("#gallery-input" if is_start else "#again-input", str(photo))

    def solve(self, photo: Path) -> None:
        """Choose a photo, and wait for its solution."""
        with self.page.expect_response("**/api/photos*"):
            self.choose(photo)
        self.page.wait_for_selector('#status[data-severity="good"]')
        self.rest()

    def click(self, *buttons: str) -> None:
        """Click one button after the other."""
        for button in buttons:
            self.page.click(button)
            self.rest()

    def tap(self, cell: int) -> None:
        """Tap a cell."""
        self.page.locator(f'[role=gridcell][data-cell="{cell}"]').dispatch_event("click")
        self.rest()

    def make(self, kind: str) -> None:
        """Have a puzzle of a kind made."""
        self.click("#open-making")
        self.page.select_option("#making-kind", kind)
        self.page.click("#making-act")
        self.page.wait_for_selector("#panel-play", state="visible")
        self.rest()

    def rest(self) -> None:
        """Wait until nothing moves."""
        self.page.wait_for_timeout(_REST_MS)


def _start(stage: PhoneStage) -> None:
    stage.solve(sample_path())
    stage.solve(render_page(stage.folder, 1, 4))
    stage.click("#go-home")


def _solved(stage: PhoneStage) -> None:
    stage.solve(sample_path())


def _hint(stage: PhoneStage) -> None:
    stage.solve(sample_path())
    stage.click("#ask-hint", "#hint-more", "#hint-more")


def _correction(stage: PhoneStage) -> None:
    stage.solve(sample_path())
    cells = [
        one.get_attribute("aria-label") or ""
        for one in stage.page.query_selector_all("[role=gridcell]")
    ]
    empty = next(cell for cell in range(18, 27) if "printed" not in cells[cell])
    twice = next(name for name in cells[18:27] if "printed" in name)
    stage.tap(empty)
    stage.click(f'#digits [data-digit="{twice.partition(": ")[2][0]}"]')
    stage.page.wait_for_selector('#status[data-severity="bad"]')


def _check(stage: PhoneStage) -> None:
    stage.solve(render_page(stage.folder, 2, 4))
    stage.click("#ask-check")


def _corners(stage: PhoneStage) -> None:
    stage.solve(sample_path())
    stage.click("#open-menu", "#menu-corners")


def _several(stage: PhoneStage) -> None:
    stage.solve(render_page(stage.folder, 1, 3, boards=2))
    stage.click("#next-board")


def _lost(stage: PhoneStage) -> None:
    stage.page.context.set_offline(True)
    stage.choose(sample_path())
    stage.page.wait_for_selector('#status[data-severity="doubtful"]')
    stage.rest()


def _share(stage: PhoneStage) -> None:
    stage.page.evaluate("() => void (navigator.canShare = () => true)")
    stage.solve(sample_path())
    stage.click("#ask-share")


def _lesson(stage: PhoneStage) -> None:
    stage.click("#open-lessons")
    with stage.page.expect_response("**/api/lessons"):
        stage.page.select_option("#lessons-names", "x_wing")
    stage.rest()


def _new_killer(stage: PhoneStage) -> None:
    stage.make("killer")
    stage.tap(40)
    for cell in (41, 49):
        stage.page.locator(f'[role=gridcell][data-cell="{cell}"]').click(modifiers=["Control"])
    stage.click("#play-corner", '#play-digits [data-digit="3"]', '#play-digits [data-digit="8"]')


def _samurai(stage: PhoneStage) -> None:
    stage.make("samurai")
    stage.click("#next-board")


STATES: Final[dict[str, tuple[Callable[[PhoneStage], None], dict[str, Any]]]] = {
    "phone-start": (_start, PHONE),
    "phone-solved": (_solved, PHONE),
    "phone-hint": (_hint, PHONE),
    "phone-correction": (_correction, PHONE),
    "phone-check": (_check, PHONE),
    "phone-corners": (_corners, PHONE),
    "phone-several": (_several, PHONE),
    "phone-lost": (_lost, PHONE),
    "phone-share": (_share, {**PHONE, "color_scheme": "dark"}),
    "phone-lesson": (_lesson, PHONE),
    "phone-killer": (_new_killer, PHONE),
    "phone-samurai": (_samurai, PHONE),
    "phone-wide": (_hint, COMPUTER),
    "phone-wide-dark": (_solved, {**COMPUTER, "color_scheme": "dark"}),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    chosen = parse_states("Photograph the page for phones.", STATES, arguments)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print(
            "Chromium is not installed; install it, as by `apt-get install chromium`",
            file=sys.stderr,
        )
        return 4
    with serving() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for path, (show, device) in chosen.items():
            save_screenshot(_photograph(browser, address, show, device), path)
        browser.close()
    return 0


def _photograph(
    browser: Browser, address: str, show: Callable[[PhoneStage], None], device: dict[str, Any]
) -> Image.Image:
    context = browser.new_context(**{"locale": "en", "reduced_motion": "reduce", **device})
    context.set_default_timeout(_PATIENCE_MS)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#open-menu[title]")
    with tempfile.TemporaryDirectory() as folder:
        show(PhoneStage(page, Path(folder)))
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.load()
    context.close()
    return picture.convert("RGB")


if __name__ == "__main__":
    sys.exit(main())

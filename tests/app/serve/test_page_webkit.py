"""The phone page in WebKit, the engine of Safari, driven as WebDriver (W3C, 2018) says.

Debian: `apt-get install webkit2gtk-driver xvfb`; else these tests skip.
"""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from page_sheets import Sheet
from serve_process import Served

pytestmark = pytest.mark.slow  # a browser before a server
BROWSERS: Final = tuple(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))
PATIENCE_S: Final = 60


class WebKit:
    """A browser that a driver steers."""

    def __init__(self, port: int) -> None:
        self._driver = f"http://127.0.0.1:{port}"
        options = {"binary": str(BROWSERS[0]), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = f"/session/{self._ask('/session', capabilities=wanted)['sessionId']}"

    def _ask(self, path: str, method: str = "POST", **body: Any) -> Any:
        request = urllib.request.Request(
            self._driver + path,
            json.dumps(body).encode() if method == "POST" else None,
            {"Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)["value"]

    def go(self, address: str) -> None:
        self._ask(f"{self._session}/url", url=address)

    def run(self, script: str) -> Any:
        return self._ask(f"{self._session}/execute/sync", script=f"return {script}", args=[])

    def until(self, script: str) -> None:
        for _ in range(10 * PATIENCE_S):
            if self.run(script):
                return
            time.sleep(0.1)
        raise TimeoutError(f"still not so: {script}")

    def find(self, selector: str) -> str:
        found = self._ask(f"{self._session}/element", using="css selector", value=selector)
        return f"{self._session}/element/{next(iter(found.values()))}"

    def click(self, selector: str) -> None:
        self._ask(f"{self.find(selector)}/click")

    def type(self, selector: str, text: str) -> None:
        self._ask(f"{self.find(selector)}/value", text=text)

    def press(self, keys: str) -> None:
        acts = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._ask(
            f"{self._session}/actions", actions=[{"type": "key", "id": "keys", "actions": acts}]
        )

    def close(self) -> None:
        self._ask(self._session, "DELETE")


@pytest.fixture
def webkit(tmp_path: Path) -> Iterator[WebKit]:
    """WebKit on a screen of its own, that keeps nothing elsewhere."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    if not BROWSERS or driver is None or screen is None:
        pytest.skip("webkit2gtk-driver or xvfb is not installed")
    shown, display = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    size = ["-screen", "0", "1300x900x24", "-displayfd", str(display)]
    with subprocess.Popen([screen, *size], pass_fds=[display], stderr=subprocess.DEVNULL) as server:
        number = os.read(shown, 10).decode().strip()
        env = {**os.environ, "DISPLAY": f":{number}", "HOME": str(tmp_path)}
        # Those who test as root have no namespaces to put a page into.
        env["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        with subprocess.Popen([driver, f"--port={port}"], env=env) as steered:
            try:
                browser = _begin(port)
                yield browser
                browser.close()
            finally:
                steered.terminate()
                server.terminate()
    os.close(shown)
    os.close(display)


def _begin(port: int) -> WebKit:
    for _ in range(10 * PATIENCE_S):
        try:
            return WebKit(port)
        except urllib.error.URLError as error:
            if isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.1)
    raise TimeoutError("the driver does not answer")


def open_sheet(webkit: WebKit, served: Served, sheet: Sheet) -> None:
    webkit.go(f"http://127.0.0.1:{served.port}/?token={served.token}")
    webkit.until("document.querySelector('#open-menu').title !== ''")
    webkit.type("#gallery-input", str(sheet.path))
    webkit.until("document.querySelector('#status').dataset.severity === 'good'")


def names(webkit: WebKit) -> list[str]:
    found: list[str] = webkit.run(
        "[...document.querySelectorAll('[role=gridcell]')]"
        ".map((one) => one.getAttribute('aria-label'))"
    )
    return found


def leave_and_come_back(webkit: WebKit) -> None:
    """Go home, and open the puzzle from there: a browser that is steered keeps it for a visit."""
    webkit.click("#go-home")
    webkit.until("document.querySelector('#recent-list .open') !== null")
    webkit.click("#recent-list .open")


def test_a_photo_is_solved_corrected_and_opened_again(
    webkit: WebKit, page_server: Served, sheet: Sheet
) -> None:
    open_sheet(webkit, page_server, sheet)
    empty = sheet.clues.index(".")
    assert sum("solution" in name for name in names(webkit)) == sheet.clues.count(".")

    webkit.click("#view-board") if webkit.run("innerWidth < 900") else None
    webkit.click(f"[role=gridcell][data-cell='{empty}']")
    right = names(webkit)[empty].partition(": ")[2][0]
    webkit.press(right)
    webkit.until("document.querySelector('#status').dataset.severity === 'good'")
    leave_and_come_back(webkit)

    webkit.until(
        "[...document.querySelectorAll('[role=gridcell]')].filter((one) => "
        f"one.ariaLabel.includes('printed')).length === {82 - sheet.clues.count('.')}"
    )
    assert f": {right}, printed" in names(webkit)[empty]


def wait_for_cell(webkit: WebKit, cell: int, said: str) -> None:
    place = f"document.querySelector('[role=gridcell][data-cell=\"{cell}\"]')"
    webkit.until(f"{place}.ariaLabel.includes('{said}')")


def test_a_puzzle_is_played(webkit: WebKit, page_server: Served, sheet: Sheet) -> None:
    open_sheet(webkit, page_server, sheet)
    webkit.click("#status-action")
    webkit.until("document.body.dataset.panel === 'play'")
    empty = sheet.clues.index(".")

    webkit.click("#view-board") if webkit.run("innerWidth < 900") else None
    webkit.click(f"[role=gridcell][data-cell='{empty}']")
    webkit.press("5")
    webkit.click("#play-corner")
    later = sheet.clues.rindex(".")
    webkit.click(f"[role=gridcell][data-cell='{later}']")
    webkit.press("7")

    wait_for_cell(webkit, empty, ": 5")
    wait_for_cell(webkit, later, "notes 7")
    leave_and_come_back(webkit)
    wait_for_cell(webkit, empty, ": 5")
    wait_for_cell(webkit, later, "notes 7")

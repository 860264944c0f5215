"""Photographs the window in each of its main states, for the documentation.

    xvfb-run -a -s "-screen 0 1400x1000x24" python packaging/screenshots.py [NAME...]

Every picture in it is one that this project rendered. The window is used as a person uses it: keys
and clicks come as events, and nothing is painted over.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import Mock

import cv2
import numpy as np
from pictures import render_page, save_screenshot
from PIL import Image, ImageQt
from PySide6.QtCore import QEvent, QEventLoop, QPoint, QSettings, Qt, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.board.board_values import EntryMode
from app.gui.panels.help_panel import HelpPanel
from app.gui.panels.walk_panel import WalkPanel
from app.gui.session.background import Worker
from app.gui.session.file_opener import sample_path
from app.gui.start import make_application
from app.gui.window.main_window import Window
from app.recognition.pipeline import Pipeline
from app.serve.security.known_clients import Phone
from training.pages.flat_board import make_puzzle, render_board
from vision.media.images import load_image, save_image

FOLDER: Final = Path(__file__).parents[1] / "docs" / "screenshots"
SIZE: Final = (1180, 760)
_LONGEST_SECONDS: Final = 300.0
_STEP: Final = 12
"""Of the walk, which is shown."""


Setting = dict[str, object]


@dataclass(frozen=True)
class Stage:
    """What a state needs: the window, and a folder for photos."""

    window: Window
    folder: Path

    def wait(self, is_so: Callable[[], bool]) -> None:
        """Let the window work until something is so."""
        end = time.monotonic() + _LONGEST_SECONDS
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError("the window did not get there")
            _pause(20)

    def press(self, key: Qt.Key, where: QWidget | None = None) -> None:
        """Press a key."""
        QTest.keyClick(where or self.window, key)
        _pause(50)

    def open(self, path: Path) -> None:
        """Open a photo, and wait until it is worked through."""
        self.window.intake.open_files([path])
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is worked on."""
        session = self.window.session

        def is_done() -> bool:
            return session is not None and not any(one.is_working for one in session.documents)

        self.wait(is_done)
        _pause(400)

    def rendered(self, level: int, seed: int, boards: int = 1) -> Path:
        """Return the file of a photo that is rendered for this."""
        return render_page(self.folder, level, seed, boards)


def _solved(stage: Stage) -> None:
    stage.open(sample_path())


def _hint(stage: Stage) -> None:
    stage.open(sample_path())
    stage.press(Qt.Key.Key_S)
    stage.press(Qt.Key.Key_H)
    panel = stage.window.panels.findChild(HelpPanel)
    assert isinstance(panel, HelpPanel)
    for _ in range(3):
        panel.ask_for_hint()
        _pause(100)


def _correction(stage: Stage) -> None:
    stage.open(sample_path())
    stage.window.actions_of_window.view_photo.trigger()
    stage.press(Qt.Key.Key_B)
    document = stage.window.document
    assert document is not None
    assert document.board is not None
    clues = document.board.board.clues
    cell = int(np.flatnonzero(clues.ravel() == 0)[10])
    row = clues[cell // 9]
    stage.window.editor.select(cell)
    QTest.keyClick(stage.window.photo, str(int(row[row > 0][0])))
    stage.settle()


def _corners(stage: Stage) -> None:
    stage.open(sample_path())
    stage.press(Qt.Key.Key_P)


def _walk(stage: Stage) -> None:
    stage.open(sample_path())
    stage.press(Qt.Key.Key_S)
    stage.press(Qt.Key.Key_W)
    walk = stage.window.panels.findChild(WalkPanel)
    assert isinstance(walk, WalkPanel)

    def is_there() -> bool:
        walk.go_to(_STEP)
        return walk.number == _STEP

    stage.wait(is_there)
    _pause(200)


def _several(stage: Stage) -> None:
    stage.open(stage.rendered(1, 3, boards=2))
    stage.press(Qt.Key.Key_N)


def _open_puzzles(stage: Stage) -> None:
    for seed in (1, 2, 3):
        path = stage.folder / f"Puzzle {seed}.png"
        save_image(path, render_board(make_puzzle(seed, 30).clues, px=400)[0])
        stage.open(path)


def _history(stage: Stage) -> None:
    _open_puzzles(stage)
    stage.window.actions_of_window.history_panel.trigger()
    _pause(500)


def _typing(stage: Stage) -> None:
    stage.window.actions_of_window.type_puzzle.trigger()
    for digit in "53..7....6..195....98":
        QTest.keyClick(stage.window.clean, "0" if digit == "." else digit)
        stage.press(Qt.Key.Key_Right, stage.window.clean)
    stage.settle()


def _play(stage: Stage) -> None:
    stage.open(sample_path())
    stage.window.actions_of_window.play.trigger()
    document, editor = stage.window.document, stage.window.editor
    assert document is not None
    assert document.board is not None
    assert document.board.solution is not None
    solution = document.board.solution.ravel()
    empty = np.flatnonzero(document.board.digits.ravel() == 0).tolist()
    entries, corners, centres, colours = empty[0:24:2], empty[1:12:3], empty[25:33:2], empty[34:40]
    for mode, cells, digits in (
        (EntryMode.DIGIT, entries, ""),
        (EntryMode.CORNER, corners, "27"),
        (EntryMode.CENTRE, centres, "158"),
        (EntryMode.COLOUR, colours[:3], "4"),
        (EntryMode.COLOUR, colours[3:], "2"),
    ):
        editor.play.set_mode(mode)
        for cell in cells:
            editor.select(cell)
            QTest.keyClicks(stage.window.photo, digits or str(solution[cell]))
    editor.play.set_mode(EntryMode.DIGIT)
    _pause(1500)


def _techniques(stage: Stage) -> None:
    stage.open(sample_path())
    stage.window.actions_of_window.technique_panel.trigger()
    _pause(500)


def _new_puzzle(stage: Stage) -> None:
    stage.open(sample_path())
    stage.window.actions_of_window.new_puzzle.trigger()
    _pause(300)


def _welcome(stage: Stage) -> None:
    _open_puzzles(stage)
    session = stage.window.session
    assert session is not None
    for document in session.documents:
        session.close(document)
    _pause(300)


def _keys(stage: Stage) -> None:
    stage.open(sample_path())
    stage.press(Qt.Key.Key_F1)


def _about(stage: Stage) -> None:
    stage.open(sample_path())
    stage.window.actions_of_window.about.trigger()
    _pause(300)


def _phone(stage: Stage) -> None:
    stage.open(sample_path())
    phone = stage.window.phone
    phone.link.make = lambda _wishes, _on_result: _make_server()
    stage.window.actions_of_window.phone.trigger()
    stage.wait(lambda: len(phone.link.paired) == 1)
    _pause(300)
    stage.window.notice = phone.dialog


def _make_server() -> Any:
    """Return one that serves nobody: the secret of a real one is nobody else's business."""
    place = "http://192.0.2.17:8765/"  # an address for documentation (RFC 5737)
    server = Mock(place=place, url=f"{place}?token=an-example-that-opens-no-page", fingerprint="")
    server.is_local_only = False
    now = time.time()
    server.paired.return_value = [Phone("", "iPhone, Safari", "192.0.2.31", False, now, now)]
    return server


def _live(stage: Stage) -> None:
    stage.window.live.open_video(_film(stage.folder / "page.avi"))
    page = stage.window.live.page
    assert page is not None

    def is_solved() -> bool:
        frame = page.screen_of_page.frame
        return frame is not None and frame.view.opacity >= 1 and bool(frame.view.digits.any())

    stage.wait(is_solved)
    _pause(300)


def _film(path: Path) -> Path:
    page = load_image(sample_path())
    height, width = page.shape[:2]
    scale = min(1280 / width, 720 / height) * 1.15
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (1280, 720))
    for number in range(300):
        turn = 2.5 * np.sin(number / 40)
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, scale)
        matrix[:, 2] += (640 - width / 2 + 12 * np.sin(number / 25), 360 - height / 2)
        writer.write(cv2.warpAffine(page, matrix, (1280, 720), borderValue=(96, 104, 110)))
    writer.release()
    return path


def _pause(ms: int) -> None:
    """Let the window work for a while; other than QTest's, this does not keep threads waiting."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


STATES: Final[dict[str, tuple[Callable[[Stage], None], Setting]]] = {
    "solved": (_solved, {"window/view": "photo"}),
    "both": (_solved, {"window/view": "both"}),
    "dark": (_solved, {"window/view": "both", "window/theme": "dark"}),
    "hint": (_hint, {"window/view": "both"}),
    "hint-dark": (_hint, {"window/view": "photo", "window/theme": "dark"}),
    "correction": (_correction, {}),
    "corners": (_corners, {"window/view": "photo"}),
    "walk": (_walk, {"window/view": "both"}),
    "several": (_several, {"window/view": "both"}),
    "history": (_history, {"window/view": "both"}),
    "typing": (_typing, {}),
    "play": (_play, {"window/view": "both"}),
    "techniques": (_techniques, {"window/view": "both"}),
    "new-puzzle": (_new_puzzle, {}),
    "welcome": (_welcome, {}),
    "welcome-dark": (_welcome, {"window/theme": "dark"}),
    "keys": (_keys, {}),
    "about": (_about, {}),
    "phone": (_phone, {}),
    "live": (_live, {}),
    "live-dark": (_live, {"window/theme": "dark"}),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Photograph the window in its main states.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(STATES))
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, help="folder")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    # Qt tells about every library for videos that is not there.
    os.environ.setdefault("QT_LOGGING_RULES", "qt.multimedia.*=false")
    _application = make_application()  # which lives as long as this
    line = Pipeline.load()
    for name in options.names or STATES:
        show, settings = STATES[name]
        with tempfile.TemporaryDirectory() as folder:
            picture = _photograph(line, show, settings, Path(folder))
        save_screenshot(picture, options.output / f"{name}.png")
    return 0


def _photograph(
    line: Pipeline, show: Callable[[Stage], None], settings: Setting, folder: Path
) -> Image.Image:
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    first: Setting = {"opened/has_started": True, "window/theme": "light"}
    usual: Setting = {"window/less_motion": True, "window/native_dialogs": False}
    for name, value in {**first, **usual, **settings}.items():
        store.setValue(name, value)
    window = Window(store, Worker(lambda: line), folder / "data")
    stage = Stage(window, folder)
    window.resize(*SIZE)
    window.show()
    window.activateWindow()
    if not QTest.qWaitForWindowActive(window):
        raise RuntimeError("the window does not get the keys; another one has them")
    window.begin()
    stage.wait(lambda: window.session is not None)
    show(stage)
    picture = _grab(window)
    if window.notice is not None:
        window.notice.close()
    window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return picture


def _grab(window: Window) -> Image.Image:
    """Return the window and, in its place over it, the dialog that is open."""
    picture = window.grab().toImage()
    dialog = window.notice
    if dialog is not None and dialog.isVisible():
        painter = QPainter(picture)
        at = QPoint(
            (window.width() - dialog.width()) // 2, (window.height() - dialog.height()) // 2
        )
        painter.drawPixmap(at, dialog.grab())
        painter.end()
    return ImageQt.fromqimage(picture).convert("RGB")


if __name__ == "__main__":
    sys.exit(main())

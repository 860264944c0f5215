"""Photographs the window in each of its main states, for the documentation.

    xvfb-run -a -s "-screen 0 1400x1000x24" python packaging/screenshots.py [NAME...]

Every picture in it is one that this project rendered. The window is used as a person uses it: keys
and clicks come as events, and nothing is painted over.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import Mock

import numpy as np
from pictures import parse_states, render_page, save_screenshot
from PIL import Image, ImageQt
from PySide6.QtCore import QEvent, QEventLoop, QPoint, QSettings, Qt, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.board.board_values import EntryMode
from app.gui.panels.help_panel import HelpPanel
from app.gui.session.background import Worker
from app.gui.session.file_opener import sample_path
from app.gui.start import make_application
from app.gui.window.main_window import Window
from app.recognition.pipeline import Pipeline
from app.serve.security.known_clients import Phone

SIZE: Final = (1180, 760)
_LONGEST_SECONDS: Final = 300.0

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
        self.window.file_opener.open_files([path])
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is worked on."""
        session = self.window.session

        def is_done() -> bool:
            return session is not None and not any(one.is_working for one in session.documents)

        self.wait(is_done)
        _pause(400)


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


def _several(stage: Stage) -> None:
    stage.open(render_page(stage.folder, 1, 3, boards=2))
    stage.press(Qt.Key.Key_N)


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


def _pause(ms: int) -> None:
    """Let the window work for a while; other than QTest's, this does not keep threads waiting."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


STATES: Final[dict[str, tuple[Callable[[Stage], None], Setting]]] = {
    "solved": (_solved, {"window/view": "photo"}),
    "dark": (_solved, {"window/view": "both", "window/theme": "dark"}),
    "hint": (_hint, {"window/view": "both"}),
    "correction": (_correction, {}),
    "corners": (_corners, {"window/view": "photo"}),
    "several": (_several, {"window/view": "both"}),
    "play": (_play, {"window/view": "both"}),
    "techniques": (_techniques, {"window/view": "both"}),
    "phone": (_phone, {}),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    chosen = parse_states("Photograph the window in its main states.", STATES, arguments)
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    # Qt tells about every library for videos that is not there.
    os.environ.setdefault("QT_LOGGING_RULES", "qt.multimedia.*=false")
    _application = make_application()  # which lives as long as this
    line = Pipeline.load()
    for path, (show, settings) in chosen.items():
        with tempfile.TemporaryDirectory() as folder:
            save_screenshot(_photograph(line, show, settings, Path(folder)), path)
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

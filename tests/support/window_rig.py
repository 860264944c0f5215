"""Waits for what a window does."""

from pytestqt.qtbot import QtBot

from app.gui.window.main_window import Window


def wait_for_work(qtbot: QtBot, window: Window) -> None:
    """Wait until nothing is worked on in a window, and all of it is in the history."""

    def is_done() -> bool:
        session = window.session
        if session is None or window.keeping.is_writing:
            return False
        return not any(one.is_working for one in session.documents)

    qtbot.waitUntil(is_done, timeout=60_000)

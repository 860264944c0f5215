"""Work behind a panel: the newest wins, and what nobody waits for ends."""

import threading

import pytest
from pytestqt.qtbot import QtBot
from window_rig import wait_until

from app.gui.session.background import Background, MayGoOn, ending_with

pytestmark = pytest.mark.usefixtures("collecting_here")


def test_a_result_arrives(qtbot: QtBot) -> None:
    background = Background()

    with qtbot.waitSignal(background.finished) as told:
        background.start(lambda _: 42)

    assert told.args == [42]
    assert not background.is_running


def test_only_the_newest_result_arrives(qapp: object) -> None:
    background = Background()
    told: list[object] = []
    background.finished.connect(told.append)
    may_end = threading.Event()

    def slow(_: MayGoOn) -> object:
        may_end.wait(10)
        return "old"

    background.start(slow)
    background.start(lambda _: "new")
    wait_until(lambda: told == ["new"])
    may_end.set()

    background.start(lambda _: "last")
    wait_until(lambda: told == ["new", "last"])


def test_cancelled_work_ends_and_never_arrives(qtbot: QtBot) -> None:
    background = Background()
    has_begun, has_ended = threading.Event(), threading.Event()

    def endless(may_go_on: MayGoOn) -> object:
        check = ending_with(may_go_on)
        has_begun.set()
        try:
            while True:
                check()
        finally:
            has_ended.set()

    with qtbot.assertNotEmitted(background.finished):
        background.start(endless)
        assert has_begun.wait(10)
        background.cancel()
        assert has_ended.wait(10)

    assert not background.is_running


def test_work_ends_with_its_panel(qapp: object) -> None:
    background = Background()
    has_ended = threading.Event()

    def endless(may_go_on: MayGoOn) -> object:
        while may_go_on():
            pass
        has_ended.set()
        return None

    background.start(endless)
    background.deleteLater()

    wait_until(has_ended.is_set)


def test_failed_work_is_logged_and_tells_none(
    qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    background = Background()

    def broken(_: MayGoOn) -> object:
        raise RuntimeError("broken on purpose")

    with qtbot.waitSignal(background.finished) as told:
        background.start(broken)

    assert told.args == [None]
    assert "broken on purpose" in caplog.text

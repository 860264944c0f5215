"""Work that must not hold up the window: behind a panel, and in the thread that owns the line."""

import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot
from window_rig import wait_until

from app.gui.session.background import Background, MayGoOn, Rank, Worker, ending_with
from app.recognition.pipeline import Pipeline
from app.recognition.timing import StageClock
from models.engine import EngineError

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


# --- the thread that owns the line


Told = list[object]


@pytest.fixture
def worker(qtbot: QtBot, pipeline: Pipeline) -> Iterator[Worker]:
    made = Worker(lambda: pipeline)
    with qtbot.waitSignal(made.ready):
        made.start()
    yield made
    made.stop()


def hold(gate: threading.Event) -> Callable[[Pipeline, StageClock], object]:
    """Return work that waits at a gate, and then comes to another stage."""

    def work(_: Pipeline, clock: StageClock) -> object:
        with clock.stage("find"):
            assert gate.wait(20)
        with clock.stage("read"):
            return "held"

    return work


def test_work_is_done_in_another_thread_and_told_in_the_windows(worker: Worker) -> None:
    done: Told = []

    worker.submit(
        lambda *_: threading.get_ident(),
        lambda result: done.append((result, QThread.currentThread())),
        done.append,
    )
    wait_until(lambda: bool(done))

    assert done[0] != (threading.get_ident(), QThread.currentThread())
    assert isinstance(done[0], tuple)
    assert done[0][1] is QThread.currentThread()
    assert done[0][0] != threading.get_ident()


def test_jobs_of_a_higher_rank_go_before_those_that_wait(qtbot: QtBot, worker: Worker) -> None:
    gate, done = threading.Event(), list[object]()
    with qtbot.waitSignal(worker.stage_begun):
        worker.submit(hold(gate), done.append, done.append)
    worker.submit(lambda *_: "later", done.append, done.append)
    hurried = worker.submit(lambda *_: "hurried", done.append, done.append)
    worker.submit(lambda *_: "begun", done.append, done.append, Rank.BEGUN)
    worker.hurry(hurried)

    gate.set()
    wait_until(lambda: len(done) == 4)

    assert done == ["held", "hurried", "begun", "later"]


def test_a_running_job_that_is_cancelled_ends_at_its_next_stage_and_tells_nothing(
    qtbot: QtBot, worker: Worker
) -> None:
    gate, done = threading.Event(), list[object]()
    with qtbot.waitSignal(worker.stage_begun):
        key = worker.submit(hold(gate), done.append, done.append)

    worker.cancel(key)
    gate.set()
    worker.submit(lambda *_: "next", done.append, done.append)
    wait_until(lambda: bool(done))

    assert done == ["next"]


def test_a_job_that_is_cancelled_after_its_end_tells_nothing(worker: Worker) -> None:
    """Its result may be on its way between the threads."""
    done: Told = []
    ended = threading.Event()

    def work(*_: object) -> object:
        ended.set()
        return "late"

    key = worker.submit(work, done.append, done.append)
    assert ended.wait(20)
    worker.cancel(key)
    worker.submit(lambda *_: "next", done.append, done.append)
    wait_until(lambda: bool(done))

    assert done == ["next"]


def test_an_expected_error_is_a_value(qtbot: QtBot, worker: Worker) -> None:
    failed: Told = []

    def work(*_: object) -> object:
        raise EngineError("no weights")

    with qtbot.assertNotEmitted(worker.crashed):
        worker.submit(work, failed.append, failed.append, expected=(EngineError,))
        wait_until(lambda: bool(failed))

    assert isinstance(failed[0], EngineError)


def test_a_fault_is_logged_and_reported_and_the_worker_goes_on(
    qtbot: QtBot, worker: Worker, caplog: pytest.LogCaptureFixture
) -> None:
    failed, done = list[object](), list[object]()

    def work(*_: object) -> object:
        raise ZeroDivisionError("a fault of ours")

    with qtbot.waitSignal(worker.crashed) as crashed:
        worker.submit(work, done.append, failed.append)
    worker.submit(lambda *_: "next", done.append, failed.append)
    wait_until(lambda: bool(done))

    assert "a fault of ours" in crashed.args[0]
    assert "Traceback" in crashed.args[0]
    assert any("a fault of ours" in str(record.exc_info) for record in caplog.records)
    assert isinstance(failed[0], ZeroDivisionError)
    assert done == ["next"]


def test_missing_weights_are_told_and_are_no_fault(qtbot: QtBot) -> None:
    def load() -> Pipeline:
        raise EngineError("weights are missing; install anew")

    worker = Worker(load)
    with qtbot.assertNotEmitted(worker.crashed), qtbot.waitSignal(worker.load_failed) as told:
        worker.start()
    worker.stop()

    assert str(told.args[0]) == "weights are missing; install anew"


def test_stopping_forgets_what_waits(qtbot: QtBot, pipeline: Pipeline) -> None:
    worker = Worker(lambda: pipeline)
    with qtbot.waitSignal(worker.ready):
        worker.start()
    gate, done = threading.Event(), list[object]()
    with qtbot.waitSignal(worker.stage_begun):
        worker.submit(hold(gate), done.append, done.append)
    worker.submit(lambda *_: "never", done.append, done.append)

    threading.Timer(0.05, gate.set).start()
    worker.stop()

    assert worker.isFinished()
    assert done == []

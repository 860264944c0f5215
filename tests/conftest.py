"""Fixtures that several test files share: paths, and the command run as users run it."""

import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from command_rig import PROJECT, RunCommand, run_in_process, run_process

# Hundreds of processes of the tests load the same modules, which are compiled for one of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# As the program sets it, before NumPy is loaded: more threads spin between small products.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Each process of the tests has a processor of its own; more threads of OpenCV mostly spin.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

# Trainings of a few steps are compiled for longer than they run.
os.environ.setdefault(
    "XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
)

with suppress(ImportError):
    # Loaded after TensorFlow, which some tests load, it would end the process.
    import ortools.sat.python.cp_model  # noqa: F401

# The window is tested without a screen; a person may name another platform and watch.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Commands keep ignoring what they were begun to ignore, as in the background of a script. The tests
# that end them send the same signals.
for _number, _handler in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGTERM, signal.SIG_DFL),
    (getattr(signal, "SIGHUP", None), signal.SIG_DFL),
):
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)

# How long an example takes says more of what else the machine does.
hypothesis.settings.register_profile(
    "untimed",
    max_examples=50,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("untimed")

if TYPE_CHECKING:
    from page_rig import Browser, Visit
    from page_sheets import Sheet
    from pytestqt.qtbot import QtBot
    from serve_process import Served

    from app.gui.window.main_window import Window
    from app.recognition.pipeline import Pipeline


SLOW_FIXTURES = frozenset(
    {"begin", "browser", "keras", "open_window", "programs", "start", "sudoku_lens_process"}
)
"""What a test of a browser, Keras, a whole window or a process needs takes a second or more."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests as slow that need one of the slow fixtures."""
    for item in items:
        if not SLOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Keep what is loaded by now, which lasts until the end, out of every later collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """Puts the packages' logs back, which a command that runs in this process sends to stderr."""
    ours = [logging.getLogger(name) for name in ("app", "vision", "solver", "models")]
    before = [(one, one.handlers, one.level, one.propagate) for one in ours]
    yield
    for one, handlers, level, propagates in before:
        one.handlers, one.propagate = handlers, propagates
        one.setLevel(level)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Let what a test of the window leaves behind in cycles die in the thread of the window.

    Python collects in whichever thread happens to allocate, also in one of a later test. PySide
    then puts the death of Qt's objects off until the main thread runs, may find them dead already,
    and ends the process. What was there before the test is looked through at the end of its module,
    as that takes longer than many a test.
    """
    if "qapp" not in getattr(item, "fixturenames", ()):
        return (yield)
    gc.disable()
    gc.freeze()
    try:
        return (yield)
    finally:
        gc.enable()
        if nextitem is None or nextitem.path != item.path:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        else:
            gc.collect()


@pytest.fixture(scope="session")
def project() -> Path:
    """The project's root folder."""
    return PROJECT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real photos and puzzles; the test skips where it is absent."""
    folder = PROJECT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("../shared/data, the real photos and puzzles, is not here")
    return folder


@pytest.fixture(scope="session")
def newspaper(project: Path) -> Path:
    """The newspaper page that ships with the project."""
    return project / "samples" / "newspaper.jpg"


@pytest.fixture(scope="session")
def sudoku_lens() -> RunCommand:
    """Runs `sudoku-lens` with the given arguments in the test's own process."""
    return run_in_process


@pytest.fixture(scope="session")
def sudoku_lens_process() -> RunCommand:
    """Runs `sudoku-lens` in a process of its own, for tests of what only a process shows."""
    return run_process


@pytest.fixture(scope="session")
def keras() -> Any:
    """Keras, which takes seconds to load and is loaded by what needs it alone."""
    return pytest.importorskip("keras", reason="the train extra is not installed")


@pytest.fixture
def collecting_here(qapp: object) -> Iterator[None]:
    """Keeps Python's collector in the test's own thread, as the window does, for parts of it."""
    from app.gui.session.background import Collector

    collector = Collector()
    collector.start()
    yield
    collector.stop()


@pytest.fixture(scope="session")
def pipeline() -> "Pipeline":
    """Loaded once for all tests, which use it one after the other."""
    from app.recognition.pipeline import Pipeline

    return Pipeline.load()


@pytest.fixture(scope="session")
def remembering(pipeline: "Pipeline") -> Any:
    """The pipeline of all windows, most of which show one and the same photo."""
    from window_rig import RememberingPipeline

    return RememberingPipeline(pipeline)


@pytest.fixture
def open_window(
    qtbot: "QtBot", tmp_path: Path, remembering: Any
) -> Iterator[Callable[..., "Window"]]:
    """Opens the window with settings of its own, and waits until photos are worked through."""
    from window_rig import settings_in, wait_for_work, wait_until

    from app.gui.session.background import Worker
    from app.gui.window.main_window import Window

    opened: list[Window] = []

    def show(*photos: Path, **settings: object) -> Window:
        store = settings_in(tmp_path)
        first = {"opened/has_started": True, "window/less_motion": True, "window/view": "both"}
        for name, value in {**first, "window/native_dialogs": False, **settings}.items():
            store.setValue(name, value)
        window = Window(store, Worker(lambda: remembering), tmp_path / "data")
        opened.append(window)
        qtbot.addWidget(window)
        window.resize(1200, 800)
        window.show()
        qtbot.waitExposed(window)
        window.begin(photos)
        wait_until(lambda: window.session is not None)
        wait_for_work(window)
        return window

    yield show
    for window in opened:
        window.close()
    opened.clear()


@pytest.fixture(scope="session")
def page_server() -> Iterator["Served"]:
    """Run the server that the phone pages of all modules come from; each visit is a new phone."""
    from serve_process import serving

    with serving() as begun:
        yield begun


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator["Browser"]:
    """Yield Chromium before the server of the phone page."""
    from page_rig import Browser, opening

    with opening() as chromium:
        yield Browser(chromium, request.getfixturevalue("page_server"))


@pytest.fixture
def visit(browser: "Browser") -> Iterator["Visit"]:
    """Yield the phone page on a phone that was never here."""
    with browser.visit() as begun:
        yield begun


@pytest.fixture
def solved(visit: "Visit", sheet: "Sheet") -> "Visit":
    """Return the phone page with the solution of the page with one puzzle."""
    visit.solve(sheet.path)
    return visit


@pytest.fixture
def desk(browser: "Browser") -> Iterator["Visit"]:
    """Yield the phone page on a computer that was never here."""
    from page_rig import COMPUTER

    with browser.visit(device=COMPUTER) as begun:
        yield begun


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where a module's photos lie."""
    return tmp_path_factory.mktemp("photos")


@pytest.fixture(scope="module")
def sheet(folder: Path) -> "Sheet":
    """Return a page with one puzzle."""
    from page_sheets import make_sheet

    return make_sheet(folder)

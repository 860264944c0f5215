"""Photos for tests of the window, and the window that shows one."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from puzzles import EASY_GRID, EULER_GRID

from training.pages.flat_board import render_board
from vision.media.images import save_image

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot
    from window_rig import OpenWindow, Speak

    from app.gui.board.clean_board import CleanBoard
    from app.gui.window.main_window import Window
    from app.recognition.pipeline import Pipeline


@pytest.fixture(scope="session")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """What `photos` copies, drawn once."""
    folder = tmp_path_factory.mktemp("rendered")
    paths = folder / "easy.png", folder / "other.png"
    for path, clues in zip(paths, (EASY_GRID, EULER_GRID), strict=True):
        save_image(path, render_board(clues, px=450)[0])
    return paths


@pytest.fixture
def photos(tmp_path: Path, rendered: tuple[Path, Path]) -> tuple[Path, Path]:
    """Two boards without anything around them, EASY and EULER."""
    first, second = (Path(shutil.copy(path, tmp_path)) for path in rendered)
    return first, second


@pytest.fixture
def photo(tmp_path: Path, rendered: tuple[Path, Path]) -> Path:
    """EASY without anything around it."""
    return Path(shutil.copy(rendered[0], tmp_path))


@pytest.fixture(scope="module")
def line() -> "Pipeline":
    """A line for the live view, which nothing else uses meanwhile."""
    from app.live.frame_recognition import LIVE_PIPELINE
    from app.recognition.pipeline import Pipeline

    return Pipeline.load(LIVE_PIPELINE)


@pytest.fixture
def window(open_window: "OpenWindow", photo: Path) -> "Window":
    """A window that shows the photo, solved."""
    return open_window(photo)


@pytest.fixture
def blank(open_window: "OpenWindow") -> "Window":
    """A window in which nothing is open."""
    return open_window()


@pytest.fixture
def clean(qtbot: "QtBot") -> "CleanBoard":
    """A clean board by itself, which shows nothing yet."""
    from app.gui.board.clean_board import CleanBoard

    board = CleanBoard()
    qtbot.addWidget(board)
    board.resize(500, 500)
    return board


@pytest.fixture
def usual_looks(qapp: "QApplication", speak: "Speak") -> "Iterator[None]":
    """Lets the application look and speak as before once the test is over."""
    font = qapp.font()
    yield
    qapp.setFont(font)


@pytest.fixture
def speak(qapp: "QApplication") -> "Iterator[Speak]":
    """Chooses a language; English is spoken again after the test."""
    from PySide6.QtCore import QLocale

    from app.gui.window.preferences import choose_language
    from app.terminal.languages import ENGLISH

    locale = QLocale()
    yield lambda code: choose_language(qapp, code)
    choose_language(qapp, ENGLISH)
    QLocale.setDefault(locale)

"""Every text of the window in every language: none missing, none old, and each as it is loaded."""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from board_results import board_result
from present import present
from puzzles import FORCING, HARD
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot
from window_rig import Speak, wait_until

from app.board.board_state import begin_photo
from app.board.timeline import Timeline
from app.gui.panels.help_panel import HelpPanel
from app.gui.session.document import Document
from app.gui.session.file_opener import sample_path
from app.gui.window.main_window import Window
from app.gui.window.preferences import window_words
from app.gui.window.status_text import StatusText
from app.help.assistance import Progress
from app.help.hints import walk
from app.recognition.outcome import Outcome
from app.recognition.results import PhotoResult
from app.report.advice import Fault, FaultKind, Region, UnsureCell, say_fault
from app.terminal.languages import ENGLISH, FOLDER, LANGUAGES, PREFIX
from solver.base import Limits
from solver.exact.bitmask import BitmaskSolver
from solver.grid import parse_grid
from solver.rules import Kind
from vision.media.images import ImageError, load_image
from vision.quality import BoardQuality

pytestmark = pytest.mark.usefixtures("collecting_here")
CODES = [code for code in LANGUAGES if code != ENGLISH]

Texts = dict[tuple[str, str], list[str]]
"""Context and English text to the translations, several where they depend on a number."""


def read_texts(path: Path) -> Texts:
    texts: Texts = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            translation = present(message.find("translation"))
            is_open = translation.get("type") == "unfinished"
            forms = [form.text or "" for form in translation] or [translation.text or ""]
            key = (context.findtext("name", ""), message.findtext("source", ""))
            texts[key] = [""] if is_open else forms
    return texts


def file_of(code: str, suffix: str = ".ts") -> Path:
    return FOLDER / f"{PREFIX}{code}{suffix}"


@pytest.fixture(scope="module")
def tool_folder() -> Path:
    folder = Path(sys.executable).parent
    if shutil.which("pyside6-lupdate", path=str(folder)) is None:
        pytest.skip("Qt's translation tools, which come with PySide6, are not beside Python")
    return folder


@pytest.fixture(scope="module")
def source_texts(
    tool_folder: Path, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> Texts:
    """The texts that stand in the sources now."""
    path = tmp_path_factory.mktemp("translations") / "now.ts"
    sources = [
        *sorted((project / "app" / "gui").rglob("*.py")),
        *sorted((project / "app" / "help").glob("*.py")),
        *(project / "solver" / "human" / f"{name}.py" for name in ("reasons", "position", "words")),
        project / "app" / "report" / "advice.py",
    ]
    command = [str(tool_folder / "pyside6-lupdate"), *map(str, sources), "-ts", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return read_texts(path)


def test_hints_have_one_name_in_german() -> None:
    texts = read_texts(file_of("de"))

    told = [text for (_, source), forms in texts.items() for text in forms if "hint" in source]

    assert [text for text in told if "Hinweis" in text] == []


@pytest.mark.parametrize("code", CODES)
def test_the_files_hold_the_texts_of_the_sources(code: str, source_texts: Texts) -> None:
    texts = read_texts(file_of(code))

    assert len(source_texts) > 200
    assert sorted(source_texts.keys() - texts.keys()) == []
    assert sorted(texts.keys() - source_texts.keys()) == []


@pytest.mark.parametrize("code", CODES)
def test_every_text_is_translated_with_what_is_filled_in_and_its_access_key(code: str) -> None:
    def fields(text: str) -> tuple[set[str], int]:
        return set(re.findall(r"\{\w*\}|%n|%\d", text)), text.count("&")

    wrong = [
        (source, form)
        for (_, source), forms in read_texts(file_of(code)).items()
        for form in forms
        if not form or fields(form) != fields(source)
    ]

    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_what_was_translated_is_loaded(code: str, tool_folder: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.qm"
    command = [str(tool_folder / "pyside6-lrelease"), str(file_of(code)), "-qm", str(made)]

    subprocess.run(command, check=True, capture_output=True)

    assert file_of(code, ".qm").read_bytes() == made.read_bytes(), "run: make translations"


def test_every_context_is_a_class_or_named_in_the_call(source_texts: Texts, project: Path) -> None:
    # `tr` looks in the context of the object's class, whatever the variable is called.
    code = "\n".join(path.read_text("utf-8") for path in sorted((project / "app").rglob("*.py")))
    known = set(re.findall(r"^class (\w+)", code, re.MULTILINE))
    known |= set(re.findall(r"translate\(\s*\"(\w+)\"", code))

    assert {context for context, _ in source_texts} <= known


def test_an_open_panel_changes_its_language(qtbot: QtBot, speak: Speak) -> None:
    panel = HelpPanel()
    qtbot.addWidget(panel)
    panel.show()

    for code, hint, name in (("de", "Tipp", "Hilfe"), ("en", "Hint", "Help")):
        assert speak(code) == code
        assert panel.tr("Hint") == hint
        assert QLocale().language() == QLocale(code).language()
        wait_until(partial(_is_called, panel, name))


def _is_called(widget: QWidget, name: str) -> bool:
    return widget.accessibleName() == name


@pytest.mark.parametrize("name", ["Deutsch", "Français"])
def test_the_window_speaks_another_language_at_once(
    speak: Speak, open_window: Callable[..., Window], name: str
) -> None:
    speak(ENGLISH)
    window = open_window(sample_path())
    actions = window.actions_of_window
    for panel in (actions.help_panel, actions.history_panel, actions.walk_panel):
        panel.trigger()
    window.editor.select(0)
    english = shown_texts(window)
    (action,) = (one for one in window.findChildren(QAction) if one.text() == name)

    action.trigger()

    code = next(code for code, told in LANGUAGES.items() if told == name)
    texts = read_texts(file_of(code)).items()
    others = {plain(source) for (_, source), forms in texts if source not in forms}
    assert len(english & others) > 60
    wait_until(lambda: not shown_texts(window) & others)
    assert action.isChecked()


def shown_texts(window: Window) -> set[str]:
    """Return what stands on the parts of a window, and what they are called."""
    shown = {window.windowTitle()}
    for action in window.findChildren(QAction):
        shown |= {action.text(), action.toolTip()}
    for part in window.findChildren(QWidget):
        shown |= {part.accessibleName(), part.toolTip(), part.windowTitle()}
        if isinstance(part, QMenu):
            shown.add(part.title())
        elif isinstance(part, QLabel | QAbstractButton):
            shown.add(part.text())
    return {plain(text) for text in shown}


def plain(text: str) -> str:
    return text.replace("&", "").rstrip("…")


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("puzzle", [FORCING, HARD])
def test_a_solution_is_told_in_every_language(speak: Speak, code: str, puzzle: str) -> None:
    speak(code)
    clues = parse_grid(puzzle)
    solution = BitmaskSolver().solve(clues, Limits()).solution
    progress = Progress(clues, clues * 0, solution)

    told = present(walk(progress, window_words()))

    for step in told:
        assert "{" not in step.text
        assert not re.search(r"\br\dc\d|\b(box|row|column|the|and|cell)\b", step.text), step.text


@pytest.mark.parametrize("code", CODES)
def test_advice_is_given_in_every_language(speak: Speak, code: str) -> None:
    details = (FaultKind.OUTSIDE, FaultKind.HIDDEN, FaultKind.SUMS, FaultKind.OTHER_KIND)
    faults = [Fault(kind) for kind in FaultKind if kind not in details]
    faults += [Fault(FaultKind.SHADED, region=region) for region in Region]
    faults += [Fault(FaultKind.OUTSIDE, edges=("left", "right", "top", "bottom"))]
    unsure = tuple(UnsureCell(cell, (0, 3, 5)) for cell in range(7))
    for kind in (FaultKind.UNSURE, FaultKind.HIDDEN, FaultKind.SUMS):
        faults += [Fault(kind, cells=unsure[:count]) for count in (1, 2, 7)]
    for kind_of_puzzle in (Kind.DIAGONAL, Kind.WINDOKU):
        faults.append(Fault(FaultKind.OTHER_KIND, puzzle_kind=kind_of_puzzle))
    speak(code)

    for fault in faults:
        told = say_fault(fault, partial(QCoreApplication.translate, "Advice"))
        assert told != say_fault(fault)
        assert not re.search(r"[{}]|\br\dc\d|\b(the|and|or|left|right|empty|cells)\b", told), told


def test_the_status_gives_advice_in_the_language_of_the_window(speak: Speak) -> None:
    blurred = BoardQuality(50.0, np.full((9, 9), 180, np.float32), 0.7, 0.2, ())
    board = board_result(outcome=Outcome.UNREADABLE, solution=None, quality=blurred)
    state = begin_photo(PhotoResult(board.outcome, (board,), (), {}), is_revealed=True)
    document = Document("a.jpg", Path("a.jpg"), timeline=Timeline(state), outcome=board.outcome)
    speak("de")

    status = StatusText().describe(document)

    assert status.detail.startswith("Das Gitter ist unscharf")


@pytest.mark.parametrize("code", CODES)
def test_a_broken_file_is_told_in_every_language(speak: Speak, code: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    speak(code)

    for data in (b"", b"text", b"\x89PNG\r\n\x1a\n" + bytes(99), None):
        if data is None:
            broken.unlink()
        else:
            broken.write_bytes(data)
        with pytest.raises(ImageError) as refused:
            load_image(broken)
        document = Document("broken.png", broken, outcome=Outcome.BAD_IMAGE)
        document.fault, document.message = refused.value.fault, str(refused.value)

        status = StatusText().describe(document)

        assert status.detail.startswith("broken.png ")
        assert " is " not in status.detail
        assert " does " not in status.detail


def test_what_nobody_speaks_falls_back_to_the_system(speak: Speak) -> None:
    assert speak("xx") in LANGUAGES


def test_plurals_follow_the_number(speak: Speak) -> None:
    speak("de")
    text = "%n digits are not read for sure: compare the tinted cells."

    told = [QCoreApplication.translate("StatusText", text, None, number) for number in (1, 3)]

    assert told[0].startswith("1 Ziffer ist")
    assert told[1].startswith("3 Ziffern sind")

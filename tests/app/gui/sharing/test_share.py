"""The share menu, printing and PDF, used as people use them."""

import gc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from command_rig import room_for
from kind_puzzles import usual_kind
from present import present
from puzzles import EASY, EASY_GRID, EASY_SOLUTION, EASY_SOLUTION_GRID
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPainter
from PySide6.QtPrintSupport import QPrintPreviewDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QToolBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from window_rig import wait_until

from app.gui.board.printing import AnswerPlace, PrintedPage, draw_pdf, paint_page, paint_puzzle
from app.gui.theme import apply_theme
from app.gui.window.share_menu import Shared, ShareMenu
from app.report.report_pictures import save_whole
from solver.formats import parse_puzzle
from solver.grid import Grid, format_grid
from solver.rules import Cage, Kind, Rules, box_rules, jigsaw_rules, killer_rules
from vision.media.images import load_image

pytestmark = pytest.mark.usefixtures("collecting_here")
Save = Callable[..., tuple[str, str]]


def make_picture() -> npt.NDArray[np.uint8]:
    picture = np.zeros((120, 200, 3), np.uint8)
    picture[:, :, 2] = 250  # red, as colours are ordered BGR
    return picture


def drawn(page: PrintedPage) -> npt.NDArray[np.uint8]:
    image = QImage(420, 594, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_page(painter, QRectF(0, 0, 420, 594), page)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(594, -1)[:, :420].copy()


@pytest.fixture
def owner(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def menu(owner: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ShareMenu:
    monkeypatch.chdir(tmp_path)
    made = ShareMenu(owner, uses_native_dialogs=False)
    made.set_shared(Shared(EASY_GRID, EASY_SOLUTION_GRID, "paper.jpg", make_picture))
    return made


def choose(menu: QMenu, *texts: str) -> None:
    """Open a menu and trigger an action by its text, through submenus."""
    menu.aboutToShow.emit()
    for action in menu.actions():
        if action.text().replace("&", "") == texts[0]:
            inner = action.menu()
            if len(texts) > 1 and isinstance(inner, QMenu):
                choose(inner, *texts[1:])
            else:
                assert action.isEnabled()
                action.trigger()
            return
    raise AssertionError(texts)


def submenus(menu: QMenu) -> list[QMenu]:
    inner = (one.menu() for one in menu.actions())
    return [one for one in inner if isinstance(one, QMenu)]


def answer_dialog(owner: QWidget, path: Path) -> str:
    """Type a file's name into the open dialog, and return the name it suggested."""
    wait_until(lambda: any(one.isVisible() for one in owner.findChildren(QFileDialog)))
    (dialog,) = (one for one in owner.findChildren(QFileDialog) if one.isVisible())
    field = dialog.findChildren(QLineEdit)[0]
    suggested = field.text()
    dialog.selectFile(str(path))
    (save,) = (
        box.button(QDialogButtonBox.StandardButton.Save)
        for box in dialog.findChildren(QDialogButtonBox)
    )
    QTest.mouseClick(save, Qt.MouseButton.LeftButton)
    return suggested


@pytest.fixture
def save(qtbot: QtBot, menu: ShareMenu, owner: QWidget, tmp_path: Path) -> Save:
    """Chooses in the menu, types a file's name, and returns the one suggested and what is said."""

    def save_as(name: str, *choice: str) -> tuple[str, str]:
        choose(menu, *choice)
        with qtbot.waitSignal(menu.said) as said:
            suggested = answer_dialog(owner, tmp_path / name)
        return suggested, str(present(said.args)[0])

    return save_as


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ("Copy the puzzle (81 characters)", EASY),
        ("Copy the solution (81 characters)", EASY_SOLUTION),
    ],
)
def test_digits_are_copied_as_81_characters(
    qtbot: QtBot, menu: ShareMenu, text: str, copied: str
) -> None:
    with qtbot.waitSignal(menu.said):
        choose(menu, text)

    assert clipboard() == copied


def test_a_link_is_copied_that_holds_the_puzzle(menu: ShareMenu) -> None:
    choose(menu, "Copy a link", "SudokuWiki")

    assert format_grid(parse_puzzle(clipboard())) == EASY


@pytest.mark.parametrize(
    ("kind", "links", "files"),
    [
        (Kind.DIAGONAL, {"f-puzzles", "SudokuPad"}, {"Line of text"}),
        (Kind.JIGSAW, {"f-puzzles", "SudokuPad"}, {"Line of text"}),
        (Kind.SAMURAI, set(), {"Line of text"}),
    ],
)
def test_only_formats_that_can_hold_the_puzzle_are_offered(
    menu: ShareMenu, kind: Kind, links: set[str], files: set[str]
) -> None:
    puzzle = usual_kind(kind)
    menu.set_shared(Shared(puzzle.clues, puzzle.solution, rules=puzzle.rules))

    menu.aboutToShow.emit()

    for inner, offered in zip(submenus(menu), (links, files), strict=False):
        assert {one.text() for one in inner.actions() if one.isEnabled()} == offered
        assert len(inner.actions()) > len(offered)
        assert inner.isEnabled() == bool(offered)


def test_the_solved_picture_is_copied(menu: ShareMenu) -> None:
    choose(menu, "Copy the picture")

    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (200, 120)
    assert image.pixelColor(5, 5).red() == 250


@pytest.mark.parametrize(
    ("name", "suffix"), [("Line of text", ".txt"), ("OpenSudoku", ".opensudoku")]
)
def test_a_puzzle_is_saved_in_the_chosen_format(
    save: Save, tmp_path: Path, name: str, suffix: str
) -> None:
    suggested, said = save("mine", "Save the puzzle as", name)

    path = tmp_path / f"mine{suffix}"
    assert suggested == f"paper-puzzle{suffix}"
    assert format_grid(parse_puzzle(path.read_text(encoding="utf-8"))) == EASY
    assert said == f"Saved as mine{suffix}."


def test_the_solved_picture_is_saved(save: Save, tmp_path: Path) -> None:
    suggested, _ = save("mine.png", "Save the solved picture…")

    assert suggested == "paper-solved.jpg"
    assert load_image(tmp_path / "mine.png").tolist() == make_picture().tolist()


def test_an_ending_that_is_added_replaces_no_file_unasked(
    qtbot: QtBot, owner: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Dialogs of systems are not there without a screen: Qt's own one stands in for one that has
    # asked by the name as it was typed.
    monkeypatch.chdir(tmp_path)
    menu = ShareMenu(owner, uses_native_dialogs=True)
    menu.set_shared(Shared(EASY_GRID, EASY_SOLUTION_GRID, "paper.jpg", make_picture))
    path = tmp_path / "mine.txt"
    path.write_text("dear", encoding="utf-8")

    for answer, text in (("No", "dear"), ("Yes", EASY)):
        choose(menu, "Save the puzzle as", "Line of text")
        answer_dialog(owner, tmp_path / "mine")
        wait_until(lambda: any(one.isVisible() for one in owner.findChildren(QMessageBox)))
        (box,) = (one for one in owner.findChildren(QMessageBox) if one.isVisible())
        assert "mine.txt is there already" in box.text()
        (button,) = (one for one in box.buttons() if one.text().replace("&", "") == answer)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert path.read_text(encoding="utf-8").strip() == text
    choose(menu, "Save the puzzle as", "Line of text")
    with qtbot.waitSignal(menu.said):
        answer_dialog(owner, tmp_path / "other")
    assert (tmp_path / "other.txt").exists()


def test_a_name_that_ends_in_a_date_gets_an_ending(
    qtbot: QtBot, owner: QWidget, menu: ShareMenu, tmp_path: Path
) -> None:
    choose(menu, "Save the solved picture…")
    with qtbot.waitSignal(menu.said):
        answer_dialog(owner, tmp_path / "Sudoku 29.11.2026")

    assert (tmp_path / "Sudoku 29.11.2026.jpg").exists()


def test_of_a_name_that_is_too_long_that_is_told(
    qtbot: QtBot, owner: QWidget, tmp_path: Path
) -> None:
    menu = ShareMenu(owner, uses_native_dialogs=True)
    menu.set_shared(Shared(EASY_GRID, EASY_SOLUTION_GRID, "paper.jpg", make_picture))

    choose(menu, "Save the solved picture…")
    with qtbot.waitSignal(menu.said) as said:
        answer_dialog(owner, tmp_path / ("x" * 253))

    assert "was not saved" in present(said.args)[0]


def test_what_cannot_be_saved_is_told(save: Save) -> None:
    assert "mine.gif was not saved" in save("mine.gif", "Save the solved picture…")[1]


def test_nothing_can_be_shared_where_there_is_nothing(menu: ShareMenu) -> None:
    menu.set_shared(Shared())
    menu.aboutToShow.emit()

    actions = [action for action in menu.actions() if not action.isSeparator()]
    assert not any(action.isEnabled() for action in actions)


def test_an_unsolved_puzzle_has_no_solution_to_share(menu: ShareMenu) -> None:
    menu.set_shared(Shared(EASY_GRID, None, "paper.jpg", make_picture))
    menu.aboutToShow.emit()

    enabled = {
        action.text().replace("&", "") for action in menu.actions() if action.isEnabled()
    } - {""}
    assert enabled == {
        "Copy the puzzle (81 characters)",
        "Copy a link",
        "Save the puzzle as",
        "Print",
        "Save as PDF",
    }
    (prints,) = (one for one in menu.actions() if one.text().replace("&", "") == "Print")
    inner = prints.menu()
    assert isinstance(inner, QMenu)
    assert [one.isEnabled() for one in inner.actions()] == [True, False, False, False]


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        ("The puzzle…", "paper-puzzle.pdf"),
        ("The puzzle, with a small solution below…", "paper-puzzle.pdf"),
        ("The solution…", "paper-solution.pdf"),
        ("The solved photo…", "paper-solved.pdf"),
    ],
)
def test_a_pdf_is_saved(save: Save, tmp_path: Path, choice: str, name: str) -> None:
    suggested, _ = save("mine", "Save as PDF", choice)

    data = (tmp_path / "mine.pdf").read_bytes()
    assert suggested == name
    assert data.startswith(b"%PDF")
    assert data.rstrip().endswith(b"%%EOF")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.pdf"]


def test_a_full_disk_leaves_the_pdf_that_was_there(qapp: object, tmp_path: Path) -> None:
    path = tmp_path / "mine.pdf"
    path.write_bytes(b"an earlier page")
    noise = np.random.default_rng(0).integers(0, 255, (300, 400), np.uint8)
    page = PrintedPage(picture=QImage(noise.data, 400, 300, 400, QImage.Format.Format_Grayscale8))

    with room_for(20_000):
        fault = save_whole(path, draw_pdf(page))

    assert fault
    assert path.read_bytes() == b"an earlier page"
    assert list(tmp_path.iterdir()) == [path]


def test_a_preview_opens_with_all_its_tools_and_blocks_nothing(
    menu: ShareMenu, owner: QWidget, qapp: QApplication
) -> None:
    apply_theme(qapp, "light")
    choose(menu, "Print", "The puzzle…")

    gc.collect()
    (preview,) = owner.findChildren(QPrintPreviewDialog)
    wait_until(preview.isVisible)
    preview.grab()
    assert preview.printer().pageLayout().orientation() is QPageLayout.Orientation.Portrait
    (bar,) = preview.findChildren(QToolBar)
    tools = [bar.widgetForAction(one) for one in bar.actions() if not one.isSeparator()]
    assert [tool for tool in tools if tool is not None and not tool.isVisible()] == []
    for field in bar.findChildren(QLineEdit):
        assert field.height() >= field.fontMetrics().height()
    preview.close()


def test_a_small_solution_stands_below_the_puzzle_where_it_is_asked_for(qapp: object) -> None:
    page = PrintedPage(clues=EASY_GRID)
    plain, unasked = drawn(page), drawn(replace(page, solution=EASY_SOLUTION_GRID))
    asked = drawn(replace(page, solution=EASY_SOLUTION_GRID, answer=AnswerPlace.BELOW))

    assert np.array_equal(plain, unasked)
    assert (plain[500:] == 255).all()
    assert (asked[500:] < 255).any()


def test_a_picture_keeps_its_shape_on_paper(qapp: object) -> None:
    picture = QImage(200, 100, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.black)

    dark = drawn(PrintedPage(picture=picture)) < 128

    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    assert (np.ptp(columns) + 1) / (np.ptp(rows) + 1) == pytest.approx(2, rel=0.02)


def darkest_in_cells(solution: Grid | None = None) -> npt.NDArray[np.uint8]:
    """Return the darkest grey in each cell of a painted puzzle, (9, 9)."""
    image = QImage(180, 180, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_puzzle(painter, QRectF(0, 0, 180, 180), EASY_GRID, solution)
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(180, -1)[:, :180]
    cells = pixels.reshape(9, 20, 9, 20).swapaxes(1, 2)[:, :, 4:16, 4:16]
    return np.asarray(cells.min(axis=(2, 3)), np.uint8)


def test_a_board_is_drawn_with_its_clues_and_what_is_solved_is_fainter(qapp: object) -> None:
    is_clue = EASY_GRID > 0
    assert ((darkest_in_cells() < 128) == is_clue).all()

    shades = darkest_in_cells(EASY_SOLUTION_GRID)

    assert shades[is_clue].max() < 60
    assert shades[~is_clue].min() > 120
    assert shades[~is_clue].max() < 200


def is_dark(page: PrintedPage, n: int, x: float, y: float) -> bool:
    """Tell whether there is ink at a point of the board, in cells of it."""
    pixels = drawn(page)
    rows = np.flatnonzero((pixels < 128).sum(axis=1) > 200)
    columns = np.flatnonzero((pixels < 128).sum(axis=0) > 200)
    step = (columns[-1] - columns[0]) / n
    middle = round(rows[0] + y * step), round(columns[0] + x * step)
    near = pixels[middle[0] - 1 : middle[0] + 2, middle[1] - 1 : middle[1] + 2]
    return bool((near < 245).any())


@pytest.mark.parametrize(
    ("rules", "with_ink", "without"),
    [
        (box_rules(9, Kind.DIAGONAL), (2.5, 2.5), (2.5, 3.5)),
        (box_rules(9, Kind.WINDOKU), (1.4, 1.4), (0.5, 0.5)),
        (killer_rules([Cage(15, (40, 41))]), (4.08, 4.7), (3.08, 4.7)),
        (killer_rules([Cage(18, (40, 41, 49))]), (4.12, 4.14), (3.12, 4.14)),
    ],
)
def test_the_marks_of_a_kind_are_printed(
    qapp: object, rules: Rules, with_ink: tuple[float, float], without: tuple[float, float]
) -> None:
    page = PrintedPage(clues=np.zeros((9, 9), np.uint8), rules=rules)

    assert is_dark(page, 9, *with_ink)
    assert not is_dark(page, 9, *without)


def test_regions_are_printed_with_bold_lines(qapp: object) -> None:
    regions = [[0, 1, 4, 5], [2, 3, 6, 7], [8, 12, 13, 9], [10, 11, 14, 15]]
    crooked = [[0, 1, 2, 4], [3, 6, 7, 11], [5, 8, 9, 12], [10, 13, 14, 15]]
    plain, jigsaw = (
        drawn(PrintedPage(clues=np.zeros((4, 4), np.uint8), rules=jigsaw_rules(one)))
        for one in (regions, crooked)
    )

    assert ((plain < 128) != (jigsaw < 128)).sum() > 200


def test_a_large_puzzle_is_printed_in_its_own_symbols(qapp: object) -> None:
    clues = np.zeros((16, 16), np.uint8)
    clues[0, 0] = 11
    page = PrintedPage(clues=clues, rules=box_rules(16))
    numbers = replace(page, symbols=[str(number) for number in range(1, 17)])

    assert (drawn(page) != drawn(numbers)).any()

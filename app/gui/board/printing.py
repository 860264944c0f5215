"""Puzzles as they are printed, and with solved photos on paper and as PDF: page, preview, file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QBuffer, QCoreApplication, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtWidgets import QWidget

from app.board.board_forms import face_of_puzzle
from app.board.board_values import CellView
from app.gui.board.clean_board import paint_board
from app.gui.theme import LIGHT, Theme
from solver.charset import DIGIT_CHARS
from solver.formats_kinds import KindPuzzle
from solver.grid import Grid
from solver.rules import CLASSIC_RULES, Rules

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog

_INK: Final = "#141414"
"""Not black: a preview draws what is black, as painters begin with, in the window's own colour."""

_ON_WHITE: Final = replace(
    LIGHT, text=_INK, accent="#8297bd", paper_line="#969696", paper_bold=_INK, muted=_INK
)
_BOARD_PX: Final = 400
"""Width of a board in the pixels that its lines are measured in."""


def paint_puzzle(
    painter: QPainter,
    place: QRectF,
    clues: Grid,
    solution: Grid | None = None,
    rules: Rules = CLASSIC_RULES,
    symbols: Sequence[str] = DIGIT_CHARS,
    theme: Theme = _ON_WHITE,
) -> None:
    """Draw a puzzle as large as it fits into a rectangle, in its middle.

    Args:
        painter: in any units.
        clues: (n, n) uint8.
        solution: (n, n) uint8 whose digits fill the other cells; None leaves them empty.
        rules: whose regions, diagonals, windows and cages are drawn.
        symbols: what is written for each digit, from 1.
    """
    face = face_of_puzzle(KindPuzzle(rules, clues), symbols)
    answers = np.zeros_like(clues) if solution is None else np.where(clues > 0, 0, solution)
    cells = tuple(
        CellView(cell.clue, solution=answer, cage_sum=cell.cage_sum, is_cell=cell.is_cell)
        for cell, answer in zip(face.cells, answers.ravel().tolist(), strict=True)
    )
    scale = min(place.width(), place.height()) / _BOARD_PX
    board = QRectF(-_BOARD_PX / 2, -_BOARD_PX / 2, _BOARD_PX, _BOARD_PX)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(place.center())
    painter.scale(scale, scale)
    paint_board(painter, board, replace(face, cells=cells), theme)
    painter.restore()


_MARGIN_MM: Final = 18.0

_TITLE_SHARE: Final = 0.035
"""Height of the title's letters, of the page's height."""

_SOLUTION_SHARE: Final = 0.2
"""Height of a small solution, of the page's height."""


class AnswerPlace(Enum):
    """Where the solution of a printed puzzle is."""

    NOWHERE = auto()
    BELOW = auto()
    """Small and upside down, as newspapers have it."""
    FILLED_IN = auto()


@dataclass(frozen=True, eq=False)
class PrintedPage:
    """What is printed: a puzzle, or a picture.

    Attributes:
        clues: (n, n) uint8; None where a picture is printed.
        solution: (n, n) uint8, verified; None where there is none to show.
        answer: where the solution goes.
    """

    title: str = ""
    clues: Grid | None = None
    solution: Grid | None = None
    answer: AnswerPlace = AnswerPlace.NOWHERE
    picture: QImage | None = None
    rules: Rules = CLASSIC_RULES
    symbols: Sequence[str] = DIGIT_CHARS


def open_print_preview(page: PrintedPage, parent: QWidget | None = None) -> "QPrintPreviewDialog":
    """Show how a page will look on paper, from where it is printed; nothing waits for it."""
    from PySide6.QtPrintSupport import QPrintPreviewDialog  # small pictures do without it

    # The dialog's own printer: it lives as long as the dialog, which one of ours would not.
    dialog = QPrintPreviewDialog(parent)
    dialog.printer().setPageLayout(_layout(page))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(QCoreApplication.translate("Printing", "Print"))
    dialog.paintRequested.connect(lambda target: _paint_on(target, page))
    dialog.resize(800, 860)
    dialog.open()
    return dialog


def draw_pdf(page: PrintedPage) -> bytes:
    """Return a page as a PDF."""
    drawn = QBuffer()
    drawn.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(drawn)
    writer.setPageLayout(_layout(page))
    writer.setTitle(page.title or "Sudoku")
    writer.setCreator("Sudoku Lens")
    _paint_on(writer, page)
    return bytes(drawn.data().data())


def paint_page(painter: QPainter, place: QRectF, page: PrintedPage) -> None:
    """Draw a page into a rectangle of any units."""
    title = QRectF(place.topLeft(), QSizeF(place.width(), 0))
    if page.title:
        title.setHeight(2 * _TITLE_SHARE * place.height())
        font = QFont(painter.font())
        font.setPixelSize(max(round(_TITLE_SHARE * place.height()), 1))
        painter.setFont(font)
        painter.setPen(QColor(_INK))
        painter.drawText(
            title, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, page.title
        )
    rest = place.adjusted(0, title.height(), 0, 0)
    if page.picture is not None:
        _paint_picture(painter, rest, page.picture)
    elif page.clues is not None:
        _paint_puzzle(painter, rest, page, page.clues)


def _paint_puzzle(painter: QPainter, place: QRectF, page: PrintedPage, clues: Grid) -> None:
    solution = page.solution
    paint = partial(paint_puzzle, painter, rules=page.rules, symbols=page.symbols)
    if page.answer is not AnswerPlace.BELOW or solution is None:
        filled = solution if page.answer is AnswerPlace.FILLED_IN else None
        board = place.adjusted(0, 0, 0, -_SOLUTION_SHARE * place.height())
        paint(board, clues, filled)
        return
    small = _SOLUTION_SHARE * place.height()
    paint(place.adjusted(0, 0, 0, -1.2 * small), clues)
    painter.save()
    painter.translate(place.center().x(), place.bottom() - small / 2)
    painter.rotate(180)
    paint(QRectF(-small / 2, -small / 2, small, small), clues, solution)
    painter.restore()


def _paint_picture(painter: QPainter, place: QRectF, picture: QImage) -> None:
    size = QSizeF(picture.size()).scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatio)
    target = QRectF(place.topLeft(), size)
    target.moveCenter(place.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(target, picture)


def _paint_on(target: "QPrinter | QPdfWriter", page: PrintedPage) -> None:
    painter = QPainter()
    if not painter.begin(target):
        return
    resolution = target.resolution()
    place = QRectF(target.pageLayout().paintRectPixels(resolution))
    # The painter's corner is that of the printable part.
    place.moveTo(0, 0)
    paint_page(painter, place, page)
    painter.end()


def _layout(page: PrintedPage) -> QPageLayout:
    is_wide = page.picture is not None and page.picture.width() > page.picture.height()
    orientation = QPageLayout.Orientation.Landscape if is_wide else QPageLayout.Orientation.Portrait
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    size = QPageSize(QPageSize.PageSizeId.A4)
    return QPageLayout(size, orientation, margins, QPageLayout.Unit.Millimeter)

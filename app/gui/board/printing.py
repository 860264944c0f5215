"""Puzzles as they are printed, and with solved photos on paper and as PDF: page, preview, file."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLineF, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPen,
)
from PySide6.QtWidgets import QWidget

from app.board.board_showing import number_cages, number_regions
from app.board.board_state import usual_rules
from app.gui.board.outlines import lines_of, outline_cages
from app.gui.theme import digit_font
from app.report.report_pictures import SaveFault
from solver.grid import Grid
from solver.rules import Kind, Rules
from solver.signs import SIGNS

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog

_SHADE: Final = 0.3
"""Opacity of the tint of windows."""

_CAGE_DASHES: Final = (3.0, 2.0)


_INK: Final = QColor(20, 20, 20)
"""Not black: a preview draws what is black, as painters begin with, in the window's own colour."""


@dataclass(frozen=True)
class BoardInks:
    """The colours of a drawn puzzle; `paper` lies behind everything, or is left out."""

    clue: QColor
    answer: QColor
    line: QColor
    paper: QColor | None = None


ON_WHITE = BoardInks(
    QColor(20, 20, 20), QColor(60, 90, 140), QColor(150, 150, 150), QColor(255, 255, 255)
)


def paint_board(
    painter: QPainter,
    place: QRectF,
    clues: Grid,
    solution: Grid | None = None,
    inks: BoardInks = ON_WHITE,
    rules: Rules | None = None,
    symbols: Sequence[str] = SIGNS,
) -> None:
    """Draw a puzzle as large as it fits into a rectangle, in its middle.

    Args:
        painter: in any units.
        clues: (n, n) uint8.
        solution: (n, n) uint8 whose digits fill the other cells; None leaves them empty.
        rules: whose regions, diagonals, windows and cages are drawn; None for the classic ones.
        symbols: what is written for each digit, from 1.
    """
    rules = rules or usual_rules(len(clues))
    n = rules.width
    side = min(place.width(), place.height())
    board = QRectF(0, 0, side, side)
    board.moveCenter(place.center())
    step = side / n
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if inks.paper is not None:
        painter.fillRect(board, inks.paper)
    # In units of the board: cells are one wide.
    painter.translate(board.topLeft())
    painter.scale(step, step)
    _paint_added(painter, rules, inks)
    _paint_lines(painter, rules, inks)
    painter.restore()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    widest = max(map(len, symbols[: rules.side]))
    bold = _font(step, QFont.Weight.Bold, widest)
    light = _font(step, QFont.Weight.Normal, widest)
    for row, column in product(range(n), repeat=2):
        clue = int(clues[row, column])
        digit = clue or (0 if solution is None else int(solution[row, column]))
        if not digit:
            continue
        painter.setFont(bold if clue else light)
        painter.setPen(inks.clue if clue else inks.answer)
        where = QRectF(board.x() + column * step, board.y() + row * step, step, step)
        if rules.cages:
            where.adjust(0, 0.1 * step, 0, 0.1 * step)
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, symbols[digit - 1])
    painter.setFont(_font(0.36 * step, QFont.Weight.Normal, 1))
    painter.setPen(inks.clue)
    metrics = QFontMetricsF(painter.font())
    for cage in rules.cages:
        row, column = divmod(cage.cells[0], n)
        text = str(cage.total)
        room = QRectF(0, 0, metrics.horizontalAdvance(text), metrics.ascent())
        room.moveTo(board.x() + (column + 0.04) * step, board.y() + (row + 0.02) * step)
        if inks.paper is not None:
            painter.fillRect(room, inks.paper)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def _paint_added(painter: QPainter, rules: Rules, inks: BoardInks) -> None:
    """Draw diagonals as lines, windows as tinted cells, and cages as dashed lines."""
    n = rules.width
    if rules.kind is Kind.DIAGONAL:
        painter.setPen(QPen(inks.line, n / 300))
        painter.drawLine(QLineF(0, 0, n, n))
        painter.drawLine(QLineF(n, 0, 0, n))
    elif rules.kind is Kind.WINDOKU:
        shade = QColor(inks.line)
        shade.setAlphaF(_SHADE)
        for cell in {cell for unit in rules.added_units for cell in unit}:
            painter.fillRect(QRectF(cell % n, cell // n, 1, 1), shade)
    pen = QPen(inks.clue, n / 700)
    pen.setDashPattern(_CAGE_DASHES)
    painter.setPen(pen)
    for line in outline_cages(number_cages(rules), n):
        painter.drawPolyline([QPointF(x, y) for x, y in line])


def _paint_lines(painter: QPainter, rules: Rules, inks: BoardInks) -> None:
    n = rules.width
    for lines, ink, share in zip(
        lines_of(number_regions(rules, n)), (inks.line, inks.clue), (500, 200), strict=True
    ):
        pen = QPen(ink, n / share)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        painter.setPen(pen)
        painter.drawLines(lines)


def _font(step: float, weight: QFont.Weight, n_signs: int) -> QFont:
    """Return a font whose symbols of so many signs fit a cell."""
    font = digit_font(max(round(step * min(0.62, 1.1 / n_signs)), 1))
    font.setWeight(weight)
    return font


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
    rules: Rules | None = None
    symbols: Sequence[str] = SIGNS


def open_print_preview(page: PrintedPage, parent: QWidget | None = None) -> "QPrintPreviewDialog":
    """Show how a page will look on paper, from where it is printed; nothing waits for it."""
    from PySide6.QtPrintSupport import QPrintPreviewDialog  # small pictures do without it

    # The dialog's own printer: it lives as long as the dialog, which one of ours would not.
    dialog = QPrintPreviewDialog(parent)
    dialog.printer().setPageLayout(_layout(page))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(QCoreApplication.translate("Printing", "Print"))
    dialog.paintRequested.connect(lambda target: _paint_on(target, page))
    dialog.resize(760, 860)
    dialog.open()
    return dialog


def save_pdf(path: Path, page: PrintedPage) -> SaveFault | None:
    """Write a page as PDF, whole or not at all."""
    temporary = path.with_name(f".{path.name[:80]}.{secrets.token_hex(4)}.tmp")
    try:
        # Qt does not say why it cannot write, Python does.
        temporary.touch(exist_ok=False)
        writer = QPdfWriter(str(temporary))
        writer.setPageLayout(_layout(page))
        writer.setTitle(page.title or "Sudoku")
        writer.setCreator("Sudoku Lens")
        is_painted = _paint_on(writer, page)
        del writer
        if not is_painted or not _has_end(temporary):
            temporary.unlink()
            reason = QCoreApplication.translate("Printing", "the file could not be written")
            return SaveFault(path, reason)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        return SaveFault(path, error.strerror or str(error))
    return None


def paint_page(painter: QPainter, place: QRectF, page: PrintedPage) -> None:
    """Draw a page into a rectangle of any units."""
    title = QRectF(place.topLeft(), QSizeF(place.width(), 0))
    if page.title:
        title.setHeight(2 * _TITLE_SHARE * place.height())
        font = QFont(painter.font())
        font.setPixelSize(max(round(_TITLE_SHARE * place.height()), 1))
        painter.setFont(font)
        painter.setPen(_INK)
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
    paint = partial(paint_board, painter, rules=page.rules, symbols=page.symbols)
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


def _paint_on(target: "QPrinter | QPdfWriter", page: PrintedPage) -> bool:
    painter = QPainter()
    if not painter.begin(target):
        return False
    resolution = target.resolution()
    place = QRectF(target.pageLayout().paintRectPixels(resolution))
    # The painter's corner is that of the printable part.
    place.moveTo(0, 0)
    paint_page(painter, place, page)
    return painter.end()


def _has_end(path: Path) -> bool:
    """Tell whether a PDF was written to its end: Qt does not say where the disk was full."""
    return path.read_bytes().rstrip().endswith(b"%%EOF")


def _layout(page: PrintedPage) -> QPageLayout:
    is_wide = page.picture is not None and page.picture.width() > page.picture.height()
    orientation = QPageLayout.Orientation.Landscape if is_wide else QPageLayout.Orientation.Portrait
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    size = QPageSize(QPageSize.PageSizeId.A4)
    return QPageLayout(size, orientation, margins, QPageLayout.Unit.Millimeter)

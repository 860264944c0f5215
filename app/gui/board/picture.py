"""A puzzle drawn in a square, as it is printed; for small pictures, too."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
)

from app.board.board_showing import number_cages, number_regions
from app.board.board_state import usual_rules
from app.gui.board.outlines import lines_of, outline_cages
from app.gui.theme import digit_font
from solver.grid import Grid
from solver.rules import Kind, Rules
from solver.signs import SIGNS

if TYPE_CHECKING:
    pass

_SHADE: Final = 0.3
"""Opacity of the tint of windows."""

_CAGE_DASHES: Final = (3.0, 2.0)


INK: Final = QColor(20, 20, 20)
"""Not black: a preview draws what is black, as painters begin with, in the window's own colour."""


@dataclass(frozen=True)
class BoardInks:
    """The colours of a drawn puzzle.

    Attributes:
        clue: printed digits and the lines of boxes.
        answer: digits of the solution.
        line: the lines between cells.
        paper: behind everything; None leaves what is there.
    """

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

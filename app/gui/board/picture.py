"""A puzzle drawn in a square, as it is printed: for paper, for PDF and for small pictures."""

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from app.gui.style.theme import digit_font
from solver.grid import Grid


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
) -> None:
    """Draw a puzzle as large as it fits into a rectangle, in its middle.

    Args:
        painter: in any units.
        place: where to draw.
        clues: (9, 9) uint8.
        solution: (9, 9) uint8 whose digits fill the other cells; None leaves them empty.
        inks: the colours.
    """
    side = min(place.width(), place.height())
    board = QRectF(0, 0, side, side)
    board.moveCenter(place.center())
    step = side / 9
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if inks.paper is not None:
        painter.fillRect(board, inks.paper)
    for number in range(10):
        is_bold = number % 3 == 0
        pen = QPen(inks.clue if is_bold else inks.line, side / (200 if is_bold else 500))
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        painter.setPen(pen)
        along = number * step
        corner = board.topLeft()
        painter.drawLine(QLineF(corner + QPointF(along, 0), corner + QPointF(along, side)))
        painter.drawLine(QLineF(corner + QPointF(0, along), corner + QPointF(side, along)))
    bold = _font(step, QFont.Weight.Bold)
    light = _font(step, QFont.Weight.Normal)
    for cell in range(81):
        row, column = divmod(cell, 9)
        clue = int(clues[row, column])
        digit = clue or (0 if solution is None else int(solution[row, column]))
        if not digit:
            continue
        painter.setFont(bold if clue else light)
        painter.setPen(inks.clue if clue else inks.answer)
        where = QRectF(board.x() + column * step, board.y() + row * step, step, step)
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, str(digit))
    painter.restore()


def _font(step: float, weight: QFont.Weight) -> QFont:
    font = digit_font(max(round(step * 0.62), 1))
    font.setWeight(weight)
    return font

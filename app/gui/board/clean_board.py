"""The board without the photo: clues, entries, solution and notes, drawn crisp."""

from collections.abc import Collection
from math import isqrt
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTransform,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.board.board_values import BLANK_FACE, BoardViewModel, changed_cells
from app.gui.board.cell_painting import CellPainter, Reveal, group_notes
from app.gui.board.keys import CONTROL, SHIFT
from app.gui.board.outlines import DigitInks, clean_inks, lines_of, paint_cages
from app.gui.theme import DARK, Theme, theme_of
from app.gui.widgets import painting, put_words
from app.report.board_marks import Highlight, Note, changed_marks

_MARGIN_PX: Final = 22
_LEAST_MARGIN_PX: Final = 8
"""Where there is hardly room for the board."""

_LEAST_PX: Final = 90
_MOST_SIDE_PX: Final = 720
_SMALL_PX: Final = 240


class CleanBoard(QWidget):
    """Draws a board by itself, and lets its cells be chosen.

    Signals:
        cell_clicked: the cell under the pointer.
        cell_added: likewise, with Shift or Ctrl.
        cell_reached: the cell to which the pointer was dragged.
        nothing_clicked: beside the board.
    """

    cell_clicked = Signal(int)
    cell_added = Signal(int)
    cell_reached = Signal(int)
    nothing_clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.face: BoardViewModel | None = None
        """What is shown, and told to screen readers."""
        self._highlight = Highlight()
        self.cell: int | None = None
        """The cell that is chosen for typing."""
        self._cells: frozenset[int] = frozenset()
        self._dragged: int | None = None
        self._reveal = Reveal(self)
        self._reveal.valueChanged.connect(lambda _: self.update())
        self.is_still = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, _LEAST_PX + 2 * _LEAST_MARGIN_PX)
        put_words(self, name=lambda: self.tr("Clean board"))

    def sizeHint(self) -> QSize:
        """Return a comfortable size."""
        return QSize(460, 460)

    def show_face(self, face: BoardViewModel | None) -> None:
        """Show a board, or none; digits that are new appear in a wave."""
        if face == self.face:
            return
        self._reveal.begin(self.face, face, is_still=self.is_still)
        changed, self.face = changed_cells(self.face, face), face
        self._update_cells(changed)

    def set_selected(self, cell: int | None, cells: frozenset[int]) -> None:
        """Mark the cell that is chosen for typing, and all cells that are chosen with it."""
        self.cell, old, self._cells = cell, self._cells, cells
        self._update_cells(tuple(old ^ self._cells))

    def set_highlight(self, highlight: Highlight | None) -> None:
        """Mark what a hint speaks of."""
        old, self._highlight = self._highlight, highlight or Highlight()
        self._update_cells(changed_marks(old, self._highlight))

    def cell_rect(self, cell: int) -> QRectF:
        """Return where a cell lies in the widget."""
        board, n = self._board_rect(), self._side
        side = board.width() / n
        row, column = divmod(cell, n)
        return QRectF(board.x() + column * side, board.y() + row * side, side, side)

    def cell_under(self, place: QPoint) -> int | None:
        """Return the cell at a place of the widget, or None."""
        board, n = self._board_rect(), self._side
        if not board.contains(QPointF(place)):
            return None
        side = board.width() / n
        column = min(int((place.x() - board.x()) / side), n - 1)
        cell = n * min(int((place.y() - board.y()) / side), n - 1) + column
        return cell if (self.face or BLANK_FACE).cells[cell].is_cell else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the cell under the pointer."""
        cell = self.cell_under(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or cell is None or self.face is None:
            self.nothing_clicked.emit()
            return
        self._dragged = cell
        (self.cell_added if is_adding(event) else self.cell_clicked).emit(cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell to which cell the pointer is dragged."""
        cell = self.cell_under(event.position().toPoint())
        if self._dragged is not None and cell not in (None, self._dragged):
            self._dragged = cell
            self.cell_reached.emit(cell)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag."""
        del event
        self._dragged = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave keys to the window."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the board."""
        face, exposed = self.face or BLANK_FACE, event.rect()
        cells = range(len(face.cells))
        with painting(self) as painter:
            paint_board(
                painter,
                self._board_rect(),
                face,
                theme_of(self),
                self._highlight,
                self._reveal,
                self._cells,
                [cell for cell in cells if self._with_lines(cell).intersects(exposed)],
            )
            if self.hasFocus():
                painter.setPen(QPen(QColor(theme_of(self).accent), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.rect().adjusted(2, 2, -2, -2))

    def _update_cells(self, cells: Collection[int] | None) -> None:
        if cells is None:
            self.update()
        for cell in cells or ():
            self.update(self._with_lines(cell))

    def _with_lines(self, cell: int) -> QRect:
        """Return where a cell and the lines around it lie in the widget."""
        return self.cell_rect(cell).toAlignedRect().adjusted(-3, -3, 3, 3)

    @property
    def _side(self) -> int:
        return (self.face or BLANK_FACE).side

    def _board_rect(self) -> QRectF:
        room = min(self.width(), self.height())
        margin = min(max((room - _LEAST_PX) // 2, _LEAST_MARGIN_PX), _MARGIN_PX)
        side = room - 2 * margin
        # Whole pixels a cell keep the lines crisp.
        n = self._side
        side = n * (min(max(side, _LEAST_PX), _MOST_SIDE_PX) // n)
        return QRectF((self.width() - side) // 2, (self.height() - side) // 2, side, side)


def is_adding(event: QMouseEvent) -> bool:
    """Tell whether a click adds to what is chosen."""
    return bool(event.modifiers() & (SHIFT | CONTROL))


def draw_small(face: BoardViewModel, widget: QWidget) -> QImage:
    """Return a small picture of a board, in the colours of a widget."""
    picture = QImage(4 * _SMALL_PX // 3, _SMALL_PX, QImage.Format.Format_RGB32)
    picture.fill(QColor(theme_of(widget).raised))
    board = QRectF(0, 0, _SMALL_PX - 24, _SMALL_PX - 24)
    board.moveCenter(QRectF(picture.rect()).center())
    with painting(picture) as painter:
        paint_board(painter, board, face, theme_of(widget))
    return picture


_SHADE: Final = (0.45, 0.8)
"""Opacity of the tint of diagonals and windows: on light paper, and on dark one."""


def paint_board(
    painter: QPainter,
    board: QRectF,
    face: BoardViewModel,
    theme: Theme,
    highlight: Highlight | None = None,
    reveal: Reveal | None = None,
    selected: frozenset[int] = frozenset(),
    cells: Collection[int] | None = None,
) -> None:
    """Draw a board into a square.

    Args:
        painter: in units in which thin lines are one wide.
        reveal: how far digits of the solution have appeared; wholly where None.
        cells: of which what stands in them is drawn; all where None.
    """
    n, highlight = face.side, highlight or Highlight()
    cells = range(n**2) if cells is None else cells
    inks = clean_inks(theme)
    side = board.width() / n
    places = [
        QTransform.fromTranslate(board.x() + cell % n * side, board.y() + cell // n * side).scale(
            side, side
        )
        for cell in range(n**2)
    ]
    paints = {
        cell: CellPainter(painter, places[cell], inks, face, highlight, cell) for cell in cells
    }
    if not face.has_gaps:
        painter.fillRect(board, QColor(theme.paper))
    for cell, paint in paints.items():
        square = places[cell].mapRect(QRectF(0, 0, 1, 1))
        if face.has_gaps and paint.face.is_cell:
            painter.fillRect(square, QColor(theme.paper))
        if paint.face.colour:
            paint.colour()
        elif cell in selected:
            painter.fillRect(square, QColor(theme.accent_soft))
        elif cell in face.marked:
            shade = QColor(theme.paper_line)
            shade.setAlphaF(_SHADE[theme is DARK])
            painter.fillRect(square, shade)
        paint.tint()
    _paint_lines(painter, board, face.regions, QColor(theme.paper_line), QColor(theme.paper_bold))
    paint_cages(painter, board, face, inks.note)
    notes = group_notes(highlight)
    for cell, paint in paints.items():
        _paint_content(paint, inks, reveal.share(cell) if reveal else 1.0, notes.get(cell))
        paint.sign()
    painter.setPen(QPen(QColor(theme.accent), 2.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for cell in selected.intersection(cells):
        painter.drawRect(places[cell].mapRect(QRectF(0, 0, 1, 1)))


def _paint_content(
    paint: CellPainter, inks: DigitInks, share: float, notes: list[Note] | None
) -> None:
    """Write what a cell holds; notes only where that is nothing else."""
    shown, put = paint.face, paint.put
    if shown.clue or (shown.entry and not paint.is_wrong):
        colour = inks.clue if shown.clue else inks.entry
        paint.write(paint.symbol(shown.clue or shown.entry), colour or inks.digit)
        if shown.is_by_hand:
            paint.hand_mark()
        return
    if shown.entry:
        paint.wrong_entry()
    if put:
        paint.write(paint.symbol(put), inks.digit)
    elif shown.solution:
        paint.solution(share)
    elif notes:
        paint.notes(notes)
    elif not shown.entry:
        paint.pencil()


def _paint_lines(
    painter: QPainter, board: QRectF, regions: tuple[int, ...], thin: QColor, bold: QColor
) -> None:
    step = board.width() / isqrt(len(regions))
    painter.save()
    painter.translate(board.topLeft())
    painter.scale(step, step)
    for lines, colour, width in zip(lines_of(regions), (thin, bold), (1.0, 2.0), strict=True):
        pen = QPen(colour, width / step)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        painter.setPen(pen)
        painter.drawLines(lines)
    painter.restore()

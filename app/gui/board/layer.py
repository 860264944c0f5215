"""What lies over a photo for one of its boards: tints, digits, marks and the chosen cell."""

from collections.abc import Collection

from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from app.board.board_values import BoardViewModel, Point, changed_cells
from app.gui.board.cell_painting import CellPainter, Reveal, group_notes
from app.gui.board.outlines import (
    ON_DARK,
    ON_PAPER,
    DigitInks,
    cosmetic_pen,
    lines_of,
    outline_board,
    scene_point,
)
from app.report.board_marks import Highlight, Note, changed_marks


class BoardLayer(QGraphicsObject):
    """Paints one board over the photo."""

    def __init__(self, face: BoardViewModel) -> None:
        super().__init__()
        self.face = face
        """What is shown."""
        self._highlight = Highlight()
        self._selected: frozenset[int] = frozenset()
        self._is_chosen = False
        self._is_alone = True
        self._are_badges_wanted = False
        self._reveal = Reveal(self)
        self._reveal.valueChanged.connect(lambda _: self.update())
        self._places, self._rects = _places(face), _rects(face)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_face(self, face: BoardViewModel, *, is_still: bool) -> None:
        """Show something else; digits that are new appear in a wave unless `is_still`."""
        changed = changed_cells(self.face, face)
        old = self.face if face.lattice == self.face.lattice else None
        if old is None:
            self.prepareGeometryChange()
            self._places, self._rects = _places(face), _rects(face)
        self.face = face
        self._reveal.begin(old, face, is_still=is_still)
        self._update_cells(changed)

    def begin_reveal(self, *, is_still: bool) -> None:
        """Let all digits that are shown appear in a wave."""
        self._reveal.begin(None, self.face, is_still=is_still)
        self.update()

    def set_chosen(self, is_chosen: bool, is_alone: bool) -> None:
        """Say whether this is the board that is looked at, and whether it is the only one."""
        if (is_chosen, is_alone) != (self._is_chosen, self._is_alone):
            self._is_chosen, self._is_alone = is_chosen, is_alone
            self.update()

    def set_selected(self, cells: frozenset[int]) -> None:
        """Mark the cells that are chosen for typing."""
        old, self._selected = self._selected, cells
        self._update_cells(tuple(old ^ cells))

    def set_highlight(self, highlight: Highlight | None) -> None:
        """Mark what a hint speaks of."""
        old, self._highlight = self._highlight, highlight or Highlight()
        self._update_cells(changed_marks(old, self._highlight))

    def set_badges(self, are_wanted: bool) -> None:
        """Say in every cell what was read there, not in the doubtful ones only."""
        if are_wanted != self._are_badges_wanted:
            self._are_badges_wanted = are_wanted
            self.update()

    def cell_at(self, point: QPointF) -> int | None:
        """Return the cell at a point of the scene, or None beside the board."""
        for cell, shown in enumerate(self.face.cells):
            outline = self.cell_polygon(cell)
            if shown.is_cell and outline.containsPoint(point, Qt.FillRule.WindingFill):
                return cell
        return None

    def cell_polygon(self, cell: int) -> QPolygonF:
        """Return a cell's outline in the scene."""
        return _polygon(self.face.quad(cell))

    def boundingRect(self) -> QRectF:
        """Return the rectangle around the board and its outline."""
        box = self._outline().boundingRect()
        return box.marginsAdded(QMarginsF(*[box.width() / 20] * 4))

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint what lies over the photo."""
        inks = ON_DARK if self.face.is_dark else ON_PAPER
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_outline(painter, inks)
        # Mostly one cell has changed.
        exposed = option.exposedRect
        cells = [cell for cell, rect in enumerate(self._rects) if rect.intersects(exposed)]
        paints = {
            cell: CellPainter(painter, self._places[cell], inks, self.face, self._highlight, cell)
            for cell in cells
        }
        for paint in paints.values():
            if paint.face.is_covered:
                paint.cover()
            paint.colour()
            paint.tint()
        notes = group_notes(self._highlight)
        for cell, paint in paints.items():
            self._paint_content(paint, inks, cell, notes.get(cell))
            face = paint.face
            is_telling = face.doubt is not None or face.is_by_hand
            is_read = self._are_badges_wanted and (face.clue or face.entry)
            if paint.is_wrong:
                paint.wrong_entry()
            elif (is_telling or is_read) and not face.is_written:
                paint.badge()
            paint.sign()
        for cell in self._selected:
            self._paint_selection(painter, inks, cell)

    def _paint_content(
        self, paint: CellPainter, inks: DigitInks, cell: int, notes: list[Note] | None
    ) -> None:
        face = paint.face
        if paint.put:
            paint.write(paint.symbol(paint.put), inks.digit, inks.halo)
        elif face.solution:
            paint.solution(self._reveal.share(cell))
        elif face.is_written:
            paint.write(paint.symbol(face.entry), inks.written, inks.halo)
        if paint.put or face.solution:
            return
        if notes:
            paint.notes(notes)
        elif not (face.clue or face.entry or face.is_noted):
            paint.pencil()

    def _update_cells(self, cells: Collection[int] | None) -> None:
        if cells is None:
            self.update()
        for cell in cells or ():
            if cell < len(self._rects):  # marks of a larger board may go with it
                self.update(self._rects[cell])

    def _paint_outline(self, painter: QPainter, inks: DigitInks) -> None:
        if self._is_alone and self.face.is_solved:
            return
        outline = self._outline()
        colour = QColor(inks.digit if self.face.is_solved else QColor(217, 138, 0))
        if not self._is_chosen:
            colour.setAlpha(130)
        pen = cosmetic_pen(colour, 3.0 if self._is_chosen else 2.0)
        if not self._is_chosen:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.strokePath(outline, pen)

    def _paint_selection(self, painter: QPainter, inks: DigitInks, cell: int) -> None:
        path = QPainterPath()
        path.addPolygon(self.cell_polygon(cell))
        path.closeSubpath()
        for colour, width in ((QColor(255, 255, 255, 220), 5.5), (QColor(inks.digit), 3.0)):
            painter.strokePath(path, cosmetic_pen(colour, width))

    def _outline(self) -> QPainterPath:
        path, lattice = QPainterPath(), self.face.lattice
        if not self.face.has_gaps:
            return outline_board(lattice)
        # Around all cells of a samurai, whose corners hold none.
        is_cell = tuple(0 if one.is_cell else -1 for one in self.face.cells)
        for line in lines_of(is_cell)[1]:
            ends = (lattice[int(end.y())][int(end.x())] for end in (line.p1(), line.p2()))
            path.addPolygon(_polygon(list(ends)))
        return path


def _polygon(points: tuple[Point, ...] | list[Point]) -> QPolygonF:
    return QPolygonF([scene_point(x, y) for x, y in points])


def _rects(face: BoardViewModel) -> list[QRectF]:
    """Return a rectangle around each cell, with the lines around it."""
    boxes = [_polygon(face.quad(cell)).boundingRect() for cell in range(len(face.cells))]
    return [box.marginsAdded(QMarginsF(*[box.width() / 6] * 4)) for box in boxes]


def _places(face: BoardViewModel) -> list[QTransform]:
    quads = (_polygon(face.quad(cell)) for cell in range(len(face.cells)))
    # A cell without an area, as between corners dragged onto one line, shows nothing.
    return [
        place if isinstance(place, QTransform) else QTransform().scale(0, 0)
        for place in map(QTransform.squareToQuad, quads)
    ]

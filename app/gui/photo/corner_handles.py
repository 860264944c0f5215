"""The four corners of a board, to be dragged where the pipeline missed it.

An action of the window turns them on and off.
"""

from collections.abc import Callable, Sequence
from math import isqrt
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsObject,
    QGraphicsScene,
    QGraphicsSceneMouseEvent,
    QStyleOptionGraphicsItem,
    QWidget,
)

from app.board.board_values import Point
from app.gui.board.keys import SHIFT, STEPS
from app.gui.board.outlines import PIXEL_CENTRE, cosmetic_pen, scene_point
from app.gui.window.status_line import Severity, StatusMessage

if TYPE_CHECKING:
    from app.board.board_state import BoardState
    from app.gui.session.document import Document
    from app.gui.window.main_window import Window

_RADIUS_PX: Final = 9.0
_GRIP_PX: Final = 22.0
"""How near the pointer must come, for fingers too."""

_PAUSE_MS: Final = 350
"""After the last key before the board is read, as after the end of a drag."""


class CornerHandles(QObject):
    """Four handles over a photo, and the lines of the board between them.

    Signals:
        placed: the corners after a drag or keys, a list of four points clockwise, in pixels of
            the photo with pixel centres at integers.
        moved: the corner that moves now, in the scene.
        rested: no corner moves any more.
    """

    placed = Signal(object)
    moved = Signal(QPointF)
    rested = Signal()

    def __init__(
        self, scene: QGraphicsScene, corners: Sequence[Point] | None, bounds: QRectF, side: int = 9
    ) -> None:
        """Put handles at the corners of a board, clockwise; `bounds` is where they may go."""
        super().__init__()
        self._bounds = bounds
        self._grid = _Grid(side)
        scene.addItem(self._grid)
        self._handles = [_Handle(self) for _ in range(4)]
        for number, handle in enumerate(self._handles, 1):
            handle.setToolTip(
                self.tr("Corner {}: drag it, or move it by the arrow keys").format(number)
            )
            scene.addItem(handle)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.rest)
        self.put(corners)

    @property
    def corners(self) -> list[Point]:
        """Where the corners are, in pixels of the photo."""
        return [(one.x() - PIXEL_CENTRE, one.y() - PIXEL_CENTRE) for one in self._handles]

    def put(self, corners: Sequence[Point] | None) -> None:
        """Put the handles at other corners, clockwise, or in the middle; that places nothing."""
        self._pause.stop()
        corners = corners or middle_square(self._bounds)
        for handle, corner in zip(self._handles, corners, strict=True):
            handle.setPos(scene_point(*corner))
        self._draw()

    def finish(self) -> None:
        """Place at once what was moved by keys, without the pause after the last of them."""
        if self._pause.isActive():
            self._pause.stop()
            self.rest()

    def remove(self) -> None:
        """Take the handles away."""
        self._pause.stop()
        for item in (*self._handles, self._grid):
            scene = item.scene()
            if scene is not None:
                scene.removeItem(item)
            # Not at once: one of them may be telling that it was moved.
            item.deleteLater()

    def focus_next(self, *, is_forward: bool) -> bool:
        """Give the keys to the next corner; return False after the last."""
        order = self._handles if is_forward else self._handles[::-1]
        focused = [number for number, handle in enumerate(order) if handle.hasFocus()]
        following = focused[0] + 1 if focused else 0
        if following == len(order):
            order[-1].clearFocus()
            return False
        order[following].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def move(self, handle: "_Handle", place: QPointF) -> None:
        """Move a corner, as far as the board between all of them is not folded."""
        place.setX(min(max(place.x(), self._bounds.left()), self._bounds.right()))
        place.setY(min(max(place.y(), self._bounds.top()), self._bounds.bottom()))
        before = handle.pos()
        handle.setPos(place)
        if not _is_convex([one.pos() for one in self._handles]):
            handle.setPos(before)
        self._draw()
        self.moved.emit(handle.pos())

    def nudge(self, handle: "_Handle", step: QPointF) -> None:
        """Move a corner by keys, which rests a moment after the last of them."""
        self.move(handle, handle.pos() + step)
        self._pause.start()

    def rest(self) -> None:
        """Tell where the corners are, of which none moves any more."""
        self.rested.emit()
        self.placed.emit(self.corners)

    def _draw(self) -> None:
        self._grid.show_quad(QPolygonF([handle.pos() for handle in self._handles]))


class _Handle(QGraphicsObject):
    """One corner, as large on the screen at any zoom."""

    def __init__(self, corners: CornerHandles) -> None:
        super().__init__()
        self._corners = corners
        self._grip = QPointF()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsFocusable)
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.setAcceptHoverEvents(True)
        self.setZValue(20)

    def boundingRect(self) -> QRectF:
        return QRectF(-_GRIP_PX, -_GRIP_PX, 2 * _GRIP_PX, 2 * _GRIP_PX)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.addEllipse(self.boundingRect())
        return path

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent = QColor(10, 125, 70)
        painter.setPen(QPen(QColor(255, 255, 255), 5.5 if self.hasFocus() else 4.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(), _RADIUS_PX, _RADIUS_PX)
        painter.setPen(QPen(accent, 3.5 if self.hasFocus() else 2.5))
        painter.setBrush(QColor(255, 255, 255, 90))
        painter.drawEllipse(QPointF(), _RADIUS_PX, _RADIUS_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(QPointF(), 2.0, 2.0)

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        self._grip = self.pos() - event.scenePos()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._corners.move(self, self.pos())
        event.accept()

    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        self._corners.move(self, event.scenePos() + self._grip)

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        self._corners.rest()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        down, right = STEPS.get(Qt.Key(event.key()), (0, 0))
        far = 10 if event.modifiers() & SHIFT else 1
        event.setAccepted(bool(down or right))
        if event.isAccepted():
            self._corners.nudge(self, QPointF(right, down) * far)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()


class _Grid(QGraphicsObject):
    """The lines of a flat board between four corners.

    `lines` has where each lies, 0..1, and whether it is one around boxes.
    """

    def __init__(self, side: int) -> None:
        super().__init__()
        self._quad = QPolygonF()
        # Boxes that are no squares may lie either way.
        box = isqrt(side) if isqrt(side) ** 2 == side else side
        self.lines = tuple((line / side, line % box == 0) for line in range(side + 1))
        self.setZValue(19)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_quad(self, quad: QPolygonF) -> None:
        self.prepareGeometryChange()
        self._quad = quad
        self.update()

    def boundingRect(self) -> QRectF:
        return self._quad.boundingRect().adjusted(-4, -4, 4, 4)

    def shape(self) -> QPainterPath:
        return QPainterPath()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        place = QTransform.squareToQuad(self._quad)
        if not isinstance(place, QTransform):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, is_bold in self.lines:
            colour = QColor(10, 125, 70, 230 if is_bold else 120)
            painter.setPen(cosmetic_pen(colour, 1.8 if is_bold else 1.0))
            painter.drawLine(place.map(QLineF(at, 0, at, 1)))
            painter.drawLine(place.map(QLineF(0, at, 1, at)))


def _is_convex(corners: Sequence[QPointF]) -> bool:
    """Tell whether four corners, in order, make a board that is not folded."""
    turns = []
    for number in range(4):
        one, two, three = (corners[(number + step) % 4] for step in range(3))
        first, second = two - one, three - two
        turns.append(first.x() * second.y() - first.y() * second.x())
    return all(turn > 1 for turn in turns) or all(turn < -1 for turn in turns)


def middle_square(rect: QRectF) -> list[Point]:
    """Return the corners of a square in the middle of a photo."""
    half = 0.32 * min(rect.width(), rect.height())
    x, y = rect.center().x(), rect.center().y()
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


DONE: Final = "done"
"""What the button of the status line asks for."""


class CornerPlacement(QObject):
    """Turns on and off, by its action, that corners can be dragged."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window, self._photo = window, window.photo
        self._switch = window.actions_of_window.place
        self._switch.toggled.connect(self._turn)
        self._has_placed = False
        self._left: tuple[Document, int] | None = None
        """The board that was looked at before another one was to be placed."""
        self._photo.corners_placed.connect(self._put_corners)

    @property
    def is_on(self) -> bool:
        """Whether corners can be dragged."""
        return self._photo.is_placing

    def _turn(self, is_wanted: bool) -> None:
        """Show the handles, at the chosen board or where one might be, or take them away."""
        document = self._window.document
        self._window.editor.select(None)
        self._has_placed = False
        if is_wanted and document is not None and document.image is not None:
            side = 9 if document.board is None else document.board.side
            self._photo.begin_placing(_first_corners(document), side)
            self._photo.setFocus()
        else:
            self._photo.end_placing()
            self._look_back()
        self._window.presenter.refresh()

    def begin_another(self) -> None:
        """Place a board beside those that are known."""
        from app.board.board_edits import choose_none

        self._switch.setChecked(False)
        document = self._window.document
        if document is not None and document.state.chosen is not None:
            self._left = document, document.state.chosen
        self._window.opened.look(choose_none)
        self._switch.setChecked(True)

    def _look_back(self) -> None:
        """Look at the board from before where no other one was placed after all."""
        from app.board.board_edits import choose_board

        left, self._left = self._left, None
        if left is not None and left[0].state.chosen is None:
            self._window.opened.look(lambda state: choose_board(state, left[1]), left[0])

    def end(self) -> None:
        """Take the handles away."""
        self._switch.setChecked(False)

    def end_if_solved(self, document: "Document") -> None:
        """Take the handles away once the board that was placed by them is solved."""
        board = document.board
        if not self.is_on or board is None or board.solution is None:
            return
        # One that was solved before may be moved all the same.
        if self._has_placed and _is_at(board, self._photo.placed_corners()):
            self._photo.end_placing()
            with QSignalBlocker(self._switch):
                self._switch.setChecked(False)

    def walk(self, step: Callable[[], None]) -> None:
        """Undo or redo by `step`, and take the handles along."""
        if self._photo.handles is not None:
            self._photo.handles.finish()
        step()
        document = self._window.document
        if self._photo.handles is not None and document is not None:
            self._has_placed = False
            self._photo.handles.put(_first_corners(document))

    def status(self, found: str) -> StatusMessage:
        """Return what to say meanwhile; `found` is what came of the corners so far."""
        headline = self.tr("Drag the four corners onto the corners of the board")
        return StatusMessage(Severity.IDLE, headline, found, self.tr("Done"), DONE)

    def _put_corners(self, corners: Sequence[Point]) -> None:
        import numpy as np

        from app.board.board_edits import move_corners

        points = np.array(corners, np.float32)
        self._has_placed = True
        self._window.opened.act(lambda state: move_corners(state, points))


def _first_corners(document: "Document") -> list[Point] | None:
    board, result = document.board, document.result
    if board is not None:
        return [(x, y) for x, y in board.board.corners.tolist()]
    if document.state.boards or result is None or not result.candidates:
        return None
    return [(x, y) for x, y in result.candidates[0].corners.tolist()]


def _is_at(board: "BoardState", corners: Sequence[Point]) -> bool:
    """Tell whether a board lies between these corners, wherever its top left is."""
    own = {(round(x), round(y)) for x, y in board.board.corners.tolist()}
    return own == {(round(x), round(y)) for x, y in corners}

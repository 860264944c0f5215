"""The photo, large, with its boards over it: zoom, pan, and the cells under the pointer."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QFrame, QGraphicsScene, QGraphicsView, QLabel

from app.board.board_values import BoardViewModel, Point
from app.gui.board.clean_board import is_adding
from app.gui.board.layer import BoardLayer
from app.gui.photo.corner_handles import CornerHandles
from app.gui.photo.zoom import Fit, Loupe, PhotoItem, Zoom
from app.gui.widgets import put_words
from app.report.board_marks import Highlight


class PhotoView(QGraphicsView):
    """Shows a photo with its boards.

    Signals:
        cell_clicked: number of the board and the cell under the pointer.
        cell_added: a cell of the chosen board, with Shift or Ctrl, where many can be chosen.
        cell_reached: the cell of that board to which the pointer was dragged.
        nothing_clicked: beside every board.
        corners_placed: four points, clockwise, after a corner was moved.
    """

    cell_clicked = Signal(int, int)
    cell_added = Signal(int)
    cell_reached = Signal(int)
    nothing_clicked = Signal()
    corners_placed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self._photo: PhotoItem | None = None
        self.layers: list[BoardLayer] = []
        """What lies over the boards, in their order."""
        self._chosen: int | None = None
        self.cell: int | None = None
        """The cell that is chosen for typing."""
        self._highlight: Highlight | None = None
        self.zoom = Zoom(self)
        self._pressed: QPoint | None = None
        self._is_panning = False
        self._dragged: int | None = None
        self.is_choosing = False  # whether a drag over the chosen board chooses its cells
        self.handles: CornerHandles | None = None
        """The corners that can be dragged."""
        self._loupe = Loupe(self.viewport())
        centre = Qt.AlignmentFlag.AlignCenter
        # What is the viewport's would move with the photo.
        self._instead = QLabel(self, wordWrap=True, alignment=centre, margin=24)
        self._instead.hide()
        self.is_still = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Photos are dropped onto the window, which a view would keep from it.
        self.setAcceptDrops(False)
        self.viewport().setAcceptDrops(False)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)
        put_words(self, name=lambda: self.tr("Photo"))

    @property
    def picture(self) -> QImage | None:
        """The photo that is shown."""
        return None if self._photo is None else self._photo.picture

    def show_picture(self, picture: QImage | None) -> None:
        """Show another photo, without boards, or none; the zoom stays where the size does."""
        old = self.picture
        self.end_placing()
        self._drop_layers()
        if self._photo is not None:
            self._scene.removeItem(self._photo)
        self._photo, self._chosen = None, None
        self.zoom.photo = QRectF() if picture is None else QRectF(picture.rect())
        if picture is None:
            return
        self._photo = PhotoItem(picture)
        self._scene.addItem(self._photo)
        room = max(picture.width(), picture.height())
        self._scene.setSceneRect(QRectF(picture.rect()).adjusted(-room, -room, room, room))
        if old is None or old.size() != picture.size():
            self.fit()

    @property
    def is_lost(self) -> bool:
        """Whether words stand in the place of a photo."""
        return not self._instead.isHidden()

    def say_instead(self, text: str) -> None:
        """Say in the photo's place why it cannot be shown; "" where it can."""
        self._instead.setText(text)
        self._instead.setGeometry(self.viewport().geometry())
        self._instead.setVisible(bool(text))

    def show_boards(
        self, faces: Sequence[BoardViewModel], chosen: int | None, *, is_new: bool
    ) -> None:
        """Show the boards of the photo; if not `is_new`, they are those from before, changed."""
        if is_new or len(faces) != len(self.layers):
            self._drop_layers()
            self.layers = [BoardLayer(face) for face in faces]
            for layer in self.layers:
                self._scene.addItem(layer)
                layer.begin_reveal(is_still=self.is_still)
        else:
            for layer, face in zip(self.layers, faces, strict=True):
                if face != layer.face:
                    layer.show_face(face, is_still=self.is_still)
        self._chosen = chosen
        for number, layer in enumerate(self.layers):
            layer.set_chosen(number == chosen, len(self.layers) == 1)
        self.set_highlight(self._highlight)

    def set_selected(self, cell: int | None, cells: frozenset[int]) -> None:
        """Mark the cell of the chosen board that is chosen for typing, and all chosen with it."""
        self.cell = cell
        for number, layer in enumerate(self.layers):
            layer.set_selected(cells if number == self._chosen else frozenset())

    def set_highlight(self, highlight: Highlight | None) -> None:
        """Mark what a hint speaks of on the chosen board, and on each that is chosen after it."""
        self._highlight = highlight
        for number, layer in enumerate(self.layers):
            layer.set_highlight(highlight if number == self._chosen else None)

    def set_badges(self, are_wanted: bool) -> None:
        """Say what was read in every cell."""
        for layer in self.layers:
            layer.set_badges(are_wanted)

    @property
    def is_placing(self) -> bool:
        """Whether corners can be dragged."""
        return self.handles is not None

    def placed_corners(self) -> list[Point]:
        """Return where the handles are, none where there are none."""
        return [] if self.handles is None else self.handles.corners

    def begin_placing(self, corners: Sequence[Point] | None, side: int = 9) -> None:
        """Let four corners be dragged, clockwise; from the photo's middle where None."""
        self.end_placing()
        if self._photo is None:
            return
        handles = CornerHandles(self._scene, corners, self._photo.boundingRect(), side)
        handles.placed.connect(self.corners_placed)
        handles.moved.connect(self._show_loupe)
        handles.rested.connect(self._loupe.hide)
        self.handles = handles

    def end_placing(self) -> None:
        """Take the handles away."""
        self._loupe.hide()
        if self.handles is not None:
            self.handles.remove()
            self.handles.deleteLater()
            self.handles = None

    def fit(self) -> None:
        """Show the whole photo, and keep it so when the window changes."""
        photo = QRectF() if self._photo is None else self._photo.boundingRect()
        self.zoom.fit_rect(photo, Fit.WHOLE)

    def fit_board(self) -> None:
        """Show the chosen board as large as it goes."""
        if self._chosen is not None and self.layers:
            self.zoom.fit_rect(self.layers[self._chosen].boundingRect(), Fit.BOARD)

    def cell_rect(self, cell: int) -> QRectF:
        """Return where a cell of the chosen board lies in the viewport."""
        if self._chosen is None:
            return QRectF()
        outline = self.layers[self._chosen].cell_polygon(cell)
        return QRectF(self.mapFromScene(outline).boundingRect())

    @property
    def face(self) -> BoardViewModel | None:
        """What the chosen board shows, and is told to screen readers."""
        return None if self._chosen is None else self.layers[self._chosen].face

    def cell_under(self, place: QPoint) -> tuple[int, int] | None:
        """Return the board and the cell at a place of the viewport, or None."""
        point = self.mapToScene(place)
        order = sorted(range(len(self.layers)), key=lambda number: number != self._chosen)
        for number in order:
            cell = self.layers[number].cell_at(point)
            if cell is not None:
                return number, cell
        return None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom by a wheel; pan by two fingers on a pad."""
        self.zoom.turn_wheel(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Zoom by pinching, on pads and on touch screens."""
        if not self.zoom.take_gesture(event):
            return super().viewportEvent(event)
        # Qt makes a mouse of the first finger, which would pan and click meanwhile.
        self._pressed, self._is_panning, self._dragged = None, False, None
        self.viewport().unsetCursor()
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a pan, or choose cells of a board that is being played."""
        super().mousePressEvent(event)
        if self._begin_choosing(event):
            return
        buttons = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
        if event.button() in buttons and self._scene.mouseGrabberItem() is None:
            self._pressed = event.position().toPoint()
            self._is_panning = event.button() == Qt.MouseButton.MiddleButton

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan once the pointer has moved far enough to be no click."""
        super().mouseMoveEvent(event)
        if self._dragged is not None:
            found = self.cell_under(event.position().toPoint())
            if found is not None and found[0] == self._chosen and found[1] != self._dragged:
                self._dragged = found[1]
                self.cell_reached.emit(found[1])
        if self._pressed is None:
            return
        place = event.position().toPoint()
        moved = place - self._pressed
        if self._is_panning or moved.manhattanLength() >= QApplication.startDragDistance():
            self._is_panning = True
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self.zoom.pan(moved)
            self._pressed = place

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a pan, or tell what was clicked."""
        super().mouseReleaseEvent(event)
        self._dragged = None
        if self._pressed is None:
            return
        is_click = not self._is_panning
        self._pressed, self._is_panning = None, False
        self.viewport().unsetCursor()
        found = self.cell_under(event.position().toPoint()) if is_click else None
        if found is not None:
            self.cell_clicked.emit(*found)
        elif is_click:
            self.nothing_clicked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Come near to the board, or show the whole photo again; in play it is one more click."""
        if self._begin_choosing(event):
            return
        if self.zoom.fit is Fit.WHOLE and self.cell_under(event.position().toPoint()) is not None:
            self.fit_board()
        elif self._scene.itemAt(self.mapToScene(event.position().toPoint()), self.transform()):
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hand keys on: they are the board's, or the item's that has the focus."""
        if self._scene.focusItem() is not None:
            super().keyPressEvent(event)
            if event.isAccepted():
                return
        event.ignore()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Walk over the corners by Tab while they can be moved."""
        if self.handles is not None and self.handles.focus_next(is_forward=next):
            return True
        return super().focusNextPrevChild(next)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep fitted what was, and else the middle where it is."""
        super().resizeEvent(event)
        self._instead.setGeometry(self.viewport().geometry())
        if self.zoom.fit is Fit.WHOLE:
            self.fit()
        elif self.zoom.fit is Fit.BOARD:
            self.fit_board()

    def _begin_choosing(self, event: QMouseEvent) -> bool:
        if not self.is_choosing or event.button() != Qt.MouseButton.LeftButton or self.is_placing:
            return False
        found = self.cell_under(event.position().toPoint())
        if found is None or found[0] != self._chosen:
            return False
        self._dragged = found[1]
        if is_adding(event):
            self.cell_added.emit(found[1])
        else:
            self.cell_clicked.emit(*found)
        return True

    def _drop_layers(self) -> None:
        for layer in self.layers:
            self._scene.removeItem(layer)
            layer.deleteLater()
        self.layers = []

    def _show_loupe(self, place: QPointF) -> None:
        if self._photo is not None:
            scale = self.transform().m11()
            self._loupe.look_at(self._photo.picture, place, self.mapFromScene(place), scale)

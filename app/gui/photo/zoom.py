"""How large a photo is shown, and which part: fitted, or moved by wheel, keys and fingers; and the
photo itself, a pyramid of halved pictures, sharp and fast far away as well as near; and a loupe.
"""

import enum
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QNativeGestureEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QGestureEvent,
    QGraphicsItem,
    QGraphicsView,
    QPinchGesture,
    QStyleOptionGraphicsItem,
    QWidget,
)

from app.gui.widgets import painting, put_words

_MARGIN: Final = 0.03
"""Room left around what is fitted, of the view."""

_STEP: Final = 1.25
_MOST: Final = 24.0
_MOST_WHOLE: Final = 4.0
"""Of a photo that is shown whole; small ones stay small."""

_LEAST_SIDE_PX: Final = 300


class Fit(enum.Enum):
    """What stays fitted into the view when the window changes."""

    WHOLE = enum.auto()
    BOARD = enum.auto()
    NONE = enum.auto()


class Zoom(QObject):
    """Scales and moves what a view shows, and signals that; `fit` is none after that."""

    changed = Signal()

    def __init__(self, view: QGraphicsView) -> None:
        super().__init__(view)
        self._view = view
        self.photo = QRectF()
        """Where the photo lies in the scene; without an area, there is none."""
        self.fit = Fit.WHOLE

    def take_gesture(self, event: QEvent) -> bool:
        """Zoom by pinching on a pad or a touch screen; return whether the event is that."""
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.scale_by(1 + event.value(), event.position().toPoint())
                return True
        elif isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                self.pinch(pinch)
                return True
        return False

    def fit_rect(self, rect: QRectF, fit: Fit) -> None:
        """Show a part of the scene as large as it goes, and say what it is."""
        self.fit = fit
        room = self._view.viewport().rect()
        if room.isEmpty() or rect.isEmpty():
            return
        share = 1 - 2 * _MARGIN
        scale = min(room.width() * share / rect.width(), room.height() * share / rect.height())
        scale = min(scale, _MOST_WHOLE if fit is Fit.WHOLE else _MOST)
        self._view.resetTransform()
        self._view.scale(scale, scale)
        self._view.centerOn(rect.center())
        self.changed.emit()

    def come_nearer(self, steps: float = 1.0) -> None:
        """Zoom in about the middle; out by a negative number of steps."""
        self.scale_by(_STEP**steps, self._view.viewport().rect().center())

    def show_pixels(self) -> None:
        """Show each pixel of the photo as one of the screen."""
        scale = self._view.transform().m11() * self._view.devicePixelRatioF()
        self.scale_by(1 / scale, self._view.viewport().rect().center())

    def scale_by(self, factor: float, place: QPoint) -> None:
        """Zoom by a factor, so that what lies at a place of the viewport stays there."""
        if self.photo.isEmpty() or factor <= 0:
            return
        view = self._view
        now = view.transform().m11()
        across, down = view.width() / self.photo.width(), view.height() / self.photo.height()
        least = 0.5 * min(across, down)
        factor = min(max(now * factor, min(least, now)), max(_MOST, now)) / now
        before = view.mapToScene(place)
        self.fit = Fit.NONE
        view.scale(factor, factor)
        moved = (view.mapToScene(place) - before) * view.transform().m11()
        self.pan(QPoint(round(moved.x()), round(moved.y())))

    def turn_wheel(self, event: QWheelEvent) -> None:
        """Zoom by a wheel; pan by two fingers on a pad."""
        is_pad = event.phase() != Qt.ScrollPhase.NoScrollPhase
        if is_pad and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            moved = event.pixelDelta()
            self.pan(event.angleDelta() / 2 if moved.isNull() else moved)
        else:
            turn = event.angleDelta().y() or event.angleDelta().x()
            self.scale_by(_STEP ** (turn / 120), event.position().toPoint())
        event.accept()

    def pinch(self, pinch: QPinchGesture) -> None:
        """Zoom and move with two fingers on a screen."""
        viewport = self._view.viewport()
        centre = viewport.mapFromGlobal(pinch.centerPoint())
        if pinch.state() != Qt.GestureState.GestureStarted:
            self.pan((centre - viewport.mapFromGlobal(pinch.lastCenterPoint())).toPoint())
        self.scale_by(pinch.scaleFactor(), centre.toPoint())

    def pan(self, moved: QPoint) -> None:
        """Move the photo by pixels of the viewport."""
        self.fit = Fit.NONE
        across, down = self._view.horizontalScrollBar(), self._view.verticalScrollBar()
        across.setValue(across.value() - moved.x())
        down.setValue(down.value() - moved.y())
        self.changed.emit()


class PhotoItem(QGraphicsItem):
    """Shows a picture; one unit of the scene is one of its pixels."""

    def __init__(self, picture: QImage) -> None:
        super().__init__()
        self._levels = [picture]

    @property
    def picture(self) -> QImage:
        """The picture in full."""
        return self._levels[0]

    def boundingRect(self) -> QRectF:
        """Return the photo's rectangle."""
        return QRectF(self.picture.rect())

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint the exposed part from the smallest picture that is fine enough."""
        device = painter.device()
        ratio = device.devicePixelRatioF() if device is not None else 1.0
        scale = option.levelOfDetailFromTransform(painter.worldTransform()) * ratio
        level, picture = 0, self.picture
        while scale < 0.5 and min(picture.width(), picture.height()) > _LEAST_SIDE_PX:
            level, scale = level + 1, scale * 2
            picture = self._level(level)
        exposed = option.exposedRect.intersected(self.boundingRect())
        across = picture.width() / self.picture.width()
        down = picture.height() / self.picture.height()
        source = QTransform.fromScale(across, down).mapRect(exposed)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale < 3)
        painter.drawImage(exposed, picture, source)

    def _level(self, level: int) -> QImage:
        while len(self._levels) <= level:
            last = self._levels[-1]
            half = QSizeF(last.width() / 2, last.height() / 2).toSize()
            smooth = Qt.TransformationMode.SmoothTransformation
            self._levels.append(last.scaled(half, Qt.AspectRatioMode.IgnoreAspectRatio, smooth))
        return self._levels[level]


_LOUPE_PX: Final = 168
_LOUPE_ZOOM: Final = 3.0


class Loupe(QWidget):
    """Shows the surroundings of a corner magnified, away from the finger that hides it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self._picture = QImage()
        self._place = QPointF()
        self._scale = _LOUPE_ZOOM
        self.setFixedSize(_LOUPE_PX, _LOUPE_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        put_words(self, name=lambda: self.tr("Loupe"))
        self.hide()

    def look_at(self, picture: QImage, place: QPointF, shown: QPoint, scale: float) -> None:
        """Magnify a place of the photo.

        Args:
            place: in its pixels.
            shown: where that is in the parent.
            scale: how large the photo is shown: screen pixels a pixel.
        """
        self._picture, self._place = picture, place
        self._scale = max(scale * _LOUPE_ZOOM, 1.5)
        parent, gap = self._room, 16
        is_left = shown.x() > parent.width() / 2
        self.move(gap if is_left else parent.width() - self.width() - gap, gap)
        if QRectF(self.geometry()).adjusted(-30, -30, 30, 30).contains(QPointF(shown)):
            self.move(self.x(), parent.height() - self.height() - gap)
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the magnified place and a cross."""
        with painting(self) as painter:
            frame = QPainterPath()
            frame.addEllipse(QRectF(self.rect()).adjusted(2, 2, -2, -2))
            painter.setClipPath(frame)
            painter.fillRect(self.rect(), QColor(40, 42, 46))
            side = self.width() / self._scale
            source = QRectF(self._place.x() - side / 2, self._place.y() - side / 2, side, side)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(self.rect()), self._picture, source)
            painter.setClipping(False)
            middle, reach = self.width() / 2, self.width() / 2 - 12
            for colour, width in ((QColor(255, 255, 255, 200), 3.0), (QColor(10, 125, 70), 1.4)):
                painter.setPen(QPen(colour, width))
                for along in (QPointF(1, 0), QPointF(0, 1)):
                    centre = QPointF(middle, middle)
                    painter.drawLine(centre - along * reach, centre - along * 5)
                    painter.drawLine(centre + along * 5, centre + along * reach)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for colour, width in ((QColor(255, 255, 255), 4.0), (QColor(10, 125, 70), 2.0)):
                painter.setPen(QPen(colour, width))
                painter.drawPath(frame)

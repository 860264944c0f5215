"""The loupe that shows what the finger hides while a corner is dragged."""

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

_SIDE_PX: Final = 168
_ZOOM: Final = 3.0


class Loupe(QWidget):
    """Shows the surroundings of a corner magnified, away from the finger that hides it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self._picture = QImage()
        self._place = QPointF()
        self._scale = _ZOOM
        self.setFixedSize(_SIDE_PX, _SIDE_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._retranslate()
        self.hide()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Loupe"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def look_at(self, picture: QImage, place: QPointF, shown: QPoint, scale: float) -> None:
        """Magnify a place of the photo.

        Args:
            picture: the photo.
            place: in its pixels.
            shown: where that is in the parent.
            scale: how large the photo is shown: screen pixels a pixel.
        """
        self._picture, self._place = picture, place
        self._scale = max(scale * _ZOOM, 1.5)
        parent, gap = self._room, 16
        is_left = shown.x() > parent.width() / 2
        self.move(gap if is_left else parent.width() - self.width() - gap, gap)
        if QRectF(self.geometry()).adjusted(-30, -30, 30, 30).contains(QPointF(shown)):
            self.move(self.x(), parent.height() - self.height() - gap)
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the magnified place and a cross."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
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
        painter.setPen(QPen(QColor(255, 255, 255), 4))
        painter.drawPath(frame)
        painter.setPen(QPen(QColor(10, 125, 70), 2))
        painter.drawPath(frame)
        painter.end()

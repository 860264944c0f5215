"""A list to choose from that opens by a plain arrow, without the raised button of old."""

from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QComboBox, QWidget

from app.gui.style.theme import theme_of

_ARROW_PX: Final = 15
"""From the edge to the middle of the arrow."""


class ListBox(QComboBox):
    """A list of which one is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The style's own arrow is drawn with a frame as soon as a style sheet touches the list.
        self.setStyleSheet("QComboBox::drop-down { border: none; width: 26px; }")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the list, and its arrow."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_right = self.layoutDirection() == Qt.LayoutDirection.LeftToRight
        x = self.width() - _ARROW_PX if is_right else _ARROW_PX
        painter.setPen(QPen(QColor(theme_of(self).muted), 1.6))
        arrow = QPolygonF([QPointF(-4, -2), QPointF(0, 2), QPointF(4, -2)])
        painter.drawPolyline(arrow.translated(QPointF(x, self.height() / 2)))
        painter.end()

"""A box to tick that is seen in every theme; the style's own is lost on black."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton

from app.gui.style.theme import theme_of


class TickBox(QCheckBox):
    """Is on or off; its frame is the style sheet's, its tick is drawn here."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box, and its tick."""
        super().paintEvent(event)
        if not self.isChecked():
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_CheckBoxIndicator
        box = self.style().subElementRect(part, option, self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme_of(self).on_accent), 2))
        x, y, side = box.x(), box.y(), box.width()
        places = (0.24, 0.54), (0.43, 0.73), (0.78, 0.3)
        painter.drawPolyline(QPolygonF([QPointF(x + a * side, y + b * side) for a, b in places]))
        painter.end()

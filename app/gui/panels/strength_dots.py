"""Three dots that say how much a hint has given away."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.gui.style.theme import theme_of


class StrengthDots(QWidget):
    """As many dots are filled as the hint is strong."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def set_depth(self, depth: int) -> None:
        """Fill so many dots."""
        self._depth = depth
        self.setAccessibleName(self.tr("Strength of the hint: {0} of 3").format(depth))
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for three dots."""
        return QSize(48, 16)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the dots."""
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for number in range(3):
            painter.setBrush(QColor(theme.accent if number < self._depth else theme.line))
            painter.drawEllipse(2 + 15 * number, self.height() // 2 - 4, 8, 8)
        painter.end()

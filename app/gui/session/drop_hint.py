"""What is seen while photos are dragged over the window: that they may be let go."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.gui.style.theme import theme_of


class DropHint(QWidget):
    """Lies over its parent, and lets everything through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Vanish with what is dragged over the parent."""
        if event.type() in (QEvent.Type.DragLeave, QEvent.Type.Drop):
            self.hide()
        return super().eventFilter(watched, event)

    def show_over(self) -> None:
        """Appear."""
        self.setGeometry(self._room.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a frame and a word."""
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(theme.window)
        veil.setAlpha(205)
        painter.fillRect(self.rect(), veil)
        frame = QRectF(self.rect()).adjusted(22, 22, -22, -22)
        painter.setPen(QPen(QColor(theme.accent), 3, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(frame, 18, 18)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 1.8)
        font.setBold(True)
        painter.setFont(font)
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, self.tr("Drop to open"))
        painter.end()

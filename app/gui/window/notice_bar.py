"""A calm line over the photo that tells something once, and stays until it is closed."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.gui.style.panel_style import tell


class NoticeBar(QWidget):
    """Says what a person should know, and waits for nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._close = QPushButton(self)
        self._close.setProperty("kind", "link")
        self._close.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 6, 16, 6)
        row.setSpacing(12)
        row.addWidget(self._text, 1)
        row.addWidget(self._close)
        self._retranslate()
        self.hide()

    def say(self, text: str) -> None:
        """Say something, in place of what was said before."""
        self.show()
        tell(self._text, text)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Notice"))
        self._close.setText(self.tr("Close"))

"""What stands in the place of the boards while the time of play stands."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.gui.style.panel_style import enlarge


class PauseVeil(QWidget):
    """Hides the boards, so that nobody goes on thinking while the time stands.

    Signals:
        go_on_wanted: the time shall run again.
    """

    go_on_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._button = QLabel(self), QPushButton(self)
        enlarge(self._text, 1.6)
        self._button.setProperty("kind", "primary")
        self._button.setMinimumSize(140, 44)
        self._button.clicked.connect(self.go_on_wanted)
        column = QVBoxLayout(self)
        column.addStretch()
        for part in (self._text, self._button):
            column.addWidget(part, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()
        self._retranslate()

    def take_keys(self) -> None:
        """Let Return and Space go on."""
        self._button.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Pause"))
        self._text.setText(self.tr("Paused"))
        self._button.setText(self.tr("Go on"))

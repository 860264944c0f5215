"""Which candidates the board shows: none, all, or what logic leaves of them."""

from PySide6.QtCore import QCoreApplication, QEvent, Signal
from PySide6.QtWidgets import QButtonGroup, QLabel, QPushButton, QVBoxLayout, QWidget

from app.gui.style.widgets import FoldingRow

translate = QCoreApplication.translate


class CandidateChoice(QWidget):
    """Three buttons, of which one is down.

    Signals:
        changed: another one is.
    """

    changed = Signal()

    def __init__(self, spacing_px: int, parent: QWidget | None = None) -> None:
        """Make it; `spacing_px` parts the title from the buttons."""
        super().__init__(parent)
        self._title = QLabel()
        self._none, self._all, self._left = QPushButton(), QPushButton(), QPushButton()
        group = QButtonGroup(self)
        for button in (self._none, self._all, self._left):
            button.setCheckable(True)
            group.addButton(button)
        self._none.setChecked(True)
        group.buttonToggled.connect(lambda _, is_down: self.changed.emit() if is_down else None)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(spacing_px)
        column.addWidget(self._title)
        column.addWidget(FoldingRow(self._none, self._all, self._left, spacing_px=6))
        self._retranslate()

    @property
    def is_any(self) -> bool:
        """Whether candidates are shown at all."""
        return not self._none.isChecked()

    @property
    def is_after_logic(self) -> bool:
        """Whether only those are shown that logic leaves."""
        return self._left.isChecked()

    def enable(self, *, has_board: bool) -> None:
        """Allow to choose, or not."""
        for button in (self._none, self._all, self._left):
            button.setEnabled(has_board)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self._title.setText(translate("HelpPanel", "Candidates"))
        self._none.setText(translate("HelpPanel", "None"))
        self._all.setText(translate("HelpPanel", "All"))
        self._left.setText(translate("HelpPanel", "After logic"))
        self._none.setAccessibleName(translate("HelpPanel", "No candidates"))
        self._all.setAccessibleName(translate("HelpPanel", "All candidates"))
        self._left.setAccessibleName(translate("HelpPanel", "Candidates that logic leaves"))
        self._all.setToolTip(
            translate("HelpPanel", "Every digit that no row, column or box rules out")
        )
        self._left.setToolTip(
            translate("HelpPanel", "What locked candidates, pairs, triples and fish leave of them")
        )

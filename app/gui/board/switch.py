"""Which of a photo's boards is looked at, with arrows to the others."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

if TYPE_CHECKING:
    from app.board.board_state import PhotoState


class BoardSwitch(QWidget):
    """Counts the boards of a photo; it is hidden where there is one at most."""

    def __init__(self, back: QAction, forth: QAction, parent: QWidget | None = None) -> None:
        """Make it; the actions look at the board before and at the next one."""
        super().__init__(parent)
        self._count = 0
        self._chosen: int | None = None
        self._text = QLabel(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 12, 0)
        row.setSpacing(4)
        row.addStretch()
        for action, arrow in ((back, Qt.ArrowType.LeftArrow), (forth, Qt.ArrowType.RightArrow)):
            if arrow is Qt.ArrowType.RightArrow:
                row.addWidget(self._text)
            row.addWidget(arrow_button(action, arrow))
        row.addStretch()
        self.hide()

    def show_state(self, state: "PhotoState | None") -> None:
        """Say which board of a photo is looked at."""
        self._count = 0 if state is None else len(state.boards)
        self._chosen = None if state is None else state.chosen
        self._retranslate()
        self.setVisible(self._count > 1)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        if self._chosen is None:
            text = self.tr("{0} boards").format(self._count)
        else:
            text = self.tr("Board {0} of {1}").format(self._chosen + 1, self._count)
        self._text.setText(text)
        self.setAccessibleName(text)


def arrow_button(action: QAction, arrow: Qt.ArrowType) -> QToolButton:
    """Return a small button with an arrow that does what an action does."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setArrowType(arrow)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def name() -> None:
        button.setAccessibleName(action.text().replace("&", ""))

    name()
    action.changed.connect(name)
    return button

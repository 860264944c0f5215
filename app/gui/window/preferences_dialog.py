"""One page of all that can be preferred; what is chosen there counts at once."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.gui.style.appearance import TEXT_SIZES
from app.gui.style.widgets import ListBox, TickBox
from app.gui.window.about import close_button

if TYPE_CHECKING:
    from app.gui.style.appearance import Appearance
    from app.gui.window.actions import Actions
    from app.gui.window.menus import Menus


class PreferencesDialog(QDialog):
    """Shows what the menus show here and there, and blocks nothing."""

    def __init__(
        self, parent: QWidget, actions: "Actions", menus: "Menus", appearance: "Appearance"
    ) -> None:
        """Make it for a window; what is chosen is chosen in its menus, too."""
        super().__init__(parent)
        self._menus, self._appearance = menus, appearance
        self._language, self._theme, self._text = ListBox(), ListBox(), ListBox()
        self._view = ListBox()
        self._labels = [QLabel(self) for _ in range(4)]
        form = QFormLayout()
        form.setHorizontalSpacing(18)
        form.setVerticalSpacing(10)
        boxes = self._language, self._theme, self._text, self._view
        for label, box in zip(self._labels, boxes, strict=True):
            label.setBuddy(box)
            form.addRow(label, box)
        self._switches = [
            self._bind(action)
            for action in (actions.reveal_at_once, actions.badges, actions.motion)
        ]
        self._views = actions.views
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 22, 24, 18)
        column.setSpacing(12)
        column.addLayout(form)
        for switch in self._switches:
            column.addWidget(switch)
        column.addStretch()
        column.addWidget(close_button(self))
        self._retranslate()
        self._language.activated.connect(
            lambda number: menus.languages[self._language.itemData(number)].trigger()
        )
        self._theme.activated.connect(
            lambda number: menus.themes[self._theme.itemData(number)].trigger()
        )
        self._text.activated.connect(lambda number: appearance.set_text_size(TEXT_SIZES[number]))
        self._view.activated.connect(lambda number: self._views[number].trigger())

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _bind(self, action: QAction) -> TickBox:
        """Return a box that is ticked as an action is, and ticks it."""
        box = TickBox()

        def follow() -> None:
            box.setText(action.text().replace("&", ""))
            box.setEnabled(action.isEnabled())
            box.setChecked(action.isChecked())

        follow()
        action.changed.connect(follow)
        box.clicked.connect(lambda is_on: action.setChecked(is_on))
        return box

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Preferences"))
        names = (
            self.tr("Language"),
            self.tr("Theme"),
            self.tr("Text size"),
            self.tr("Show"),
        )
        for label, name in zip(self._labels, names, strict=True):
            label.setText(name)
        self._fill(self._language, self._menus.languages)
        self._fill(self._theme, self._menus.themes)
        self._text.clear()
        for percent in TEXT_SIZES:
            self._text.addItem(self.tr("{} %").format(percent), percent)
        self._text.setCurrentIndex(TEXT_SIZES.index(self._appearance.text_size))
        self._view.clear()
        self._view.addItems([action.text().replace("&", "") for action in self._views])
        checked = [action.isChecked() for action in self._views]
        self._view.setCurrentIndex(checked.index(True) if True in checked else 0)

    def _fill(self, box: ListBox, choices: dict[str, QAction]) -> None:
        box.clear()
        for number, (name, action) in enumerate(choices.items()):
            box.addItem(action.text().replace("&", ""), name)
            if action.isChecked():
                box.setCurrentIndex(number)

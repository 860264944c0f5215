"""What can be done with live pictures: the buttons beside the list of sources."""

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.gui.style.theme import icon, theme_of

translate = QCoreApplication.translate


class LiveButtons(QWidget):
    """Freezes, mirrors, takes and copies; the page connects the buttons.

    Attributes:
        freeze: switch for a picture that stands still.
        mirror: switch for pictures as in a mirror.
        snapshot: takes the frame as a photo.
        copy: copies the frame.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_words = False
        self.freeze, self.mirror = self._button("pause"), self._button("mirror")
        self.snapshot, self.copy = self._button("camera"), self._button("copy")
        self.freeze.setCheckable(True)
        self.mirror.setCheckable(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for button in self._all():
            row.addWidget(button)
        self._retranslate()
        self._colour()

    def set_words(self, *, are_wanted: bool) -> None:
        """Show words beside the signs, where there is room for them."""
        if are_wanted != self._has_words:
            self._has_words = are_wanted
            self._retranslate()
            self.updateGeometry()  # at once: the page is being laid out for its new size

    def enable(self, *, has_frame: bool) -> None:
        """Allow what needs a frame, or not."""
        for button in (self.freeze, self.snapshot, self.copy):
            button.setEnabled(has_frame)

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key stands for; return whether it stands for anything."""
        key, is_plain = event.key(), not event.modifiers()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy.click()
        elif key == Qt.Key.Key_Space:
            self.freeze.click()
        elif key == Qt.Key.Key_M and is_plain:
            self.mirror.click()
        elif key == Qt.Key.Key_S and is_plain:
            self.snapshot.click()
        else:
            return False
        return True

    def changeEvent(self, event: QEvent) -> None:
        """Follow another theme, and speak another language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()
        elif event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _button(self, icon_name: str) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("icon_name", icon_name)
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        return button

    def _all(self) -> tuple[QPushButton, ...]:
        return self.freeze, self.mirror, self.snapshot, self.copy

    def _retranslate(self) -> None:
        copy = QKeySequence(QKeySequence.StandardKey.Copy)
        for button, text, key in (
            (self.freeze, translate("LivePage", "Freeze"), translate("LivePage", "Space")),
            (self.mirror, translate("LivePage", "Mirror"), "M"),
            (self.snapshot, translate("LivePage", "Take as a photo"), "S"),
            (
                self.copy,
                translate("LivePage", "Copy"),
                copy.toString(copy.SequenceFormat.NativeText),
            ),
        ):
            button.setText(text if self._has_words else "")
            button.setToolTip(f"{text} ({key})")
            button.setAccessibleName(text)

    def _colour(self) -> None:
        theme = theme_of(self)
        for button in self._all():
            button.setIcon(icon(str(button.property("icon_name")), theme.text))

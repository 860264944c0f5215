"""The phones that may come in: which they are, and a button for each that sends it away."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.gui.style.widgets import TickBox, in_scroll_area

if TYPE_CHECKING:
    from app.serve.security.known_clients import Phone

_MOST_ROWS_SEEN: Final = 3
"""More of them scroll: the code must stay large enough to be read."""


class PhoneList(QWidget):
    """Lists phones, and asks whether they are remembered.

    Signals:
        revoke_wanted: the key of a phone that shall come in no more.
        remember_wanted: whether phones shall come in after a restart, too.
    """

    revoke_wanted = Signal(str)
    remember_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._phones: tuple[Phone, ...] = ()
        self._remember = TickBox()
        self._remember.toggled.connect(self.remember_wanted)
        self._rows = QWidget()
        self._row_layout = QVBoxLayout(self._rows)
        self._row_layout.setContentsMargins(0, 0, 0, 0)
        self._row_layout.setSpacing(4)
        self._area: QScrollArea = in_scroll_area(self._rows)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._area)
        layout.addWidget(self._remember)
        self.retranslate()

    @property
    def is_remembering(self) -> bool:
        """Whether phones shall be remembered."""
        return self._remember.isChecked()

    def set_remembering(self, is_remembering: bool) -> None:
        """Choose without asking for anything."""
        self._remember.blockSignals(True)
        self._remember.setChecked(is_remembering)
        self._remember.blockSignals(False)

    def show_phones(self, phones: "Sequence[Phone]") -> None:
        """Show these phones; those that are shown already keep their rows."""
        shown = tuple(phones)
        if [(one.key, int(one.seen) // 60) for one in shown] != [
            (one.key, int(one.seen) // 60) for one in self._phones
        ]:
            self._phones = shown
            self._fill()

    def retranslate(self) -> None:
        """Say everything in the language of now."""
        self._remember.setText(self.tr("Let these phones in again after a restart"))
        self._remember.setToolTip(
            self.tr("This computer then keeps a list of them, without their secrets")
        )
        self._fill()

    def _fill(self) -> None:
        while (item := self._row_layout.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        rows = [self._make_row(phone) for phone in self._phones]
        for row in rows:
            self._row_layout.addWidget(row)
        self._area.setVisible(bool(self._phones))
        heights = [row.sizeHint().height() for row in rows[:_MOST_ROWS_SEEN]]
        gaps = self._row_layout.spacing() * max(len(heights) - 1, 0)
        self._area.setFixedHeight(sum(heights) + gaps)

    def _make_row(self, phone: "Phone") -> QWidget:
        row = QWidget()
        name = phone.name if phone.name != "?" else self.tr("Phone of unknown kind")
        seen = QDateTime.fromSecsSinceEpoch(int(phone.seen))
        when = QLocale().toString(seen, QLocale.FormatType.ShortFormat)
        text = QLabel("{}\n{}".format(name, self.tr("{0}, here {1}").format(phone.address, when)))
        text.setTextFormat(Qt.TextFormat.PlainText)
        remove = QPushButton(self.tr("Remove"))
        remove.setAccessibleName(self.tr("Remove {}").format(name))
        remove.setToolTip(self.tr("It comes in no more, and the code gets a new secret"))
        remove.clicked.connect(lambda: self.revoke_wanted.emit(phone.key))
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(text, 1)
        layout.addWidget(remove)
        return row

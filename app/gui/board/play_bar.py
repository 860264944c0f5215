"""What is needed to play: modes, digits for fingers and the time, and the pause."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.board.board_values import COLOURS, SIGNS, EntryMode
from app.gui.board.cell_painting import CELL_COLOURS
from app.gui.theme import digit_font
from app.gui.widgets import enlarge, follows_changes

translate = QCoreApplication.translate

_LEAST_PX: Final = 26
_KEY_PX: Final = 44
"""Side of a key where there is room: what a finger hits."""
_HEIGHT_PX: Final = 40
_SWATCH_PX: Final = 20
_MOST_IN_ROW: Final = 13
"""Keys that stand side by side; a board of 12×12 has as many."""


@follows_changes
class PlayBar(QWidget):
    """The keys of play, in one line or in two.

    Signals:
        digit_chosen: 1..n, or the number of a colour.
        erasing_wanted: the chosen cells shall be empty.
    """

    digit_chosen = Signal(int)
    erasing_wanted = Signal()

    def __init__(
        self,
        modes: tuple[QAction, ...],
        switches: tuple[QAction, ...],
        parent: QWidget | None = None,
    ) -> None:
        """Make it.

        Args:
            modes: what chooses each `EntryMode`.
            switches: what else is switched in play.
            parent: what holds it.
        """
        super().__init__(parent)
        self._mode = EntryMode.DIGIT
        self._seconds = ""
        self._tool_row, self._key_row = QWidget(self), QWidget(self)
        self._tools, self._keys = QHBoxLayout(self._tool_row), QGridLayout(self._key_row)
        self._buttons = [self._bind(action) for action in modes]
        self._tools.addSpacing(8)
        self._buttons += [self._bind(action) for action in switches]
        self._time = QLabel(self._tool_row)
        self._tools.addWidget(self._time)
        self._tools.addStretch()
        self._symbols: tuple[str, ...] = tuple(SIGNS[:9])
        self._digits = [self._number_key(number) for number in range(1, COLOURS + 1)]
        self._erase = self._key()
        self._erase.setText("⌫")
        self._erase.clicked.connect(self.erasing_wanted)
        self._place_keys()
        for row in (self._tools, self._keys):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(2)
        self._lines = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._lines.setContentsMargins(12, 4, 12, 0)
        self._lines.setSpacing(4)
        self._lines.addWidget(self._tool_row)
        self._lines.addWidget(self._key_row)
        self.show_mode(self._mode)
        self.hide()

    def show_symbols(self, symbols: Sequence[str]) -> None:
        """Have keys for the digits of a board, from 1, and for the colours."""
        if tuple(symbols) == self._symbols:
            return
        self._symbols = tuple(symbols)
        for number in range(len(self._digits) + 1, len(symbols) + 1):
            self._digits.append(self._number_key(number))
        self._place_keys()
        self.show_mode(self._mode)

    def _place_keys(self) -> None:
        """Put the keys into one row, or into two where there are many."""
        keys = [*self._digits[: max(len(self._symbols), COLOURS)], self._erase]
        rows = 1 if len(keys) <= _MOST_IN_ROW else 2
        width = -(-len(keys) // rows)
        for place, key in enumerate(keys):
            self._keys.addWidget(key, place // width, place % width)

    def show_mode(self, mode: EntryMode) -> None:
        """Show on the keys what they write."""
        self._mode = mode
        is_colour = mode is EntryMode.COLOUR
        count = COLOURS if is_colour else len(self._symbols)
        for number, key in enumerate(self._digits, start=1):
            is_wanted = number <= count
            key.setIcon(_swatch(number) if is_colour and is_wanted else QIcon())
            key.setText(self._symbols[number - 1] if is_wanted and not is_colour else "")
            key.setVisible(is_wanted)
        self._retranslate()

    def show_time(self, text: str) -> None:
        """Say how long the board was played, such as 4:05."""
        self._seconds = text
        self._time.setText(text)
        self._time.setAccessibleName(translate("PlayBar", "Time {0}").format(text))

    def minimumSizeHint(self) -> QSize:
        """Return the least size, which is that of two lines, however many there are now."""
        margins = self._lines.contentsMargins()
        wanted = max(part.minimumSizeHint().width() for part in self._parts())
        size = super().minimumSizeHint()
        return QSize(wanted + margins.left() + margins.right(), size.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take one line where there is room, and two else."""
        super().resizeEvent(event)
        wanted = sum(part.sizeHint().width() for part in self._parts()) + 60
        directions = QBoxLayout.Direction
        is_wide = self.width() >= wanted
        self._lines.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)

    def _retranslate(self) -> None:
        self.setAccessibleName(translate("PlayBar", "Play"))
        words = {
            EntryMode.DIGIT: translate("PlayBar", "Digit {0}"),
            EntryMode.CORNER: translate("PlayBar", "Corner mark {0}"),
            EntryMode.CENTRE: translate("PlayBar", "Centre mark {0}"),
        }.get(self._mode)
        if words is None:
            names = [say_colour(number) for number in range(1, COLOURS + 1)]
        else:
            names = [words.format(symbol) for symbol in self._symbols]
        for name, key in zip(names, self._digits, strict=False):
            key.setAccessibleName(name)
            key.setToolTip(name)
        self._erase.setAccessibleName(translate("PlayBar", "Erase"))
        self._erase.setToolTip(translate("PlayBar", "Erase"))
        self.show_time(self._seconds)

    def _parts(self) -> tuple[QWidget, QWidget]:
        return self._tool_row, self._key_row

    def _bind(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setMinimumSize(_LEAST_PX, _HEIGHT_PX)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setIconSize(QSize(_SWATCH_PX, _SWATCH_PX))

        def name() -> None:
            button.setAccessibleName(action.text().replace("&", ""))

        name()
        action.changed.connect(name)
        self._tools.addWidget(button)
        return button

    def _number_key(self, number: int) -> QToolButton:
        key = self._key()
        key.setFont(digit_font(19))
        key.clicked.connect(lambda: self.digit_chosen.emit(number))
        return key

    def _key(self) -> QToolButton:
        key = QToolButton(self._key_row)
        # The chosen cells keep the keyboard.
        key.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        key.setMinimumSize(_LEAST_PX, _HEIGHT_PX)
        key.setMaximumWidth(2 * _KEY_PX)
        key.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        key.setIconSize(QSize(_SWATCH_PX, _SWATCH_PX))
        key.setProperty("kind", "key")
        return key


def say_colour(number: int) -> str:
    """Return the name of a colour 1..9."""
    return (
        translate("PlayBar", "red"),
        translate("PlayBar", "orange"),
        translate("PlayBar", "yellow"),
        translate("PlayBar", "green"),
        translate("PlayBar", "turquoise"),
        translate("PlayBar", "blue"),
        translate("PlayBar", "purple"),
        translate("PlayBar", "pink"),
        translate("PlayBar", "grey"),
    )[number - 1]


def _swatch(number: int) -> QIcon:
    pixmap = QPixmap(3 * _SWATCH_PX, 3 * _SWATCH_PX)
    pixmap.fill(QColor(0, 0, 0, 0))
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(CELL_COLOURS[number - 1])
    painter.drawRoundedRect(pixmap.rect(), 12, 12)
    painter.end()
    pixmap.setDevicePixelRatio(3)
    return QIcon(pixmap)


@follows_changes
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

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Pause"))
        self._text.setText(self.tr("Paused"))
        self._button.setText(self.tr("Go on"))

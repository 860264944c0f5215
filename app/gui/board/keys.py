"""How digits are put in: which digit a key means, keys that a panel listens to, and the pad of
digits for those who would rather point than type.
"""

import sys
from collections.abc import Callable, Sequence
from math import isqrt
from typing import Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.board.board_values import DIGIT_CHARS
from app.gui.theme import digit_font
from app.gui.widgets import empty_layout, fill, follows_changes

SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
CONTROL: Final = Qt.KeyboardModifier.ControlModifier
STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
CLEARING: Final = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Period)
_MAC_KEYS: Final = (29, 18, 19, 20, 21, 23, 22, 26, 28, 25)
"""Codes of the keys 0 to 9 on macOS."""

_KEY_PX: Final = 40
_GAP_PX: Final = 14


def typed_digit(event: QKeyEvent, symbols: Sequence[str] = DIGIT_CHARS[:9]) -> int | None:
    """Return the digit that a key writes on a board, 0 for none of them, or None.

    Numbers of two figures among the symbols have the letters for keys: A is 10.
    """
    return _digit_written(event.text().upper(), symbols)


def pressed_digit(event: QKeyEvent, symbols: Sequence[str] = DIGIT_CHARS[:9]) -> int | None:
    """Return the digit of a key, also where Shift or Ctrl make something else of it."""
    digit = typed_digit(event, symbols)
    if digit is not None:
        return digit
    figure = _figure_of_place(event)
    return None if figure is None else _digit_written(str(figure), symbols)


def _digit_written(text: str, symbols: Sequence[str]) -> int | None:
    for digit, (symbol, sign) in enumerate(zip(symbols, DIGIT_CHARS, strict=False), start=1):
        if text == (symbol if len(symbol) == 1 else sign):
            return digit
    return 0 if text == "0" else None


def _figure_of_place(event: QKeyEvent) -> int | None:
    if Qt.Key.Key_0 <= event.key() <= Qt.Key.Key_9:
        return int(event.key()) - int(Qt.Key.Key_0)
    # With Shift, what the key writes depends on the keyboard; where it lies does not.
    if sys.platform == "darwin":
        code = event.nativeVirtualKey()
        return _MAC_KEYS.index(code) if code in _MAC_KEYS else None
    first = 2 if sys.platform == "win32" else 10
    place = event.nativeScanCode() - first
    return (place + 1) % 10 if 0 <= place < 10 else None


def bind_key(
    widget: QWidget,
    key: QKeySequence | QKeySequence.StandardKey | Qt.Key,
    act: Callable[[], object],
    *,
    with_parts: bool = False,
) -> None:
    """Call a function when a key is pressed in a widget, or in any part of it, and nowhere else."""
    shortcut = QShortcut(QKeySequence(key), widget)
    # Given to the constructor beside a function, the context would be passed over.
    shortcut.setContext(
        Qt.ShortcutContext.WidgetWithChildrenShortcut
        if with_parts
        else Qt.ShortcutContext.WidgetShortcut
    )
    shortcut.activated.connect(act)


@follows_changes
class DigitPad(QFrame):
    """Floats over its parent and takes no focus, so that keys go on working.

    Signals:
        digit_chosen: 1..n, or 0 for an empty cell.
        kind_chosen: whether the digit is printed; else it is an entry.
        reveal_wanted: the solution of the cell shall be seen.
    """

    digit_chosen = Signal(int)
    kind_chosen = Signal(bool)
    reveal_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self._keys: dict[int, QPushButton] = {}
        self._symbols: tuple[str, ...] = ()
        self._is_printed = True
        self._grid = QGridLayout()
        self._grid.setSpacing(4)
        self._empty = self._make()
        self._empty.clicked.connect(lambda: self.digit_chosen.emit(0))
        self._kind = self._make()
        self._kind.clicked.connect(lambda: self.kind_chosen.emit(not self._is_printed))
        self._reveal = self._make()
        self._reveal.clicked.connect(self.reveal_wanted.emit)
        column = fill(QVBoxLayout(self), self._grid, margins=(10, 10, 10, 10), spacing=4)
        for button in (self._empty, self._kind, self._reveal):
            button.setProperty("kind", "link")
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            column.addWidget(button)
        self._put_keys(DIGIT_CHARS[:9])
        self.hide()

    def _put_keys(self, symbols: Sequence[str]) -> None:
        if tuple(symbols) == self._symbols:
            return
        self._symbols, side = tuple(symbols), len(symbols)
        empty_layout(self._grid)
        width = isqrt(side - 1) + 1
        self._keys = {digit: self._make_key(digit) for digit in range(1, side + 1)}
        for digit, key in self._keys.items():
            self._grid.addWidget(key, (digit - 1) // width, (digit - 1) % width)
            key.show()  # a layout shows it later, and the pad takes its size before
        self._retranslate()

    def _make_key(self, digit: int) -> QPushButton:
        key = self._make(self._symbols[digit - 1])
        key.setFixedSize(QSize(_KEY_PX, _KEY_PX))
        key.setProperty("kind", "digit")
        key.setFont(digit_font(19))
        key.clicked.connect(lambda: self.digit_chosen.emit(digit))
        return key

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Digits"))
        for digit, key in self._keys.items():
            key.setAccessibleName(self.tr("Digit {}").format(self._symbols[digit - 1]))
        self._empty.setText(self.tr("Empty"))
        self._empty.setAccessibleName(self.tr("The cell is empty"))
        self._kind.setText(self.tr("Is handwritten") if self._is_printed else self.tr("Is printed"))
        self._reveal.setText(self.tr("Show solution"))
        self._reveal.setAccessibleName(self.tr("Show the solution here"))

    def show_beside(
        self,
        cell: QRectF,
        *,
        symbols: Sequence[str],
        digit: int,
        is_printed: bool,
        can_reveal: bool,
    ) -> None:
        """Appear beside a cell, which lies so in the parent, and holds a digit, 0 for none."""
        self._put_keys(symbols)
        for value, key in self._keys.items():
            key.setCheckable(value == digit)
            key.setChecked(value == digit)
        self._empty.setEnabled(digit > 0)
        self._is_printed = is_printed
        self._kind.setVisible(digit > 0)
        self._retranslate()
        self._reveal.setVisible(can_reveal)
        self.adjustSize()
        self.move(self._beside(cell))
        self.show()
        self.raise_()

    def _beside(self, cell: QRectF) -> QPoint:
        room = self._room.rect().adjusted(6, 6, -6, -6)
        left = cell.right() + _GAP_PX
        if left + self.width() > room.right():
            left = cell.left() - _GAP_PX - self.width()
        left = min(max(left, room.left()), max(room.right() - self.width(), room.left()))
        top = cell.center().y() - self.height() / 2
        top = min(max(top, room.top()), max(room.bottom() - self.height(), room.top()))
        return QPoint(round(left), round(top))

    def _make(self, text: str = "") -> QPushButton:
        button = QPushButton(text, self)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

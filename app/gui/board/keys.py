"""Keys that a panel listens to while it, or a part of it, is used; and which digit a key means."""

import sys
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app.board.board_values import SIGNS

STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
CLEARING: Final = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Period)
_MAC_KEYS: Final = (29, 18, 19, 20, 21, 23, 22, 26, 28, 25)
"""Codes of the keys 0 to 9 on macOS."""


def typed_digit(event: QKeyEvent, symbols: Sequence[str] = SIGNS[:9]) -> int | None:
    """Return the digit that a key writes on a board, 0 for none of them, or None.

    Args:
        event: of the key.
        symbols: what is written for each digit of the board, from 1. Numbers of two figures have
            the letters for keys: A is 10.
    """
    return _digit_written(event.text().upper(), symbols)


def pressed_digit(event: QKeyEvent, symbols: Sequence[str] = SIGNS[:9]) -> int | None:
    """Return the digit of a key, also where Shift or Ctrl make something else of it."""
    digit = typed_digit(event, symbols)
    if digit is not None:
        return digit
    figure = _figure_of_place(event)
    return None if figure is None else _digit_written(str(figure), symbols)


def _digit_written(text: str, symbols: Sequence[str]) -> int | None:
    for digit, (symbol, sign) in enumerate(zip(symbols, SIGNS, strict=False), start=1):
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

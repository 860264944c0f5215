"""Keys that a panel listens to while it, or a part of it, is used."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget


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

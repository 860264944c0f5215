"""Small windows that tell something and block nothing: a fault, and the keys."""

import platform
from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.gui.about import close_button, tell_program, tell_versions

translate = QCoreApplication.translate

_NATIVE: Final = QKeySequence.SequenceFormat.NativeText


def show_fault(parent: QWidget, report: str) -> QDialog:
    """Say that something went wrong that should not, with a report to copy."""
    report = f"{tell_program()} · {tell_versions()} · {platform.platform()}\n\n{report}"
    dialog, column = _dialog(parent, translate("Notices", "Something went wrong"))
    text = QLabel(
        translate(
            "Notices", "This is a fault of Sudoku Lens, not of your photo. You can go on working."
        )
    )
    text.setWordWrap(True)
    column.addWidget(text)
    shown = QPlainTextEdit(report)
    shown.setReadOnly(True)
    shown.setAccessibleName(translate("Notices", "Report"))
    shown.setMinimumSize(520, 180)
    column.addWidget(shown)
    buttons = close_button(dialog)
    copy = buttons.addButton(
        translate("Notices", "Copy the report"), QDialogButtonBox.ButtonRole.ActionRole
    )
    copy.setObjectName("copy_report")
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
    column.addWidget(buttons)
    dialog.open()
    return dialog


def show_keys(parent: QWidget, actions: Iterable[QAction]) -> QDialog:
    """Show every action that has keys, and those of the board."""
    dialog, column = _dialog(parent, translate("Notices", "Keyboard shortcuts"))
    rows = [
        (translate("Notices", "Set the digit of the chosen cell"), "1 – 9"),
        (translate("Notices", "Empty the chosen cell"), "0, ⌫"),
        (translate("Notices", "Choose another cell, or move a corner"), "← ↑ → ↓"),
        (translate("Notices", "Leave the cell or the corners"), "Esc"),
        (
            translate("Notices", "Show the solution of the chosen cell"),
            QKeySequence(Qt.Key.Key_Space).toString(_NATIVE),
        ),
        (
            translate("Notices", "Point at a digit for the chosen cell"),
            QKeySequence(Qt.Key.Key_Return).toString(_NATIVE),
        ),
    ]
    for action in actions:
        keys = [key.toString(_NATIVE) for key in action.shortcuts()]
        if keys:
            rows.append((action.text().replace("&", "").rstrip("…"), ", ".join(keys)))
    room = parent.screen().availableSize() - QSize(80, 180)
    page = _key_page(rows, columns=2)
    if page.sizeHint().width() > room.width():
        page = _key_page(rows, columns=1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidget(page)
    # All of it at once where the screen has the room.
    area.setMinimumSize((page.sizeHint() + QSize(30, 2)).boundedTo(room))
    column.addWidget(area)
    column.addWidget(close_button(dialog))
    dialog.open()
    return dialog


def _key_page(rows: Sequence[tuple[str, str]], columns: int) -> QWidget:
    """Lay out names and keys, one below the other and in columns."""
    page = QWidget()
    grid = QGridLayout(page)
    grid.setHorizontalSpacing(28)
    grid.setVerticalSpacing(7)
    height = -(-len(rows) // columns)
    for number, (name, keys) in enumerate(rows):
        side, row = divmod(number, height)
        shown = QLabel(keys)
        font = shown.font()
        font.setBold(True)
        shown.setFont(font)
        shown.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(shown, row, 2 * side)
        grid.addWidget(QLabel(name), row, 2 * side + 1)
    return page


def _dialog(parent: QWidget, title: str) -> tuple[QDialog, QVBoxLayout]:
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(24, 22, 24, 18)
    column.setSpacing(14)
    return dialog, column

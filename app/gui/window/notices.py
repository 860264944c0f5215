"""Small windows that tell something and block nothing: a fault, and the keys."""

import platform
from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QKeyCombination, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.gui.style.widgets import in_scroll_area
from app.gui.window.about import close_button, tell_program, tell_versions
from app.gui.window.actions import Actions

translate = QCoreApplication.translate

_NATIVE: Final = QKeySequence.SequenceFormat.NativeText
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_CONTROL: Final = Qt.KeyboardModifier.ControlModifier


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


def show_keys(parent: QWidget, actions: Actions) -> QDialog:
    """Show every action that has keys, and those of the board, by what they are for."""
    dialog, column = _dialog(parent, translate("Notices", "Keyboard shortcuts"))
    groups = _key_groups(actions)
    room = parent.screen().availableSize() - QSize(80, 180)
    page = _key_page(groups, columns=2)
    if page.sizeHint().width() > room.width():
        page = _key_page(groups, columns=1)
    area = in_scroll_area(page)
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    # All of it at once where the screen has the room.
    area.setMinimumSize((page.sizeHint() + QSize(30, 2)).boundedTo(room))
    column.addWidget(area)
    column.addWidget(close_button(dialog))
    dialog.open()
    return dialog


_Row = tuple[str, str]
"""What is done, and by which keys."""


def _key_groups(a: Actions) -> list[tuple[str, list[_Row]]]:
    cells = [
        (translate("Notices", "Choose another cell, or move a corner"), "← ↑ → ↓"),
        (translate("Notices", "Set the digit of the chosen cell"), "1 – 9"),
        (translate("Notices", "Empty the chosen cell"), "0, ⌫"),
        (
            translate("Notices", "Point at a digit for the chosen cell"),
            QKeySequence(Qt.Key.Key_Return).toString(_NATIVE),
        ),
        (
            translate("Notices", "Show the solution of the chosen cell"),
            QKeySequence(Qt.Key.Key_Space).toString(_NATIVE),
        ),
        (translate("Notices", "Leave the cell or the corners"), "Esc"),
    ]
    opening = (a.open, a.paste, a.type_puzzle, a.new_puzzle, a.live, a.phone, a.close, a.remove)
    solving = (
        a.solution, a.help_panel, a.technique_panel, a.walk_panel, a.history_panel, a.badges,
    )  # fmt: skip
    placing = (a.place, a.place_other, a.search_again)
    looking = (
        a.view_photo, a.view_both, a.view_board, a.fit, a.board_near, a.near, a.far, a.pixels,
        a.turn_left, a.turn_right,
        a.next_board, a.last_board, a.next_photo, a.last_photo, a.full_screen,
    )  # fmt: skip
    playing = [
        (translate("Notices", "Write a corner mark"), _with(_SHIFT, "1 – 9")),
        (translate("Notices", "Write a centre mark"), _with(_CONTROL, "1 – 9")),
        (translate("Notices", "Colour the chosen cells"), _with(_CONTROL | _SHIFT, "1 – 9")),
        (
            translate("Notices", "Write digits, corner marks, centre marks or colours"),
            QKeySequence(Qt.Key.Key_Space).toString(_NATIVE),
        ),
        (translate("Notices", "Choose more cells"), _with(_SHIFT, "← ↑ → ↓")),
        (translate("Notices", "Choose all cells"), _with(_CONTROL, "A")),
    ]
    play = (a.play, a.pause, a.conflicts)
    handing = (a.copy_image, a.copy_digits, a.save_image)
    correcting = (a.kind, a.rules, a.undo, a.redo)
    named = {*opening, *solving, *placing, *looking, *play, *handing, *correcting}
    others = [action for action in a if action not in named]
    return [
        (translate("Notices", "Open photos and puzzles"), _key_rows(opening)),
        (translate("Notices", "Cells and digits"), cells + _key_rows(correcting)),
        (translate("Notices", "Play"), _key_rows(play) + playing),
        (translate("Notices", "Solution and help"), _key_rows(solving)),
        (translate("Notices", "Look around"), _key_rows(looking)),
        (translate("Notices", "Place a board by hand"), _key_rows(placing)),
        (translate("Notices", "Copy and save"), _key_rows(handing)),
        (translate("Notices", "Program"), _key_rows(others)),
    ]


def _with(modifiers: Qt.KeyboardModifier, key: str) -> str:
    """Return what is pressed as the system writes it: Ctrl+Shift+A."""
    held = QKeySequence(QKeyCombination(modifiers, Qt.Key.Key_A)).toString(_NATIVE)
    return held.removesuffix("A") + key


def _key_rows(actions: Iterable[QAction]) -> list[_Row]:
    return [
        (
            action.text().replace("&", "").rstrip("…"),
            ", ".join(key.toString(_NATIVE) for key in action.shortcuts()),
        )
        for action in actions
        if action.shortcuts()
    ]


def _key_page(groups: Sequence[tuple[str, list[_Row]]], columns: int) -> QWidget:
    """Lay out groups of names and keys, one below the other and in columns."""
    page = QWidget()
    across = QHBoxLayout(page)
    across.setContentsMargins(0, 0, 0, 0)
    across.setSpacing(36)
    height = sum(len(rows) + 2 for _, rows in groups) / columns
    grids: list[QGridLayout] = []
    used = height
    for title, rows in groups:
        if used >= height - 2 and len(grids) < columns:
            grids.append(QGridLayout())
            grids[-1].setHorizontalSpacing(28)
            grids[-1].setVerticalSpacing(6)
            column = QVBoxLayout()
            column.addLayout(grids[-1])
            column.addStretch()
            across.addLayout(column)
            used = 0
        grid = grids[-1]
        heading = QLabel(title)
        heading.setForegroundRole(QPalette.ColorRole.Accent)
        heading.setContentsMargins(0, 10 if used else 0, 0, 0)
        grid.addWidget(heading, grid.rowCount(), 0, 1, 2)
        for name, keys in rows:
            shown = QLabel(keys)
            font = shown.font()
            font.setBold(True)
            shown.setFont(font)
            row = grid.rowCount()
            grid.addWidget(QLabel(name), row, 0)
            grid.addWidget(shown, row, 1)
        used += len(rows) + 2
    return page


def _dialog(parent: QWidget, title: str) -> tuple[QDialog, QVBoxLayout]:
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(24, 22, 24, 18)
    column.setSpacing(14)
    return dialog, column

"""Small windows that tell something and block nothing: a fault, the keys, and what this is."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, Qt
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

translate = QCoreApplication.translate


def show_fault(parent: QWidget, report: str) -> QDialog:
    """Say that something went wrong that should not, with a report to copy."""
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
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    copy = buttons.addButton(
        translate("Notices", "Copy the report"), QDialogButtonBox.ButtonRole.ActionRole
    )
    copy.setObjectName("copy_report")
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
    buttons.rejected.connect(dialog.reject)
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
    ]
    for action in actions:
        keys = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()]
        if keys:
            rows.append((action.text().replace("&", "").rstrip("…"), ", ".join(keys)))
    page = QWidget()
    grid = QGridLayout(page)
    grid.setHorizontalSpacing(28)
    grid.setVerticalSpacing(7)
    half = (len(rows) + 1) // 2
    for number, (name, keys_text) in enumerate(rows):
        side, row = divmod(number, half)
        shown = QLabel(keys_text)
        font = shown.font()
        font.setBold(True)
        shown.setFont(font)
        shown.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(shown, row, 2 * side)
        grid.addWidget(QLabel(name), row, 2 * side + 1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidget(page)
    area.setMinimumSize(min(page.sizeHint().width() + 30, 860), 420)
    column.addWidget(area)
    _add_close(dialog, column)
    dialog.open()
    return dialog


def show_about(parent: QWidget) -> QDialog:
    """Tell what this is, and its versions."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from PySide6.QtCore import qVersion

    def told(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "–"

    dialog, column = _dialog(parent, translate("Notices", "About Sudoku Lens"))
    lines = [
        translate("Notices", "Sudoku Lens {}").format(told("sudoku-lens")),
        translate(
            "Notices",
            "Finds the Sudokus on a photo, reads them, and shows a solution only where it "
            "is proved to be the only one.",
        ),
        translate("Notices", "Photos stay on this computer."),
        f"Python {platform.python_version()} · Qt {qVersion()} · OpenCV "
        f"{told('opencv-python-headless')} · LiteRT {told('ai-edge-litert')}",
    ]
    for number, line in enumerate(lines):
        label = QLabel(line)
        label.setWordWrap(True)
        label.setMinimumWidth(440)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if number == 0:
            font = label.font()
            font.setPointSizeF(font.pointSizeF() * 1.5)
            font.setBold(True)
            label.setFont(font)
        column.addWidget(label)
    _add_close(dialog, column)
    dialog.open()
    return dialog


def _dialog(parent: QWidget, title: str) -> tuple[QDialog, QVBoxLayout]:
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(24, 22, 24, 18)
    column.setSpacing(14)
    return dialog, column


def _add_close(dialog: QDialog, column: QVBoxLayout) -> None:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    column.addWidget(buttons)

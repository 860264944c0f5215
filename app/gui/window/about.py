"""Small windows that tell something and block nothing: what the program is made of, the project's
pages, all keys, and a fault with its report.
"""

import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QKeyCombination, QLocale, QSize, Qt, QTimer, qVersion
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.widgets import fill, in_scroll_area, make_button, make_label, plain_text
from app.gui.window.menus import PLAY_MENU

translate = QCoreApplication.translate

_ROOT: Final = Path(__file__).parents[3]
"""Where a checkout and a bundle have the pages; a bare installation has none."""

LICENCE: Final = Path("LICENSE")
_ICON_PX: Final = 64
_NATIVE: Final = QKeySequence.SequenceFormat.NativeText
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_CONTROL: Final = Qt.KeyboardModifier.ControlModifier

_Row = tuple[str, str]
"""What is done, and by which keys."""


_ON_DIGITS: Final = Path("docs", "model_card_digits.md")
_ON_SYMBOLS: Final = Path("docs", "model_card_symbols.md")
NETWORKS: Final = {
    "boards": Path("docs", "model_card_boards.md"),
    "digits": _ON_DIGITS,
    "board_digits": _ON_DIGITS,
    "hands": _ON_DIGITS,
    "candidates": _ON_DIGITS,
    "symbols": _ON_SYMBOLS,
    "scripts": _ON_SYMBOLS,
    "cages": Path("docs", "model_card_cages.md"),
    "lookalikes": Path("docs", "model_card_lookalikes.md"),
    "grid": Path("docs", "networks.md"),
    "constraint": Path("docs", "solvers", "constraint.md"),
}
"""The page on every network in `models/weights`, by the name of its file."""


def show_about(parent: QWidget) -> QDialog:
    """Tell what this is in a small window that blocks nothing."""
    dialog, column = _dialog(parent, translate("About", "About Sudoku Lens"), (26, 24, 26, 18), 16)
    words, details = _label(_words()), _label(_details())
    words.setObjectName("about_words")
    details.setObjectName("about_text")
    details.hide()
    more = make_button(lambda: translate("About", "Technical details"), kind="link")
    more.setCheckable(True)
    text = QWidget()
    lines = words, (more, 0, Qt.AlignmentFlag.AlignLeft), details, 1
    fill(QVBoxLayout(text), *lines, margins=(0, 0, 0, 0), spacing=8)
    area = in_scroll_area(text)

    def fit() -> None:
        """Show all lines at once where the screen has the room; Qt would take two thirds of it."""
        width = text.sizeHint().width()
        height = max(text.heightForWidth(width), text.sizeHint().height())
        room = dialog.screen().availableSize() - QSize(160, 160)
        area.setMinimumSize(QSize(width + 12, height).boundedTo(room))
        dialog.adjustSize()

    more.toggled.connect(details.setVisible)
    more.toggled.connect(lambda _: QTimer.singleShot(0, dialog, fit))
    fit()
    picture = QLabel()
    picture.setPixmap(QApplication.windowIcon().pixmap(QSize(_ICON_PX, _ICON_PX)))
    picture.setAlignment(Qt.AlignmentFlag.AlignTop)
    fill(column, fill(QHBoxLayout(), picture, (area, 1), spacing=22), close_button(dialog))
    dialog.open()
    return dialog


def close_button(dialog: QDialog) -> QDialogButtonBox:
    """Return the row with the button that closes a dialog."""
    buttons = QDialogButtonBox()
    button = QPushButton(translate("About", "Close"))
    buttons.addButton(button, QDialogButtonBox.ButtonRole.RejectRole)
    button.setDefault(True)
    buttons.rejected.connect(dialog.reject)
    return buttons


def _tell_versions() -> str:
    return (
        f"Python {platform.python_version()} · Qt {qVersion()} · "
        f"OpenCV {_version('opencv-python-headless')} · LiteRT {_version('ai-edge-litert')}"
    )


def _tell_program() -> str:
    return translate("About", "Sudoku Lens {}").format(_version("sudoku-lens"))


def _label(text: str) -> QLabel:
    """Return a text whose links the desktop opens."""
    label = QLabel(
        text,
        textFormat=Qt.TextFormat.RichText,
        wordWrap=True,
        openExternalLinks=True,
        textInteractionFlags=Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        | Qt.TextInteractionFlag.TextSelectableByMouse,
    )
    label.setMinimumWidth(460)
    return label


def _words() -> str:
    texts = (
        translate(
            "About",
            "Finds the Sudokus on a photo, reads them, and shows a solution only where it "
            "is proved to be the only one.",
        ),
        translate(
            "About",
            "Photos stay on this computer: nothing is sent anywhere, and no account is needed.",
        ),
        translate("About", "It is free, and its source code is open."),
    )
    return f"<h2>{_tell_program()}</h2>" + "".join(map(_paragraph, texts))


def _details() -> str:
    lines = [
        _paragraph(_tell_versions()),
        "<p><b>" + translate("About", "Networks") + "</b></p>",
        f"<table cellspacing='3'>{''.join(_rows())}</table>",
        _paragraph(
            translate("About", "Licence: {}").format(_link(LICENCE, "Apache 2.0"))
            + "<br>"
            + translate(
                "About",
                "The digit network was trained also on Street View House Numbers, which are for "
                "non-commercial purposes only.",
            )
            + "<br>"
            + translate("About", "Digits are drawn in Nunito (SIL Open Font Licence).")
        ),
    ]
    return "".join(lines)


def _rows() -> Iterator[str]:
    """Yield a row for each network that is there: what it does, and how large its file is."""
    from models.engine import WEIGHTS_DIR

    purposes = {
        "boards": translate("About", "finds boards"),
        "digits": translate("About", "reads digits"),
        "board_digits": translate("About", "reads the digits of a board side by side"),
        "hands": translate("About", "reads handwriting once more"),
        "candidates": translate("About", "reads pencil marks"),
        "symbols": translate("About", "reads boards of more than nine digits"),
        "scripts": translate("About", "reads Arabic, Persian and Devanagari digits"),
        "cages": translate("About", "reads the cages and sums of killers"),
        "lookalikes": translate("About", "tells other puzzles from Sudokus"),
        "grid": translate("About", "says which digit is likely where"),
        "constraint": translate("About", "is the rules themselves, never trained"),
    }
    form = QLocale.DataSizeFormat.DataSizeSIFormat
    for name, page in NETWORKS.items():
        weights = WEIGHTS_DIR / f"{name}.tflite"
        if weights.is_file():
            size = QLocale().formattedDataSize(weights.stat().st_size, 0, form)
            cells = _link(page, purposes[name]), f"&nbsp; {size}"
            yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _link(page: Path, text: str) -> str:
    path = _ROOT / page
    return f'<a href="{path.as_uri()}">{text}</a>' if path.is_file() else text


def _paragraph(text: str) -> str:
    return f"<p>{text}</p>"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "–"


def show_fault(parent: QWidget, report: str) -> QDialog:
    """Say that something went wrong that should not, with a report to copy."""
    report = f"{_tell_program()} · {_tell_versions()} · {platform.platform()}\n\n{report}"
    dialog, column = _dialog(parent, translate("Notices", "Something went wrong"), spacing=14)
    text = QLabel(
        translate(
            "Notices", "This is a fault of Sudoku Lens, not of your photo. You can go on working."
        ),
        wordWrap=True,
    )
    column.addWidget(text)
    shown = QPlainTextEdit(report, readOnly=True)
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


def show_keys(parent: QMainWindow) -> QDialog:
    """Show the keys of the board, and every action that has some, as the menus list them."""
    dialog, column = _dialog(parent, translate("Notices", "Keyboard shortcuts"), spacing=14)
    groups = _key_groups(parent.menuBar())
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


def _key_groups(bar: QMenuBar) -> list[tuple[str, list[_Row]]]:
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
    played = [
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
    menus = bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    groups = [(translate("Notices", "Cells and digits"), cells)]
    for menu in menus:
        of_menu = _key_rows(menu.actions())
        if menu.objectName() == PLAY_MENU:
            of_menu += played
        groups.append((menu.title().replace("&", ""), of_menu))
    return groups


def _with(modifiers: Qt.KeyboardModifier, key: str) -> str:
    """Return what is pressed as the system writes it: Ctrl+Shift+A."""
    held = QKeySequence(QKeyCombination(modifiers, Qt.Key.Key_A)).toString(_NATIVE)
    return held.removesuffix("A") + key


def _key_rows(actions: Iterable[QAction]) -> list[_Row]:
    return [
        (plain_text(action), ", ".join(key.toString(_NATIVE) for key in action.shortcuts()))
        for action in actions
        if action.shortcuts()
    ]


def _key_page(groups: Sequence[tuple[str, list[_Row]]], columns: int) -> QWidget:
    """Return all groups as tables, side by side in columns of about the same height."""
    page, height, used = QWidget(), sum(len(rows) + 2 for _, rows in groups) / columns, 0
    tables = [QGridLayout() for _ in range(columns)]
    for table in tables:
        table.setHorizontalSpacing(28)
        table.setVerticalSpacing(6)
    for title, rows in groups:
        grid = tables[min(int((used + 2) / height), columns - 1)]
        used += len(rows) + 2
        heading = QLabel(title)
        heading.setForegroundRole(QPalette.ColorRole.Accent)
        heading.setContentsMargins(0, 10 if grid.count() else 0, 0, 0)
        grid.addWidget(heading, grid.rowCount(), 0, 1, 2)
        for name, keys in rows:
            row = grid.rowCount()
            grid.addWidget(QLabel(name), row, 0)
            grid.addWidget(make_label(keys, is_bold=True), row, 1)
    sides = [fill(QVBoxLayout(), table, 0) for table in tables]
    fill(QHBoxLayout(page), *sides, margins=(0, 0, 0, 0), spacing=36)
    return page


def _dialog(
    parent: QWidget,
    title: str,
    margins: tuple[int, int, int, int] = (24, 22, 24, 18),
    spacing: int | None = None,
) -> tuple[QDialog, QVBoxLayout]:
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return dialog, fill(QVBoxLayout(dialog), margins=margins, spacing=spacing)

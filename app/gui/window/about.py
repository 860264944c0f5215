"""What the program is made of: versions, networks, licence, and the pages that tell more."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QLocale, QSize, Qt, QTimer, QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QFont
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

translate = QCoreApplication.translate

_ROOT: Final = Path(__file__).parents[3]
"""Where a checkout and a bundle have the pages; a bare installation has none."""

LICENCE: Final = Path("LICENSE")
_ICON_PX: Final = 64


class NetworkFact(NamedTuple):
    """A network that ships: what it does, its weights in number, and the page that tells more."""

    stem: str
    weights: int
    page: Path


NETWORKS: Final = (
    NetworkFact("digits", 229_844, Path("docs", "model_card_digits.md")),
    NetworkFact("digits_small", 214_355, Path("docs", "model_card_digits.md")),
    NetworkFact("grid", 49_500, Path("docs", "networks.md")),
    NetworkFact("constraint", 31_302, Path("docs", "solvers", "constraint.md")),
)


def show_about(parent: QWidget) -> QDialog:
    """Tell what this is in a small window that blocks nothing."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(translate("About", "About Sudoku Lens"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    words, details = _label(dialog, _words()), _label(dialog, _details())
    words.setObjectName("about_words")
    details.setObjectName("about_text")
    details.hide()
    more = QPushButton(translate("About", "Technical details"))
    more.setProperty("kind", "link")
    more.setCheckable(True)
    more.toggled.connect(details.setVisible)
    more.toggled.connect(lambda _: QTimer.singleShot(0, dialog, dialog.adjustSize))
    text = QVBoxLayout()
    text.setSpacing(8)
    text.addWidget(words)
    text.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
    text.addWidget(details)
    picture = QLabel()
    picture.setPixmap(QApplication.windowIcon().pixmap(QSize(_ICON_PX, _ICON_PX)))
    picture.setAlignment(Qt.AlignmentFlag.AlignTop)
    row = QHBoxLayout()
    row.setSpacing(22)
    row.addWidget(picture)
    row.addLayout(text, 1)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(26, 24, 26, 18)
    column.setSpacing(16)
    column.addLayout(row)
    column.addWidget(close_button(dialog))
    dialog.open()
    return dialog


def show_page(parent: QWidget, page: Path) -> QDialog:
    """Show one of the project's pages, of those that lie beside the program.

    Args:
        parent: over which it opens.
        page: relative to the project's folder.
    """
    dialog = QDialog(parent)
    dialog.setWindowTitle(page.name)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    shown = QTextBrowser()
    shown.setAccessibleName(page.name)
    shown.setOpenLinks(False)
    shown.anchorClicked.connect(lambda link: _follow(dialog, page, link))
    try:
        words = (_ROOT / page).read_text(encoding="utf-8")
    except OSError as error:
        words = str(error)
    if page.suffix == ".md":
        shown.setMarkdown(words)
    else:
        font = QFont()
        font.setStyleHint(QFont.StyleHint.Monospace)
        shown.setFont(font)
        shown.setPlainText(words)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(16, 16, 16, 14)
    column.addWidget(shown)
    column.addWidget(close_button(dialog))
    dialog.resize(820, 640)
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


def tell_versions() -> str:
    """Return the versions of what works together here."""
    return (
        f"Python {platform.python_version()} · Qt {qVersion()} · "
        f"OpenCV {_version('opencv-python-headless')} · LiteRT {_version('ai-edge-litert')}"
    )


def tell_program() -> str:
    """Return the program's name and version."""
    return translate("About", "Sudoku Lens {}").format(_version("sudoku-lens"))


def _follow(dialog: QDialog, page: Path, link: QUrl) -> None:
    """Open another of our pages inside, and everything else where the desktop opens it."""
    if link.scheme():
        QDesktopServices.openUrl(link)
        return
    other = Path(page.parent, link.path())
    if link.path() and (_ROOT / other).is_file():
        show_page(dialog, other)


def _label(dialog: QDialog, text: str) -> QLabel:
    """Return a text whose links open pages over the dialog."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setMinimumWidth(460)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        | Qt.TextInteractionFlag.TextSelectableByMouse
    )
    label.linkActivated.connect(lambda page: show_page(dialog, Path(page)))
    return label


def _words() -> str:
    """Say what the program does, for everybody."""
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
    return f"<h2>{tell_program()}</h2>" + "".join(map(_paragraph, texts))


def _details() -> str:
    """Say what the program is made of, for those who ask."""
    lines = [
        _paragraph(tell_versions()),
        "<p><b>" + translate("About", "Networks") + "</b></p>",
        f"<table cellspacing='3'>{''.join(map(_row, NETWORKS))}</table>",
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


def _row(network: NetworkFact) -> str:
    names = {
        "digits": translate("About", "reads digits"),
        "digits_small": translate("About", "reads small print once more"),
        "grid": translate("About", "says which digit is likely where"),
        "constraint": translate("About", "is the rules themselves, never trained"),
    }
    weights = translate("About", "{} weights").format(QLocale().toString(network.weights))
    cells = (_link(network.page, names[network.stem]), f"&nbsp; {weights}")
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _link(page: Path, text: str) -> str:
    if not (_ROOT / page).is_file():
        return text
    return f'<a href="{page.as_posix()}">{text}</a>'


def _paragraph(text: str) -> str:
    return f"<p>{text}</p>"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "–"

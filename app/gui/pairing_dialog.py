"""The dialog behind "Use my phone…": the code to scan, and the phones that came."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDateTime, QLocale, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui.phone_link import INSTALL, Address, LinkState, PhoneLink
from app.gui.widgets import TickBox, enlarge, fill, follows_changes, in_scroll_area, tell

if TYPE_CHECKING:
    from app.serve.security.known_clients import Phone

_QUIET_ZONE: Final = 4
"""Modules of white around a QR code (ISO/IEC 18004)."""

MakeCode = Callable[[str], list[list[bool]]]

_MOST_ROWS_SEEN: Final = 3
"""More of them scroll: the code must stay large enough to be read."""


class CodeView(QWidget):
    """A QR code, always dark on white, whatever the theme: that is what phones read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[list[bool]] = []
        self.setMinimumSize(264, 264)

    def show_code(self, rows: list[list[bool]]) -> None:
        """Show a code, rows of modules, True where dark; none where empty."""
        self._rows = rows
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size that a phone reads from an arm's length."""
        return QSize(296, 296)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the code in whole pixels, so that its edges are sharp."""
        if not self._rows:
            return
        count = len(self._rows) + 2 * _QUIET_ZONE
        ratio = self.devicePixelRatioF()
        module = max(int(min(self.width(), self.height()) * ratio) // count, 1) / ratio
        side = module * count
        left, top = (self.width() - side) / 2, (self.height() - side) / 2
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("white"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(QRectF(left, top, side, side), 10, 10)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for row, modules in enumerate(self._rows, _QUIET_ZONE):
            for column, is_dark in enumerate(modules, _QUIET_ZONE):
                if is_dark:
                    x, y = left + column * module, top + row * module
                    painter.fillRect(QRectF(x, y, module, module), QColor("black"))
        painter.end()


@follows_changes
class PhoneDialog(QDialog):
    """Shows how a phone finds the page; it blocks nothing, and closing it ends nothing.

    Signals:
        begin_wanted: the server shall begin, as is ticked.
    """

    begin_wanted = Signal()

    def __init__(self, link: PhoneLink, make_code: MakeCode, parent: QWidget | None = None) -> None:
        """Make the dialog; `make_code` makes the QR code of an address."""
        super().__init__(parent)
        self._link, self._make_code = link, make_code
        self._photos = 0
        self._shown: Address | None = None
        self._build()
        self._retranslate()
        link.changed.connect(self._refresh)

    @property
    def is_encrypted(self) -> bool:
        """Whether the live camera is wanted, which browsers give to encrypted pages alone."""
        return self._live.isChecked()

    @property
    def has_authority(self) -> bool:
        """Whether phones shall install an authority once, and warn no more."""
        return self._own.isChecked()

    def choose(self, *, is_encrypted: bool, has_authority: bool) -> None:
        """Choose without beginning anything."""
        for box, is_on in ((self._live, is_encrypted), (self._own, has_authority)):
            box.blockSignals(True)
            box.setChecked(is_on)
            box.blockSignals(False)
        self._refresh()

    def count_photo(self) -> None:
        """Note that a photo has come."""
        self._photos += 1
        self._refresh()

    def _build(self) -> None:
        self._title = QLabel()
        enlarge(self._title, 1.3, is_bold=True)
        self._steps = QLabel()
        self.code = CodeView()
        self._waiting = QWidget()
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        self._beginning = QLabel()
        fill(
            QVBoxLayout(self._waiting),
            0,
            (self._beginning, 0, Qt.AlignmentFlag.AlignCenter),
            bar,
            0,
        )
        self._trouble = QLabel()
        self._trouble.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._trouble.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        enlarge(self._trouble)
        self._room = QStackedWidget()
        for page in (self._waiting, self.code, self._trouble):
            self._room.addWidget(page)
        self._place = QLabel()
        self._place.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy = QPushButton()
        self._copy.clicked.connect(self._copy_url)
        address = fill(QHBoxLayout(), 0, self._place, self._copy, 0)
        self._live = TickBox()
        self._own = TickBox()
        for box in (self._live, self._own):
            box.toggled.connect(lambda _: self.begin_wanted.emit())
        self.list = PhoneList()
        self.list.revoke_wanted.connect(self._link.revoke)
        self._certificate = QLabel()
        self._certificate.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._note = QLabel()
        self._count = QLabel()
        enlarge(self._count)
        for label in (self._steps, self._trouble, self._certificate, self._note, self._count):
            label.setWordWrap(True)
        self._again, self._stop, self._close = QPushButton(), QPushButton(), QPushButton()
        self._again.clicked.connect(lambda: self.begin_wanted.emit())
        self._stop.clicked.connect(self._end)
        self._close.clicked.connect(self.close)
        self._close.setDefault(True)
        self._close.setProperty("kind", "primary")
        buttons = fill(QHBoxLayout(), self._stop, 0, self._again, self._close)
        fill(
            QVBoxLayout(self),
            self._title,
            self._steps,
            (self._room, 1),
            address,
            self._count,
            self.list,
            self._live,
            self._own,
            self._certificate,
            self._note,
            buttons,
            margins=(24, 20, 24, 18),
            spacing=12,
        )
        self.setMinimumWidth(420)
        self._close.setFocus()

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Use my phone"))
        self._title.setText(self.tr("Scan this code with the phone"))
        self._steps.setText(
            self.tr(
                "The phone must be in the same Wi-Fi as this computer. Hold its camera before the "
                "code and open the page. The photos that it takes appear here, too."
            )
        )
        self._beginning.setText(self.tr("The page is being prepared …"))
        self.code.setAccessibleName(self.tr("Code with the address of the page"))
        self._copy.setText(self.tr("Copy the address"))
        self._copy.setToolTip(
            self.tr("With the secret that opens the page: give it to nobody you do not trust")
        )
        self._live.setText(self.tr("With the live camera on the phone (encrypted)"))
        self._own.setText(self.tr("Without a warning: phones install a certificate once"))
        self._own.setToolTip(
            self.tr(
                "This computer makes an authority of its own, which vouches for pages of the local "
                "network alone. Phones that install it trust whoever has its key, which stays here."
            )
        )
        self._again.setText(self.tr("Try again"))
        self._stop.setText(self.tr("Stop"))
        self._close.setText(self.tr("Close"))
        self._note.setText(self.tr("The page stays open until you stop it or close the window."))
        self._refresh()

    def _refresh(self) -> None:
        link = self._link
        is_on = link.state is LinkState.ON and link.address is not None
        has_failed = link.state is LinkState.FAILED
        self._show_address(link.address if is_on else None)
        if has_failed:
            tell(self._trouble, self._name_trouble())
            self._room.setCurrentWidget(self._trouble)
        elif is_on:
            self._room.setCurrentWidget(self.code)
        elif link.state is LinkState.OFF:
            tell(self._trouble, self.tr("The page is closed: no phone can open it."))
            self._room.setCurrentWidget(self._trouble)
        else:
            self._room.setCurrentWidget(self._waiting)
        tell(self._count, self._name_count() if is_on else "")
        self.list.show_phones(link.paired if is_on else ())
        self.list.setEnabled(is_on)
        self._steps.setVisible(not has_failed)
        self._note.setVisible(is_on)
        self._stop.setEnabled(link.is_on)
        self._again.setVisible(has_failed or link.state is LinkState.OFF)
        self._live.setEnabled(link.state is not LinkState.ENDING)
        self._own.setEnabled(link.state is not LinkState.ENDING)
        self._own.setVisible(self.is_encrypted)
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """Grow where what is said needs more room: the code must be seen whole."""
        layout = self.layout()
        needed = 0 if layout is None else layout.totalHeightForWidth(self.width())
        if self.height() < needed:
            self.resize(self.width(), needed)

    def _show_address(self, address: Address | None) -> None:
        if address is self._shown:
            return
        self._shown = address
        self.code.show_code([] if address is None else self._make_code(address.url))
        self._place.setText("" if address is None else address.place)
        self._copy.setVisible(address is not None)
        fingerprint = "" if address is None else address.fingerprint
        self._certificate.setVisible(bool(fingerprint))
        if fingerprint:
            warning = self.tr(
                "The phone warns of a certificate that it does not know. Go on there if it is this "
                "one (SHA-256):"
            )
            if self.has_authority and address is not None:
                warning = self.tr(
                    "On a phone that warns, install the certificate from {} once. Compare what the "
                    "phone shows with this (SHA-256):"
                ).format(f"{address.place}authority")
            self._certificate.setText(f"{warning}\n{_in_lines(fingerprint)}")

    def _name_trouble(self) -> str:
        if INSTALL in self._link.reason:
            needs = self.tr("The page for phones needs packages that are not installed. Install:")
            return f"{needs}\n\n{INSTALL}"
        failed = self.tr("The page for phones cannot be opened here.")
        return f"{failed}\n\n{self._link.reason}"

    def _name_count(self) -> str:
        phones = len(self._link.paired)
        address = self._link.address
        if address is not None and address.is_local_only:
            return self.tr(
                "This computer is in no network, so no phone can reach it: connect it to the Wi-Fi "
                "of the phone, then stop and begin again."
            )
        if not phones and not self._photos:
            return self.tr("Waiting for the phone …")
        told = self.tr("1 phone") if phones == 1 else self.tr("{} phones").format(phones)
        if not self._photos:
            return self.tr("{}, no photo yet").format(told)
        if self._photos == 1:
            return self.tr("{}, 1 photo").format(told)
        return self.tr("{0}, {1} photos").format(told, self._photos)

    def _copy_url(self) -> None:
        if self._link.address is not None:
            QGuiApplication.clipboard().setText(self._link.address.url)

    def _end(self) -> None:
        self._link.end()
        self.close()


def _in_lines(fingerprint: str) -> str:
    half = (len(fingerprint) + 1) // 2
    return f"{fingerprint[:half]}\n{fingerprint[half:]}"


@follows_changes
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
        fill(QVBoxLayout(self), self._area, self._remember, margins=(0, 0, 0, 0))
        self._retranslate()

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

    def _retranslate(self) -> None:
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
        fill(QHBoxLayout(row), (text, 1), remove, margins=(0, 0, 0, 0))
        return row

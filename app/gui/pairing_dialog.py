"""The dialog behind "Use my phone…": the code to scan, and the phones that came."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDateTime, QLocale, QRectF, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui.phone_link import INSTALL, WISHES, LinkState, PhoneLink
from app.gui.widgets import (
    Retold,
    TickBox,
    empty_layout,
    fill,
    follows_changes,
    in_scroll_area,
    keep_switch,
    make_button,
    make_label,
    put_words,
    tell,
)

if TYPE_CHECKING:
    from app.serve.security.known_clients import Phone
    from app.serve.server import PhoneServer

_QUIET_ZONE: Final = 4
"""Modules of white around a QR code (ISO/IEC 18004)."""

_LEAST_CODE_PX: Final = 220
"""Five pixels a module, which phones read from near by."""
_FRAME_PX: Final = 40
"""What the frame of the dialog may take of the screen's height."""

MakeCode = Callable[[str], list[list[bool]]]

_MOST_ROWS_SEEN: Final = 3
"""More of them scroll: the code must stay large enough to be read."""


class CodeView(QWidget):
    """A QR code, always dark on white, whatever the theme: that is what phones read."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[list[bool]] = []
        self.setMinimumSize(_LEAST_CODE_PX, _LEAST_CODE_PX)

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

    def __init__(
        self, link: PhoneLink, make_code: MakeCode, settings: QSettings, parent: QWidget
    ) -> None:
        """Make the dialog; `make_code` makes the QR code of an address."""
        super().__init__(parent)
        self._link, self._make_code = link, make_code
        self._photos = 0
        self._shown = ""
        self._build()
        for key, box in zip(WISHES, (self._live, self._own, self.list.remember), strict=True):
            keep_switch(settings, key, box)
        for box in (self._live, self._own):
            box.toggled.connect(lambda _: self.begin_wanted.emit())
        self.list.remember.toggled.connect(link.remember)
        self._refresh()
        link.changed.connect(self._refresh)

    def count_photo(self) -> None:
        """Note that a photo has come."""
        self._photos += 1
        self._refresh()

    def _build(self) -> None:
        Retold(self, lambda: self.tr("Use my phone"), self.setWindowTitle)
        title = make_label(
            lambda: self.tr("Scan this code with the phone"),
            factor=1.3,
            is_bold=True,
            is_wrapped=False,
        )
        self._steps = make_label(
            lambda: self.tr(
                "The phone must be in the same Wi-Fi as this computer. Hold its camera before the "
                "code and open the page. The photos that it takes appear here, too."
            )
        )
        self.code = put_words(CodeView(), name=lambda: self.tr("Code with the address of the page"))
        self._waiting = QWidget()
        beginning = make_label(lambda: self.tr("The page is being prepared …"), is_wrapped=False)
        bar = QProgressBar(minimum=0, maximum=0, textVisible=False)
        centre = Qt.AlignmentFlag.AlignCenter
        fill(QVBoxLayout(self._waiting), 0, (beginning, 0, centre), bar, 0)
        self._trouble = make_label(factor=1.1, is_copied=True, at=centre)
        self._room = QStackedWidget()
        for page in (self._waiting, self.code, self._trouble):
            self._room.addWidget(page)
        self._place = make_label(is_wrapped=False, is_copied=True, at=centre)
        self._copy = make_button(
            lambda: self.tr("Copy the address"),
            self._copy_url,
            tip=lambda: self.tr(
                "With the secret that opens the page: give it to nobody you do not trust"
            ),
        )
        self._live = put_words(
            TickBox(), lambda: self.tr("With the live camera on the phone (encrypted)")
        )
        self._own = put_words(
            TickBox(),
            lambda: self.tr("Without a warning: phones install a certificate once"),
            tip=lambda: self.tr(
                "This computer makes an authority of its own, which vouches for pages of the local "
                "network alone. Phones that install it trust whoever has its key, which stays here."
            ),
        )
        self.list = PhoneList(self._link.revoke)
        self._certificate = make_label(is_copied=True)
        self._note = make_label(
            lambda: self.tr("The page stays open until you stop it or close the window.")
        )
        self._count = make_label(factor=1.1)
        self._again = make_button(lambda: self.tr("Try again"), self.begin_wanted.emit)
        self._stop = make_button(lambda: self.tr("Stop"), self._end)
        close = make_button(lambda: self.tr("Close"), self.close, kind="primary")
        close.setDefault(True)
        fill(
            QVBoxLayout(self),
            title,
            self._steps,
            (self._room, 1),
            fill(QHBoxLayout(), 0, self._place, self._copy, 0),
            self._count,
            self.list,
            self._live,
            self._own,
            self._certificate,
            self._note,
            fill(QHBoxLayout(), self._stop, 0, self._again, close),
            margins=(24, 20, 24, 18),
            spacing=12,
        )
        self._room.setMinimumWidth(372)
        close.setFocus()

    def _retranslate(self) -> None:
        self._shown = ""
        self._refresh()

    def _refresh(self) -> None:
        link = self._link
        is_on = link.state is LinkState.ON
        has_failed = link.state is LinkState.FAILED
        self._show_address(link.server if is_on else None)
        room: QWidget = self.code if is_on else self._waiting
        if has_failed or link.state is LinkState.OFF:
            closed = self.tr("The page is closed: no phone can open it.")
            tell(self._trouble, self._name_trouble() if has_failed else closed)
            room = self._trouble
        self._room.setCurrentWidget(room)
        tell(self._count, self._name_count() if is_on else "")
        self.list.show_phones(link.paired if is_on else ())
        self.list.setEnabled(is_on)
        self._steps.setVisible(not has_failed)
        self._note.setVisible(is_on)
        self._stop.setEnabled(link.is_on)
        self._again.setVisible(has_failed or link.state is LinkState.OFF)
        self._live.setEnabled(link.state is not LinkState.ENDING)
        self._own.setEnabled(link.state is not LinkState.ENDING)
        self._own.setVisible(self._live.isChecked())
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """Grow where what is said needs more room, as far as the screen has it."""
        layout = self.layout()
        needed = 0 if layout is None else layout.totalHeightForWidth(self.width())
        needed = min(needed, self.screen().availableSize().height() - _FRAME_PX)
        if self.height() < needed:
            self.resize(self.width(), needed)

    def _show_address(self, server: "PhoneServer | None") -> None:
        url = "" if server is None else server.url
        if server is not None and url == self._shown:
            return
        self._shown = url
        self.code.show_code(self._make_code(url) if url else [])
        self._place.setText("" if server is None else server.place)
        self._copy.setVisible(server is not None)
        self._certificate.setVisible(server is not None and bool(server.fingerprint))
        if server is not None and server.fingerprint:
            warning = self.tr(
                "The phone warns of a certificate that it does not know. Go on there if it is this "
                "one (SHA-256):"
            )
            if self._own.isChecked():
                warning = self.tr(
                    "On a phone that warns, install the certificate from {} once. Compare what the "
                    "phone shows with this (SHA-256):"
                ).format(f"{server.place}authority")
            self._certificate.setText(f"{warning}\n{_in_lines(server.fingerprint)}")

    def _name_trouble(self) -> str:
        if INSTALL in self._link.reason:
            needs = self.tr("The page for phones needs packages that are not installed. Install:")
            return f"{needs}\n\n{INSTALL}"
        failed = self.tr("The page for phones cannot be opened here.")
        return f"{failed}\n\n{self._link.reason}"

    def _name_count(self) -> str:
        phones = len(self._link.paired)
        server = self._link.server
        if server is not None and server.is_local_only:
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
        if self._link.server is not None:
            QGuiApplication.clipboard().setText(self._link.server.url)

    def _end(self) -> None:
        self._link.end()
        self.close()


def _in_lines(fingerprint: str) -> str:
    half = (len(fingerprint) + 1) // 2
    return f"{fingerprint[:half]}\n{fingerprint[half:]}"


@follows_changes
class PhoneList(QWidget):
    """Lists phones, and asks whether they are remembered."""

    def __init__(self, revoke: Callable[[str], None]) -> None:
        """Make it; `revoke` is told the key of a phone that shall come in no more."""
        super().__init__()
        self._revoke = revoke
        self._phones: tuple[Phone, ...] = ()
        # Whether phones shall come in after a restart, too.
        self.remember = put_words(
            TickBox(),
            lambda: self.tr("Let these phones in again after a restart"),
            tip=lambda: self.tr("This computer then keeps a list of them, without their secrets"),
        )
        self._rows = fill(QVBoxLayout(), margins=(0, 0, 0, 0), spacing=4)
        rows = QWidget()
        rows.setLayout(self._rows)
        self._area = in_scroll_area(rows)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        fill(QVBoxLayout(self), self._area, self.remember, margins=(0, 0, 0, 0))
        self._retranslate()

    def show_phones(self, phones: "Sequence[Phone]") -> None:
        """Show these phones; those that are shown already keep their rows."""
        before, self._phones = self._phones, tuple(phones)
        old, new = ([(one.key, int(one.seen) // 60) for one in some] for some in (before, phones))
        if new != old:
            self._retranslate()

    def _retranslate(self) -> None:
        """List the phones."""
        empty_layout(self._rows)
        rows = [self._make_row(phone) for phone in self._phones]
        fill(self._rows, *rows)
        self._area.setVisible(bool(rows))
        heights = [row.sizeHint().height() for row in rows[:_MOST_ROWS_SEEN]]
        gaps = self._rows.spacing() * max(len(heights) - 1, 0)
        self._area.setFixedHeight(sum(heights) + gaps)

    def _make_row(self, phone: "Phone") -> QWidget:
        row = QWidget()
        name = phone.name if phone.name != "?" else self.tr("Phone of unknown kind")
        seen = QDateTime.fromSecsSinceEpoch(int(phone.seen))
        when = QLocale().toString(seen, QLocale.FormatType.ShortFormat)
        text = make_label(
            "{}\n{}".format(name, self.tr("{0}, here {1}").format(phone.address, when)),
            is_wrapped=False,
        )
        remove = make_button(
            lambda: self.tr("Remove"),
            lambda: self._revoke(phone.key),
            name=lambda: self.tr("Remove {}").format(name),
            tip=lambda: self.tr("It comes in no more, and the code gets a new secret"),
        )
        fill(QHBoxLayout(row), (text, 1), remove, margins=(0, 0, 0, 0))
        return row

"""What is seen of live pictures: frames with the digits of their board, and what the status line
says of them, calmly: it does not follow every flicker.
"""

from enum import Enum
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.board.cell_painting import paint_digit
from app.gui.board.outlines import (
    ON_DARK,
    ON_PAPER,
    PIXEL_CENTRE,
    cosmetic_pen,
    outline_board,
)
from app.gui.live.frame_worker import ShownFrame
from app.gui.theme import icon, theme_of
from app.gui.widgets import painting, put_words
from app.gui.window.status_line import Severity, StatusMessage, as_sentence
from app.live.live_view import LiveState
from app.report.board_marks import NUMBERS, symbols_of
from vision.media.video_frames import VideoPicture

translate = QCoreApplication.translate
_look_up = partial(translate, "LiveWord")
_SIGN_PX = 72

_AMBER: Final = QColor(217, 138, 0)
GO_ON: Final = "go_on"

AGAIN: Final = "again"
"""What the buttons of the status line ask for."""

_PATIENCE_SECONDS: Final = 0.4
"""How long something must last until it is said; a solution is told at once."""


class LiveScreen(QWidget):
    """Shows the frame that it was given last, and what belongs to that very frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame: ShownFrame | None = None
        """What is shown."""
        self.is_mirrored = False
        """Whether left and right change places."""
        self.setMinimumSize(320, 200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Every pixel is painted anyway.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        put_words(self, name=lambda: self.tr("Live picture"))

    def show_frame(self, frame: ShownFrame | None) -> None:
        """Show a frame, or that there is none."""
        self.frame = frame
        self.update()

    def set_mirrored(self, is_mirrored: bool) -> None:
        """Let left and right change places, or not."""
        self.is_mirrored = is_mirrored
        self.update()

    def picture_rect(self) -> QRectF:
        """Return where the frame lies in the widget; empty where there is none."""
        if self.frame is None:
            return QRectF()
        height, width = self.frame.picture.colour.shape[:2]
        scale = min(self.width() / width, self.height() / height)
        room = QRectF(0, 0, width * scale, height * scale)
        room.moveCenter(QRectF(self.rect()).center())
        return room

    def as_picture(self) -> QImage | None:
        """Return the frame in its own size with what is drawn on it, or None without one."""
        if self.frame is None:
            return None
        picture = _as_image(self.frame.picture).copy()
        with painting(picture) as painter:
            _paint_board(painter, self.frame, is_mirrored=False)
        return picture

    def sizeHint(self) -> QSize:
        """Return the proportions of most cameras."""
        return QSize(960, 540)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame, or a sign that there is none."""
        theme = theme_of(self)
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.canvas))
        if self.frame is not None:
            paint_frame(painter, self.frame, self.picture_rect(), is_mirrored=self.is_mirrored)
        else:
            room = QRectF(0, 0, _SIGN_PX, _SIGN_PX)
            room.moveCenter(QRectF(self.rect()).center())
            painter.setOpacity(0.35)
            icon("camera", theme.muted).paint(painter, room.toRect())
        painter.end()


def _as_image(picture: VideoPicture) -> QImage:
    """Return a picture of Qt that borrows a frame's pixels, which must outlive it."""
    height, width = picture.colour.shape[:2]
    return QImage(picture.colour.data, width, height, 4 * width, QImage.Format.Format_RGB32)


def paint_frame(painter: QPainter, frame: ShownFrame, room: QRectF, *, is_mirrored: bool) -> None:
    """Paint a frame into a room of its proportions, and over it what is known of the board in it.

    Digits that are written on what is mirrored stay readable.
    """
    image = _as_image(frame.picture)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    if is_mirrored:
        painter.translate(room.left() + room.right(), 0)
        painter.scale(-1, 1)
    painter.drawImage(room, image)
    painter.restore()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(room.topLeft())
    painter.scale(room.width() / image.width(), room.height() / image.height())
    _paint_board(painter, frame, is_mirrored=is_mirrored)
    painter.restore()


def _paint_board(painter: QPainter, frame: ShownFrame, *, is_mirrored: bool) -> None:
    view = frame.view
    if view.lattice is None:
        return
    lattice = view.lattice.copy()
    if is_mirrored:
        lattice[:, :, 0] = frame.picture.colour.shape[1] - 2 * PIXEL_CENTRE - lattice[:, :, 0]
    if view.opacity > 0:
        _paint_digits(painter, frame, lattice, is_mirrored=is_mirrored)
    if view.opacity < 1 and view.state is not LiveState.SEARCHING:
        _paint_outline(painter, frame, lattice)


def _paint_digits(
    painter: QPainter, frame: ShownFrame, lattice: npt.NDArray[np.float32], *, is_mirrored: bool
) -> None:
    inks = ON_DARK if frame.view.is_dark else ON_PAPER
    if is_mirrored:
        # So that digits are not reversed: the left corners of a cell are on its left again.
        lattice = lattice[:, ::-1]
    painter.save()
    painter.setOpacity(painter.opacity() * frame.view.opacity)
    last = len(lattice) - 2
    result = frame.view.result
    symbols = NUMBERS if result is None else symbols_of(result)
    for row, column in np.argwhere(frame.view.digits).tolist():
        symbol = symbols[int(frame.view.digits[row, column]) - 1]
        place = _place(lattice, row, last - column if is_mirrored else column)
        paint_digit(painter, place, symbol, inks.digit, inks.halo)
    painter.restore()


def _place(lattice: npt.NDArray[np.float32], row: int, column: int) -> QTransform:
    """Return what carries the unit square into a cell.

    Within one cell perspective is too weak to be seen, and without it curves stay curves, which
    paints a board in 2 ms instead of 200.
    """
    (a, b), (d, c) = lattice[row : row + 2, column : column + 2]
    across, down = (b - a + c - d) / 2, (d - a + c - b) / 2
    start = (a + b + c + d) / 4 - (across + down) / 2 + PIXEL_CENTRE
    return QTransform(*(float(value) for value in (*across, *down, *start)))


def _paint_outline(painter: QPainter, frame: ShownFrame, lattice: npt.NDArray[np.float32]) -> None:
    """Show which board is followed as long as its solution is not there."""
    path = outline_board(lattice.tolist())
    is_solved = frame.view.state is LiveState.SOLVED
    colour = QColor(ON_PAPER.digit if is_solved else _AMBER)
    colour.setAlphaF(0.9 * (1 - frame.view.opacity))
    for ink, width in ((QColor(255, 255, 255, colour.alpha() // 2), 5.0), (colour, 2.5)):
        painter.strokePath(path, cosmetic_pen(ink, width))


class CalmState:
    """Passes over states that are gone before they could be read."""

    def __init__(self) -> None:
        self._told = LiveState.SEARCHING
        self._coming = LiveState.SEARCHING
        self._since = 0.0

    def follow(self, state: LiveState, seconds: float) -> LiveState:
        """Return what to say in a state at a time, in seconds."""
        # Where a board was a moment ago it is looked for, as anywhere else.
        state = LiveState.SEARCHING if state is LiveState.LOST else state
        if state is not self._coming:
            self._coming, self._since = state, seconds
        if state is LiveState.SOLVED or seconds - self._since >= _PATIENCE_SECONDS:
            self._told = state
        return self._told


class LiveWord(Enum):
    """What there is to say: a severity, a headline, what to do next, and the button for that.

    Boards in `LiveState`s have the words of the same name.
    """

    GETTING_READY = Severity.WORKING, QT_TRANSLATE_NOOP("LiveWord", "Getting ready…")
    OPENING = Severity.WORKING, QT_TRANSLATE_NOOP("LiveWord", "Waiting for the first picture…")
    UNABLE = Severity.BAD, QT_TRANSLATE_NOOP("LiveWord", "Boards cannot be read here"), "{error}"
    NO_CAMERA = (
        Severity.IDLE,
        QT_TRANSLATE_NOOP("LiveWord", "No camera was found"),
        QT_TRANSLATE_NOOP("LiveWord", "Plug one in, or choose a video file or an address above."),
    )
    MISSING_PART = (
        Severity.DOUBTFUL,
        QT_TRANSLATE_NOOP("LiveWord", "Cameras need a part that is not installed"),
    )
    UNPLUGGED = (
        Severity.DOUBTFUL,
        QT_TRANSLATE_NOOP("LiveWord", "The camera was unplugged"),
        QT_TRANSLATE_NOOP("LiveWord", "Plug it in again and it goes on, or choose another source."),
    )
    FORBIDDEN = (
        Severity.DOUBTFUL,
        QT_TRANSLATE_NOOP("LiveWord", "The camera may not be used"),
        QT_TRANSLATE_NOOP(
            "LiveWord", "Allow it in the privacy settings of the system, then try again."
        ),
        QT_TRANSLATE_NOOP("LiveWord", "Try again"),
    )
    SILENT = (
        Severity.DOUBTFUL,
        QT_TRANSLATE_NOOP("LiveWord", "The camera shows no picture"),
        QT_TRANSLATE_NOOP(
            "LiveWord", "Perhaps another program uses it: close that one, then try again."
        ),
        QT_TRANSLATE_NOOP("LiveWord", "Try again"),
    )
    FAILED = (
        Severity.BAD,
        QT_TRANSLATE_NOOP("LiveWord", "This source cannot be shown"),
        "{error}",
        QT_TRANSLATE_NOOP("LiveWord", "Try again"),
    )
    NO_VIDEO = (
        Severity.BAD,
        QT_TRANSLATE_NOOP("LiveWord", "This source cannot be shown"),
        QT_TRANSLATE_NOOP(
            "LiveWord", "{name} is no video that can be played: choose another, such as an .mp4."
        ),
        QT_TRANSLATE_NOOP("LiveWord", "Try again"),
    )
    NO_ANSWER = (
        Severity.BAD,
        QT_TRANSLATE_NOOP("LiveWord", "This source cannot be shown"),
        QT_TRANSLATE_NOOP(
            "LiveWord", "Nothing was received from {name}: check the address and the network."
        ),
        QT_TRANSLATE_NOOP("LiveWord", "Try again"),
    )
    ENDED = (
        Severity.IDLE,
        QT_TRANSLATE_NOOP("LiveWord", "The video has ended"),
        "",
        QT_TRANSLATE_NOOP("LiveWord", "Play again"),
    )
    SEARCHING = (
        Severity.IDLE,
        QT_TRANSLATE_NOOP("LiveWord", "Looking for a Sudoku"),
        QT_TRANSLATE_NOOP("LiveWord", "Hold the page so that the whole grid is in the picture."),
    )
    READING = (
        Severity.WORKING,
        QT_TRANSLATE_NOOP("LiveWord", "Reading the digits…"),
        QT_TRANSLATE_NOOP("LiveWord", "Hold the page still for a moment."),
    )
    SOLVED = Severity.GOOD, QT_TRANSLATE_NOOP("LiveWord", "Solved")
    AMBIGUOUS = (
        Severity.DOUBTFUL,
        QT_TRANSLATE_NOOP("LiveWord", "More than one solution"),
        QT_TRANSLATE_NOOP(
            "LiveWord", "Perhaps a digit is hidden: come nearer, and hold the page flat."
        ),
    )
    NO_SOLUTION = (
        Severity.DOUBTFUL,
        QT_TRANSLATE_NOOP("LiveWord", "The digits contradict each other"),
        QT_TRANSLATE_NOOP("LiveWord", "Perhaps one is misread: come nearer, or get more light."),
    )
    UNREADABLE = (
        Severity.DOUBTFUL,
        QT_TRANSLATE_NOOP("LiveWord", "Not all digits can be read yet"),
        QT_TRANSLATE_NOOP("LiveWord", "Come nearer, hold the page still, or get more light."),
    )

    def __init__(
        self, severity: Severity, headline: str, detail: str = "", action: str = ""
    ) -> None:
        self._severity, self._words = severity, (headline, detail, action)

    def say(self, error: str = "") -> StatusMessage:
        """Return what the status line says; `error` is why, or the name of the source."""
        headline, detail, action = (_look_up(text) if text else "" for text in self._words)
        if self is LiveWord.SOLVED:
            headline = " · ".join([headline, translate("LiveWord", "exactly one solution")])
        elif self is LiveWord.MISSING_PART:
            others = translate("LiveWord", "Video files and addresses can be shown without it.")
            detail = f"{_advise_on_part(error)}. {others}"
        detail = detail.replace("{error}", as_sentence(error)).replace("{name}", error)
        return StatusMessage(self._severity, headline, detail, action, AGAIN if action else "")


def _advise_on_part(error: str) -> str:
    if "PySide6.QtMultimedia" in error and "No module" in error:
        return translate("LiveWord", "Install it with: pip install pyside6-addons")
    if "libpulse" in error:
        return translate("LiveWord", "Install it with: sudo apt install libpulse0")
    return translate("LiveWord", "The system says: {}").format(error)


def say_state(state: LiveState, *, is_frozen: bool) -> StatusMessage:
    """Return what to say of the board."""
    said = LiveWord[LiveState.SEARCHING.name if state is LiveState.LOST else state.name].say()
    if not is_frozen:
        return said
    frozen, action = translate("LiveWord", "The picture is frozen."), translate("LiveWord", "Go on")
    return StatusMessage(said.severity, said.headline, frozen, action, GO_ON)

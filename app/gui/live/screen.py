"""Shows live pictures, as large as they go."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.live.follower import ShownFrame
from app.gui.live.painting import as_image, paint_board, paint_frame
from app.gui.style.icons import icon
from app.gui.style.theme import theme_of

_SIGN_PX = 72


class LiveScreen(QWidget):
    """Shows the frame that it was given last, and what belongs to that very frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frame: ShownFrame | None = None
        self._is_mirrored = False
        self.setMinimumSize(320, 200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Every pixel is painted anyway.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(self.tr("Live picture"))

    @property
    def frame(self) -> ShownFrame | None:
        """What is shown."""
        return self._frame

    @property
    def is_mirrored(self) -> bool:
        """Whether left and right change places."""
        return self._is_mirrored

    def show_frame(self, frame: ShownFrame | None) -> None:
        """Show a frame, or that there is none."""
        self._frame = frame
        self.update()

    def set_mirrored(self, is_mirrored: bool) -> None:
        """Let left and right change places, or not."""
        self._is_mirrored = is_mirrored
        self.update()

    def picture_rect(self) -> QRectF:
        """Return where the frame lies in the widget; empty where there is none."""
        if self._frame is None:
            return QRectF()
        height, width = self._frame.picture.colour.shape[:2]
        scale = min(self.width() / width, self.height() / height)
        room = QRectF(0, 0, width * scale, height * scale)
        room.moveCenter(QRectF(self.rect()).center())
        return room

    def as_picture(self) -> QImage | None:
        """Return the frame in its own size with what is drawn on it, or None without one."""
        if self._frame is None:
            return None
        picture = as_image(self._frame.picture).copy()
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_board(painter, self._frame, is_mirrored=False)
        painter.end()
        return picture

    def sizeHint(self) -> QSize:
        """Return the proportions of most cameras."""
        return QSize(960, 540)

    def changeEvent(self, event: QEvent) -> None:
        """Speak another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.setAccessibleName(self.tr("Live picture"))
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame, or a sign that there is none."""
        theme = theme_of(self)
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.canvas))
        if self._frame is not None:
            paint_frame(painter, self._frame, self.picture_rect(), is_mirrored=self._is_mirrored)
        else:
            room = QRectF(0, 0, _SIGN_PX, _SIGN_PX)
            room.moveCenter(QRectF(self.rect()).center())
            painter.setOpacity(0.35)
            icon("camera", theme.muted).paint(painter, room.toRect())
        painter.end()

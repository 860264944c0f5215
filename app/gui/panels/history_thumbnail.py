"""The small picture of a puzzle in the list of the history: its photo, or else its digits."""

from typing import Final

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QWidget

from app.gui.board.picture import BoardInks, paint_board
from app.gui.style.theme import theme_of
from app.history_table import HistoryEntry

SIDE_PX: Final = 56


def draw_thumbnail(entry: HistoryEntry, widget: QWidget) -> QIcon:
    """Return the picture for a list, in the colours and as sharp as the screen of a widget."""
    ratio = widget.devicePixelRatioF()
    side = round(SIDE_PX * ratio)
    drawn = QPixmap(side, side)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setRenderHints(
        QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
    )
    place = QRectF(0, 0, side, side)
    rounded = QPainterPath()
    rounded.addRoundedRect(place, 0.08 * side, 0.08 * side)
    painter.setClipPath(rounded)
    photo = QPixmap()
    if entry.thumbnail and photo.loadFromData(QByteArray(entry.thumbnail)):
        size = photo.size().scaled(drawn.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        target = QRectF(0, 0, size.width(), size.height())
        target.moveCenter(place.center())
        painter.drawPixmap(target, photo, QRectF(photo.rect()))
    else:
        theme = theme_of(widget)
        painter.fillPath(rounded, QColor(theme.surface))
        inks = BoardInks(QColor(theme.text), QColor(theme.accent), QColor(theme.line))
        margin = 0.06 * side
        inner = place.adjusted(margin, margin, -margin, -margin)
        paint_board(painter, inner, entry.clues, None, inks)
    painter.end()
    drawn.setDevicePixelRatio(ratio)
    icon = QIcon(drawn)
    icon.addPixmap(drawn, QIcon.Mode.Selected)  # Qt would tint it
    return icon

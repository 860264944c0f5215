"""The photos that are open, small, one above the other."""

from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.gui.status_line import Mood, paint_mood
from app.gui.theme import theme_of

_THUMB: Final = QSize(104, 78)
_DOT_PX: Final = 20
"""From the lower right corner of a photo to where its dot begins."""
_KEY: Final = Qt.ItemDataRole.UserRole


class FilmStrip(QListWidget):
    """Lists documents by a key of the caller's.

    Signals:
        chosen: the key of the photo that is wanted.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setFlow(QListWidget.Flow.TopToBottom)
        self.setWrapping(False)
        self.setMovement(QListWidget.Movement.Static)
        self.setIconSize(_THUMB)
        self.setSpacing(7)
        self.setAcceptDrops(False)  # photos are dropped onto the window
        self.setFixedWidth(_THUMB.width() + 36)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentItemChanged.connect(self._tell)
        self._retranslate()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Open photos"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        elif event.type() == QEvent.Type.FontChange:
            for row in range(self.count()):
                self.item(row).setSizeHint(self._item_size())

    def put(self, key: object, name: str, picture: QImage | None, mood: Mood, text: str) -> None:
        """Add a photo, or change what is shown of it."""
        item = self._find(key)
        if item is None:
            item = QListWidgetItem()
            item.setData(_KEY, key)
            item.setSizeHint(self._item_size())
            self.blockSignals(True)
            self.addItem(item)
            self.blockSignals(False)
        item.setText(name)
        item.setToolTip(f"{name}\n{text}" if text else name)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}: {text}")
        drawn, made = self._draw(picture, mood), QIcon()
        # Without one of its own, the chosen photo would be tinted.
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            made.addPixmap(drawn, mode)
        item.setIcon(made)

    def remove(self, key: object) -> None:
        """Take a photo out."""
        item = self._find(key)
        if item is not None:
            self.blockSignals(True)
            self.takeItem(self.row(item))
            self.blockSignals(False)

    def show_chosen(self, key: object) -> None:
        """Mark the photo that is looked at."""
        item = self._find(key)
        self.blockSignals(True)
        if item is None:
            self.clearSelection()
        else:
            self.setCurrentItem(item, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.blockSignals(False)

    def _item_size(self) -> QSize:
        text_px = self.fontMetrics().lineSpacing()
        return QSize(_THUMB.width() + 12, _THUMB.height() + text_px + 14)

    def _find(self, key: object) -> QListWidgetItem | None:
        for row in range(self.count()):
            item = self.item(row)
            if item.data(_KEY) is key:
                return item
        return None

    def _tell(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_KEY))

    def _draw(self, picture: QImage | None, mood: Mood) -> QPixmap:
        theme, ratio = theme_of(self), 2
        pixmap = QPixmap(_THUMB * ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        frame = QPainterPath()
        frame.addRoundedRect(QRectF(pixmap.rect()), 8 * ratio, 8 * ratio)
        painter.setClipPath(frame)
        painter.fillRect(pixmap.rect(), QColor(theme.raised))
        if picture is not None:
            painter.drawImage(pixmap.rect(), picture, _middle(picture))
        painter.setClipping(False)
        painter.translate(pixmap.width() - _DOT_PX * ratio, pixmap.height() - _DOT_PX * ratio)
        painter.scale(0.8 * ratio, 0.8 * ratio)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.surface))
        painter.drawEllipse(QRectF(-1, -1, 24, 24))
        paint_mood(painter, theme, mood)
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        return pixmap


def _middle(picture: QImage) -> QRect:
    """Return the largest part in the middle that has a thumbnail's shape."""
    size = _THUMB.scaled(picture.size(), Qt.AspectRatioMode.KeepAspectRatio)
    left = (picture.width() - size.width()) // 2
    return QRect(left, (picture.height() - size.height()) // 2, size.width(), size.height())

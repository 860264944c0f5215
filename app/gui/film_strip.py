"""The photos that are open, small, one above the other: all of them, or those of one outcome."""

import enum
import re
import time
import weakref
from dataclasses import dataclass, field
from typing import Any, Final

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QIcon, QImage, QMouseEvent, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.gui.status_line import Mood, paint_mood
from app.gui.theme import theme_of

_THUMB: Final = QSize(104, 78)
_DOT_PX: Final = 20
"""From the lower right corner of a photo to where its dot begins."""
_NUMBER: Final = re.compile(r"(\d+)")


class Standing(enum.IntEnum):
    """How a photo ended, as far as a list of hundreds is sorted by it."""

    SOLVED = 0
    DOUBTFUL = 1
    """Solved, but not every digit was read for sure."""
    UNSOLVED = 2
    WORKING = 3


class Order(enum.Enum):
    """What a list of photos is sorted by."""

    OPENED = enum.auto()
    NAME = enum.auto()
    DATE = enum.auto()
    OUTCOME = enum.auto()


@dataclass(frozen=True)
class Frame:
    """What is shown of one photo.

    Attributes:
        name: what it is called.
        picture: the photo, small; None until it is loaded.
        mood: the colour and sign of its dot.
        text: how it stands, in a few words.
        standing: the same for sorting and filtering.
        date: in seconds since 1970.
    """

    name: str
    picture: QImage | None = None
    mood: Mood = Mood.IDLE
    text: str = ""
    standing: Standing = Standing.WORKING
    date: float = field(default_factory=time.time)


class FilmStrip(QListWidget):
    """Lists documents by a key of the caller's.

    Signals:
        chosen: the key of the photo that is wanted.
        counted: something was added, taken out or changed, or is shown now and was not before.
    """

    chosen = Signal(object)
    counted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: dict[object, _Item] = {}
        self._order = Order.OPENED
        self._wanted: Standing | None = None
        # Also of those that were taken out and may come back.
        self._numbers: weakref.WeakKeyDictionary[object, int] = weakref.WeakKeyDictionary()
        self._opened = 0
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
        self.setSortingEnabled(True)
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
            for item in self._items.values():
                item.setSizeHint(self._item_size())

    @property
    def standings(self) -> list[Standing]:
        """How all photos stand, whether they are shown or not."""
        return [item.frame.standing for item in self._items.values()]

    @property
    def shown(self) -> list[object]:
        """The keys of the photos that are shown, from top to bottom."""
        rows = (self.item(row) for row in range(self.count()))
        return [item.key for item in rows if isinstance(item, _Item) and not item.isHidden()]

    def put(self, key: object, frame: Frame) -> None:
        """Add a photo, or change what is shown of it."""
        item = self._items.get(key)
        self.blockSignals(True)
        if item is None:
            if key not in self._numbers:
                self._opened += 1
                self._numbers[key] = self._opened
            item = _Item(self, key, self._numbers[key], frame)
            item.setSizeHint(self._item_size())
            item.rank = item.rank_by(self._order)
            self._items[key] = item
            self.addItem(item)
        item.show_frame(frame)
        item.rank = item.rank_by(self._order)
        # Said after the rank is known, as it puts the photo into its place.
        item.setText(frame.name)
        item.setHidden(not self._is_wanted(item))
        self.blockSignals(False)
        self.counted.emit()

    def remove(self, key: object) -> None:
        """Take a photo out."""
        item = self._items.pop(key, None)
        if item is not None:
            self.blockSignals(True)
            self.takeItem(self.row(item))
            self.blockSignals(False)
            self.counted.emit()

    def show_chosen(self, key: object) -> None:
        """Mark the photo that is looked at."""
        item = self._items.get(key)
        self.blockSignals(True)
        if item is None:
            self.clearSelection()
        else:
            self.setCurrentItem(item, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.blockSignals(False)

    def sort_by(self, order: Order) -> None:
        """Sort the photos otherwise."""
        self._order = order
        for item in self._items.values():
            item.rank = item.rank_by(order)
        self.sortItems()
        self._scroll_to_current()
        self.counted.emit()

    def show_only(self, standing: Standing | None) -> None:
        """Show the photos that ended so, or all of them."""
        self._wanted = standing
        for item in self._items.values():
            item.setHidden(not self._is_wanted(item))
        self._scroll_to_current()
        self.counted.emit()

    def neighbour(self, key: object, step: int) -> object | None:
        """Return the key of the photo that is shown so far below another one, or above it.

        After the last comes the first. The other one need not be shown itself.

        Returns:
            None where no other photo is shown.
        """
        item = self._items.get(key)
        row, count = (-1 if item is None else self.row(item)), self.count()
        for _ in range(count):
            row = (row + step) % count
            found = self.item(row)
            if isinstance(found, _Item) and found is not item and not found.isHidden():
                return found.key
        return None

    def key_under(self, place: QPoint) -> object | None:
        """Return the key of the photo at a place of the viewport, None beside all of them."""
        item = self.itemAt(place)
        return item.key if isinstance(item, _Item) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a photo; what only its menu is opened for need not be loaded."""
        if event.button() != Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    def _is_wanted(self, item: "_Item") -> bool:
        return self._wanted in (None, item.frame.standing)

    def _scroll_to_current(self) -> None:
        item = self.currentItem()
        if item is not None and not item.isHidden():
            self.scrollToItem(item)

    def _item_size(self) -> QSize:
        text_px = self.fontMetrics().lineSpacing()
        return QSize(_THUMB.width() + 12, _THUMB.height() + text_px + 14)

    def _tell(self, item: QListWidgetItem | None) -> None:
        if isinstance(item, _Item):
            self.chosen.emit(item.key)


class _Item(QListWidgetItem):
    """A photo of the list; its picture is drawn when it is first seen."""

    def __init__(self, strip: FilmStrip, key: object, number: int, frame: Frame) -> None:
        super().__init__()
        self._strip, self._number = strip, number
        self._icon: QIcon | None = None
        self.key, self.frame = key, frame
        self.rank: tuple[Any, ...] = ()

    def __lt__(self, other: QListWidgetItem) -> bool:
        return isinstance(other, _Item) and self.rank < other.rank

    def rank_by(self, order: Order) -> tuple[Any, ...]:
        """Return what is compared; of what is equal, the photo that was opened first is first."""
        if order is Order.NAME:
            # Words and numbers alternate, so that 2.jpg comes before 10.jpg.
            parts = _NUMBER.split(self.frame.name.casefold())
            return [int(part) if part.isdigit() else part for part in parts], self._number
        if order is Order.DATE:
            return self.frame.date, self._number
        if order is Order.OUTCOME:
            return self.frame.standing, self._number
        return (self._number,)

    def show_frame(self, frame: Frame) -> None:
        """Show something else of the photo."""
        self.frame, self._icon = frame, None
        name, text = frame.name, frame.text
        self.setToolTip(f"{name}\n{text}" if text else name)
        self.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}: {text}")

    def data(self, role: int) -> Any:
        """Return what Qt asks for; of hundreds of pictures only the few are drawn that are seen."""
        if role != Qt.ItemDataRole.DecorationRole:
            return super().data(role)
        if self._icon is None:
            self._icon, drawn = QIcon(), _draw(self.frame, self._strip)
            # Without one of its own, the chosen photo would be tinted.
            for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
                self._icon.addPixmap(drawn, mode)
        return self._icon


def _draw(frame: Frame, strip: QWidget) -> QPixmap:
    theme, ratio = theme_of(strip), 2
    pixmap = QPixmap(_THUMB * ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    border = QPainterPath()
    border.addRoundedRect(QRectF(pixmap.rect()), 8 * ratio, 8 * ratio)
    painter.setClipPath(border)
    painter.fillRect(pixmap.rect(), QColor(theme.raised))
    if frame.picture is not None:
        painter.drawImage(pixmap.rect(), frame.picture, _middle(frame.picture))
    painter.setClipping(False)
    painter.translate(pixmap.width() - _DOT_PX * ratio, pixmap.height() - _DOT_PX * ratio)
    painter.scale(0.8 * ratio, 0.8 * ratio)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.surface))
    painter.drawEllipse(QRectF(-1, -1, 24, 24))
    paint_mood(painter, theme, frame.mood)
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _middle(picture: QImage) -> QRect:
    """Return the largest part in the middle that has a thumbnail's shape."""
    size = _THUMB.scaled(picture.size(), Qt.AspectRatioMode.KeepAspectRatio)
    left = (picture.width() - size.width()) // 2
    return QRect(left, (picture.height() - size.height()) // 2, size.width(), size.height())

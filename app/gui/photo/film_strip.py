"""The photos that are open, small, one above the other.

A line above them tells how many there are, and chooses which of them are shown.
"""

import bisect
import enum
import re
import time
import weakref
from dataclasses import dataclass, field
from typing import Any, Final

from PySide6.QtCore import QItemSelectionModel, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QIcon,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.gui.theme import theme_of
from app.gui.widgets import ListBox, fill, follows_changes, painting
from app.gui.window.status_line import Mood, paint_mood

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


class ListOrder(enum.Enum):
    """What a list of photos is sorted by."""

    OPENED = enum.auto()
    NAME = enum.auto()
    DATE = enum.auto()
    OUTCOME = enum.auto()


@dataclass(frozen=True)
class ListedPhoto:
    """What is shown of one photo.

    Attributes:
        picture: the photo, small; None until it is loaded.
        mood: the colour and sign of its dot.
        date: in seconds since 1970.
    """

    name: str
    picture: QImage | None = None
    mood: Mood = Mood.IDLE
    text: str = ""
    standing: Standing = Standing.WORKING
    date: float = field(default_factory=time.time)


@follows_changes
class FilmStrip(QListWidget):
    """Lists documents by a key of the caller's.

    Qt asks Python for nothing while it lays hundreds of photos out: each question would have to
    wait until the threads that read photos let Python go.

    Signals:
        chosen: the key of the photo that is wanted.
        counted: something was added, taken out or changed, or is shown now and was not before.
    """

    chosen = Signal(object)
    counted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: dict[object, _Entry] = {}
        self._rows: list[_Entry] = []
        self._order = ListOrder.OPENED
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
        self.currentItemChanged.connect(self._tell)
        self._drawing = QTimer(self, singleShot=True, interval=0)
        self._drawing.timeout.connect(self._draw_seen)
        self.verticalScrollBar().valueChanged.connect(self._draw_soon)
        self.verticalScrollBar().rangeChanged.connect(self._draw_soon)
        self._retranslate()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Open photos"))

    def _refit(self) -> None:
        for entry in self._rows:
            entry.item.setSizeHint(self._item_size())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw what comes into view."""
        super().resizeEvent(event)
        self._draw_soon()

    @property
    def standings(self) -> list[Standing]:
        """How all photos stand, whether they are shown or not."""
        return [entry.frame.standing for entry in self._rows]

    @property
    def shown(self) -> list[object]:
        """The keys of the photos that are shown, from top to bottom."""
        return [entry.key for entry in self._rows if self._is_wanted(entry)]

    def put(self, key: object, frame: ListedPhoto) -> None:
        """Add a photo, or change what is shown of it."""
        self.blockSignals(True)
        entry = self._entries.get(key)
        if entry is None:
            if key not in self._numbers:
                self._opened += 1
                self._numbers[key] = self._opened
            item = QListWidgetItem()
            item.setSizeHint(self._item_size())
            entry = _Entry(key, self._numbers[key], item, frame)
            self._entries[key] = entry
            self._insert(entry)
        elif entry.rank_by(self._order, frame) != entry.rank_by(self._order):
            is_current = self.currentItem() is entry.item
            self.takeItem(self._rows.index(entry))
            self._rows.remove(entry)
            entry.frame = frame
            self._insert(entry)
            if is_current:
                self.setCurrentItem(entry.item)
        entry.show_frame(frame)
        entry.item.setHidden(not self._is_wanted(entry))
        self.blockSignals(False)
        self._draw_soon()
        self.counted.emit()

    def remove(self, key: object) -> None:
        """Take a photo out."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.blockSignals(True)
            self.takeItem(self._rows.index(entry))
            self.blockSignals(False)
            self._rows.remove(entry)
            self._draw_soon()
            self.counted.emit()

    def show_chosen(self, key: object) -> None:
        """Mark the photo that is looked at."""
        entry = self._entries.get(key)
        self.blockSignals(True)
        if entry is None:
            self.clearSelection()
        elif self.currentItem() is not entry.item or not entry.item.isSelected():
            self.setCurrentItem(entry.item, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.blockSignals(False)

    def sort_by(self, order: ListOrder) -> None:
        """Sort the photos otherwise."""
        self._order = order
        self._rows.sort(key=self._rank)
        current = self.currentItem()
        self.blockSignals(True)
        for row, entry in enumerate(self._rows):
            self.insertItem(row, self.takeItem(self.row(entry.item)))
            entry.item.setHidden(not self._is_wanted(entry))
        if current is not None:
            self.setCurrentItem(current)
        self.blockSignals(False)
        self._see_current()

    def show_only(self, standing: Standing | None) -> None:
        """Show the photos that ended so, or all of them."""
        self._wanted = standing
        for entry in self._rows:
            entry.item.setHidden(not self._is_wanted(entry))
        self._see_current()

    def neighbour(self, key: object, step: int) -> object | None:
        """Return the key of the photo that is shown so far below another one, or above it.

        After the last comes the first. The other one need not be shown itself. None where no other
        is.
        """
        entry, count = self._entries.get(key), len(self._rows)
        row = -1 if entry is None else self._rows.index(entry)
        for _ in range(count):
            row = (row + step) % count
            found = self._rows[row]
            if found is not entry and self._is_wanted(found):
                return found.key
        return None

    def key_under(self, place: QPoint) -> object | None:
        """Return the key of the photo at a place of the viewport, None beside all of them."""
        row = self.indexAt(place).row()
        return self._rows[row].key if row >= 0 else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a photo; what only its menu is opened for need not be loaded."""
        if event.button() != Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    def _insert(self, entry: "_Entry") -> None:
        row = bisect.bisect(self._rows, self._rank(entry), key=self._rank)
        self._rows.insert(row, entry)
        self.insertItem(row, entry.item)

    def _rank(self, entry: "_Entry") -> tuple[Any, ...]:
        return entry.rank_by(self._order)

    def _is_wanted(self, entry: "_Entry") -> bool:
        return self._wanted in (None, entry.frame.standing)

    def _see_current(self) -> None:
        item = self.currentItem()
        if item is not None and not item.isHidden():
            self.scrollToItem(item)
        self._draw_soon()
        self.counted.emit()

    def _item_size(self) -> QSize:
        text_px = self.fontMetrics().lineSpacing()
        return QSize(_THUMB.width() + 12, _THUMB.height() + text_px + 14)

    def _tell(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(self._rows[self.row(item)].key)

    def _draw_soon(self) -> None:
        self._drawing.start()

    def _draw_seen(self) -> None:
        """Draw the pictures in view that are not drawn yet: of hundreds they are a few."""
        height, middle, row = self.viewport().height(), self.viewport().width() // 2, -1
        for y in range(0, height, self.spacing()):
            row = self.indexAt(QPoint(middle, y)).row()
            if row >= 0:
                break
        for entry in self._rows[row:] if row >= 0 else []:
            if not self._is_wanted(entry):
                continue
            if self.visualItemRect(entry.item).top() > height:
                break
            if not entry.is_drawn:
                entry.draw(self)


@dataclass(eq=False)
class _Entry:
    key: object
    number: int
    item: QListWidgetItem
    frame: ListedPhoto
    is_drawn: bool = False

    def rank_by(self, order: ListOrder, frame: ListedPhoto | None = None) -> tuple[Any, ...]:
        frame = frame or self.frame
        if order is ListOrder.NAME:
            # Words and numbers alternate, so that 2.jpg comes before 10.jpg.
            parts = _NUMBER.split(frame.name.casefold())
            return [int(part) if part.isdigit() else part for part in parts], self.number
        if order is ListOrder.DATE:
            return frame.date, self.number
        if order is ListOrder.OUTCOME:
            return frame.standing, self.number
        return (self.number,)

    def show_frame(self, frame: ListedPhoto) -> None:
        self.frame, self.is_drawn = frame, False
        name, text = frame.name, frame.text
        self.item.setText(name)
        self.item.setToolTip(f"{name}\n{text}" if text else name)
        self.item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}: {text}")

    def draw(self, strip: QWidget) -> None:
        self.is_drawn = True
        drawn, made = _draw(self.frame, strip), QIcon()
        # Without one of its own, the chosen photo would be tinted.
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            made.addPixmap(drawn, mode)
        self.item.setIcon(made)


def _draw(frame: ListedPhoto, strip: QWidget) -> QPixmap:
    theme, ratio = theme_of(strip), 2
    pixmap = QPixmap(_THUMB * ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with painting(pixmap) as painter:
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
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _middle(picture: QImage) -> QRect:
    """Return the largest part in the middle that has a thumbnail's shape."""
    size = _THUMB.scaled(picture.size(), Qt.AspectRatioMode.KeepAspectRatio)
    left = (picture.width() - size.width()) // 2
    return QRect(left, (picture.height() - size.height()) // 2, size.width(), size.height())


@follows_changes
class PhotoList(QWidget):
    """Stands beside the photo as soon as there are several."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.strip = FilmStrip()
        self._count = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._outcome, self._order = ListBox(), ListBox()
        for standing in (None, Standing.SOLVED, Standing.DOUBTFUL, Standing.UNSOLVED):
            self._outcome.addItem("", standing)
        for order in ListOrder:
            self._order.addItem("", order)
        for box in (self._outcome, self._order):
            box.setSizeAdjustPolicy(ListBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(4)
        self._outcome.activated.connect(self._choose_outcome)
        self._order.activated.connect(
            lambda: self.strip.sort_by(ListOrder(self._order.currentData()))
        )
        self.strip.counted.connect(self._tell_count)
        head = QVBoxLayout()
        head.setContentsMargins(8, 8, 8, 2)
        head.setSpacing(5)
        for part in (self._count, self._outcome, self._order):
            head.addWidget(part)
        fill(QVBoxLayout(self), head, (self.strip, 1), margins=(0, 0, 0, 0), spacing=0)
        self.setFixedWidth(self.strip.minimumWidth())
        self._retranslate()

    def _retranslate(self) -> None:
        outcomes = (
            self.tr("All"), self.tr("Solved"), self.tr("In doubt"), self.tr("Not solved")
        )  # fmt: skip
        orders = (
            self.tr("As opened"), self.tr("By name"), self.tr("By date"), self.tr("By outcome")
        )  # fmt: skip
        for box, names in ((self._outcome, outcomes), (self._order, orders)):
            for number, name in enumerate(names):
                box.setItemText(number, name)
        self._outcome.setAccessibleName(self.tr("Show photos by outcome"))
        self._outcome.setToolTip(self.tr("Which photos are listed"))
        self._order.setAccessibleName(self.tr("Sort the photos"))
        self._order.setToolTip(self.tr("How the photos are sorted"))
        self._tell_count()

    def _choose_outcome(self) -> None:
        wanted = self._outcome.currentData()
        self.strip.show_only(None if wanted is None else Standing(wanted))

    def _tell_count(self) -> None:
        standings = self.strip.standings
        count, wanted = len(standings), self._outcome.currentData()
        done = count - standings.count(Standing.WORKING)
        if wanted is not None:
            text, said = self.tr("{0} of {1}"), self.tr("{0} of {1} photos are shown")
            part = standings.count(Standing(wanted))
        elif done < count:
            text, said = self.tr("{0} of {1}"), self.tr("{0} of {1} photos are done")
            part = done
        else:
            text, said = self.tr("{1} open"), self.tr("All {1} photos are shown")
            part = count
        self._count.setText(text.format(part, count))
        self._count.setToolTip(said.format(part, count))
        self._count.setAccessibleName(said.format(part, count))

"""The photos that are open, small, one above the other.

A line above them tells how many there are, and chooses which of them are shown.
"""

import enum
import re
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QIcon,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPixmap,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from app.gui.theme import theme_of
from app.gui.widgets import ListBox, fill, follows_changes, make_label, painting, put_words
from app.gui.window.status_line import Severity, paint_severity

_THUMB: Final = QSize(104, 78)
_DOT_PX: Final = 20
"""From the lower right corner of a photo to where its dot begins."""
_NUMBER: Final = re.compile(r"\d+")
_USER: Final = Qt.ItemDataRole.UserRole


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

    @property
    def role(self) -> int:
        """Under which a list of Qt finds what it is sorted by."""
        return _USER + self.value


_KEY: Final = _USER + 10
_FRAME: Final = _USER + 11
_STANDING: Final = _USER + 12
_IS_DRAWN: Final = _USER + 13


@dataclass(frozen=True)
class ListedPhoto:
    """What is shown of one photo.

    Attributes:
        picture: the photo, small; None until it is loaded.
        severity: the colour and sign of its dot.
        date: in seconds since 1970.
    """

    name: str
    picture: QImage | None = None
    severity: Severity = Severity.IDLE
    text: str = ""
    standing: Standing = Standing.WORKING
    date: float = field(default_factory=time.time)


@follows_changes
class FilmStrip(QListView):
    """Lists documents by a key of the caller's.

    Qt sorts and filters by what it was given, and asks Python for nothing while it lays hundreds of
    photos out: each question would have to wait until the threads that read photos let Python go.

    Signals:
        chosen: the key of the photo that is wanted.
        counted: something was added, taken out or changed, or is shown now and was not before.
    """

    chosen = Signal(object)
    counted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._items: dict[object, QStandardItem] = {}
        self._chosen: object = None
        # Also of those that were taken out and may come back.
        self._numbers: weakref.WeakKeyDictionary[object, int] = weakref.WeakKeyDictionary()
        self._opened = 0
        self._all = QStandardItemModel(self)
        self._listed = QSortFilterProxyModel(self)
        self._listed.setFilterRole(_STANDING)
        self._listed.setSortRole(ListOrder.OPENED.role)
        self._listed.setSourceModel(self._all)
        self._listed.sort(0)
        self.setModel(self._listed)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setFlow(QListView.Flow.TopToBottom)
        self.setWrapping(False)
        self.setMovement(QListView.Movement.Static)
        self.setIconSize(_THUMB)
        self.setSpacing(7)
        self.setAcceptDrops(False)  # photos are dropped onto the window
        self.setFixedWidth(_THUMB.width() + 36)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(self._tell)
        self._drawing = QTimer(self, singleShot=True, interval=0)
        self._drawing.timeout.connect(self._draw_seen)
        self.verticalScrollBar().valueChanged.connect(self._draw_soon)
        self.verticalScrollBar().rangeChanged.connect(self._draw_soon)
        put_words(self, name=lambda: self.tr("Open photos"))

    def _refit(self) -> None:
        for item in self._items.values():
            item.setSizeHint(self._item_size())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw what comes into view."""
        super().resizeEvent(event)
        self._draw_soon()

    @property
    def standings(self) -> list[Standing]:
        """How all photos stand, whether they are shown or not."""
        return [item.data(_FRAME).standing for item in self._items.values()]

    @property
    def shown(self) -> list[Any]:
        """The keys of the photos that are shown, from top to bottom."""
        return [self._listed.index(row, 0).data(_KEY) for row in range(self._listed.rowCount())]

    def put(self, key: object, frame: ListedPhoto) -> None:
        """Add a photo, or change what is shown of it."""
        if key not in self._numbers:
            self._opened += 1
            self._numbers[key] = self._opened
        known = self._items.get(key)
        item = known or QStandardItem()
        # Words and numbers alternate, so that 2.jpg comes before 10.jpg.
        name = _NUMBER.sub(lambda number: number[0].zfill(20), frame.name.casefold())
        texts = frame.name, frame.text
        with self._keeping_choice():
            for role, value in (
                (_FRAME, frame),
                (_IS_DRAWN, False),
                (_STANDING, str(frame.standing.value)),
                (Qt.ItemDataRole.DisplayRole, frame.name),
                (Qt.ItemDataRole.ToolTipRole, "\n".join(filter(None, texts))),
                (Qt.ItemDataRole.AccessibleTextRole, ": ".join(texts)),
                (ListOrder.OPENED.role, ""),
                (ListOrder.NAME.role, name),
                (ListOrder.DATE.role, f"{frame.date:020.6f}"),
                (ListOrder.OUTCOME.role, str(frame.standing.value)),
            ):
                is_rank = role in range(_USER, _KEY)
                item.setData(f"{value}\n{self._numbers[key]:09}" if is_rank else value, role)
            if known is None:
                item.setData(key, _KEY)
                item.setSizeHint(self._item_size())
                self._items[key] = item
                self._all.appendRow(item)

    def remove(self, key: object) -> None:
        """Take a photo out."""
        item = self._items.pop(key, None)
        if item is not None:
            with self._keeping_choice():
                self._all.removeRow(item.row())

    def show_chosen(self, key: object) -> None:
        """Mark the photo that is looked at."""
        self._chosen = key
        self.blockSignals(True)
        index = self._index_of(key)
        if not index.isValid():
            self.selectionModel().clear()
        elif index != self.currentIndex() or not self.selectionModel().isSelected(index):
            select = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(index, select)
        self.blockSignals(False)

    def sort_by(self, order: ListOrder) -> None:
        """Sort the photos otherwise."""
        with self._keeping_choice():
            self._listed.setSortRole(order.role)
        self.scrollTo(self._index_of(self._chosen))

    def show_only(self, standing: Standing | None) -> None:
        """Show the photos that ended so, or all of them."""
        with self._keeping_choice():
            self._listed.setFilterFixedString("" if standing is None else str(standing.value))
        self.scrollTo(self._index_of(self._chosen))

    def neighbour(self, key: object, step: int) -> Any:
        """Return the key of the photo that is shown so far below another one, or above it.

        After the last comes the first. The other one need not be shown itself. None where no other
        is.
        """
        order = sorted(self._items.values(), key=lambda one: one.data(self._listed.sortRole()))
        keys, shown = [one.data(_KEY) for one in order], set(self.shown)
        place = keys.index(key) if key in self._items else -1
        around = (keys[(place + step * far) % len(keys)] for far in range(1, len(keys) + 1))
        return next((one for one in around if one in shown and one is not key), None)

    def key_under(self, place: QPoint) -> Any:
        """Return the key of the photo at a place of the viewport, None beside all of them."""
        return self.indexAt(place).data(_KEY)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a photo; what only its menu is opened for need not be loaded."""
        if event.button() != Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    @contextmanager
    def _keeping_choice(self) -> Iterator[None]:
        """Change what is listed: Qt chooses another photo in place of one that is taken out."""
        self.blockSignals(True)
        try:
            yield
        finally:
            self.show_chosen(self._chosen)
        self._draw_soon()
        self.counted.emit()

    def _index_of(self, key: object) -> QModelIndex:
        item = self._items.get(key)
        return QModelIndex() if item is None else self._listed.mapFromSource(item.index())

    def _item_size(self) -> QSize:
        text_px = self.fontMetrics().lineSpacing()
        return QSize(_THUMB.width() + 12, _THUMB.height() + text_px + 14)

    def _tell(self, current: QModelIndex | QPersistentModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(current.data(_KEY))

    def _draw_soon(self) -> None:
        self._drawing.start()

    def _draw_seen(self) -> None:
        """Draw the pictures in view that are not drawn yet: of hundreds they are a few."""
        height, middle = self.viewport().height(), self.viewport().width() // 2
        at = (self.indexAt(QPoint(middle, y)) for y in range(0, height, self.spacing()))
        first = next((index.row() for index in at if index.isValid()), self._listed.rowCount())
        for row in range(first, self._listed.rowCount()):
            index = self._listed.index(row, 0)
            if self.visualRect(index).top() > height:
                break
            if not index.data(_IS_DRAWN):
                drawn, made = _draw(index.data(_FRAME), self), QIcon()
                # Without one of its own, the chosen photo would be tinted.
                for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
                    made.addPixmap(drawn, mode)
                self._listed.setData(index, made, Qt.ItemDataRole.DecorationRole)
                self._listed.setData(index, True, _IS_DRAWN)


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
        paint_severity(painter, theme, frame.severity)
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

    def __init__(self) -> None:
        super().__init__()
        self.strip = FilmStrip()
        self._count = make_label(is_wrapped=False, at=Qt.AlignmentFlag.AlignCenter)
        self._outcome = ListBox(
            lambda: (
                (self.tr("All"), None),
                (self.tr("Solved"), Standing.SOLVED),
                (self.tr("In doubt"), Standing.DOUBTFUL),
                (self.tr("Not solved"), Standing.UNSOLVED),
            ),
            name=lambda: self.tr("Show photos by outcome"),
            tip=lambda: self.tr("Which photos are listed"),
        )
        self._order = ListBox(
            lambda: (
                (self.tr("As opened"), ListOrder.OPENED),
                (self.tr("By name"), ListOrder.NAME),
                (self.tr("By date"), ListOrder.DATE),
                (self.tr("By outcome"), ListOrder.OUTCOME),
            ),
            name=lambda: self.tr("Sort the photos"),
            tip=lambda: self.tr("How the photos are sorted"),
        )
        for box in (self._outcome, self._order):
            box.setSizeAdjustPolicy(ListBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(4)
        self._outcome.activated.connect(lambda: self.strip.show_only(self._wanted()))
        self._order.activated.connect(
            lambda: self.strip.sort_by(ListOrder(self._order.currentData()))
        )
        self.strip.counted.connect(self._retranslate)
        head = fill(
            QVBoxLayout(),
            self._count,
            self._outcome,
            self._order,
            margins=(8, 8, 8, 2),
            spacing=5,
        )
        fill(QVBoxLayout(self), head, (self.strip, 1), margins=(0, 0, 0, 0), spacing=0)
        self.setFixedWidth(self.strip.minimumWidth())
        self._retranslate()

    def _wanted(self) -> Standing | None:
        wanted = self._outcome.currentData()
        return None if wanted is None else Standing(wanted)

    def _retranslate(self) -> None:
        """Tell how many there are."""
        standings, wanted = self.strip.standings, self._wanted()
        count = len(standings)
        done = count - standings.count(Standing.WORKING)
        if wanted is not None:
            text, said = self.tr("{0} of {1}"), self.tr("{0} of {1} photos are shown")
            part = standings.count(wanted)
        elif done < count:
            text, said = self.tr("{0} of {1}"), self.tr("{0} of {1} photos are done")
            part = done
        else:
            text, said = self.tr("{1} open"), self.tr("All {1} photos are shown")
            part = count
        self._count.setText(text.format(part, count))
        self._count.setToolTip(said.format(part, count))
        self._count.setAccessibleName(said.format(part, count))

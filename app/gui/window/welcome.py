"""What is seen where no photo is open: where to begin, and what was open lately."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QIcon,
    QImage,
    QImageReader,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QTransform,
)
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.board.cell_painting import paint_digit
from app.gui.theme import theme_of
from app.gui.widgets import enlarge, fill, follows_changes, painting

_THUMB: Final = QSize(108, 81)
_MOST_SHOWN: Final = 5
_HEIGHT_WITH_MARK_PX: Final = 480
_GAP_PX: Final = 8
_EDGE_PX: Final = 16


@follows_changes
class Welcome(QWidget):
    """Invites to open a photo, or signals the path of one that was open lately."""

    file_chosen = Signal(object)

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        """Make the page; the first of the actions is the one that most people want."""
        super().__init__(parent)
        self._title = title = QLabel()
        enlarge(title, 1.7, is_bold=True)
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._note = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._title.setWordWrap(True)
        self._note.setWordWrap(True)
        self._buttons = [
            self._button(action, is_first=number == 0) for number, action in enumerate(actions)
        ]
        self._grid = QGridLayout()
        self._grid.setSpacing(_GAP_PX)
        buttons = fill(QHBoxLayout(), 0, self._grid, 0)
        self._recent = QHBoxLayout()
        self._recent.setSpacing(10)
        column = QVBoxLayout(self)
        column.setSpacing(14)
        column.addStretch(3)
        self._mark = _Mark(self)
        column.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignCenter)
        column.addSpacing(6)
        column.addWidget(title)
        column.addWidget(self._note)
        column.addSpacing(8)
        column.addLayout(buttons)
        column.addStretch(2)
        column.addLayout(self._recent)
        column.addSpacing(26)
        self._columns = 0
        self._retranslate()
        self._refit()

    def _retranslate(self) -> None:
        self._title.setText(self.tr("Drop a photo of a Sudoku here"))
        self._note.setText(self.tr("Photos stay on this computer."))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the sign out where there is no room for it."""
        super().resizeEvent(event)
        self._mark.setVisible(event.size().height() >= _HEIGHT_WITH_MARK_PX)
        self._refit()

    def minimumSizeHint(self) -> QSize:
        """Return the room that is needed where the buttons stand one below the other."""
        least = super().minimumSizeHint()
        widest = max(button.sizeHint().width() for button in self._buttons)
        return QSize(widest + 2 * _EDGE_PX, least.height())

    def _refit(self) -> None:
        """Put as many buttons side by side as have room, and leave files out that have none."""
        room = self.width() - 2 * _EDGE_PX
        count = len(self._buttons)
        widths = [button.sizeHint().width() + _GAP_PX for button in self._buttons]
        columns = count if sum(widths) <= room else max(1, min(count, room // max(widths)))
        if columns != self._columns:
            self._columns = columns
            for number, button in enumerate(self._buttons):
                self._grid.removeWidget(button)
                self._grid.addWidget(button, number // columns, number % columns)
        used = 0
        for place in range(self._recent.count()):
            item = self._recent.itemAt(place)
            widget = None if item is None else item.widget()
            if widget is not None:
                used += widget.sizeHint().width() + self._recent.spacing()
                widget.setVisible(used <= room)

    def show_recent(self, paths: Sequence[Path]) -> None:
        """Offer what was open lately."""
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self._recent.addStretch()
        for path in paths[:_MOST_SHOWN]:
            button = QToolButton(self, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            button.setIconSize(_THUMB)
            button.setIcon(QIcon(_thumbnail(path)))
            button.setText(
                self.fontMetrics().elidedText(path.name, Qt.TextElideMode.ElideMiddle, 104)
            )
            button.setToolTip(str(path))
            button.setAccessibleName(path.name)
            button.clicked.connect(lambda _=False, path=path: self.file_chosen.emit(path))
            self._recent.addWidget(button)
        self._recent.addStretch()
        self._refit()

    def _button(self, action: QAction, *, is_first: bool) -> QPushButton:
        button = QPushButton(self)

        def name() -> None:
            button.setText(action.text().replace("&", ""))
            button.setToolTip(action.toolTip())

        name()
        action.changed.connect(name)
        action.changed.connect(self._refit)
        button.clicked.connect(action.trigger)
        if is_first:
            button.setProperty("kind", "primary")
        return button


class _Mark(QWidget):
    """A small board with a lens of solved digits, the sign of the program."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(132, 132)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        with painting(self) as painter:
            board = QRectF(6, 6, 120, 120)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.paper))
            painter.drawRoundedRect(board, 14, 14)
            painter.setBrush(QColor(theme.accent_soft))
            painter.drawRoundedRect(QRectF(46, 46, 40, 40), 4, 4)
            for line in range(4):
                at = 6 + 40 * line
                painter.setPen(QPen(QColor(theme.paper_line), 1.5))
                if 0 < line < 3:
                    painter.drawLine(at, 6, at, 126)
                    painter.drawLine(6, at, 126, at)
            painter.setPen(QPen(QColor(theme.paper_bold), 2.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(board, 14, 14)
            for cell, digit in ((0, "5"), (2, "7"), (3, "6"), (7, "9")):
                _write(painter, cell, digit, QColor(theme.text))
            _write(painter, 4, "3", QColor(theme.accent))


def _write(painter: QPainter, cell: int, digit: str, colour: QColor) -> None:
    place = QTransform.fromTranslate(6 + 40 * (cell % 3), 6 + 40 * (cell // 3)).scale(40, 40)
    paint_digit(painter, place, digit, colour)


def _thumbnail(path: Path) -> QPixmap:
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid():
        reader.setScaledSize(size.scaled(_THUMB, Qt.AspectRatioMode.KeepAspectRatioByExpanding))
    image = reader.read()
    if image.isNull():
        image = QImage(_THUMB, QImage.Format.Format_RGB32)
        image.fill(0x888888)
    return QPixmap.fromImage(image)

"""What is seen where no photo is open: where to begin, and what was open lately."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.gui.session.file_opener import read_picture
from app.gui.start import ICONS
from app.gui.widgets import FoldingRow, empty_layout, fill, follows_changes, make_button, make_label

_MARK: Final = ICONS / "sudoku-lens.svg"
_MARK_PX: Final = 132
_THUMB: Final = QSize(108, 81)
_MOST_SHOWN: Final = 5
_HEIGHT_WITH_MARK_PX: Final = 480
_EDGE_PX: Final = 16


@follows_changes
class Welcome(QWidget):
    """Invites to open a photo, or signals the path of one that was open lately."""

    file_chosen = Signal(object)

    def __init__(self, actions: Sequence[QAction]) -> None:
        """Make the page; the first of the actions is the one that most people want."""
        super().__init__()
        self._mark = QLabel(pixmap=QIcon(str(_MARK)).pixmap(_MARK_PX))
        title = make_label(
            lambda: self.tr("Drop a photo of a Sudoku here"),
            factor=1.7,
            is_bold=True,
            at=Qt.AlignmentFlag.AlignCenter,
        )
        note = make_label(
            lambda: self.tr("Photos stay on this computer."), at=Qt.AlignmentFlag.AlignCenter
        )
        buttons = [_bound_button(action) for action in actions]
        buttons[0].setProperty("kind", "primary")
        row = FoldingRow(*buttons, is_centred=True)
        self._recent = QHBoxLayout()
        self._recent.setSpacing(10)
        fill(
            QVBoxLayout(self),
            3,
            (self._mark, 0, Qt.AlignmentFlag.AlignCenter),
            title,
            note,
            row,
            2,
            self._recent,
            margins=(_EDGE_PX, 14, _EDGE_PX, 26),
            spacing=14,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the sign and files that there is no room for."""
        super().resizeEvent(event)
        self._mark.setVisible(event.size().height() >= _HEIGHT_WITH_MARK_PX)
        self._refit()

    def _refit(self) -> None:
        room, used = self.width() - 2 * _EDGE_PX, 0
        # Files that were offered before are children until they are deleted, a little later.
        places = map(self._recent.itemAt, range(self._recent.count()))
        for button in filter(None, [place.widget() for place in places if place is not None]):
            used += button.sizeHint().width() + self._recent.spacing()
            button.setVisible(used <= room)

    def show_recent(self, paths: Sequence[Path]) -> None:
        """Offer what was open lately."""
        empty_layout(self._recent)
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


def _bound_button(action: QAction) -> QPushButton:
    button = make_button(act=action.trigger)

    def name() -> None:
        button.setText(action.text().replace("&", ""))
        button.setToolTip(action.toolTip())

    name()
    action.changed.connect(name)
    return button


def _thumbnail(path: Path) -> QPixmap:
    image = read_picture(path, _THUMB)
    if image is None:
        image = QImage(_THUMB, QImage.Format.Format_RGB32)
        image.fill(0x888888)
    return QPixmap.fromImage(image)

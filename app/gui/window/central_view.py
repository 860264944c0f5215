"""What lies under the toolbar: photo, clean board, list of photos, status, and panels; and where
nothing is open, an invitation.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.board.board_bars import BoardSwitch, DoubtBar, PlayBar
from app.gui.board.clean_board import CleanBoard, draw_small
from app.gui.board.outlines import outline_digits
from app.gui.board.playing import PauseScreen
from app.gui.board.rule_bar import RuleBar
from app.gui.panels.dock import LEAST_PHOTO_PX
from app.gui.photo.film_strip import ListedPhoto, PhotoList
from app.gui.photo.viewer import PhotoView
from app.gui.session.background import Portions
from app.gui.session.file_opener import read_picture
from app.gui.start import ICONS
from app.gui.widgets import (
    FoldingRow,
    empty_layout,
    fill,
    follows_changes,
    in_scroll_area,
    make_button,
    make_label,
)
from app.gui.window.status_line import NoticeBar, Severity, StatusLine, StatusMessage
from app.gui.window.status_text import StatusText, standing_of

if TYPE_CHECKING:
    from app.gui.session.document import Document
    from app.gui.window.main_window import Window
    from app.report.board_marks import Highlight

VIEWS: Final = ("photo", "both", "board")
_LEAST_BOARD_PX: Final = 200
"""Width below which a board beside a photo is hardly seen; there, only one of them is shown."""
_LEAST_HEIGHT_PX: Final = 120
"""Height below which a photo is hardly seen; there, the list leaves words more width."""
_WIDE_PX: Final = 1000
"""Width of a window that begins with photo and board side by side."""

_MARK: Final = ICONS / "sudoku-lens.svg"
_MARK_PX: Final = 132
_THUMB: Final = QSize(108, 81)
_MOST_SHOWN: Final = 5
_HEIGHT_WITH_MARK_PX: Final = 480
_EDGE_PX: Final = 16


class CentralView(QWidget):
    """Lays out the parts, and shows a document in all of them.

    Attributes:
        room: what holds photo and clean board, and what may float over them.
        pause_screen: stands in the boards' place while the time stands.
        photos: lists what is open; its `strip` is the list itself.
    """

    def __init__(self, window: "Window") -> None:
        """Make the parts of a window."""
        super().__init__(window)
        self._window = window
        actions, panels = window.actions_of_window, window.panels
        self._settings = settings = window.settings
        self._words = StatusText(self)
        self._shown: Document | None = None
        self.photo, self.clean = PhotoView(), CleanBoard()
        self.photos, self.status = PhotoList(), StatusLine()
        self.strip = self.photos.strip
        self.boards = BoardSwitch(actions.last_board, actions.next_board)
        self.doubts, self.notice = DoubtBar(), NoticeBar()
        self.rule_bar = RuleBar()
        self.play_bar = PlayBar(actions.modes, (actions.conflicts, actions.pause))
        self.pause_screen = PauseScreen(lambda: window.playing.pause(False))
        self.welcome = Welcome(
            (actions.open, actions.phone, actions.paste, actions.type_puzzle, actions.sample)
        )
        self._views = QSplitter(Qt.Orientation.Horizontal)
        self._views.addWidget(self.photo)
        self._views.addWidget(self.clean)
        self._views.setChildrenCollapsible(False)
        self._views.setHandleWidth(1)
        self._views.setSizes([640, 400])
        self._panels = panels
        self._preparing = Portions(self, most_at_once=1)
        self.room, self._invitation = QStackedWidget(), in_scroll_area(self.welcome)
        for page in (self._views, self._invitation, self.pause_screen):
            self.room.addWidget(page)
        # What is not shown takes no room; the photo may be smaller than the pause.
        for page in (self._invitation, self.pause_screen):
            page.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        middle = fill(
            QVBoxLayout(),
            self.notice,
            (self.room, 1),
            self.boards,
            self.doubts,
            self.rule_bar,
            self.play_bar,
            self.status,
            spacing=0,
        )
        fill(QHBoxLayout(self), self.photos, (middle, 1), panels, margins=(0, 0, 0, 0), spacing=0)
        for action, view in zip(actions.views, VIEWS, strict=True):
            action.triggered.connect(lambda _=False, view=view: self.choose_view(view))
        split = settings.value("window/split")
        if isinstance(split, QByteArray):
            self._views.restoreState(split)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what has no room beside the photo, or show it again."""
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Show beside the photo what there is room for: first the panel, then list and board."""
        self._panels.fit(self.width())
        width_px = self._room_px(has_list=True)
        has_list = self._has_many and width_px >= 0 and self._has_height(width_px)
        focused = self.focusWidget()
        had_keys = focused is not None and focused.hasFocus() and self.photos.isAncestorOf(focused)
        self.photos.setVisible(has_list)
        if had_keys and not has_list:
            self.give_keys()
        self.show_view()

    @property
    def _has_many(self) -> bool:
        """Whether there is a list to show, where there is room for it."""
        session = self._window.session
        return session is not None and len(session.documents) > 1

    def keep(self) -> None:
        """Write into the settings how wide photo and board are."""
        self._settings.setValue("window/split", self._views.saveState())

    def say_of(self, document: "Document") -> StatusMessage:
        """Return what the status says of a document."""
        return self._words.describe(document)

    def prepare(self) -> None:
        """Work out, while the networks are loaded, what the first board would have to wait for."""
        self._preparing.add(outline_digits())

    def invite(self, recent: Sequence[Path]) -> None:
        """Show the welcome, with what was open lately."""
        self.room.setCurrentWidget(self._invitation)
        self.status.hide()
        self.boards.show_state(None)
        self.doubts.show_board(None)
        self.welcome.show_recent(recent)

    def wait(self) -> None:
        """Show that the networks are being loaded."""
        self.room.setCurrentWidget(self._views)
        self.status.show()
        self.status.show_status(StatusMessage(Severity.WORKING, self.tr("Getting ready…")))

    def show_document(self, document: "Document") -> None:
        """Show a document, but for its status."""
        window = self._window
        if self.room.currentWidget() is not self.pause_screen:
            self.room.setCurrentWidget(self._views)
        self.status.show()
        is_other = self._shown is not document
        if self.photo.picture is not document.picture:
            is_other = True
            # What is shown already stays until the photo is loaded.
            if document.picture is not None or not document.is_working:
                self.photo.show_picture(document.picture)
        faces, chosen = (
            document.faces(are_conflicts_wanted=window.playing.are_conflicts_wanted),
            document.state.chosen,
        )
        if document.is_typed or document.picture is not None:
            self.photo.show_boards(faces, chosen, is_new=is_other)
        else:
            # What lies over the photo that still stands there is of another one.
            self.photo.show_boards((), None, is_new=True)
        self.photo.set_badges(window.actions_of_window.badges.isChecked())
        self.photo.set_selected(window.editor.cell, window.editor.cells)
        self.clean.show_face(None if chosen is None else faces[chosen])
        is_lost = document.picture is None and not document.is_working and not document.is_typed
        status = self.say_of(document)
        self.photo.say_instead(f"{status.headline}\n\n{status.detail}" if is_lost else "")
        # While corners are placed the photo stays where it is, and all between them is in doubt.
        is_placing = self.photo.is_placing
        self.boards.show_state(None if is_placing else document.state)
        self.doubts.show_board(None if is_placing else document.board)
        self._shown = document

    def cover_boards(self, is_wanted: bool) -> None:
        """Put the pause screen in the place of the boards, or take it away."""
        is_covered = self.room.currentWidget() is self.pause_screen
        if is_wanted and not is_covered:
            self.room.setCurrentWidget(self.pause_screen)
            self.pause_screen.setFocus()
        elif is_covered and not is_wanted:
            self.room.setCurrentWidget(self._views)

    @property
    def chosen_view(self) -> str:
        """Which of `VIEWS` is wanted, whether there is room and reason for it or not."""
        first = "both" if self.window().width() >= _WIDE_PX else "photo"
        view = str(self._settings.value("window/view", first))
        return view if view in VIEWS else first

    def choose_view(self, view: str) -> None:
        """Choose one of `VIEWS`, and keep it."""
        self._settings.setValue("window/view", view)
        self.show_view()

    def show_view(self) -> None:
        """Show photo, board or both, as it is chosen and makes sense."""
        document, is_placing = self._window.document, self._window.placement.is_on
        view = self.chosen_view
        is_lost = self.photo.is_lost and document is not None and document.board is None
        if document is not None and document.is_typed:
            view = "board"
        elif is_lost or (view == "board" and is_placing):
            view = "photo"
        # Where regions and cages are corrected, they are seen.
        is_correcting = not self.rule_bar.isHidden()
        wanted = "both" if is_correcting and view == "photo" else view
        has_both = (
            wanted == "both"
            and self._room_px(has_list=self._has_many and self.strip.isVisibleTo(self))
            >= _LEAST_BOARD_PX
        )
        had_keys = self.photo.hasFocus() or self.clean.hasFocus()
        has_board = view == "board" or has_both or is_correcting
        self.photo.setVisible(has_both or not has_board)
        self.clean.setVisible(has_board)
        if had_keys and not (self.photo.hasFocus() or self.clean.hasFocus()):
            self.give_keys()
        seen = "both" if has_both else "board" if has_board else "photo"
        for action, name in zip(self._window.actions_of_window.views, VIEWS, strict=True):
            action.setChecked(name == seen)

    def set_highlight(self, highlight: "Highlight | None") -> None:
        """Mark what a panel speaks of, on photo and board."""
        self.photo.set_highlight(highlight)
        self.clean.set_highlight(highlight)

    def give_keys(self) -> None:
        """Give the keys to the photo, or to the board where it stands alone."""
        (self.clean if self.photo.isHidden() else self.photo).setFocus()

    def list_document(self, document: "Document") -> None:
        """Put a document into the list, or bring it up to date there."""
        status, picture = self.say_of(document), document.small
        if document.is_typed and document.board is not None:
            picture = draw_small(document.faces()[0], self)
        frame = ListedPhoto(
            document.name,
            picture,
            status.severity,
            status.headline,
            standing_of(document, status),
            document.date,
        )
        self.strip.put(document, frame)
        self.strip.show_chosen(self._window.document)

    def _has_height(self, spare_px: int) -> bool:
        """Tell whether words beside the list leave some height to the photo."""
        bars = self.boards, self.doubts, self.rule_bar, self.play_bar
        below_px = sum(
            max(part.minimumSizeHint().height(), part.heightForWidth(LEAST_PHOTO_PX + spare_px))
            for part in (self.notice, *bars, self.status)
            if not part.isHidden()
        )
        least_px = max(_LEAST_HEIGHT_PX, self.room.minimumSizeHint().height())
        return self.height() - below_px >= least_px

    def _room_px(self, *, has_list: bool) -> int:
        """Return how much wider it is than photo, panel and perhaps the list need to be."""
        list_px = self.photos.minimumWidth() if has_list else 0
        panel_px = self._panels.width() if self._panels.isVisibleTo(self) else 0
        return self.width() - LEAST_PHOTO_PX - list_px - panel_px


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
            name = self.fontMetrics().elidedText(path.name, Qt.TextElideMode.ElideMiddle, 104)
            button.setText(name.replace("&", "&&"))
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

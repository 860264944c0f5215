"""The window: its parts, how they hang together, and what every action does."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QRect, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
)
from PySide6.QtWidgets import QDialog, QMainWindow, QStackedWidget, QWidget

from app.gui.board.access import install_board_access
from app.gui.board.cell_editor import CellEditor
from app.gui.board.playing import Playing
from app.gui.live.live_bar import LiveEntry, is_video
from app.gui.panels.dock import SidePanels
from app.gui.phone_link import PhoneEntry
from app.gui.photo.corner_handles import DONE, CornerPlacement
from app.gui.session.background import Collector, Worker
from app.gui.session.file_opener import DropHint, FileOpener, files_in, holds_photos, read_picture
from app.gui.session.history_recorder import HistoryRecorder
from app.gui.session.resuming import Resuming
from app.gui.theme import Theme, icon
from app.gui.widgets import follows_changes
from app.gui.window.central_view import CentralView
from app.gui.window.commands import Commands, ContextMenus
from app.gui.window.menus import Actions, Menus, ToolBar
from app.gui.window.preferences import Appearance, PreferencesDialog, follow_preferences
from app.gui.window.presenter import Presenter
from app.gui.window.status_text import CANCEL, KIND, PLACE, RETRY, RULES, UNDO

if TYPE_CHECKING:
    from app.gui.session.document import Document
    from app.gui.session.session import WindowSession
    from app.gui.window.share_menu import ShareMenu

_LEAST: Final = QSize(640, 460)
_FIRST: Final = QSize(1180, 800)
_FRAME_PX: Final = 28
"""Room for the title bar, of which is known how high it is once the window is shown."""
_AROUND_PX: Final = 20
"""What of the screen stays free on every side at the first start."""


def first_place(screen: QRect) -> QRect:
    """Return where the window begins in the free part of a screen, without its title bar."""
    room = screen.adjusted(_AROUND_PX, _AROUND_PX + _FRAME_PX, -_AROUND_PX, -_AROUND_PX)
    place = QRect(room.topLeft(), _FIRST.boundedTo(room.size()))
    place.moveCenter(room.center())
    return place


@follows_changes
class Window(QMainWindow):
    """Sudoku Lens."""

    def __init__(
        self, settings: QSettings, worker: Worker | None = None, data_folder: Path | None = None
    ) -> None:
        """Make the window; `begin` brings it to life. `data_folder` has the history."""
        super().__init__()
        self.settings = settings
        self._collector = Collector(self)
        self._collector.start()
        self._worker = worker or Worker(parent=self)
        self.session: WindowSession | None = None
        """What is open; None until the networks are loaded."""
        self._waiting: list[Callable[[], object]] | None = []
        """What will be opened then; None once it is known that they cannot be loaded."""
        self._video: Path | None = None
        self.notice: QDialog | None = None
        self.appearance = Appearance(settings, self)
        self.actions_of_window = actions = Actions(self)
        self.menus = Menus(self)
        self.toolbar = ToolBar(self, actions)
        self.share: ShareMenu | None = None
        self.file_opener = FileOpener(self)
        self.history_recorder = HistoryRecorder(self, data_folder)
        self.panels = SidePanels(self)
        install_board_access()
        self.central_view = CentralView(self)
        self.photo, self.clean = self.central_view.photo, self.central_view.clean
        self.strip, self.status = self.central_view.strip, self.central_view.status
        follow_preferences(self)
        self.placement = CornerPlacement(self)
        self.editor = CellEditor(self)
        self.playing = Playing(self)
        self.commands = Commands(self)
        self.context_menus = ContextMenus(self)
        self.resuming = Resuming(
            self, self.history_recorder.folder / "sessions", self.history_recorder
        )
        self.live = LiveEntry(self)
        self.phone = PhoneEntry(self, actions.phone)
        self.presenter = Presenter(self)
        self._lay_out()
        self._connect_actions()
        self._connect_parts()
        geometry = settings.value("window/geometry")
        if not isinstance(geometry, QByteArray) or not self.restoreGeometry(geometry):
            self.setGeometry(first_place(self.screen().availableGeometry()))
        self.presenter.refresh()

    @property
    def document(self) -> "Document | None":
        """What is looked at."""
        return None if self.session is None else self.session.current

    @property
    def opened(self) -> "WindowSession":
        """What is open, for what can only be done then."""
        assert self.session is not None
        return self.session

    @property
    def is_waiting(self) -> bool:
        """Whether something will be opened once the networks are loaded."""
        return bool(self._waiting) or self.resuming.is_waiting

    def when_open(self, act: Callable[[], object]) -> None:
        """Do something once the networks are loaded."""
        if self.session is not None:
            act()
        elif self._waiting is not None:
            self._waiting.append(act)
            self.presenter.refresh()

    def give_up(self) -> None:
        """Forget what waits: the networks cannot be loaded."""
        self._waiting = None
        self.resuming.give_up()

    def begin(self, photos: Sequence[Path] = ()) -> None:
        """Load the networks behind the window, and open photos, folders or a video in it."""
        self.photo.setFocus()
        self._video = next((path for path in photos if is_video(path)), None)
        still = [path for path in photos if not is_video(path)]
        new, resumed = self.resuming.begin(still)
        if self._video is not None and not still:
            self.live.open_video(self._video)
        else:
            preview = self.file_opener.begin(new)
            if preview is None and resumed is not None:
                preview = read_picture(resumed)
            if preview is not None:
                self.photo.show_picture(preview)
        # The window is drawn first, and only then anything is loaded.
        QTimer.singleShot(0, self._worker.start)
        QTimer.singleShot(0, self.central_view.prepare)

    def show_page(self, page: QWidget | None) -> None:
        """Show a page in place of everything under the toolbar, or the photos again."""
        if page is not None and self._pages.indexOf(page) < 0:
            self._pages.addWidget(page)
        self._pages.setCurrentWidget(page or self.central_view)
        self.presenter.refresh()

    def tell_fault(self, report: str) -> None:
        """Say that something went wrong that should not, in a window that blocks nothing."""
        from app.gui.window.about import show_fault

        self.notice = show_fault(self, report)

    # --- how it is put together

    def _lay_out(self) -> None:
        self.setWindowTitle(self.tr("Sudoku Lens"))
        self.setAcceptDrops(True)
        self.setMinimumSize(_LEAST.boundedTo(self.screen().availableSize()))
        self._pages = QStackedWidget()
        self._pages.addWidget(self.central_view)
        self.setCentralWidget(self._pages)
        self._drop_hint = DropHint(self)

    def _connect_actions(self) -> None:
        a, do = self.actions_of_window, self.commands
        doing: dict[QAction, Callable[[], object]] = {
            a.open: self.file_opener.ask,
            a.paste: self.file_opener.paste,
            a.sample: self.file_opener.open_sample,
            a.type_puzzle: do.type_puzzle,
            a.new_puzzle: do.make_puzzle,
            a.close: do.close_document,
            a.quit: self.close,
            a.undo: lambda: self.placement.walk(self.opened.undo),
            a.redo: lambda: self.placement.walk(self.opened.redo),
            a.reveal_cell: self.editor.reveal,
            a.kind: self.editor.toggle_kind,
            a.place_other: self.placement.begin_another,
            a.search_again: do.search_again,
            a.fit: self.photo.fit,
            a.near: self.photo.zoom.come_nearer,
            a.far: lambda: self.photo.zoom.come_nearer(-1),
            a.board_near: self.photo.fit_board,
            a.pixels: self.photo.zoom.show_pixels,
            a.turn_left: lambda: do.turn(-1),
            a.turn_right: lambda: do.turn(1),
            a.remove: do.remove,
            a.show_folder: do.show_folder,
            a.copy_solution: do.copy_solution,
            a.next_board: lambda: do.walk_boards(1),
            a.last_board: lambda: do.walk_boards(-1),
            a.next_photo: lambda: do.walk(1),
            a.last_photo: lambda: do.walk(-1),
            a.preferences: self._show_preferences,
            a.shortcuts: self._show_keys,
            a.about: self._show_about,
        }
        for action, work in doing.items():
            action.triggered.connect(lambda _=False, work=work: work())
        a.solution.triggered.connect(do.show_solution)
        a.badges.toggled.connect(self.photo.set_badges)
        a.full_screen.toggled.connect(
            lambda is_on: self.showFullScreen() if is_on else self.showNormal()
        )
        self.addActions([action for action in a if action is not a.remove])
        self.strip.addAction(a.remove)

    def _connect_parts(self) -> None:
        self._worker.ready.connect(self._begin_session)
        self._worker.crashed.connect(self.tell_fault)
        self._worker.load_failed.connect(self.presenter.tell_missing)
        self.central_view.doubts.answered.connect(self.commands.answer)
        self.central_view.rule_bar.cells_wanted.connect(self.central_view.give_keys)
        self.central_view.doubts.looked_at.connect(self.editor.select)
        self.history_recorder.puzzle_chosen.connect(self.file_opener.resume_entry)
        self.strip.chosen.connect(lambda document: self.opened.choose(document))
        self.status.action_wanted.connect(self._do_status_action)
        self.central_view.welcome.file_chosen.connect(
            lambda path: self.file_opener.open_files([path])
        )
        self.appearance.whenever(self.actions_of_window.colour)
        self.appearance.whenever(self._colour)

    def _begin_session(self) -> None:
        from app.gui.session.session import WindowSession

        session = WindowSession(self._worker, self)
        self.session = session
        self._begin_sharing()
        self.presenter.set_session(session)
        at_once = self.actions_of_window.reveal_at_once
        at_once.toggled.connect(session.reveal_at_once)
        session.reveal_at_once(at_once.isChecked())
        session.removed.connect(self.history_recorder.flush)
        self.file_opener.set_session(session)
        waiting, self._waiting = self._waiting or [], []
        for act in waiting:
            act()
        self.resuming.set_session(session)  # after what is asked for now, which is read first
        self.resuming.failed.connect(self._tell_read_only)
        if self._video is not None and not self.live.is_on:
            self.live.open_video(self._video)  # over the photos that were named beside it
        if not (self.history_recorder.can_write() and self.settings.isWritable()):
            self._tell_read_only()
        self.presenter.refresh()

    def _begin_sharing(self) -> None:
        from app.gui.window.share_menu import ShareMenu

        is_native = bool(self.settings.value("window/native_dialogs", True, bool))
        self.share = menu = ShareMenu(self, uses_native_dialogs=is_native)
        menu.said.connect(self.presenter.say)
        self.actions_of_window.copy_image.triggered.connect(menu.copy_picture)
        self.actions_of_window.copy_digits.triggered.connect(menu.copy_puzzle)
        self.actions_of_window.save_image.triggered.connect(menu.save_solved_picture)
        self.actions_of_window.print_puzzle.triggered.connect(menu.print_puzzle)
        self.menus.put_share(menu)
        self.toolbar.sharing.setMenu(menu)
        self.toolbar.sharing.setEnabled(True)

    def _tell_read_only(self) -> None:
        told = self.tr(
            "Nothing can be kept here, because {} cannot be written to. Photos are solved all the "
            "same. To keep puzzles and settings, make room there or change its permissions."
        )
        self.central_view.notice.say(told.format(self.history_recorder.folder))

    # --- what is done

    def _do_status_action(self, key: str) -> None:
        a, do = self.actions_of_window, self.commands
        if key.startswith(KIND):
            do.name_kind(key.removeprefix(KIND))
            return
        answers: dict[str, Callable[[], object]] = {
            PLACE: lambda: a.place.setChecked(True),
            DONE: self.placement.end,
            CANCEL: do.cancel,
            RETRY: do.search_again,
            UNDO: a.undo.trigger,
            RULES: lambda: a.rules.setChecked(True),
        }
        answers[key]()

    # --- the window itself

    def _show_keys(self) -> None:
        from app.gui.window.about import show_keys

        self.notice = show_keys(self)

    def _show_preferences(self) -> None:
        dialog = PreferencesDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        self.notice = dialog

    def _show_about(self) -> None:
        from app.gui.window.about import show_about

        self.notice = show_about(self)

    def _colour(self, theme: Theme) -> None:
        self.photo.setBackgroundBrush(QColor(theme.canvas))
        self.toolbar.sharing.setIcon(icon("share", theme.text))
        if self.session is not None:
            self.presenter.retranslate()  # small pictures are drawn in the colours of the theme

    def event(self, event: QEvent) -> bool:
        """Let keys of play go before shortcuts of the window."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and not (self.placement.is_on or self.live.is_on)
            and self.editor.wants(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def _retranslate(self) -> None:
        self.actions_of_window.retranslate()
        self.toolbar.retranslate()
        self.file_opener.retranslate()
        self.presenter.retranslate()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep what is to be kept, and end the worker; ask first where something would be lost."""
        if not self.commands.may_quit():
            event.ignore()
            return
        self.settings.setValue("window/geometry", self.saveGeometry())
        self.central_view.keep()
        self.hide()  # what ends now may take a moment
        self.history_recorder.finish()
        self.live.shut_down()
        self.phone.link.shut_down()
        self._worker.stop()
        self._collector.stop()
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type into the board wherever the keys are not needed otherwise."""
        if self.placement.is_on and event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
            self.placement.end()
        elif not (self.placement.is_on or self.live.is_on) and self.editor.press(event):
            event.accept()
        elif event.text() == "?":
            # On keyboards where it needs Shift, it is no shortcut for every platform.
            self._show_keys()
        elif event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.actions_of_window.full_screen.setChecked(False)
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take photos."""
        if holds_photos(event.mimeData()):
            event.acceptProposedAction()
            self._drop_hint.show_over()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Take nothing after all."""
        super().dragLeaveEvent(event)
        self._drop_hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped: a video on the live page, and else all of it."""
        self._drop_hint.hide()
        video = next(filter(is_video, files_in(event.mimeData())), None)
        if video is not None:
            self.live.open_video(video)
        if video is not None or self.file_opener.take(event.mimeData()):
            event.acceptProposedAction()

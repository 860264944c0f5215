"""The window: photo, clean board, panels and status, and what every action does."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QSettings, Qt, QTimer
from PySide6.QtGui import QAction, QCloseEvent, QColor, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QMainWindow,
    QStackedWidget,
    QWidget,
)

from app.gui.actions import make_actions
from app.gui.appearance import Appearance
from app.gui.availability import enable_actions
from app.gui.cell_editor import CellEditor
from app.gui.collector import Collector
from app.gui.commands import Commands
from app.gui.desk import VIEWS, Desk
from app.gui.drop_hint import DropHint
from app.gui.icons import icon
from app.gui.intake import Intake
from app.gui.keeping import Keeping, what_is_shared
from app.gui.language import SETTING, SYSTEM, choose_language
from app.gui.live_entry import LiveEntry
from app.gui.menus import Menus, make_toolbar
from app.gui.opening import holds_photos
from app.gui.phone_entry import PhoneEntry
from app.gui.placement import DONE, Placement
from app.gui.side_panels import SidePanels
from app.gui.status_line import Mood, Status
from app.gui.status_text import CANCEL, PLACE, RETRY, UNDO
from app.gui.theme import Theme
from app.gui.worker import Worker

if TYPE_CHECKING:
    from app.gui.document import Document
    from app.gui.session import Session
    from app.gui.share_menu import ShareMenu

_REMARK_MS: Final = 4000


class Window(QMainWindow):
    """Sudoku Lens.

    Other parts plug in here: panels by `panels.add`, what saves and prints by the menu
    `share`, whole pages such as the live view by `add_page` and `show_page`.
    """

    def __init__(
        self, settings: QSettings, worker: Worker | None = None, data_folder: Path | None = None
    ) -> None:
        """Make the window; `begin` brings it to life.

        Args:
            settings: what is kept from one start to the next.
            worker: owns the line; a new one when None.
            data_folder: where the history is kept; the user's own when None.
        """
        super().__init__()
        self._settings = settings
        self._collector = Collector(self)
        self._collector.start()
        self._worker = worker or Worker(parent=self)
        self._session: Session | None = None
        self.notice: QDialog | None = None
        self.share: ShareMenu | None = None
        self.appearance = Appearance(settings, self)
        self.actions_of_window = actions = make_actions(self)
        language = str(settings.value(SETTING, SYSTEM))
        self.menus = Menus(self, actions, self.appearance.theme_name, language)
        self.toolbar, self._share_button = make_toolbar(self, actions)
        self.intake = Intake(self, settings, self.menus.recent)
        self.keeping = Keeping(self, data_folder)
        self.panels = SidePanels(actions, self.keeping.panel, self)
        first = (
            actions.open, actions.phone, actions.paste, actions.type_puzzle, actions.sample
        )  # fmt: skip
        self.desk = Desk(settings, first, self.panels, self)
        self.photo, self.clean = self.desk.photo, self.desk.clean
        self.strip, self.status = self.desk.strip, self.desk.status
        self.placement = Placement(self.photo, actions.place)
        self.editor = CellEditor(self.photo, self.clean, self.desk.room)
        self.commands = Commands(self, self.editor)
        self.live = LiveEntry(self, settings, actions.live)
        self.phone = PhoneEntry(self, settings, actions.phone)
        self._lay_out()
        self._connect_actions()
        self._connect_parts()
        self._restore()
        self._refresh()

    @property
    def session(self) -> "Session | None":
        """What is open; None until the networks are loaded."""
        return self._session

    @property
    def document(self) -> "Document | None":
        """What is looked at."""
        return None if self._session is None else self._session.current

    def begin(self, photos: Sequence[Path] = ()) -> None:
        """Load the networks behind the window, and open photos in it."""
        self.photo.setFocus()
        preview = self.intake.begin(photos)
        if preview is not None:
            self.photo.show_picture(preview)
        # The window is drawn first, and only then anything is loaded.
        QTimer.singleShot(0, self._worker.start)

    def add_page(self, page: QWidget) -> None:
        """Put in a page that can take the place of everything under the toolbar."""
        self._pages.addWidget(page)

    def show_page(self, page: QWidget | None) -> None:
        """Show a page that was added, or the photos again."""
        self._pages.setCurrentWidget(page or self.desk)
        self._refresh()

    def say(self, text: str) -> None:
        """Say something for a moment, without a window of its own."""
        self.status.show_status(Status(Mood.IDLE, text))
        self.status.show()
        QTimer.singleShot(_REMARK_MS, self, self._refresh)

    def tell_fault(self, report: str) -> None:
        """Say that something went wrong that should not, in a window that blocks nothing."""
        from app.gui.notices import show_fault

        self.notice = show_fault(self, report)

    # --- how it is put together

    def _lay_out(self) -> None:
        self.setWindowTitle(self.tr("Sudoku Lens"))
        self.setAcceptDrops(True)
        self.setMinimumSize(640, 460)
        self.resize(1180, 800)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.desk)
        self.setCentralWidget(self._pages)
        self._drop_hint = DropHint(self)

    def _connect_actions(self) -> None:
        a, do = self.actions_of_window, self.commands
        doing: dict[QAction, Callable[[], object]] = {
            a.open: self.intake.ask,
            a.paste: self.intake.paste,
            a.sample: self.intake.open_sample,
            a.type_puzzle: do.type_puzzle,
            a.new_puzzle: do.make_puzzle,
            a.close: do.close,
            a.quit: self.close,
            a.undo: do.undo,
            a.redo: do.redo,
            a.reveal_cell: self.editor.reveal,
            a.kind: self.editor.toggle_kind,
            a.place_other: self.placement.begin_another,
            a.search_again: do.search_again,
            a.fit: self.photo.fit,
            a.near: self.photo.zoom_in,
            a.far: self.photo.zoom_out,
            a.board_near: self.photo.fit_board,
            a.pixels: self.photo.zoom_to_pixels,
            a.next_board: do.next_board,
            a.next_photo: do.next_photo,
            a.last_photo: do.last_photo,
            a.shortcuts: self._show_keys,
            a.about: self._show_about,
        }
        for action, work in doing.items():
            action.triggered.connect(lambda _=False, work=work: work())
        a.solution.triggered.connect(do.show_solution)
        a.place.toggled.connect(self._place)
        a.badges.toggled.connect(self.photo.set_badges)
        a.full_screen.toggled.connect(self._go_full_screen)
        a.motion.toggled.connect(self._set_still)
        a.reveal_at_once.toggled.connect(self._set_reveal_at_once)
        for action, view in zip(self.actions_of_window.views, VIEWS, strict=True):
            action.triggered.connect(lambda _=False, view=view: self._choose_view(view))
        self.addActions(list(a))

    def _connect_parts(self) -> None:
        self._worker.ready.connect(self._begin_session)
        self._worker.crashed.connect(self.tell_fault)
        self._worker.load_failed.connect(self._tell_missing)
        self.live.crashed.connect(self.tell_fault)
        self.phone.crashed.connect(self.tell_fault)
        self.intake.came.connect(self._refresh)
        self.intake.remark.connect(self.say)
        self.keeping.puzzle_chosen.connect(
            lambda clues, name: self.intake.open_puzzle(clues, name, is_given=True)
        )
        self.strip.chosen.connect(self.commands.choose)
        self.commands.opened.connect(self._note)
        self.status.action_wanted.connect(self._do_status_action)
        self.editor.selected.connect(self.panels.set_selected)
        self.desk.welcome.file_chosen.connect(lambda path: self.intake.open_files([path]))
        self.menus.theme_chosen.connect(self.appearance.choose)
        self.menus.language_chosen.connect(self._choose_language)
        self.panels.highlight_changed.connect(self.photo.set_highlight)
        self.panels.highlight_changed.connect(self.clean.set_highlight)
        self.panels.reveal_all_wanted.connect(lambda: self.commands.show_solution(True))
        self.panels.hide_wanted.connect(lambda: self.commands.show_solution(False))
        self.panels.veil_wanted.connect(self.commands.veil)
        self.panels.unveil_wanted.connect(self.commands.unveil)
        self.panels.reveal_cell_wanted.connect(self.commands.reveal_cell)
        self.appearance.colour(self.actions_of_window)
        self.appearance.whenever(self._colour)

    def _choose_language(self, name: str) -> None:
        self._settings.setValue(SETTING, name)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            choose_language(app, name)  # every part hears of that, and follows

    def _begin_session(self) -> None:
        from app.gui.session import Session

        session = Session(self._worker, self)
        self._session = session
        session.is_revealing = self.actions_of_window.reveal_at_once.isChecked()
        session.added.connect(self._put_into_strip)
        session.removed.connect(self.strip.remove)
        session.changed.connect(self._follow)
        session.stage_changed.connect(self._tell_stage)
        session.current_changed.connect(self._look_at)
        self._make_share()
        for part in (self.editor, self.placement, self.commands, self.intake, self.phone):
            part.use(session)
        self._refresh()

    def _make_share(self) -> None:
        from app.gui.share_menu import ShareMenu

        is_native = bool(self._settings.value("window/native_dialogs", True, bool))
        share, a = ShareMenu(self, uses_native_dialogs=is_native), self.actions_of_window
        share.said.connect(self.say)
        share.failed.connect(self.say)
        a.copy_image.triggered.connect(share.copy_picture)
        a.copy_digits.triggered.connect(share.copy_puzzle)
        a.save_image.triggered.connect(share.save_solved_picture)
        self.menus.put_share(share)
        self._share_button.setMenu(share)
        self._share_button.setEnabled(True)
        self.share = share

    # --- what is shown

    def _look_at(self, document: "Document | None") -> None:
        self.live.leave()
        self.placement.end()
        self.editor.select(None)
        self.strip.show_chosen(document)
        self._refresh()

    def _follow(self, document: "Document") -> None:
        self._put_into_strip(document)
        self.keeping.remember(document)
        if document is self.document:
            self._refresh()

    def _tell_stage(self, document: "Document") -> None:
        if document is self.document and not self.placement.is_on:
            self.status.show_status(self.desk.say_of(document))

    def _refresh(self) -> None:
        """Bring everything in line with what is looked at."""
        document = self.document
        if document is not None:
            self._show_document(document)
        elif self.intake.is_waiting:
            self.desk.wait()
        else:
            self.setWindowTitle(self.tr("Sudoku Lens"))
            self.desk.invite(self.intake.recent())
        view = self.desk.show_view(document, is_placing=self.placement.is_on)
        for action, name in zip(self.actions_of_window.views, VIEWS, strict=True):
            action.setChecked(name == view)
        # Behind live pictures nothing is done to the photos.
        seen = None if self.live.is_on else document
        count = 0 if self._session is None else len(self._session.documents)
        enable_actions(self.actions_of_window, seen, count, is_ready=self._session is not None)
        self.strip.setVisible(count > 1)
        if document is None:
            self.panels.show_board(None, None)
        else:
            self.panels.show_board(document.board, document.looked_at)
        if self.share is not None:
            self.share.set_shared(what_is_shared(seen))

    def _show_document(self, document: "Document") -> None:
        badges = self.actions_of_window.badges.isChecked()
        self.desk.show_document(document, self.editor.cell, are_badges_wanted=badges)
        self.setWindowTitle(self.tr("{} – Sudoku Lens").format(document.name))
        self.placement.end_if_solved(document)
        status = self.desk.say_of(document)
        if self.placement.is_on and status.mood is not Mood.WORKING:
            found = "" if document.board is None else status.headline
            status = self.placement.status(found)
        self.status.show_status(status)

    def _put_into_strip(self, document: "Document") -> None:
        self.desk.list_document(document, self.document)

    # --- what is done

    def _place(self, is_wanted: bool) -> None:
        self.editor.select(None)
        self.placement.turn(is_wanted)
        self._refresh()

    def _do_status_action(self, key: str) -> None:
        if key == PLACE:
            self.actions_of_window.place.setChecked(True)
        elif key == DONE:
            self.placement.end()
        elif key == CANCEL:
            self.commands.cancel()
        elif key == RETRY:
            self.commands.search_again()
            self._refresh()
        elif key == UNDO:
            self.commands.undo()

    # --- the window itself

    def _show_keys(self) -> None:
        from app.gui.notices import show_keys

        self.notice = show_keys(self, self.actions_of_window)

    def _show_about(self) -> None:
        from app.gui.about import show_about

        self.notice = show_about(self)

    def _note(self, dialog: QDialog) -> None:
        self.notice = dialog

    def _tell_missing(self, error: object) -> None:
        self.intake.give_up()
        self._refresh()
        self.status.show()
        self.status.show_status(Status(Mood.BAD, self.tr("Photos cannot be read here"), str(error)))

    def _choose_view(self, view: str) -> None:
        self.desk.choose_view(view)
        self._refresh()

    def _go_full_screen(self, is_wanted: bool) -> None:
        if is_wanted:
            self.showFullScreen()
        else:
            self.showNormal()

    def _set_still(self, is_still: bool) -> None:
        self.appearance.set_still(is_still)
        self.photo.is_still = self.clean.is_still = self.appearance.is_still

    def _set_reveal_at_once(self, is_wanted: bool) -> None:
        self._settings.setValue("board/reveal_at_once", is_wanted)
        if self._session is not None:
            self._session.is_revealing = is_wanted

    def _colour(self, theme: Theme) -> None:
        self.photo.setBackgroundBrush(QColor(theme.canvas))
        self._share_button.setIcon(icon("share", theme.text))

    def _restore(self) -> None:
        a = self.actions_of_window
        a.motion.setChecked(bool(self._settings.value("window/less_motion", False, bool)))
        self._set_still(a.motion.isChecked())
        at_once = bool(self._settings.value("board/reveal_at_once", True, bool))
        a.reveal_at_once.setChecked(at_once)
        geometry = self._settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.actions_of_window.retranslate()
            self.menus.retranslate()
            self.toolbar.retranslate()
            self.intake.retranslate()
            for document in () if self._session is None else self._session.documents:
                self._put_into_strip(document)
            self._refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep what is to be kept, and end the worker."""
        self._settings.setValue("window/geometry", self.saveGeometry())
        self.desk.keep()
        self.hide()  # what ends now may take a moment
        self.live.shut_down()
        self.phone.shut_down()
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

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        if self.intake.take(event.mimeData()):
            event.acceptProposedAction()

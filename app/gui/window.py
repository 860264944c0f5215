"""The window: photo, clean board, panels and status, and what every action does."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QMimeData, QSettings, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QImageReader,
    QKeyEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.actions import make_actions
from app.gui.cell_editor import CellEditor
from app.gui.clean_board import CleanBoard
from app.gui.film_strip import FilmStrip
from app.gui.icons import icon
from app.gui.menus import Menus, make_toolbar
from app.gui.opening import (
    files_in,
    forget_files,
    holds_photos,
    image_in,
    recent_files,
    remember_file,
    sample_path,
)
from app.gui.photo_view import PhotoView
from app.gui.side_panels import SidePanels
from app.gui.status_line import Mood, Status, StatusLine
from app.gui.theme import apply_theme, theme_of, wants_motion
from app.gui.welcome import Welcome
from app.gui.worker import Worker

if TYPE_CHECKING:
    from app.board_state import BoardState
    from app.gui.session import Document, Session
    from app.gui.status_text import StatusText

VIEWS: Final = ("photo", "both", "board")


class Window(QMainWindow):
    """Sudoku Lens.

    Other parts plug in here: panels by `panels.add`, what saves and prints by the menu
    `menus.share`, whole pages such as the live view by `add_page`.
    """

    def __init__(self, settings: QSettings, worker: Worker | None = None) -> None:
        """Make the window; `begin` brings it to life.

        Args:
            settings: what is kept from one start to the next.
            worker: owns the line; a new one when None.
        """
        super().__init__()
        self._settings = settings
        self._theme_name = str(settings.value("window/theme", "system"))
        self._dress()
        self._worker = worker or Worker(parent=self)
        self._session: Session | None = None
        self._words: StatusText | None = None
        self._waiting: list[tuple[Path | QImage | bytes, str]] = []
        self._shown: Document | None = None
        self._notice: QDialog | None = None
        self.actions_of_window = make_actions(self)
        self.photo = PhotoView(self)
        self.clean = CleanBoard(self)
        self.strip = FilmStrip(self)
        self.status = StatusLine(self)
        self.panels = SidePanels(self.actions_of_window, self)
        self.menus = Menus(self, self.actions_of_window, self._theme_name)
        self.toolbar = make_toolbar(self, self.actions_of_window, self.menus.share)
        actions = self.actions_of_window
        first = (actions.open, actions.paste, actions.type_puzzle, actions.sample)
        self.welcome = Welcome(first, self)
        self._lay_out()
        self.editor = CellEditor(self.photo, self.clean, self._desk)
        self._connect_actions()
        self._connect_parts()
        self._restore()
        self._draw_icons()
        self._refresh()

    # --- opening

    def begin(self, photos: Sequence[Path] = ()) -> None:
        """Load the networks behind the window, and open what is to be opened.

        On the very first start, that is the sample page, so that there is something to see.
        """
        paths = list(photos)
        if not paths and not self._settings.value("opened/has_started", False, bool):
            paths = [sample_path()]
        self._settings.setValue("opened/has_started", True)
        self.open_files(paths)
        if paths:
            self._preview(paths[0])
        # The window is drawn first, and only then anything is loaded.
        QTimer.singleShot(0, self._worker.start)

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open photos; the first of them is looked at."""
        for number, path in enumerate(paths):
            self._open(path, path.name, is_chosen=number == 0)
            if path != sample_path():
                remember_file(self._settings, path)
        self._fill_recent()

    def open_puzzle(self, clues: object, name: str) -> None:
        """Open a puzzle without a photo: (9, 9) integers 0..9."""
        import numpy as np

        if self._session is not None:
            self._session.open_puzzle(np.asarray(clues, np.uint8), name)

    @property
    def session(self) -> "Session | None":
        """What is open; None until the networks are loaded."""
        return self._session

    @property
    def document(self) -> "Document | None":
        """What is looked at."""
        return None if self._session is None else self._session.current

    def add_page(self, page: QWidget) -> None:
        """Put in a page that can take the place of everything under the toolbar."""
        self._pages.addWidget(page)

    def show_page(self, page: QWidget | None) -> None:
        """Show a page that was added, or the photos again."""
        self._pages.setCurrentWidget(page or self._work)
        self._refresh()

    def _open(self, source: Path | QImage | bytes, name: str, *, is_chosen: bool = True) -> None:
        if self._session is None:
            self._waiting.append((source, name))
            self._refresh()
        else:
            self._session.open(source, name, is_chosen=is_chosen)

    def _take(self, data: QMimeData) -> bool:
        """Open what was dropped or pasted."""
        paths = files_in(data)
        if paths:
            self.open_files(paths)
            return True
        image = image_in(data)
        if image is not None:
            self._open(image, self.tr("Pasted picture"))
            return True
        return False

    def _preview(self, path: Path) -> None:
        """Show a photo before the line is there to open it, where Qt can."""
        reader = QImageReader(str(path))
        reader.setAutoTransform(True)
        picture = reader.read()
        if not picture.isNull():
            self.photo.show_picture(picture)

    # --- how it is put together

    def _lay_out(self) -> None:
        self.setWindowTitle(self.tr("Sudoku Lens"))
        self.setAcceptDrops(True)
        self.setMinimumSize(640, 460)
        self.resize(1180, 800)
        self._views = QSplitter(Qt.Orientation.Horizontal)
        self._views.addWidget(self.photo)
        self._views.addWidget(self.clean)
        self._views.setStretchFactor(0, 3)
        self._views.setStretchFactor(1, 2)
        self._views.setCollapsible(0, False)
        self._views.setCollapsible(1, False)
        self._views.setHandleWidth(1)
        self._views.setSizes([640, 400])
        self.photo.setMinimumWidth(240)
        self._desk = QStackedWidget()
        self._desk.addWidget(self._views)
        self._desk.addWidget(self.welcome)
        self._work = QWidget()
        row = QHBoxLayout(self._work)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        middle = QVBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self._desk, 1)
        middle.addWidget(self.status)
        row.addWidget(self.strip)
        row.addLayout(middle, 1)
        row.addWidget(self.panels)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._work)
        self.setCentralWidget(self._pages)

    def _connect_actions(self) -> None:
        a = self.actions_of_window
        doing: dict[QAction, Callable[[], object]] = {
            a.open: self._ask_for_photos,
            a.paste: self._paste,
            a.sample: lambda: self.open_files([sample_path()]),
            a.type_puzzle: self._type_puzzle,
            a.close: self._close_document,
            a.quit: self.close,
            a.undo: self._undo,
            a.redo: self._redo,
            a.reveal_cell: self.editor.reveal,
            a.kind: self.editor.toggle_kind,
            a.place_other: self._place_other,
            a.search_again: self._search_again,
            a.fit: self.photo.fit,
            a.near: self.photo.zoom_in,
            a.far: self.photo.zoom_out,
            a.board_near: self.photo.fit_board,
            a.pixels: self.photo.zoom_to_pixels,
            a.next_board: self._next_board,
            a.next_photo: lambda: self._next_photo(1),
            a.last_photo: lambda: self._next_photo(-1),
            a.shortcuts: self._show_keys,
            a.about: self._show_about,
        }
        for action, do in doing.items():
            action.triggered.connect(lambda _=False, do=do: do())
        a.solution.triggered.connect(self._show_solution)
        a.place.toggled.connect(self._place)
        a.badges.toggled.connect(self.photo.set_badges)
        a.full_screen.toggled.connect(self._go_full_screen)
        a.motion.toggled.connect(self._set_motion)
        a.reveal_at_once.toggled.connect(self._set_reveal_at_once)
        for action, view in zip(self._view_actions(), VIEWS, strict=True):
            action.triggered.connect(lambda _=False, view=view: self._choose_view(view))
        self.addActions(list(a))

    def _connect_parts(self) -> None:
        self._worker.ready.connect(self._begin_session)
        self._worker.crashed.connect(self._show_fault)
        self._worker.load_failed.connect(self._tell_missing)
        self.strip.chosen.connect(self._choose_document)
        self.status.action_wanted.connect(self._do_status_action)
        self.photo.corners_placed.connect(self._put_corners)
        self.editor.selected.connect(self.panels.set_selected)
        self.welcome.file_chosen.connect(lambda path: self.open_files([path]))
        self.menus.theme_chosen.connect(self._choose_theme)
        self.panels.highlight_changed.connect(self.photo.set_highlight)
        self.panels.highlight_changed.connect(self.clean.set_highlight)
        self.panels.reveal_all_wanted.connect(lambda: self._show_solution(True))
        self.panels.hide_wanted.connect(lambda: self._show_solution(False))
        self.panels.reveal_cell_wanted.connect(self._reveal_cell)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)

    def _begin_session(self) -> None:
        from app.gui.session import Session
        from app.gui.status_text import StatusText

        self._words = StatusText(self)
        session = Session(self._worker, self)
        self._session = session
        session.is_revealing = self.actions_of_window.reveal_at_once.isChecked()
        session.added.connect(self._put_into_strip)
        session.removed.connect(self._take_out_of_strip)
        session.changed.connect(self._follow)
        session.stage_changed.connect(self._tell_stage)
        session.current_changed.connect(self._look_at)
        self.editor.use(session)
        waiting, self._waiting = self._waiting, []
        for number, (source, name) in enumerate(waiting):
            session.open(source, name, is_chosen=number == 0)
        self._refresh()

    # --- what is shown

    def _look_at(self, document: "Document | None") -> None:
        self.actions_of_window.place.setChecked(False)
        self.editor.select(None)
        self._shown = None
        self.strip.show_chosen(document)
        self._refresh()

    def _follow(self, document: "Document") -> None:
        self._put_into_strip(document)
        if document is self.document:
            self._refresh()

    def _tell_stage(self, document: "Document") -> None:
        if document is self.document and self._words is not None and not self.photo.is_placing:
            self.status.show_status(self._words.describe(document))

    def _refresh(self) -> None:
        """Bring everything in line with what is looked at."""
        document = self.document
        is_empty = document is None and not self._waiting
        self._desk.setCurrentWidget(self.welcome if is_empty else self._views)
        self.status.setVisible(not is_empty)
        if is_empty:
            self.welcome.show_recent(recent_files(self._settings))
        if document is not None:
            self._show_document(document)
        elif self._waiting:
            self.status.show_status(Status(Mood.WORKING, self.tr("Getting ready…")))
        self._show_views()
        self._refresh_actions()
        self.panels.show_board(None if document is None else document.board)

    def _show_document(self, document: "Document") -> None:
        is_other = self._shown is not document
        if self.photo.picture is not document.picture:
            is_other = True
            if document.picture is not None or document.stage != "load":
                self.photo.show_picture(document.picture)
        faces, chosen = document.faces(), document.state.chosen
        self.photo.show_boards(faces, chosen, is_new=is_other)
        self.photo.set_badges(self.actions_of_window.badges.isChecked())
        self.photo.set_selected(self.editor.cell)
        self.clean.show_face(None if chosen is None else faces[chosen])
        self._shown = document
        self._end_placing_if_solved(document)
        self.setWindowTitle(self.tr("{} – Sudoku Lens").format(document.name))
        if self.photo.is_placing and (document.board is None or document.board.pending is None):
            hint = self.tr("Drag the four corners onto the corners of the board")
            detail = "" if document.board is None else self._say(document).headline
            self.status.show_status(Status(Mood.IDLE, hint, detail, self.tr("Done"), "done"))
        else:
            self.status.show_status(self._say(document))

    def _say(self, document: "Document") -> Status:
        return Status() if self._words is None else self._words.describe(document)

    def _refresh_actions(self) -> None:
        a, document = self.actions_of_window, self.document
        board: BoardState | None = None if document is None else document.board
        has_photo = document is not None and document.image is not None
        is_solved = board is not None and board.solution is not None
        a.undo.setEnabled(document is not None and bool(document.history.past))
        a.redo.setEnabled(document is not None and bool(document.history.future))
        a.close.setEnabled(document is not None)
        for action in (a.solution, a.reveal_cell):
            action.setEnabled(is_solved)
        a.solution.setChecked(board is not None and is_solved and len(board.revealed) == 81)
        for action in (a.kind, a.copy_digits, a.help_panel, a.walk_panel):
            action.setEnabled(board is not None)
        a.copy_image.setEnabled(is_solved)
        photo_only = (a.place, a.place_other, a.search_again, a.fit, a.near, a.far, a.pixels)
        for action in (*photo_only, a.badges, a.board_near):
            action.setEnabled(has_photo)
        a.next_board.setEnabled(document is not None and len(document.state.boards) > 1)
        count = 0 if self._session is None else len(self._session.documents)
        for action in (a.next_photo, a.last_photo):
            action.setEnabled(count > 1)
        for action in self._view_actions():
            action.setEnabled(has_photo)
        for action in (a.type_puzzle, a.new_puzzle):
            action.setEnabled(self._session is not None)
        self.strip.setVisible(count > 1)

    def _show_views(self) -> None:
        document = self.document
        wanted = str(
            self._settings.value("window/view", "both" if self.width() > 1000 else "photo")
        )
        view = "board" if document is not None and document.is_typed else wanted
        self.photo.setVisible(view != "board")
        self.clean.setVisible(view != "photo")
        for action, name in zip(self._view_actions(), VIEWS, strict=True):
            action.setChecked(name == view)

    def _view_actions(self) -> tuple[QAction, QAction, QAction]:
        a = self.actions_of_window
        return a.view_photo, a.view_both, a.view_board

    def _put_into_strip(self, document: "Document") -> None:
        status = self._say(document)
        self.strip.put(document, document.name, document.picture, status.mood, status.headline)
        self.strip.show_chosen(self.document)

    def _take_out_of_strip(self, document: "Document") -> None:
        self.strip.remove(document)

    # --- what is done

    def _ask_for_photos(self) -> None:
        from app.gui.photo_dialog import make_photo_dialog

        folder = Path(str(self._settings.value("opened/folder", str(Path.home()))))
        is_native = self._settings.value("window/native_dialogs", True, bool)
        dialog = make_photo_dialog(self, folder, is_native=bool(is_native))
        dialog.filesSelected.connect(self._open_selected)
        self._notice = dialog
        dialog.open()

    def _open_selected(self, names: list[str]) -> None:
        paths = [Path(name) for name in names]
        if paths:
            self._settings.setValue("opened/folder", str(paths[0].parent))
        self.open_files(paths)

    def _paste(self) -> None:
        if not self._take(QGuiApplication.clipboard().mimeData()):
            self._remark(self.tr("There is no photo in the clipboard"))

    def _remark(self, text: str) -> None:
        """Say something for a moment, without a window of its own."""
        self.status.show_status(Status(Mood.IDLE, text))
        self.status.show()
        QTimer.singleShot(4000, self._refresh)

    def _type_puzzle(self) -> None:
        self.open_puzzle([[0] * 9] * 9, self.tr("Typed puzzle"))
        self.editor.select(0)
        self.clean.setFocus()

    def _close_document(self) -> None:
        if self._session is not None and self._session.current is not None:
            self._session.close(self._session.current)

    def _choose_document(self, document: "Document") -> None:
        if self._session is not None:
            self._session.choose(document)

    def _next_photo(self, step: int) -> None:
        if self._session is None or self._session.current is None:
            return
        documents = self._session.documents
        place = documents.index(self._session.current)
        self._session.choose(documents[(place + step) % len(documents)])

    def _next_board(self) -> None:
        from app.board_state import choose_board

        document = self.document
        if self._session is None or document is None or not document.state.boards:
            return
        following = 0 if document.state.chosen is None else document.state.chosen + 1
        number = following % len(document.state.boards)
        self.editor.select(None)
        self._session.look(lambda state: choose_board(state, number))

    def _show_solution(self, is_wanted: bool) -> None:
        from app.board_state import ALL_CELLS, hide, reveal

        if self._session is not None:
            self._session.act((lambda state: reveal(state, ALL_CELLS)) if is_wanted else hide)
        self._refresh_actions()

    def _reveal_cell(self, cell: int) -> None:
        wanted = self.editor.cell if cell < 0 else cell
        if wanted is not None:
            self.editor.reveal_cell(wanted)

    def _undo(self) -> None:
        if self._session is not None:
            self._session.undo()

    def _redo(self) -> None:
        if self._session is not None:
            self._session.redo()

    def _search_again(self) -> None:
        if self._session is not None and self._session.current is not None:
            self._session.search(self._session.current)
            self._refresh()

    def _do_status_action(self, key: str) -> None:
        document = self.document
        if key == "place":
            self.actions_of_window.place.setChecked(True)
        elif key == "done":
            self.actions_of_window.place.setChecked(False)
        elif key == "cancel" and self._session is not None and document is not None:
            self._session.cancel(document)
        elif key == "retry":
            self._search_again()

    # --- placing the board

    def _place(self, is_wanted: bool) -> None:
        document = self.document
        if not is_wanted or document is None or document.image is None:
            self.photo.end_placing()
        else:
            self.editor.select(None)
            self.photo.begin_placing(_first_corners(document))
            if not self.photo.isVisible():
                self._choose_view("photo")
            self.photo.setFocus()
        self._refresh()

    def _place_other(self) -> None:
        from app.board_state import choose_none

        self.actions_of_window.place.setChecked(False)
        if self._session is not None:
            self._session.look(choose_none)
            self.actions_of_window.place.setChecked(True)

    def _put_corners(self, corners: object) -> None:
        import numpy as np

        from app.board_state import move_corners

        points = np.array(corners, np.float32)
        if self._session is not None:
            self._session.act(lambda state: move_corners(state, points))

    def _end_placing_if_solved(self, document: "Document") -> None:
        board = document.board
        if self.photo.is_placing and board is not None and board.solution is not None:
            # It may have been solved before, and be moved all the same.
            was_placed = bool(document.history.past) and board.board.reading is not None
            if was_placed and _is_at(board, self.photo.placed_corners()):
                self.actions_of_window.place.blockSignals(True)
                self.actions_of_window.place.setChecked(False)
                self.actions_of_window.place.blockSignals(False)
                self.photo.end_placing()

    # --- the window itself

    def _show_keys(self) -> None:
        from app.gui.notices import show_keys

        self._notice = show_keys(self, self.actions_of_window)

    def _show_about(self) -> None:
        from app.gui.notices import show_about

        self._notice = show_about(self)

    def _show_fault(self, report: str) -> None:
        from app.gui.notices import show_fault

        self._notice = show_fault(self, report)

    def _tell_missing(self, error: object) -> None:
        self._waiting = []
        self.status.show()
        self.status.show_status(Status(Mood.BAD, self.tr("Photos cannot be read here"), str(error)))

    def _choose_view(self, view: str) -> None:
        self._settings.setValue("window/view", view)
        self._show_views()

    def _go_full_screen(self, is_wanted: bool) -> None:
        if is_wanted:
            self.showFullScreen()
        else:
            self.showNormal()

    def _set_motion(self, is_less: bool) -> None:
        app = QApplication.instance()
        is_still = is_less or (isinstance(app, QApplication) and not wants_motion(app))
        self.photo.is_still = self.clean.is_still = is_still
        self._settings.setValue("window/less_motion", is_less)

    def _set_reveal_at_once(self, is_wanted: bool) -> None:
        self._settings.setValue("board/reveal_at_once", is_wanted)
        if self._session is not None:
            self._session.is_revealing = is_wanted

    def _choose_theme(self, name: str) -> None:
        self._theme_name = name
        self._settings.setValue("window/theme", name)
        self._dress()
        self._draw_icons()

    def _follow_system(self) -> None:
        if self._theme_name == "system":
            self._dress()
            self._draw_icons()

    def _dress(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, self._theme_name)

    def _draw_icons(self) -> None:
        theme = theme_of()
        self.actions_of_window.colour(theme)
        share = self.toolbar.findChild(QToolButton, "share")
        if isinstance(share, QToolButton):
            share.setIcon(icon("share", theme.text))
        self.photo.setBackgroundBrush(QColor(theme.canvas))

    def _fill_recent(self) -> None:
        menu = self.menus.recent
        menu.clear()
        paths = recent_files(self._settings)
        for path in paths:
            action = menu.addAction(path.name)
            action.setToolTip(str(path))
            action.triggered.connect(lambda _=False, path=path: self.open_files([path]))
        menu.setEnabled(bool(paths))
        if paths:
            menu.addSeparator()
            menu.addAction(self.tr("&Forget these")).triggered.connect(self._forget_recent)

    def _forget_recent(self) -> None:
        forget_files(self._settings)
        self._fill_recent()
        self._refresh()

    def _restore(self) -> None:
        a = self.actions_of_window
        a.motion.setChecked(bool(self._settings.value("window/less_motion", False, bool)))
        self._set_motion(a.motion.isChecked())
        at_once = bool(self._settings.value("board/reveal_at_once", True, bool))
        a.reveal_at_once.setChecked(at_once)
        geometry = self._settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        split = self._settings.value("window/split")
        if isinstance(split, QByteArray):
            self._views.restoreState(split)
        self._fill_recent()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep what is to be kept, and end the worker."""
        self._settings.setValue("window/geometry", self.saveGeometry())
        self._settings.setValue("window/split", self._views.saveState())
        self._worker.stop()
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type into the board wherever the keys are not needed otherwise."""
        if self.photo.is_placing and event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
            self.actions_of_window.place.setChecked(False)
        elif not self.photo.is_placing and self.editor.press(event):
            event.accept()
        elif event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.actions_of_window.full_screen.setChecked(False)
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take photos."""
        if holds_photos(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        if self._take(event.mimeData()):
            event.acceptProposedAction()


def _first_corners(document: "Document") -> list[tuple[float, float]] | None:
    """Return where the handles begin: at the board, or where one might be."""
    board, result = document.board, document.result
    if board is not None:
        return [(x, y) for x, y in board.board.corners.tolist()]
    if document.state.boards or result is None or not result.candidates:
        return None
    return [(x, y) for x, y in result.candidates[0].corners.tolist()]


def _is_at(board: "BoardState", corners: Sequence[tuple[float, float]]) -> bool:
    """Tell whether a board lies between these corners, wherever its top left is."""
    own = {(round(x), round(y)) for x, y in board.board.corners.tolist()}
    return own == {(round(x), round(y)) for x, y in corners}

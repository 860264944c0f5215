"""The window: photo, clean board, panels and status, and what every action does."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSettings, QSize, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QImage,
    QImageReader,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from app.gui.actions import make_actions
from app.gui.clean_board import CleanBoard
from app.gui.film_strip import FilmStrip
from app.gui.opening import files_in, holds_photos, image_in, sample_path
from app.gui.photo_view import PhotoView
from app.gui.status_line import Mood, Status, StatusLine
from app.gui.theme import choose_theme, theme_of
from app.gui.worker import Worker

if TYPE_CHECKING:
    from app.gui.session import Document, Session


class Window(QMainWindow):
    """Sudoku Lens."""

    def __init__(self, settings: QSettings, worker: Worker | None = None) -> None:
        super().__init__()
        self._settings = settings
        app = QApplication.instance()
        if isinstance(app, QApplication):
            choose_theme(app, str(settings.value("window/theme", "system")))
        self._worker = worker or Worker(parent=self)
        self._session: Session | None = None
        self._waiting: list[tuple[Path | QImage, str]] = []
        self.actions_of_window = make_actions(self)
        self._photo = PhotoView(self)
        self._clean = CleanBoard(self)
        self._strip = FilmStrip(self)
        self._status = StatusLine(self)
        self._lay_out()
        self._worker.ready.connect(self._begin_session)

    def begin(self, photos: Sequence[Path]) -> None:
        """Load the networks behind the window, and open what is to be opened."""
        first = list(photos) or [sample_path()]
        reader = QImageReader(str(first[0]))
        reader.setAutoTransform(True)
        picture = reader.read()
        if not picture.isNull():
            self._photo.show_picture(picture)
        self._status.show_status(Status(Mood.WORKING, self.tr("Getting ready…")))
        self._waiting = [(path, path.name) for path in first]
        QTimer.singleShot(0, self._worker.start)

    def _lay_out(self) -> None:
        self.setWindowTitle("Sudoku Lens")
        self.resize(1180, 780)
        self.setAcceptDrops(True)
        views = QSplitter(Qt.Orientation.Horizontal)
        views.addWidget(self._photo)
        views.addWidget(self._clean)
        views.setStretchFactor(0, 3)
        views.setStretchFactor(1, 2)
        views.setHandleWidth(1)
        self._views = views
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(views, 1)
        column.addWidget(self._status)
        self.setCentralWidget(middle)
        bar = QToolBar()
        bar.setMovable(False)
        bar.setIconSize(QSize(22, 22))
        self.addToolBar(bar)
        actions = self.actions_of_window
        for action in (actions.open, actions.undo, actions.redo, actions.solution):
            bar.addAction(action)
        actions.colour(theme_of(self))

    def _begin_session(self) -> None:
        from app.gui.session import Session
        from app.gui.status_text import StatusText

        self._session = Session(self._worker, self)
        self._words = StatusText(self)
        self._session.changed.connect(self._show)
        self._session.current_changed.connect(self._show)
        for source, name in self._waiting:
            self._session.open(source, name)

    def _show(self, document: "Document | None") -> None:
        if document is None or self._session is None or document is not self._session.current:
            return
        if document.picture is not None and self._photo.picture is not document.picture:
            self._photo.show_picture(document.picture)
        self._photo.show_boards(document.faces(), document.state.chosen, is_new=False)
        faces = document.faces()
        chosen = document.state.chosen
        self._clean.show_face(None if chosen is None else faces[chosen])
        self._status.show_status(self._words.describe(document))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the worker."""
        self._worker.stop()
        super().closeEvent(event)

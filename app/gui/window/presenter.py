"""What the window shows of what is looked at: the board, the status, and what can be done."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from app.gui.session.file_opener import recent_files
from app.gui.window.status_line import Severity, StatusMessage
from app.gui.window.status_text import UNDO

if TYPE_CHECKING:
    from app.gui.session.document import Document
    from app.gui.session.session import WindowSession
    from app.gui.window.main_window import Window

translate = QCoreApplication.translate
_REMARK_MS: Final = 4000
_SIGN_MS: Final = 60
"""For each sign of a long remark: some 170 words a minute."""

_LIST_MS: Final = 300
"""After a stroke of play before the list of photos shows it: drawing that takes longer."""


class Presenter(QObject):
    """Brings every part of a window in line with what is open."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self._unlisted: dict[Document, None] = {}
        self._listing = QTimer(self, singleShot=True, interval=_LIST_MS)
        self._listing.timeout.connect(self._list)
        self._remark = QTimer(self, singleShot=True)
        self._remark.timeout.connect(self.refresh)

    def set_session(self, session: "WindowSession") -> None:
        """Show what is open in this session."""
        session.added.connect(self._window.central_view.list_document)
        session.removed.connect(self._take_from_strip)
        session.changed.connect(self._follow)
        session.stage_changed.connect(self._tell_stage)
        session.current_changed.connect(self._look_at)

    def refresh(self) -> None:
        """Bring everything in line with what is looked at."""
        window, document = self._window, self._window.document
        if document is not None:
            self._show_document(document)
        elif window.is_waiting:
            window.central_view.wait()
        else:
            window.setWindowTitle(translate("Window", "Sudoku Lens"))
            window.central_view.invite(recent_files(window.settings))
        # Behind live pictures nothing is done to the photos.
        seen = None if window.live.is_on else document
        window.editor.rules.refresh(None if seen is None else seen.board)
        window.central_view.show_view()
        self._enable_actions(seen)
        window.playing.refresh(document, is_seen=seen is not None)
        window.photo.is_choosing = window.editor.play.is_on or window.editor.rules.is_on
        window.central_view.fit()
        if document is None:
            window.panels.show_board(None, None)
        else:
            window.panels.show_board(document.board, document.looked_at)
        if window.share is not None:
            window.share.show_document(seen)

    def offer_undo(self, text: str) -> None:
        """Say for a moment what undo takes back, with a button for that."""
        self._say(StatusMessage(Severity.IDLE, text, "", translate("Window", "Undo"), UNDO))

    def say(self, text: str, detail: str = "") -> None:
        """Say something for a moment, without a window of its own."""
        self._say(StatusMessage(Severity.IDLE, text, detail))

    def _say(self, status: StatusMessage) -> None:
        self._window.status.show_status(status)
        self._window.status.show()
        signs = len(status.headline) + len(status.detail)
        self._remark.start(max(_REMARK_MS, _SIGN_MS * signs))

    def tell_missing(self, error: object) -> None:
        """Say that photos cannot be read, because of what is missing."""
        window, headline = self._window, translate("Window", "Photos cannot be read here")
        window.give_up()
        self.refresh()
        window.status.show()
        window.status.show_status(StatusMessage(Severity.BAD, headline, str(error)))

    def retranslate(self) -> None:
        """Say everything in the language of now."""
        session = self._window.session
        for document in () if session is None else session.documents:
            self._window.central_view.list_document(document)
        self.refresh()

    def _look_at(self, document: "Document | None") -> None:
        self._window.live.leave()
        self._window.placement.end()
        self._window.editor.select(None)
        self._window.strip.show_chosen(document)
        self.refresh()

    def _follow(self, document: "Document") -> None:
        if self._window.editor.play.is_on:
            self._unlisted[document] = None
            self._listing.start()
        else:
            self._window.central_view.list_document(document)
        self._window.history_recorder.remember(document)
        if document is self._window.document:
            self.refresh()

    def _tell_stage(self, document: "Document") -> None:
        window = self._window
        if document is window.document and not window.placement.is_on:
            window.status.show_status(window.central_view.say_of(document))

    def _show_document(self, document: "Document") -> None:
        window = self._window
        window.editor.leave_missing()
        window.central_view.show_document(document)
        window.setWindowTitle(translate("Window", "{} – Sudoku Lens").format(document.name))
        window.placement.end_if_solved(document)
        status = window.central_view.say_of(document)
        if window.placement.is_on and status.severity is not Severity.WORKING:
            found = "" if document.board is None else status.headline
            status = window.placement.status(found)
        window.status.show_status(status)

    def _list(self) -> None:
        unlisted, self._unlisted = self._unlisted, {}
        open_now = () if self._window.session is None else self._window.session.documents
        for document in unlisted:
            if document in open_now:
                self._window.central_view.list_document(document)

    def _take_from_strip(self, document: "Document") -> None:
        self._window.strip.remove(document)
        if document is not self._window.document:
            self.refresh()  # else another one is looked at next

    def _enable_actions(self, document: "Document | None") -> None:
        """Allow what can be done to a document, None where none is seen."""
        window, a, session = self._window, self._window.actions_of_window, self._window.session
        documents = () if session is None else session.documents
        is_ready, is_live = session is not None, window.live.is_on
        can_undo = session is not None and session.can_undo and not is_live
        board = None if document is None else document.board
        boards = () if document is None else document.state.boards
        is_solved = board is not None and board.solution is not None
        has_photo = document is not None and document.image is not None
        # Then clues stand fast, and the solution is kept back.
        is_played = board is not None and board.is_given and not board.is_open
        for is_on, some in (
            (document is not None, (a.close, a.remove)),
            # A corner that was just moved by a key is a step that is not taken yet.
            (can_undo or window.placement.is_on, (a.undo,)),
            (document is not None and bool(document.timeline.future), (a.redo,)),
            (is_solved, (a.solution, a.reveal_cell, a.copy_solution)),
            (is_solved and has_photo, (a.copy_image, a.save_image)),
            (board is not None and not is_played, (a.kind,)),
            (board is not None, (a.copy_digits, a.print_puzzle)),
            (board is not None, (a.help_panel, a.walk_panel)),
            (has_photo, (a.place, a.place_other, a.fit, a.near, a.far, a.pixels)),
            (has_photo and not is_played, (a.search_again,)),
            (has_photo, (a.badges, a.board_near, *a.views)),
            (has_photo, (a.turn_left, a.turn_right)),
            (document is not None and document.path is not None, (a.show_folder,)),
            (len(boards) > 1, (a.next_board, a.last_board)),
            (len(documents) > 1, (a.next_photo, a.last_photo)),
            (is_ready, (a.type_puzzle, a.new_puzzle)),
            (is_ready and not is_live, (a.technique_panel, a.history_panel)),
        ):
            for action in some:
                action.setEnabled(is_on)
        a.solution.setChecked(board is not None and is_solved and board.is_open)

"""What is done to one of many photos: turning it, finding its file, taking it off the list."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

if TYPE_CHECKING:
    from app.gui.session.document import Document
    from app.gui.session.session import Session
    from app.gui.window.commands import Commands


class PhotoCommands(QObject):
    """Does things to a document that need not be looked at; to that one where none is named.

    Signals:
        said: what was done.
        removed: the same of what undo takes back.
    """

    said = Signal(str)
    removed = Signal(str)

    def __init__(self, commands: "Commands") -> None:
        super().__init__(commands)
        self._commands = commands
        self._session: Session | None = None

    def use(self, session: "Session") -> None:
        """Work in this session."""
        self._session = session

    def turn(self, quarter_turns: int, document: "Document | None" = None) -> None:
        """Turn a photo clockwise."""
        document = document or self._current
        if self._session is not None and document is not None:
            self._session.turn(document, quarter_turns)

    def remove(self, document: "Document | None" = None) -> None:
        """Take a photo off the list, until undo brings it back; its file stays where it is."""
        session, document = self._session, document or self._current
        if session is None or document not in session.documents:
            return
        # The history keeps how it is left, which the walk does not change.
        self._commands.unveil(document)
        self._commands.look_beside(document)
        session.remove(document)
        is_file = document.path is not None
        text = self.tr("“{}” is off the list. Its file stays.")
        self.removed.emit(
            (text if is_file else self.tr("“{}” is off the list.")).format(document.name)
        )

    def show_folder(self, document: "Document | None" = None) -> None:
        """Open the folder of a photo's file in the system's own program for files."""
        document = document or self._current
        if document is not None and document.path is not None:
            folder = document.path.absolute().parent
            if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
                self.said.emit(self.tr("The photo lies in {}.").format(folder))

    def copy_solution(self, document: "Document | None" = None) -> None:
        """Put the solution of the board that is looked at on the clipboard, as 81 characters."""
        from app.sharing import write_cells

        document = document or self._current
        board = None if document is None else document.board
        if board is not None and board.solution is not None:
            QGuiApplication.clipboard().setText(write_cells(board.solution))
            self.said.emit(self.tr("The solution is copied."))

    @property
    def _current(self) -> "Document | None":
        return None if self._session is None else self._session.current

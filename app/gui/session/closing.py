"""Asking before something is lost: a document that is closed, or a session that cannot be kept."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

if TYPE_CHECKING:
    from app.gui.session.document import Document
    from app.gui.session.history_recorder import Keeping
    from app.gui.session.resuming import Resuming
    from app.gui.session.session import WindowSession
    from app.gui.window.commands import Commands


class Closing(QObject):
    """Closes documents and lets the window close, once nothing is lost or a person agreed.

    Signals:
        opened: a dialog.
    """

    opened = Signal(object)

    def __init__(
        self, window: QWidget, commands: "Commands", keeping: "Keeping", resuming: "Resuming"
    ) -> None:
        super().__init__(window)
        self._window, self._commands = window, commands
        self._keeping, self._resuming = keeping, resuming
        self._session: WindowSession | None = None

    def use(self, session: "WindowSession") -> None:
        """Close what is open in this session."""
        self._session = session

    def close_document(self) -> None:
        """Put away what is looked at; ask first where that loses something."""
        document = None if self._session is None else self._session.current
        if document is None:
            return
        lost = self._describe_loss(document)
        if not lost:
            self._commands.close()
            return
        session = self._session

        def close() -> None:
            if session is not None and document in session.documents:
                self._commands.unveil(document)
                self._commands.look_beside(document)
                session.close(document)

        headline = self.tr("Close “{}”?").format(document.name)
        self._ask(headline, lost, self.tr("Close it"), self.tr("Keep it open"), close)

    def may_quit(self) -> bool:
        """Keep the session; return False where that failed, and a person is asked what to do."""
        self._commands.unveil()
        fault = self._resuming.finish()
        if fault is None:
            return True
        if not self._would_lose():
            self._resuming.abandon()
            return True

        def quit_all_the_same() -> None:
            self._resuming.abandon()
            self._window.close()

        self._ask(
            self.tr("Quit all the same?"),
            self.tr(
                "What is open cannot be kept for the next start: {}. Save what you need first."
            ).format(fault),
            self.tr("Quit"),
            self.tr("Do not quit"),
            quit_all_the_same,
        )
        return False

    def _would_lose(self) -> bool:
        documents = () if self._session is None else self._session.documents
        return any(self._describe_loss(document) for document in documents)

    def _describe_loss(self, document: "Document") -> str:
        """Say what is nowhere else than in an open document; nothing where nothing is."""
        if document.path is None and not document.is_typed:
            return self.tr("The picture is in no file, and would be lost.")
        touched = (
            held
            for held in document.state.boards
            if held.by_hand
            or held.is_kind_named
            or not held.pencil.is_empty
            or (held.is_typed and held.digits.any())
        )
        if not all(self._keeping.holds(held) for held in touched):
            return self.tr("What you typed there is not in the history yet, and would be lost.")
        return ""

    def _ask(self, headline: str, text: str, yes: str, no: str, do: Callable[[], None]) -> None:
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(headline)
        box.setInformativeText(text)
        agree = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        agree.clicked.connect(do)
        box.open()
        self.opened.emit(box)
